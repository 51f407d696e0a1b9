"""How often somebody may ask (a bucket that fills steadily), and how many live connections may be open."""

from __future__ import annotations

import math
from collections import Counter, OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from cardroom.core.errors import Unavailable
from cardroom.web.errors import TooMany

_MOST_BUCKETS: Final = 20_000
_STREAM_RETRY_SECONDS: Final = 10


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

    @property
    def seconds_until_next(self) -> int:
        """After so long somebody who was refused may ask once more."""
        return max(1, math.ceil(1 / self._per_second))

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


class StreamLimit:
    """So many live connections at once, in all and for each address."""

    def __init__(self, most: int, per_address: int, what: str = "live connections") -> None:
        self._what = what
        self._most = most
        self._per_address = per_address
        self._open: Counter[str] = Counter()

    def check(self, address: str) -> None:
        """Say why there is none, if there is none."""
        if self._open[address] >= self._per_address:
            message = f"{self._per_address} {self._what} are open from your address; close one first"
            raise TooMany(message, retry_seconds=_STREAM_RETRY_SECONDS)
        if self._open.total() >= self._most:
            raise Unavailable(f"all {self._most} {self._what} of this house are taken; come back later")

    @contextmanager
    def held(self, address: str) -> Iterator[None]:
        """Hold one for as long as the block lasts, or say why there is none."""
        self.check(address)
        self._open[address] += 1
        try:
            yield
        finally:
            self._open[address] -= 1
            if not self._open[address]:
                del self._open[address]
