"""What strangers do at the door, told to the log in few words, however often they do it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Final

from cardroom.records import Record
from cardroom.records.house import CookieRefused, RequestRefused

SECONDS_BETWEEN_RECORDS: Final = 60.0

Incident = CookieRefused | RequestRefused


class Incidents:
    """Each kind is recorded at most once a minute; a record says how often it happened since the last."""

    def __init__(self, report: Callable[[Record], None]) -> None:
        self._report = report
        self._last: dict[type[Incident], float] = {}
        self._times: Counter[type[Incident]] = Counter()

    def tell(self, kind: type[Incident], path: str, address: str, *, now: float) -> None:
        """Something was refused; `now` is in seconds of a clock that only goes forward."""
        self._times[kind] += 1
        last = self._last.get(kind)
        if last is not None and now < last + SECONDS_BETWEEN_RECORDS:
            return
        self._last[kind] = now
        self._report(kind(path=path[:120], address=address, times=self._times.pop(kind)))
