"""What a simulation says of a wager, with its error."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from statistics import NormalDist
from typing import Any


@dataclass(frozen=True, slots=True)
class Estimate:
    """How often a wager had each net result for a unit staked, and what that says of its mean."""

    wager: str
    tally: tuple[tuple[Fraction, int], ...]
    """(net result, number of rounds), from the largest loss to the largest win."""

    @property
    def rounds(self) -> int:
        return sum(count for _, count in self.tally)

    @property
    def mean(self) -> Fraction:
        return sum((net * count for net, count in self.tally), Fraction(0)) / self.rounds

    @property
    def variance(self) -> float:
        """Of one round, estimated without bias."""
        mean = self.mean
        squares = sum(((net - mean) ** 2 * count for net, count in self.tally), Fraction(0))
        return float(squares / (self.rounds - 1))

    @property
    def standard_deviation(self) -> float:
        return math.sqrt(self.variance)

    @property
    def standard_error(self) -> float:
        """The standard deviation of the mean."""
        return math.sqrt(self.variance / self.rounds)

    @property
    def hit_frequency(self) -> float:
        return sum(count for net, count in self.tally if net > 0) / self.rounds

    def confidence_interval(self, level: float = 0.95) -> tuple[float, float]:
        """The interval that holds the expected value in this share of simulations."""
        reach = NormalDist().inv_cdf((1 + level) / 2) * self.standard_error
        return float(self.mean) - reach, float(self.mean) + reach

    def to_json(self) -> dict[str, Any]:
        return {
            "wager": self.wager,
            "method": "simulated",
            "expected_value": {"fraction": None, "decimal": float(self.mean)},
            "standard_error": self.standard_error,
            "confidence_interval_95": list(self.confidence_interval()),
            "house_edge_percent": float(-100 * self.mean),
            "hit_frequency": self.hit_frequency,
            "standard_deviation": self.standard_deviation,
            "outcomes": [{"net": str(net), "rounds": count} for net, count in self.tally],
        }


@dataclass(frozen=True, slots=True)
class SimulationResult:
    """A simulation as a whole; the same rules, rounds and seed always give the same result."""

    game: str
    rules_hash: str
    rounds: int
    seed: int
    estimates: tuple[Estimate, ...]
    details: Mapping[str, Any] = field(default_factory=dict)
    """What else a game has to say, as it stands in the JSON."""

    def estimate(self, wager: str) -> Estimate:
        """The estimate of one wager by its id."""
        return next(estimate for estimate in self.estimates if estimate.wager == wager)

    def to_json(self) -> dict[str, Any]:
        return {
            "game": self.game,
            "rules_hash": self.rules_hash,
            "rounds": self.rounds,
            "seed": self.seed,
            **self.details,
            "wagers": [estimate.to_json() for estimate in self.estimates],
        }
