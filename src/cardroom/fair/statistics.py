"""Statistical tests of final outputs, the shuffled and the independent cards (R-2), with their p-values."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from cardroom.core.cards import CARDS, Card

LEVEL: Final = 0.01
"""The tests together fail a true generator with at most this probability: 99 %, Bonferroni-corrected."""

_MOST_TERMS: Final = 10_000
_PRECISION: Final = 1e-15
_SMALLEST: Final = 1e-300


@dataclass(frozen=True, slots=True)
class TestResult:
    """One test: what it looked at, its statistic, and how often chance alone gives one as extreme."""

    __test__ = False  # not a test case for pytest

    name: str
    statistic: float
    p_value: float


def all_pass(results: Sequence[TestResult]) -> bool:
    """Whether every p-value is above the level divided by the number of tests."""
    return all(result.p_value > LEVEL / len(results) for result in results)


def chi_square_p_value(statistic: float, degrees: float) -> float:
    """The chance of a chi-square statistic at least this large: Q(degrees / 2, statistic / 2)."""
    a, x = degrees / 2, statistic / 2
    if x <= 0:
        return 1.0
    scale = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1:  # the series of the lower function converges fast here
        term = total = 1 / a
        for n in range(1, _MOST_TERMS):
            term *= x / (a + n)
            total += term
            if term < total * _PRECISION:
                break
        return max(0.0, 1.0 - scale * total)
    b = x + 1 - a  # else the continued fraction of the upper one, by Lentz's method
    c, d = 1 / _SMALLEST, 1 / b
    fraction = d
    for n in range(1, _MOST_TERMS):
        step = -n * (n - a)
        b += 2
        d = 1 / ((step * d + b) or _SMALLEST)
        c = (b + step / c) or _SMALLEST
        fraction *= d * c
        if abs(d * c - 1) < _PRECISION:
            break
    return min(1.0, scale * fraction)


def normal_p_value(z: float) -> float:
    """The chance of a standard normal at least this far from zero, either way."""
    return math.erfc(abs(z) / math.sqrt(2))


def poisson_p_value(count: int, mean: float) -> float:
    """The chance of a Poisson count at least as far out as this one: twice the smaller tail."""
    below = math.fsum(math.exp(k * math.log(mean) - mean - math.lgamma(k + 1)) for k in range(count + 1))
    at = math.exp(count * math.log(mean) - mean - math.lgamma(count + 1))
    return min(1.0, 2 * min(below, 1 - below + at))


def places_test(shuffles: Sequence[Sequence[Card]]) -> TestResult:
    """Chi-square of card against place over shuffles of one deck; each pair expected equally often."""
    size = len(CARDS)
    seen = Counter((card.index, place) for cards in shuffles for place, card in enumerate(cards))
    expected = len(shuffles) / size
    squares = math.fsum((seen[i, j] - expected) ** 2 for i in range(size) for j in range(size)) / expected
    # Every place holds one card and every card one place, so (size - 1)² counts are free.
    statistic = squares * (size - 1) / size
    return TestResult(
        "chi-square of card by place", statistic, chi_square_p_value(statistic, (size - 1) ** 2)
    )


def frequency_test(cards: Sequence[Card]) -> TestResult:
    """Chi-square of the cards of an infinite deck."""
    expected = len(cards) / len(CARDS)
    seen = Counter(cards)
    statistic = math.fsum((seen[card] - expected) ** 2 for card in CARDS) / expected
    return TestResult(
        "chi-square of independent cards", statistic, chi_square_p_value(statistic, len(CARDS) - 1)
    )


def runs_test(cards: Sequence[Card]) -> TestResult:
    """Runs of cards from the lower and the upper half of the deck (Wald and Wolfowitz)."""
    upper = [card.index >= len(CARDS) // 2 for card in cards]
    runs = 1 + sum(a != b for a, b in pairwise(upper))
    high = sum(upper)
    low, total = len(upper) - high, len(upper)
    mean = 2 * high * low / total + 1
    variance = (mean - 1) * (mean - 2) / (total - 1)
    return TestResult("runs", float(runs), normal_p_value((runs - mean) / math.sqrt(variance)))


def serial_test(cards: Sequence[Card]) -> TestResult:
    """Chi-square of the pairs (1st, 2nd), (3rd, 4th), … of independent cards."""
    pairs = Counter(zip(cards[::2], cards[1::2], strict=True))
    expected = len(cards) / 2 / len(CARDS) ** 2
    empty = len(CARDS) ** 2 - len(pairs)
    statistic = math.fsum((n - expected) ** 2 for n in pairs.values()) / expected + empty * expected
    return TestResult("serial pairs", statistic, chi_square_p_value(statistic, len(CARDS) ** 2 - 1))


def duplicates_test(shuffles: Sequence[Sequence[Card]], *, first: int = 3) -> TestResult:
    """How many pairs of shuffles begin with the same cards, against the number that chance gives."""
    beginnings = Counter(tuple(cards[:first]) for cards in shuffles)
    pairs = sum(n * (n - 1) // 2 for n in beginnings.values())
    mean = math.comb(len(shuffles), 2) / math.perm(len(CARDS), first)
    return TestResult("duplicate beginnings", float(pairs), poisson_p_value(pairs, mean))


def battery(shuffles: Sequence[Sequence[Card]], independent: Sequence[Card]) -> list[TestResult]:
    """All tests: on shuffles of one deck, and on cards of an infinite one (an even number of them)."""
    return [
        places_test(shuffles),
        duplicates_test(shuffles),
        frequency_test(independent),
        runs_test(independent),
        serial_test(independent),
    ]
