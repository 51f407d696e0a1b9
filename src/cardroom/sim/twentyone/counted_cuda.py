"""What the GPU's kernels of counters share on the host: their launch, and reading what they counted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from cardroom.core.errors import MalformedInput
from cardroom.sim.twentyone import counted_round as parts
from cardroom.sim.twentyone.counted_flat import FlatCounter
from cardroom.sim.twentyone.cuda import fit_shoes, kernel_source, tables_argument

ARRAYS: Final = (
    *("next", "deal", "dealer_first", "result", "tags", "inverse", "value_of", "cards"),
    *("split_deal", "decided", "looked", "insurable", "row_of", "column_of", "pay", "stake", "ramp"),
    *("card_of", "lines_of_three", "third_is_hole", "lines_of_four", "side_from", "side_nets", "insurance"),
    *("machine_start", "machine_take", "machine_line"),
)
"""The addresses of a kernel's `Tables`, in their order."""
WHAT: Final = (
    *(parts.PLAYED, parts.WON, parts.WON_SQUARED, parts.STAKED),
    *(parts.MONEY, parts.MONEY_SQUARED, parts.INSURED),
)
"""What a kernel adds up, in its order."""


class CountedGpu:
    """A kernel of counters, compiled and with its tables on the device."""

    def __init__(
        self, flat: FlatCounter, fitted: tuple[int, int], file: str, kernel: str, counted: Sequence[str]
    ) -> None:
        """`fitted` are threads of a block and the bytes they share, `counted` what is counted besides."""
        import cupy  # type: ignore[import-not-found, unused-ignore]

        self.cupy, self.flat, self.counted = cupy, flat, counted
        self.threads, self.shared_bytes = fitted
        sizes = {**flat.sizes, "THREADS": self.threads}
        macros = tuple(f"-D{name}={value}" for name, value in sizes.items())
        lists = [f"#define {name} {value}\n" for name, value in flat.lists.items()]  # no option has commas
        code = "".join([*lists, kernel_source("counted_round.cu", file)])
        module = cupy.RawModule(code=code, options=("-std=c++17", *macros))
        self.kernel = module.get_function(kernel)
        self.kernel.max_dynamic_shared_size_bytes = self.shared_bytes
        self.arrays = {name: cupy.asarray(flat.arrays[name]) for name in ARRAYS}
        self.blocks = cupy.cuda.Device().attributes["MultiProcessorCount"]
        addresses = {name: array.data.ptr for name, array in self.arrays.items()}
        self.tables = tables_argument(addresses, flat.numbers)

    def play(
        self, key: np.uint64, first_stream: int, streams: int, rounds_each: int, rounds_last: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], dict[str, int], NDArray[np.int64]]:
        """Of streams played on the device: [counter, count, result], [counter, count, what], what is counted
        besides, [counter, side bet, line].
        """
        sizes, zeros = self.flat.sizes, self.cupy.zeros
        counters, sides = sizes.get("COUNTERS", 1), sizes["SIDES"]
        sums = (
            zeros((counters, parts.BINS, sizes["RESULT_KINDS"] + 1), np.uint64),
            zeros((counters, parts.BINS, len(WHAT)), np.uint64),
            zeros(len(self.counted), np.uint64),
            zeros((counters, max(1, sides), sizes["LINES"]), np.uint64),
        )
        streams_words = (np.uint64(key), np.int64(first_stream), np.int64(streams))
        rounds_words = (np.int32(rounds_each), np.int32(rounds_last))
        arguments = (self.tables, *streams_words, *rounds_words, *sums)
        self.kernel((self.blocks,), (self.threads,), arguments, shared_mem=self.shared_bytes)
        histogram, added, counted, lines = (self.cupy.asnumpy(part).view(np.int64) for part in sums)
        numbers = dict(zip(self.counted, (int(number) for number in counted), strict=True))
        return histogram, added, numbers, lines[:, :sides]


def fit_tables(flat: FlatCounter, in_shared: Sequence[NDArray[Any]], tags_bytes: int) -> tuple[int, int]:
    """Threads of a block and the bytes of shared memory they want, with the tables that lie in it."""
    sizes = flat.sizes
    bins, sides = sizes.get("COUNTERS", 1) * parts.BINS, sizes.get("COUNTERS", 1) * sizes["SIDES"]
    counts = bins * (8 * len(WHAT) + 4 * (sizes["RESULT_KINDS"] + 1)) + 4 * sides * sizes["LINES"]
    tables = sum(array.nbytes for array in in_shared)
    small = tags_bytes + 32 + 4  # tags, values of kinds, and room for the shoes to begin at a word
    fewer = ", or fewer counters" if sizes.get("COUNTERS", 1) > 1 else ""
    return fit_shoes(counts + tables + small, sizes["CARDS"], fewer)


def require_no_dead_round(counted: dict[str, int]) -> None:
    """Refuse what the kernel cannot play on."""
    if counted["ran_out"]:
        raise MalformedInput("a shoe ran out in the middle of a round with no discards; use the backend cpu")


def read_bins(
    flat: FlatCounter,
    histogram: NDArray[np.int64],
    added: NDArray[np.int64],
    ramp: NDArray[np.int64],
    parts_of_unit: int,
) -> NDArray[np.int64]:
    """[count, what] of a counter, as the CPU's kernels add it up."""
    bins = np.zeros((parts.BINS, parts.SUMS), np.int64)
    bins[:, WHAT] = added
    bins[:, parts.SEEN] = histogram.sum(axis=1) + bins[:, parts.PLAYED]
    for result, rounds in zip(flat.results, histogram.T, strict=False):  # the last column: sat out
        won = result.won * parts_of_unit
        bins[:, parts.PLAYED] += rounds
        bins[:, parts.WON] += rounds * won
        bins[:, parts.WON_SQUARED] += rounds * won**2
        bins[:, parts.STAKED] += rounds * ramp * result.staked
        bins[:, parts.MONEY] += rounds * ramp * won
        bins[:, parts.MONEY_SQUARED] += rounds * (ramp * won) ** 2
    return bins
