"""A player who counts, on a GPU: the same streams, cards and sums as `counter` on the CPU.

The kernel, `counter.cu`, is compiled at run time for one game and one counter; see `counter_flat`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from cardroom.core.errors import MalformedInput
from cardroom.sim.twentyone import counter
from cardroom.sim.twentyone.counted_flat import FlatCounter
from cardroom.sim.twentyone.counter_flat import flatten_counter
from cardroom.sim.twentyone.cuda import fit_shoes, kernel_source, streams_of, tables_argument

if TYPE_CHECKING:
    from cardroom.sim.batches import Tally
    from cardroom.sim.twentyone.counter_job import CounterJob

COUNTED: Final = ("shoes", "ran_out")
ARRAYS: Final = (
    *("next", "deal", "dealer_first", "result", "tags", "inverse", "value_of", "cards"),
    *("split_deal", "decided", "looked", "insurable", "row_of", "column_of", "pay", "stake", "ramp"),
    *("card_of", "lines_of_three", "third_is_hole", "lines_of_four", "side_from", "side_nets", "insurance"),
    *("machine_start", "machine_take", "machine_line"),
)
"""The addresses of the kernel's `Tables`, in their order."""
_IN_SHARED: Final = ("next", "dealer_first", "result", "inverse")
_WHAT: Final = (
    *(counter.PLAYED, counter.WON, counter.WON_SQUARED, counter.STAKED),
    *(counter.MONEY, counter.MONEY_SQUARED, counter.INSURED),
)
"""What the kernel adds up, in its order."""


class CounterGpu:
    """A counter's kernel, compiled and with its tables on the device."""

    def __init__(self, flat: FlatCounter) -> None:
        import cupy  # type: ignore[import-not-found, unused-ignore]

        self.cupy = cupy
        self.flat = flat
        self.threads, self.shared_bytes = fit(flat)
        sizes = {**flat.sizes, "THREADS": self.threads}
        macros = tuple(f"-D{name}={value}" for name, value in sizes.items())
        module = cupy.RawModule(
            code=kernel_source("counted_round.cu", "counter.cu"), options=("-std=c++17", *macros)
        )
        self.kernel = module.get_function("count_rounds")
        self.kernel.max_dynamic_shared_size_bytes = self.shared_bytes
        self.arrays = {name: cupy.asarray(flat.arrays[name]) for name in ARRAYS}
        self.blocks = cupy.cuda.Device().attributes["MultiProcessorCount"]
        addresses = {name: array.data.ptr for name, array in self.arrays.items()}
        self.tables = tables_argument(addresses, flat.numbers)

    def play(
        self, key: np.uint64, first_stream: int, streams: int, rounds_each: int, rounds_last: int
    ) -> tuple[NDArray[np.int64], ...]:
        """Of streams played on the device: [count, result], [count, what], counters, [side bet, line]."""
        sizes, zeros = self.flat.sizes, self.cupy.zeros
        sides = sizes["SIDES"]
        sums = (
            zeros((counter.BINS, sizes["RESULT_KINDS"] + 1), np.uint64),
            zeros((counter.BINS, len(_WHAT)), np.uint64),
            zeros(len(COUNTED), np.uint64),
            zeros((max(1, sides), sizes["LINES"]), np.uint64),
        )
        streams_words = (np.uint64(key), np.int64(first_stream), np.int64(streams))
        rounds_words = (np.int32(rounds_each), np.int32(rounds_last))
        arguments = (self.tables, *streams_words, *rounds_words, *sums)
        self.kernel((self.blocks,), (self.threads,), arguments, shared_mem=self.shared_bytes)
        histogram, added, counted, lines = (self.cupy.asnumpy(part).view(np.int64) for part in sums)
        return histogram, added, counted, lines[:sides]


def fit(flat: FlatCounter) -> tuple[int, int]:
    """Threads of a block and the bytes of shared memory they want."""
    sizes = flat.sizes
    sides = sizes["SIDES"]
    counts = counter.BINS * (8 * len(_WHAT) + 4 * (sizes["RESULT_KINDS"] + 1)) + 4 * sides * sizes["LINES"]
    tables = sum(flat.arrays[name].nbytes for name in _IN_SHARED)
    tables += 0 if sizes["SEES_BOTH"] else flat.arrays["deal"][1].nbytes
    small = 32 * 4 + 32 + 4  # tags, values of kinds, and room for the shoes to begin at a word
    return fit_shoes(counts + tables + small, sizes["CARDS"])


def read_counted(
    job: CounterJob,
    flat: FlatCounter,
    histogram: NDArray[np.int64],
    added: NDArray[np.int64],
    counted: NDArray[np.int64],
    lines: NDArray[np.int64],
) -> Tally:
    """What the kernel counted as the tally of the CPU's."""
    counters = dict(zip(COUNTED, (int(number) for number in counted), strict=True))
    if counters["ran_out"]:
        raise MalformedInput("a shoe ran out in the middle of a round with no discards; use the backend cpu")
    bins = np.zeros((counter.BINS, counter.SUMS), np.int64)
    bins[:, _WHAT] = added
    bins[:, counter.SEEN] = histogram.sum(axis=1) + bins[:, counter.PLAYED]
    ramp = np.array(job.ramp, np.int64)
    for result, rounds in zip(flat.results, histogram.T, strict=False):  # the last column: sat out
        won = result.won * job.prepared.game.parts
        bins[:, counter.PLAYED] += rounds
        bins[:, counter.WON] += rounds * won
        bins[:, counter.WON_SQUARED] += rounds * won**2
        bins[:, counter.STAKED] += rounds * ramp * result.staked
        bins[:, counter.MONEY] += rounds * ramp * won
        bins[:, counter.MONEY_SQUARED] += rounds * (ramp * won) ** 2
    totals = np.array([counters["shoes"], 0], np.int64)
    return np.concatenate([bins.reshape(-1), lines.reshape(-1), totals])


def launch_counter(job: Any, group: list[tuple[int, int]]) -> tuple[int, Tally]:
    """Play some batches in one launch."""
    rounds, streams = streams_of(job, group)
    gpu = gpu_of(job)
    return rounds, read_counted(job, gpu.flat, *gpu.play(*streams))


@lru_cache(maxsize=8)
def gpu_of(job: Any) -> CounterGpu:
    """The kernel of a job, compiled once."""
    return CounterGpu(flatten_counter(job))
