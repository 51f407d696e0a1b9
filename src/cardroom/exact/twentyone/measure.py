"""The weight of every composition against every final of the dealer: what all values are sums of.

A measure of a composition c and a final j is the chance of drawing the cards of c in one given order and of
the dealer then ending in j (and having no blackjack: the hole card is a card like any other until it is
looked at). The value of a hand, times the chance of its cards in one order, is then a plain sum: of
measures times pays when it stands, and of the same values of the hands with one more card when it is hit.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from cardroom.exact.compiled import kernel, part
from cardroom.exact.twentyone.dealer import MADE, Draw
from cardroom.exact.twentyone.nodes import Compositions, Floats, Ints
from cardroom.model.twentyone.automaton import NONE

BLACKJACK: Final = MADE + 1
TWENTY_TWO: Final = MADE + 2
FINALS: Final = MADE + 3
"""Columns of a measure: the dealer's finals (bust, 17 … 21, a blackjack that nobody looked for, a 22 that
pushes; the last two are 0 where the house has no such end). Where an early surrender comes before a
blackjack that undoes all else, its chance stands in its column, and is no part of the sum …"""
WHOLE: Final = FINALS
"""… their sum …"""
BUSTS: Final = FINALS + 1
"""… and that one more card makes the player's hand bust."""
COLUMNS: Final = FINALS + 2
FIRST_MADE: Final = 1
"""The final that stands first after a bust."""
ANY_RANK: Final = 0
"""The rank that is named where no extra cards are out."""


def measure(known: Compositions, draw: Draw, to_22: Draw | None = None) -> Floats:
    """[composition, column]: the measure of hands from the whole shoe; `to_22` draws to a 22 that pushes."""
    everything = np.arange(len(known.size))
    return _with_22(known, draw, to_22, NONE, np.ones((1, 1)), everything)[:, 0].copy()


def split_measure(
    known: Compositions, draw: Draw, rank: int, weights: Floats, some: Ints, to_22: Draw | None = None
) -> Floats:
    """[one of some compositions, second card, column]: of hands after a split, summed with `split_weights`.

    The cards of a composition are drawn but for the first, which the pair gave. Some must be in order.
    """
    used = weights[: 1 + np.flatnonzero(weights[:, 0])[-1]]
    return _with_22(known, draw, to_22, rank, used, some)


def _with_22(
    known: Compositions, draw: Draw, to_22: Draw | None, rank: int, weights: Floats, some: Ints
) -> Floats:
    """Measures in which a 22 is no bust where the house has it push: its hands are measured apart."""
    result: Floats = _measured(known, draw, rank, weights, some)
    if to_22 is not None:
        pushes = _measured(known, to_22, rank, weights, some)[:, :, FIRST_MADE]
        result[:, :, TWENTY_TWO] = pushes
        result[:, :, 0] -= pushes
    return result


def _measured(known: Compositions, draw: Draw, rank: int, weights: Floats, some: Ints) -> Floats:
    """Measures with extra cards of a rank out of the shoe, weighted; with a rank, the first card is given.

    Extra are the other card of the pair and one more with each row of the weights; without a rank, none.
    """
    many, kinds = weights.shape
    rows, longest = len(draw.chance), int(known.size[-1])
    result = np.zeros((len(some), kinds, COLUMNS))
    _measure(
        _Cards(known.counts, known.size, known.plus, known.part_start, known.part, known.part_weight),
        draw,
        rank,
        weights,
        some if rank == NONE else known.without[some, rank],
        some,
        np.ones((many, len(draw.left), longest + 2)),
        np.ones((many, longest + 2)),
        np.zeros((many, 3)),
        np.zeros((longest + many + 2, many, kinds)),
        np.zeros((rows, kinds, MADE)),
        np.zeros(rows, np.int64),
        result,
    )
    return result


class _Cards(NamedTuple):
    """What a kernel needs of the compositions."""

    counts: Ints
    size: Ints
    plus: Ints
    part_start: Ints
    part: Ints
    part_weight: Floats


@kernel
def _measure(
    known: _Cards,
    draw: Draw,
    rank: int,
    weights: Floats,
    others_of: Ints,
    some: Ints,
    orders: Floats,
    of_all: Floats,
    next_card: Floats,
    factor: Floats,
    made: Floats,
    made_for: Ints,
    result: Floats,
) -> None:
    """Fill in the measures of some compositions, whose cards of other ranks are `others_of`.

    The chances of the dealer are sums over the parts of a composition. All extra cards are of one rank, so
    they are summed for each part of its other cards first, once for all compositions of a size that hold
    as many of the rank.
    """
    number, ranks = known.counts.shape
    many, kinds = weights.shape
    first_cards = 0 if rank == NONE else 1
    named = ANY_RANK if rank == NONE else rank
    longest = known.size[number - 1]
    _fill_orders(draw, rank, 2 * first_cards, orders, of_all)
    for held in range(first_cards, 1 + (longest if first_cards else 0)):
        made_for[:] = NONE
        size = NONE
        for place in range(len(some)):
            c = some[place]
            if (first_cards and known.counts[c, named] != held) or not draw.possible[c]:
                continue
            if known.size[c] != size:
                size = known.size[c]
                for e in range(many):
                    chance = orders[e, named, held - first_cards] / of_all[e, size - first_cards]
                    for kind in range(kinds):
                        _fill_factors(weights[e, kind] * chance, held + first_cards + e, factor[:, e, kind])
            others = 1.0
            for k in range(ranks):
                if k != rank:
                    others *= orders[0, k, known.counts[c, k]]
            base = others_of[place]
            for at in range(known.part_start[base], known.part_start[base + 1]):
                row = draw.row[known.part[at]]
                if row != NONE and made_for[row] != size:
                    made_for[row] = size
                    _sum_up(
                        known,
                        draw,
                        known.part[at],
                        named,
                        held + first_cards,
                        size + first_cards,
                        factor,
                        made,
                    )
            _next_card(known, draw, c, named, first_cards, next_card)
            for kind in range(kinds):
                whole = busts = blackjack = 0.0
                for e in range(many):
                    whole += factor[0, e, kind] * next_card[e, 0]
                    busts += factor[0, e, kind] * next_card[e, 1]
                    blackjack += factor[0, e, kind] * next_card[e, 2]
                result[place, kind, WHOLE] = others * whole
                result[place, kind, BUSTS] = others * busts
                made_17 = made_18 = made_19 = made_20 = made_21 = 0.0
                for at in range(known.part_start[base], known.part_start[base + 1]):
                    row = draw.row[known.part[at]]
                    if row != NONE:
                        weight = known.part_weight[at]
                        made_17 += weight * made[row, kind, 0]
                        made_18 += weight * made[row, kind, 1]
                        made_19 += weight * made[row, kind, 2]
                        made_20 += weight * made[row, kind, 3]
                        made_21 += weight * made[row, kind, 4]
                bust = whole - made_17 - made_18 - made_19 - made_20 - made_21
                bust -= 0.0 if draw.looks else blackjack
                for final, chance in enumerate((bust, made_17, made_18, made_19, made_20, made_21)):
                    result[place, kind, final] = others * chance
                result[place, kind, BLACKJACK] = others * blackjack


@part
def _fill_orders(draw: Draw, rank: int, fewest: int, orders: Floats, of_all: Floats) -> None:
    """([cards out, rank, cards] in how many orders they can be drawn, [cards out, cards] of all ranks).

    Cards out are of one rank, from the fewest on. Both are 1 before.
    """
    many, ranks, longest = orders.shape[0], orders.shape[1], orders.shape[2] - 2
    for e in range(many):
        out = draw.step * (fewest + e)
        for m in range(longest + 1):
            of_all[e, m + 1] = of_all[e, m] * max(draw.total - out - draw.step * m, 1.0)
            for k in range(ranks):
                left = draw.left[k] - (out if k == rank else 0.0)
                orders[e, k, m + 1] = orders[e, k, m] * max(left - draw.step * m, 0.0)


@part
def _fill_factors(chance: float, out: int, factor: Floats) -> None:
    """[taken]: the chance times (−1)^taken · out(out−1)…(out−taken+1), the weight of a part (`dealer`)."""
    factor[0] = chance
    for taken in range(out):
        factor[taken + 1] = -factor[taken] * (out - taken)


@part
def _sum_up(
    known: _Cards,
    draw: Draw,
    part: int,
    rank: int,
    fewest: int,
    size: int,
    factor: Floats,
    made: Floats,
) -> None:
    """The dealer's finals by a part of the other cards, summed over how many of the rank are with it."""
    _, many, kinds = factor.shape
    first = draw.row[part]
    for kind in range(kinds):
        made_17 = made_18 = made_19 = made_20 = made_21 = 0.0
        with_rank = part
        for taken in range(fewest + many):
            row = NONE if with_rank == NONE else draw.row[with_rank]
            if row == NONE:
                break
            for e in range(max(taken - fewest, 0), many):
                weight = factor[taken, e, kind]
                made_17 += weight * draw.chance[row, size + e, 0]
                made_18 += weight * draw.chance[row, size + e, 1]
                made_19 += weight * draw.chance[row, size + e, 2]
                made_20 += weight * draw.chance[row, size + e, 3]
                made_21 += weight * draw.chance[row, size + e, 4]
            with_rank = known.plus[with_rank, rank]
        made[first, kind, 0] = made_17
        made[first, kind, 1] = made_18
        made[first, kind, 2] = made_19
        made[first, kind, 3] = made_20
        made[first, kind, 4] = made_21


@part
def _next_card(known: _Cards, draw: Draw, c: int, rank: int, fewest: int, out: Floats) -> None:
    """Into `out` for each number of extra cards of a rank that are out of the shoe, from the fewest on:
    the chances that the dealer has no blackjack, and that besides the next card makes a hand bust; where
    nobody looks, of the dealer's any hand, and that it is a blackjack.
    """
    bust = makes = both = 0.0  # cards that make the hand bust, that make a blackjack, and that do both
    for k in range(len(draw.left)):
        if k != rank:
            left = max(draw.left[k] - draw.step * known.counts[c, k], 0.0)
            busts = known.plus[c, k] == NONE
            if busts:
                bust += left
            if draw.makes_blackjack[k]:
                makes += left
                if busts:
                    both += left
    rank_busts, rank_makes = known.plus[c, rank] == NONE, draw.makes_blackjack[rank] != 0
    for e in range(len(out)):
        left = max(draw.left[rank] - draw.step * (known.counts[c, rank] + fewest + e), 0.0)
        left_in_all = draw.total - draw.step * (known.size[c] + fewest + e)
        out[e, 0], out[e, 1], out[e, 2] = 1.0, 0.0, 0.0
        if left_in_all <= 0.0:
            continue
        any_bust = bust + (left if rank_busts else 0.0)
        any_makes = makes + (left if rank_makes else 0.0)
        any_both = both + (left if rank_busts and rank_makes else 0.0)
        if not draw.looks:
            out[e, 1], out[e, 2] = any_bust / left_in_all, any_makes / left_in_all
            continue
        then_makes = 0.0
        if any_makes > 0.0 and left_in_all > draw.step:
            then_makes = (any_bust * any_makes - draw.step * any_both) / (left_in_all - draw.step)
        if draw.counts_looked:
            out[e, 2] = any_makes / left_in_all
        out[e, 0] = 1.0 - any_makes / left_in_all
        out[e, 1] = (any_bust - then_makes) / left_in_all
