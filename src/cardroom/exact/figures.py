"""What is known of a wager: its outcomes with their probabilities, and all that follows from them.

Probabilities are fractions where the method gives fractions, and floats (`fraction` null in JSON) where not.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from cardroom.core.errors import MalformedInput

Number = Fraction | float
ROUNDING: Final = 1e-10
"""Probabilities in double precision add up to 1 but for this."""


class NotFigured(MalformedInput):
    """A wager that has no exact figures: there are too many hands. It can be played and simulated."""


def number_to_json(number: Number) -> dict[str, Any]:
    """`{"fraction": "16/25", "decimal": 0.64}`; the fraction is null for a number that is not exact."""
    fraction = str(number) if isinstance(number, Fraction) else None
    return {"fraction": fraction, "decimal": float(number)}


@dataclass(frozen=True, slots=True)
class Outcome:
    """One way a wager can end: `net` is won, or below zero lost, for each unit staked."""

    outcome: str
    net: Fraction
    probability: Number

    @property
    def pays(self) -> str:
        """As odds when something is won (`1:2`), else the net result (`0`, `-1`, `-1/2`)."""
        return f"{self.net.numerator}:{self.net.denominator}" if self.net > 0 else str(self.net)

    def to_json(self) -> dict[str, Any]:
        return {
            "outcome": self.outcome,
            "pays": self.pays,
            "probability": number_to_json(self.probability),
        }


@dataclass(frozen=True, slots=True)
class WagerFigures:
    """The figures of one wager for each unit staked; `strategy` where the player decides something."""

    wager: str
    outcomes: tuple[Outcome, ...]
    method: str = "exact"
    strategy: str | None = None
    value: Number | None = None
    """What is expected, where that is known better than the probabilities of the outcomes are."""
    probability_error: float | None = None
    """No probability is further from the truth, where more than rounding stands between them."""
    note: str = ""
    """What must be said wherever these figures are shown."""

    def __post_init__(self) -> None:
        whole = self._mean([Fraction(1)] * len(self.outcomes))
        rounding = 0.0 if isinstance(whole, Fraction) else ROUNDING
        assert abs(float(whole - 1)) <= rounding, f"{self.wager}: outcomes sum to {whole}"

    def _mean(self, values: list[Fraction]) -> Number:
        total: Number = Fraction(0)
        for value, outcome in zip(values, self.outcomes, strict=True):
            probability = outcome.probability
            if isinstance(probability, Fraction) and isinstance(total, Fraction):
                total += value * probability
            else:
                total = float(total) + float(value) * float(probability)
        return total

    @property
    def expected_value(self) -> Number:
        return (
            self.value if self.value is not None else self._mean([outcome.net for outcome in self.outcomes])
        )

    @property
    def variance(self) -> Number:
        mean = self.expected_value
        square = self._mean([outcome.net**2 for outcome in self.outcomes])
        if isinstance(mean, Fraction) and isinstance(square, Fraction):
            return square - mean**2
        return float(square) - float(mean) ** 2

    @property
    def standard_deviation(self) -> float:
        return math.sqrt(self.variance)

    @property
    def house_edge_percent(self) -> float:
        return float(-100 * self.expected_value)

    @property
    def hit_frequency(self) -> Number:
        """The probability of winning anything."""
        return self._mean([Fraction(outcome.net > 0) for outcome in self.outcomes])

    def to_json(self) -> dict[str, Any]:
        """The shape of one wager in `odds --json`."""
        strategy = {"strategy": self.strategy} if self.strategy is not None else {}
        error = {} if self.probability_error is None else {"probability_error": self.probability_error}
        return {
            "wager": self.wager,
            "method": self.method,
            **strategy,
            "expected_value": number_to_json(self.expected_value),
            "house_edge_percent": self.house_edge_percent,
            "hit_frequency": float(self.hit_frequency),
            "standard_deviation": self.standard_deviation,
            "outcomes": [outcome.to_json() for outcome in self.outcomes],
            **error,
            **({"note": self.note} if self.note else {}),
        }
