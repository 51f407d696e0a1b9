"""Signs of counting in recorded rounds: a counter among others, and plays by hand-laid cards."""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from cardroom.core.cards import CARDS, Card, parse_cards
from cardroom.core.decks import CardCounts
from cardroom.engine import twentyone as engine
from cardroom.lab.counting_signs import TableRound, counting_signs, true_count
from cardroom.lab.player_signs import Contrast, Done, Going, PlayerSigns
from cardroom.protect.counts import find_count
from cardroom.protect.shoes import values
from cardroom.records.tables import TwentyOneRoundEnded
from cardroom.rules import load_rules
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.rules.twentyone.law import Action
from tests.command_line import CommandLine
from tests.golden_house import GoldenSet

HI_LO = find_count("hi-lo")


@pytest.fixture(scope="module")
def rules() -> TwentyOneRules:
    return load_rules("blackjack", {"decks": 2, "limits.max": "100.00", "dealer_hits_soft_17": False})


def played(
    rules: TwentyOneRules,
    wagers: dict[str, int],
    order: list[Card],
    used: int,
    bets: dict[str, dict[str, int]] | None = None,
) -> engine.Round:
    """A round from an order of cards; everybody stands from 12 on."""
    spots = [
        engine.SpotWager(place, name, cents, (bets or {}).get(name, {}))
        for place, (name, cents) in enumerate(wagers.items(), 1)
    ]
    left, gone = CardCounts.of_cards(order[used:]), CardCounts.of_cards(order[:used])
    state, _ = engine.start(rules, spots, left, discards=gone)
    cards = iter(order[used:])
    while not isinstance(awaited := engine.awaits(state), engine.Done):
        if isinstance(awaited, engine.CardAwaited):
            state, _ = engine.step(state, next(cards))
        elif engine.DeclineInsurance() in awaited.options:
            state, _ = engine.step(state, engine.DeclineInsurance())
        else:
            state, _ = engine.step(state, Action.STAND)
    return state


def table_round(rules: TwentyOneRules, state: engine.Round, shoe: int) -> TableRound:
    names = {spot.player: f"id of {spot.player}" for spot in state.spots}
    return TableRound("linden", shoe, engine.format_round(state), rules, names)


def test_a_counter_is_told_from_others(rules: TwentyOneRules) -> None:
    """One wagers by the count, one always the same, one at random: eight shoes of ten rounds."""
    random = np.random.default_rng(4)
    rounds = []
    for shoe in range(8):
        order = [CARDS[index] for index in random.permutation([card.index for card in rules.shoe().cards()])]
        used = 1
        for _ in range(7):
            seen = CardCounts.of_cards(order[used:])
            opening = engine.Opening(rules, (), seen, CardCounts.of_cards(order[:used]), ())
            count = true_count(opening, HI_LO)
            wagers = {
                "counter": 4_00 + 8_00 * max(0, math.floor(count)),
                "flat": 8_00,
                "random": 4_00 * int(random.integers(1, 6)),
            }
            state = played(rules, wagers, order, used)
            rounds.append(table_round(rules, state, shoe))
            used += sum(isinstance(entry, Card) for entry in state.inputs)
    found = {one.name: one for one in counting_signs(rounds)}
    assert found["counter"].hint
    assert (found["counter"].rounds, found["counter"].shoes) == (56, 8)
    assert found["counter"].player == "id of counter"
    assert found["counter"].signs[0] == "the wager"
    assert found["flat"].wager is None
    assert not found["flat"].hint
    assert "the wager" not in found["random"].signs
    assert found["random"].wager is not None
    assert (
        found["random"].wager.error >= 0.1
    )  # of 56 rounds no less can be known: 1 over the root of 55 is 0.13


def test_the_count_before_a_round_by_hand(rules: TwentyOneRules) -> None:
    """Four low cards gone of two decks: +4 over 100/52 decks."""
    gone = parse_cards("2c3c4c5c")
    opening = engine.Opening(rules, (), rules.shoe().without(gone), CardCounts.of_cards(gone), ())
    assert true_count(opening, HI_LO) == pytest.approx(4 / (100 / 52))


def sixteen(rules: TwentyOneRules, gone: str, action: Action) -> TableRound:
    """16 against a ten, with some cards gone before."""
    cards_gone = parse_cards(gone)
    left = rules.shoe().without(cards_gone)
    spots = [engine.SpotWager(1, "one", 4_00, {})]
    state, _ = engine.start(rules, spots, left, discards=CardCounts.of_cards(cards_gone))
    for card in parse_cards("Tc Td 6c 9d"):
        state, _ = engine.step(state, card)
    state, _ = engine.step(state, action)
    cards = iter(parse_cards("2s Ts Th"))
    while not isinstance(awaited := engine.awaits(state), engine.Done):
        card_awaited = isinstance(awaited, engine.CardAwaited)
        state, _ = engine.step(state, next(cards) if card_awaited else Action.STAND)
    return table_round(rules, state, 1)


LOW = "2c3c4c5c2d3d4d5d2h3h4h5h"
HIGH = "AcAdAhTsJcJdJhJsQcQdQhQs"


@pytest.mark.parametrize(
    ("gone", "action", "there", "elsewhere"),
    [
        (LOW, Action.STAND, Done(1, 1), Done()),
        (LOW, Action.HIT, Done(0, 1), Done()),
        (HIGH, Action.STAND, Done(), Done(1, 1)),
        (HIGH, Action.HIT, Done(), Done(0, 1)),
    ],
)
def test_plays_by_the_count(
    rules: TwentyOneRules, gone: str, action: Action, there: Done, elsewhere: Done
) -> None:
    """16 against a ten: with low cards gone the count says stand, basic strategy says hit."""
    (found,) = counting_signs([sixteen(rules, gone, action)])
    assert found.play == Contrast(there, elsewhere)
    assert found.wager is None  # one round says nothing


def test_who_always_deviates_does_not_go_by_the_count(rules: TwentyOneRules) -> None:
    """Ten times each: one stands on every 16, one only where the count asks for it."""
    both = [sixteen(rules, gone, Action.STAND) for gone in (LOW, HIGH)]
    (always,) = counting_signs(both * 10)
    assert (always.play.difference, always.hint) == (0, False)
    (counter,) = counting_signs([both[0], sixteen(rules, HIGH, Action.HIT)] * 10)
    assert counter.play.difference == 1
    assert counter.play.error == pytest.approx(math.hypot(1 / 11, 1 / 11))
    assert counter.signs == ["the play"]
    assert "10 of 10 (100 % ± 9 %) where the count asks for it" in counter.details[0]
    assert "0 of 10 (0 % ± 9 %) where it does not" in counter.details[0]


def test_insurance_by_the_count(rules: TwentyOneRules) -> None:
    """An ace against a hand that is no blackjack; insurance is taken where the low cards are gone only."""
    rounds = []
    for gone, answer in ((LOW, engine.Insure(2_00)), (HIGH, engine.DeclineInsurance())):
        cards_gone = parse_cards(gone)
        spots = [engine.SpotWager(1, "one", 4_00, {})]
        left = rules.shoe().without(cards_gone)
        state, _ = engine.start(rules, spots, left, discards=CardCounts.of_cards(cards_gone))
        for card in parse_cards("Kc As 9c 7d"):
            state, _ = engine.step(state, card)
        assert engine.DeclineInsurance() in state.options
        state, _ = engine.step(state, answer)
        while not isinstance(awaited := engine.awaits(state), engine.Done):
            state, _ = engine.step(
                state, parse_cards("Ks")[0] if isinstance(awaited, engine.CardAwaited) else Action.STAND
            )
        rounds.append(table_round(rules, state, 1))
    (found,) = counting_signs(rounds * 8)
    assert found.insurance == Contrast(Done(8, 8), Done(0, 8))
    assert found.signs == ["insurance"]
    assert found.words == "insurance goes with the count: worth a look, no proof"


def test_sitting_out_and_side_bets_by_the_count(rules: TwentyOneRules) -> None:
    """One is in the round only where the count is high; one stakes on 21+3 only where it is worth more."""
    random = np.random.default_rng(11)
    shoe_cards = [card.index for card in rules.shoe().cards()]
    (usual,) = values(rules, [rules.shoe()], "21+3")
    rounds = []
    for shoe in range(6):
        order = [CARDS[index] for index in random.permutation(shoe_cards)]
        used = 1
        for _ in range(7):
            left, gone = CardCounts.of_cards(order[used:]), CardCounts.of_cards(order[:used])
            count = true_count(engine.Opening(rules, (), left, gone, ()), HI_LO)
            (worth,) = values(rules, [left], "21+3")
            wagers = {"always": 8_00, "watcher": 8_00} | ({"comes and goes": 8_00} if count > 0 else {})
            bets = {"watcher": {"21+3": 4_00}} if worth > usual else {}
            state = played(rules, wagers, order, used, bets)
            rounds.append(table_round(rules, state, shoe))
            used += sum(isinstance(entry, Card) for entry in state.inputs)
    found = {one.name: one for one in counting_signs(rounds)}
    assert found["always"].presence is None
    assert "being in the round" in found["comes and goes"].signs
    ((title, stake),) = found["watcher"].side_bets
    assert title == "21+3"
    assert stake.hint
    assert f"the stake on {title}" in found["watcher"].signs
    assert found["always"].side_bets == ()


def test_errors_are_never_less_than_one_decision() -> None:
    signs = PlayerSigns("id", "one", 50, 6, Going(0.5, 0.1), Contrast(Done(4, 4)))
    assert signs.play.there.share == 1
    assert signs.play.there.error == pytest.approx(1 / 5)
    assert signs.signs == ["the wager"]
    assert "no proof" in signs.words
    told = signs.to_json()
    assert (told["hint"], told["index_plays"], told["basic_plays"]) == (True, 4, 0)
    assert told["index_share_standard_error"] == pytest.approx(1 / 5)


@pytest.mark.slow
def test_the_command_on_the_log_of_a_house(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The evening that 0.2.0 wrote down: every player of it, too few rounds for any sign."""
    golden = GoldenSet("0.2.0")
    url = golden.sqlite(tmp_path)
    ended = [record.read()[0] for record in golden.log() if record.kind == TwentyOneRoundEnded.__name__]
    rounds = Counter(
        player for one in ended if isinstance(one, TwentyOneRoundEnded) for player in one.players.values()
    )
    cardroom = CommandLine(monkeypatch, capsys)
    found = cardroom("protect", "--log", url, "--json").json
    assert {one["player"]: one["rounds"] for one in found["players"]} == rounds
    assert not any(one["hint"] for one in found["players"])
    text = cardroom("protect", "--log", url).out
    for one in found["players"]:
        assert one["name"] in text
    assert "A hint is no verdict." in text
    missing = cardroom.refused("protect", "--log", f"sqlite:///{tmp_path}/none.sqlite3")
    assert missing.startswith("there is no database")
