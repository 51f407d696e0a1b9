"""Monster Match: the player's first two and the dealer's first two cards together (SIDE-4).

The source leaves the paytable to the table. This one is ours: it pays for equal ranks among the four
cards, more where the equal cards are identical (rank and suit), and its top line is the jackpot.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from cardroom.core.cards import Card
from cardroom.rules.options import Dollars, PayOdds, option
from cardroom.rules.sidebets.base import PayTable, SideBet

NOTE: Final = (
    "The source leaves the paytable of Monster Match to the table; the one in the game's own rules is an "
    "example of ours (SIDE-4)."
)


class MonsterTable(PayTable):
    """The posted table of one Monster Match wager, and its own meter."""

    meter_seed: Dollars = option(
        "four identical cards win the meter, which starts at {} (an example of ours, like every pay of this "
        "table: the source leaves the paytable to the table)",
        "SIDE-4",
    )
    meter_increment_percent: int = option("{} % of every wager goes into the meter", "SIDE-4", ge=0, le=100)
    four_of_a_kind: PayOdds = option("four of a kind pays {}", "SIDE-4")
    two_identical_pairs: PayOdds = option("two pairs of identical cards pay {}", "SIDE-4")
    three_identical: PayOdds = option("three identical cards pay {}", "SIDE-4")
    three_of_a_kind: PayOdds = option("three of a kind pays {}", "SIDE-4")
    two_pairs: PayOdds = option("two pairs pay {}", "SIDE-4")
    identical_pair: PayOdds = option("a pair of identical cards pays {}", "SIDE-4")


JACKPOT = "four_identical"


def monster_line(first: Card, second: Card, up: Card, hole: Card) -> str | None:
    """The best line that the four cards make, or None."""
    cards = (first, second, up, hole)
    ranks = sorted(Counter(card.rank for card in cards).values(), reverse=True)
    identical = sorted(Counter(card.index for card in cards).values(), reverse=True)
    if ranks[0] == 4:
        return JACKPOT if identical[0] == 4 else "four_of_a_kind"
    if ranks[0] == 3:
        return "three_identical" if identical[0] == 3 else "three_of_a_kind"
    if ranks == [2, 2]:
        return "two_identical_pairs" if identical == [2, 2] else "two_pairs"
    return "identical_pair" if identical[0] == 2 else None


def _monster_match(dollars: int) -> SideBet:
    return SideBet(
        wager=f"monster-match-{dollars}",
        title=f"Monster Match ${dollars}",
        clause="SIDE-4",
        table=MonsterTable,
        looks_at=("first", "second", "up", "hole"),
        line=monster_line,
        stake="fixed",
        fixed_stake_cents=100 * dollars,
        progressive_line=JACKPOT,
        any_order=True,
        any_suits=True,
        note=NOTE,
    )


MONSTER_MATCH_1 = _monster_match(1)
MONSTER_MATCH_5 = _monster_match(5)
