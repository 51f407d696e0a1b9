"""What it is worth to know a card before the wager: the first card, the up card, a ten under an ace.

All of it is exact and from the full shoe; play is the best for each composition. A player who knows a card
wagers a unit where that is worth more than nothing, and else stays away.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from cardroom.core.cards import CARDS, Rank
from cardroom.core.errors import MalformedInput
from cardroom.exact.sidebets import insurance_figures
from cardroom.exact.twentyone import Solution, solve
from cardroom.rules.twentyone import TwentyOneRules


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
    """The dealer's up card."""
    parts = solution.by_up_card
    return Knowledge("up card", tuple(KnownCard(one.name, one.chance, one.expected_value) for one in parts))


def hole_card_for_insurance(rules: TwentyOneRules) -> Fraction:
    """What it adds to a round of one unit to know whether a ten lies under an ace, used for insurance alone.

    It is what a dealer's tell of a ten is worth, and the least that seeing the hole card is worth.
    """
    if rules.decks == "infinite":
        raise MalformedInput("the worth of a tell is figured for a shoe; set decks to 1 … 8")
    shoe = rules.shoe()
    aces = sum(shoe[card] for card in CARDS if card.rank is Rank.ACE)
    wins = sum(
        (Fraction(one.probability) * one.net for one in insurance_figures(rules).outcomes if one.net > 0),
        Fraction(0),
    )
    return Fraction(aces, shoe.total) * wins / 2


def knowledge_of(rules: TwentyOneRules) -> list[Knowledge]:
    """All that is figured here, for one game."""
    solution = solve(rules)
    return [first_card_known(solution), up_card_known(solution)]
