"""A player who counts, on a GPU: the same streams, cards and sums as `counter` on the CPU.

The kernel, `counter.cu`, is compiled at run time for one game and one counter; see `counter_flat`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from cardroom.sim.twentyone.counted_cuda import CountedGpu, fit_tables, read_bins, require_no_dead_round
from cardroom.sim.twentyone.counted_flat import FlatCounter
from cardroom.sim.twentyone.counter_flat import flatten_counter
from cardroom.sim.twentyone.cuda import streams_of

if TYPE_CHECKING:
    from cardroom.sim.batches import Tally
    from cardroom.sim.twentyone.counter_job import CounterJob

COUNTED: Final = ("shoes", "ran_out")
_IN_SHARED: Final = ("next", "dealer_first", "result", "inverse")


class CounterGpu(CountedGpu):
    """A counter's kernel, compiled and with its tables on the device."""

    def __init__(self, flat: FlatCounter) -> None:
        super().__init__(flat, fit(flat), "counter.cu", "count_rounds", COUNTED)


def fit(flat: FlatCounter) -> tuple[int, int]:
    """Threads of a block and the bytes of shared memory they want."""
    in_shared = [flat.arrays[name] for name in _IN_SHARED]
    if not flat.sizes["SEES_BOTH"]:
        in_shared.append(flat.arrays["deal"][1])
    return fit_tables(flat, in_shared, tags_bytes=4 * 32)


def read_counted(
    job: CounterJob,
    flat: FlatCounter,
    histogram: NDArray[np.int64],
    added: NDArray[np.int64],
    counted: dict[str, int],
    lines: NDArray[np.int64],
) -> Tally:
    """What the kernel counted as the tally of the CPU's."""
    require_no_dead_round(counted)
    bins = read_bins(flat, histogram, added, np.array(job.ramp, np.int64), job.prepared.game.parts)
    totals = np.array([counted["shoes"], 0], np.int64)
    return np.concatenate([bins.reshape(-1), lines.reshape(-1), totals])


def launch_counter(job: Any, group: list[tuple[int, int]]) -> tuple[int, Tally]:
    """Play some batches in one launch."""
    rounds, streams = streams_of(job, group)
    gpu = gpu_of(job)
    histogram, added, counted, lines = gpu.play(*streams)
    return rounds, read_counted(job, gpu.flat, histogram[0], added[0], counted, lines[0])


@lru_cache(maxsize=8)
def gpu_of(job: Any) -> CounterGpu:
    """The kernel of a job, compiled once."""
    return CounterGpu(flatten_counter(job))
