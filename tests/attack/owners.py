"""Who owns what, kept by somebody who sees only the answers of the house: the simple model of a ledger.

A player's chips are the welcome, what was taken more, what tickets cost, what prizes brought, and what
finished rounds came to; less what lies in rounds that are not over. Nothing here reads the house's books.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

WELCOME_CENTS = 100_000
TICKET_CENTS = 500
"""A ticket costs five dollars (KO21-2.3)."""
_DAY = timedelta(days=1)
_SLACK = timedelta(minutes=2)
"""The house counts whole minutes, and a loss is noticed a moment after it was made."""


@dataclass
class Owner:
    """One player, as an onlooker knows them."""

    taken_cents: int = 0
    """Chips asked for and given."""
    tickets: dict[str, int] = field(default_factory=dict)
    """The draw of each ticket that was sold to the player."""
    settled: frozenset[int] = frozenset()
    """The draws that are settled: the prices of all other tickets are in play."""
    prizes: dict[str, int] = field(default_factory=dict)
    """What was paid to the player, by ticket."""
    nets: dict[str, int] = field(default_factory=dict)
    """What each finished round came to."""
    chips_cents: int = WELCOME_CENTS
    """As they were last seen."""
    losses: list[tuple[datetime, int]] = field(default_factory=list)
    limit_cents: int | None = None
    break_until: datetime | None = None

    def expected_cents(self, in_play_cents: int) -> int:
        """The chips that the player must have."""
        return (
            WELCOME_CENTS
            + self.taken_cents
            - TICKET_CENTS * sum(draw in self.settled for draw in self.tickets.values())
            + sum(self.prizes.values())
            + sum(self.nets.values())
            - in_play_cents
        )

    def hear(self, rounds: Sequence[Mapping[str, Any]]) -> None:
        """Take in the results of finished rounds; a result never changes."""
        for line in rounds:
            known = self.nets.setdefault(line["id"], line["net_cents"])
            assert known == line["net_cents"], f"the result of round {line['id']} has changed"

    def has_expected(self, session: Mapping[str, Any]) -> bool:
        """Whether the house shows the chips that the player must have."""
        return bool(session["chips_cents"] == self.expected_cents(session["in_play_cents"]))

    def see(self, session: Mapping[str, Any], now: datetime, *, in_round: bool) -> None:
        """Compare what the house shows with what must be so.

        In a round that is not over, what was paid at once (a blackjack, a side bet) is no result yet.
        """
        chips, expected = session["chips_cents"], self.expected_cents(session["in_play_cents"])
        assert self.has_expected(session) or (in_round and chips > expected), (
            f"chips are {chips} and must be {expected}: {self}"
        )
        self._see_losses(session["chips_cents"], now)
        self.limit_cents = next(
            line["value"] for line in session["limits"] if (line["kind"], line["period"]) == ("loss", "day")
        )
        until = session["break_until"]
        self.break_until = datetime.fromisoformat(until) if until else None

    def _see_losses(self, chips_cents: int, now: datetime) -> None:
        """What has gone since the last look may not have passed the limit, nor have gone during a break."""
        gone = self.chips_cents - chips_cents
        self.chips_cents = chips_cents
        self.losses.append((now, gone))
        if gone <= 0:
            return
        assert self.break_until is None or now >= self.break_until, f"{gone} cents were staked during a break"
        if self.limit_cents is not None:
            lost = min(self._lost_since(now - _DAY), self._lost_since(now - _DAY + _SLACK))
            assert lost <= self.limit_cents, (
                f"{lost} cents are lost in a day, the limit is {self.limit_cents}"
            )

    def _lost_since(self, moment: datetime) -> int:
        return sum(cents for at, cents in self.losses if at >= moment)

    def take(self, cents: int) -> None:
        """Chips were given out; they are no gain."""
        self.taken_cents += cents
        self.chips_cents += cents
