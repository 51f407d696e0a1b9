"""A player's cut as people type it: how deep, from which end, and words for the shuffle.

>>> Cut.parse("2.5 front lucky me")
Cut(decks=2.5, cards=None, end='front', words='lucky me')
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from cardroom.core.errors import MalformedInput
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.table.twentyone import player_cut_range
from cardroom.table.twentyone.requests import End


@dataclass(frozen=True, slots=True)
class Cut:
    """How deep, in decks or in cards; in the middle of what is allowed where neither is said."""

    decks: float | None = None
    cards: int | None = None
    end: End = "back"
    words: str = ""

    @classmethod
    def parse(cls, text: str, *, in_cards: bool = False) -> Cut:
        """Read `[DEPTH] [front|back] [WORDS]`."""
        parts = text.split()
        decks: float | None = None
        cards: int | None = None
        end: End = "back"
        if parts and parts[0][0].isdigit():
            try:
                if in_cards:
                    cards = int(parts[0])
                else:
                    decks = float(parts[0])
                    int(decks)  # 1e999 is no number of cards
            except (ValueError, OverflowError):
                raise MalformedInput(
                    f"{parts[0]!r} is no depth; write {'cards' if in_cards else 'decks'}, such as"
                    f" {'110' if in_cards else '2.5'}"
                ) from None
            parts.pop(0)
        if parts and parts[0] in ("front", "back"):
            end = "front" if parts.pop(0) == "front" else "back"
        return cls(decks, cards, end, " ".join(parts))

    def in_cards(self, rules: TwentyOneRules) -> tuple[int, End]:
        """The depth in cards of this table's shoe, and the end."""
        if self.cards is not None:
            return self.cards, self.end
        if self.decks is None or rules.decks == "infinite":
            return player_cut_range(rules).middle, self.end
        return round(self.decks * rules.shoe().total / rules.decks), self.end


NOBODYS_CUT: Final = Cut()
"""Nobody was asked: the cut is the house's."""
