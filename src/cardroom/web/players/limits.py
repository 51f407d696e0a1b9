"""Limits that players set themselves, and breaks they take (R-57, R-58).

>>> from datetime import UTC, datetime, timedelta
>>> noon = datetime(2025, 6, 14, 12, tzinfo=UTC)
>>> changes = [LimitChange("loss", "day", 10_000, noon), LimitChange("loss", "day", 50_000, noon)]
>>> in_force(changes, "loss", "day", noon), in_force(changes, "loss", "day", noon + timedelta(hours=24))
(10000, 50000)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Literal, get_args

from cardroom.core.errors import MalformedInput

LimitKind = Literal["loss", "deposit", "time"]
Period = Literal["day", "week", "month"]
LIMIT_KINDS: Final[tuple[LimitKind, ...]] = get_args(LimitKind)
PERIODS: Final[tuple[Period, ...]] = get_args(Period)
LOOSENING_WAITS: Final = timedelta(hours=24)
SPANS: Final[Mapping[Period, timedelta]] = {
    "day": timedelta(days=1),
    "week": timedelta(days=7),
    "month": timedelta(days=30),
}
"""A limit looks back over so much time from the moment of a wager."""
LONGEST_BREAK: Final = timedelta(days=5 * 365)


@dataclass(frozen=True, slots=True)
class LimitChange:
    """A limit asked for: cents (loss, deposit) or minutes (time), or None for no limit."""

    kind: LimitKind
    period: Period
    value: int | None
    at: datetime


def parse_limit(kind: str, period: str, value: int | None, at: datetime) -> LimitChange:
    """Read a limit; every part is checked."""
    for known_kind in LIMIT_KINDS:
        for known_period in PERIODS:
            if (kind, period) == (known_kind, known_period):
                if value is not None and value < 0:
                    raise MalformedInput("a limit is zero or more")
                return LimitChange(known_kind, known_period, value, at)
    raise MalformedInput(
        f"there is no limit {kind[:20]!r} per {period[:20]!r}; "
        f"limits are {', '.join(LIMIT_KINDS)} per {', '.join(PERIODS)}"
    )


def in_force(changes: Iterable[LimitChange], kind: LimitKind, period: Period, now: datetime) -> int | None:
    """The limit that holds now: a tighter one from the moment it was set, a looser one after 24 hours."""
    own = [change for change in changes if (change.kind, change.period) == (kind, period)]
    current, _ = _standing(own, now)
    return None if current is None else current.value


def _standing(own: Iterable[LimitChange], now: datetime) -> tuple[LimitChange | None, LimitChange | None]:
    """Of the changes of one limit: the one that holds now, and the one that waits."""
    current: LimitChange | None = None
    waiting: LimitChange | None = None
    for change in own:
        if change.at > now:
            continue
        if waiting is not None and change.at >= waiting.at + LOOSENING_WAITS:
            current, waiting = waiting, None
        if is_tighter(change.value, None if current is None else current.value):
            current, waiting = change, None
        else:
            waiting = change
    if waiting is not None and now >= waiting.at + LOOSENING_WAITS:
        current, waiting = waiting, None
    return current, waiting


def with_change(changes: Iterable[LimitChange], change: LimitChange) -> list[LimitChange]:
    """The changes and one more; of one limit at most two stay, what holds and what waits."""
    known = list(changes)
    own = [one for one in known if (one.kind, one.period) == (change.kind, change.period)]
    others = [one for one in known if one not in own]
    own.append(change)
    standing = _standing(own, max(one.at for one in own))
    return [*others, *(one for one in standing if one is not None)]


def is_tighter(new: int | None, old: int | None) -> bool:
    """Whether a limit allows no more than another; None is no limit."""
    if new is None:
        return old is None
    return old is None or new <= old


def waiting_limit(
    changes: Iterable[LimitChange], kind: LimitKind, period: Period, now: datetime
) -> tuple[datetime, int | None] | None:
    """A looser limit that was asked for and does not hold yet: from when, and what."""
    known = list(changes)
    later = now + LOOSENING_WAITS
    own = [change for change in known if (change.kind, change.period) == (kind, period)]
    if not own or in_force(known, kind, period, now) == in_force(known, kind, period, later):
        return None
    return own[-1].at + LOOSENING_WAITS, own[-1].value
