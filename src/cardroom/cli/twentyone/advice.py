"""Where advice comes in: the key `?` asks an adviser, who is imported only then."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from cardroom.engine.twentyone import Round

ADVISER: Final[str | None] = "cardroom.cli.twentyone.adviser"
"""The module whose `advise(round)` says what is best for the player in turn, and `verdict(round, said)` what
a choice cost, both seeing what the player sees."""


def has_advice() -> bool:
    """Whether anybody can be asked."""
    return ADVISER is not None


def advice(game: Round) -> str:
    """What is best for the player in turn, and why, in lines of at most 80 columns."""
    assert ADVISER is not None, "asked only where has_advice"
    said: str = import_module(ADVISER).advise(game)
    return said


def verdict(game: Round, said: str) -> str:
    """What a choice cost against the best one, in a line."""
    assert ADVISER is not None, "asked only where has_advice"
    words: str = import_module(ADVISER).verdict(game, said)
    return words
