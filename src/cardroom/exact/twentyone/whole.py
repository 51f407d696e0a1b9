"""Several hands and the dealer out of a small shoe: their joint law, every set of cards counted.

The twin of `joint` for shoes where its polynomials of a low degree would leave something out. Here nothing is
left out: all that hands may take is a list of terms, each with the cards it takes in one order, and hands are
put together term by term. Between it and the truth stands nothing but the rounding of double precision.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Final, NamedTuple

import numpy as np

from cardroom.exact.compiled import njit
from cardroom.exact.twentyone.measure import BLACKJACK
from cardroom.exact.twentyone.nodes import Floats, Ints

MOST_SETS: Final = 1 << 19
"""Of a shoe that is counted whole: how many sets of cards can be taken out of it,"""
MOST_SETS_OF_MANY: Final = 1 << 13
"""how many where there are more than two hands,"""
MOST_PAIRS: Final = 1 << 21
"""and how many pairs of terms are put together for one law."""
_UNKNOWN: Final = -1.0


class Terms(NamedTuple):
    """What hands may take out of the shoe, and what they then come to."""

    taken: Ints
    """[term, rank]: cards drawn."""
    kind: Ints
    """[term]: which results they bring."""
    weight: Floats
    """[term]: in how many orders, less those that are counted elsewhere."""
    results: Ints
    """[kind, final]: the results against the dealer's finals."""


class DealerHands(NamedTuple):
    """The hands that the dealer may draw to an up card, busts and blackjacks left out."""

    cards: Ints
    """[hand, rank]."""
    size: Ints
    final: Ints
    """[hand]: 1 … 5 for 17 … 21, or that of a 22 which pushes."""
    orders: Floats
    makes_blackjack: Ints
    """[rank]."""
    looks: bool
    """Whether a blackjack is looked for before anybody plays: then no hand meets it."""


@dataclass(frozen=True, eq=False)
class SmallShoe:
    """The cards besides the up card, and the dealer's finals for all that is taken out of them."""

    left: Ints
    """[rank]."""
    dealer: DealerHands
    finals: int

    @cached_property
    def places(self) -> Ints:
        """[rank]: what a card adds to the number of a set of cards."""
        return np.cumprod([1, *(self.left[:-1] + 1)])

    @cached_property
    def chances(self) -> Floats:
        """[number of a set of cards, final]: the dealer's chances with that set out, found when needed."""
        return np.full((sets_of(self.left), self.finals), _UNKNOWN)

    def law(self, pair: int, hands: list[Terms], more_pair_cards: int) -> dict[int, float]:
        """Chances of the sum of hands by result, times the chance that they are made, in one order.

        Two cards of the pair are out, and with further hands more of them.
        """
        *some, last = hands
        together = some[0]
        for each in some[1:]:
            together = self._product(pair, together, each)
        added = np.zeros((len(together.results), len(last.results), self.finals))
        _add_pairs(
            self.left, pair, 2, more_pair_cards, self.places, together, last, self.dealer, self.chances, added
        )
        result: dict[int, float] = {}
        for one, two, final in np.argwhere(added).tolist():
            units = int(together.results[one, final] + last.results[two, final])
            result[units] = result.get(units, 0.0) + float(added[one, two, final])
        return result

    def _product(self, pair: int, one: Terms, other: Terms) -> Terms:
        """Two lists of terms as one."""
        sums = (one.results[:, None] + other.results[None, :]).reshape(-1, self.finals)
        results, kind = np.unique(sums, axis=0, return_inverse=True)
        left = self.left.copy()
        left[pair] -= 2
        weights = np.zeros((len(results), sets_of(self.left)))
        _multiply(left, self.places, one, other, kind.reshape(len(one.results), -1), weights)
        kinds, numbers = np.nonzero(weights)
        taken = numbers[:, None] // self.places % (self.left + 1)
        return Terms(taken, kinds, weights[kinds, numbers], results)


def sets_of(left: Ints) -> int:
    """How many sets of cards can be taken out of a shoe."""
    return prod(int(count) + 1 for count in left)


def is_small(left: Ints, hands: int, terms: int) -> bool:
    """Whether a shoe is counted whole for so many hands with so many terms each."""
    sets, together, pairs = sets_of(left), terms, 0
    for _ in range(hands - 1):
        pairs += together * terms
        together = min(together * terms, sets)
    return sets <= (MOST_SETS if hands == 2 else MOST_SETS_OF_MANY) and pairs <= MOST_PAIRS


@njit(cache=True, error_model="numpy", nogil=True)
def _multiply(left: Ints, places: Ints, one: Terms, other: Terms, kind: Ints, weights: Floats) -> None:
    """Add the weights of all pairs of terms to [kind, number of the set of cards]."""
    ranks = len(left)
    for i in range(len(one.kind)):
        for j in range(len(other.kind)):
            number = 0
            fits = True
            for k in range(ranks):
                taken = one.taken[i, k] + other.taken[j, k]
                fits &= taken <= left[k]
                number += taken * places[k]
            if fits:
                weights[kind[one.kind[i], other.kind[j]], number] += one.weight[i] * other.weight[j]


@njit(cache=True, error_model="numpy", nogil=True)
def _add_pairs(
    left: Ints,
    pair: int,
    pair_cards: int,
    more_pair_cards: int,
    places: Ints,
    one: Terms,
    other: Terms,
    dealer: DealerHands,
    chances: Floats,
    added: Floats,
) -> None:
    """Add the chances of all pairs of terms and the dealer's finals to [kind, kind, final]."""
    ranks = len(left)
    finals = added.shape[2]
    total = left.sum() - pair_cards
    most = left.max()
    orders = np.ones((ranks, most + 1))
    for k in range(ranks):
        there = left[k] - (pair_cards if k == pair else 0)
        for taken in range(most):
            orders[k, taken + 1] = orders[k, taken] * max(there - taken, 0)
    of_all = np.ones(total + 1)
    for taken in range(total):
        of_all[taken + 1] = of_all[taken] * (total - taken)
    out = np.zeros(ranks, np.int64)
    for i in range(len(one.kind)):
        for j in range(len(other.kind)):
            chance = one.weight[i] * other.weight[j]
            cards = 0
            for k in range(ranks):
                taken = one.taken[i, k] + other.taken[j, k] + (more_pair_cards if k == pair else 0)
                if taken > left[k]:
                    chance = 0.0
                    break
                chance *= orders[k, taken]
                cards += taken
                out[k] = taken + (pair_cards if k == pair else 0)
            if chance == 0.0:
                continue
            chance /= of_all[cards]
            number = 0
            for k in range(ranks):
                number += out[k] * places[k]
            if chances[number, 0] == _UNKNOWN:
                _fill_finals(left, out, dealer, chances[number])
            for final in range(finals):
                added[one.kind[i], other.kind[j], final] += chance * chances[number, final]


@njit(cache=True, error_model="numpy", nogil=True)
def _fill_finals(left: Ints, out: Ints, dealer: DealerHands, result: Floats) -> None:
    """The chances of the dealer's finals without a blackjack, with cards out of the shoe."""
    total = left.sum() - out.sum()
    result[:] = 0.0
    if total <= 0:
        return
    no_blackjack = 1.0
    for k in range(len(left)):
        no_blackjack -= dealer.makes_blackjack[k] * (left[k] - out[k]) / total
    made = 0.0
    for hand in range(len(dealer.size)):
        chance = dealer.orders[hand]
        if dealer.size[hand] > total:
            continue
        for k in range(len(left)):
            for drawn in range(dealer.cards[hand, k]):
                chance *= max(left[k] - out[k] - drawn, 0)
        for drawn in range(dealer.size[hand]):
            chance /= total - drawn
        result[dealer.final[hand]] += chance
        made += chance
    result[0] = no_blackjack - made
    if not dealer.looks:
        result[BLACKJACK] = 1.0 - no_blackjack
