"""The primary wager and the side bets of the same rounds, simulated together: how they go together.

The exact solver knows the primary wager by the player's cards and the up card; a side bet that looks at the
hole card as well is correlated with it in a way that only whole rounds show.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardroom.rules.twentyone.schema import TwentyOneRules
from cardroom.sim.compiled import kernel
from cardroom.sim.twentyone.dealing import Dealing, new_marks
from cardroom.sim.twentyone.job import Job, rounds_per_stream
from cardroom.sim.twentyone.kernel import Room, play_round
from cardroom.sim.twentyone.sides import line_nets, simulated_sides
from cardroom.sim.twentyone.stream import seed_key, stream_states


@dataclass(frozen=True, slots=True)
class JointEstimate:
    """The correlation of the primary wager and a side bet, with the standard deviation of the estimate."""

    wager: str
    correlation: float
    standard_error: float


def correlations(
    rules: TwentyOneRules,
    actions: NDArray[np.int8],
    rounds: int,
    *,
    seed: int,
    wager_cents: int | None = None,
    side_cents: int | None = None,
) -> tuple[JointEstimate, ...]:
    """Play rounds of one spot from fresh shoes and correlate every side bet with the primary wager."""
    job = Job.of(rules, actions, seed=seed, dealing=Dealing.fresh(), wager_cents=wager_cents)
    prepared = job.prepared
    per_stream = rounds_per_stream(rounds)
    lanes = len(per_stream)
    states = stream_states(seed_key(seed), 0, lanes).reshape(-1)
    shoes = prepared.cards.copy() if prepared.game.infinite else np.tile(prepared.cards, lanes)
    tallies = prepared.tallies(np.zeros(prepared.tally_size, np.int64))
    sums = np.zeros((*tallies.side_lines.shape, 3), np.int64)
    play_together(per_stream, prepared.game, states, shoes, new_marks(lanes), Room.of(lanes), tallies, sums)
    return tuple(
        _estimate(rules, wager, side_cents, by_line)
        for wager, by_line in zip(simulated_sides(rules), sums, strict=True)
    )


@kernel
def play_together(
    rounds: Any, game: Any, states: Any, shoes: Any, marks: Any, room: Any, tallies: Any, sums: Any
) -> Any:
    """Play rounds; `sums[bet, line]` are the rounds of a line, their results in units and the squares."""
    lines = tallies.side_lines
    for lane in range(np.uint64(rounds.size)):
        for _ in range(rounds[lane]):
            lines[:] = 0
            won, _ = play_round(lane, 1, game, states, shoes, marks, room, tallies)
            for bet in range(lines.shape[0]):
                for line in range(lines.shape[1]):
                    if lines[bet, line] != 0:
                        sums[bet, line, 0] += 1
                        sums[bet, line, 1] += won
                        sums[bet, line, 2] += won * won


def _estimate(
    rules: TwentyOneRules, wager: str, side_cents: int | None, by_line: NDArray[np.int64]
) -> JointEstimate:
    nets = np.zeros(len(by_line))
    for number, net in enumerate(line_nets(rules, wager, side_cents)):
        nets[number] = float(net)
    counts, won, squares = by_line.astype(np.float64).T
    rounds = counts.sum()
    mean, side_mean = won.sum() / rounds, counts @ nets / rounds
    variance = squares.sum() / rounds - mean**2
    side_variance = counts @ nets**2 / rounds - side_mean**2
    away = nets - side_mean
    covariance = away @ (won - counts * mean) / rounds
    spread = math.sqrt(variance * side_variance)
    fourth = away**2 @ (squares - 2 * mean * won + counts * mean**2) / rounds
    error = math.sqrt(max(fourth - covariance**2, 0.0) / rounds) / spread
    return JointEstimate(wager, float(covariance / spread), error)
