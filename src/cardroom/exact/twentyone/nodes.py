"""Everything a hand can be, down to its composition.

A composition is how many cards of each rank a hand holds; a node is a composition and a state of the
automaton. Compositions are numbered by size, nodes so that every card and every double leads to a higher
number.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.exact.compiled import kernel
from cardroom.exact.twentyone.shoe import Shoe
from cardroom.model.twentyone.automaton import NONE, NUMBER_OF, START, Automaton
from cardroom.rules.twentyone.law import BLACKJACK_TOTAL, Action

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

_RADIX: Final = BLACKJACK_TOTAL + 2
"""Above any count of one rank, one card more than 21 points hold included."""
_MOST_COMPOSITIONS: Final = 1 << 15
"""Above the number of all compositions, thirteen ranks told apart included."""


class Compositions(NamedTuple):
    """Every multiset of ranks of at most 21 points, an ace counted 1."""

    counts: Ints
    """[composition, rank]."""
    size: Ints
    plus: Ints
    """[composition, rank]: with one more card; NONE above 21 points."""
    without: Ints
    """[composition, rank]: with no card of the rank left."""
    part_start: Ints
    """[composition]: where its parts start in the lists below."""
    part: Ints
    """The parts i of each composition c: all compositions within it …"""
    part_weight: Floats
    """… each with Π (−1)^i · c(c−1)…(c−i+1) over the ranks."""


@lru_cache(maxsize=4)
def compositions(values: tuple[int, ...]) -> Compositions:
    """The compositions of ranks with these values."""
    counts = np.zeros((_MOST_COMPOSITIONS, len(values)), np.int64)
    points_and_last = np.zeros((2, _MOST_COMPOSITIONS), np.int64)
    made = _fill_compositions(np.array(values, np.int64), counts, *points_and_last)
    counts = counts[:made].copy()
    size, plus, without = _neighbours(counts)
    start = np.zeros(made + 1, np.int64)
    np.cumsum((counts + 1).prod(axis=1), out=start[1:])
    part, weight = np.zeros(start[-1], np.int64), np.ones(start[-1])
    _fill_parts(counts, plus, start, part, weight)
    return Compositions(counts, size, plus, without, start, part, weight)


@kernel
def _fill_compositions(values: Ints, counts: Ints, points: Ints, last: Ints) -> int:
    """Fill in the cards of all compositions, how many points they have and their last rank; how many."""
    ranks = len(values)
    made = 1
    read = 0
    while read < made:
        for rank in range(last[read], ranks):
            if points[read] + values[rank] <= BLACKJACK_TOTAL:
                for each in range(ranks):
                    counts[made, each] = counts[read, each] + int(each == rank)
                points[made] = points[read] + values[rank]
                last[made] = rank
                made += 1
        read += 1
    return made


def _neighbours(counts: Ints) -> tuple[Ints, Ints, Ints]:
    number, ranks = counts.shape
    weight = _RADIX ** np.arange(ranks, dtype=np.int64)
    keys = counts @ weight
    by_key = np.argsort(keys)
    in_order = keys[by_key]
    wanted = keys[:, None] + weight
    places = np.minimum(np.searchsorted(in_order, wanted), number - 1)
    plus = np.where(in_order[places] == wanted, by_key[places], NONE)
    without = by_key[np.searchsorted(in_order, keys[:, None] - counts * weight)]
    return counts.sum(axis=1), plus, without


@kernel
def _fill_parts(counts: Ints, plus: Ints, start: Ints, part: Ints, weight: Floats) -> None:
    """Fill in the parts of all compositions, and their weights, which are 1 before."""
    number, ranks = counts.shape
    for c in range(number):
        first = start[c]
        made = 1
        for rank in range(ranks):
            before = made
            for i in range(before):
                inner = part[first + i]
                signed = weight[first + i]
                for taken in range(counts[c, rank]):
                    inner = plus[inner, rank]
                    signed *= -(counts[c, rank] - taken)
                    part[first + made] = inner
                    weight[first + made] = signed
                    made += 1


class Nodes(NamedTuple):
    """The automaton unfolded over compositions."""

    composition: Ints
    """[node]."""
    state: Ints
    """[node]."""
    next: Ints
    """[node, class]: with one more card; NONE for a bust."""
    doubled: Ints
    """[node]: with one more double, before its card; or NONE."""
    first_two: Ints
    """Nodes of two cards as first dealt."""
    split_hand: Ints
    """[class]: the node of one card that starts a hand after a split."""
    at: Ints
    """[composition, state]: the node, or NONE."""


@kernel
def _unfold(
    plus: Ints,
    next_state: Ints,
    draws: Bools,
    doubled: Ints,
    unpaired: Ints,
    split_states: Ints,
    class_ranks: Ints,
    order: Ints,
    index: Ints,
    waiting: Ints,
    composition: Ints,
    state: Ints,
) -> int:
    """Fill in the pairs of composition and state that can be reached, in an order of the states; how many.

    `index` is NONE before, and then has the number of each pair. The last arrays have room for all pairs.
    """
    states = len(next_state)
    index[0, START] = 0
    waiting[0] = START
    waits = 1
    for number in range(len(class_ranks)):
        c, s = plus[0, class_ranks[number]], split_states[number]
        if index[c, s] == NONE:
            index[c, s] = 0
            waiting[waits] = c * states + s
            waits += 1
    while waits > 0:
        waits -= 1
        c, s = waiting[waits] // states, waiting[waits] % states
        for after in (doubled[s], unpaired[s]):
            if after != NONE and index[c, after] == NONE:
                index[c, after] = 0
                waiting[waits] = c * states + after
                waits += 1
        if not draws[s]:
            continue
        for number in range(len(class_ranks)):
            more, after = plus[c, class_ranks[number]], next_state[s, number]
            if more != NONE and index[more, after] == NONE:
                index[more, after] = 0
                waiting[waits] = more * states + after
                waits += 1
    made = 0
    for s in order:
        for c in range(len(plus)):
            if index[c, s] != NONE:
                composition[made] = c
                state[made] = s
                index[c, s] = made
                made += 1
    return made


@kernel
def _link(
    composition: Ints,
    state: Ints,
    index: Ints,
    plus: Ints,
    next_state: Ints,
    draws: Bools,
    class_ranks: Ints,
    after: Ints,
) -> None:
    """Fill in where each class of cards leads from each node; it is NONE before."""
    for node in range(len(state)):
        c, s = composition[node], state[node]
        if draws[s]:
            for number in range(len(class_ranks)):
                more = plus[c, class_ranks[number]]
                if more != NONE:
                    after[node, number] = index[more, next_state[s, number]]


def states_that_draw(automaton: Automaton) -> Bools:
    """States that may get a card: hands of fewer than two, hands that may be hit, hands just doubled."""
    draws = (automaton.may >> NUMBER_OF[Action.HIT] & 1).astype(bool)
    draws |= np.array([hand.cards < 2 for hand in automaton.hands])
    draws[automaton.doubled[automaton.doubled != NONE]] = True
    return draws


def unfold(automaton: Automaton, shoe: Shoe) -> Nodes:
    """The nodes of a house's rules."""
    cards = [card.index for card in automaton.classes.example]
    next_state = automaton.next[:, cards].astype(np.int64)
    doubled, unpaired = automaton.doubled.astype(np.int64), automaton.unpaired.astype(np.int64)
    split_states = automaton.split_hand[cards].astype(np.int64)
    known = compositions(tuple(shoe.values.tolist()))
    rank = _ranks(next_state, doubled, unpaired, automaton.prospect.astype(np.int64))
    order = np.argsort(rank, kind="stable")
    draws = states_that_draw(automaton)
    index = np.full((len(known.plus), len(next_state)), NONE, np.int64)
    waiting, composition, state = (np.empty(index.size, np.int64) for _ in range(3))
    made = _unfold(
        known.plus,
        next_state,
        draws,
        doubled,
        unpaired,
        split_states,
        shoe.class_ranks,
        order,
        index,
        waiting,
        composition,
        state,
    )
    composition, state = composition[:made].copy(), state[:made].copy()
    after = np.full((made, len(shoe.class_ranks)), NONE, np.int64)
    _link(composition, state, index, known.plus, next_state, draws, shoe.class_ranks, after)
    with_double = np.where(doubled[state] != NONE, index[composition, doubled[state]], NONE)
    first = [node for node in after[index[0, START]] if node != NONE]
    first_two = np.unique(after[first][after[first] != NONE])
    split_hand = index[known.plus[0, shoe.class_ranks], split_states]
    return Nodes(composition, state, after, with_double, first_two, split_hand, index)


def _ranks(next_state: Ints, doubled: Ints, unpaired: Ints, prospect: Ints) -> Ints:
    """[state]: numbers that grow along every card and double, one for all states of the same prospect."""
    states = np.arange(len(next_state))
    after = np.column_stack([next_state, doubled, unpaired])
    leads = (after != NONE) & (after != states[:, None])
    before = np.repeat(prospect, leads.sum(axis=1))
    edges = np.unique(before * len(states) + prospect[after[leads]])
    one, other = np.divmod(edges, len(states))
    depth = np.zeros(len(states), np.int64)
    while True:
        least = depth.copy()
        np.maximum.at(least, other, depth[one] + 1)
        if np.array_equal(least, depth):
            return depth[prospect] * len(states) + prospect
        depth = least
