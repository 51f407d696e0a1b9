"""What became of every wager of a round: how it ended, by which line, and what it won or lost."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from cardroom.engine.twentyone.events import (
    PRIMARY,
    BonusPaid,
    Event,
    JackpotPaid,
    WagerAdded,
    WagerPaid,
    WagerReturned,
    WagerTaken,
)

JACKPOT = "jackpot"
"""The line of a progressive wager that won its meter."""


@dataclass(frozen=True, slots=True)
class WagerOutcome:
    """A wager that is decided; one that still stands on the table is none."""

    spot: int
    player: str
    wager: str
    hand: int
    """The hand of the spot, counted from 1; 1 for what lies beside the hands."""
    why: str
    """The line by which it won, or why it was lost or returned."""
    stake_cents: int = 0
    """All that was staked on it, with every double; nothing for a bonus, which needs no stake."""
    net_cents: int = 0
    added_cents: tuple[int, ...] = ()
    """What each double added to it."""
    of_split: bool = False

    @property
    def result(self) -> Literal["won", "lost", "returned"]:
        return "won" if self.net_cents > 0 else "lost" if self.net_cents < 0 else "returned"


def wager_outcomes(events: Iterable[Event]) -> tuple[WagerOutcome, ...]:
    """The outcomes of a round so far, in the order in which its wagers were decided.

    A hand that was given up lost one part and got the other back: that is one outcome.
    """
    outcomes: dict[tuple[int, str, int], WagerOutcome] = {}
    doubles: dict[tuple[int, int], tuple[int, ...]] = {}
    split: set[int] = set()
    for event in events:
        match event:
            case WagerAdded(stands="with its hand"):
                split.add(event.spot)
            case WagerAdded():
                place = (event.spot, event.hand)
                doubles[place] = (*doubles.get(place, ()), event.added_cents)
            case WagerTaken(stake_cents=cents):
                _add(outcomes, event, event.wager, event.hand, event.why, cents, -cents)
            case WagerPaid(stake_cents=cents, payment_cents=payment):
                _add(outcomes, event, event.wager, event.hand, event.why, cents, payment)
            case WagerReturned(stake_cents=cents):
                _add(outcomes, event, event.wager, event.hand, event.why, cents, 0)
            case JackpotPaid(stake_cents=cents, payment_cents=payment):
                _add(outcomes, event, event.wager, 1, JACKPOT, cents, payment)
            case BonusPaid(payment_cents=payment):
                _add(outcomes, event, event.bonus, 1, "", 0, payment)
            case _:
                pass
    return tuple(
        replace(one, added_cents=doubles.get((one.spot, one.hand), ()), of_split=one.spot in split)
        if one.wager == PRIMARY
        else one
        for one in outcomes.values()
    )


def _add(
    outcomes: dict[tuple[int, str, int], WagerOutcome],
    event: WagerTaken | WagerPaid | WagerReturned | JackpotPaid | BonusPaid,
    wager: str,
    hand: int,
    why: str,
    stake_cents: int,
    net_cents: int,
) -> None:
    key = (event.spot, wager, hand)
    before = outcomes.get(key) or WagerOutcome(event.spot, event.player, wager, hand, why)
    outcomes[key] = replace(
        before, stake_cents=before.stake_cents + stake_cents, net_cents=before.net_cents + net_cents
    )
