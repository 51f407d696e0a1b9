"""A strategy to look at: a chart in a notebook, a picture, a file, a data frame."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cardroom.exact.twentyone import Solution
from cardroom.lab.charts import chart_figure, chart_page
from cardroom.lab.hands import hand_values
from cardroom.lab.strategies import chart_of
from cardroom.library import pictures
from cardroom.library.arguments import text, written
from cardroom.library.frames import Library, Rows
from cardroom.library.numbers import Value
from cardroom.model.twentyone.strategy import Strategy
from cardroom.presentation.numbers import percent


class Chart:
    """A strategy with its chart and what it is worth."""

    def __init__(self, solution: Solution) -> None:
        self._solution = solution
        self._chart = chart_of(solution)

    @property
    def name(self) -> str:
        """`basic`, `composition`, or the name of a file or a function."""
        return self._solution.strategy_name

    @property
    def edge(self) -> Value:
        """The house edge of a player who follows it."""
        return Value(-self._solution.expected_value)

    @property
    def table(self) -> Strategy:
        """The strategy as a table, for `simulate` and `evaluate`."""
        return self._solution.strategy

    def action(self, cards: str, up: str) -> str | None:
        """What the strategy does with cards against the dealer's up card, or both where both are seen.

        None where nothing is to be decided.
        """
        from cardroom.lab.hands import some_cards

        texts = text(cards, "the hand", "Tc 6d"), text(up, "the up card", "Th")
        held, against = some_cards(self._solution, *texts)
        chosen = self._solution.best_action(held, against)
        return None if chosen is None else str(chosen)

    def hand(self, cards: str, up: str) -> Any:
        """What every action on a hand is worth when it is played on by this strategy."""
        from cardroom.library.hand import Hand

        return Hand(
            hand_values(self._solution, text(cards, "the hand", "Tc 6d"), text(up, "the up card", "Th"))
        )

    def rows(self) -> Rows:
        """A line for each row of the chart, a column for each up card."""
        rows = [
            {
                "part": grid.title,
                "hand": row.label,
                **dict(zip(grid.heads, row.cells, strict=True)),
            }
            for grid in self._chart.grids
            for row in grid.rows
        ]
        return Rows(self._chart.title, rows)

    def to_frame(self, library: Library | None = None) -> Any:
        """The chart in pandas or polars."""
        return self.rows().to_frame(library)

    def to_csv(self, file: str | Path | None = None) -> str:
        """The chart as a file that `strategy` and `--strategy` read back."""
        return _written(self._chart.chart.csv(), file)

    def to_svg(self, file: str | Path | None = None) -> str:
        """The chart as a picture."""
        from cardroom.lab.plots import rendered

        return _written(rendered(chart_figure(self._chart), "svg").decode(), file)

    def to_html(self, file: str | Path | None = None) -> str:
        """The chart as a page of its own."""
        return _written(chart_page(self._chart), file)

    def __repr__(self) -> str:
        return f"<{self._chart.title}, house edge {percent(self.edge)}>"

    def _repr_html_(self) -> str:
        return self._repr_svg_()

    def _repr_svg_(self) -> str:
        return pictures.chart(self._chart)


def _written(content: str, file: str | Path | None) -> str:
    if file is not None:
        written(content, file)
    return content
