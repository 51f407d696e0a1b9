"""Rows of figures as a table: printed in a few lines, shown in a notebook, handed to pandas or polars."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final, Literal

from cardroom.core.errors import Unavailable, UnknownName, UnknownPlace
from cardroom.library.arguments import integer, plain

Library = Literal["pandas", "polars"]
LIBRARIES: Final[tuple[Library, ...]] = ("pandas", "polars")
_SHOWN_ROWS: Final = 60


def to_frame(rows: Sequence[Mapping[str, Any]], library: Library | None = None) -> Any:
    """A data frame of the library that is named, or of the first that is installed."""
    if library is not None and library not in LIBRARIES:
        raise UnknownName(f"there is no library {library!r} of data frames; known: {', '.join(LIBRARIES)}")
    wanted = LIBRARIES if library is None else (library,)
    installed = next((name for name in wanted if find_spec(name) is not None), None)
    if installed is None:
        raise Unavailable(f"data frames need {' or '.join(wanted)}: pip install {wanted[0]}")
    plain = [{key: _plain(value) for key, value in row.items()} for row in rows]
    frame = import_module(installed).DataFrame
    # polars would guess the columns' types from the first hundred rows, and cut what does not fit
    return frame(plain, infer_schema_length=None) if installed == "polars" else frame(plain)


def _plain(value: Any) -> Any:
    """A number as a number of Python itself, and all else as text."""
    value = plain(value)
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int):
        return int(value)
    return float(value) if isinstance(value, float) else str(value)


class Rows(Sequence[dict[str, Any]]):
    """A table: a sequence of rows, each with the same columns."""

    def __init__(self, title: str, rows: Sequence[Mapping[str, Any]]) -> None:
        self.title = title
        self._rows = [dict(row) for row in rows]

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return list(self._rows[0]) if self._rows else []

    def __getitem__(self, place: Any) -> Any:
        return at(self._rows, place)

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self._rows)

    def column(self, name: str) -> list[Any]:
        """One column from top to bottom."""
        if name not in self.columns:
            raise UnknownName(f"there is no column {name!r}; the columns are {', '.join(self.columns)}")
        return [row[name] for row in self._rows]

    def to_frame(self, library: Library | None = None) -> Any:
        """The table in pandas or polars."""
        return to_frame(self._rows, library)

    def __repr__(self) -> str:
        return f"<{self.title}: {len(self)} rows, columns {', '.join(self.columns)}>"

    def __str__(self) -> str:
        cells = [self.columns, *([shown(row[name]) for name in self.columns] for row in self._rows)]
        widths = [max(len(row[at]) for row in cells) for at in range(len(self.columns))]
        return "\n".join(
            "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in cells
        )

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{escape(name)}</th>" for name in self.columns)
        body = "".join(
            f"<tr>{''.join(f'<td>{escape(shown(row[name]))}</td>' for name in self.columns)}</tr>"
            for row in self._rows[:_SHOWN_ROWS]
        )
        left = len(self) - _SHOWN_ROWS
        more = f"<p>and {left} rows more</p>" if left > 0 else ""
        return f"<table><caption>{escape(self.title)}</caption><tr>{head}</tr>{body}</table>{more}"


def at(rows: Sequence[Any], place: Any) -> Any:
    """The row at a place, or several by a slice."""
    if not isinstance(place, slice):
        place = integer(place, "the row")
        if not -len(rows) <= place < len(rows):
            raise UnknownPlace(f"there is no row {place}; there are {len(rows)}, and the first is 0")
    return rows[place]


def shown(value: Any) -> str:
    """A value as a cell shows it."""
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.6g}"
    return str(value)
