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

from cardroom.exact.compiled import kernel
from cardroom.exact.twentyone.nodes import Floats, Ints

MOST_MONOMIALS: Final = 455
"""Enough for degree 3 in twelve shares, the thirteenth rank being what is left; nine make 220 of them."""
HIGHEST_DEGREE: Final = 8
_AT_ONCE: Final = 4
"""So many rows are added to another at once: what is at hand is used more often."""


class Half(NamedTuple):
    """Products of at most so many of some of the shares, by degree; each is made of one before it."""

    before: Ints
    share: Ints
    """[monomial]: the share that is taken once more …"""
    power: Ints
    """… and how often it was taken before."""
    degree: Ints


class Monomials(NamedTuple):
    """Products of at most 2·degree shares, by degree; those of half of it come first."""

    powers: Ints
    """[monomial, share]."""
    degree: Ints
    less: Ints
    """[monomial, share]: the monomial with one less of a share; 0 where it has none."""
    product: Ints
    """[monomial, monomial] of the first half: their product."""
    front: Half
    """Monomials in the first of the shares alone …"""
    back: Half
    """… and in the others: every monomial is a product of both."""
    fits: Ints
    """[degree of a front]: how many of the backs make no too high degree with it; they come first."""
    place: Ints
    """The monomials in the order front by front, and in each back by back."""


def _half(shares: range, degree: int) -> tuple[Half, list[tuple[int, ...]]]:
    lists = [one for size in range(degree + 1) for one in combinations_with_replacement(shares, size)]
    place = {one: number for number, one in enumerate(lists)}
    return Half(
        before=np.array([place[one[:-1]] if one else 0 for one in lists]),
        share=np.array([one[-1] if one else 0 for one in lists]),
        power=np.array([one.count(one[-1]) - 1 if one else 0 for one in lists]),
        degree=np.array([len(one) for one in lists]),
    ), lists


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
    front, fronts = _half(range(shares // 2), 2 * degree)
    back, backs = _half(range(shares // 2, shares), 2 * degree)
    fits = [sum(len(other) <= 2 * degree - used for other in backs) for used in range(2 * degree + 1)]
    in_halves = [place[one + other] for one in fronts for other in backs[: fits[len(one)]]]
    return Monomials(
        powers=powers,
        degree=np.array([len(one) for one in lists]),
        less=less,
        product=np.array(product),
        front=front,
        back=back,
        fits=np.array(fits),
        place=np.array(in_halves),
    )


@kernel
def _add_moments(
    left: Floats,
    step: float,
    shares: Ints,
    front: Half,
    back: Half,
    fits: Ints,
    taken: Ints,
    ways: Floats,
    group: Ints,
    cards_left: Floats,
    each: Floats,
    one: Floats,
    other: Floats,
    scaled: Floats,
    result: Floats,
) -> None:
    """Add L of ways · x^taken · x^monomial to the row of each group, for each column of ways apart.

    `result` is [column, group, monomial in the order of `Monomials.place`]; `one` and `other` are 1 before.
    """
    total = 0.0
    for k in range(len(left)):
        total += left[k]
    degrees = len(fits)
    for i in range(len(taken)):
        value = 1.0
        cards = 0
        for k in range(len(left)):
            for out in range(taken[i, k]):
                value *= max(left[k] - step * out, 0.0) / max(total - step * cards, 1.0)
                cards += 1
        if value == 0.0:
            continue
        for k in range(len(shares)):
            cards_left[k] = left[shares[k]] - step * taken[i, shares[k]]
        each[0] = value
        for degree in range(1, degrees):
            each[degree] = each[degree - 1] / max(total - step * (cards + degree - 1), 1.0)
        for m in range(1, len(one)):
            one[m] = one[front.before[m]] * (cards_left[front.share[m]] - step * front.power[m])
        for m in range(1, len(other)):
            other[m] = other[back.before[m]] * (cards_left[back.share[m]] - step * back.power[m])
        for degree in range(degrees):
            for m in range(fits[degree]):
                scaled[degree, m] = other[m] * each[degree + back.degree[m]]
        for column in range(len(result)):
            way = ways[column, i]
            if way == 0.0:
                continue
            row = result[column, group[i]]
            made = 0
            for m in range(len(one)):
                factor = way * one[m]
                fit = fits[front.degree[m]]
                to, backs = row[made : made + fit], scaled[front.degree[m]]
                for n in range(fit):
                    to[n] += factor * backs[n]
                made += fit


@kernel
def _centre(powers: Ints, degree: Ints, less: Ints, mean: Floats, scale: Floats, moments: Floats) -> None:
    """Turn L of monomials in x into L of the same in (x − mean) / scale."""
    number, groups = moments.shape
    for k in range(len(mean)):
        for power in range(1, degree[number - 1] + 1):
            for m in range(number - 1, 0, -1):
                if powers[m, k] >= power:
                    for group in range(groups):
                        moments[m, group] -= mean[k] * moments[less[m, k], group]
    for m in range(1, number):
        unit = 1.0
        for k in range(len(mean)):
            for _ in range(powers[m, k]):
                unit *= scale[k]
        for group in range(groups):
            moments[m, group] /= unit


@kernel
def _factor(result: Floats) -> None:
    """Turn a symmetric matrix into L·D·Lᵀ: L below the diagonal, D on it."""
    size = len(result)
    for i in range(size):
        for j in range(i + 1, size):
            factor = result[j, i] / result[i, i]
            for k in range(j, size):
                result[k, j] -= factor * result[k, i]
        for j in range(i + 1, size):
            result[j, i] /= result[i, i]


@kernel
def _solve(factors: Floats, upper: Floats, result: Floats) -> None:
    """Turn rows of right-hand sides into the solutions of a factored matrix; `upper` is its transpose."""
    number, size = result.shape
    whole = size - size % _AT_ONCE
    for i in range(0, whole, _AT_ONCE):
        for row in range(number):
            x = result[row]
            for at in range(_AT_ONCE):
                for j in range(i + at + 1, i + _AT_ONCE):
                    x[j] -= upper[i + at, j] * x[i + at]
            one, two, three, four = x[i], x[i + 1], x[i + 2], x[i + 3]
            for j in range(i + _AT_ONCE, size):
                x[j] -= (
                    upper[i, j] * one
                    + upper[i + 1, j] * two
                    + upper[i + 2, j] * three
                    + upper[i + 3, j] * four
                )
    for row in range(number):
        x = result[row]
        for i in range(whole, size):
            for j in range(i + 1, size):
                x[j] -= upper[i, j] * x[i]
        for i in range(size):
            x[i] /= factors[i, i]
        for i in range(size - 1, whole - 1, -1):
            for j in range(i):
                x[j] -= factors[i, j] * x[i]
    for i in range(whole - _AT_ONCE, -1, -_AT_ONCE):
        for row in range(number):
            x = result[row]
            for at in range(_AT_ONCE - 1, -1, -1):
                for j in range(i, i + at):
                    x[j] -= factors[i + at, j] * x[i + at]
            one, two, three, four = x[i], x[i + 1], x[i + 2], x[i + 3]
            for j in range(i):
                x[j] -= (
                    factors[i, j] * one
                    + factors[i + 1, j] * two
                    + factors[i + 2, j] * three
                    + factors[i + 3, j] * four
                )


@kernel
def _add_products(
    moments: Floats,
    product: Ints,
    projection: Floats,
    place: Ints,
    made: Floats,
    rows: Floats,
    sums: Floats,
) -> None:
    """Add the moments of one polynomial times others, each to its row; `made` is 0 before."""
    number, size = projection.shape
    for m in range(0, size, _AT_ONCE):
        for at in range(_AT_ONCE):
            if m + at < size:
                for b in range(size):
                    rows[at, b] = moments[product[m + at, b]]
            else:
                rows[at] = 0.0
        for i in range(number):
            one = projection[i, m]
            two = projection[i, m + 1] if m + 1 < size else 0.0
            three = projection[i, m + 2] if m + 2 < size else 0.0
            four = projection[i, m + 3] if m + 3 < size else 0.0
            to = made[i]
            for b in range(size):
                to[b] += one * rows[0, b] + two * rows[1, b] + three * rows[2, b] + four * rows[3, b]
    for i in range(number):
        for b in range(size):
            sums[place[i], b] += made[i, b]


def combined(weights: Floats, moments: Floats) -> Floats:
    """[row, monomial]: sums of moments with weights, most of which are 0."""
    result = np.zeros((len(weights), moments.shape[1]))
    _combine(weights, moments, result)
    return result


@kernel
def _combine(weights: Floats, moments: Floats, result: Floats) -> None:
    number, size = moments.shape
    for row in range(len(weights)):
        for one in range(number):
            weight = weights[row, one]
            if weight != 0.0:
                for m in range(size):
                    result[row, m] += weight * moments[one, m]


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
        return self.monomials.product[np.ix_(self.basis, self.basis)].astype(np.int32)

    @cached_property
    def _factors(self) -> Floats:
        factors: Floats = self.whole[self._product]
        _factor(factors)
        return factors

    @cached_property
    def _upper(self) -> Floats:
        return np.ascontiguousarray(self._factors.T)

    def moments(self, taken: Ints, ways: Floats, group: Ints, groups: int) -> Floats:
        """[column, group, monomial]: L of Σ ways · x^taken, times the monomials about the mean.

        `ways` is [column, term]: several polynomials of the same terms.
        """
        result = np.zeros((len(ways), groups, len(self.monomials.degree)))
        front, back, fits = self.monomials.front, self.monomials.back, self.monomials.fits
        _add_moments(
            self.left,
            self.step,
            self.shares,
            front,
            back,
            fits,
            taken,
            ways,
            group,
            np.zeros(len(self.shares)),
            np.zeros(len(fits)),
            np.ones(len(front.degree)),
            np.ones(len(back.degree)),
            np.zeros((len(fits), len(back.degree))),
            result,
        )
        by_monomial = np.empty((result.shape[2], len(ways) * groups))
        by_monomial[self.monomials.place] = result.reshape(len(ways) * groups, -1).T
        mean = self.left[self.shares] / self.left.sum()
        scale = np.sqrt(mean * (1.0 - mean) / self.left.sum())
        known = self.monomials
        _centre(known.powers, known.degree, known.less, mean, scale, by_monomial)
        return np.ascontiguousarray(by_monomial.T).reshape(result.shape)

    @cached_property
    def whole(self) -> Floats:
        """[monomial]: the moments of the polynomial 1."""
        nothing = np.zeros((1, len(self.left)), np.int64)
        result: Floats = self.moments(nothing, np.ones((1, 1)), np.zeros(1, np.int64), 1)[0, 0]
        return result

    def projected(self, moments: Floats) -> Floats:
        """[polynomial, of the basis]: the projections of polynomials with these moments."""
        result = np.ascontiguousarray(moments[:, self.basis])
        _solve(self._factors, self._upper, result)
        return result

    def products(self, moments: Floats, projection: Floats, place: Ints, places: int) -> Floats:
        """[place, of the basis]: projections of sums of products, one by its moments, one by its projection.

        `place` says for each [one, other] to which sum its product is added.
        """
        sums = np.zeros((places, len(self.basis)))
        for row, to in zip(moments, place, strict=True):
            self._add_products(row, projection, to, sums)
        _solve(self._factors, self._upper, sums)
        return sums

    def times(self, one: Floats, moments: Floats) -> Floats:
        """[one, of the basis]: moments of polynomials, each times another that is given by its moments."""
        sums = np.zeros_like(one)
        self._add_products(moments, one, np.arange(len(one)), sums)
        return sums

    def _add_products(self, moments: Floats, projection: Floats, place: Ints, sums: Floats) -> None:
        made, rows = np.zeros(projection.shape), np.zeros((_AT_ONCE, projection.shape[1]))
        _add_products(moments, self._product, projection, place, made, rows, sums)
