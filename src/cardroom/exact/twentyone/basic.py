"""The best strategy that looks at no more than the state of the automaton and the up card.

What a state should do depends on the mix of hands that come to it, which depends on what other states do.
So the search goes in rounds: count the ways to every hand under the strategy, hands after splits included;
let every state, from the last to the first, take the action that is best for its mix; and begin again until
nothing changes.
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
    first_two_ways,
    hands_allowed,
    pair_chance,
    pair_rank,
    split_value,
    split_ways,
    split_weights,
    spread,
    stood_value,
)
from cardroom.rules.twentyone.automaton import NONE

PREFERENCES: Final = np.array(
    [
        (*special, *[NONE] * (3 - length), end, STAND)
        for length in range(4)
        for special in permutations((DOUBLE, SURRENDER, RESCUE), length)
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


@njit(cache=True)
def best_table(
    states: States, nodes: Nodes, known: Compositions, draw: Draw, weights: Floats, room: Room
) -> Actions:
    """[state]: the best action against one up card; NONE with nothing to decide."""
    ranks = len(states.rank_counts)
    kinds = 1 + 2 * ranks
    measures, ways, value = room.measures, room.ways, room.value
    measured = np.zeros(ranks, np.bool_)
    measures[0] = weights
    value[:] = 0.0
    room.drawn[:] = 0.0
    used = np.zeros(kinds, np.bool_)
    used[0] = True
    # The first choice is made for the mix of hands to which any actions can lead.
    table = np.full(len(states.may), NONE, np.int8)
    ways[0] = _ways_of_all_actions(states, nodes)
    _improve(table, states, nodes, room, used)
    is_split = np.zeros(len(states.may), np.bool_)
    first = first_two_ways(states, nodes)
    changed = True
    stale = True  # whether actions have changed since pairs were weighed
    rounds = 0
    while changed and rounds < MOST_ROUNDS:
        rounds += 1
        action = _actions(table, is_split, nodes)
        arrived = first.copy()
        spread(arrived, states, nodes, action)
        ways[0] = arrived[:, 0]
        for rank in range(ranks):
            split_part = _split_part(rank, is_split, first, states, nodes, known)
            mix = 1 + 2 * rank
            used[mix : mix + 2] = split_part > 0.0
            if split_part > 0.0:
                hands = hands_allowed(rank, states, nodes, action, False)
                after = split_ways(rank, hands > 2, states, nodes, action)
                pair_weights = split_weights(
                    hands, draw.left[rank] - 2.0 * draw.step, draw.total - 2.0 * draw.step, draw.step
                )
                if not measured[rank]:
                    measured[rank] = True
                    needed = _needed(after, action, states, nodes, known)
                    of_split = split_measure(known, draw, rank, pair_weights, needed)
                    for second in range(2):
                        measures[mix + second] = of_split[:, second] * pair_chance(draw, rank)
                for second in range(2):
                    ways[mix + second] = split_part * after[:, second]
        changed = _improve(table, states, nodes, room, used)
        if changed:
            stale = True
            measured[:] = False
        if not changed and stale:
            changed = _choose_splits(is_split, table, value[0], first, states, nodes, known, draw)
            stale = False
    for s in range(len(table)):
        if is_split[s]:
            table[s] = SPLIT
    _split_again(table, states, nodes, known)
    return table


@njit(cache=True)
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


@njit(cache=True)
def _actions(table: Actions, is_split: Bools, nodes: Nodes) -> Actions:
    action = table[nodes.state]
    for node in range(len(action)):
        if is_split[nodes.state[node]]:
            action[node] = SPLIT
    return action


@njit(cache=True)
def _ways_of_all_actions(states: States, nodes: Nodes) -> Floats:
    """[node]: orders of cards and doubles by which a hand may come to a node whatever is done before."""
    ways = first_two_ways(states, nodes)[:, 0].copy()
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


@njit(cache=True)
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


@njit(cache=True)
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


@njit(cache=True)
def _prefer(
    start: int, end: int, of_action: Floats, comes: Bools, table: Actions, states: States, nodes: Nodes
) -> bool:
    """Take the order of preference that is best for some states together; whether that changed the table."""
    some = np.unique(nodes.state[start:end])
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


@njit(cache=True)
def _first_allowed(order: int, may: int) -> int:
    for a in PREFERENCES[order]:
        if a != NONE and may >> a & 1:
            return int(a)
    return STAND


@njit(cache=True)
def _split_part(
    rank: int, is_split: Bools, first: Floats, states: States, nodes: Nodes, known: Compositions
) -> float:
    """The part of the pairs of a rank, told apart by suits where these matter, that is split."""
    part = 0.0
    for node in nodes.first_two:
        if is_split[nodes.state[node]] and pair_rank(states, nodes, known, node) == rank:
            part += first[node, 0]
    return part


@njit(cache=True)
def _choose_splits(
    is_split: Bools,
    table: Actions,
    value: Floats,
    first: Floats,
    states: States,
    nodes: Nodes,
    known: Compositions,
    draw: Draw,
) -> bool:
    """Split the pairs of a rank, whatever their suits, where that is worth more than what else they do."""
    action = _actions(table, is_split, nodes)
    ranks = len(states.rank_counts)
    gain = np.zeros(ranks)
    for node in nodes.first_two:
        rank = pair_rank(states, nodes, known, node)
        if rank != NONE:
            gain[rank] -= first[node, 0] * value[node]
    for rank in range(ranks):
        split = split_value(rank, states, nodes, known, draw, action, False) if gain[rank] != 0.0 else np.nan
        gain[rank] += pair_chance(draw, rank) * split
    changed = False
    for node in nodes.first_two:
        rank = pair_rank(states, nodes, known, node)
        if rank != NONE:
            s = nodes.state[node]
            changed |= is_split[s] != (gain[rank] > 0.0)
            is_split[s] = gain[rank] > 0.0
    return changed


@njit(cache=True)
def _split_again(table: Actions, states: States, nodes: Nodes, known: Compositions) -> None:
    """Pairs after a split are split again where there is room; one never split is played as dealt first."""
    dealt = np.zeros(len(table), np.bool_)
    is_split = np.zeros(len(states.rank_counts), np.bool_)
    otherwise = np.full(len(states.rank_counts), STAND, np.int8)
    for node in nodes.first_two:
        s = nodes.state[node]
        rank = pair_rank(states, nodes, known, node)
        if rank != NONE:
            dealt[s] = True
            is_split[rank] |= table[s] == SPLIT
            otherwise[rank] = table[s]
    for node in range(len(nodes.state)):
        s = nodes.state[node]
        rank = pair_rank(states, nodes, known, node)
        if rank != NONE and not dealt[s]:
            table[s] = SPLIT if is_split[rank] else table[states.unpaired[s]]
            if not is_split[rank] and states.may[s] >> otherwise[rank] & 1:
                table[s] = otherwise[rank]
