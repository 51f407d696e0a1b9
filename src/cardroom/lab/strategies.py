"""Solved strategies as charts with their close cells marked."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from cardroom.core.errors import MalformedInput
from cardroom.exact.twentyone import ExactSolution, Solution
from cardroom.lab.charts import StrategyChart, strategy_chart
from cardroom.rules.twentyone.strategy import UP_COLUMNS, Chart, Row


def chart_of(solution: Solution | ExactSolution) -> StrategyChart:
    """The chart of a solution; a cell is close where a hand of its row has two choices almost alike.

    A solution in fractions is charted by its table, without marks; the best for each composition has none.
    """
    title = f"{solution.rules.title}: {solution.strategy_name} strategy"
    if isinstance(solution, ExactSolution):
        if solution.table is None:
            raise MalformedInput("a chart in fractions is of the basic strategy or a given one")
        chart = solution.table.chart()
        return strategy_chart(chart, title, left_out=_not_in_the_shoe(solution, chart))
    chart = solution.strategy.chart()
    automaton = solution.solver.automaton
    rows = chart.rows_of_states(automaton)
    close = {
        (rows[state], column)
        for state, column in solution.close_cells()
        if state in rows and not automaton.hands[state].from_split
    }

    def is_close(row: Row, column: int) -> bool:
        return (row, UP_COLUMNS[column]) in close

    return strategy_chart(
        chart, title, is_close, _never_come(solution, rows) | _not_in_the_shoe(solution, chart)
    )


def _not_in_the_shoe(solution: Solution | ExactSolution, chart: Chart) -> frozenset[Row]:
    """Rows of hands that a shoe cannot deal, such as soft hands where there is no ace."""
    solver = solution.solver
    rows = chart.rows_of_states(solver.automaton)
    held = solver.known.counts[solver.nodes.composition]
    there = solver.shoe.counts > 0 if solver.shoe.infinite else held <= solver.shoe.counts
    states = solver.nodes.state[(there | (held == 0)).all(axis=1)]
    come = {(rows[state].hand, rows[state].doubles) for state in states.tolist() if state in rows}
    return frozenset(row for row in chart.rows if (row.hand, row.doubles) not in come)


def _never_come(solution: Solution, rows: Mapping[int, Row]) -> frozenset[Row]:
    """Rows of doubled hands that this strategy never comes to, such as hard 4 after a double."""
    come: set[Row] = set()
    for up in solution.up_cards:
        values = solution.state_values(int(solution.solver.shoe.values[up.rank]))
        come |= {
            rows[state] for state in np.flatnonzero(~np.isnan(values).all(axis=1)).tolist() if state in rows
        }
    return frozenset(row for row in rows.values() if row.doubles and row not in come)
