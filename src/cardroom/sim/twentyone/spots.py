"""Two spots of the same rounds, simulated: how much each varies, and how much both vary together.

Two spots face the same dealer, so they tend to win and lose together. For shoes of real decks the covariance
is simulated, here, with its error. (With infinite decks it can be worked out: given the dealer's cards the
spots are independent; the tests hold the simulation against that.)
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from cardroom.core.errors import MalformedInput
from cardroom.rules.twentyone.schema import TwentyOneRules
from cardroom.sim.compiled import kernel
from cardroom.sim.twentyone.dealing import Dealing, new_marks
from cardroom.sim.twentyone.job import Job, rounds_per_stream
from cardroom.sim.twentyone.kernel import Room, play_round
from cardroom.sim.twentyone.stream import ROUNDS_PER_STREAM, seed_key, stream_states

LEAST_STREAMS: Final = 16
"""The error is taken from how streams differ; fewer would not show it."""
LEAST_ROUNDS: Final = LEAST_STREAMS * ROUNDS_PER_STREAM


@dataclass(frozen=True, slots=True)
class SpotMoment:
    """A mean in wagers, or a second moment in squared wagers, with the standard deviation of the estimate."""

    value: float
    standard_error: float


@dataclass(frozen=True, slots=True)
class TwoSpots:
    """A unit on each of two spots of the same rounds."""

    rounds: int
    seed: int
    variance: SpotMoment
    """Of one spot."""
    covariance: SpotMoment
    """Of one spot with the other."""
    mean: SpotMoment
    """Of one spot, in wagers."""

    @property
    def correlation(self) -> float:
        return self.covariance.value / self.variance.value


def two_spots(
    rules: TwentyOneRules,
    actions: NDArray[np.int8],
    rounds: int,
    *,
    seed: int,
    dealing: Dealing | None = None,
    wager_cents: int | None = None,
) -> TwoSpots:
    """Play rounds of two spots by `actions[state, up value]`, dealt as the house deals unless said otherwise.

    Whole streams are played, so that `rounds` is rounded up.
    """
    if rounds < LEAST_ROUNDS:
        raise MalformedInput(f"{rounds} rounds are too few for an error; it takes {LEAST_ROUNDS}")
    job = Job.of(
        rules,
        actions,
        seed=seed,
        dealing=dealing or Dealing.house(rules),
        spots=2,
        side_bets=False,
        wager_cents=wager_cents,
    )
    prepared = job.prepared
    lanes = len(rounds_per_stream(rounds))
    states = stream_states(seed_key(seed), 0, lanes).reshape(-1)
    shoes = prepared.cards.copy() if prepared.game.infinite else np.tile(prepared.cards, lanes)
    tallies = prepared.tallies(np.zeros(prepared.tally_size, np.int64))
    sums = np.zeros((lanes, 3), np.int64)
    play_two(ROUNDS_PER_STREAM, prepared.game, states, shoes, new_marks(lanes), Room.of(lanes), tallies, sums)
    return _estimated(sums / ROUNDS_PER_STREAM, prepared.tables.unit, lanes * ROUNDS_PER_STREAM, seed)


@kernel
def play_two(
    rounds: Any, game: Any, states: Any, shoes: Any, marks: Any, room: Any, tallies: Any, sums: Any
) -> Any:
    """Play rounds on every lane; `sums[lane]` are results of both spots, their squares, and the products."""
    for lane in range(np.uint64(sums.shape[0])):
        for _ in range(rounds):
            play_round(lane, 2, game, states, shoes, marks, room, tallies)
            one, other = room.spot_won[0], room.spot_won[1]
            sums[lane, 0] += one + other
            sums[lane, 1] += one * one + other * other
            sums[lane, 2] += one * other


def _estimated(means: NDArray[np.float64], unit: int, rounds: int, seed: int) -> TwoSpots:
    """From the means of each stream: results of both spots, squares of both, products."""
    result, square, product = (means / [2 * unit, 2 * unit**2, unit**2]).T
    mean = float(result.mean())

    def moment(second: NDArray[np.float64]) -> SpotMoment:
        # A stream's own part in the estimate, the square of the mean taken as the line that touches it.
        parts = second - 2 * mean * result
        return SpotMoment(float(second.mean()) - mean**2, float(parts.std(ddof=1)) / math.sqrt(len(parts)))

    spread = float(result.std(ddof=1)) / math.sqrt(len(result))
    return TwoSpots(rounds, seed, moment(square), moment(product), SpotMoment(mean, spread))
