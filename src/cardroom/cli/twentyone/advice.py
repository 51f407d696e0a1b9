"""Where advice comes in: the key `?` asks an adviser, who is imported only then."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from cardroom.engine.twentyone import Round

ADVISER: Final = "cardroom.cli.twentyone.adviser"
"""The module whose `advise(round)` says what is best for the player in turn, `verdict(round, said)` what
a choice cost, and `blunder(round, said, above_cents)` that it costs much, all seeing what the player sees."""


def adviser() -> Any:
    """The adviser; the first call brings the solver with it."""
    return import_module(ADVISER)


def advice(game: Round) -> str:
    """What is best for the player in turn, and why, in lines of at most 80 columns."""
    words: str = adviser().advise(game)
    return words


def verdict(game: Round, choice: str) -> str:
    """What a choice cost against the best one, in a line."""
    words: str = adviser().verdict(game, choice)
    return words


def blunder(game: Round, choice: str, above_cents: float) -> str:
    """A question before a choice that costs more than so much on average; else empty."""
    words: str = adviser().blunder(game, choice, above_cents)
    return words
