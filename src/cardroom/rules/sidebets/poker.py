"""21+3: the player's two cards and the up card as a three-card poker hand (SIDE-1)."""

from __future__ import annotations

from cardroom.core.cards import Card
from cardroom.rules.options import PayOdds, option
from cardroom.rules.sidebets.base import PayTable, SideBet


class PokerTable(PayTable):
    """The posted table of 21+3."""

    suited_three_of_a_kind: PayOdds = option("suited three of a kind pays {}", "SIDE-1")
    straight_flush: PayOdds = option("a straight flush pays {}", "SIDE-1")
    three_of_a_kind: PayOdds = option("three of a kind pays {}", "SIDE-1")
    straight: PayOdds = option("a straight pays {}, an ace high or low", "SIDE-1")
    flush: PayOdds = option("a flush pays {}", "SIDE-1")


def poker_line(first: Card, second: Card, up: Card) -> str | None:
    """The best three-card poker line, or None."""
    cards = (first, second, up)
    suited = first.suit == second.suit == up.suit
    ranks = sorted(card.rank for card in cards)
    if ranks[0] == ranks[2]:
        return "suited_three_of_a_kind" if suited else "three_of_a_kind"
    in_a_row = ranks[0] + 1 == ranks[1] and ranks[1] + 1 == ranks[2]
    straight = in_a_row or ranks == [1, 12, 13]
    if straight:
        return "straight_flush" if suited else "straight"
    return "flush" if suited else None


TWENTY_ONE_PLUS_THREE = SideBet(
    wager="21+3",
    title="21+3",
    clause="SIDE-1",
    table=PokerTable,
    looks_at=("first", "second", "up"),
    line=poker_line,
    any_suits=True,
)
