"""Batches of rounds: spread over workers, added up in order, stopped, saved and taken up again.

A batch is the same whoever plays it and whenever, and the sum is of whole numbers, so a result depends on the
seed and the number of rounds alone.
"""

from __future__ import annotations

import json
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from cardroom.core.errors import MalformedInput

Tally = NDArray[np.int64]
Play = Callable[[int, int], Tally]
"""`play(batch, rounds)`: the tally of one batch. Kernels release Python's lock, so threads are enough."""
Progress = Callable[[int, int], None]
"""Called with the rounds done and the rounds asked for, in the calling thread."""
Watch = Callable[[Tally, int], bool]
"""Called with the sum so far and its rounds; True ends the simulation."""

ROUNDS_PER_BATCH: Final = 1 << 20
_FEWEST_ROUNDS: Final = 2  # an error cannot be told from one
_BATCHES_AHEAD: Final = 2  # per worker, so that no worker waits and an interruption is soon over
_CHECKPOINT_VERSION: Final = 1


class Spread(Protocol):
    """A way to have batches played elsewhere; gives (rounds, tally) in the order of the batches."""

    def __call__(self, play: Play, batches: Iterable[tuple[int, int]]) -> Iterator[tuple[int, Tally]]: ...


@dataclass(frozen=True, slots=True)
class Sum:
    """What has been added up, over how many rounds, and whether it was cut short by Ctrl-C."""

    tally: Tally
    rounds: int
    interrupted: bool = False


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A file that keeps the sum of whole batches, for one job only."""

    path: Path
    job: str
    """What makes two simulations the same: rules, strategy, seed, dealing."""

    def load(self) -> tuple[int, Tally] | None:
        """The number of batches done and their sum, or None where there is no file yet."""
        try:
            text = self.path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return None
        except (OSError, UnicodeDecodeError) as error:
            raise MalformedInput(f"cannot read the checkpoint {self.path}: {error}") from None
        try:
            kept = json.loads(text)
            version, job, batches = kept["version"], kept["job"], int(kept["batches"])
            tally = np.array(kept["tally"], np.int64)
        except (ValueError, KeyError, TypeError, OverflowError):
            raise MalformedInput(f"{self.path} is not a checkpoint of a simulation") from None
        if version != _CHECKPOINT_VERSION or job != self.job:
            raise MalformedInput(
                f"{self.path} is a checkpoint of another simulation; "
                "rules, strategy, seed and dealing must be the same, or name another file"
            )
        return batches, tally

    def save(self, batches: int, tally: Tally) -> None:
        """Put the sum in place of the last one, all or nothing."""
        kept = {"version": _CHECKPOINT_VERSION, "job": self.job, "batches": batches, "tally": tally.tolist()}
        beside = self.path.with_name(self.path.name + ".new")
        try:
            with beside.open("w", encoding="utf-8") as file:
                json.dump(kept, file)
                file.flush()
                os.fsync(file.fileno())
            beside.replace(self.path)
        except OSError as error:
            raise MalformedInput(f"cannot write the checkpoint {self.path}: {error.strerror}") from None


def run_batches(
    play: Play,
    rounds: int,
    *,
    spread: Spread,
    progress: Progress | None = None,
    watch: Watch | None = None,
    checkpoint: Checkpoint | None = None,
) -> Sum:
    """Add up batches until the rounds are played, `watch` has seen enough, or Ctrl-C."""
    if rounds < _FEWEST_ROUNDS:
        raise MalformedInput(f"a simulation plays at least {_FEWEST_ROUNDS} rounds, not {rounds}")
    kept = checkpoint.load() if checkpoint else None
    first, total = kept or (0, None)
    done = min(first * ROUNDS_PER_BATCH, rounds)
    if total is not None and first * ROUNDS_PER_BATCH > rounds:
        raise MalformedInput(
            f"the checkpoint holds {first * ROUNDS_PER_BATCH:,} rounds, more than the {rounds:,} asked for"
        )
    interrupted = False
    results = spread(play, _batches(first, rounds))
    batch = first
    try:
        if not (total is not None and watch is not None and watch(total, done)):
            for size, tally in results:
                total = tally if total is None else total + tally
                done += size
                batch += size // ROUNDS_PER_BATCH
                if checkpoint is not None and size % ROUNDS_PER_BATCH == 0:
                    checkpoint.save(batch, total)
                if progress is not None:
                    progress(done, rounds)
                if watch is not None and watch(total, done):
                    break
    except KeyboardInterrupt:
        if total is None:
            raise
        interrupted = True
    finally:
        close: Any = getattr(results, "close", None)
        if close is not None:
            close()
    assert total is not None
    return Sum(total, done, interrupted)


def add_batches(play: Play, rounds: int, workers: int = 1, progress: Progress | None = None) -> Tally:
    """The sum of all batches, played by threads of this process."""
    return run_batches(play, rounds, spread=threads(workers), progress=progress).tally


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


def _batches(first: int, rounds: int) -> Iterator[tuple[int, int]]:
    """(number, rounds) of each batch from the first on; only the last may be short."""
    for start in range(first * ROUNDS_PER_BATCH, rounds, ROUNDS_PER_BATCH):
        yield start // ROUNDS_PER_BATCH, min(ROUNDS_PER_BATCH, rounds - start)
