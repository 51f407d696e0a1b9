"""Side bets on the player's third card: when they are settled, a card dealt for them, their figures."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest

from cardroom.core.cards import CARDS, Card, parse_card
from cardroom.core.decks import CardCounts
from cardroom.core.errors import MalformedInput
from cardroom.engine.twentyone import CardDealt, CardsPickedUp, ThirdCardDealt, awaits, format_round, replay
from cardroom.engine.twentyone.events import Event, WagerPaid, WagerTaken
from cardroom.exact.sidebets import side_bet_figures
from cardroom.exact.twentyone import solve
from cardroom.lab.agreement import disagreements
from cardroom.rules.bets import SideBet, shelf_bet
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.sim.twentyone.side_machines import THIRD, UP
from cardroom.sim.twentyone.sides import lines_of, side_tables, simulated_sides
from tests.twentyone import ann, house, played

SEVENS = {"side_bets.super-sevens.offered": True}
SIDE = {"super-sevens": 200}


def settled(events: tuple[Event, ...] | list[Event]) -> tuple[int, int]:
    """What the side wager won or lost, and how many events came before that."""
    for place, event in enumerate(events):
        if isinstance(event, WagerPaid) and event.wager == "super-sevens":
            return event.payment_cents, place
        if isinstance(event, WagerTaken) and event.wager == "super-sevens":
            return -event.stake_cents, place
    raise AssertionError("the side wager was not settled")


def last_card_before(events: tuple[Event, ...] | list[Event]) -> Card | None:
    """The card after which the side wager was settled."""
    dealt = [
        event.card
        for event in events[: settled(events)[1]]
        if isinstance(event, CardDealt | ThirdCardDealt) and event.card is not None
    ]
    return dealt[-1] if dealt else None


@pytest.mark.clause("SIDE-8")
@pytest.mark.parametrize(
    ("cards", "won", "after"),
    [
        ("8c 6c 7d Td", -200, "7d"),  # no seven first: lost once the first cards lie open
        ("7c 6c 8d Td", 600, "8d"),  # one seven: no third card changes that
        ("7c 6c 7d Td hit 7h", 100_000, "7h"),  # three sevens
        ("7c 6c 7c Td hit 7c", 1_000_000, "7c"),  # of one suit
        ("7c 6c 7c Td hit 8c", 20_000, "8c"),  # two of one suit
        ("7c 6c 7d Td double 8c", 10_000, "8c"),
        ("7c 6c 7d Td hit Kh", 10_000, "Kh"),  # two sevens, and a bust
        ("7c 6c 7d Td split 7h 9c", 100_000, "7h"),  # the first card after a split
        ("7c 6c 7d Td split 9c 7h", 10_000, "9c"),
        ("7c 6c 7d Td stand 7h", 100_000, "7h"),  # dealt for the wager alone
        ("7c Kc 7d Ad 7h", 100_000, "7h"),  # so it is before the dealer's blackjack takes the hand
    ],
)
def test_it_is_settled_as_soon_as_it_is_decided(cards: str, won: int, after: str) -> None:
    round_ = played(house("blackjack", SEVENS), cards, ann(1000, SIDE))
    assert settled(round_.events)[0] == won
    assert last_card_before(round_.events) == parse_card(after)


@pytest.mark.clause("SIDE-8")
def test_a_card_for_the_wager_alone_is_in_no_hand_and_is_picked_up() -> None:
    round_ = played(house("blackjack", SEVENS), "7c 6c 7d Td stand 7h 5c", ann(1000, SIDE))
    assert round_.over
    beside = [event for event in round_.events if isinstance(event, ThirdCardDealt)]
    assert beside == [ThirdCardDealt(1, parse_card("7h"))]
    # The hand has 14, and the dealer's 6, 10 and 5 win.
    assert [event.why for event in round_.events if isinstance(event, WagerTaken)] == ["lower total"]
    gone = [card for event in round_.events if isinstance(event, CardsPickedUp) for card in event.cards]
    assert sorted(map(str, gone)) == sorted(["7c", "6c", "7d", "Td", "7h", "5c"])


@pytest.mark.clause("SIDE-8")
def test_a_round_with_such_a_card_is_written_and_read_back() -> None:
    round_ = played(house("blackjack", SEVENS), "7c 6c 7d Td stand 7h 5c", ann(1000, SIDE))
    text = format_round(round_.state)
    assert "dealer: 7h 5c" in text
    state, events = replay(text)
    assert state == round_.state
    assert list(events) == list(round_.events)


@pytest.mark.clause("SIDE-8")
def test_the_dealer_says_what_the_card_is_for() -> None:
    round_ = played(house("blackjack", SEVENS), "7c 6c 7d Td stand", ann(1000, SIDE))
    assert "spot 1, for a side wager" in str(awaits(round_.state))


def test_without_a_wager_no_card_is_dealt_for_it() -> None:
    round_ = played(house("blackjack", SEVENS), "7c 6c 7d Td stand 5c", ann(1000))
    assert round_.over
    assert not any(isinstance(event, ThirdCardDealt) for event in round_.events)


def test_six_decks_by_hand() -> None:
    """Of 312 · 311 · 310 orders: 24 sevens, of each suit 6."""
    rules = house("blackjack", SEVENS)
    figures = side_bet_figures(rules, "super-sevens")
    orders = 312 * 311 * 310
    suited, three = 4 * 6 * 5 * 4, 24 * 23 * 22
    two_suited, two = 24 * 5 * 310, 24 * 23 * 310
    # A pair of one suit that a third seven follows: 24 · 5 · 22 orders.
    assert {one.outcome: one.probability for one in figures.outcomes} == {
        "suited_sevens": Fraction(suited, orders),
        "three_sevens": Fraction(three - suited, orders),
        "two_suited_sevens": Fraction(two_suited - 24 * 5 * 22, orders),
        "two_sevens": Fraction(two - three - (two_suited - 24 * 5 * 22), orders),
        "one_seven": Fraction(24 * 288 * 310, orders),
        "lose": Fraction(288, 312),
    }


def test_the_engine_over_all_orders_of_a_small_shoe() -> None:
    """Whether the player hits or stands, the wager is worth the same, which is what is figured."""
    shoe = CardCounts.parse("7c:2,7d:1,8d:1,6s:1,Ts:2")
    rules = house("blackjack", SEVENS)
    bet = shelf_bet("super-sevens").bet
    figures = side_bet_figures(rules, "super-sevens", shoe=shoe)
    cards = list(shoe.cards())
    ways = Counter(bet.line(*draw) or "lose" for draw in permutations(cards, 3))
    orders = sum(ways.values())
    counted = {one.outcome: one.probability for one in figures.outcomes if one.probability}
    assert counted == {line: Fraction(times, orders) for line, times in ways.items()}
    pays = {name: rules.line_net("super-sevens", name) for name in bet.line_ids}
    for decision in ("hit", "stand"):
        for first, second, third in set(permutations(cards, 3)):
            if not (first.rank is second.rank and first.value == 7):
                continue
            round_ = played(rules, f"{first} 6h {second} 9h {decision} {third}", ann(1000, SIDE))
            line = bet.line(first, second, third)
            assert line is not None
            assert settled(round_.events)[0] == 200 * pays[line]


@pytest.mark.slow
def test_the_kernel_counts_it_as_the_engine_settles_it() -> None:
    """Shoes with many sevens, one spot and two: a third card by a hit, a double, a split, or alone."""
    rules = house("blackjack", SEVENS)
    actions = solve(rules, "basic").strategy.action
    random = np.random.default_rng(16)
    sevens = [card.index for card in CARDS if card.value == 7] * 12
    deck = np.array([*sevens, *(card.index for card in CARDS)], np.uint8)
    shoes = np.array([random.permutation(deck)[:60] for _ in range(300)])
    for spots in (1, 2):
        assert list(disagreements(rules, actions, shoes, spots)) == []


def test_the_tables_of_the_kernel_say_when_the_third_card_decides() -> None:
    rules = house("blackjack", SEVENS)
    tables = side_tables(simulated_sides(rules).values()).machines
    (place,) = (number for number, name in enumerate(simulated_machines(rules)) if name == "super-sevens")
    for first, second in product(CARDS, repeat=2):
        state = tables.take[tables.start[place, first.index, second.index], UP, 0]
        assert tables.is_open[state] == (first.value == 7 and second.value == 7)
        line = tables.line[tables.take[state, THIRD, parse_card("7c").index]]
        assert line == _number(rules.side_bets["super-sevens"].line(first, second, parse_card("7c")))


def simulated_machines(rules: TwentyOneRules) -> list[str]:
    """The bets that are followed card by card, in their order."""
    return [name for name, bet in simulated_sides(rules).items() if bet.on_dealers_hand or bet.on_third_card]


def _number(line: str | None) -> int:
    return lines_of(shelf_bet("super-sevens").bet).index(line or "lose")


def test_a_simulation_refuses_it_beside_the_hole_card() -> None:
    places = ["player_1", "player_3", "dealer_hole"]
    lines = [{"name": "flush", "when": {"same": ["suit"]}, "pays": "15:1"}]
    bet = {"title": "Three", "looks_at": places, "lines": lines}
    with pytest.raises(MalformedInput, match="more of the dealer's than the up card, which no simulation"):
        simulated_sides(house("blackjack", {"side_bets.own": bet}))


def test_more_than_four_single_cards_are_refused() -> None:
    places = ["player_1", "player_2", "player_3", "dealer_up", "dealer_hole"]
    lines = [{"name": "flush", "when": {"same": ["suit"]}, "pays": "50:1"}]
    with pytest.raises(ValueError, match="a bet looks at 4 single cards at most, and this one at 5"):
        SideBet.model_validate({"title": "Five", "looks_at": places, "lines": lines})
