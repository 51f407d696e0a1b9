"""Solved strategies as charts with their close cells marked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardroom.lab.charts import StrategyChart, strategy_chart
from cardroom.rules.twentyone.strategy import UP_COLUMNS, Row

if TYPE_CHECKING:
    from cardroom.exact.twentyone import Solution


def chart_of(solution: Solution) -> StrategyChart:
    """The chart of a solution; a cell is close where a hand of its row has two choices almost alike."""
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

    return strategy_chart(chart, f"{solution.rules.title}: {solution.strategy_name} strategy", is_close)
