"""Moments: what polynomials in the shares of the ranks come to under the functional L of a shoe (`joint`)."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from cardroom.exact.compiled import kernel
from cardroom.exact.twentyone.monomials import Half, Monomials
from cardroom.exact.twentyone.nodes import Floats, Ints

_AT_ONCE: Final = 8
"""So many rows are centred at once: each share of a monomial is looked up once for all of them."""


def moments(
    left: Floats,
    step: float,
    shares: Ints,
    known: Monomials,
    unit: Floats,
    taken: Ints,
    ways: Floats,
    group: Ints,
    groups: int,
) -> Floats:
    """[column, group, monomial]: L of Σ ways · x^taken, times the monomials about the mean, and a last 0.

    `ways` is [column, term]: several polynomials of the same terms. The monomials are measured in `units`.
    """
    columns = len(ways)
    cards = taken.sum(axis=1)
    fronts = group
    for share in shares[len(shares) // 2 :].tolist():
        fronts = fronts * (1 + int(taken[:, share].max())) + taken[:, share]
    order = np.lexsort((cards, fronts))
    result = np.zeros((columns, groups, len(known.degree) + 1))
    degrees, backs = len(known.fits), len(known.back.degree)
    room = _Room(
        np.zeros(len(shares)),
        np.zeros(degrees),
        np.ones(len(known.front.degree)),
        np.ones(backs),
        np.zeros((columns, backs)),
        np.zeros((columns, degrees, backs)),
    )
    _add_moments(
        left,
        step,
        shares,
        known.front,
        known.back,
        known.fits,
        taken[order],
        fronts[order],
        cards[order],
        np.ascontiguousarray(ways[:, order]),
        group[order],
        room,
        result,
    )
    mean, some = left[shares] / left.sum(), np.zeros((len(known.degree), _AT_ONCE))
    rows = result.reshape(columns * groups, -1)
    _centre(known.place, known.steps, known.step_start, mean, unit, some, rows)
    return result


def units(left: Floats, shares: Ints, known: Monomials) -> Floats:
    """[monomial]: about how far it is from 0: the standard deviations of its shares, multiplied."""
    mean = left[shares] / left.sum()
    scale = np.sqrt(mean * (1.0 - mean) / left.sum())
    powers = scale[:, None] ** np.arange(len(known.fits))
    result: Floats = np.take_along_axis(powers, known.powers.T, axis=1).prod(axis=0)
    return result


class _Room(NamedTuple):
    """Where the moments of terms are worked out; `one` and `other` begin with a 1."""

    cards_left: Floats
    each: Floats
    one: Floats
    other: Floats
    alike: Floats
    """[column, back]: sums over terms that leave the same in the fronts, and are of as many cards …"""
    sums: Floats
    """[column, degree, back]: … and of any number of cards."""


@kernel
def _add_moments(
    left: Floats,
    step: float,
    shares: Ints,
    front: Half,
    back: Half,
    fits: Ints,
    taken: Ints,
    fronts: Ints,
    cards: Ints,
    ways: Floats,
    group: Ints,
    room: _Room,
    result: Floats,
) -> None:
    """Add L of ways · x^taken · x^monomial to the row of each group, for each column of ways apart.

    `result` is [column, group, monomial in the order of `Monomials.place`]. Terms of a number in `fronts` are
    of one group, take the same cards in the fronts and lie together, by how many `cards` they take in all.
    """
    cards_left, each, one, other, alike, sums = room
    total = 0.0
    for k in range(len(left)):
        total += left[k]
    columns, degrees, number = len(result), len(fits), len(taken)
    begin = 0
    for end in range(1, number + 1):
        if end < number and fronts[end] == fronts[begin] and cards[end] == cards[begin]:
            continue
        if begin == 0 or fronts[begin] != fronts[begin - 1]:
            sums[:] = 0.0
        alike[:] = 0.0
        for i in range(begin, end):
            value = 1.0
            drawn = 0
            for k in range(len(left)):
                for out in range(taken[i, k]):
                    value *= max(left[k] - step * out, 0.0) / max(total - step * drawn, 1.0)
                    drawn += 1
            if value == 0.0:
                continue
            for k in range(len(shares)):
                cards_left[k] = left[shares[k]] - step * taken[i, shares[k]]
            for m in range(1, len(other)):
                other[m] = other[back.before[m]] * (cards_left[back.share[m]] - step * back.power[m])
            for column in range(columns):
                way = ways[column, i] * value
                if way != 0.0:
                    for m in range(len(other)):
                        alike[column, m] += way * other[m]
        each[0] = 1.0
        for degree in range(1, degrees):
            each[degree] = each[degree - 1] / max(total - step * (cards[begin] + degree - 1), 1.0)
        for column in range(columns):
            for degree in range(degrees):
                for m in range(fits[degree]):
                    sums[column, degree, m] += alike[column, m] * each[degree + back.degree[m]]
        if end == number or fronts[end] != fronts[begin]:
            for k in range(len(shares)):
                cards_left[k] = left[shares[k]] - step * taken[begin, shares[k]]
            for m in range(1, len(one)):
                one[m] = one[front.before[m]] * (cards_left[front.share[m]] - step * front.power[m])
            for column in range(columns):
                row = result[column, group[begin]]
                made = 0
                for m in range(len(one)):
                    factor = one[m]
                    fit = fits[front.degree[m]]
                    to, backs = row[made : made + fit], sums[column, front.degree[m]]
                    for n in range(fit):
                        to[n] += factor * backs[n]
                    made += fit
        begin = end


@kernel
def _centre(
    place: Ints,
    steps: Ints,
    step_start: Ints,
    mean: Floats,
    unit: Floats,
    some: Floats,
    moments: Floats,
) -> None:
    """Turn rows of L of monomials in x, as `place` orders them, into L of the same in x − mean, in units.

    Several rows at once are worked on in `some`.
    """
    rows, number = len(moments), len(unit)
    for first in range(0, rows, _AT_ONCE):
        last = min(first + _AT_ONCE, rows)
        for row in range(first, last):
            for m in range(number):
                some[place[m], row - first] = moments[row, m]
        for k in range(len(mean)):
            for at in range(step_start[k], step_start[k + 1]):
                to, less = steps[at, 0], steps[at, 1]
                for row in range(_AT_ONCE):
                    some[to, row] -= mean[k] * some[less, row]
        for row in range(first, last):
            for m in range(number):
                moments[row, m] = some[m, row - first] / unit[m]


def combined(weights: Floats, moments: Floats) -> Floats:
    """[final, row, monomial]: sums of moments with weights, most of which are 0."""
    result = np.zeros((*weights.shape[:2], moments.shape[1]))
    _combine(weights, moments, result)
    return result


@kernel
def _combine(weights: Floats, moments: Floats, result: Floats) -> None:
    number, size = moments.shape
    for final in range(len(weights)):
        for row in range(weights.shape[1]):
            for one in range(number):
                weight = weights[final, row, one]
                if weight != 0.0:
                    for m in range(size):
                        result[final, row, m] += weight * moments[one, m]
