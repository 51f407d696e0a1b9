"""The house rules of High Card: three options."""

from __future__ import annotations

from typing import Literal

from cardroom.core.cards import Card, Rank
from cardroom.core.decks import CardCounts
from cardroom.rules.base import HouseRules
from cardroom.rules.options import option


class HighCardRules(HouseRules):
    """The house rules of High Card."""

    decks: Literal[1, 2] = option("{} deck{s} of 52 cards", "HC-1")
    ace: Literal["high", "low"] = option({"high": "an ace is high", "low": "an ace is low"}, "HC-2")
    tie: Literal["push", "house"] = option(
        {"push": "a tie gives the wager back", "house": "a tie loses"}, "HC-3"
    )

    @property
    def shoe(self) -> CardCounts:
        return CardCounts.of_decks("standard", self.decks)

    def height(self, card: Card) -> int:
        """How high a card counts (HC-2)."""
        return 14 if card.rank is Rank.ACE and self.ace == "high" else int(card.rank)

    def net(self, player: Card, dealer: Card) -> int:
        """What a round is worth to the player, in wagers (HC-3)."""
        ours, theirs = self.height(player), self.height(dealer)
        if ours == theirs:
            return 0 if self.tie == "push" else -1
        return 1 if ours > theirs else -1
