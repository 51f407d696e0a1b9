"""How far from random a shuffle leaves the cards: statistics of permutations beside their exact laws.

A permutation lists, from the top, the place that each card had before. Under a uniform shuffle each statistic
has the mean and the variance given here; |z| far above 3 over many shuffles says that the shuffle is not one.

>>> [str(measure) for measure in measures((0, 1, 2, 3))][:2]
['rising sequences: 1, random 2.50 ± 0.65', 'adjacent pairs kept: 3, random 0.75 ± 0.83']
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Final

from cardroom.core.errors import MalformedInput

_FEWEST_CARDS: Final = 2


@dataclass(frozen=True, slots=True)
class Measure:
    """A statistic of one permutation, or its mean over several, beside that of uniform permutations."""

    name: str
    value: Fraction
    mean: Fraction
    variance: Fraction

    @property
    def z(self) -> float:
        """How many standard deviations the value lies from what a uniform shuffle gives."""
        return float(self.value - self.mean) / math.sqrt(self.variance)

    def __str__(self) -> str:
        spread = math.sqrt(self.variance)
        return f"{self.name}: {float(self.value):g}, random {float(self.mean):.2f} ± {spread:.2f}"


def rising_sequences(permutation: Sequence[int]) -> int:
    """How many runs of cards in their old order, each broken off where the next one lies further up.

    A riffle at most doubles their number: few of them say how few riffles there were.
    """
    place = [0] * len(permutation)
    for now, before in enumerate(permutation):
        place[before] = now
    return 1 + sum(place[card + 1] < place[card] for card in range(len(place) - 1))


def adjacent_pairs_kept(permutation: Sequence[int]) -> int:
    """How many cards still lie right under the card that they lay under before."""
    return sum(below == above + 1 for above, below in pairwise(permutation))


def displacement(permutation: Sequence[int]) -> int:
    """By how many places the cards have moved, all together (Spearman's footrule)."""
    return sum(abs(now - before) for now, before in enumerate(permutation))


def inversions(permutation: Sequence[int]) -> int:
    """How many pairs of cards have changed their order (Kendall's tau)."""
    size = len(permutation)
    tree = [0] * (size + 1)
    count = 0
    for seen, before in enumerate(permutation):
        node, smaller = before + 1, 0
        while node:
            smaller += tree[node]
            node &= node - 1
        count += seen - smaller
        node = before + 1
        while node <= size:
            tree[node] += 1
            node += node & -node
    return count


_Law = Callable[[int], Fraction]
STATISTICS: Final[tuple[tuple[str, Callable[[Sequence[int]], int], _Law, _Law], ...]] = (
    (
        "rising sequences",
        rising_sequences,
        lambda n: Fraction(n + 1, 2),
        lambda n: Fraction(n + 1, 12),
    ),
    (
        "adjacent pairs kept",
        adjacent_pairs_kept,
        lambda n: Fraction(n - 1, n),
        lambda n: Fraction(n * n - n - 1, n * n),
    ),
    (
        "displacement",
        displacement,
        lambda n: Fraction(n * n - 1, 3),
        lambda n: Fraction((n + 1) * (2 * n * n + 7), 45),
    ),
    (
        "inversions",
        inversions,
        lambda n: Fraction(n * (n - 1), 4),
        lambda n: Fraction(n * (n - 1) * (2 * n + 5), 72),
    ),
)
"""Name, statistic, and its mean and variance over all permutations of n cards."""


def measures(permutation: Sequence[int]) -> tuple[Measure, ...]:
    """Every statistic of one permutation."""
    return compare([permutation])


def compare(permutations: Sequence[Sequence[int]]) -> tuple[Measure, ...]:
    """The mean of every statistic over independent shuffles of as many cards each."""
    sizes = {len(permutation) for permutation in permutations}
    if len(sizes) != 1 or min(sizes) < _FEWEST_CARDS:
        raise MalformedInput(f"shuffles of equally many cards, {_FEWEST_CARDS} or more, are compared")
    (size,) = sizes
    if any(sorted(permutation) != list(range(size)) for permutation in permutations):
        raise MalformedInput(f"a permutation holds each of the places 0 to {size - 1} once")
    count = len(permutations)
    return tuple(
        Measure(
            name,
            Fraction(sum(statistic(permutation) for permutation in permutations), count),
            mean(size),
            variance(size) / count,
        )
        for name, statistic, mean, variance in STATISTICS
    )
