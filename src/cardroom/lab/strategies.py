"""Solved strategies as charts with their close cells marked."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from cardroom.core.errors import MalformedInput
from cardroom.exact.twentyone import ExactSolution, Solution
from cardroom.lab.charts import OfCell, StrategyChart, strategy_chart
from cardroom.model.twentyone.chart_rows import hand_words
from cardroom.model.twentyone.columns import NO_COLUMN, columns_of
from cardroom.model.twentyone.strategy import Row


def chart_of(solution: Solution | ExactSolution) -> StrategyChart:
    """The chart of a solution; a cell is close where a hand of its row has two choices almost alike.

    A solution in fractions is charted by its table, without marks; the best for each composition has none.
    """
    title = f"{solution.rules.title}: {solution.strategy_name} strategy"
    comes = _dealable(solution)
    if isinstance(solution, ExactSolution):
        if solution.table is None:
            raise MalformedInput("a chart in fractions is of the basic strategy or a given one")
        return strategy_chart(solution.table.chart(), title, comes=comes)
    chart = solution.strategy.chart()
    automaton = solution.solver.automaton
    places = columns_of(solution.rules).places
    rows = chart.rows_of_states(automaton)
    close = {
        (rows[state], column)
        for state, column in solution.close_cells()
        if state in rows and not automaton.hands[state].from_split
    }

    def is_close(row: Row, column: int) -> bool:
        return (row, places[column]) in close

    return strategy_chart(chart, title, is_close, _never_come(solution, rows), comes)


def _dealable(solution: Solution | ExactSolution) -> OfCell:
    """Whether the shoe can deal a hand of a row against an up card: not 2-2-2-2 against a 2 from one deck."""
    solver = solution.solver
    automaton, nodes, shoe = solver.automaton, solver.nodes, solver.shoe
    held = solver.known.counts[nodes.composition]
    cards = held.sum(axis=1)
    kinds: dict[tuple[str, int], list[int]] = {}
    for node, state in enumerate(nodes.state.tolist()):
        hand = automaton.hands[state]
        if cards[node] >= 2:  # the first card alone is no hand
            kinds.setdefault((hand_words(automaton, hand, state), hand.doubles), []).append(node)
    columns = columns_of(solver.rules)
    can = np.zeros((len(cards), len(columns)), bool)
    for seen in solver.chances:
        place = solver.column(seen)
        if place == NO_COLUMN:
            continue
        left = shoe.counts.copy()
        if not shoe.infinite:
            np.subtract.at(left, list(seen.ranks), 1)
        there = (held == 0) | (left > 0) if shoe.infinite else held <= left
        can[:, columns.places.index(place)] |= there.all(axis=1)

    def comes(row: Row, column: int) -> bool:
        some = kinds.get((row.hand, int(row.doubles or 0)), [])
        least = int(row.cards.rstrip("+")) if row.cards and row.after_split != "yes" else 0
        return bool((can[some, column] & (cards[some] >= least)).any())

    return comes


def _never_come(solution: Solution, rows: Mapping[int, Row]) -> frozenset[Row]:
    """Rows of doubled hands that this strategy never comes to, such as hard 4 after a double."""
    come: set[Row] = set()
    for up in solution.up_cards:
        values = solution.state_values(up)
        come |= {
            rows[state] for state in np.flatnonzero(~np.isnan(values).all(axis=1)).tolist() if state in rows
        }
    return frozenset(row for row in rows.values() if row.doubles and row not in come)
