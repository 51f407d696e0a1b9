"""Tables of the library in pandas and polars themselves."""

from __future__ import annotations

from typing import Any

import pytest

import cardroom as cr
from cardroom.library.frames import LIBRARIES, Library


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_table_is_a_frame_of_numbers(library: Library) -> None:
    table = cr.compare("knockout-52", decks=[1, 8])
    frame: Any = table.to_frame(library)
    assert type(frame).__module__.partition(".")[0] == library
    assert list(frame.columns) == table.columns == ["decks", "house_edge"]
    assert [str(kind).lower() for kind in frame.dtypes] == ["int64", "float64"]
    assert list(frame["house_edge"]) == [float(edge) for edge in table.column("house_edge")]


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("first", [1, None])
def test_a_column_is_read_to_its_end(library: Library, first: int | None) -> None:
    """More rows than a library looks at when it guesses: what comes late is not cut."""
    table = cr.Rows("late", [*({"units": first} for _ in range(150)), {"units": 2.5}])
    frame: Any = table.to_frame(library)
    assert list(frame["units"])[-1] == 2.5


@pytest.mark.parametrize("library", LIBRARIES)
def test_numbers_and_words_may_share_a_column(library: Library) -> None:
    frame: Any = cr.Rows("decks", [{"decks": 6}, {"decks": "infinite"}]).to_frame(library)
    assert [str(cell) for cell in frame["decks"]] == ["6", "infinite"]


def test_the_first_library_that_is_installed_is_taken() -> None:
    frame: Any = cr.Game("knockout-52").odds()["round-1"].to_frame()
    assert type(frame).__module__.partition(".")[0] == LIBRARIES[0]
    assert list(frame["outcome"]) == ["win", "lose"]
