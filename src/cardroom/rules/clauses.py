"""The written clauses, the law of the games in words, read from the clause pages.

A checkout has the pages in `docs/rules`; a wheel brings the same files beside this module.

>>> clause_of("KO52-8").text
'A row completed without a match loses wager n at once, and the game goes on.'
>>> clause_of("KO52-99") is None
True
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from cardroom.games import GAMES, Game

_PACKED: Final = Path(__file__).with_name("clauses")
_WRITTEN: Final = Path(__file__).resolve().parents[3] / "docs" / "rules"
_ROW: Final = re.compile(r"\| *(?P<id>[A-Z0-9]+-\d+(?:\.\d+)*) *\| *(?P<text>.*?) *\|$")
_HEADING: Final = re.compile(r"#+ +(?:\d+ +)?(?P<words>.*?)(?: +\([A-Z0-9]+\))?$")


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause: its id, its text in Markdown, and the heading that it stands under."""

    id: str
    text: str
    heading: str

    @property
    def prefix(self) -> str:
        """The part of the law that it belongs to, such as `PE21` or `PROC`."""
        return prefix_of(self.id)


def prefix_of(clause: str) -> str:
    """What the id of a clause begins with.

    >>> prefix_of("PE21-8.2"), prefix_of("21-1.13")
    ('PE21', '21')
    """
    return clause.rpartition("-")[0]


@cache
def clauses_on(page: str) -> tuple[Clause, ...]:
    """The clauses of a page of `docs/rules`, in their order; none where there is no such page."""
    folder = _PACKED if _PACKED.is_dir() else _WRITTEN
    path = folder / f"{page}.md"
    return tuple(_read(path.read_text("utf-8"))) if path.is_file() else ()


def _read(page: str) -> Iterator[Clause]:
    heading = ""
    for line in page.splitlines():
        if title := _HEADING.match(line):
            heading = title["words"]
        elif row := _ROW.match(line):
            yield Clause(row["id"], row["text"], heading)


def clauses_of(game: Game) -> tuple[Clause, ...]:
    """The clauses by which a game is played: those of its own and those it shares, in their order."""
    return tuple(clause for clause in clauses_on(game.clause_page) if clause.prefix in game.clauses)


def clause_of(clause: str) -> Clause | None:
    """The clause of an id; None where nothing is written under it."""
    game = game_of(clause)
    on_page = clauses_on(game.clause_page) if game is not None else ()
    return next((one for one in on_page if one.id == clause), None)


def game_of(clause: str, here: Game | None = None) -> Game | None:
    """The game on whose page a clause is read: this one where it is one of its own, else the first of all.

    >>> found = game_of("SIDE-3"), game_of("SIDE-3", GAMES["players-edge-21"]), game_of("X-1")
    >>> [game and game.title for game in found]
    ['Blackjack', "Player's Edge 21", None]
    """
    prefix = prefix_of(clause)
    games = [*([here] if here is not None else []), *GAMES.values()]
    return next((game for game in games if prefix in game.clauses), None)
