"""The cells of a chart: what they can say, and what those say to which no hand comes."""

from __future__ import annotations

from itertools import permutations
from typing import Final

import numpy as np

from cardroom.exact.compiled import njit
from cardroom.exact.twentyone.measure import BUSTS, WHOLE
from cardroom.exact.twentyone.nodes import Bools, Floats, Ints, Nodes
from cardroom.exact.twentyone.play import (
    ACTION_COUNT,
    DOUBLE,
    EQUAL,
    HIT,
    RESCUE,
    SPLIT,
    STAND,
    SURRENDER,
    Actions,
    States,
    drawn_value,
    fill_values,
    stood_value,
)
from cardroom.model.twentyone.automaton import NONE

_SPECIAL: Final = [some for length in range(4) for some in permutations((DOUBLE, SURRENDER, RESCUE), length)]
_SPLIT_ACES: Final = [(HIT, DOUBLE), (SURRENDER, HIT, DOUBLE)]  # may be such as double and do not hit
PREFERENCES: Final = np.array(
    [
        (*special, *[NONE] * (3 - len(special)), end, STAND)
        for end in (STAND, HIT)
        for special in (*_SPECIAL, *_SPLIT_ACES)
    ],
    np.int8,
)
"""[order]: actions by preference, as in the cells of a chart: what to try first, then stand or hit."""


def choices(may: Ints, prospect: Ints) -> tuple[Actions, Ints]:
    """(first actions of all orders by state, orders that differ by prospect)."""
    kinds, kind = np.unique(may, return_inverse=True)
    first_of = [[_first_allowed(order, each) for order in range(len(PREFERENCES))] for each in kinds]
    alike: dict[int, set[int]] = {}
    for of_prospect, number in zip(prospect.tolist(), kind.tolist(), strict=True):
        alike.setdefault(of_prospect, set()).add(number)
    orders = np.zeros(1 + int(prospect.max()), np.int64)
    different: dict[frozenset[int], int] = {}
    for of_prospect, numbers in alike.items():
        some = frozenset(numbers)
        if some not in different:
            actions = [tuple(first_of[number][order] for number in some) for order in range(len(PREFERENCES))]
            different[some] = sum(1 << actions.index(each) for each in set(actions))
        orders[of_prospect] = different[some]
    return np.array(first_of, np.int8)[kind], orders


@njit(cache=True, error_model="numpy")
def _first_allowed(order: int, may: int) -> int:
    for a in PREFERENCES[order]:
        if a != NONE and may >> a & 1:
            return int(a)
    return STAND


@njit(cache=True, error_model="numpy")
def fill_in(
    moved: Floats, weights: Floats, ways: Floats, states: States, nodes: Nodes, first_of: Actions
) -> Actions:
    """[state]: its action by an order that moves no hand that comes; of several, the best for any that may.

    `moved` is by prospect and order. Hands that may come are those of `ways`, each valued by the table and
    with no cards out but its own.
    """
    table = np.full(len(states.may), NONE, np.int8)
    value, drawn = np.zeros(len(nodes.state)), np.zeros(len(nodes.state))
    of_node = np.zeros((len(nodes.state), ACTION_COUNT))
    worth = np.zeros(first_of.shape[1])
    end = len(nodes.state)
    while end > 0:
        prospect = states.prospect[nodes.state[end - 1]]
        start = end - 1
        while start > 0 and states.prospect[nodes.state[start - 1]] == prospect:
            start -= 1
        worth[:] = 0.0
        for node in range(start, end):
            c, s = nodes.composition[node], nodes.state[node]
            if weights[c, WHOLE] <= 0.0:
                continue
            first, last = states.move_start[node], states.move_start[node + 1]
            drawn[node] = drawn_value(
                first, last, states.move_to, states.move_share, value, states.stake[s], weights[c, BUSTS]
            )
            may = states.may[s]
            if may == 0:
                value[node] = stood_value(states.pay, s, weights, c)
                continue
            double = drawn[nodes.doubled[node]] if may >> DOUBLE & 1 else 0.0
            given_up = states.surrender_pay, states.surrender_loses, states.rescue_pay[s]
            fill_values(may, states.pay, s, weights, c, drawn[node], double, given_up, of_node[node])
            for order in range(len(worth)):
                worth[order] += ways[node] * of_node[node, first_of[s, order]]
        best = NONE
        for order in range(len(worth)):
            if moved[prospect, order] <= 0.0 and (best == NONE or worth[order] > worth[best] + EQUAL):
                best = order
        for node in range(start, end):
            s = nodes.state[node]
            if states.may[s] != 0:
                table[s] = first_of[s, best]
                value[node] = of_node[node, table[s]]
        end = start
    return table


@njit(cache=True, error_model="numpy")
def ways_of_all_actions(states: States, nodes: Nodes) -> Floats:
    """[node]: orders of cards and doubles by which a hand may come to a node whatever is done before."""
    ways = states.first[:, 0].copy()
    for number in range(len(nodes.split_hand)):
        ways[nodes.split_hand[number]] = 1.0
    for node in range(len(nodes.state)):
        if ways[node] == 0.0:
            continue
        s = nodes.state[node]
        if states.unpaired[s] != s:
            ways[nodes.at[nodes.composition[node], states.unpaired[s]]] += ways[node]
        for doubles in range(2):
            if doubles == 1:
                gets = nodes.doubled[node] if states.may[s] >> DOUBLE & 1 else NONE
            else:
                gets = node if states.may[s] >> HIT & 1 or states.may[s] == 0 else NONE
            if gets == NONE or not states.draws[nodes.state[gets]]:
                continue
            for at in range(states.move_start[gets], states.move_start[gets + 1]):
                ways[states.move_to[at]] += ways[node] * states.move_share[at]
    return ways


def with_splits(table: Actions, is_split: Bools, states: States, nodes: Nodes) -> Actions:
    """The table with its splits; a pair never split is played after a split as it is when first dealt."""
    result = table.copy()
    pairs = np.flatnonzero(states.pair != NONE)
    for node in pairs.tolist():
        s, rank = nodes.state[node], states.pair[node]
        if is_split[rank]:
            result[s] = SPLIT
        elif states.first[node, 0] == 0.0:
            dealt = [
                int(nodes.state[n]) for n in pairs if states.pair[n] == rank and states.first[n, 0] != 0.0
            ]
            as_dealt = table[dealt[0]] if dealt else table[s]
            if not states.may[s] >> as_dealt & 1:
                as_dealt = max(table[states.unpaired[s]], STAND)  # an ace that gets no more cards stands
            result[s] = as_dealt
    return result
