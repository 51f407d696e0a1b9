"""What a PAR sheet is made of on paper and on screen: the same blocks for both."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cardroom.lab.charts import StrategyChart
    from cardroom.lab.par.sheet import Plot


@dataclass(frozen=True, slots=True)
class Heading:
    text: str
    level: int = 1


@dataclass(frozen=True, slots=True)
class Paragraph:
    text: str


@dataclass(frozen=True, slots=True)
class Facts:
    """Names and values in two columns."""

    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """A table; `text_columns` are set to the left, the others are numbers; the last row may be a sum."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    text_columns: frozenset[int] = frozenset({0})
    has_total: bool = False
    wide: frozenset[int] = frozenset()
    """Columns of long texts that wrap."""


@dataclass(frozen=True, slots=True)
class Picture:
    plot: Plot


@dataclass(frozen=True, slots=True)
class ChartBlock:
    chart: StrategyChart


Block = Heading | Paragraph | Facts | Grid | Picture | ChartBlock
