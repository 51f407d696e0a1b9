"""Strategies as charts: written, read back, and refused where they are silent or speak of something else."""

from __future__ import annotations

import numpy as np
import pytest

from cardroom.core.cards import parse_cards
from cardroom.core.errors import MalformedInput
from cardroom.exact.twentyone import solve
from cardroom.lab.published_charts import SIX_DECKS_S17
from cardroom.rules.twentyone.automaton import Automaton, compile_hands
from cardroom.rules.twentyone.law import Action
from cardroom.rules.twentyone.strategy import Chart, Row
from tests.twentyone import GAMES, house


def six_decks() -> Automaton:
    return compile_hands(house("blackjack", {"dealer_hits_soft_17": False}))


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


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (changed("hard 12", ""), "the chart says nothing of hard 12"),
        (changed("pair 8", ""), "the chart says nothing of pair 8"),
        (changed("hard 12", "hard 12,H,H,S,S,,H,H,H,H,H"), "the row hard 12 has 9 cells; 10 are needed"),
        (changed("hard 12", "hard 12,H,H,S,S,S,H,H,H,H,Z"), "'Z' in cell 'Z' is not an action"),
        (changed("hard 12", "twelve,H,H,S,S,S,H,H,H,H,H"), "'twelve' is not a hand of a chart"),
        (
            SIX_DECKS_S17.replace("# blackjack", "# spanish-21"),
            "the chart is for spanish-21, not for blackjack",
        ),
        (SIX_DECKS_S17.replace("hand,2,", "hand,B,"), "the first line of a chart names its columns"),
        ("game = 3", 'a chart in TOML has game = "…"'),
        ("game = [", "neither CSV nor valid TOML"),
        ("#\nhand", "a chart starts with a line that names its game"),
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


def test_a_pair_is_split_whatever_its_suits() -> None:
    rules = house("players-edge-21")
    base = solve(rules, "basic").strategy.chart()
    by_suit = Row("pair 7", ("H",) * 10, bonus="7-7 suited")
    chart = Chart(base.game, "by suits", (*base.rows, by_suit))
    with pytest.raises(MalformedInput, match="splits a pair of 7 by suits"):
        solve(rules, chart.strategy(compile_hands(rules)))
