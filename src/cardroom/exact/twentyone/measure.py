"""The weight of every composition against every final of the dealer: what all values are sums of.

A measure of a composition c and a final j is the chance of drawing the cards of c in one given order and of
the dealer then ending in j (and having no blackjack: the hole card is a card like any other until it is
looked at). The value of a hand, times the chance of its cards in one order, is then a plain sum: of
measures times pays when it stands, and of the same values of the hands with one more card when it is hit.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numba import njit

from cardroom.exact.twentyone.dealer import MADE, Draw, odds
from cardroom.exact.twentyone.nodes import Bools, Compositions, Floats
from cardroom.rules.twentyone.automaton import NONE

FINALS: Final = MADE + 1
"""Columns of a measure: the dealer's finals without a blackjack (bust, 17 … 21) …"""
WHOLE: Final = FINALS
"""… their sum …"""
BUSTS: Final = FINALS + 1
"""… and that one more card makes the player's hand bust."""
COLUMNS: Final = FINALS + 2
NOBODY: Final = 0
"""The rank that is named where no extra cards are out."""


@njit(cache=True)
def measure(known: Compositions, draw: Draw) -> Floats:
    """[composition, column]: the measure of hands from the whole shoe."""
    number = len(known.size)
    result = np.zeros((number, COLUMNS))
    weights = np.ones((1, 1))
    needed = np.ones(number, np.bool_)
    _add(known, draw, NONE, 0, weights, needed, result.reshape((number, 1, COLUMNS)))
    return result


@njit(cache=True)
def split_measure(known: Compositions, draw: Draw, rank: int, weights: Floats, needed: Bools) -> Floats:
    """[composition, second card, column]: of hands that a split starts, summed with `split_weights`.

    The cards of a composition are drawn but for the first, which the pair gave. Only of compositions that
    are needed.
    """
    result = np.zeros((len(known.size), weights.shape[1], COLUMNS))
    for r in range(len(weights)):
        if (weights[r] != 0.0).any():
            _add(known, draw, rank, 1 + r, weights[r : r + 1], needed, result)
    return result


@njit(cache=True)
def _add(
    known: Compositions, draw: Draw, rank: int, extra: int, weights: Floats, needed: Bools, result: Floats
) -> None:
    """Add measures with extra cards of a rank out of the shoe; with a rank, the first card of it is given."""
    number, ranks = known.counts.shape
    given = 0 if rank == NONE else 1
    named = NOBODY if rank == NONE else rank
    longest = known.size[number - 1]
    orders = np.ones((ranks, longest + 2))
    of_all = np.ones(longest + 2)
    total = draw.total - draw.step * (given + extra)
    for k in range(ranks):
        left = draw.left[k] - (draw.step * (given + extra) if k == rank else 0.0)
        for m in range(longest + 1):
            orders[k, m + 1] = orders[k, m] * max(left - draw.step * m, 0.0)
    for m in range(longest + 1):
        of_all[m + 1] = of_all[m] * max(total - draw.step * m, 1.0)
    dealer = np.zeros(FINALS)
    for c in range(number):
        if not needed[c] or known.counts[c, named] < given:
            continue
        drawn = known.size[c] - given
        if total < draw.step * drawn:
            continue
        chance = 1.0 / of_all[drawn]
        for k in range(ranks):
            chance *= orders[k, known.counts[c, k] - (given if k == rank else 0)]
        if chance == 0.0:
            continue
        whole = odds(draw, known, c, named, extra, dealer)
        busts = _busts(known, draw, c, named, extra)
        for kind in range(weights.shape[1]):
            weight = weights[0, kind] * chance
            for final in range(FINALS):
                result[c, kind, final] += weight * dealer[final]
            result[c, kind, WHOLE] += weight * whole
            result[c, kind, BUSTS] += weight * busts


@njit(cache=True)
def _busts(known: Compositions, draw: Draw, c: int, rank: int, extra: int) -> float:
    """The chance that the next card makes a hand bust and the dealer has no blackjack."""
    left_in_all = draw.total - draw.step * (known.size[c] + extra)
    if left_in_all <= 0.0:
        return 0.0
    result = 0.0
    makes = 0.0
    for k in range(len(draw.left)):
        if draw.makes_blackjack[k]:
            makes += draw.left[k] - draw.step * (known.counts[c, k] + (extra if k == rank else 0))
    for k in range(len(draw.left)):
        if known.plus[c, k] == NONE:
            left = draw.left[k] - draw.step * (known.counts[c, k] + (extra if k == rank else 0))
            if left > 0.0:
                still = makes - (draw.step if draw.makes_blackjack[k] else 0.0)
                unseen = 1.0 - still / (left_in_all - draw.step) if makes > 0.0 else 1.0
                result += left * unseen
    return float(result / left_in_all)
