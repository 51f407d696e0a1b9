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

from cardroom.exact.twentyone.dealer import MADE, Draw, Parts, odds, parts_for
from cardroom.exact.twentyone.nodes import Compositions, Floats, Ints
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


def measure(known: Compositions, draw: Draw) -> Floats:
    """[composition, column]: the measure of hands from the whole shoe."""
    everything = np.arange(len(known.size))
    no_extra, weight = np.zeros(1, np.int64), np.ones((1, 1))
    return _measure(known, draw, NONE, no_extra, weight, everything, parts_for(draw))[:, 0].copy()


def split_measure(known: Compositions, draw: Draw, rank: int, weights: Floats, some: Ints) -> Floats:
    """[one of some compositions, second card, column]: of hands after a split, summed with `split_weights`.

    The cards of a composition are drawn but for the first, which the pair gave.
    """
    used = np.flatnonzero(weights[:, 0])
    return _measure(known, draw, rank, 1 + used, weights[used], some, parts_for(draw))


@njit(cache=True, error_model="numpy")
def _measure(
    known: Compositions,
    draw: Draw,
    rank: int,
    extra: Ints,
    weights: Floats,
    some: Ints,
    parts: Parts,
) -> Floats:
    """Measures with extra cards of a rank out of the shoe, weighted; with a rank, the first card is given."""
    number, ranks = known.counts.shape
    kinds = weights.shape[1]
    result = np.zeros((len(some), kinds, COLUMNS))
    given = 0 if rank == NONE else 1
    named = NOBODY if rank == NONE else rank
    longest = known.size[number - 1]
    many = len(extra)
    orders = np.ones((many, ranks, longest + 2))
    of_all = np.ones((many, longest + 2))
    for e in range(many):
        total = draw.total - draw.step * (given + extra[e])
        for m in range(longest + 1):
            of_all[e, m + 1] = of_all[e, m] * max(total - draw.step * m, 1.0)
            for k in range(ranks):
                left = draw.left[k] - (draw.step * (given + extra[e]) if k == rank else 0.0)
                orders[e, k, m + 1] = orders[e, k, m] * max(left - draw.step * m, 0.0)
    dealer = np.zeros((many, WHOLE + 1))
    for place in range(len(some)):
        c = some[place]
        if known.counts[c, named] < given or not _possible(known, draw, c):
            continue
        odds(draw, known, c, named, extra, parts, dealer)
        for e in range(many):
            chance = 1.0 / of_all[e, known.size[c] - given]
            for k in range(ranks):
                chance *= orders[e, k, known.counts[c, k] - (given if k == rank else 0)]
            if chance == 0.0:
                continue
            busts = _busts(known, draw, c, named, extra[e])
            for kind in range(kinds):
                weight = weights[e, kind] * chance
                for column in range(WHOLE + 1):
                    result[place, kind, column] += weight * dealer[e, column]
                result[place, kind, BUSTS] += weight * busts
    return result


@njit(cache=True, error_model="numpy")
def _possible(known: Compositions, draw: Draw, c: int) -> bool:
    """Whether the shoe holds the cards of a composition besides the up card."""
    for k in range(len(draw.left)):
        need = known.counts[c, k]
        if need > 0 and (draw.left[k] <= 0.0 or draw.left[k] < draw.step * need):
            return False
    return bool(draw.total >= draw.step * known.size[c])


@njit(cache=True, error_model="numpy")
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
                unseen = 1.0 - still / (left_in_all - draw.step) if still > 0.0 else 1.0
                result += left * unseen
    return float(result / left_in_all)
