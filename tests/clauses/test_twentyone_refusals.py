"""Wrong input at the table is refused with its clause, and nothing moves."""

from __future__ import annotations

import pytest

from cardroom.core.errors import IllegalAction, MalformedInput
from cardroom.engine.twentyone import (
    Action,
    ChangeWager,
    DeclineInsurance,
    DoubleFaceDown,
    DoubleFor,
    EvenMoney,
    Input,
    Insure,
    SpotWager,
    WagerBetweenPlayers,
    start,
    step,
    view,
    why_not,
    why_not_start,
)
from cardroom.rules.loader import load_rules_as
from cardroom.rules.twentyone import TwentyOneRules
from tests.twentyone import ann, card, house, played

CARD_ROOM = load_rules_as(TwentyOneRules, "blackjack")
EDGE = load_rules_as(TwentyOneRules, "players-edge-21")


@pytest.mark.parametrize(
    ("wagers", "clause", "words"),
    [
        ([], "21-1.3", "at least one wager"),
        (ann(500), "PROC-2", "$4.00 only"),
        (ann(0), "PROC-2", "$0.00 is off the limits"),
        (ann(-400), "PROC-2", "-$4.00"),
        (ann(400, {"21+3": 100}), "SIDE-5", "$2.00 to $4.00"),
        (ann(400, {"21+3": 500}), "SIDE-5", "$2.00 to $4.00"),
        (ann(400, {"match-up": 200}), "BJ-7", "on offer: 21+3, match-the-dealer"),
        ([SpotWager(0, "Ann", 400)], "PROC-3", "the spots are 1 to 7"),
        ([SpotWager(8, "Ann", 400)], "PROC-3", "the spots are 1 to 7"),
        ([SpotWager(1, "Ann", 400), SpotWager(1, "Bob", 400)], "PROC-3", "spot 1 is played by Ann"),
        ([SpotWager(1, "Ann", 400), SpotWager(1, "Ann", 400)], "PROC-9", "given twice"),
        ([SpotWager(1, " ", 400)], "PROC-3", "not a player's name"),
        ([SpotWager(1, "A\nB", 400)], "PROC-3", "not a player's name"),
    ],
)
def test_wagers_of_the_card_room(wagers: list[SpotWager], clause: str, words: str) -> None:
    refusal = why_not_start(CARD_ROOM, wagers)
    assert refusal is not None
    assert refusal.clause == clause
    assert words in refusal.reason
    with pytest.raises(IllegalAction, match=clause):
        start(CARD_ROOM, wagers)


@pytest.mark.parametrize(
    ("side", "clause", "words"),
    [
        ({"match-down": 500}, "SIDE-3", "Match Down needs Match Up on the same hand"),
        ({"match-up": 1100}, "SIDE-3", "more than the primary wager of $10.00"),
        ({"match-up": 50}, "SIDE-3", "off the limits: $1.00 to $500.00"),
        ({"match-up": 150}, "21-1.14", "whole chips of $1.00"),
        ({"monster-match-1": 500}, "SIDE-4", "not its stake of $1.00"),
        ({"21+3": 200}, "PE21-11", "not on offer"),
    ],
)
def test_side_wagers_of_players_edge(side: dict[str, int], clause: str, words: str) -> None:
    refusal = why_not_start(EDGE, ann(1000, side))
    assert refusal is not None
    assert (refusal.clause, words in refusal.reason) == (clause, True), refusal


REFUSED: list[tuple[str, str, Input, str]] = [
    # before and during the deal
    ("blackjack", "", Action.HIT, "21-1.5"),
    ("blackjack", "9h 8d", Action.STAND, "21-1.5"),
    ("blackjack", "9h 8d", Insure(200), "21-1.5"),
    ("spanish-21", "", card("Th"), "S21-1"),
    # insurance
    ("blackjack", "9h Ad 8s 7c", Insure(600), "21-1.7"),
    ("players-edge-21", "9h Ad 8s 7c", Insure(600), "PE21-3"),
    ("blackjack", "9h Ad 8s 7c", Insure(-100), "21-1.7"),
    ("blackjack", "9h Ad 8s 7c", EvenMoney(), "BJ-2"),
    ("spanish-21", "9h Ad 8s 7c", EvenMoney(), "S21-2"),
    ("players-edge-21", "Ah Ad Ks 7c", EvenMoney(), "PE21-4"),
    ("blackjack", "9h Ad 8s 7c", Action.HIT, "PROC-10"),
    ("blackjack", "9h Ad 8s 7c", DoubleFor(1000), "PROC-10"),
    ("blackjack", "9h Ad 8s 7c", card("2c"), "21-1.5"),
    # play
    ("blackjack", "9h 6d 8s 7c", card("2c"), "21-1.5"),
    ("blackjack", "9h 6d 8s 7c", Insure(100), "PROC-10"),
    ("blackjack", "9h 6d 8s 7c", DeclineInsurance(), "PROC-10"),
    ("blackjack", "9h 6d 8s 7c", EvenMoney(), "PROC-10"),
    ("blackjack", "9h 6d 8s 7c", Action.SPLIT, "21-1.6"),
    ("blackjack", "9h 6d 8s 7c", Action.SURRENDER, "BJ-5"),
    ("blackjack", "9h 6d 8s 7c", Action.RESCUE, "S21-8"),
    ("blackjack", "9h 6d 8s 7c", DoubleFor(500), "BJ-3"),
    ("spanish-21", "9h 6d 8s 7c", DoubleFor(500), "S21-7"),
    ("players-edge-21", "9h 6d 8s 7c", DoubleFor(500), "PE21-8.2"),
    ("blackjack", "2h 6d 3s 7c hit 4c", DoubleFor(1000), "BJ-3"),
    ("blackjack", "9h 6d 8s 7c", DoubleFaceDown(), "S21-6"),
    ("blackjack", "9h 6d 8s 7c", ChangeWager("primary", 2000), "PROC-9"),
    ("blackjack", "9h 6d 8s 7c", WagerBetweenPlayers("Bob", 100), "PE21-15"),
    # when it is over
    ("blackjack", "Kh 7d 9s Kc stand", Action.HIT, "21-1.10"),
    ("blackjack", "Kh 7d 9s Kc stand", card("2c"), "21-1.10"),
    ("blackjack", "Kh 7d 9s Kc stand", Insure(100), "21-1.10"),
]


@pytest.mark.parametrize(("game", "moves", "asked", "clause"), REFUSED)
def test_requests_out_of_order(game: str, moves: str, asked: Input, clause: str) -> None:
    round_ = played(house(game), moves)
    before = repr(round_.state)
    assert round_.refusal(asked).clause == clause
    with pytest.raises(IllegalAction) as error:
        step(round_.state, asked)
    assert error.value.clause == clause
    assert "\n" not in str(error.value)
    assert repr(round_.state) == before


def test_meters_and_seats_that_are_not_there() -> None:
    with pytest.raises(MalformedInput, match="its meters: monster-match-1, monster-match-5"):
        start(EDGE, ann(), meters={"monster-match-2": 100})
    with pytest.raises(MalformedInput, match="no meter of this table"):
        start(EDGE, ann(), meters={"monster-match-1": -1})
    with pytest.raises(MalformedInput, match="its spots are 1 to 7"):
        view(start(EDGE, ann())[0], 8)


def test_a_refusal_is_no_promise_and_no_step() -> None:
    round_ = played(CARD_ROOM, "9h 6d 8s 7c", ann(400))
    assert why_not(round_.state, Action.SPLIT) is not None
    assert why_not(round_.state, Action.HIT) is None
    assert round_.turn == (1, 1)
