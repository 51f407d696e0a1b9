"""What a win rate and a variance are worth: the measures that counters and houses use.

All of them speak of one round, seen or played: whoever asks says which.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

FULL_KELLY_RUIN: Final = math.exp(-2)
"""The risk of ruin of a player who always wagers the Kelly share of the first bankroll: 13.5 %."""


@dataclass(frozen=True, slots=True)
class Rate:
    """What a round wins on average and how much it varies, in units of the smallest wager."""

    rounds: int
    mean: float
    variance: float

    @property
    def standard_deviation(self) -> float:
        return math.sqrt(self.variance)

    @property
    def standard_error(self) -> float:
        """Of the mean; rounds of one shoe hardly go together, since each is paid for itself."""
        return math.sqrt(self.variance / self.rounds)

    @property
    def desirability(self) -> float:
        """DI: 1000 times the mean for each standard deviation; 0 where nothing was ever wagered."""
        return 1000 * self.mean / self.standard_deviation if self.variance else 0.0

    @property
    def score(self) -> float:
        """SCORE: what 100 rounds win with 10,000 and a risk of ruin of 13.5 %; 0 where nothing is won."""
        return self.desirability**2 if self.mean > 0 else 0.0

    @property
    def n0(self) -> float | None:
        """N0: rounds after which the win is one standard deviation; None where nothing is won."""
        return self.variance / self.mean**2 if self.mean > 0 else None

    def ruin(self, bankroll: float) -> float:
        """The risk of losing a bankroll, of so many units, before it grows without bound; 0 with no wager."""
        if not self.variance and not self.mean:
            return 0.0
        return math.exp(-2 * bankroll * self.mean / self.variance) if self.mean > 0 else 1.0

    def certainty_equivalent(self, bankroll: float, kelly: float = 1.0) -> float:
        """The sure win of a round that is worth as much to a player with this share of the Kelly wager."""
        return self.mean - self.variance / (2 * kelly * bankroll)

    def to_json(self) -> dict[str, Any]:
        return {
            "rounds": self.rounds,
            "win_per_100": 100 * self.mean,
            "win_per_100_standard_error": 100 * self.standard_error,
            "standard_deviation_per_100": 10 * self.standard_deviation,
            "desirability_index": self.desirability,
            "score": self.score,
            "n0": self.n0,
        }


@dataclass(frozen=True, slots=True)
class AtCount:
    """What is known of rounds that begin at one count, for a unit wagered."""

    count: int
    share: float
    """Of all rounds."""
    edge: float
    variance: float


def rate_of(points: Sequence[AtCount], wagers: Sequence[float], rounds: int) -> Rate:
    """What a wager for each count comes to in all rounds."""
    mean = math.fsum(one.share * wager * one.edge for one, wager in zip(points, wagers, strict=True))
    square = math.fsum(
        one.share * wager**2 * (one.variance + one.edge**2) for one, wager in zip(points, wagers, strict=True)
    )
    return Rate(rounds, mean, square - mean**2)


def kelly_wagers(points: Sequence[AtCount], bankroll: float, share: float = 1.0) -> list[float]:
    """The wager that the Kelly rule, or a share of it, makes at each count; none where there is no edge."""
    return [max(0.0, share * bankroll * one.edge / one.variance) if one.variance else 0.0 for one in points]


def optimal_wagers(
    points: Sequence[AtCount], bankroll: float, risk: float, rounds: int, most: int
) -> list[int] | None:
    """The wagers in whole units, 1 to `most`, that win most with a risk of ruin no greater than asked for.

    Were wagers not whole, the best would be those of the Kelly rule times one factor, held between the least
    and the most. So the best such factor is taken, and then units are added, or moved from one count to
    another, as long as that wins more. None where no wagers keep to the risk.
    """

    def rated(wagers: Sequence[int]) -> float:
        """What they win; less than anything where they risk too much."""
        rate = rate_of(points, wagers, rounds)
        return rate.mean if rate.ruin(bankroll) <= risk else -math.inf

    def whole(share: float) -> list[int]:
        kelly = kelly_wagers(points, bankroll, share)
        return [min(max(1, math.floor(wager)), most) for wager in kelly]

    best = max((whole(2 * 0.98**step) for step in range(300)), key=rated)
    if rated(best) == -math.inf:
        return None
    while True:
        nearby = []
        for up in range(len(points)):
            for down in (None, *range(len(points))):
                tried = list(best)
                tried[up] += 1
                if down is not None:
                    tried[down] -= 1
                if 1 <= min(tried) and max(tried) <= most:
                    nearby.append(tried)
        candidate = max(nearby, key=rated, default=best)
        if rated(candidate) <= rated(best):
            return best
        best = candidate
