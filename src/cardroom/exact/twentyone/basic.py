"""The best strategy that looks at no more than the state of the automaton and the up card.

What a state should do depends on the mix of hands that come to it, which depends on what other states do.
So the search goes in rounds: count the ways to every hand under the strategy, hands after splits included;
let every state, from the last to the first, take the action that is best for its mix; and begin again until
nothing changes. Then no other action of a single state is better. That two states must change together to be
better is known only of shoes of a dozen cards, in hands that come after a split alone.
"""

from __future__ import annotations

from itertools import permutations
from typing import Final, NamedTuple

import numpy as np
from numba import njit

from cardroom.exact.twentyone.dealer import Draw
from cardroom.exact.twentyone.measure import BUSTS, COLUMNS, WHOLE, split_measure
from cardroom.exact.twentyone.nodes import Bools, Compositions, Floats, Nodes
from cardroom.exact.twentyone.play import (
    ACTION_COUNT,
    DOUBLE,
    HIT,
    RESCUE,
    SPLIT,
    STAND,
    SURRENDER,
    Actions,
    States,
    drawn_value,
    fill_values,
    spread,
    stood_value,
)
from cardroom.exact.twentyone.split import hands_allowed, pair_chance, split_value, split_ways, split_weights
from cardroom.rules.twentyone.automaton import NONE

_SPECIAL: Final = [some for length in range(4) for some in permutations((DOUBLE, SURRENDER, RESCUE), length)]
PREFERENCES: Final = np.array(
    [
        (*special, *[NONE] * (3 - len(special)), end, STAND)
        for special in (*_SPECIAL, (HIT, DOUBLE))  # split aces may be such as double and do not hit
        for end in (STAND, HIT)
    ],
    np.int8,
)
"""[order]: actions by preference, as in the cells of a chart: what to try first, then stand or hit."""
MOST_ROUNDS: Final = 50
"""Far more than are ever needed; a guard against going in a circle between equal strategies."""


class Room(NamedTuple):
    """Memory for the mixes of hands: 0 of hands first dealt, two for each rank of hands after its split."""

    measures: Floats
    """[mix, composition, column]."""
    ways: Floats
    """[mix, node]."""
    value: Floats
    """[mix, node]: under the table."""
    drawn: Floats
    """[mix, node]: of one more card."""
    of_node: Floats
    """[mix, node within the states of a prospect, action]."""


def room_for(states: States, nodes: Nodes, known: Compositions) -> Room:
    """Memory that serves for one up card after the other."""
    kinds, number = 1 + 2 * len(states.rank_counts), len(nodes.state)
    most_alike = int(np.bincount(states.prospect[nodes.state]).max())
    return Room(
        measures=np.zeros((kinds, len(known.size), COLUMNS)),
        ways=np.zeros((kinds, number)),
        value=np.zeros((kinds, number)),
        drawn=np.zeros((kinds, number)),
        of_node=np.zeros((kinds, most_alike, ACTION_COUNT)),
    )


def best_table(
    states: States, nodes: Nodes, known: Compositions, draw: Draw, weights: Floats, room: Room
) -> Actions:
    """[state]: the best action against one up card; NONE with nothing to decide."""
    table = np.full(len(states.may), NONE, np.int8)
    is_split = np.zeros(len(states.rank_counts), np.bool_)
    measured = is_split.copy()
    used = np.zeros(len(room.ways), np.bool_)
    used[0] = True
    room.measures[0] = weights
    room.value[:] = 0.0
    room.drawn[:] = 0.0
    # The first choice is made for the mix of hands to which any actions can lead.
    room.ways[0] = _ways_of_all_actions(states, nodes)
    _improve(table, states, nodes, room, used)
    weighed = False  # whether pairs were weighed by the actions as they are
    for _ in range(MOST_ROUNDS):
        action = _actions(table, is_split, states, nodes)
        arrived = states.first.copy()
        spread(arrived, states, nodes, action)
        room.ways[0] = arrived[:, 0]
        for rank in np.flatnonzero(is_split).tolist():
            _mix_in(rank, action, measured, states, nodes, known, draw, room)
        used[1::2] = used[2::2] = is_split
        if _improve(table, states, nodes, room, used):
            weighed = False
            measured[:] = False
        elif weighed:
            break
        else:
            weighed = True
            before = is_split.copy()
            _choose_splits(is_split, table, room.value[0], states, nodes, known, draw)
            if (before == is_split).all():
                break
    return _with_splits(table, is_split, states, nodes)


def _mix_in(
    rank: int,
    action: Actions,
    measured: Bools,
    states: States,
    nodes: Nodes,
    known: Compositions,
    draw: Draw,
    room: Room,
) -> None:
    """Fill in the ways and measures of hands after the split of a rank."""
    mix = 1 + 2 * rank
    hands = hands_allowed(rank, states, nodes, action, follow=False)
    after = split_ways(rank, hands > 2, states, nodes, action)
    if not measured[rank]:
        measured[rank] = True
        two = 2.0 * draw.step
        weights = split_weights(hands, float(draw.left[rank]) - two, draw.total - two, draw.step)
        some = np.flatnonzero(_needed(after, action, states, nodes, known))
        of_split = split_measure(known, draw, rank, weights, some) * pair_chance(draw, rank)
        room.measures[mix : mix + 2] = 0.0
        room.measures[mix, some], room.measures[mix + 1, some] = of_split[:, 0], of_split[:, 1]
    room.ways[mix], room.ways[mix + 1] = after[:, 0], after[:, 1]


@njit(cache=True, error_model="numpy")
def _needed(ways: Floats, action: Actions, states: States, nodes: Nodes, known: Compositions) -> Bools:
    """[composition]: what hands after a split come to by `action`, or by one other action and then by it."""
    needed = np.zeros(len(known.size), np.bool_)
    after_other = np.zeros(len(nodes.state), np.bool_)
    for node in range(len(nodes.state)):
        comes = ways[node, 0] != 0.0 or ways[node, 1] != 0.0
        if not comes and not after_other[node]:
            continue
        needed[nodes.composition[node]] = True
        may = states.may[nodes.state[node]]
        for a in (HIT, DOUBLE):
            if may >> a & 1 and (comes or action[node] == a):
                gets = node if a == HIT else nodes.doubled[node]
                for at in range(states.move_start[gets], states.move_start[gets + 1]):
                    after_other[states.move_to[at]] = True
    return needed


def _actions(table: Actions, is_split: Bools, states: States, nodes: Nodes) -> Actions:
    """[node]: what is done, pairs that are split included."""
    action: Actions = table[nodes.state]
    pairs = np.flatnonzero(states.pair != NONE)
    action[pairs[is_split[states.pair[pairs]]]] = SPLIT
    return action


@njit(cache=True, error_model="numpy")
def _ways_of_all_actions(states: States, nodes: Nodes) -> Floats:
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


@njit(cache=True, error_model="numpy")
def _improve(table: Actions, states: States, nodes: Nodes, room: Room, used: Bools) -> bool:
    """Give all states of a prospect the order of actions that is best for the mix of hands that come to them.

    Fills in the values of all nodes in each mix; returns whether any action changed.
    """
    kinds, number = room.ways.shape
    value, of_node = room.value, room.of_node
    of_action = np.zeros((len(table), ACTION_COUNT))
    comes = np.zeros(len(table), np.bool_)
    changed = False
    end = number
    while end > 0:
        prospect = states.prospect[nodes.state[end - 1]]
        start = end - 1
        while start > 0 and states.prospect[nodes.state[start - 1]] == prospect:
            start -= 1
        for kind in range(kinds):
            if used[kind]:
                _add_up(
                    start,
                    end,
                    room.measures[kind],
                    room.ways[kind],
                    value[kind],
                    room.drawn[kind],
                    of_node[kind],
                    of_action,
                    comes,
                    states,
                    nodes,
                )
        changed |= _prefer(start, end, of_action, comes, table, states, nodes)
        for kind in range(kinds):
            if used[kind]:
                for node in range(start, end):
                    a = table[nodes.state[node]]
                    if a != NONE:
                        value[kind, node] = of_node[kind, node - start, a]
        end = start
    return changed


@njit(cache=True, error_model="numpy")
def _add_up(
    start: int,
    end: int,
    measures: Floats,
    ways: Floats,
    value: Floats,
    drawn: Floats,
    of_node: Floats,
    of_action: Floats,
    comes: Bools,
    states: States,
    nodes: Nodes,
) -> None:
    """Add what each action is worth on the hands of some nodes to the sums of their states."""
    move_to, move_share = states.move_to, states.move_share
    for node in range(start, end):
        c, s = nodes.composition[node], nodes.state[node]
        if measures[c, WHOLE] == 0.0:
            of_node[node - start] = 0.0
            continue
        first, last = states.move_start[node], states.move_start[node + 1]
        drawn[node] = drawn_value(
            first, last, move_to, move_share, value, states.stake[s], measures[c, BUSTS]
        )
        may = states.may[s]
        if may == 0:
            value[node] = stood_value(states.pay[s], measures[c])
            continue
        double = drawn[nodes.doubled[node]] if may >> DOUBLE & 1 else 0.0
        fill_values(
            may,
            states.pay[s],
            measures[c],
            drawn[node],
            double,
            states.surrender_pay,
            states.rescue_pay[s],
            of_node[node - start],
        )
        if ways[node] != 0.0:
            comes[s] = True
            for a in range(ACTION_COUNT):
                if may >> a & 1 and a != SPLIT:
                    of_action[s, a] += ways[node] * of_node[node - start, a]


@njit(cache=True, error_model="numpy")
def _prefer(
    start: int, end: int, of_action: Floats, comes: Bools, table: Actions, states: States, nodes: Nodes
) -> bool:
    """Take the order of preference that is best for some states together; whether that changed the table."""
    some = np.empty(end - start, np.int64)
    many = 0
    for node in range(start, end):
        if node == start or nodes.state[node] != nodes.state[node - 1]:
            some[many] = nodes.state[node]
            many += 1
    some = some[:many]
    before = STAND
    for s in some:
        if table[s] == HIT:
            before = HIT
    best = NONE
    best_sum = 0.0
    for turn in range(2):
        # Orders that end as before come first, so that hands that do not come keep what is best for them.
        for order in range(0 if (before == STAND) == (turn == 0) else 1, len(PREFERENCES), 2):
            total = 0.0
            found = False
            for s in some:
                if comes[s]:
                    total += of_action[s, _first_allowed(order, states.may[s])]
                    found = True
            if found and (best == NONE or total > best_sum):
                best = order
                best_sum = total
    changed = False
    for s in some:
        if states.may[s] != 0 and (best != NONE or table[s] == NONE):
            action = _first_allowed(max(best, 0), states.may[s])
            changed |= action != table[s]
            table[s] = action
    return changed


@njit(cache=True, error_model="numpy")
def _first_allowed(order: int, may: int) -> int:
    for a in PREFERENCES[order]:
        if a != NONE and may >> a & 1:
            return int(a)
    return STAND


def _choose_splits(
    is_split: Bools,
    table: Actions,
    value: Floats,
    states: States,
    nodes: Nodes,
    known: Compositions,
    draw: Draw,
) -> None:
    """Split the pairs of a rank, whatever their suits, where that is worth more than what else they do."""
    action = _actions(table, is_split, states, nodes)
    dealt = np.flatnonzero((states.pair != NONE) & (states.first[:, 0] != 0.0))
    for rank in np.unique(states.pair[dealt]).tolist():
        some = dealt[states.pair[dealt] == rank]
        split = split_value(rank, states, nodes, known, draw, action, follow=False)
        otherwise = float(states.first[some, 0] @ value[some])
        is_split[rank] = split is not None and pair_chance(draw, rank) * split > otherwise


def _with_splits(table: Actions, is_split: Bools, states: States, nodes: Nodes) -> Actions:
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
            result[s] = as_dealt if states.may[s] >> as_dealt & 1 else table[states.unpaired[s]]
    return result
