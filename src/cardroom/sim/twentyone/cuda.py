"""The blackjack family on a GPU: the same tables and streams as on the CPU, so the same sums, to the round.

The kernel, `round.cu`, is compiled at run time through CuPy (the extra `cuda`) for one game, whose tables
(`flat`) lie with the shoes in the memory beside the cores.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from importlib import resources
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from cardroom.core.errors import MalformedInput, Unavailable
from cardroom.core.extras import install_line

if TYPE_CHECKING:
    from cardroom.sim.batches import Play, Tally
    from cardroom.sim.twentyone.flat import FlatGame

_STREAMS_PER_THREAD: Final = 4  # of one launch
COUNTED: Final = ("split_staked", "shoes", "ran_out")
_SHARED_BYTES: Final = 227 * 1024
_THREADS: Final = 512
_BLOCKS_WITHOUT_SHOES: Final = 4  # to a multiprocessor
_WARP: Final = 32
_ARRAYS: Final = (
    *("next", "enter", "split_deal", "pay", "stake", "needs_dealer", "value_of", "cards"),
    *("card_of", "lines_of_three", "third_is_hole", "lines_of_four", "column_of", "insured"),
    *("machine_start", "machine_take", "machine_line"),
)
"""The addresses of the kernel's `Tables`, in their order."""


def unavailable() -> str | None:
    """Why no GPU can be used here, or None."""
    try:
        import cupy  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        return f"no CuPy here; install the extra: {install_line('cuda')}"
    try:
        if cupy.cuda.runtime.getDeviceCount() > 0:
            return None
    except cupy.cuda.runtime.CUDARuntimeError as error:
        return f"CUDA finds no GPU: {error}"
    return "CUDA finds no GPU"


class Gpu:
    """A game's kernel, compiled and with its tables on the device."""

    def __init__(self, game: FlatGame, source: str) -> None:
        import cupy

        self.cupy = cupy
        self.game = game
        self.threads, self.shared_bytes = _fit(game)
        sizes = {**game.sizes, "THREADS": self.threads}
        macros = tuple(f"-D{name}={value}" for name, value in sizes.items())
        self.kernel = cupy.RawModule(code=source, options=("-std=c++17", *macros)).get_function("play")
        self.kernel.max_dynamic_shared_size_bytes = self.shared_bytes
        self.arrays = {name: cupy.asarray(array) for name, array in game.arrays.items()}
        self.blocks = cupy.cuda.Device().attributes["MultiProcessorCount"]
        if game.sizes["INFINITE"]:
            self.blocks *= _BLOCKS_WITHOUT_SHOES
        addresses = {name: self.arrays[name].data.ptr for name in _ARRAYS}
        self.tables = tables_argument(addresses, game.numbers)

    def play(
        self, key: np.uint64, first_stream: int, streams: int, rounds_each: int, rounds_last: int
    ) -> tuple[NDArray[np.int64], dict[str, int], NDArray[np.int64], NDArray[np.int64]]:
        """Of streams played on the device: [up, units + middle], counters, [line of insurance],
        [side bet, line]."""
        sizes, zeros = self.game.sizes, self.cupy.zeros
        sides = sizes["SIDES"]
        terminals = zeros((10, sizes["RESULT_KINDS"]), np.uint64)
        split_nets = zeros((10, sizes["RESULTS"]), np.uint64)
        counters = zeros(len(COUNTED) + 1 + sizes["INSURED_LINES"], np.uint64)
        lines = zeros((max(1, sides), sizes["LINES"]), np.uint64)
        self.kernel(
            (self.blocks,),
            (self.threads,),
            (
                self.tables,
                np.uint64(key),
                np.int64(first_stream),
                np.int64(streams),
                np.int32(rounds_each),
                np.int32(rounds_last),
                terminals,
                split_nets,
                counters,
                lines,
            ),
            shared_mem=self.shared_bytes,
        )
        reached, nets, counted, side_lines = (
            self.cupy.asnumpy(part).astype(np.int64) for part in (terminals, split_nets, counters, lines)
        )
        return *_read(self.game, reached, nets, counted), side_lines[:sides]


def tables_argument(addresses: dict[str, int], numbers: dict[str, int]) -> NDArray[np.void]:
    """A kernel's argument `Tables`: addresses, then numbers, in their order."""
    fields = [(name, np.uintp) for name in addresses] + [(name, np.int32) for name in numbers]
    record = np.zeros((), np.dtype(fields, align=True))
    for name, value in {**addresses, **numbers}.items():
        record[name] = value
    return record


def fit_shoes(fixed: int, cards: int, instead: str) -> tuple[int, int]:
    """Threads of a block and the bytes of shared memory they want; shoes fill what the tables leave.

    `instead` is what might fit where this does not.
    """
    per_thread = 4 * -(-cards // 4)
    threads = min(1024, (_SHARED_BYTES - fixed) // per_thread // _WARP * _WARP)
    if threads < _WARP:
        raise MalformedInput(
            f"a shoe of {cards} cards and the results of this game are too much for the GPU; "
            f"use the backend cpu{instead}"
        )
    return threads, fixed + threads * per_thread


def _fit(game: FlatGame) -> tuple[int, int]:
    """Threads of a block and the bytes of shared memory they want."""
    sizes = game.sizes
    sides = sizes["SIDES"]
    by_up_card = 10 * (sizes["RESULT_KINDS"] + sizes["RESULTS"])
    counts = 4 * (by_up_card + sides * sizes["LINES"] + 1 + sizes["INSURED_LINES"])
    tables = sum(game.arrays[name].nbytes for name in ("next", "enter", "insured"))
    fixed = counts + tables + _WARP + 4
    if sizes["INFINITE"]:
        return _THREADS, fixed + 2 * sizes["CARDS"]
    return fit_shoes(fixed, sizes["CARDS"], ", or a rounder wager")


def _read(
    game: FlatGame, reached: NDArray[np.int64], nets: NDArray[np.int64], counted: NDArray[np.int64]
) -> tuple[NDArray[np.int64], dict[str, int], NDArray[np.int64]]:
    """Terminals as results: rounds by up card and units won, what is counted besides, [line of insurance]."""
    counters = dict(zip(COUNTED, (int(count) for count in counted), strict=False))
    if counters["ran_out"]:
        raise MalformedInput("a shoe ran out in the middle of a round with no discards; use the backend cpu")
    middle = nets.shape[1] // 2
    staked = counters["split_staked"]
    bonuses = 0
    alike = game.sizes["INSURED_ALIKE"]
    for result, rounds in zip(game.results, reached.T, strict=True):
        nets[:, middle + result.won] += rounds
        staked += result.staked * int(rounds.sum())
        if alike and result.insured:
            counted[len(COUNTED) + alike] += rounds.sum()
        bonuses += sum(int(rounds[up]) for up, wins in enumerate(result.super_bonus) if wins)
    aces_up = (
        int(nets[0].sum()) if game.sizes["LOOKS"] else 0
    )  # insurance is counted where it is known at once
    counters |= {"staked": staked, "super_bonuses": bonuses, "aces_up": aces_up}
    return nets, counters, counted[len(COUNTED) :]


def kernel_source(*names: str) -> str:
    """The text of a kernel, the one for rounds unless told, with that of the cards before it."""
    folder = resources.files("cardroom.sim.twentyone")
    files = ("cards.cu", *(names or ("round.cu",)))
    return "\n".join((folder / file).read_text(encoding="utf-8") for file in files)


def cuda() -> Any:
    """Batches of the blackjack family played on the GPU, many in one launch."""
    missing = unavailable()
    if missing is not None:
        raise Unavailable(missing)
    return _spread


def _spread(play: Play, batches: Iterable[tuple[int, int]]) -> Iterator[tuple[int, Tally]]:
    from cardroom.sim.twentyone.counter_job import CounterJob
    from cardroom.sim.twentyone.job import STREAMS_PER_BATCH, Job
    from cardroom.sim.twentyone.team_job import SeatJob, TeamJob

    gpu: Any
    launch: Callable[[Any, list[tuple[int, int]]], tuple[int, Tally]]
    if isinstance(play, CounterJob):
        from cardroom.sim.twentyone.counter_cuda import gpu_of, launch_counter

        gpu, launch = gpu_of(play), launch_counter
    elif isinstance(play, SeatJob | TeamJob):
        from cardroom.sim.twentyone.team_cuda import gpu_of_team, launch_team

        gpu, launch = gpu_of_team(play), launch_team
    elif isinstance(play, Job) and play.spots == 1:
        gpu, launch = _gpu(play), _launch
    else:
        raise MalformedInput("the GPU plays the blackjack family with one spot; use the backend cpu")
    # Whole passes over all threads: in a pass of a few, most of the device would wait for them.
    per_launch = max(1, gpu.blocks * gpu.threads * _STREAMS_PER_THREAD // STREAMS_PER_BATCH)
    group: list[tuple[int, int]] = []
    for batch in batches:
        group.append(batch)
        if len(group) == per_launch:
            yield launch(play, group)
            group = []
    if group:
        yield launch(play, group)


def streams_of(job: Any, group: list[tuple[int, int]]) -> tuple[int, tuple[np.uint64, int, int, int, int]]:
    """Rounds of some batches; key, first stream, how many streams, rounds of each and of the last."""
    from cardroom.sim.twentyone.job import STREAMS_PER_BATCH
    from cardroom.sim.twentyone.stream import ROUNDS_PER_STREAM, seed_key

    rounds = sum(size for _, size in group)
    streams = -(-rounds // ROUNDS_PER_STREAM)
    last = rounds - (streams - 1) * ROUNDS_PER_STREAM
    first = group[0][0] * STREAMS_PER_BATCH
    return rounds, (seed_key(job.seed), first, streams, ROUNDS_PER_STREAM, last)


def _launch(job: Any, group: list[tuple[int, int]]) -> tuple[int, Tally]:
    from cardroom.sim.twentyone import kernel

    rounds, streams = streams_of(job, group)
    nets, counted, insured, lines = _gpu(job).play(*streams)
    counters = np.zeros(job.prepared.counters, np.int64)
    counters[kernel.STAKED] = counted["staked"]
    counters[kernel.SHOES] = counted["shoes"]
    counters[kernel.SUPER_BONUSES] = counted["super_bonuses"]
    counters[kernel.ACES_UP] = counted["aces_up"]
    counters[kernel.ACES_UP + 1 : kernel.ACES_UP + len(insured)] = insured[1:]
    return rounds, np.concatenate([nets.reshape(-1), counters, lines.reshape(-1)])


@lru_cache(maxsize=8)
def _gpu(job: Any) -> Gpu:
    from cardroom.sim.twentyone.flat import flatten
    from cardroom.sim.twentyone.sides import MOST_LINES

    prepared = job.prepared
    return Gpu(flatten(prepared.game, prepared.cards, prepared.results, MOST_LINES), kernel_source())
