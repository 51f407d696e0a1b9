"""Everything a hand can be, down to its composition.

A composition is how many cards of each rank a hand holds; a node is a composition and a state of the
automaton. Compositions are numbered by size, nodes so that every card and every double leads to a higher
number.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cardroom.exact.twentyone.shoe import Shoe
from cardroom.model.twentyone.automaton import NONE, NUMBER_OF, START, Automaton
from cardroom.rules.twentyone.law import BLACKJACK_TOTAL, Action

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

_RADIX: Final = BLACKJACK_TOTAL + 2
"""Above any count of one rank, one card more than 21 points hold included."""


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
    counts = _all_compositions(np.array(values, np.int64))
    size, plus, without = _neighbours(counts)
    return Compositions(counts, size, plus, without, *_parts(counts, plus))


@njit(cache=True, error_model="numpy")
def _all_compositions(values: Ints) -> Ints:
    ranks = len(values)
    most = 1 << 15
    counts = np.zeros((most, ranks), np.int64)
    points = np.zeros(most, np.int64)
    last = np.zeros(most, np.int64)
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
    return counts[:made].copy()


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


@njit(cache=True, error_model="numpy")
def _parts(counts: Ints, plus: Ints) -> tuple[Ints, Ints, Floats]:
    number, ranks = counts.shape
    start = np.zeros(number + 1, np.int64)
    for c in range(number):
        parts = 1
        for rank in range(ranks):
            parts *= counts[c, rank] + 1
        start[c + 1] = start[c] + parts
    part = np.zeros(start[number], np.int64)
    weight = np.ones(start[number], np.float64)
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
    return start, part, weight


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


@njit(cache=True, error_model="numpy")
def _unfold(
    plus: Ints,
    next_state: Ints,
    draws: Bools,
    doubled: Ints,
    unpaired: Ints,
    split_states: Ints,
    class_ranks: Ints,
    order: Ints,
) -> tuple[Ints, Ints, Ints]:
    """Find the reachable pairs of composition and state, in an order of the states."""
    index = np.full((len(plus), len(next_state)), NONE, np.int64)
    stack = [(0, START)]
    for number in range(len(class_ranks)):
        one = plus[0, class_ranks[number]]
        stack.append((one, split_states[number]))
    node_count = 0
    while len(stack) > 0:
        c, s = stack.pop()
        if index[c, s] != NONE:
            continue
        index[c, s] = 0
        node_count += 1
        if doubled[s] != NONE:
            stack.append((c, doubled[s]))
        if unpaired[s] != s:
            stack.append((c, unpaired[s]))
        if not draws[s]:
            continue
        for number in range(len(class_ranks)):
            more = plus[c, class_ranks[number]]
            if more != NONE:
                after = next_state[s, number]
                if index[more, after] == NONE:
                    stack.append((more, after))
    composition = np.zeros(node_count, np.int64)
    state = np.zeros(node_count, np.int64)
    made = 0
    for s in order:
        for c in range(len(plus)):
            if index[c, s] != NONE:
                composition[made] = c
                state[made] = s
                index[c, s] = made
                made += 1
    return composition, state, index


@njit(cache=True, error_model="numpy")
def _link(
    composition: Ints,
    state: Ints,
    index: Ints,
    plus: Ints,
    next_state: Ints,
    draws: Bools,
    doubled: Ints,
    class_ranks: Ints,
) -> tuple[Ints, Ints]:
    classes = len(class_ranks)
    after = np.full((len(state), classes), NONE, np.int64)
    with_double = np.full(len(state), NONE, np.int64)
    for node in range(len(state)):
        c, s = composition[node], state[node]
        for number in range(classes):
            more = plus[c, class_ranks[number]]
            if more != NONE and draws[s]:
                after[node, number] = index[more, next_state[s, number]]
        if doubled[s] != NONE:
            with_double[node] = index[c, doubled[s]]
    return after, with_double


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
    composition, state, index = _unfold(
        known.plus, next_state, draws, doubled, unpaired, split_states, shoe.class_ranks, order
    )
    after, with_double = _link(
        composition, state, index, known.plus, next_state, draws, doubled, shoe.class_ranks
    )
    first = [node for node in after[index[0, START]] if node != NONE]
    first_two = np.unique(after[first][after[first] != NONE])
    split_hand = index[known.plus[0, shoe.class_ranks], split_states]
    return Nodes(composition, state, after, with_double, first_two, split_hand, index)


@njit(cache=True, error_model="numpy")
def _ranks(next_state: Ints, doubled: Ints, unpaired: Ints, prospect: Ints) -> Ints:
    """[state]: numbers that grow along every card and double, one for all states of the same prospect."""
    number = len(next_state)
    depth = np.zeros(number, np.int64)
    changed = True
    while changed:
        changed = False
        for s in range(number):
            least = depth[prospect[s]] + 1
            for after in next_state[s]:
                if after != s and depth[prospect[after]] < least:
                    depth[prospect[after]] = least
                    changed = True
            for after in (doubled[s], unpaired[s]):
                if after not in (NONE, s) and depth[prospect[after]] < least:
                    depth[prospect[after]] = least
                    changed = True
    return depth[prospect] * number + prospect
