"""What a counter meets as time goes by, as tables and as a picture."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from cardroom.core.errors import UnknownName
from cardroom.core.extras import require
from cardroom.library.arguments import written
from cardroom.library.frames import Library, Rows, to_frame
from cardroom.protect.curves import PERCENTILES, Point, RiskOf, Spread


class CounterCurves:
    """The curves of a counter, or of several at one table; each a table, and all of them one picture."""

    def __init__(
        self,
        title: str,
        tables: Mapping[str, Rows],
        points: Callable[[], Iterable[Point]],
        plots: Callable[[], Iterable[dict[str, Any]]],
    ) -> None:
        self.title = title
        self._tables = dict(tables)
        self._points = points
        self._plots = plots

    @property
    def names(self) -> list[str]:
        """The names of the tables: `curves["edge"]` is one of them."""
        return list(self._tables)

    @property
    def edge(self) -> Rows:
        """The edge against the count at the start of the round, with its standard error."""
        return self["edge"]

    @property
    def bankroll(self) -> Rows:
        """Units won by rounds seen, below which so many of 100 counters stand."""
        return self["bankroll"]

    @property
    def ruin(self) -> Rows:
        """The risk of ruin by bankroll: the formula, and simulated; empty where a win is not sure."""
        return self["ruin"]

    def __getitem__(self, name: str) -> Rows:
        if name not in self._tables:
            raise UnknownName(f"there is no curve {name!r}; the curves are {', '.join(self.names)}")
        return self._tables[name]

    def to_frame(self, library: Library | None = None) -> Any:
        """Every point of every curve, in pandas or polars."""
        return to_frame([point._asdict() for point in self._points()], library)

    def to_svg(self, file: str | Path | None = None) -> str:
        """All curves on one sheet."""
        require("a picture", "plots", "matplotlib")
        from cardroom.lab.protection_plots import drawn_plots

        drawn = drawn_plots(list(self._plots()), ".svg").decode()
        if file is not None:
            written(drawn, file)
        return drawn

    def __repr__(self) -> str:
        return f"<{self.title}: {', '.join(self.names)}>"

    def _repr_html_(self) -> str:
        if find_spec("matplotlib") is None:
            return "".join(rows._repr_html_() for rows in self._tables.values())
        svg = self.to_svg()
        return svg[svg.index("<svg") :]


def fan_rows(title: str, at: str, spreads: Sequence[Spread]) -> Rows:
    """A fan: a line for each place, a column for each percentile."""
    return Rows(
        title,
        [
            {at: one.at, **{f"p{name}": value for name, value in zip(PERCENTILES, one.values, strict=True)}}
            for one in spreads
        ],
    )


def ruin_rows(risks: Sequence[RiskOf]) -> Rows:
    """The risk by bankroll."""
    return Rows("risk of ruin by bankroll in units", [one._asdict() for one in risks])
