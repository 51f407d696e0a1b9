"""Strategies as charts: written, read back, and refused where they are silent or speak of something else."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from cardroom.core.cards import parse_cards
from cardroom.core.errors import MalformedInput
from cardroom.exact.twentyone import parse_shoe, solve
from cardroom.lab.published.charts import SIX_DECKS_S17
from cardroom.model.twentyone.automaton import Automaton, compile_hands
from cardroom.model.twentyone.strategy import Chart, Row
from cardroom.rules.twentyone.law import Action
from tests.twentyone import GAMES, house


def six_decks() -> Automaton:
    return compile_hands(house("blackjack", {"dealer_hits_soft_17": False}))


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_a_chart_reads_back_what_it_writes(game: str) -> None:
    best = solve(house(game), "basic").strategy
    chart = best.chart()
    for text in (chart.csv(), chart.toml()):
        again = Chart.parse(text)
        assert again == chart
        assert np.array_equal(again.strategy(best.automaton).action, best.action)


def test_cells_are_preferences() -> None:
    table = six_decks()
    strategy = Chart.parse(SIX_DECKS_S17).strategy(table)
    assert strategy.choose(table.state_of(parse_cards("5c6d")), 6) is Action.DOUBLE
    assert strategy.choose(table.state_of(parse_cards("2c3d6d")), 6) is Action.HIT
    assert strategy.choose(table.state_of(parse_cards("Ac7d")), 3) is Action.DOUBLE
    assert strategy.choose(table.state_of(parse_cards("Ac2d5c")), 3) is Action.STAND
    assert strategy.choose(table.state_of(parse_cards("8c8d")), 10) is Action.SPLIT
    assert strategy.choose(int(table.unpaired[table.state_of(parse_cards("8c8d"))]), 10) is Action.HIT
    assert strategy.choose(table.state_of(parse_cards("AcKd")), 10) is None


def changed(row: str, text: str) -> str:
    """The chart with one line replaced, or left out."""
    lines = SIX_DECKS_S17.splitlines()
    return "\n".join(
        text if line.startswith(f"{row},") else line
        for line in lines
        if text or not line.startswith(f"{row},")
    )


EVERY_S = ",".join("S" * 10)


def in_toml(cells: str, **more: str) -> str:
    fields = {"hand": "hard 12", "cells": cells, **more}
    return 'game = "blackjack"\n[[row]]\n' + "\n".join(f'{name} = "{text}"' for name, text in fields.items())


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (changed("hard 12", ""), "the chart says nothing of hard 12"),
        (changed("pair 8", ""), "the chart says nothing of pair 8"),
        (
            changed("hard 12", "hard 12,H,H,S,S,,H,H,H,H,H"),
            "hard 12 against 6 is empty; a cell is made of S H D P R",
        ),
        (changed("hard 12", "hard 12,H,H,S,S,S,H,H,H,H"), "hard 12 against A is empty"),
        (changed("hard 12", "hard 12,H,H,S,S,S,H,H,H,H,H,H"), "the row hard 12 has 11 cells; 10 are needed"),
        (
            changed("hard 12", "hard 12,H,H,S,S,Z,H,H,H,H,H"),
            "hard 12 against 6: 'Z' in cell 'Z' is not an action",
        ),
        (changed("hard 12", "hard 12,H,H,S,S,S-,H,H,H,H,H"), "hard 12 against 6: '-' in cell 'S-'"),
        (f"{SIX_DECKS_S17}hard 35,{EVERY_S}", "the row hard 35 is for no hand; hard totals are 4 to 21"),
        (f"{SIX_DECKS_S17}hard 2-8,{EVERY_S}", "the row hard 2-8 is for no hand; hard totals are 4 to 21"),
        (f"{SIX_DECKS_S17}soft 3,{EVERY_S}", "the row soft 3 is for no hand; soft totals are 12 to 21"),
        (changed("hard 4-8", f"hard 8-4,{EVERY_S}"), "the row hard 8-4 runs backwards; write hard 4-8"),
        (
            f"{SIX_DECKS_S17}hard 12,{EVERY_S}",
            "two rows are for hard 12: against 2 one says H, the other S; keep one",
        ),
        (
            f"{SIX_DECKS_S17}hard 16-18,{EVERY_S}",
            "two rows are for hard 16-18, hard 16: against 7 one says H, the other S; keep one",
        ),
        (changed("hard 12", "twelve,H,H,S,S,S,H,H,H,H,H"), "'twelve' is not a hand of a chart"),
        (
            SIX_DECKS_S17.replace("# blackjack", "# spanish-21"),
            "the chart is for spanish-21, not for blackjack",
        ),
        (SIX_DECKS_S17.replace("hand,2,", "hand,B,"), "the first line of a chart names its columns"),
        ("game = 3", 'a chart in TOML has game = "…"'),
        ("game = [", "neither CSV nor valid TOML"),
        ("#\nhand", "a chart starts with a line that names its game"),
        ("", "the chart is empty; a chart is CSV or TOML: a line # GAME NAME, a line hand,2,3"),
        ("\ufeff \r\n\t\n", "the chart is empty"),
        ("# blackjack mine\n", "the chart has no rows; a chart is CSV or TOML"),
        ("# blackjack mine\nhand,2,3,4,5,6,7,8,9,T,A\n", "the chart has no rows"),
        ('game = "blackjack"\nrow = [3]', 'a chart in TOML has game = "…" and a [[row]]'),
        (in_toml(" ".join("S" * 11)), "the row hard 12 has 11 cells; 10 are needed, for 2 3 4 5 6 7 8 9 T A"),
        (in_toml(" ".join("S" * 9)), "the row hard 12 has 9 cells; 10 are needed"),
        (in_toml(" ".join("S" * 10), cards="few"), "'few' is not a number of cards; write 4 or 4+"),
    ],
)
def test_a_chart_that_cannot_be_used_is_refused(text: str, says: str) -> None:
    with pytest.raises(MalformedInput) as refused:
        Chart.parse(text).strategy(six_decks())
    assert says in str(refused.value)


def test_rows_for_more_cards_hold_over_plain_ones() -> None:
    table = compile_hands(house("spanish-21"))
    base = solve(house("spanish-21"), "basic").strategy.chart()
    special = Row("hard 13", ("S",) * 10, cards="5+", after_split="no")
    strategy = Chart(
        base.game, "mine", (*(row for row in base.rows if row.hand != "hard 13" or not row.cards), special)
    ).strategy(table)
    assert strategy.choose(table.state_of(parse_cards("2c2d2h3c4d")), 10) is Action.STAND
    assert strategy.choose(table.state_of(parse_cards("2c4d7h")), 10) is Action.HIT
    with pytest.raises(MalformedInput, match="under these rules 3 or more are alike"):
        Chart("blackjack", "mine", (Row("hard 13", ("S",) * 10, cards="5+"),)).strategy(six_decks())


@pytest.mark.slow
def test_a_pair_is_split_whatever_its_suits() -> None:
    rules = house("players-edge-21")
    base = solve(rules, "basic").strategy.chart()
    by_suit = Row("pair 7", ("H",) * 10, bonus="7-7 suited")
    chart = Chart(base.game, "by suits", (*base.rows, by_suit))
    with pytest.raises(MalformedInput, match="splits a pair of 7 by suits"):
        solve(rules, chart.strategy(compile_hands(rules)))


SURRENDER = {"dealer_hits_soft_17": False, "surrender": "late"}


def cells_of(row: str, cell: str) -> str:
    """The chart with every cell of a row replaced."""
    return changed(row, ",".join([row, *[cell] * 10]))


@pytest.mark.parametrize(
    ("row", "cell", "changes"),
    [
        ("hard 17-21", "P", {}),  # only a pair is split
        ("soft 17", "P", SURRENDER),
        ("hard 12", "R", {}),  # no surrender
        ("pair 8", "R", {}),
        ("hard 12", "PR", {}),
    ],
)
def test_a_cell_that_no_hand_can_play_is_refused(row: str, cell: str, changes: Mapping[str, object]) -> None:
    table = compile_hands(house("blackjack", {"dealer_hits_soft_17": False, **changes}))
    with pytest.raises(MalformedInput) as refused:
        Chart.parse(cells_of(row, cell)).strategy(table)
    assert str(refused.value) == (
        f"{row} against 2: {cell} is possible with no hand of the row under these rules; "
        f"write {cell} followed by S or H, such as {cell}s"
    )


def test_a_surrender_of_hands_that_come_later_only_is_refused() -> None:
    table = compile_hands(house("blackjack", SURRENDER))
    rows = [*Chart.parse(SIX_DECKS_S17).rows, Row("hard 16", ("R",) * 10, cards="3+")]
    with pytest.raises(MalformedInput, match=r"hard 16 \(cards 3\+\) against 2: R is possible with no hand"):
        Chart("blackjack", "mine", tuple(rows)).strategy(table)


@pytest.mark.parametrize(
    ("row", "cell", "changes", "two_cards", "three_cards"),
    [
        ("hard 11", "D", {}, Action.DOUBLE, Action.HIT),
        ("hard 12", "D", {"double.max_doubles": 0}, Action.HIT, Action.HIT),
        ("hard 12", "R", SURRENDER, Action.SURRENDER, Action.HIT),
        ("hard 12", "Rs", SURRENDER, Action.SURRENDER, Action.STAND),
        ("hard 12", "Rs", {}, Action.STAND, Action.STAND),
        ("hard 12", "Rh", {}, Action.HIT, Action.HIT),
        ("hard 12", "Ps", {}, Action.STAND, Action.STAND),
    ],
)
def test_a_cell_falls_back(
    row: str, cell: str, changes: Mapping[str, object], two_cards: Action, three_cards: Action
) -> None:
    table = compile_hands(house("blackjack", {"dealer_hits_soft_17": False, **changes}))
    strategy = Chart.parse(cells_of(row, cell)).strategy(table)
    two, three = {"hard 11": ("6c5d", "2c4d5d"), "hard 12": ("7c5d", "2c4d6d")}[row]
    assert strategy.choose(table.state_of(parse_cards(two)), 7) is two_cards
    assert strategy.choose(table.state_of(parse_cards(three)), 7) is three_cards


def test_a_pair_is_split_in_the_row_of_pairs_alone() -> None:
    table = compile_hands(house("blackjack", {"split.max_hands": 1}))
    strategy = Chart.parse(SIX_DECKS_S17).strategy(table)
    assert strategy.choose(table.state_of(parse_cards("8c8d")), 7) is Action.HIT


def test_the_same_row_twice_is_no_contradiction() -> None:
    twice = Chart.parse(f"{SIX_DECKS_S17}hard 19,{EVERY_S.lower()}\nhard 20,{EVERY_S}").strategy(six_decks())
    assert np.array_equal(twice.action, Chart.parse(SIX_DECKS_S17).strategy(six_decks()).action)


def test_rows_that_differ_in_cards_are_no_contradiction() -> None:
    table, chart = six_decks(), Chart.parse(SIX_DECKS_S17)
    rows = (*chart.rows, Row("hard 12", ("S",) * 10, cards="2"), Row("hard 12", ("H",) * 10, cards="3+"))
    strategy = Chart("blackjack", "mine", rows).strategy(table)
    # Exactly two is more special than two or more.
    assert strategy.choose(table.state_of(parse_cards("3c9d")), 7) is Action.STAND
    assert strategy.choose(table.state_of(parse_cards("3c8dAd")), 5) is Action.HIT
    again = (*rows, Row("hard 12", ("S",) * 10, cards="3+"))
    with pytest.raises(MalformedInput, match=r"two rows are for hard 12 \(cards 3\+\): against 2 one says H"):
        Chart("blackjack", "mine", again).strategy(table)


@pytest.mark.slow
@pytest.mark.parametrize("bonus", ["foo", "7-6", "6-7 pink", "6-9"])
def test_a_bonus_that_is_none_is_refused(bonus: str) -> None:
    base = solve(house("spanish-21"), "basic").strategy.chart()
    rows = (*base.rows, Row("hard 13", ("H",) * 10, bonus=bonus))
    with pytest.raises(MalformedInput) as refused:
        Chart(base.game, "mine", rows).strategy(compile_hands(house("spanish-21")))
    said = str(refused.value)
    assert said.startswith(
        f"'{bonus}' of the row hard 13 is not a bonus in view under these rules; allowed: "
    )
    assert "6-7 mixed, 6-7 spades, 6-7 suited" in said
    with pytest.raises(MalformedInput, match="allowed: none, leave it empty"):
        Chart("blackjack", "mine", (Row("hard 13", ("H",) * 10, bonus=bonus),)).strategy(six_decks())


def test_an_up_card_that_comes_is_not_left_out() -> None:
    rules = house("blackjack")
    chart = Chart.parse(changed("hard 12", "hard 12,H,-,S,S,S,H,H,H,H,H")).strategy(compile_hands(rules))
    with pytest.raises(MalformedInput) as refused:
        solve(rules, chart)
    assert str(refused.value) == (
        "hard 12 against 3 is empty (-), but 3 can come; write what to do, such as H"
    )
    without_threes = parse_shoe("A:8,2:8,4:8,5:8,6:8,7:8,8:8,9:8,T:32")
    assert solve(rules, chart, shoe=without_threes).strategy.chart().rows


def test_the_chart_of_a_small_shoe_is_read_for_that_shoe_alone() -> None:
    rules, shoe = house("blackjack"), parse_shoe("8:8,T:14")
    best = solve(rules, "basic", shoe=shoe, exact=True)
    assert best.table is not None
    text = best.table.chart().csv()
    assert "hard 12,,,,,-,-,-,-,-,-,S,-,S,-" in text
    read = Chart.parse(text).strategy(compile_hands(rules))
    assert solve(rules, read, shoe=shoe, exact=True).expected_value == best.expected_value
    with pytest.raises(MalformedInput, match=r"against A is empty \(-\), but A can come"):
        solve(rules, read)
