"""One player: what the log says about their chips, their time and their limits."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from cardroom.core.errors import Conflict
from cardroom.presentation.money import dollars
from cardroom.presentation.numbers import counted
from cardroom.web.players.history import HistoryLine, kept_history
from cardroom.web.players.limits import (
    PERIODS,
    SPANS,
    LimitChange,
    LimitKind,
    in_force,
)

WELCOME_CENTS: Final = 1_000_00
"""The house chips that a new guest is given."""
PLAY: Final = "play:"
"""The accounts of money in rounds that are not over: `play:GAME:TABLE`."""
SESSION_GAP: Final = timedelta(minutes=20)
"""A player who was away for longer starts a new session."""
DEFAULT_REALITY_MINUTES: Final = 30
_MILLISECOND: Final = timedelta(milliseconds=1)
_LONGEST_SPAN: Final = max(SPANS.values())


_TICKETS: Final = 200


def kept_tickets(tickets: Iterable[tuple[str, int]] = ()) -> deque[tuple[str, int]]:
    """A player's last tickets: id and draw."""
    return deque(tickets, maxlen=_TICKETS)


def kept_purchases(purchases: Iterable[int] = ()) -> deque[int]:
    """A player's last purchases, by the number of their record."""
    return deque(purchases, maxlen=_TICKETS)


class ByMinute:
    """Amounts added up for each minute of the last thirty days: what limits look back on.

    >>> from datetime import UTC
    >>> noon, played = datetime(2025, 6, 14, 12, tzinfo=UTC), ByMinute()
    >>> for second in (10, 50, 70):
    ...     played.add(noon + timedelta(seconds=second), 5)
    >>> played.since(noon + timedelta(seconds=30)), played.since(noon + timedelta(seconds=60))
    (15, 5)
    """

    __slots__ = ("_amounts",)

    def __init__(self, amounts: Iterable[Sequence[int]] = ()) -> None:
        self._amounts: deque[tuple[int, int]] = deque((minute, amount) for minute, amount in amounts)

    def saved(self) -> list[list[int]]:
        """Minutes and their amounts, from which the same is made again."""
        return [[minute, amount] for minute, amount in self._amounts]

    def add(self, at: datetime, amount: int) -> None:
        """Take in an amount; moments come in their order."""
        minute = _minute(at)
        if self._amounts and self._amounts[-1][0] == minute:
            amount += self._amounts.pop()[1]
        self._amounts.append((minute, amount))
        while self._amounts[0][0] < _minute(at - _LONGEST_SPAN):
            self._amounts.popleft()

    def since(self, moment: datetime) -> int:
        """The sum since a moment; the whole minute of the moment counts."""
        first = _minute(moment)
        return sum(amount for minute, amount in self._amounts if minute >= first)


def _minute(at: datetime) -> int:
    return int(at.timestamp() // 60)


@dataclass(slots=True)
class Player:
    """A guest with house chips."""

    id: str
    name: str
    balance_cents: int = 0
    welcomed: bool = False
    limits: list[LimitChange] = field(default_factory=list)
    """What holds or waits of each limit."""
    break_until: datetime | None = None
    reality_minutes: int = DEFAULT_REALITY_MINUTES
    disabled: bool = False
    lost: ByMinute = field(default_factory=ByMinute)
    """Cents that were staked, less those that came back."""
    deposited: ByMinute = field(default_factory=ByMinute)
    played: ByMinute = field(default_factory=ByMinute)
    """Milliseconds at the tables."""
    session_since: datetime | None = None
    session_net_cents: int = 0
    """What came of the session so far; stakes of rounds and draws that are not over are no part of it."""
    in_play: dict[str, int] = field(default_factory=dict)
    """Where cents are staked in rounds and draws that are not over: the tables' accounts and draws' sales."""
    last_action: datetime | None = None
    last_check: datetime | None = None
    history: deque[HistoryLine] = field(default_factory=kept_history)
    tickets: deque[tuple[str, int]] = field(default_factory=kept_tickets)
    purchases: deque[int] = field(default_factory=kept_purchases)

    @property
    def account(self) -> str:
        return f"player:{self.id}"

    @property
    def chips_cents(self) -> int:
        """What the player can stake: a guest who has not played yet has the welcome chips waiting."""
        return self.balance_cents if self.welcomed else self.balance_cents + WELCOME_CENTS

    @property
    def in_play_cents(self) -> int:
        return sum(self.in_play.values())

    def moved(self, at: datetime, kind: str, cents: int, place: str = "") -> None:
        """Take in a movement of chips, below zero away from the player; `place` is where they are in play."""
        self.balance_cents += cents
        if kind == "deposit":
            self.deposited.add(at, cents)
            return
        self.lost.add(at, -cents)
        self.acted(at)
        if place:
            staked = self.in_play.pop(place, 0) - cents
            if staked:
                self.in_play[place] = staked
        else:
            self.session_net_cents += cents

    def corrected(self, at: datetime, cents: int) -> None:
        """The result of a round was put right: chips move, and nobody has played."""
        self.balance_cents += cents
        self.lost.add(at, -cents)
        if self.last_action is not None and at - self.last_action <= SESSION_GAP:
            self.session_net_cents += cents

    def round_over(self, place: str) -> None:
        """A round or a draw is over: what was staked there and did not come back is lost."""
        self.session_net_cents -= self.in_play.pop(place, 0)

    def acted(self, at: datetime) -> None:
        """Note that the player did something at a table."""
        if self.last_action is None or at - self.last_action > SESSION_GAP:
            self.session_since, self.session_net_cents, self.last_check = at, 0, at
        else:
            self.played.add(at, (at - self.last_action) // _MILLISECOND)
        self.last_action = at

    def lost_cents(self, since: datetime) -> int:
        """What was staked and has not come back since a moment; stakes in unfinished rounds count."""
        return self.lost.since(since)

    def deposited_cents(self, since: datetime) -> int:
        return self.deposited.since(since)

    def minutes_played(self, since: datetime) -> float:
        return self.played.since(since) / 60_000

    def session_minutes(self, now: datetime) -> int:
        """How long the player has been playing without a pause."""
        if self.session_since is None or self.last_action is None or now - self.last_action > SESSION_GAP:
            return 0
        return int((now - self.session_since).total_seconds() // 60)

    def reality_check_due(self, now: datetime) -> bool:
        """Whether the player is to be told how long they have played and what came of it (R-59)."""
        if self.last_check is None or self.last_action is None or now - self.last_action > SESSION_GAP:
            return False
        return now - self.last_check >= timedelta(minutes=self.reality_minutes)

    def limit(self, kind: LimitKind, now: datetime) -> list[tuple[timedelta, str, int]]:
        """The limits of one kind that hold now: span, its name, value."""
        limits: list[tuple[timedelta, str, int]] = []
        for period in PERIODS:
            value = in_force(self.limits, kind, period, now)
            if value is not None:
                limits.append((SPANS[period], period, value))
        return limits

    def require_play(self, stake_cents: int, now: datetime) -> None:
        """Refuse a stake that the house, a break or a limit forbids; the lowest limit holds (R-57, R-58)."""
        self.require_more(stake_cents, now)
        if self.reality_check_due(now):
            raise Conflict("first read how long you have played and what came of it, then go on or stop")
        for span, period, minutes in self.limit("time", now):
            if self.minutes_played(now - span) >= minutes:
                raise Conflict(f"you have played your {counted(minutes, 'minute')} of this {period}")
        if stake_cents > self.chips_cents:
            have = dollars(self.chips_cents)
            raise Conflict(f"that takes {dollars(stake_cents)} and you have {have}")

    def require_more(self, stake_cents: int, now: datetime) -> None:
        """Refuse to add to a wager in play, as by a double, what the house, a break or a limit on losses
        forbids; the time that was played, and what is to be read of it, are for the next wager."""
        if self.disabled:
            raise Conflict("the house has closed this seat; ask the floor")
        if self.break_until is not None and now < self.break_until:
            raise Conflict(
                f"you are on a break until {self.break_until:%Y-%m-%d %H:%M} UTC; it cannot be ended early"
            )
        for span, period, cents in self.limit("loss", now):
            if self.lost_cents(now - span) + stake_cents > cents:
                shown = dollars(cents)
                raise Conflict(f"this stake could pass your limit of {shown} lost in a {period}")

    def require_deposit(self, cents: int, now: datetime) -> None:
        """Refuse chips beyond the limit on deposits."""
        if self.disabled or (self.break_until is not None and now < self.break_until):
            raise Conflict("no chips are given out during a break or to a closed seat")
        for span, period, most in self.limit("deposit", now):
            if self.deposited_cents(now - span) + cents > most:
                raise Conflict(f"this would pass your limit of {dollars(most)} of chips in a {period}")
