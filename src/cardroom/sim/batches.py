"""Batches of rounds spread over threads; kernels release Python's lock, so that threads are enough."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cardroom.core.errors import MalformedInput

Tally = NDArray[np.int64]
Progress = Callable[[int, int], None]
"""Called with the rounds done and the rounds asked for, in the calling thread."""

ROUNDS_PER_BATCH: Final = 1 << 20
_FEWEST_ROUNDS: Final = 2  # an error cannot be told from one
_BATCHES_AHEAD: Final = 2  # per worker, so that no worker waits and an interruption is soon over


def add_batches(
    play: Callable[[int, int], Tally], rounds: int, workers: int = 1, progress: Progress | None = None
) -> Tally:
    """The sum of `play(batch, rounds of that batch)` over all batches, the same for any number of workers."""
    if rounds < _FEWEST_ROUNDS:
        raise MalformedInput(f"a simulation plays at least {_FEWEST_ROUNDS} rounds, not {rounds}")
    if workers < 1:
        raise MalformedInput(f"a simulation has at least 1 worker, not {workers}")
    total: Tally | None = None
    done = 0
    for size, tally in _in_order(play, _batch_sizes(rounds), workers):
        total = tally if total is None else total + tally
        done += size
        if progress is not None:
            progress(done, rounds)
    assert total is not None
    return total


def _batch_sizes(rounds: int) -> Iterator[int]:
    for first in range(0, rounds, ROUNDS_PER_BATCH):
        yield min(ROUNDS_PER_BATCH, rounds - first)


def _in_order(
    play: Callable[[int, int], Tally], sizes: Iterator[int], workers: int
) -> Iterator[tuple[int, Tally]]:
    """Play batches on all workers and give their tallies in the order of the batches."""
    pending: deque[tuple[int, Future[Tally]]] = deque()
    with ThreadPoolExecutor(workers) as pool:
        for batch, size in enumerate(sizes):
            pending.append((size, pool.submit(play, batch, size)))
            if len(pending) == _BATCHES_AHEAD * workers:
                size, future = pending.popleft()
                yield size, future.result()
        for size, future in pending:
            yield size, future.result()
