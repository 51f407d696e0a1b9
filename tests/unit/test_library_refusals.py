"""What the library refuses, in its own words: other kinds of arguments, and what a game has no use for."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import cardroom as cr

untyped: Any = cr
"""For what the types would not let through."""
BLACKJACK, LAYOUT, LOTTERY = (untyped.Game(game) for game in ("blackjack", "knockout-52", "knockout-21"))


@pytest.fixture(scope="module")
def chart() -> cr.Chart:
    return cr.Game("blackjack", decks=1).strategy()


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda: untyped.Game("blackjack", {1: 2}), "{1: 2} are not options"),
        (lambda: untyped.Game("blackjack", 5), "5 are not options"),
        (lambda: untyped.Game("blackjack").changed(5), "5 are not options"),
        (lambda: untyped.load_rules(5), "not of 5"),
        (lambda: untyped.load_rules("blackjack", 5), "5 are not options"),
        (lambda: untyped.compare("blackjack", 5), "5 are not options"),
        (lambda: untyped.compare(5, decks=[1]), "the game 5 is not a text"),
        (lambda: BLACKJACK.edge(shoe=5), "the shoe 5 is not a text"),
        (lambda: BLACKJACK.hand(16, 10), "the hand 16 is not a text"),
        (lambda: BLACKJACK.hand("T6", "T", seen=5), "what is seen 5 is not a text"),
        (lambda: BLACKJACK.counter(1000, ramp={1: 2, "a": 3}), "a count of 'a' is not a whole number"),
        (lambda: BLACKJACK.counter(1000, ramp={1: 2.5}), "units of 2.5 is not a whole number"),
        (lambda: BLACKJACK.counter(1000, ramp=[1, 2]), "[1, 2] is not a ramp"),
        (lambda: BLACKJACK.counter(1000, 5), "the count 5 is not a text"),
        (lambda: BLACKJACK.counter(1000, deviations=5), "the deviations 5 is not a text"),
        (lambda: BLACKJACK.counter(1000, sides=[1]), "a side bet 1 is not a text"),
        (lambda: BLACKJACK.counter(1000, spots="x"), "spots 'x' is not a whole number"),
        (lambda: BLACKJACK.counter(1000, cover="x"), "cover of 'x' is not a whole number"),
        (lambda: BLACKJACK.counter(1000, cut_cards="x"), "a cut of 'x' is not a whole number"),
        (lambda: BLACKJACK.counter(1000, workers="x"), "'x' workers are not possible"),
        (lambda: BLACKJACK.team(1000, ["count=hi-lo"], workers="x"), "'x' workers are not possible"),
        (lambda: BLACKJACK.team(1000, ["count=hi-lo"], progress="x"), "progress"),
        (lambda: BLACKJACK.counter(1000, backend="gpu"), "they are cpu, cuda and dask"),
        (lambda: BLACKJACK.simulate(1000, workers=0), "0 workers are not possible"),
        (lambda: BLACKJACK.simulate(1000, cut_cards=312), "leave none of 312 to deal"),
        (lambda: LOTTERY.returns(None), "None tickets are not possible"),
        (lambda: LOTTERY.odds(tickets=0), "0 tickets are not possible"),
        (lambda: LOTTERY.returns([]), "tickets are not possible"),
        (
            lambda: BLACKJACK.simulate(1000, side_bets="no"),
            "side_bets 'no' is not possible; allowed: True or False",
        ),
        (lambda: BLACKJACK.simulate(1000, progress=5), "progress 5 is not a function"),
        (lambda: BLACKJACK.simulate(1000, backend=[]), "the backend [] is not a text"),
        (lambda: BLACKJACK.counter(1000, ramp={}), "{} is not a ramp"),
        (lambda: BLACKJACK.counter(1000, sides=5), "a side bet 5 is not a text"),
        (lambda: BLACKJACK.counter(1000, running="x"), "running 'x' is not possible"),
        (lambda: BLACKJACK.counter(1000, decks_known=[]), "decks_known [] is not a text"),
        (lambda: BLACKJACK.edge(wager=[4]), "[4] is no amount"),
        (lambda: BLACKJACK.edge(wager=float("nan")), "nan is no amount"),
        (lambda: BLACKJACK.edge(lambda hand: "stand"), "<lambda> is not called with two"),
        (lambda: BLACKJACK.table().play(lambda: "stand"), "<lambda> is not called with two"),
        (lambda: BLACKJACK.edge("a\0b"), "cannot be the name of a file"),
        (lambda: untyped.Game("a\0b.toml"), "cannot be the name of a file"),
        (lambda: untyped.verify("a\0b"), "cannot be the name of a file"),
        (lambda: LAYOUT.odds()[[]], "the wager [] is not a text"),
        (lambda: untyped.Curve("blackjack")("x", "basic"), "the step 'x' is not a whole number"),
    ],
)
def test_other_kinds_of_arguments(ask: Any, words: str) -> None:
    with pytest.raises(ValueError, match=re.escape(words)) as caught:
        ask()
    assert isinstance(caught.value, cr.CardroomError)


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda: LAYOUT.simulate(1000, "basic"), "Knockout 52 has no strategy; leave strategy='basic' out"),
        (lambda: LAYOUT.simulate(1000, cut_cards=9), "Knockout 52 has no cut cards"),
        (lambda: LAYOUT.odds(tickets=5), "Knockout 52 has no tickets"),
        (lambda: LAYOUT.odds(side_wager=5), "Knockout 52 has no side wager"),
        (lambda: LAYOUT.edge(shoe="A:4"), "Knockout 52 has no shoe"),
        (lambda: LAYOUT.table().play("basic"), "Knockout 52 has no bot"),
        (lambda: LOTTERY.odds("basic"), "Knockout 21 has no strategy"),
        (lambda: LOTTERY.odds(wager=7), "wager 7 is not allowed; a Knockout 21 ticket costs"),
        (lambda: LOTTERY.edge(wager=7), "wager 7 is not allowed"),
        (lambda: BLACKJACK.odds(tickets=5), "Blackjack has no tickets"),
        (lambda: untyped.compare("perfect-pairs", "perfect-pairs-b", decks=[1, 2]), "has no decks"),
    ],
)
def test_arguments_are_not_left_out_in_silence(ask: Any, words: str) -> None:
    with pytest.raises(ValueError, match=re.escape(words)) as caught:
        ask()
    assert isinstance(caught.value, cr.CardroomError)


def test_the_gpu_plays_the_blackjack_family_only() -> None:
    with pytest.raises(RuntimeError, match="not Knockout 52; use the backend cpu"):
        LAYOUT.simulate(1000, backend="cuda")


def test_a_strategy_that_a_kernel_cannot_play_is_not_played_in_part() -> None:
    """Sixteen against a ten is a stand of three cards and a hit of two: a total does not say which."""
    with pytest.raises(ValueError, match=r"the composition strategy cannot be simulated .* use basic"):
        BLACKJACK.simulate(1000, "composition")


def test_names_that_do_not_exist_are_key_errors() -> None:
    table = cr.Rows("t", [{"a": 1}])
    with pytest.raises(KeyError, match="the columns are a"):
        table.column("b")
    with pytest.raises(KeyError, match="known: pandas, polars"):
        table.to_frame("excel")  # type: ignore[arg-type]


def test_rows_are_asked_for_by_number() -> None:
    table = cr.Rows("t", [{"a": 1}, {"a": 2}])
    assert (table[-1], table[:1]) == ({"a": 2}, [{"a": 1}])
    with pytest.raises(IndexError, match="there is no row 2; there are 2, and the first is 0") as caught:
        table[2]
    assert isinstance(caught.value, cr.CardroomError)
    with pytest.raises(TypeError, match="the row 'a' is not a whole number"):
        table["a"]


@pytest.mark.slow
def test_what_a_simulation_brought_is_asked_for_in_words_and_levels() -> None:
    brought = LAYOUT.simulate(1000)
    with pytest.raises(ValueError, match="the level 2 is not possible; allowed: a number between 0 and 1"):
        brought.interval(2)
    with pytest.raises(TypeError, match=r"the wager \[\] is not a text; write it like 'round-1'"):
        brought.wager([])


def test_a_counter_is_refused_before_anything_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "cardroom.protect.counting.Counter.seat",
        lambda *_, **__: lambda *_: pytest.fail("it played before it looked at what it was given"),
    )
    with pytest.raises(ValueError, match="'x' workers are not possible"):
        BLACKJACK.counter(1000, workers="x")


@pytest.mark.slow
@pytest.mark.parametrize("write", ["to_csv", "to_html"])
def test_a_file_that_cannot_be_written(chart: cr.Chart, write: str, tmp_path: Path) -> None:
    nowhere = tmp_path / "no" / "chart"
    with pytest.raises(OSError, match=r"cannot write .*chart: No such file or directory") as caught:
        getattr(chart, write)(nowhere)
    assert isinstance(caught.value, cr.CardroomError)
    assert isinstance(caught.value, ValueError)


def test_a_record_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="cannot read"):
        cr.verify(tmp_path / "evening.jsonl")


def test_suits_need_not_be_written(chart: cr.Chart) -> None:
    """The chart reads hands as `hand` does: ranks alone, spaces, `10`."""
    assert chart.action("T6", "T") == chart.action("Tc 6d", "Th") == chart.action("10 6", "10")
    assert chart.action("8 8", "6") == chart.action("8c8d", "6h") == "split"
    assert chart.action("T T", "6") == chart.action("Kc Kd", "6h") == "stand"
    assert chart.action("T 6", "Tc") == chart.action("Td 6c", "Tc"), "of one deck, in which there is one Tc"
    with pytest.raises(ValueError, match="'X' is not a card"):
        chart.action("T6", "X")


def test_a_hand_is_shown_as_it_was_written() -> None:
    hand = cr.Game("blackjack", decks=1).hand("10 6", " 10 ")
    assert (hand.cards, hand.up) == ("10 6", "10")
    assert repr(hand).startswith("<10 6 (hard 16) against 10: ")


def test_seen_cards_need_no_suits() -> None:
    """Of four fives three are gone, whichever they are: the suits of a single deck play no part."""
    game = cr.Game("blackjack", decks=1)
    values = game.hand("Tc 6d", "Th", seen="5 5 5").values
    assert values == game.hand("Tc 6d", "Th", seen="5c 5d 5h").values


@pytest.mark.parametrize(("cards", "up"), [("Tc 6d", "K"), ("J 6", "10h")])
def test_a_spanish_deck_has_no_tens(cards: str, up: str) -> None:
    with pytest.raises(ValueError, match="a Spanish deck has no tens; write J, Q or K"):
        cr.Game("spanish-21").hand(cards, up)
    assert cr.Game("spanish-21").hand("T 6", "T").total == "hard 16"


def test_refusals_speak_no_command_line() -> None:
    with pytest.raises(ValueError, match="the dealer shows one card, the up card; 'TT' was given") as caught:
        BLACKJACK.hand("T6", "TT")
    assert "--" not in str(caught.value)
