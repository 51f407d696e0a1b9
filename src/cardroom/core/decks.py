"""Decks as lists and as counts: how many of each card a shoe holds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, Literal

from cardroom.core.cards import CARDS, Card, Rank
from cardroom.core.errors import MalformedInput

DeckKind = Literal["standard", "spanish"]

DECKS: Final[Mapping[DeckKind, tuple[Card, ...]]] = {
    "standard": CARDS,
    "spanish": tuple(card for card in CARDS if card.rank is not Rank.TEN),
}
"""The cards of one deck of each kind; a Spanish deck is a standard one without its four tens (S21-1)."""


class CardCounts:
    """How many of each of the 52 cards there are; immutable.

    >>> counts = CardCounts.of_decks("spanish", 6)
    >>> counts.total, counts.of_rank(Rank.SEVEN), counts.of_rank(Rank.TEN)
    (288, 24, 0)
    """

    __slots__ = ("counts",)

    counts: tuple[int, ...]

    def __init__(self, counts: Iterable[int]) -> None:
        self.counts = tuple(counts)
        if len(self.counts) != len(CARDS) or min(self.counts) < 0:
            raise MalformedInput("card counts are 52 numbers, none below zero")

    @classmethod
    def of_decks(cls, kind: DeckKind, decks: int) -> CardCounts:
        return cls.of_cards(DECKS[kind] * decks)

    @classmethod
    def of_cards(cls, cards: Iterable[Card]) -> CardCounts:
        counts = [0] * len(CARDS)
        for card in cards:
            counts[card.index] += 1
        return cls(counts)

    @property
    def total(self) -> int:
        return sum(self.counts)

    def __getitem__(self, card: Card) -> int:
        return self.counts[card.index]

    def of_rank(self, rank: Rank) -> int:
        return sum(self.counts[rank - 1 :: 13])

    def by_rank(self) -> tuple[int, ...]:
        """Thirteen counts, ace first."""
        return tuple(self.of_rank(rank) for rank in Rank)

    def without(self, cards: Iterable[Card]) -> CardCounts:
        """The counts after these cards have left; refused when one is not there to leave."""
        counts = list(self.counts)
        for card in cards:
            counts[card.index] -= 1
            if counts[card.index] < 0:
                raise MalformedInput(f"{card} is more often in play than in the shoe ({self[card]} of it)")
        return CardCounts(counts)

    def cards(self) -> tuple[Card, ...]:
        """The cards one by one, in order of index."""
        return tuple(card for card in CARDS for _ in range(self.counts[card.index]))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CardCounts) and self.counts == other.counts

    def __hash__(self) -> int:
        return hash(self.counts)

    def __repr__(self) -> str:
        return f"CardCounts.parse({str(self)!r})"

    def __str__(self) -> str:
        return ",".join(f"{card}:{n}" for card, n in zip(CARDS, self.counts, strict=True) if n)

    @classmethod
    def parse(cls, text: str) -> CardCounts:
        """Read `7d:2,Ah:1`; the text form of `str`."""
        from cardroom.core.cards import parse_card

        counts = [0] * len(CARDS)
        for part in filter(None, (piece.strip() for piece in text.split(","))):
            card, colon, number = part.partition(":")
            if not colon or not number.strip().isdecimal():
                raise MalformedInput(f"{part!r} is not a count of cards; write CARD:NUMBER, such as 7d:2")
            counts[parse_card(card).index] += int(number)
        return cls(counts)
