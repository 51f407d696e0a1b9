"""Numbers that know how they were got: a float to compute with, and the fraction where there is one."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from cardroom.core.errors import UnknownName
from cardroom.exact.figures import Number, WagerFigures
from cardroom.exact.knockout21.figures import PrizeFigures
from cardroom.library import pictures
from cardroom.library.arguments import text
from cardroom.library.frames import Library, Rows, to_frame
from cardroom.presentation.numbers import percent

_LONGEST_FRACTION = 40


class Value(float):
    """A float; `.exact` is the fraction it stands for, or None where it was computed in floats.

    Examples:
        >>> half = Value(Fraction(1, 2))
        >>> half + 1, half.exact
        (1.5, Fraction(1, 2))
    """

    exact: Fraction | None

    def __new__(cls, number: Number) -> Value:
        value = super().__new__(cls, float(number))
        value.exact = number if isinstance(number, Fraction) else None
        return value


class Wager(Value):
    """A wager's house edge as a part of the stake, positive for the house, with all its other figures.

    A game of a Knockout 21 ticket is not sold alone: its edge is not a number (`nan`).
    """

    figures: WagerFigures | PrizeFigures

    def __new__(cls, figures: WagerFigures | PrizeFigures) -> Wager:
        edge = super().__new__(cls, _edge(figures))
        assert isinstance(edge, Wager)
        edge.figures = figures
        return edge

    @property
    def id(self) -> str:
        """The wager's id, such as `primary` or `match-up`."""
        return self.figures.wager

    @property
    def edge(self) -> Value:
        """The house edge; the wager itself as a plain value."""
        return Value(_edge(self.figures))

    @property
    def expected_value(self) -> Value:
        """What the player expects of each unit staked."""
        return Value(-_edge(self.figures))

    @property
    def hit_frequency(self) -> Value:
        """The probability of winning anything."""
        return Value(self.figures.hit_frequency)

    @property
    def variance(self) -> float:
        """Of one unit staked."""
        return self.standard_deviation**2

    @property
    def standard_deviation(self) -> float:
        """Of one unit staked."""
        deviation = self.figures.standard_deviation
        return math.nan if deviation is None else deviation

    @property
    def method(self) -> str:
        """How the figures were got: `exact` or `simulated`."""
        return self.figures.method

    @property
    def outcomes(self) -> Rows:
        """Every way the wager can end: what it is called, what it pays, how likely it is."""
        outcomes = self.figures.to_json()["outcomes"]
        return Rows(
            f"outcomes of {self.id}",
            [
                {
                    "outcome": one["outcome"],
                    "pays": one["pays"],
                    "probability": Value(
                        Fraction(fraction)
                        if (fraction := one["probability"]["fraction"])
                        else one["probability"]["decimal"]
                    ),
                }
                for one in outcomes
            ],
        )

    def to_dict(self) -> dict[str, Any]:
        """The wager as `cardroom odds --json` has it."""
        return self.figures.to_json()

    def to_frame(self, library: Library | None = None) -> Any:
        """The outcomes in pandas or polars."""
        return self.outcomes.to_frame(library)

    def __repr__(self) -> str:
        if math.isnan(self):
            return f"<{self.id}: wins {percent(self.hit_frequency, 6)}>"
        fraction = (
            "" if self.exact is None or len(str(self.exact)) > _LONGEST_FRACTION else f" = {self.exact}"
        )
        return f"<{self.id}: house edge {percent(self, 6)}{fraction}>"

    def _repr_html_(self) -> str:
        return pictures.with_table(self._repr_svg_(), self.outcomes._repr_html_())

    def _repr_svg_(self) -> str:
        outcomes = [(row["outcome"], str(row["pays"]), float(row["probability"])) for row in self.outcomes]
        return pictures.distribution(repr(self).strip("<>"), outcomes)


def _edge(figures: WagerFigures | PrizeFigures) -> Number:
    value = figures.expected_value
    return math.nan if value is None else -value


class Odds(Mapping[str, Wager]):
    """Every wager of a game by its id, the main one first."""

    def __init__(
        self,
        title: str,
        wagers: Sequence[WagerFigures | PrizeFigures],
        not_figured: Mapping[str, str] | None = None,
    ) -> None:
        self.title = title
        self.not_figured = dict(not_figured or {})
        """Wagers that have no exact figures, each with the sentence that says why."""
        self._wagers = {figures.wager: Wager(figures) for figures in wagers}

    def __getitem__(self, wager: str) -> Wager:
        wager = text(wager, "the wager", next(iter(self._wagers)))
        if wager in self.not_figured:
            raise UnknownName(self.not_figured[wager])
        if wager not in self._wagers:
            raise UnknownName(f"there is no wager {wager!r} here; the wagers are {', '.join(self)}")
        return self._wagers[wager]

    def __iter__(self) -> Iterator[str]:
        return iter(self._wagers)

    def __len__(self) -> int:
        return len(self._wagers)

    def rows(self) -> Rows:
        """A line for each wager."""
        return Rows(
            f"odds of {self.title}",
            [
                {
                    "wager": name,
                    "house_edge": float(wager),
                    "expected_value": float(wager.expected_value),
                    "hit_frequency": float(wager.hit_frequency),
                    "standard_deviation": wager.standard_deviation,
                    "method": wager.method,
                }
                for name, wager in self.items()
            ],
        )

    def to_dict(self) -> dict[str, Any]:
        """All wagers as `cardroom odds --json` has them."""
        return {name: wager.to_dict() for name, wager in self.items()}

    def to_frame(self, library: Library | None = None) -> Any:
        """A line for each wager, in pandas or polars."""
        return to_frame(self.rows(), library)

    def __repr__(self) -> str:
        edges = [f"{name} {percent(edge, 3)}" for name, edge in self.items() if not math.isnan(edge)]
        return f"<odds of {self.title}, house edges: {', '.join(edges)}>"

    def _repr_html_(self) -> str:
        return self.rows()._repr_html_()
