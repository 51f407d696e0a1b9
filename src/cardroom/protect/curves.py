"""What a counter meets as time goes by: counts by depth, how a bankroll may go, and the risk by its size."""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.protect.measures import Rate
from cardroom.protect.ruin import ruin_of, shoes_as_known
from cardroom.sim.shoe_draws import ShoeDraws
from cardroom.sim.twentyone.counter import BINS, SUMS, TRACE
from cardroom.sim.twentyone.counter_job import TOTALS, CounterJob
from cardroom.sim.twentyone.sides import MOST_LINES
from cardroom.sim.twentyone.stream import seed_key, stream_states

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


def counts_by_depth(job: CounterJob, rounds: int = ROUNDS) -> list[Spread]:
    """The count before a round by the decks that are dealt, not rounded; the counter is always seated."""
    prepared = job.prepared
    trace = np.zeros((rounds, len(TRACE)), np.int64)
    tally = np.zeros(BINS * SUMS + len(job.sides) * MOST_LINES + TOTALS, np.int64)
    states = stream_states(seed_key(job.seed), 0, 1).reshape(-1)
    job.play(prepared, np.array([rounds], np.int64), states, prepared.cards.copy(), tally, trace)
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


def bankroll_fan(job: CounterJob, rate: Rate, rounds_per_shoe: float) -> list[Spread]:
    """Units won after so many rounds, over many ways that it may go; shoes are drawn from those dealt."""
    sums, _ = shoes_as_known(job, rate)
    drawn = ShoeDraws(job.seed).numbers(0, len(sums), _PATHS * _SHOES).reshape(_PATHS, _SHOES)
    won = sums[drawn].cumsum(axis=1)
    shoes = range(_SHOES // _POINTS, _SHOES + 1, _SHOES // _POINTS)
    start = Spread(0.0, (0.0,) * len(PERCENTILES))
    return [start, *(Spread(number * rounds_per_shoe, _spread(won[:, number - 1])) for number in shoes)]


def ruin_curve(job: CounterJob, rate: Rate, *, trials: int = 500) -> list[RiskOf]:
    """The risk of ruin of bankrolls from small to large; none where it is not sure that anything is won."""
    if rate.mean <= 2 * rate.standard_error:
        return []
    sums, lows = shoes_as_known(job, rate)
    scale = rate.variance / rate.mean
    curve = []
    for risk in RISKS:
        bankroll = -math.log(risk) * scale / 2
        found = ruin_of(sums, lows, bankroll, scale, trials=trials, seed=job.seed)
        curve.append(RiskOf(bankroll, rate.ruin(bankroll), found.risk, found.standard_error))
    return curve


def _spread(values: NDArray[np.float64]) -> tuple[float, ...]:
    return tuple(float(value) for value in np.percentile(values, PERCENTILES))
