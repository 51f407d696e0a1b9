"""What a page about a game or a bet shows, whatever the game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from cardroom.core.cards import Card

FILM_SECONDS: Final = 30
"""How long a film runs by itself; one of a few scenes is sooner over."""
_LONGEST_SCENE_MILLISECONDS: Final = 5000
FACE_DOWN: Final = "back"


@dataclass(frozen=True, slots=True)
class Lying:
    """A card as it lies: its text, `back` when it is face down, or nothing on a bare space."""

    card: str
    below: str = ""
    """What is printed under it."""
    sideways: bool = False
    marked: bool = False
    """Whether this is the card that decides."""


@dataclass(frozen=True, slots=True)
class Row:
    """Cards that lie together, from left to right, with whose they are and what they come to."""

    label: str
    cards: tuple[Lying, ...]
    words: str = ""


@dataclass(frozen=True, slots=True)
class Scene:
    """What lies on the table after one step of a round, and what happened in it."""

    caption: str
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Film:
    """A round that the engine has played, step by step."""

    title: str
    scenes: tuple[Scene, ...]

    @property
    def scene_milliseconds(self) -> int:
        """How long each step is on view, so that the film takes its time."""
        return min(_LONGEST_SCENE_MILLISECONDS, 1000 * FILM_SECONDS // len(self.scenes))


@dataclass(frozen=True, slots=True)
class Winning:
    """A line that pays, with cards that win it; `rows` is empty where none are known, and `words` say why."""

    line: str
    pays: str
    rows: tuple[Row, ...]
    words: str = ""


@dataclass(frozen=True, slots=True)
class Guide:
    """The page of a game, or of one of its bets."""

    title: str
    idea: tuple[str, ...]
    """A few sentences: what one tries to do, and how one wins."""
    pictures: tuple[Row, ...]
    """The same with cards."""
    films: tuple[Film, ...]
    pays: tuple[Winning, ...]
    clauses: tuple[str, ...]
    """The clauses that say it with authority."""
    note: str = ""


def lying(cards: Iterable[Card | None], *, marked: Sequence[Card] = ()) -> tuple[Lying, ...]:
    """Cards side by side, face down where there is None."""
    return tuple(
        Lying(FACE_DOWN) if card is None else Lying(card.text, marked=card in marked) for card in cards
    )
