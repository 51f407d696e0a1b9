"""How the dealer's hand ends, for any cards taken out of the shoe.

The dealer begins with the cards that are seen: the up card, or both where both lie face up (21-1.21).

With x cards of a rank left, m of them can be drawn in x(x−1)…(x−m+1) orders; a dealer's hand has the
product of these over its ranks, times the orders in which the dealer may draw it, over the orders of as
many cards of the shoe. When c cards of a rank are taken out, inclusion and exclusion over i of them being
drawn gives

    (n−c)(n−c−1)…(n−c−m+1)  =  Σ_i (−1)^i · c(c−1)…(c−i+1) · C(m,i) · (n−i)(n−i−1)…(n−m+1),

so the chances for every removal c are sums over the parts i of c of numbers that do not depend on c but for
its size: `expansion` computes these once for an up card, and `measure` sums them.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cardroom.exact.twentyone.nodes import Compositions, Floats, Ints
from cardroom.model.twentyone.automaton import NONE
from cardroom.rules.twentyone.law import BLACKJACK_TOTAL, PUSHING_TOTAL

MADE: Final = 5
"""Dealer's finals 17 … 21; they are numbered 1 … 5, a bust is 0."""
MOST_OUT: Final = BLACKJACK_TOTAL + 6
"""The most cards that are out of the shoe besides the up card: a hand, and pair cards in other hands."""
_ACE_MORE: Final = 10


class Draw(NamedTuple):
    """What is left to draw from after the cards that are seen, and what the dealer makes of it."""

    left: Floats
    """[rank]."""
    total: float
    step: float
    """1, or 0 where a card drawn leaves the shoe as it was (infinitely many decks)."""
    makes_blackjack: Ints
    """[rank]: 1 where a hole card of the rank would make a blackjack: the dealer is known not to have it.

    Where more is known of the hole card, 1 for every rank that it is known not to be.
    """
    row: Ints
    """[composition]: its row in `chance`, or NONE where no dealer's hand holds it."""
    chance: Floats
    """[row, cards out, final 17 … 21]."""
    looks: bool
    """Whether the dealer has a hole card and looks for a blackjack before anybody plays."""


@njit(cache=True, error_model="numpy")
def makes_blackjack(one: int, other: int) -> bool:
    """`law.is_blackjack_values`, compiled."""
    return one + other == BLACKJACK_TOTAL - _ACE_MORE and (one == 1) != (other == 1)


def not_under(values: Ints, seen: Ints) -> Ints:
    """[rank]: 1 where the hole card is known not to be of it when anybody plays: it makes a blackjack."""
    return np.array(
        [len(seen) == 1 and makes_blackjack(values[seen[0]], value) for value in values], np.int64
    )


@njit(cache=True, error_model="numpy")
def dealer_hands(
    known: Compositions, values: Ints, seen: Ints, not_under: Ints, draws: NDArray[np.bool_], to_22: bool
) -> tuple[Ints, Ints, Floats]:
    """The cards a dealer may draw to those seen to make 17 … 21 (or to make 22), and in how many orders.

    `not_under` are the ranks that the first of these cards, the hole card, is known not to be.
    """
    number, ranks = known.counts.shape
    ways = np.zeros(number)
    ways[0] = 1.0
    drawn = np.zeros(number, np.int64)
    final = np.zeros(number, np.int64)
    hand_count = 0
    alone = len(seen) == 1
    for c in range(number):
        if ways[c] == 0.0:
            continue
        total = 0
        ace = False
        for rank in seen:
            total += values[rank]
            ace |= values[rank] == 1
        for rank in range(ranks):
            total += known.counts[c, rank] * values[rank]
            ace |= values[rank] == 1 and known.counts[c, rank] > 0
        if total > BLACKJACK_TOTAL:
            if to_22 and total == PUSHING_TOTAL:
                drawn[hand_count] = c
                hand_count += 1
            continue
        soft = ace and total + _ACE_MORE <= BLACKJACK_TOTAL
        if soft:
            total += _ACE_MORE
        if (c > 0 or not alone) and not draws[total, int(soft)]:
            if to_22:
                continue
            drawn[hand_count] = c
            final[hand_count] = total - 17
            hand_count += 1
            continue
        for rank in range(ranks):
            is_not = c == 0 and alone and not_under[rank] != 0
            after = known.plus[c, rank]
            if after != NONE and not is_not:
                ways[after] += ways[c]
    return drawn[:hand_count], final[:hand_count], ways[drawn[:hand_count]]


@njit(cache=True, error_model="numpy")
def expansion(
    known: Compositions,
    values: Ints,
    left: Floats,
    step: float,
    seen: Ints,
    not_under: Ints,
    draws: NDArray[np.bool_],
    looks: bool,
    to_22: bool,
) -> Draw:
    """All that `measure` needs for the dealer's cards that are seen; `left` is the shoe without them.

    With `to_22` the only hands of the dealer's are those that make 22, in the first column.
    """
    number, ranks = known.counts.shape
    drawn, final, ways = dealer_hands(known, values, seen, not_under, draws, to_22)
    total = left.sum()
    longest = 0
    for c in drawn:
        longest = max(longest, known.size[c])
    orders = np.zeros((MOST_OUT + 1, longest + 1))
    for out in range(MOST_OUT + 1):
        product = 1.0
        for cards in range(longest + 1):
            orders[out, cards] = 1.0 / product if product > 0.0 else 0.0
            product *= max(total - step * (out + cards), 0.0)
    factor = np.zeros((ranks, longest + 1, longest + 1))
    for rank in range(ranks):
        for m in range(longest + 1):
            choose = 1.0
            for i in range(m + 1):
                product = choose if i == 0 or step > 0.0 else 0.0
                for taken in range(i, m):
                    product *= left[rank] - step * taken
                factor[rank, m, i] = product
                choose = choose * (m - i) / (i + 1)
    row = np.full(number, NONE, np.int64)
    rows = 0
    for c in drawn:
        for at in range(known.part_start[c], known.part_start[c + 1]):
            if row[known.part[at]] == NONE:
                row[known.part[at]] = rows
                rows += 1
    chance = np.zeros((rows, MOST_OUT + 1, MADE))
    for hand in range(len(drawn)):
        c = drawn[hand]
        for at in range(known.part_start[c], known.part_start[c + 1]):
            part = known.part[at]
            product = ways[hand]
            for rank in range(ranks):
                m = known.counts[c, rank]
                if m > 0:
                    product *= factor[rank, m, known.counts[part, rank]]
            if product != 0.0:
                for out in range(MOST_OUT + 1):
                    chance[row[part], out, final[hand]] += product * orders[out, known.size[c]]
    return Draw(left, total, step, not_under, row, chance, looks)
