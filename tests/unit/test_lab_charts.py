"""Charts as they are shown: rows that are played alike, exceptions, marks."""

from __future__ import annotations

from cardroom.exact.twentyone import solve
from cardroom.lab.charts import SAME, GridRow, chart_html, strategy_chart
from cardroom.lab.strategies import chart_of
from cardroom.model.twentyone.strategy import UP_COLUMNS, Chart, Row
from tests.twentyone import house

STAND, HIT = ("S",) * 10, ("H",) * 10
LATE = ("H", "H", "S", *HIT[3:])
CHART = Chart(
    "spanish-21",
    "made by hand",
    (
        Row("hard 12", HIT),
        Row("hard 13", HIT),
        Row("hard 14", LATE),
        Row("hard 14", HIT, cards="4+"),
        Row("hard 14", STAND, bonus="6-8 mixed"),
        Row("hard 14", STAND, bonus="6-8 spades"),
        Row("hard 14", LATE, after_split="yes"),
        Row("soft 18", STAND),
        Row("pair 8", ("P",) * 10),
        Row("pair 9", ("P",) * 10),
        Row("hard 12", STAND, doubles="1"),
        Row("soft 13", STAND, doubles="1"),
    ),
)


def test_rows_are_arranged() -> None:
    shown = strategy_chart(CHART, "By hand", lambda row, column: row.hand == "hard 14" and column == 2)
    grids = {grid.title.partition(" (")[0]: grid.rows for grid in shown.grids}
    assert [*grids] == [
        "Hard hands",
        "Soft hands",
        "Pairs",
        "After a double",
        "By number of cards",
        "With a bonus in view",
    ]
    assert [row.label for row in grids["Hard hands"]] == ["hard 12-13", "hard 14"]
    assert [row.label for row in grids["Pairs"]] == ["pair 8", "pair 9"]
    assert [row.label for row in grids["After a double"]] == ["hard 12", "soft 13"]
    (many,) = grids["By number of cards"]
    assert many.label == "hard 14, 4+ cards"
    assert many.cells == (SAME, SAME, "H", *[SAME] * 7)
    assert many.shown()[2] == "H*"
    (bonus,) = grids["With a bonus in view"]
    assert bonus.label == "hard 14, 6-8 mixed or spades"
    assert shown.letters == ["S", "H", "P"]


def test_marks_stand_only_on_what_is_shown() -> None:
    row = GridRow("hard 14", ("S", SAME), (True, True))
    assert row.shown() == ["S*", SAME]


def test_rows_that_need_not_be_shown() -> None:
    without = strategy_chart(CHART, "By hand", left_out=frozenset({CHART.rows[-1]}))
    (grid,) = [grid for grid in without.grids if grid.title == "After a double"]
    assert [row.label for row in grid.rows] == ["hard 12"]
    assert len(without.to_json()["rows"]) == len(CHART.rows)


def test_the_page_says_it_without_colour() -> None:
    page = chart_html(strategy_chart(CHART, "A <chart>"))
    assert "<h1>A &lt;chart&gt;</h1>" in page
    assert '<td class="act-P">P</td>' in page
    assert '<th scope="row">pair 8</th>' in page


def test_close_cells_are_marked_where_two_actions_are_within_the_limit() -> None:
    """Hard 16 of five cards against 2 in Spanish 21: hit by less than 0.0005 (see the audit)."""
    solution = solve(house("spanish-21"), "basic")
    shown = chart_of(solution)
    marked = [
        (row.label, column)
        for grid in shown.grids
        for row in grid.rows
        for column, close in enumerate(row.close)
        if close and row.cells[column] != SAME
    ]
    assert ("hard 16, 5+ cards", 0) in marked
    values = solution.state_values(2)
    automaton = solution.solver.automaton
    (state,) = [
        state
        for state, hand in enumerate(automaton.hands)
        if (hand.cards, hand.total, hand.soft, hand.doubles, hand.from_split) == (5, 16, False, 0, False)
    ]
    assert 0 < values[state, 1] - values[state, 0] < 0.0005
    assert UP_COLUMNS[0] == 1
