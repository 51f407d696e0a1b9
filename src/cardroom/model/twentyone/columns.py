"""What a player sees of the dealer's hand before deciding: the columns of charts and of strategies.

Mostly it is the up card, by its value. Where both cards lie face up (21-1.21) it is what they make together:
a hard total, or an ace and another card, which is soft. A dealer's blackjack has no column: nobody plays.

>>> UP_CARD.name(UP_CARD.place(10))
'T'
>>> [BOTH_CARDS.name(BOTH_CARDS.place(*values)) for values in ((10, 6), (7, 1), (1, 1))]
['16', 'A7', 'AA']
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from cardroom.core.cards import Card
from cardroom.rules.twentyone.law import is_blackjack_values
from cardroom.rules.twentyone.schema import TwentyOneRules

NO_COLUMN: Final = -1
_ACE: Final = 1


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of one way to see the dealer's hand."""

    cards: int
    """How many of the dealer's cards are seen."""
    names: tuple[str, ...]
    """In the order of a chart."""
    places: tuple[int, ...]
    """[name]: its column in a table."""

    def place(self, *values: int) -> int:
        """The column of a table for the values of the cards that are seen; NO_COLUMN for a blackjack."""
        if self.cards == 1:
            return values[0] - 1
        if is_blackjack_values(*values):
            return NO_COLUMN
        return self.places[self.names.index(_made_of(*sorted(values)))]

    def place_of(self, seen: Card | Sequence[Card]) -> int:
        """The same for cards."""
        return self.place(*(card.value for card in ((seen,) if isinstance(seen, Card) else seen)))

    def name(self, place: int) -> str:
        """The name of a column of a table."""
        return self.names[self.places.index(place)]

    def __len__(self) -> int:
        return len(self.names)


def _made_of(lower: int, higher: int) -> str:
    """Two cards of the dealer's as a column names them: `16`, `A7`, `AA`."""
    if lower != _ACE:
        return str(lower + higher)
    return f"A{'A' if higher == _ACE else higher}"


UP_CARD: Final = Columns(1, tuple("23456789TA"), (1, 2, 3, 4, 5, 6, 7, 8, 9, 0))
"""The column of a table is the card's value less 1."""
_TOTALS: Final = (*map(str, range(4, 21)), *(f"A{value}" for value in range(2, 10)), "AA")
BOTH_CARDS: Final = Columns(2, _TOTALS, tuple(range(len(_TOTALS))))


def columns_of(rules: TwentyOneRules) -> Columns:
    """What players of a house see."""
    return BOTH_CARDS if rules.hole_card == "shown" else UP_CARD
