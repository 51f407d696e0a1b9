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
from functools import cached_property
from math import comb
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cardroom.exact.compiled import kernel
from cardroom.exact.twentyone.moments import moments, units
from cardroom.exact.twentyone.monomials import Monomials, monomials
from cardroom.exact.twentyone.nodes import Floats, Ints

MOST_MONOMIALS: Final = 455
"""Enough for degree 3 in twelve shares, the thirteenth rank being what is left; nine make 220 of them."""
HIGHEST_DEGREE: Final = 8
_AT_ONCE: Final = 8
"""So many rows are added to another at once: what is at hand is used more often."""
_LINES: Final = 4
"""So many lines of a matrix are taken away from a row at once."""
_WIDTH: Final = 32
"""The basis is filled up to a multiple of it: a few numbers less than a vector take as long as several."""
_ROWS: Final = 16
"""So many rows are solved together: they and what they are solved by are then at hand."""


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
    """Turn rows of right-hand sides into the solutions of a factored matrix; `upper` is its transpose.

    Rows that are shorter than the matrix are solved by its first lines and columns.
    """
    size = result.shape[1]
    whole = size - size % _LINES
    for first in range(0, len(result), _ROWS):
        last = min(first + _ROWS, len(result))
        for i in range(0, whole, _LINES):
            for row in range(first, last):
                x = result[row]
                for at in range(_LINES):
                    for j in range(i + at + 1, i + _LINES):
                        x[j] -= upper[i + at, j] * x[i + at]
                one, two, three, four = x[i], x[i + 1], x[i + 2], x[i + 3]
                for j in range(i + _LINES, size):
                    x[j] -= (
                        upper[i, j] * one
                        + upper[i + 1, j] * two
                        + upper[i + 2, j] * three
                        + upper[i + 3, j] * four
                    )
        for row in range(first, last):
            x = result[row]
            for i in range(whole, size):
                for j in range(i + 1, size):
                    x[j] -= upper[i, j] * x[i]
            for i in range(size):
                x[i] /= factors[i, i]
            for i in range(size - 1, whole - 1, -1):
                for j in range(i):
                    x[j] -= factors[i, j] * x[i]
        for i in range(whole - _LINES, -1, -_LINES):
            for row in range(first, last):
                x = result[row]
                for at in range(_LINES - 1, -1, -1):
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
    product: NDArray[np.int32],
    projection: Floats,
    place: Ints,
    rows: Floats,
    some: Floats,
    sums: Floats,
) -> None:
    """Add the moments of some polynomials times others, each to its row."""
    finals, number, size = projection.shape
    for final in range(finals):
        for value in range(moments.shape[1]):
            known = moments[final, value]
            for m in range(0, size, _AT_ONCE):
                for at in range(_AT_ONCE):
                    if m + at < size:
                        for b in range(size):
                            rows[at, b] = known[product[m + at, b]]
                    else:
                        rows[at] = 0.0
                for i in range(number):
                    for at in range(_AT_ONCE):
                        some[at] = projection[final, i, m + at] if m + at < size else 0.0
                    one, two, three, four = some[0], some[1], some[2], some[3]
                    five, six, seven, eight = some[4], some[5], some[6], some[7]
                    to = sums[final, place[value, i]]
                    for b in range(size):
                        to[b] += (
                            one * rows[0, b]
                            + two * rows[1, b]
                            + three * rows[2, b]
                            + four * rows[3, b]
                            + (five * rows[4, b] + six * rows[5, b] + seven * rows[6, b] + eight * rows[7, b])
                        )


@dataclass(frozen=True, eq=False)
class SharedShoe:
    """The cards that several hands are dealt from, and polynomials in the shares of its ranks."""

    left: Floats
    """[rank]."""
    step: float
    """1, or 0 where a card drawn leaves the shoe as it was."""
    longest: int = 0
    """The most cards that a hand, or the dealer, can take."""

    @cached_property
    def shares(self) -> Ints:
        """The ranks whose shares are variables: all but the most frequent, which is what is left."""
        there: Ints = np.flatnonzero(self.left * self.step > 0.0)
        others: Ints = there[there != self.left.argmax()]
        return others

    @cached_property
    def degree(self) -> int:
        """The highest degree of what is projected on."""
        shares = len(self.shares)
        fit = [d for d in range(self._highest + 1) if comb(shares + d, shares) <= MOST_MONOMIALS]
        return fit[-1]

    @cached_property
    def _highest(self) -> int:
        if not len(self.shares):
            return 0
        within = (int(self.left.sum()) - self.longest) // 2
        return max(min(HIGHEST_DEGREE, int(self.left.max()), within), 0)

    @cached_property
    def _monomials(self) -> Monomials:
        return monomials(len(self.shares), self.degree)

    @cached_property
    def _monomials_of_basis(self) -> Ints:
        """The monomials that are projected on; more of a rank than there are is always nothing."""
        powers = self._monomials.powers[: len(self._monomials.product)]
        return np.flatnonzero((powers <= self.left[self.shares]).all(axis=1))

    @cached_property
    def _basis(self) -> Ints:
        """The same, filled up with the polynomial 0."""
        some = self._monomials_of_basis
        return np.concatenate([some, np.full(-len(some) % _WIDTH, len(self._monomials.degree))])

    def size(self, less: int) -> int:
        """How many polynomials of the basis come first, of all degrees or of those less by so much."""
        if not less or not self.degree:
            return len(self._basis)
        return int((self._monomials.degree[self._monomials_of_basis] <= self.degree - less).sum())

    @cached_property
    def _product(self) -> NDArray[np.int32]:
        """[of the basis, of the basis]: the monomial that is their product."""
        some = self._monomials_of_basis
        product = np.full((len(self._basis), len(self._basis)), len(self._monomials.degree), np.int32)
        product[: len(some), : len(some)] = self._monomials.product[np.ix_(some, some)]
        return product

    @cached_property
    def _factors(self) -> Floats:
        """Those of the Gram matrix; in their corner lie those for any lower degree."""
        nothing = np.zeros((1, len(self.left)), np.int64)
        of_one = self.moments(nothing, np.ones((1, 1)), np.zeros(1, np.int64), 1)[0, 0]
        factors: Floats = of_one[self._product]
        filled_up = np.arange(len(self._monomials_of_basis), len(factors))
        factors[filled_up, filled_up] = 1.0
        _factor(factors)
        return factors

    @cached_property
    def _upper(self) -> Floats:
        return np.ascontiguousarray(self._factors.T)

    @cached_property
    def _unit(self) -> Floats:
        return units(self.left, self.shares, self._monomials)

    def moments(self, taken: Ints, ways: Floats, group: Ints, groups: int) -> Floats:
        """[column, group, monomial]: L of Σ ways · x^taken, times the monomials about the mean, and a last 0.

        `ways` is [column, term]: several polynomials of the same terms.
        """
        known, unit = self._monomials, self._unit
        return moments(self.left, self.step, self.shares, known, unit, taken, ways, group, groups)

    def projected(self, moments: Floats, size: int) -> Floats:
        """[…, polynomial, of the basis]: the projections of polynomials with these moments."""
        result: Floats = np.take(moments, self._basis[:size], axis=-1)
        _solve(self._factors, self._upper, result.reshape(-1, size))
        return result

    def products(self, moments: Floats, projection: Floats, place: Ints, places: int) -> Floats:
        """[final, place, of the basis]: projections of sums of products against each final.

        Of each product one is given by its moments, one by its projection; `place` says for each [one, other]
        to which sum it is added.
        """
        sums = self._sums(moments, projection, place, places)
        _solve(self._factors, self._upper, sums.reshape(-1, sums.shape[2]))
        return sums

    def times(self, projection: Floats, moments: Floats) -> Floats:
        """[final, one, of the basis]: moments of polynomials, each times that of its final."""
        number = projection.shape[1]
        return self._sums(moments[:, None], projection, np.arange(number)[None], number)

    def _sums(self, moments: Floats, projection: Floats, place: Ints, places: int) -> Floats:
        sums = np.zeros((len(projection), places, projection.shape[2]))
        rows, some = np.zeros((_AT_ONCE, projection.shape[2])), np.zeros(_AT_ONCE)
        _add_products(moments, self._product, projection, place, rows, some, sums)
        return sums
