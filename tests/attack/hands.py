"""The two clocks of a machine, set by hand: the time of day, which may jump, and one that nobody can set."""

from __future__ import annotations

from datetime import timedelta

from tests.databases import HandClock


class Hands(HandClock):
    """The time of day of a machine; `steady` counts the seconds that have really passed on it."""

    _seconds = 0.0

    def steady(self) -> float:
        return self._seconds

    def advance(self, **duration: float) -> None:
        """Time passes, on both clocks."""
        super().advance(**duration)
        self._seconds += timedelta(**duration).total_seconds()

    def jump(self, seconds: float) -> None:
        """The time of day is set to another one; no time passes."""
        super().advance(seconds=seconds)
