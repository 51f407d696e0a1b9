"""The shoe as the solver sees it: how many cards of each rank and of each class that the law tells apart."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cardroom.core.cards import CARDS, Card, Rank, parse_card, parse_rank
from cardroom.core.decks import CardCounts, DeckKind
from cardroom.core.errors import MalformedInput
from cardroom.model.twentyone.automaton import CardClasses
from cardroom.rules.twentyone import TwentyOneRules

TEN_RANKS: Final = (Rank.TEN, Rank.JACK, Rank.QUEEN, Rank.KING)
_PART: Final = re.compile(r"\s*(10|[A2-9TJQK])([cdhs♣♦♥♠]?)\s*:\s*(\d+)\s*", re.IGNORECASE)
MOST_OF_A_CARD: Final = 9_999
LEAST_CARDS: Final = 4
"""Two for the player and two for the dealer."""


@dataclass(frozen=True)
class Shoe:
    """Cards to be dealt from; `ranks` are the ten values, or the thirteen ranks where tens pair by rank."""

    cards: CardCounts
    infinite: bool
    values: NDArray[np.int64]
    """[rank]: its blackjack value, an ace 1."""
    counts: NDArray[np.int64]
    """[rank]: how many there are."""
    class_counts: NDArray[np.int64]
    """[class]: how many there are of each class of cards."""
    class_ranks: NDArray[np.int64]
    """[class]: its rank."""

    @property
    def total(self) -> int:
        return int(self.counts.sum())

    def rank_of(self, card: Card) -> int:
        """The number of a card's rank."""
        return min(int(card.rank), len(self.values)) - 1


def shoe_of(rules: TwentyOneRules, classes: CardClasses, cards: CardCounts | None = None) -> Shoe:
    """The full shoe of the rules, or the given cards in its place."""
    infinite = cards is None and rules.decks == "infinite"
    cards = rules.shoe() if cards is None else cards
    if cards.total < LEAST_CARDS:
        raise MalformedInput(f"a round begins with {LEAST_CARDS} cards; the shoe has {cards.total}")
    ranks = 10 if rules.split.unlike_tens else len(Rank)
    counts = np.zeros(ranks, np.int64)
    class_counts = np.zeros(len(classes.example), np.int64)
    for card in CARDS:
        counts[min(int(card.rank), ranks) - 1] += cards[card]
        class_counts[classes.of_card[card.index]] += cards[card]
    return Shoe(
        cards=cards,
        infinite=infinite,
        values=np.minimum(np.arange(1, ranks + 1), 10),
        counts=counts,
        class_counts=class_counts,
        class_ranks=np.array([min(int(card.rank), ranks) - 1 for card in classes.example]),
    )


def parse_shoe(text: str, deck: DeckKind = "standard") -> CardCounts:
    """Read a shoe by its cards: ranks (`T` any ten-valued card) or cards, each with its number.

    A rank without a suit is spread over the suits as evenly as it goes, and `T` over the ten-valued ranks
    that the deck has: a Spanish one has jacks, queens and kings.

    >>> parse_shoe("A:2,7d:1").total
    3
    >>> str(parse_shoe("T:12", "spanish"))
    'Jc:1,Qc:1,Kc:1,Jd:1,Qd:1,Kd:1,Jh:1,Qh:1,Kh:1,Js:1,Qs:1,Ks:1'
    """
    counts = [0] * len(CARDS)
    in_deck = CardCounts.of_decks(deck, 1)
    for part in text.split(","):
        match = _PART.fullmatch(part)
        if match is None:
            raise MalformedInput(
                f"{part.strip()!r} is not a count of cards; write RANK:NUMBER or CARD:NUMBER, like T:4, 7d:2"
            )
        number = int(match[3])
        if number > MOST_OF_A_CARD:
            raise MalformedInput(f"{part.strip()!r} is more than a shoe holds; {MOST_OF_A_CARD} are the most")
        if match[2]:
            card = parse_card(match[1] + match[2])
            if not in_deck[card]:
                raise MalformedInput(f"{part.strip()!r}: there is no {card} in a {deck} deck")
            counts[card.index] += number
            continue
        rank = parse_rank(match[1])
        ranks = TEN_RANKS if rank is Rank.TEN else (rank,)
        places = [card.index for card in CARDS if card.rank in ranks and in_deck[card]]
        for nth in range(number):
            counts[places[nth % len(places)]] += 1
    return CardCounts(counts)
