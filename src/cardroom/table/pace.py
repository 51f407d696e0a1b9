"""The pace of play at a table: rounds per hour and the time that players take to decide."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Final

_MINUTES: Final = 60
_MILLISECOND: Final = timedelta(milliseconds=1)
_NO_TIME: Final = timedelta(0)
_LONGEST_DECISION: Final = timedelta(minutes=5)
"""A decision counts for so long at most: what is longer was an interruption of the house."""


class Pace:
    """What ended and what was decided in each minute of the last hour.

    >>> from datetime import UTC
    >>> noon, pace = datetime(2025, 6, 14, 12, tzinfo=UTC), Pace()
    >>> for minute in range(30):
    ...     pace.answered(noon + timedelta(minutes=minute), timedelta(seconds=3))
    ...     pace.round_ended(noon + timedelta(minutes=minute))
    >>> pace.rounds_per_hour(noon + timedelta(minutes=29)), pace.seconds_per_decision(noon)
    (60.0, 3.0)
    """

    __slots__ = ("_minutes",)

    def __init__(self, minutes: Iterable[Sequence[int]] = ()) -> None:
        self._minutes: deque[list[int]] = deque(list(one) for one in minutes)
        """Minute, rounds that ended in it, decisions, and the milliseconds that they took."""

    def saved(self) -> list[list[int]]:
        """As plain data, from which the same is made again."""
        return [list(one) for one in self._minutes]

    def round_ended(self, at: datetime) -> None:
        """A round is over."""
        self._minute(at)[1] += 1

    def answered(self, at: datetime, time_taken: timedelta) -> None:
        """A player has decided."""
        minute = self._minute(at)
        minute[2] += 1
        minute[3] += min(max(time_taken, _NO_TIME), _LONGEST_DECISION) // _MILLISECOND

    def rounds_per_hour(self, now: datetime) -> float | None:
        """Rounds of the last hour, by the time since the first of them; None where there was none."""
        last = self._last_hour(now)
        if not any(one[1] for one in last):
            return None
        minutes = _number(now) - last[0][0] + 1
        return sum(one[1] for one in last) * _MINUTES / minutes

    def seconds_per_decision(self, now: datetime) -> float | None:
        """How long a player took to decide, on average of the last hour; None where nobody did."""
        last = self._last_hour(now)
        count = sum(one[2] for one in last)
        return sum(one[3] for one in last) / count / 1000 if count else None

    def _minute(self, at: datetime) -> list[int]:
        number = _number(at)
        if not self._minutes or self._minutes[-1][0] < number:
            self._minutes.append([number, 0, 0, 0])
            while self._minutes[0][0] <= number - _MINUTES:
                self._minutes.popleft()
        return self._minutes[-1]

    def _last_hour(self, now: datetime) -> list[list[int]]:
        return [one for one in self._minutes if one[0] > _number(now) - _MINUTES]


def _number(at: datetime) -> int:
    return int(at.timestamp() // 60)
