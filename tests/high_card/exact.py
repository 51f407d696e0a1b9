"""The one wager of High Card in fractions, counted by rank."""

from __future__ import annotations

from fractions import Fraction

from cardroom.exact.figures import Outcome, WagerFigures
from tests.high_card.rules import HighCardRules


def ante(rules: HighCardRules) -> WagerFigures:
    """A tie is a card of the same rank: so many are left of so many; above it both are as likely to win."""
    tie = Fraction(4 * rules.decks - 1, 52 * rules.decks - 1)
    win = (1 - tie) / 2
    return WagerFigures(
        "ante",
        (
            Outcome("win", Fraction(1), win),
            Outcome("tie", Fraction(0 if rules.tie == "push" else -1), tie),
            Outcome("lose", Fraction(-1), win),
        ),
    )


def figures(rules: HighCardRules, _wager_cents: int | None) -> list[WagerFigures]:
    return [ante(rules)]
