"""The clauses as the program reads them: all of them, each once, in a checkout and in a wheel."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from cardroom.games import GAMES, Game
from cardroom.rules.clauses import clause_of, clauses_of, clauses_on
from tests.clauses.register import PAGES, ROOT, written_clauses


def test_every_written_clause_is_read_once() -> None:
    pages = sorted(page.stem for page in PAGES.glob("*.md"))
    read = [clause.id for page in pages for clause in clauses_on(page)]
    assert sorted(read) == sorted(written_clauses())
    assert len(set(read)) == len(read)
    assert all(clause_of(one) is not None for one in read)


def test_a_clause_has_its_words_and_its_heading() -> None:
    clause = clause_of("PE21-5")
    assert clause is not None
    assert clause.text == "A player's 21 always beats a dealer's 21."
    assert clause.heading == "Player's Edge 21"


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_a_game_has_its_own_clauses_and_those_it_shares(game: Game) -> None:
    assert {clause.prefix for clause in clauses_of(game)} == set(game.clauses)


@pytest.mark.slow
def test_a_wheel_brings_the_clause_pages(tmp_path: Path) -> None:
    from hatchling.builders.wheel import WheelBuilder

    (wheel,) = WheelBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"])
    with zipfile.ZipFile(wheel) as archive:
        for page in PAGES.glob("*.md"):
            assert archive.read(f"cardroom/rules/clauses/{page.name}") == page.read_bytes()
