"""Cards with a text form that parses back.

>>> parse_card("Th"), parse_card("10♥") is parse_card("Th")
(Th, True)
>>> format_cards(parse_cards("Ah 7c"))
'Ah7c'
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import IntEnum
from typing import Final

from cardroom.core.errors import MalformedInput


class Rank(IntEnum):
    """The thirteen ranks, in the order of the Knockout 52 layout."""

    ACE = 1
    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13

    @property
    def letter(self) -> str:
        return RANK_LETTERS[self - 1]


class Suit(IntEnum):
    """The four suits."""

    CLUBS = 0
    DIAMONDS = 1
    HEARTS = 2
    SPADES = 3

    @property
    def letter(self) -> str:
        return SUIT_LETTERS[self]

    @property
    def symbol(self) -> str:
        return SUIT_SYMBOLS[self]


RANK_LETTERS: Final = "A23456789TJQK"
SUIT_LETTERS: Final = "cdhs"
SUIT_SYMBOLS: Final = "♣♦♥♠"


class Card:
    """One of the 52 cards; there is exactly one object of each, so `is` and `==` agree."""

    __slots__ = ("index", "rank", "suit", "text", "value")

    index: int  # 0 … 51, suit by suit: 13 * suit + rank - 1
    rank: Rank
    suit: Suit
    value: int  # its blackjack value, an ace counting 1 (21-1.1)
    text: str

    def __init__(self, rank: Rank, suit: Suit) -> None:
        self.index = 13 * suit + rank - 1
        self.rank = rank
        self.suit = suit
        self.value = min(int(rank), 10)
        self.text = rank.letter + suit.letter

    def __repr__(self) -> str:
        return self.text

    __str__ = __repr__

    @property
    def pretty(self) -> str:
        """The card as people read it: `10♥`, `A♠`."""
        return ("10" if self.rank is Rank.TEN else self.rank.letter) + self.suit.symbol

    def _repr_html_(self) -> str:
        colour = "#b3261e" if self.suit in (Suit.DIAMONDS, Suit.HEARTS) else "#1d2b33"
        return f'<b style="background:#fff;color:{colour};padding:0 .3em">{self.pretty}</b>'

    def __hash__(self) -> int:
        return self.index

    def __lt__(self, other: Card) -> bool:
        return self.index < other.index

    def __reduce__(self) -> tuple[object, ...]:
        return (parse_card, (self.text,))

    def __copy__(self) -> Card:
        return self

    def __deepcopy__(self, memo: object) -> Card:
        return self


CARDS: Final[tuple[Card, ...]] = tuple(Card(rank, suit) for suit in Suit for rank in Rank)
"""All 52 cards, `CARDS[i].index == i`."""

_BY_TEXT: Final[dict[str, Card]] = {card.text: card for card in CARDS}
_CARD_PATTERN: Final = re.compile(r"(10|[2-9ATJQK])\ufe0f?([cdhs♣♦♥♠])\ufe0f?", re.IGNORECASE)
_SUIT_OF_SYMBOL: Final = dict(zip(SUIT_SYMBOLS, SUIT_LETTERS, strict=True))
_HOW: Final = "a card is a rank A 2-9 T(10) J Q K and a suit c d h s (or ♣ ♦ ♥ ♠), such as Th or A♠"


def parse_card(text: str) -> Card:
    """Read one card: `Th`, `10h`, `T♥` and `th` are the same card."""
    cards = parse_cards(text)
    if len(cards) != 1:
        raise MalformedInput(f"{text!r} is not one card; {_HOW}")
    return cards[0]


def parse_cards(text: str) -> tuple[Card, ...]:
    """Read cards written one after another, with or without spaces and commas: `Ah7c`, `A♥ 7♣`."""
    cards: list[Card] = []
    position = 0
    while position < len(text):
        if text[position] in " ,\t\n":
            position += 1
            continue
        match = _CARD_PATTERN.match(text, position)
        if match is None:
            raise MalformedInput(f"{text[position : position + 8]!r} is not a card; {_HOW}")
        rank, suit = match[1].upper(), match[2].lower()
        cards.append(_BY_TEXT[("T" if rank == "10" else rank) + _SUIT_OF_SYMBOL.get(suit, suit)])
        position = match.end()
    return tuple(cards)


def format_cards(cards: Iterable[Card]) -> str:
    """Write cards so that `parse_cards` reads them back."""
    return "".join(card.text for card in cards)


def parse_rank(text: str) -> Rank:
    """Read one rank: `A`, `7`, `T` or `10`, `K`."""
    letter = "T" if text == "10" else text.upper()
    if len(letter) != 1 or letter not in RANK_LETTERS:
        raise MalformedInput(f"{text!r} is not a rank; ranks are A 2 3 4 5 6 7 8 9 T(10) J Q K")
    return Rank(RANK_LETTERS.index(letter) + 1)
