"""How often somebody may ask: a bucket that fills steadily and is emptied by requests."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

_MOST_BUCKETS: Final = 20_000


@dataclass(slots=True)
class _Bucket:
    left: float
    at: float


class RateLimit:
    """So many requests a second for each name, with a burst on top.

    >>> limit = RateLimit(per_second=1, burst=2)
    >>> [limit.allow("a", now=0.0) for _ in range(3)], limit.allow("a", now=1.0)
    ([True, True, False], True)
    """

    def __init__(self, per_second: float, burst: int) -> None:
        self._per_second = per_second
        self._burst = burst
        self._buckets: OrderedDict[str, _Bucket] = OrderedDict()

    def allow(self, name: str, *, now: float) -> bool:
        """Take one request from the name's bucket, if there is one left."""
        bucket = self._buckets.pop(name, None) or _Bucket(float(self._burst), now)
        bucket.left = min(float(self._burst), bucket.left + max(0.0, now - bucket.at) * self._per_second)
        bucket.at = now
        self._buckets[name] = bucket
        if len(self._buckets) > _MOST_BUCKETS:
            self._buckets.popitem(last=False)
        if bucket.left < 1:
            return False
        bucket.left -= 1
        return True
