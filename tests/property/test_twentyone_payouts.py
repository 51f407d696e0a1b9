"""Two ways to know a payout agree: the engine's settlement, and a table written straight from the clauses."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random

import pytest

from cardroom.core.cards import Card
from cardroom.engine import twentyone
from cardroom.engine.twentyone import (
    Action,
    BonusPaid,
    CardAwaited,
    Done,
    Event,
    Round,
    SpotWager,
    WagerPaid,
    WagerPlaced,
    WagerReturned,
    WagerTaken,
)
from cardroom.rules.twentyone import TwentyOneRules
from tests.property.payouts import BONUSES, COLUMN, Facts, bonus, pays, points
from tests.twentyone import GAMES, house, played

ROUNDS = 1500
STAKE = 1000


def random_round(
    rules: TwentyOneRules, random: Random, wagers: list[SpotWager], *, bold: bool
) -> tuple[Round, list[Event]]:
    """A round with random cards and random legal actions; a bold player hits and seldom gives up."""
    state, events = twentyone.start(rules, wagers)
    log = list(events)
    shoe = random.sample(rules.shoe().cards(), 150)
    asked: twentyone.Input
    while not isinstance(awaited := twentyone.awaits(state), Done):
        if isinstance(awaited, CardAwaited):
            asked = shoe.pop()
        elif bold and Action.HIT in awaited.options and random.random() < 0.7:
            asked = Action.HIT
        else:
            asked = random.choice(awaited.options)
        state, events = twentyone.step(state, asked)
        log += events
    return state, log


def texts(cards: tuple[Card, ...]) -> tuple[str, ...]:
    return tuple(card.text for card in cards)


def settled(log: list[Event]) -> dict[tuple[int, str], int]:
    """What the events say each wager of each spot has won or lost; primaries of all hands together."""
    net: Counter[tuple[int, str]] = Counter()
    for event in log:
        if isinstance(event, WagerPaid):
            net[event.spot, event.wager] += event.payment_cents
        elif isinstance(event, WagerTaken):
            net[event.spot, event.wager] -= event.stake_cents
    return dict(net)


def facts_of(state: Round, spot: int, number: int, log: list[Event]) -> Facts:
    hand = state.spots[spot].hands[number]
    even_money = any(isinstance(e, WagerPaid) and e.why == "even money" and e.spot == spot + 1 for e in log)
    ended = {"surrendered": "surrender", "rescued": "rescue"}.get(hand.status, "")
    return Facts(
        state.rules.game,
        texts(hand.cards),
        texts(state.dealer),
        doubled=hand.doubles > 0,
        split=hand.from_split,
        ended="even money" if even_money else ended,
    )


@pytest.mark.slow
@pytest.mark.parametrize("bold", [False, True], ids=["any action", "many cards"])
@pytest.mark.parametrize("game", GAMES)
def test_the_engine_pays_what_the_table_says(game: str, bold: bool) -> None:
    rules = house(game)
    random = Random(f"{game} {bold}")
    met: Counter[str] = Counter()
    for _ in range(ROUNDS):
        wagers = [SpotWager(spot, name, STAKE) for spot, name in ((1, "Ann"), (2, "Bob"))]
        state, log = random_round(rules, random, wagers, bold=bold)
        net = settled(log)
        for place, spot in enumerate(state.spots):
            expected = Fraction(0)
            for number, hand in enumerate(spot.hands):
                facts = facts_of(state, place, number, log)
                on_it = STAKE if facts.ended else hand.stake_cents
                expected += pays(facts) * on_it
                met[facts.ended or str(pays(facts))] += 1
            assert net.get((spot.number, "primary"), 0) == expected, twentyone.format_round(state)
            if insurance := insured(log, spot.number):
                assert net[spot.number, "insurance"] == insurance * insurance_pays(game, texts(state.dealer))
    assert {"-1", "0", "1", "3/2"} <= met.keys()
    if game == "players-edge-21" and not bold:
        assert {"surrender", "rescue"} <= met.keys()
    if game != "blackjack" and bold:
        assert {"2", "3"} <= met.keys()


def insured(log: list[Event], spot: int) -> int:
    """The insurance on a spot in cents."""
    placed = [e for e in log if isinstance(e, WagerPlaced) and e.wager == "insurance"]
    return sum(e.stake_cents for e in placed if e.spot == spot)


def insurance_pays(game: str, dealer: tuple[str, ...]) -> int:
    """21-1.7, PE21-3.1."""
    if points(dealer[:2]) != 21:
        return -1
    return 5 if game == "players-edge-21" and dealer[0][1] == dealer[1][1] else 2


@pytest.mark.parametrize("game", ["spanish-21", "players-edge-21"])
@pytest.mark.parametrize("split", [False, True], ids=["as dealt", "after a split"])
@pytest.mark.parametrize("ranks", ["678", "777"])
def test_every_suit_of_every_three_card_bonus(game: str, split: bool, ranks: str) -> None:
    for first in "cdhs":
        for second in "cdhs":
            for third in "cdhs":
                cards = (ranks[0] + first, ranks[1] + second, ranks[2] + third)
                start = f"{cards[0]} 2d {ranks[0]}h 9c split {cards[1]} 2c" if split else None
                moves = start or f"{cards[0]} 2d {cards[1]} 9c"
                round_ = played(house(game), f"{moves} hit {cards[2]}")
                (paid,) = [e for e in round_.of(WagerPaid) if e.hand == 1]
                facts = Facts(game, cards, ("2d", "9c"), split=split)
                assert paid.payment_cents == pays(facts) * STAKE


def test_every_bonus_line_is_in_the_table() -> None:
    assert {bonus(("7d",) * 3), bonus(("2d",) * 5)} <= BONUSES.keys()
    assert len(BONUSES) == 3 + 2 * 5
    assert COLUMN.keys() == set(GAMES)


def test_bonuses_beside_the_wager_are_not_part_of_its_pay() -> None:
    round_ = played(house("players-edge-21"), "7h 7d 7h 9c hit 7h")
    assert [e.payment_cents for e in round_.of(WagerPaid)] == [2 * STAKE]
    assert [e.payment_cents for e in round_.of(BonusPaid)] == [100_000]


def test_a_returned_wager_wins_and_loses_nothing() -> None:
    round_ = played(house("blackjack"), "Kh 9d 9s Kc stand")
    assert len(round_.of(WagerReturned)) == 1
    assert settled(list(round_.events)) == {}
