"""Batches of rounds, and the threads of this process that play them.

A batch is the same whoever plays it and whenever, and the sum is of whole numbers, so a result depends on the
seed and the number of rounds alone.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from cardroom.core.errors import MalformedInput

Tally = NDArray[np.int64]
Play = Callable[[int, int], Tally]
"""`play(batch, rounds)`: the tally of one batch. Kernels release Python's lock, so threads are enough."""

ROUNDS_PER_BATCH: Final = 1 << 20
_BATCHES_AHEAD: Final = 2  # per worker, so that no worker waits and an interruption is soon over


class Spread(Protocol):
    """A way to have batches played; gives (rounds, tally) in the order of the batches."""

    def __call__(self, play: Play, batches: Iterable[tuple[int, int]]) -> Iterator[tuple[int, Tally]]: ...


def batches_of(rounds: int, *, first: int = 0, size: int = ROUNDS_PER_BATCH) -> Iterator[tuple[int, int]]:
    """(number, rounds) of each batch from the first on; only the last may be short.

    >>> list(batches_of(25, first=1, size=10))
    [(1, 10), (2, 5)]
    """
    for start in range(first * size, rounds, size):
        yield start // size, min(size, rounds - start)


def threads(workers: int) -> Spread:
    """Batches spread over threads of this process."""
    if workers < 1:
        raise MalformedInput(f"a simulation has at least 1 worker, not {workers}")

    def spread(play: Play, batches: Iterable[tuple[int, int]]) -> Iterator[tuple[int, Tally]]:
        pending: deque[tuple[int, Future[Tally]]] = deque()
        pool = ThreadPoolExecutor(workers)
        try:
            for batch, size in batches:
                pending.append((size, pool.submit(play, batch, size)))
                if len(pending) == _BATCHES_AHEAD * workers:
                    size, future = pending.popleft()
                    yield size, future.result()
            for size, future in pending:
                yield size, future.result()
        finally:
            pool.shutdown(cancel_futures=True)

    return spread
