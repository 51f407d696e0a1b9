"""How the cards of a hand lie before the eye (PROC-17)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

OneCard = TypeVar("OneCard")


def as_they_lie(cards: Iterable[OneCard]) -> tuple[OneCard, ...]:
    """The cards of a hand from left to right as they lie: the last dealt is the leftmost (PROC-17).

    Hands hold their cards in the order in which they were dealt. The dealer's own lie the same way.

    >>> as_they_lie(["first", "second", "third"])
    ('third', 'second', 'first')
    """
    return tuple(reversed(tuple(cards)))
