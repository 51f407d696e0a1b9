"""The cards of a Knockout 21 draw: for each of the fifteen positions one dealer's hand and one hit card.

>>> Position.parse("7h9dTc+5s")
Position.parse('7h9dTc+5s')
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cardroom.core.cards import Card, format_cards, parse_card, parse_cards
from cardroom.core.errors import MalformedInput
from cardroom.rules.knockout21 import GAMES, HANDS_OF_GAME, POSITIONS
from cardroom.rules.knockout21.law import dealer_draws, hand_total, is_bust


def values_of(cards: Sequence[Card]) -> tuple[int, ...]:
    """The values of cards, an ace as 1."""
    return tuple(card.value for card in cards)


@dataclass(frozen=True, slots=True, repr=False)
class Position:
    """One position of a draw: a finished dealer's hand and a hit card, common to all tickets (KO21-1.5)."""

    dealer: tuple[Card, ...]
    hit: Card

    def __post_init__(self) -> None:
        values = values_of(self.dealer)
        if dealer_draws(values) or not dealer_draws(values[:-1]):
            raise MalformedInput(
                f"{format_cards(self.dealer)} is not a dealer's hand: the dealer draws until at least 17 "
                "and no further",
                clause="KO21-1.6",
            )

    @property
    def dealer_total(self) -> int:
        return hand_total(values_of(self.dealer))

    @property
    def dealer_busts(self) -> bool:
        return is_bust(values_of(self.dealer))

    def __str__(self) -> str:
        return f"{format_cards(self.dealer)}+{self.hit}"

    def __repr__(self) -> str:
        return f"Position.parse({str(self)!r})"

    @classmethod
    def parse(cls, text: str) -> Position:
        """Read a dealer's hand and its hit card: `7h9dTc+5s`."""
        dealer, plus, hit = text.partition("+")
        if not plus:
            raise MalformedInput(f"{text!r} is not a position of a draw; write it like 7h9dTc+5s")
        return cls(parse_cards(dealer), parse_card(hit))


@dataclass(frozen=True, slots=True, repr=False)
class Draw:
    """All cards of a draw, in draw order (KO21-3.3)."""

    positions: tuple[Position, ...]

    def __post_init__(self) -> None:
        if len(self.positions) != POSITIONS:
            raise MalformedInput(
                f"a draw has {POSITIONS} positions, not {len(self.positions)}", clause="KO21-1.5"
            )

    @property
    def first_cards(self) -> tuple[Card, ...]:
        """The dealer's five first cards of Game 2, known before sales open (KO21-1.5)."""
        return tuple(self.positions[p].dealer[0] for p in HANDS_OF_GAME[2])

    def __str__(self) -> str:
        return " / ".join(" ".join(str(self.positions[p]) for p in HANDS_OF_GAME[game]) for game in GAMES)

    def __repr__(self) -> str:
        return f"Draw.parse({str(self)!r})"

    @classmethod
    def parse(cls, text: str) -> Draw:
        """Read the text of `str`: fifteen positions, the games parted by `/`."""
        return cls(tuple(Position.parse(word) for word in text.replace("/", " ").split()))
