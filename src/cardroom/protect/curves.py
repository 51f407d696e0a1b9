"""What a counter meets as time goes by: counts by depth, how a bankroll may go, and the risk by its size."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.protect.measures import Rate
from cardroom.protect.ruin import ROUNDS as SHOE_ROUNDS
from cardroom.protect.ruin import AnyJob, ruin_of, shoes_as_known
from cardroom.sim.shoe_draws import ShoeDraws
from cardroom.sim.twentyone.counter import TRACE
from cardroom.sim.twentyone.counter_job import ALWAYS, CounterJob
from cardroom.sim.twentyone.team_job import SeatJob

PERCENTILES: Final = (5, 25, 50, 75, 95)
RISKS: Final = (0.5, 0.3, 0.135, 0.05, 0.02)
ROUNDS: Final = 200_000
_STEPS_A_DECK: Final = 2
_FEWEST: Final = 100
"""Rounds at a depth without which it is not shown."""
_PATHS: Final = 1000
_SHOES: Final = 200
_POINTS: Final = 20


class Spread(NamedTuple):
    """A place on the way, and what lies below and above there, by `PERCENTILES`."""

    at: float
    values: tuple[float, ...]


class RiskOf(NamedTuple):
    """A bankroll in units, and its risk of ruin."""

    bankroll: float
    formula: float
    simulated: float
    standard_error: float


class Point(NamedTuple):
    """A line of the CSV: a curve, a place along it, and the value there."""

    curve: str
    x: float
    series: str
    value: float
    standard_error: float | None = None


@dataclass(frozen=True, slots=True)
class Curves:
    """What a counter meets as time goes by."""

    counts: Sequence[Spread]
    """By decks dealt."""
    bankroll: Sequence[Spread]
    """Units won, by rounds seen."""
    risks: Sequence[RiskOf]
    """None where it is not sure that anything is won."""

    def points(self) -> Iterator[Point]:
        """Every point of every curve."""
        yield from fan_points("count_by_decks_dealt", self.counts)
        yield from fan_points("won_by_rounds_seen", self.bankroll)
        yield from risk_points(self.risks)

    def to_json(self) -> dict[str, Any]:
        """The shape of `curves` in `protect --ramp --curves --json`."""
        return {
            "percentiles": list(PERCENTILES),
            "count_by_decks_dealt": [
                {"decks_dealt": one.at, "counts": list(one.values)} for one in self.counts
            ],
            **bankroll_json(self.bankroll, self.risks),
        }


def bankroll_json(bankroll: Sequence[Spread], risks: Sequence[RiskOf]) -> dict[str, Any]:
    """How a bankroll may go, and its risk by size."""
    return {
        "won_by_rounds_seen": [{"rounds_seen": one.at, "units": list(one.values)} for one in bankroll],
        "ruin_by_bankroll": [
            {
                "bankroll_units": one.bankroll,
                "formula": one.formula,
                "simulated": one.simulated,
                "simulated_standard_error": one.standard_error,
            }
            for one in risks
        ],
    }


def fan_points(curve: str, spreads: Sequence[Spread]) -> Iterator[Point]:
    """The lines of a fan."""
    for one in spreads:
        for percentile, value in zip(PERCENTILES, one.values, strict=True):
            yield Point(curve, one.at, f"{percentile} of 100", value)


def risk_points(risks: Sequence[RiskOf]) -> Iterator[Point]:
    """The lines of the risk by bankroll."""
    for risk in risks:
        yield Point("ruin_by_bankroll", risk.bankroll, "formula", risk.formula)
        yield Point("ruin_by_bankroll", risk.bankroll, "simulated", risk.simulated, risk.standard_error)


def curves_of(job: CounterJob | SeatJob, rate: Rate) -> Curves:
    """All curves of a counter whose rate by rounds seen is known."""
    return Curves(counts_by_depth(job), bankroll_fan(job, rate), ruin_curve(job, rate))


def counts_by_depth(job: CounterJob | SeatJob, rounds: int = ROUNDS) -> list[Spread]:
    """The count before a round by the decks that are dealt, not rounded; the counter is always seated."""
    if isinstance(job, CounterJob):  # rounds that are sat out leave no trace
        job = replace(job, enter=ALWAYS, leave=ALWAYS)
    prepared, trace = job.prepared, job.traced(rounds)
    place, running = trace[:, TRACE.index("next_place")], trace[:, TRACE.index("running")]
    cards, decks = len(prepared.cards), job.rules.decks
    assert decks != "infinite"
    cut = cards - (job.dealing.cut_cards or 0)
    another = place < cut  # a round follows from the same shoe
    place, count = place[another], running[another] / prepared.running_parts
    if job.reckoning.by_deck:
        count = count * cards / decks / (cards - place + job.dealing.burn_cards)
    depth = place * decks * _STEPS_A_DECK // cards
    return [
        Spread((step + 0.5) / _STEPS_A_DECK, _spread(count[depth == step]))
        for step in np.unique(depth).tolist()
        if (depth == step).sum() >= _FEWEST
    ]


def bankroll_fan(job: AnyJob, rate: Rate) -> list[Spread]:
    """Units won after so many rounds, over many ways that it may go; shoes are drawn from those dealt.

    The start alone where nothing was wagered.
    """
    start = Spread(0.0, (0.0,) * len(PERCENTILES))
    sums, _ = shoes_as_known(job, rate)
    if not len(sums):
        return [start]
    rounds_per_shoe = SHOE_ROUNDS / len(sums)  # of shoes in which something was wagered
    drawn = ShoeDraws(job.seed).numbers(0, len(sums), _PATHS * _SHOES).reshape(_PATHS, _SHOES)
    won = sums[drawn].cumsum(axis=1)
    shoes = range(_SHOES // _POINTS, _SHOES + 1, _SHOES // _POINTS)
    return [start, *(Spread(number * rounds_per_shoe, _spread(won[:, number - 1])) for number in shoes)]


def ruin_curve(job: AnyJob, rate: Rate, *, trials: int = 500) -> list[RiskOf]:
    """The risk of ruin of bankrolls from small to large; none where it is not sure that anything is won."""
    if rate.mean <= 2 * rate.standard_error:
        return []
    sums, lows = shoes_as_known(job, rate)
    scale = rate.variance / rate.mean
    curve = []
    for risk in RISKS:
        bankroll = -math.log(risk) * scale / 2
        ruin = ruin_of(sums, lows, bankroll, scale, trials=trials, seed=job.seed)
        curve.append(RiskOf(bankroll, rate.ruin(bankroll), ruin.risk, ruin.standard_error))
    return curve


def _spread(values: NDArray[np.float64]) -> tuple[float, ...]:
    return tuple(float(value) for value in np.percentile(values, PERCENTILES))
