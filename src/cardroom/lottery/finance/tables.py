"""Tables of a report, whatever they are shown as: columns of texts, counts and cents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Kind = Literal["text", "count", "cents"]
Cell = str | int | None


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table: what stands over it, and what is in it."""

    title: str
    kind: Kind = "cents"


@dataclass(frozen=True, slots=True)
class Section:
    """A table with its title and what it says in words; the last row may be a sum."""

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    total: tuple[Cell, ...] | None = None
    notes: tuple[str, ...] = ()


def summed(columns: Sequence[Column], table: Sequence[Sequence[Cell]]) -> tuple[Cell, ...]:
    """The sums of a table's numbers."""
    sums: list[Cell] = ["In all"]
    for place, column in enumerate(columns[1:], 1):
        numbers = [row[place] for row in table]
        sums.append(None if column.kind == "text" else sum(n for n in numbers if isinstance(n, int)))
    return tuple(sums)
