"""The time of day, in the one place of this room where it is read, and the house's own time.

The house's time runs by a clock that nobody can set. It starts at the time of day and follows it from then
on by running at most a tenth faster or slower, so that small corrections shorten and lengthen nothing that
anybody notices, and it never goes back. Where the time of day jumps, the house's time goes on as if it had
not, until people say which of the two is right: tables do not freeze, and no draw is passed over.

A server that starts anew knows of a jump since the last one by a reading of the house's time that was kept:
the seconds of a machine that was not started in between go on, whatever its time of day does.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from cardroom.core.jumps import MOST_BEHIND, Jump, jump_of
from cardroom.store.database import Clock

CORRECTION: Final = 10
"""The house's time runs faster or slower by one part in so many, at most."""
_NOTHING: Final = timedelta(0)
_MACHINE_START: Final = Path("/proc/sys/kernel/random/boot_id")


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        return datetime.now(UTC)


def steady_seconds() -> float:
    """Seconds by a clock that nobody can set; those of a sleeping machine count where the system has them."""
    clock = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if clock is None else time.clock_gettime(clock)


def machine_start() -> str:
    """The name of this start of the machine, from which its steady seconds count; "" where it has none."""
    try:
        return _MACHINE_START.read_text("ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""


@dataclass(frozen=True, slots=True)
class Reading:
    """The house's time at a moment that the machine's steady seconds tell."""

    machine_start: str
    steady_seconds: float
    time: datetime
    tolerated: timedelta = _NOTHING
    """So far the house's time may be ahead of the time of day, since people said so."""


class HouseClock:
    """The house's own time, held against the time of day at every look."""

    def __init__(
        self,
        day: Clock | None = None,
        steady: Callable[[], float] = steady_seconds,
        *,
        start: Callable[[], str] = machine_start,
    ) -> None:
        self._day = day or SystemClock()
        self._steady = steady
        self._start = start()
        self._lock = threading.Lock()
        self._time = self._day.now()
        self._looked = steady()
        self._tolerated = _NOTHING
        """So far the house's time may be ahead of the time of day, since people said so."""
        self._jump: Jump | None = None

    def now(self) -> datetime:
        """The house's time."""
        with self._lock:
            self._look()
            return self._time

    @property
    def jump(self) -> Jump | None:
        """How far the time of day is from the house's time; None where the difference is small."""
        with self._lock:
            self._look()
            return self._jump

    def time_of_day(self) -> datetime:
        """What the machine's clock shows, right or wrong."""
        return self._day.now()

    def not_before(self, moment: datetime) -> None:
        """The log has come to a moment: the house's time is not before it."""
        with self._lock:
            self._look()
            self._time = max(self._time, moment)

    def reading(self) -> Reading:
        """The house's time, for the next server on this machine."""
        with self._lock:
            self._look()
            return Reading(self._start, self._looked, self._time, self._tolerated)

    def go_on_from(self, reading: Reading) -> None:
        """An earlier server read the house's time: where the time of day has jumped since, it goes on.

        After a new start of the machine nobody can tell a jump from the time that it was off.
        """
        with self._lock:
            self._look()
            passed = self._looked - reading.steady_seconds
            if not self._start or reading.machine_start != self._start or passed < 0:
                return
            expected = reading.time + timedelta(seconds=passed)
            if jump_of(expected=expected, reading=self._day.now()) is not None:
                self._time, self._tolerated = expected, reading.tolerated
                self._look()

    def start_anew(self) -> None:
        """The log's time was put back by people: the house's time is the time of day again."""
        with self._lock:
            self._time, self._tolerated = self._day.now(), _NOTHING
            self._look()

    def trust_time_of_day(self) -> None:
        """People have said that the time of day is right.

        Where it is ahead, the house's time is that from now on. Where it is behind, the house's time does not
        go back: it runs slower until the time of day has caught up.
        """
        with self._lock:
            self._look()
            behind = self._time - self._day.now()
            self._time -= min(behind, _NOTHING)
            self._tolerated = max(behind, _NOTHING)
            self._look()

    def _look(self) -> None:
        looked = self._steady()
        passed = timedelta(seconds=max(0.0, looked - self._looked))
        expected, time_of_day = self._time + passed, self._day.now()
        self._looked = looked
        behind = expected - time_of_day
        self._tolerated = max(_NOTHING, min(self._tolerated, behind))
        self._jump = jump_of(expected=expected, reading=time_of_day)
        if self._jump is not None and _NOTHING < behind < self._tolerated + MOST_BEHIND:
            self._jump = None
        if self._jump is None:
            most = passed / CORRECTION
            expected -= max(-most, min(behind, most))
        self._time = expected
