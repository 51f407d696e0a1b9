"""How deep a shoe is cut by its players and by the dealer (PROC-6)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from cardroom.rules.twentyone.schema import TwentyOneRules

USUAL_DECKS: Final = 6
"""The cuts of PROC-6 are those of six decks; in a shoe too small for them they are in proportion."""


@dataclass(frozen=True, slots=True)
class CutRange:
    """How deep a cut may be, in cards."""

    least: int
    most: int

    @property
    def middle(self) -> int:
        return (self.least + self.most) // 2

    def __contains__(self, cards: int) -> bool:
        return self.least <= cards <= self.most


def player_cut_range(rules: TwentyOneRules) -> CutRange:
    """How deep a player may cut, from either end (PROC-6)."""
    cut = rules.procedure
    return _range(rules, cut.player_cut_min_decks, cut.player_cut_max_decks)


def dealer_cut_range(rules: TwentyOneRules) -> CutRange:
    """How deep the dealer may put the cut card in from the back (PROC-6)."""
    cut = rules.procedure
    return _range(rules, cut.dealer_cut_min_decks, cut.dealer_cut_max_decks)


def _range(rules: TwentyOneRules, least_decks: float, most_decks: float) -> CutRange:
    cards, decks = rules.shoe().total, rules.decks
    assert decks != "infinite"
    procedure = rules.procedure
    deepest = max(procedure.player_cut_max_decks, procedure.dealer_cut_max_decks)
    unit = cards / (decks if deepest < decks else max(USUAL_DECKS, deepest + 1))
    return CutRange(max(1, round(least_decks * unit)), max(1, round(most_decks * unit)))
