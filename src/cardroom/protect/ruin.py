"""The risk of ruin, simulated beside the formula: bankrolls that live through shoes drawn again and again."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from cardroom.protect.measures import Rate
from cardroom.sim.shoe_draws import ShoeDraws
from cardroom.sim.twentyone.counter import TRACE
from cardroom.sim.twentyone.counter_job import CounterJob
from cardroom.sim.twentyone.team_job import SeatJob, TeamJob

AnyJob = CounterJob | SeatJob | TeamJob
"""A counter at a table alone, one of several, or all of them together."""

ROUNDS: Final = 1 << 18
"""Rounds played, from whose shoes the bankrolls draw theirs."""
TRIALS: Final = 2000
MOST_SHOES: Final = 20_000
"""Of one bankroll; one that has neither gone nor grown by then is not ruined."""
_SAFE: Final = 0.001
"""A bankroll is out of danger where the formula gives it this risk from there on."""


@dataclass(frozen=True, slots=True)
class Ruin:
    """Bankrolls of one size."""

    bankroll: float
    trials: int
    ruined: int
    undecided: int
    """Neither gone nor out of danger at the end."""

    @property
    def risk(self) -> float:
        return self.ruined / self.trials

    @property
    def standard_error(self) -> float:
        """Of the draws; never less than one bankroll would change it."""
        return max(math.sqrt(self.risk * (1 - self.risk) / self.trials), 1 / self.trials)

    def to_json(self) -> dict[str, Any]:
        return {
            "risk_of_ruin": self.risk,
            "standard_error": self.standard_error,
            "bankrolls": self.trials,
            "undecided": self.undecided,
        }


def shoe_results(job: AnyJob, rounds: int = ROUNDS) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """What shoes win, in units, and how far each is down at its worst."""
    trace = job.traced(rounds)
    trace = trace[trace[:, TRACE.index("wager")] > 0]
    money = trace[:, TRACE.index("money")] / job.prepared.parts
    place = trace[:, TRACE.index("next_place")]
    starts = np.flatnonzero(np.r_[True, place[1:] <= place[:-1]])
    sums: list[float] = []
    lows: list[float] = []
    for some in np.split(money, starts[1:])[:-1]:  # the last shoe is not dealt to its end
        walk = np.cumsum(some)
        sums.append(float(walk[-1]))
        lows.append(min(0.0, float(walk.min())))
    return np.array(sums), np.array(lows)


def shoes_as_known(job: AnyJob, rate: Rate) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The same shoes, all moved so that their mean is that of all rounds, which is known better.

    The risk depends on the mean so much that the chance of a few thousand shoes would decide it.
    """
    sums, lows = shoe_results(job)
    if not len(sums):
        return sums, lows
    return sums + (rate.mean * ROUNDS / len(sums) - sums.mean()), lows


def simulated_ruin(job: AnyJob, rate: Rate, bankroll: float, *, trials: int = TRIALS) -> Ruin | None:
    """Bankrolls that live on shoes drawn from those of the counter; None where nothing is won."""
    if rate.mean <= 0:
        return None
    sums, lows = shoes_as_known(job, rate)
    return ruin_of(sums, lows, bankroll, rate.variance / rate.mean, trials=trials, seed=job.seed)


def ruin_of(
    sums: NDArray[np.float64],
    lows: NDArray[np.float64],
    bankroll: float,
    scale: float,
    *,
    trials: int,
    seed: int,
) -> Ruin:
    """`scale` is the variance over the mean: the risk from a bankroll of B on is exp(−2B/scale)."""
    safe = max(bankroll, -math.log(_SAFE) * scale / 2)
    draws = ShoeDraws(seed)
    money = np.full(trials, float(bankroll))
    ruined = 0
    for _ in range(MOST_SHOES):
        if not len(money):
            break
        drawn = draws.numbers(0, len(sums), len(money))
        gone = money + lows[drawn] <= 0
        ruined += int(gone.sum())
        money = (money + sums[drawn])[~gone]
        money = money[money < safe]
    return Ruin(bankroll, trials, ruined, len(money))
