"""Many rounds together: the exact law of their sum, loss quantiles and hold bands.

The law of a sum of n rounds is the n-th power of the Fourier transform of one round's. It is taken on a ring
of results so long that by Bernstein's inequality less than `BEYOND` of the probability lies outside of one
turn.

>>> fair = [(Fraction(-1), 0.5), (Fraction(1), 0.5)]
>>> session = sum_of_rounds(fair, 1000)
>>> float(session.mean), session.quantile(0.5), session.quantile(0.05)
(0.0, Fraction(0, 1), Fraction(-52, 1))
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from cardroom.core.errors import MalformedInput

ROUNDS: Final = (10**3, 10**4, 10**5, 10**6, 10**7)
"""The sessions of a PAR sheet."""
BANDS: Final = (0.90, 0.99)
"""The central bands of hold that a PAR sheet gives."""
LOSS_LEVELS: Final = (0.5, 0.9, 0.99, 0.999)
BEYOND: Final = 1e-12
MOST_RESULTS: Final = 2**25
"""Of a session: so many take a few seconds and less than 2 GB."""
_CURVE_POINTS: Final = 33

Law = Sequence[tuple[Fraction, Fraction | float]]
"""(net result of a round for each unit staked, its probability)."""


@dataclass(frozen=True, eq=False)
class Session:
    """The law of the player's result after some rounds, in units of the initial wager."""

    rounds: int
    mean: Fraction | float
    standard_deviation: float
    step: Fraction
    lowest: int
    """The result, in steps, that the first probability belongs to."""
    probabilities: NDArray[np.float64]
    error: float
    """The most by which a probability summed from this law may be off."""

    @cached_property
    def _cumulative(self) -> NDArray[np.float64]:
        return np.cumsum(self.probabilities)

    def quantile(self, level: float) -> Fraction:
        """The least result that is not exceeded with this chance."""
        place = int(np.searchsorted(self._cumulative, level * self._cumulative[-1]))
        return (self.lowest + min(place, len(self.probabilities) - 1)) * self.step

    def loss_quantile(self, level: float) -> Fraction:
        """The loss that is not exceeded with this chance; below zero it is a win."""
        return -self.quantile(1 - level)

    @property
    def house_behind(self) -> float:
        """The chance that the players are ahead."""
        first_win = max(-self.lowest + 1, 0)
        return float(self.probabilities[first_win:].sum())

    def hold_band(self, level: float) -> tuple[float, float]:
        """The central band of the house's hold, as a share of initial wagers, that has this chance."""
        low, high = self.quantile((1 + level) / 2), self.quantile((1 - level) / 2)
        return float(-low / self.rounds), float(-high / self.rounds)

    @property
    def hold(self) -> float:
        return float(-self.mean / self.rounds)

    def to_json(self) -> dict[str, Any]:
        return {
            "rounds": self.rounds,
            "mean": float(self.mean),
            "standard_deviation": self.standard_deviation,
            "hold": self.hold,
            "hold_bands": {str(level): list(self.hold_band(level)) for level in BANDS},
            "loss_quantiles": {str(level): float(self.loss_quantile(level)) for level in LOSS_LEVELS},
            "house_behind": self.house_behind,
            "method": "exact",
            "error": self.error,
        }


def sum_of_rounds(law: Law, rounds: int) -> Session:
    """The law of the sum of so many independent rounds."""
    law = [(net, chance) for net, chance in law if chance]
    step = Fraction(1, math.lcm(*(net.denominator for net, _ in law)))
    nets = [int(net / step) for net, _ in law]
    chances = np.array([float(chance) for _, chance in law])
    chances /= chances.sum()  # what rounding left of the whole would grow with the number of rounds
    mean = sum((net * chance for net, chance in law), Fraction(0))
    mean_steps = float(mean / step)
    variance = float(chances @ (np.array(nets) - mean_steps) ** 2)
    length = _ring(nets, mean_steps, variance, rounds)
    # Counted from the whole number next to the mean, phases stay small, and so do their rounding errors.
    middle = round(mean_steps)
    one = np.zeros(length)
    np.add.at(one, [(net - middle) % length for net in nets], chances)
    summed = np.maximum(np.fft.irfft(np.fft.rfft(one) ** rounds, length), 0.0)
    first = math.floor(rounds * (mean_steps - middle)) - length // 2
    return Session(
        rounds=rounds,
        mean=mean * rounds,
        standard_deviation=math.sqrt(variance * rounds) * float(step),
        step=step,
        lowest=first + rounds * middle,
        probabilities=np.roll(summed, -(first % length)),
        error=BEYOND + abs(float(summed.sum()) - 1),
    )


def _ring(nets: Sequence[int], mean: float, variance: float, rounds: int) -> int:
    """A length of the ring, a power of two, beyond which less than `BEYOND` of the probability lies."""
    farthest = max(max(nets) - mean, mean - min(nets))
    log = math.log(2 / BEYOND)
    reach = log * farthest / 3 + math.sqrt((log * farthest / 3) ** 2 + 2 * log * rounds * variance)
    whole = rounds * (max(nets) - min(nets)) + 2
    length = int(2 ** math.ceil(math.log2(min(2 * reach + 2, 2 * whole))))
    if length > MOST_RESULTS:
        raise MalformedInput(
            f"{rounds:,} rounds have {length:,} different results; at most {MOST_RESULTS:,} are summed; "
            "the largest pay is too large, or pays have no step in common"
        )
    return length


def sessions(law: Law, rounds: Sequence[int] = ROUNDS) -> tuple[Session, ...]:
    """The sessions of a PAR sheet."""
    return tuple(sum_of_rounds(law, number) for number in rounds)


def many_sessions(law: Law, first: int = ROUNDS[0], last: int = ROUNDS[-1]) -> tuple[Session, ...]:
    """So many sessions between the shortest and the longest that lines through them look like curves."""
    lengths = {round(float(length)) for length in np.geomspace(first, last, _CURVE_POINTS)}
    return sessions(law, sorted(lengths))
