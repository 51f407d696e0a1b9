"""What it is worth to know a card before the wager: the first card, the up card, an ace that comes next.

All of it is exact and from the full shoe; play is the best for each composition. A player who knows a card
wagers a unit where that is worth more than nothing, and else stays away.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cardroom.exact.twentyone import Solution
from cardroom.exact.twentyone.solution import Part, parts_by_first_card
from cardroom.model.twentyone.columns import columns_of


@dataclass(frozen=True, slots=True)
class KnownCard:
    """One card that may be known, and what a unit is then worth."""

    name: str
    chance: float
    expected_value: float


@dataclass(frozen=True, slots=True)
class Knowledge:
    """A card known before the wager."""

    what: str
    cards: tuple[KnownCard, ...]

    @property
    def worth(self) -> float:
        """Units for each round seen, of a player who wagers one where that pays and else stays away."""
        return sum(one.chance * max(0.0, one.expected_value) for one in self.cards)

    @property
    def share_wagered(self) -> float:
        """Of the rounds."""
        return sum(one.chance for one in self.cards if one.expected_value > 0)

    def to_json(self) -> dict[str, Any]:
        return {
            "known": self.what,
            "win_per_100_rounds_seen": 100 * self.worth,
            "share_of_rounds_wagered": self.share_wagered,
            "cards": [
                {"card": one.name, "probability": one.chance, "expected_value": one.expected_value}
                for one in self.cards
            ],
        }


def first_card_known(solution: Solution) -> Knowledge:
    """The player's first card, as a player who follows cards through the shuffle (an ace) would know it."""
    parts = solution.by_first_card
    return Knowledge(
        "first card", tuple(KnownCard(one.name, one.chance, one.expected_value) for one in parts)
    )


def up_card_known(solution: Solution) -> Knowledge:
    """The dealer's up card; where both lie face up (21-1.21), the one that is dealt first."""
    parts: Sequence[Part] = solution.by_up_card
    if columns_of(solution.rules).cards > 1:
        parts = parts_by_first_card(parts)
    return Knowledge("up card", tuple(KnownCard(one.name, one.chance, one.expected_value) for one in parts))


@dataclass(frozen=True, slots=True)
class NextAce:
    """An ace that is known to come next, as one who follows aces through the shuffle knows it."""

    on_own_hand: float
    """What a unit is worth when it is the player's first card."""
    as_up_card: float
    """… when the dealer gets it instead."""

    @property
    def break_even(self) -> float:
        """The share of the aces that must come to the player, where the dealer gets all others."""
        return self.as_up_card / (self.as_up_card - self.on_own_hand)

    def to_json(self) -> dict[str, Any]:
        return {
            "on_own_hand": self.on_own_hand,
            "as_up_card": self.as_up_card,
            "break_even_share": self.break_even,
        }


def next_ace(solution: Solution) -> NextAce:
    """Ace sequencing: what the ace is worth where it was meant to fall, and one place further on."""
    own, up = (
        next(one.expected_value for one in known.cards if one.name == "A")
        for known in (first_card_known(solution), up_card_known(solution))
    )
    return NextAce(own, up)


def knowledge_of(solution: Solution) -> list[Knowledge]:
    """A card known before the wager: the first, or the up card."""
    return [first_card_known(solution), up_card_known(solution)]
