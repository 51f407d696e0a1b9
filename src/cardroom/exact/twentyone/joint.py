"""Several hands and the dealer out of one shoe: their joint law, by polynomials in the shares of the ranks.

Out of an endless shoe with the shares x of the ranks, cards t come in a given order with the chance
Π x_k^t_k. Out of n cards, N in all, it is Π n_k(n_k−1)…(n_k−t_k+1) over N(N−1)…(N−|t|+1): the same monomial
under a linear functional L, which makes a finite shoe of endless ones as a mean makes a number of a
distribution. The chance that a hand ends in some way is a polynomial in x, so is that of the dealer's final,
and since each looks at no cards but its own, the chance of them all together is L of their product.

Under L a share differs from its mean p by about 1/√N. A polynomial is therefore kept as its projection on
those of some degree, orthogonal under L: what is lost is the product of higher parts of both sides, about
(cards of a hand / N) to the power of the degree + 1. Degree 3 loses less than 10⁻¹³ of the chance of a result
with six decks and 2·10⁻¹⁰ with one. A shoe so small that more would be lost is counted whole (`whole`).

L is a functional of polynomials of degree N at most: no more cards can be drawn. So the degree is such that
the longest hand and the product of two projections keep within it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations_with_replacement
from math import comb
from typing import Final, NamedTuple

import numpy as np
from numba import njit

from cardroom.exact.twentyone.nodes import Floats, Ints

MOST_MONOMIALS: Final = 455
"""Enough for degree 3 in twelve shares, the thirteenth rank being what is left; nine make 220 of them."""
HIGHEST_DEGREE: Final = 8


class Monomials(NamedTuple):
    """Products of at most 2·degree shares, by degree; those of half of it come first.

    The products of a monomial with its last share and the shares after it stand side by side.
    """

    powers: Ints
    """[monomial, share]."""
    degree: Ints
    last: Ints
    """[monomial]: the last share in it …"""
    power: Ints
    """… and its power."""
    less: Ints
    """[monomial, share]: the monomial with one less of a share; 0 where it has none."""
    product: Ints
    """[monomial, monomial] of the first half: their product."""


@lru_cache
def monomials(shares: int, degree: int) -> Monomials:
    """The monomials for a number of shares."""
    lists = [
        one for size in range(2 * degree + 1) for one in combinations_with_replacement(range(shares), size)
    ]
    place = {one: number for number, one in enumerate(lists)}
    powers = np.zeros((len(lists), shares), np.int64)
    less = np.zeros_like(powers)
    for number, one in enumerate(lists):
        for at, k in enumerate(one):
            powers[number, k] += 1
            less[number, k] = place[one[:at] + one[at + 1 :]]
    half = sum(len(one) <= degree for one in lists)
    product = [[place[tuple(sorted(one + other))] for other in lists[:half]] for one in lists[:half]]
    return Monomials(
        powers=powers,
        degree=np.array([len(one) for one in lists]),
        last=np.array([one[-1] if one else 0 for one in lists]),
        power=np.array([one.count(one[-1]) if one else 0 for one in lists]),
        less=less,
        product=np.array(product),
    )


@njit(cache=True, error_model="numpy", nogil=True)
def _add_moments(
    left: Floats,
    step: float,
    shares: Ints,
    known: Monomials,
    taken: Ints,
    ways: Floats,
    group: Ints,
    result: Floats,
) -> None:
    """Add L of ways · x^taken · x^monomial to the row of each group."""
    total = left.sum()
    number = result.shape[1]
    value = np.zeros(number)
    cards_left = np.zeros(len(shares))
    each = np.zeros(known.degree[number - 1] + 1)
    for i in range(len(taken)):
        value[0] = ways[i]
        cards = 0
        for k in range(len(left)):
            for out in range(taken[i, k]):
                value[0] *= max(left[k] - step * out, 0.0) / max(total - step * cards, 1.0)
                cards += 1
        if value[0] == 0.0:
            continue
        for k in range(len(shares)):
            cards_left[k] = left[shares[k]] - step * taken[i, shares[k]]
        for degree in range(len(each)):
            each[degree] = 1.0 / max(total - step * (cards + degree), 1.0)
        made = 1
        m = 0
        while made < number:
            chance = value[m] * each[known.degree[m]]
            value[made] = chance * (cards_left[known.last[m]] - step * known.power[m])
            made += 1
            for k in range(known.last[m] + 1, len(shares)):
                value[made] = chance * cards_left[k]
                made += 1
            m += 1
        row = result[group[i]]
        for m in range(number):
            row[m] += value[m]


@njit(cache=True, error_model="numpy", nogil=True)
def _centre(known: Monomials, mean: Floats, scale: Floats, moments: Floats) -> None:
    """Turn L of monomials in x into L of the same in (x − mean) / scale."""
    number, groups = moments.shape
    for k in range(len(mean)):
        for power in range(1, known.degree[number - 1] + 1):
            for m in range(number - 1, 0, -1):
                if known.powers[m, k] >= power:
                    less = known.less[m, k]
                    for group in range(groups):
                        moments[m, group] -= mean[k] * moments[less, group]
    for m in range(1, number):
        unit = 1.0
        for k in range(len(mean)):
            for _ in range(known.powers[m, k]):
                unit *= scale[k]
        for group in range(groups):
            moments[m, group] /= unit


@njit(cache=True, error_model="numpy", nogil=True)
def _factored(matrix: Floats) -> Floats:
    """A symmetric matrix as L·D·Lᵀ: L below the diagonal, D on it."""
    result = matrix.copy()
    size = len(result)
    for i in range(size):
        for j in range(i + 1, size):
            factor = result[j, i] / result[i, i]
            for k in range(j, size):
                result[k, j] -= factor * result[k, i]
        for j in range(i + 1, size):
            result[j, i] /= result[i, i]
    return result


@njit(cache=True, error_model="numpy", nogil=True)
def _solved(factors: Floats, rows: Floats) -> Floats:
    """The solutions of a factored matrix for rows of right-hand sides."""
    number, size = rows.shape
    upper = np.ascontiguousarray(factors.T)
    result = rows.copy()
    for row in range(number):
        x = result[row]
        for i in range(size):
            for j in range(i + 1, size):
                x[j] -= upper[i, j] * x[i]
        for i in range(size):
            x[i] /= factors[i, i]
        for i in range(size - 1, -1, -1):
            for j in range(i):
                x[j] -= factors[i, j] * x[i]
    return result


@njit(cache=True, error_model="numpy", nogil=True)
def _add_products(moments: Floats, product: Ints, projection: Floats, place: Ints, sums: Floats) -> None:
    """Add the moments of one polynomial times others, each to its row."""
    number, size = projection.shape
    made = np.zeros((number, size))
    row = np.zeros(size)
    for m in range(size):
        for b in range(size):
            row[b] = moments[product[m, b]]
        for i in range(number):
            factor = projection[i, m]
            for b in range(size):
                made[i, b] += factor * row[b]
    for i in range(number):
        for b in range(size):
            sums[place[i], b] += made[i, b]


@njit(cache=True, error_model="numpy", nogil=True)
def combined(weights: Floats, moments: Floats) -> Floats:
    """[row, monomial]: sums of moments with weights, most of which are 0."""
    number, size = moments.shape
    result = np.zeros((len(weights), size))
    for row in range(len(weights)):
        for one in range(number):
            weight = weights[row, one]
            if weight != 0.0:
                for m in range(size):
                    result[row, m] += weight * moments[one, m]
    return result


@dataclass(frozen=True, eq=False)
class SharedShoe:
    """The cards that several hands are dealt from, and polynomials in the shares of its ranks."""

    left: Floats
    """[rank]."""
    step: float
    """1, or 0 where a card drawn leaves the shoe as it was."""
    longest: int = 0
    """The most cards that a hand, or the dealer, can take."""
    less: int = 0
    """By how much the degree is lower than it could be."""

    @cached_property
    def shares(self) -> Ints:
        """The ranks whose shares are variables: all but the most frequent, which is what is left."""
        there: Ints = np.flatnonzero(self.left * self.step > 0.0)
        others: Ints = there[there != self.left.argmax()]
        return others

    @cached_property
    def monomials(self) -> Monomials:
        shares = len(self.shares)
        fit = [d for d in range(self._highest + 1) if comb(shares + d, shares) <= MOST_MONOMIALS]
        return monomials(shares, max(fit[-1] - self.less, 0))

    @cached_property
    def _highest(self) -> int:
        if not len(self.shares):
            return 0
        within = (int(self.left.sum()) - self.longest) // 2
        return max(min(HIGHEST_DEGREE, int(self.left.max()), within), 0)

    @cached_property
    def basis(self) -> Ints:
        """The monomials that are projected on; more of a rank than there are is always nothing."""
        powers = self.monomials.powers[: len(self.monomials.product)]
        return np.flatnonzero((powers <= self.left[self.shares]).all(axis=1))

    @cached_property
    def _product(self) -> Ints:
        return self.monomials.product[np.ix_(self.basis, self.basis)]

    @cached_property
    def _factors(self) -> Floats:
        return _factored(self.whole[self._product])

    def moments(self, taken: Ints, ways: Floats, group: Ints, groups: int) -> Floats:
        """[group, monomial]: L of the polynomials Σ ways · x^taken, times the monomials about the mean."""
        result = np.zeros((groups, len(self.monomials.degree)))
        _add_moments(self.left, self.step, self.shares, self.monomials, taken, ways, group, result)
        by_monomial = np.ascontiguousarray(result.T)
        mean = self.left[self.shares] / self.left.sum()
        _centre(self.monomials, mean, np.sqrt(mean * (1.0 - mean) / self.left.sum()), by_monomial)
        return np.ascontiguousarray(by_monomial.T)

    @cached_property
    def whole(self) -> Floats:
        """[monomial]: the moments of the polynomial 1."""
        nothing = np.zeros((1, len(self.left)), np.int64)
        result: Floats = self.moments(nothing, np.ones(1), np.zeros(1, np.int64), 1)[0]
        return result

    def projected(self, moments: Floats) -> Floats:
        """[polynomial, of the basis]: the projections of polynomials with these moments."""
        return _solved(self._factors, np.ascontiguousarray(moments[:, self.basis]))

    def products(self, moments: Floats, projection: Floats, place: Ints, places: int) -> Floats:
        """[place, of the basis]: projections of sums of products, one by its moments, one by its projection.

        `place` says for each [one, other] to which sum its product is added.
        """
        sums = np.zeros((places, len(self.basis)))
        for row, to in zip(moments, place, strict=True):
            _add_products(row, self._product, projection, to, sums)
        return _solved(self._factors, sums)

    def together(self, one: Floats, other: Floats, moments: Floats) -> Floats:
        """[one, other]: L of the product of two polynomials, by projection, and a third, by its moments."""
        sums = np.zeros_like(one)
        _add_products(moments, self._product, one, np.arange(len(one)), sums)
        result: Floats = np.einsum("im,jm->ij", sums, other)
        return result
