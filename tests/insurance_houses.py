"""Two houses with an insurance of their own, and what each pays in plain words of Python."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from cardroom.core.cards import Card, Rank

LINES: list[dict[str, Any]] = [
    {
        "name": "queen of hearts in the hole",
        "when": {"of": ["dealer_hole"], "cards": ["Qh"]},
        "pays": "25:1",
    },
    {"name": "suited ace-king", "when": {"same": ["suit"], "ranks": ["A", "K"]}, "pays": "10:1"},
    {"name": "coloured blackjack", "when": {"same": ["colour"]}, "pays": "5:1"},
]
SUITED_ALONE = {"insurance.pays": "none", "insurance.suited_pays": "5:1"}
"""A blackjack of two suits loses the insurance."""


def pays_own(up: Card, hole: Card) -> Fraction:
    """What the file says, in plain words of Python."""
    if hole.value != 10:
        return Fraction(-1)
    if hole.text == "Qh":
        return Fraction(25)
    if hole.rank is Rank.KING and hole.suit is up.suit:
        return Fraction(10)
    return Fraction(5) if (up.suit in (1, 2)) == (hole.suit in (1, 2)) else Fraction(2)


def pays_suited_alone(up: Card, hole: Card) -> Fraction:
    return Fraction(5) if hole.value == 10 and hole.suit is up.suit else Fraction(-1)


HOUSES: dict[str, tuple[dict[str, Any], Callable[[Card, Card], Fraction]]] = {
    "own lines": ({"insurance.lines": LINES}, pays_own),
    "suited alone": (SUITED_ALONE, pays_suited_alone),
}
