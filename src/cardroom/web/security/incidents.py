"""What strangers do again and again, told to the log in few words, however often they do it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Final

from cardroom.records import Record
from cardroom.records.house import CookieRefused, RequestRefused

SECONDS_BETWEEN_RECORDS: Final = 60.0

Incident = CookieRefused | RequestRefused


class Counted:
    """How often each kind of thing happened: told at most once a minute, with the number since the last.

    >>> seen = Counted()
    >>> [seen.another("a knock", now=second) for second in (0.0, 1.0, 59.0, 60.0)]
    [1, 0, 0, 3]
    """

    def __init__(self) -> None:
        self._last: dict[str, float] = {}
        self._times: Counter[str] = Counter()

    def another(self, kind: str, *, now: float) -> int:
        """Once more; the number to be told now, or 0 where it is not the time to tell.

        `now` is in seconds of a clock that only goes forward.
        """
        self._times[kind] += 1
        last = self._last.get(kind)
        if last is not None and now < last + SECONDS_BETWEEN_RECORDS:
            return 0
        self._last[kind] = now
        return self._times.pop(kind)


class Incidents:
    """What was refused at the door."""

    def __init__(self, report: Callable[[Record], None]) -> None:
        self._report = report
        self._counted = Counted()

    def tell(self, kind: type[Incident], path: str, address: str, *, now: float) -> None:
        """Something was refused; `now` is in seconds of a clock that only goes forward."""
        if times := self._counted.another(kind.__name__, now=now):
            self._report(kind(path=path[:120], address=address, times=times))
