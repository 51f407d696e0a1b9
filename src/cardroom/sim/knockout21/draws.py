"""Draws of Knockout 21 as a simulation: how many tickets of a draw win each game, and what they are paid."""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from cardroom.core.errors import MalformedInput
from cardroom.rules.knockout21 import GAMES, Game, Knockout21Rules
from cardroom.rules.knockout21.accounts import game_account
from cardroom.sim.batches import ROUNDS_PER_BATCH, Tally
from cardroom.sim.knockout21.settlement import simulate_winners

MOST_TICKETS: Final = 100_000


@dataclass(frozen=True, slots=True)
class GameEstimate:
    """One game over many draws: the share of tickets that win it, and what it returns of their price."""

    game: Game
    win_chance: float
    win_chance_error: float
    returned: float
    returned_error: float

    def to_json(self) -> dict[str, Any]:
        return {
            "wager": f"game-{self.game}",
            "method": "simulated",
            "hit_frequency": self.win_chance,
            "hit_frequency_standard_error": self.win_chance_error,
            "expected_return": self.returned,
            "expected_return_standard_error": self.returned_error,
        }


@dataclass(frozen=True, slots=True)
class Knockout21Job:
    """Draws of a number of random tickets that play by the charts; a round is a draw.

    A tally counts the draws in which so many tickets won a game: [game − 1, winners].
    """

    rules: Knockout21Rules
    tickets: int
    seed: int

    def __post_init__(self) -> None:
        least = max(1, self.rules.draws.minimum_tickets)
        if not least <= self.tickets <= MOST_TICKETS:
            raise MalformedInput(
                f"{self.tickets} tickets are not allowed; allowed: {least} to {MOST_TICKETS:,}"
            )

    @property
    def identity(self) -> str:
        """A digest that two jobs share if and only if they play the same draws."""
        text = f"{self.rules.canonical_text()} {self.tickets} {self.seed}"
        return hashlib.sha256(text.encode()).hexdigest()

    @property
    def rounds_per_batch(self) -> int:
        return max(1, ROUNDS_PER_BATCH // self.tickets)

    def __call__(self, batch: int, rounds: int) -> Tally:
        winners = simulate_winners(self.rules, self.tickets, rounds, seed=self.seed, number=batch)
        return np.concatenate([np.bincount(column, minlength=self.tickets + 1) for column in winners.T])

    def estimates(self, tally: Tally) -> tuple[GameEstimate, ...]:
        """Each game, with errors from the spread of draws: tickets of one draw share its cards."""
        return tuple(
            self._estimate(game, draws)
            for game, draws in zip(GAMES, np.split(tally, len(GAMES)), strict=True)
        )

    def _estimate(self, game: Game, draws: NDArray[np.int64]) -> GameEstimate:
        came = np.flatnonzero(draws)
        paid = [game_account(self.rules, game, self.tickets, int(winners)).paid_cents for winners in came]
        returned = np.array(paid) / self.rules.sales_cents(self.tickets)
        shares = _mean_and_error(came / self.tickets, draws[came])
        return GameEstimate(game, *shares, *_mean_and_error(returned, draws[came]))

    def precision(self, tally: Tally) -> tuple[float, float]:
        """What a ticket brings beyond its price on average, and its error: the games are independent."""
        games = self.estimates(tally)
        return sum(game.returned for game in games) - 1, math.hypot(*(game.returned_error for game in games))


def _mean_and_error(values: NDArray[np.float64], counts: NDArray[np.int64]) -> tuple[float, float]:
    total = int(counts.sum())
    mean = float(values @ counts) / total
    variance = float((values - mean) ** 2 @ counts) / max(total - 1, 1)
    return mean, math.sqrt(variance / total)
