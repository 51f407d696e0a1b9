"""A recorded round of every game: it changes when anything that a player sees or gets changes."""

from __future__ import annotations

import pytest

from tests.engines import ENGINES
from tests.playthroughs import FOLDER, path_of, recorded


@pytest.mark.parametrize("name", ENGINES)
def test_a_round_goes_as_it_is_recorded(name: str) -> None:
    """If the change is meant, `make playthroughs` writes the records anew; read what differs."""
    assert recorded(name) == path_of(name).read_text("utf-8")


def test_no_record_is_left_over() -> None:
    assert sorted(path.stem for path in FOLDER.iterdir()) == sorted(ENGINES)
