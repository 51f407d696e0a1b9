"""Where advice comes in: the key `?` is offered when an adviser is named here."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from cardroom.engine.twentyone import Round

ADVISER: Final[str | None] = None
"""The module whose `advise(round) -> str` says what is best for the player in turn, seeing what they see."""


def has_advice() -> bool:
    """Whether anybody can be asked."""
    return ADVISER is not None


def advice(game: Round) -> str:
    """What is best for the player in turn, and why, in lines of at most 80 columns."""
    assert ADVISER is not None, "asked only where has_advice"
    said: str = import_module(ADVISER).advise(game)
    return said
