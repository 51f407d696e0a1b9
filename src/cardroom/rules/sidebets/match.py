"""Match the Dealer, Match Up and Match Down: two cards against one of the dealer's (SIDE-2, SIDE-3)."""

from __future__ import annotations

from typing import Final

from cardroom.core.cards import Card
from cardroom.rules.options import PayOdds, option
from cardroom.rules.sidebets.base import PayTable, SideBet


class MatchTable(PayTable):
    """The posted table of a match bet."""

    two_suited: PayOdds = option("two suited matches pay {}", "SIDE-2")
    suited_and_unsuited: PayOdds = option("a suited and an unsuited match pay {}", "SIDE-2")
    one_suited: PayOdds = option("one suited match pays {}", "SIDE-2")
    two_unsuited: PayOdds = option("two unsuited matches pay {}", "SIDE-2")
    one_unsuited: PayOdds = option("one unsuited match pays {}", "SIDE-2")


_LINE_OF: Final[dict[tuple[int, int], str]] = {
    (2, 0): "two_suited",
    (1, 1): "suited_and_unsuited",
    (1, 0): "one_suited",
    (0, 2): "two_unsuited",
    (0, 1): "one_unsuited",
}


def match_line(first: Card, second: Card, dealer: Card) -> str | None:
    """Each card matches on its own, by rank; a match is suited or not."""
    matches = [card for card in (first, second) if card.rank == dealer.rank]
    suited = sum(card.suit == dealer.suit for card in matches)
    return _LINE_OF.get((suited, len(matches) - suited))


MATCH_THE_DEALER = SideBet(
    wager="match-the-dealer",
    title="Match the Dealer",
    clause="SIDE-2",
    table=MatchTable,
    looks_at=("first", "second", "up"),
    line=match_line,
    any_suits=True,
)
MATCH_UP = SideBet(
    wager="match-up",
    title="Match Up",
    clause="SIDE-3",
    table=MatchTable,
    looks_at=("first", "second", "up"),
    line=match_line,
    any_suits=True,
    stake="at_most_primary",
)
MATCH_DOWN = SideBet(
    wager="match-down",
    title="Match Down",
    clause="SIDE-3",
    table=MatchTable,
    looks_at=("first", "second", "hole"),
    line=match_line,
    any_suits=True,
    stake="at_most_primary",
    needs="match-up",
)
