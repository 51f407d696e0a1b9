"""What the cards of a hand count, as a dealer says it."""

from __future__ import annotations

from collections.abc import Sequence

from cardroom.core.cards import Card
from cardroom.rules.knockout21.law import hand_total
from cardroom.rules.twentyone import law


def total_words(cards: Sequence[Card], *, from_split: bool = False) -> str:
    """The total of a hand in a blackjack-family game.

    >>> from cardroom.core.cards import parse_cards
    >>> [total_words(parse_cards(cards)) for cards in ("Ah7c", "Th6c", "Th6c9d", "AhKc", "Ah", "Ah4c6d")]
    ['soft 18', '16', '25, bust', 'blackjack', 'ace', '21']
    """
    if law.is_blackjack(cards, from_split=from_split):
        return "blackjack"
    total, soft = law.total_of(cards)
    if soft and len(cards) == 1:
        return "ace"
    return _points(total, soft=soft)


def knockout_total_words(values: Sequence[int]) -> str:
    """The total of a hand of Knockout 21 by the values of its cards, an ace as 1 (KO21-1.2).

    >>> [knockout_total_words(values) for values in ((1, 6), (10, 6), (1, 10), (10, 6, 9), (1, 6, 5))]
    ['soft 17', '16', '21', '25, bust', '12']
    """
    total = hand_total(values)
    return _points(total, soft=total > sum(values))


def _points(total: int, *, soft: bool) -> str:
    if total > law.BLACKJACK_TOTAL:
        return f"{total}, bust"
    return f"soft {total}" if soft and total < law.BLACKJACK_TOTAL else str(total)


def kind_of_total(cards: Sequence[Card]) -> str:
    """The total of a hand as a row of a strategy chart names it: `soft 18`, `hard 16`."""
    total, soft = law.total_of(cards)
    return f"{'soft' if soft else 'hard'} {total}"
