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
from numpy.typing import NDArray

from cardroom.exact.compiled import kernel
from cardroom.exact.twentyone.nodes import Compositions, Floats, Ints
from cardroom.model.twentyone.automaton import NONE
from cardroom.rules.twentyone import law
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
    """Whether no hand that is played meets a dealer's blackjack (`Solver.looks`) …"""
    counts_looked: bool
    """… and whether measures have its chance all the same."""
    possible: NDArray[np.bool_]
    """[composition]: whether the shoe holds its cards besides those that are seen."""


def not_under(values: Ints, seen: Ints) -> Ints:
    """[rank]: 1 where the hole card is known not to be of it when anybody plays: it makes a blackjack."""
    makes = [len(seen) == 1 and law.is_blackjack_values(int(values[seen[0]]), int(value)) for value in values]
    return np.array(makes, np.int64)


def dealer_hands(
    known: Compositions, values: Ints, seen: Ints, not_under: Ints, draws: NDArray[np.bool_], *, to_22: bool
) -> tuple[Ints, Ints, Floats]:
    """The cards a dealer may draw to those seen to make 17 … 21 (or to make 22), and in how many orders.

    `not_under` are the ranks that the first of these cards, the hole card, is known not to be.
    """
    ways, drawn, final = np.zeros(len(known.size)), np.zeros_like(known.size), np.zeros_like(known.size)
    hands = _fill_hands(known.counts, known.plus, values, seen, not_under, draws, to_22, ways, drawn, final)
    return drawn[:hands], final[:hands], ways[drawn[:hands]]


@kernel
def _number_rows(part_start: Ints, parts: Ints, drawn: Ints, row: Ints) -> int:
    """Number the parts of the dealer's hands as they come; how many there are. Rows are NONE before."""
    rows = 0
    for c in drawn:
        for at in range(part_start[c], part_start[c + 1]):
            if row[parts[at]] == NONE:
                row[parts[at]] = rows
                rows += 1
    return rows


@kernel
def _fill_hands(
    counts: Ints,
    plus: Ints,
    values: Ints,
    seen: Ints,
    not_under: Ints,
    draws: NDArray[np.bool_],
    to_22: bool,
    ways: Floats,
    drawn: Ints,
    final: Ints,
) -> int:
    """Fill in the orders of all compositions, and the hands with their finals; how many hands."""
    number, ranks = counts.shape
    ways[0] = 1.0
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
            total += counts[c, rank] * values[rank]
            ace |= values[rank] == 1 and counts[c, rank] > 0
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
            after = plus[c, rank]
            if after != NONE and not is_not:
                ways[after] += ways[c]
    return hand_count


def expansion(
    known: Compositions,
    values: Ints,
    left: Floats,
    step: float,
    seen: Ints,
    not_under: Ints,
    draws: NDArray[np.bool_],
    *,
    looks: bool,
    counts_looked: bool,
    to_22: bool,
) -> Draw:
    """All that `measure` needs for the dealer's cards that are seen; `left` is the shoe without them.

    With `to_22` the only hands of the dealer's are those that make 22, in the first column.
    """
    number, ranks = known.counts.shape
    drawn, final, ways = dealer_hands(known, values, seen, not_under, draws, to_22=to_22)
    total, longest = float(left.sum()), int(known.size[drawn].max(initial=0))
    row = np.full(number, NONE, np.int64)
    chance = np.zeros((_number_rows(known.part_start, known.part, drawn, row), MOST_OUT + 1, MADE))
    _expand(
        known.counts,
        known.size,
        known.part_start,
        known.part,
        left,
        total,
        step,
        drawn,
        final,
        ways,
        np.zeros((MOST_OUT + 1, longest + 1)),
        np.zeros((ranks, longest + 1, longest + 1)),
        row,
        chance,
    )
    most = np.where(left > 0.0, left if step else np.inf, 0.0)
    possible = (known.counts <= most).all(axis=1) & (step * known.size <= total)
    return Draw(left, total, step, not_under, row, chance, looks, counts_looked, possible)


@kernel
def _expand(
    counts: Ints,
    size: Ints,
    part_start: Ints,
    parts: Ints,
    left: Floats,
    total: float,
    step: float,
    drawn: Ints,
    final: Ints,
    ways: Floats,
    orders: Floats,
    factor: Floats,
    row: Ints,
    chance: Floats,
) -> None:
    """Fill in the chances of the rows."""
    ranks, longest = len(left), orders.shape[1] - 1
    for out in range(MOST_OUT + 1):
        product = 1.0
        for cards in range(longest + 1):
            orders[out, cards] = 1.0 / product if product > 0.0 else 0.0
            product *= max(total - step * (out + cards), 0.0)
    for rank in range(ranks):
        for m in range(longest + 1):
            choose = 1.0
            for i in range(m + 1):
                product = choose if i == 0 or step > 0.0 else 0.0
                for taken in range(i, m):
                    product *= left[rank] - step * taken
                factor[rank, m, i] = product
                choose = choose * (m - i) / (i + 1)
    for hand in range(len(drawn)):
        c = drawn[hand]
        for at in range(part_start[c], part_start[c + 1]):
            inner = parts[at]
            product = ways[hand]
            for rank in range(ranks):
                m = counts[c, rank]
                if m > 0:
                    product *= factor[rank, m, counts[inner, rank]]
            if product != 0.0:
                for out in range(MOST_OUT + 1):
                    chance[row[inner], out, final[hand]] += product * orders[out, size[c]]
