"""The text of a round: people read it, a program replays it, and a changed text is refused."""

from __future__ import annotations

import pytest

from cardroom.core.errors import CardroomError, IllegalAction, MalformedInput
from cardroom.engine.twentyone import (
    Action,
    ChangeWager,
    DeclineInsurance,
    DoubleFaceDown,
    DoubleFor,
    EvenMoney,
    Insure,
    Request,
    RoundRecord,
    SpotWager,
    WagerBetweenPlayers,
    format_round,
    parse_action,
    parse_round,
    replay,
    start,
)
from cardroom.rules.loader import load_rules_as
from cardroom.rules.twentyone import TwentyOneRules
from tests.twentyone import ann, counts, house, played

EDGE = load_rules_as(TwentyOneRules, "players-edge-21", {"decks": 8})
WAGERS = [SpotWager(1, "Ann", 1000, {"match-up": 500, "match-down": 200}), SpotWager(3, 'B "x", y: 1', 2500)]
MOVES = "8h Kc Ad 8s 7c 6h no insure=12.50 split 3c Kd double Jh stand hit 4c 5d"
TEXT = f"""\
game players-edge-21
rules {EDGE.rules_hash}
set decks = 8
meter monster-match-1 12345.67
spot 1 "Ann": 10.00, match-down 2.00, match-up 5.00
spot 3 "B \\"x\\", y: 1": 25.00
deal: 8h Kc Ad | 8s 7c 6h
spot 1: no insurance
spot 3: insure 12.50
spot 1: split 3c Kd
spot 1 hand 1: double Jh
spot 1 hand 2: stand
spot 3: hit 4c
dealer: 5d
"""


def test_a_round_reads_like_this() -> None:
    round_ = played(EDGE, MOVES, WAGERS, meters={"monster-match-1": 1_234_567})
    assert format_round(round_.state) == TEXT
    assert str(RoundRecord.of(round_.state)) == TEXT
    assert replay(TEXT) == (round_.state, round_.events)


@pytest.mark.parametrize("moves", range(len(MOVES.split()) + 1))
def test_an_unfinished_round_has_a_text_too(moves: int) -> None:
    round_ = played(EDGE, " ".join(MOVES.split()[:moves]), WAGERS)
    assert replay(format_round(round_.state)) == (round_.state, round_.events)


def test_a_small_shoe_and_discards_are_part_of_the_text() -> None:
    round_ = played(house("blackjack"), "9h 9d 2s 8c hit 7d", shoe="9h9d2s8c", discards="7c7d")
    text = format_round(round_.state)
    assert "shoe 8c:1,9d:1,9h:1,2s:1\ndiscards 7c:1,7d:1\n" in text
    assert text.endswith("deal: 9h 9d | 2s 8c\nspot 1: hit 7d\n")
    assert replay(text) == (round_.state, round_.events)


def test_an_empty_shoe() -> None:
    state, events = start(house("blackjack"), ann(), counts(""))
    assert "shoe empty\n" in format_round(state)
    assert replay(format_round(state)) == (state, events)


def test_space_around_lines_does_not_matter() -> None:
    loose = "\n\n".join(f"  {line}  " for line in TEXT.splitlines())
    assert parse_round(loose) == parse_round(TEXT)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("game players-edge-21\n", "", "begins with its 'game'"),
        ("game players-edge-21", "game baccarat", "unknown game"),
        ("set decks = 8", "set decks = 6", "make rules"),
        ("set decks = 8", "set decks 8", "write it like: set decks = 8"),
        ("set decks = 8", "set decks = eight", "write it like: set decks = 8"),
        ('"Ann": 10.00', '"Ann": ten', "not an amount of money"),
        ("match-up 5.00", "match-up 5.00, match-up 5.00", "twice"),
        ("meter monster-match-1", "meter monster-match-7", "no meter"),
        ("deal: 8h", "deal: 8x", "not clear"),
        ("spot 1: no insurance", "spot 2: no insurance", "out of place"),
        ("spot 1: no insurance", "spot 1: maybe", "not clear"),
        ("hand 1: double", "hand 2: double", "out of place"),
        ("dealer: 5d", "spot 3: 5d", "out of place"),
        ("spot 1: split", "spots 1: split", "not a line of a round"),
        ("deal: 8h Kc Ad | 8s", "deal: 8h Kc Ad 8s |", "out of place"),
    ],
)
def test_a_text_that_was_changed_is_refused(old: str, new: str, words: str) -> None:
    assert old in TEXT
    with pytest.raises(CardroomError, match=words) as error:
        parse_round(TEXT.replace(old, new))
    assert "\n" not in str(error.value)


def test_a_text_with_an_illegal_move_is_refused_with_its_clause() -> None:
    with pytest.raises(IllegalAction) as error:
        parse_round(TEXT.replace("spot 3: hit 4c", "spot 3: split 4c 5c"))
    assert error.value.clause == "21-1.6"
    with pytest.raises(IllegalAction) as error:
        parse_round(TEXT.replace("insure 12.50", "insure 13.00"))
    assert error.value.clause == "PE21-3"


def test_lines_in_another_order_are_refused() -> None:
    lines = TEXT.splitlines()
    swapped = "\n".join([*lines[:4], lines[5], lines[4], *lines[6:]])
    with pytest.raises(MalformedInput, match="out of place"):
        parse_round(swapped)


@pytest.mark.parametrize(
    "action",
    [
        *Action,
        Insure(1250),
        DoubleFor(1000),
        DeclineInsurance(),
        EvenMoney(),
        DoubleFaceDown(),
        ChangeWager("21+3", 0),
        WagerBetweenPlayers("Cid O'Dea", 250),
    ],
    ids=str,
)
def test_actions_have_the_text_that_is_read(action: Request) -> None:
    assert parse_action(str(action)) == action
