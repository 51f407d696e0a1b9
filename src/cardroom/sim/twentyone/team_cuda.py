"""Several counters at one table, or one with several counts, on a GPU: the same sums as `team` on the CPU.

The kernel, `team.cu`, is compiled at run time for one game and its counters; see `team_flat`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from cardroom.sim.twentyone.counted_cuda import CountedGpu, fit_tables, read_bins, require_no_dead_round
from cardroom.sim.twentyone.counted_flat import FlatCounter
from cardroom.sim.twentyone.counted_round import MONEY, MONEY_SQUARED
from cardroom.sim.twentyone.cuda import streams_of
from cardroom.sim.twentyone.team_flat import flatten_team
from cardroom.sim.twentyone.team_job import SeatJob, TeamJob

if TYPE_CHECKING:
    from cardroom.sim.batches import Tally

COUNTED: Final = ("shoes", "ran_out", "together", "together_squared")
_IN_SHARED: Final = ("next", "dealer_first", "result", "inverse")


class TeamGpu(CountedGpu):
    """The kernel of a table, compiled and with its tables on the device."""

    def __init__(self, flat: FlatCounter) -> None:
        super().__init__(flat, fit(flat), "team.cu", "count_team", COUNTED)


def fit(flat: FlatCounter) -> tuple[int, int]:
    """Threads of a block and the bytes of shared memory they want."""
    return fit_tables(flat, [flat.arrays[name] for name in _IN_SHARED], flat.arrays["tags"].nbytes)


def read_team(
    job: TeamJob,
    flat: FlatCounter,
    histogram: NDArray[np.int64],
    added: NDArray[np.int64],
    counted: dict[str, int],
    lines: NDArray[np.int64],
) -> Tally:
    """What the kernel counted as the tally of the CPU's."""
    require_no_dead_round(counted)
    game = job.prepared.game
    bins = np.array(
        [
            read_bins(flat, *of_counter, game.parts)
            for of_counter in zip(histogram, added, game.ramp, strict=True)
        ]
    )
    together = [counted["together"], counted["together_squared"]]
    if len(bins) == 1:  # then the kernel leaves it to the sums of the one counter
        together = [int(bins[0, :, what].sum()) for what in (MONEY, MONEY_SQUARED)]
    totals = np.array([counted["shoes"], 0, *together], np.int64)
    return np.concatenate([bins.reshape(-1), lines.reshape(-1), totals])


def launch_team(job: Any, group: list[tuple[int, int]]) -> tuple[int, Tally]:
    """Play some batches in one launch."""
    rounds, streams = streams_of(job, group)
    gpu = gpu_of_team(job)
    return rounds, read_team(team_of(job), gpu.flat, *gpu.play(*streams))


def team_of(job: TeamJob | SeatJob) -> TeamJob:
    """The table at which a job's counters sit."""
    return job.team if isinstance(job, SeatJob) else job


def gpu_of_team(job: TeamJob | SeatJob) -> TeamGpu:
    """The kernel of a table, compiled once."""
    return _gpu(team_of(job))


@lru_cache(maxsize=8)
def _gpu(job: TeamJob) -> TeamGpu:
    return TeamGpu(flatten_team(job))
