"""Whether a clock has jumped: the time it tells, beside the time that was to be expected.

>>> from datetime import UTC
>>> noon = datetime(2025, 6, 14, 12, tzinfo=UTC)
>>> jump_of(expected=noon, reading=noon + timedelta(seconds=59)) is None
True
>>> str(jump_of(expected=noon, reading=noon + timedelta(days=1)))
'the time of day is 1 day, 0:00:00 ahead of the time to be expected'
>>> str(jump_of(expected=noon, reading=noon - timedelta(seconds=40)))
'the time of day is 0:00:40 behind the time to be expected'
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

MOST_AHEAD: Final = timedelta(seconds=60)
"""A clock that is ahead of the time to be expected by so much, or by more, has jumped."""
MOST_BEHIND: Final = timedelta(seconds=30)
"""The same for a clock that is behind."""


@dataclass(frozen=True, slots=True)
class Jump:
    """How far a clock is from the time that was to be expected; below zero it is behind."""

    by: timedelta

    @property
    def is_ahead(self) -> bool:
        return self.by > timedelta(0)

    def __str__(self) -> str:
        whole = timedelta(seconds=round(abs(self.by).total_seconds()))
        side = "ahead of" if self.is_ahead else "behind"
        return f"the time of day is {whole} {side} the time to be expected"


def jump_of(*, expected: datetime, reading: datetime) -> Jump | None:
    """The jump of a clock that tells a time where another was to be expected; None for a small difference."""
    by = reading - expected
    return Jump(by) if by >= MOST_AHEAD or by <= -MOST_BEHIND else None
