"""The best strategy that looks at no more than the state of the automaton and the up card.

What a cell should do depends on the hands that come to it, which depends on what other cells do. So all
strategies are searched, by branch and bound. Let every hand, first dealt or after a split, choose for itself:
no chart is worth more. Where the hands that come to a cell choose differently, try what is best for them all;
then, apart from it, all other choices of that cell; each with the same bound, and with every other cell still
free. What is bounded by no more than a chart already found is left. At the end the chart is the best of all,
and a few bounds have proven it: hands seldom differ.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations
from typing import Final, NamedTuple

import numpy as np
from numba import njit

from cardroom.exact.twentyone.measure import BUSTS, COLUMNS, WHOLE
from cardroom.exact.twentyone.nodes import Bools, Compositions, Floats, Ints, Nodes
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
from cardroom.exact.twentyone.split import Dealt, hands_allowed, split_ways
from cardroom.rules.twentyone.automaton import NONE

_SPECIAL: Final = [some for length in range(4) for some in permutations((DOUBLE, SURRENDER, RESCUE), length)]
PREFERENCES: Final = np.array(
    [
        (*special, *[NONE] * (3 - len(special)), end, STAND)
        for end in (STAND, HIT)
        for special in (*_SPECIAL, (HIT, DOUBLE))  # split aces may be such as double and do not hit
    ],
    np.int8,
)
"""[order]: actions by preference, as in the cells of a chart: what to try first, then stand or hit."""
SAME: Final = 1e-14
"""Values of the whole game no further apart are equal but for rounding."""


class Mixes(NamedTuple):
    """Hands by how they begin: 0 those first dealt, then two mixes for each rank that can be split.

    After a split, hands whose second card is not of the pair are one mix and those with such a card another.
    """

    start: Ints
    """[mix]: where its hands start in the lists below."""
    mix: Ints
    node: Ints
    """The nodes to which any actions can lead …"""
    row: Ints
    """… each with the row of its measure …"""
    begins: Floats
    """… and with the orders of cards by which a hand begins there."""


class Chosen(NamedTuple):
    """What every hand chooses for itself of what its cell may do."""

    value: Floats
    """[mix, node]."""
    drawn: Floats
    """[mix, node]: of one more card."""
    action: Actions
    """[mix, node]."""
    ways: Floats
    """[mix, node]: orders of cards by which a hand comes there."""
    share: Floats
    """[state, action]: how often a hand comes there and chooses an action."""
    loss: Floats
    """[state, action]: what all hands that come there would lose by an action."""


@dataclass(frozen=True, eq=False)
class Search:
    """What is the same against all up cards, and memory that serves for one after the other."""

    states: States
    nodes: Nodes
    known: Compositions
    mixes: Mixes
    ranks: list[int]
    """Those that can be split, in the order of their mixes."""
    hands: list[int]
    """[one of the ranks]: how many hands a split may lead to."""
    compositions: list[Ints]
    """[one of the ranks]: all that hands after its split can hold."""
    pairs: list[Ints]
    """[one of the ranks]: where the pairs first dealt are among the hands."""
    first_of: Actions
    """[state, order]: the first action of the order that the state allows."""
    orders: Ints
    """[prospect]: orders, as bits, that differ in what some state of the prospect does."""
    end: Ints
    """[prospect]: the node after its last."""
    measures: Floats
    """[row, column]."""
    chosen: Chosen

    @classmethod
    def of(cls, states: States, nodes: Nodes, known: Compositions) -> Search:
        number, nothing = len(nodes.state), np.full(len(nodes.state), NONE, np.int8)
        pairs = np.flatnonzero((states.pair != NONE) & (states.first[:, 0] != 0.0))
        ranks = np.unique(states.pair[pairs]).tolist()
        hands = [hands_allowed(rank, states, nodes, nothing, follow=False) for rank in ranks]
        begins = [states.first[:, 0]]
        for rank, most in zip(ranks, hands, strict=True):
            begins.extend(split_ways(rank, most > 2, states, nodes, nothing).T)
        node = [np.flatnonzero(_can_come(each, states, nodes)) for each in begins]
        row, rows, held = [nodes.composition[node[0]]], len(known.size), []
        for mix in range(1, len(begins), 2):
            some = np.unique(nodes.composition[np.concatenate(node[mix : mix + 2])])
            held.append(some)
            for each in node[mix : mix + 2]:
                row.append(rows + np.searchsorted(some, nodes.composition[each]))
                rows += len(some)
        first_of, orders = _choices(states.may, states.prospect)
        return cls(
            states,
            nodes,
            known,
            mixes=Mixes(
                start=np.cumsum([0, *map(len, node)]),
                mix=np.repeat(np.arange(len(node)), [len(some) for some in node]),
                node=np.concatenate(node),
                row=np.concatenate(row),
                begins=np.concatenate([ways[some] for ways, some in zip(begins, node, strict=True)]),
            ),
            ranks=ranks,
            hands=hands,
            compositions=held,
            pairs=[np.flatnonzero(np.isin(node[0], pairs[states.pair[pairs] == rank])) for rank in ranks],
            first_of=first_of,
            orders=orders,
            end=_ends(states, nodes, len(orders)),
            measures=np.zeros((rows, COLUMNS)),
            chosen=Chosen(
                value=np.zeros((len(begins), number)),
                drawn=np.zeros((len(begins), number)),
                action=np.full((len(begins), number), NONE, np.int8),
                ways=np.zeros((len(begins), number)),
                share=np.zeros((len(states.may), ACTION_COUNT)),
                loss=np.zeros((len(states.may), ACTION_COUNT)),
            ),
        )

    def best_table(self, dealt: Dealt) -> Actions:
        """[state]: the best action against one up card; NONE with nothing to decide."""
        self._measure(dealt)
        best, table = -np.inf, None
        known, to_try = np.zeros_like(self.orders), [self.orders]
        while to_try:
            orders = to_try.pop()
            # Other orders of a prospect change nothing of hands that come after it.
            changed = int(self.end[orders != known].max(initial=0))
            known = orders
            bound, is_split = self._bound(orders, changed)
            if bound <= best + SAME:
                continue
            self._lose(is_split)
            prospect, order = _most_divided(orders, self.first_of, self.states.prospect, self.chosen)
            if prospect == NONE:
                best, table = bound, self._table(orders, is_split)
                continue
            this, others = orders.copy(), orders.copy()
            this[prospect] = 1 << order
            others[prospect] &= ~this[prospect]
            to_try += [others, this]
        assert table is not None
        return table

    def _measure(self, dealt: Dealt) -> None:
        """Fill in the measures of all hands against an up card."""
        end = len(self.known.size)
        self.measures[:end] = dealt.weights
        for rank, hands, some in zip(self.ranks, self.hands, self.compositions, strict=True):
            first, end = end, end + 2 * len(some)
            self.measures[first:end] = 0.0
            if dealt.can_split(rank):
                of_split = dealt.keep_split(rank, hands, some) * dealt.pair_chance(rank)
                self.measures[first:end] = of_split.swapaxes(0, 1).reshape(-1, COLUMNS)

    def _bound(self, orders: Ints, end: int) -> tuple[float, Bools]:
        """(what the game is worth if every hand does the best of what its cell may do, [rank] what is split).

        Nodes from `end` on are as they were.
        """
        mixes = self.mixes
        allowed = _allowed(orders, self.first_of, self.states)
        _choose(end, allowed, self.measures, mixes, self.states, self.nodes, self.chosen)
        worth = mixes.begins * self.chosen.value[mixes.mix, mixes.node]
        of_mix = np.bincount(mixes.mix, worth, len(mixes.start) - 1).tolist()
        result = of_mix[0]
        is_split = np.zeros(len(self.states.rank_counts), np.bool_)
        for number, (rank, pairs) in enumerate(zip(self.ranks, self.pairs, strict=True)):
            more = of_mix[1 + 2 * number] + of_mix[2 + 2 * number] - float(worth[pairs].sum())
            if more > 0.0:
                is_split[rank] = True
                result += more
        return result, is_split

    def _lose(self, is_split: Bools) -> None:
        """Fill in what the hands that come would lose by each action of their states."""
        mixes = self.mixes
        begins = mixes.begins.copy()
        for number, (rank, pairs) in enumerate(zip(self.ranks, self.pairs, strict=True)):
            if is_split[rank]:
                begins[pairs] = 0.0
            else:
                begins[mixes.start[1 + 2 * number] : mixes.start[3 + 2 * number]] = 0.0
        _add_up_losses(begins, self.measures, mixes, self.states, self.nodes, self.chosen)

    def _table(self, orders: Ints, is_split: Bools) -> Actions:
        """What the cells do when all hands that come agree, with the splits."""
        states, nodes = self.states, self.nodes
        weights = self.measures[: len(self.known.size)]
        ways = _ways_of_all_actions(states, nodes)
        table = _fill_in(orders, weights, ways, states, nodes, self.first_of, self.chosen)
        return _with_splits(table, is_split, states, nodes)


def _ends(states: States, nodes: Nodes, prospects: int) -> Ints:
    """[prospect]: the node after its last."""
    result = np.zeros(prospects, np.int64)
    np.maximum.at(result, states.prospect[nodes.state], 1 + np.arange(len(nodes.state)))
    return result


def _choices(may: Ints, prospect: Ints) -> tuple[Actions, Ints]:
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
def _can_come(begins: Floats, states: States, nodes: Nodes) -> Bools:
    """[node]: whether any actions can lead there, or a value of it is wanted."""
    result: Bools = begins != 0.0
    for node in range(len(nodes.state)):
        if not result[node]:
            continue
        may = states.may[nodes.state[node]]
        for a in (HIT, DOUBLE):
            if may >> a & 1:
                gets = node if a == HIT else nodes.doubled[node]
                result[gets] = True
                for at in range(states.move_start[gets], states.move_start[gets + 1]):
                    result[states.move_to[at]] = True
    return result


@njit(cache=True, error_model="numpy")
def _allowed(orders: Ints, first_of: Actions, states: States) -> Ints:
    """[state]: actions, as bits, that come first in some order of its prospect."""
    result = np.zeros(len(first_of), np.int64)
    for s in range(len(first_of)):
        if states.may[s] != 0:
            open_orders = orders[states.prospect[s]]
            for order in range(first_of.shape[1]):
                if open_orders >> order & 1:
                    result[s] |= 1 << first_of[s, order]
    return result


@njit(cache=True, error_model="numpy")
def _choose(
    end: int, allowed: Ints, measures: Floats, mixes: Mixes, states: States, nodes: Nodes, chosen: Chosen
) -> None:
    """Let every hand before a node do the best of what its state is allowed, from the last to the first."""
    values = np.empty(ACTION_COUNT)
    move_to, move_share = states.move_to, states.move_share
    for mix in range(len(chosen.value)):
        value, drawn, action = chosen.value[mix], chosen.drawn[mix], chosen.action[mix]
        for hand in range(mixes.start[mix + 1] - 1, mixes.start[mix] - 1, -1):
            node, row = mixes.node[hand], mixes.row[hand]
            if node >= end:
                continue
            s = nodes.state[node]
            action[node] = NONE
            value[node] = drawn[node] = 0.0
            whole = measures[row, WHOLE]
            if whole == 0.0:
                continue
            first, last = states.move_start[node], states.move_start[node + 1]
            drawn[node] = drawn_value(
                first, last, move_to, move_share, value, states.stake[s], measures[row, BUSTS]
            )
            stand = stood_value(states.pay, s, measures, row)
            may = states.may[s]
            if may == 0:
                value[node] = stand
                continue
            double = drawn[nodes.doubled[node]] if may >> DOUBLE & 1 else 0.0
            surrender, rescue = states.surrender_pay * whole, states.rescue_pay[s] * whole
            fill_values(may, stand, drawn[node], double, surrender, rescue, values)
            best = most = NONE
            for a in range(ACTION_COUNT):
                if allowed[s] >> a & 1:
                    if best == NONE or values[a] > values[best] + EQUAL * whole:
                        best = a
                    if most == NONE or values[a] > values[most]:
                        most = a
            action[node] = best
            value[node] = values[most]


@njit(cache=True, error_model="numpy")
def _add_up_losses(
    begins: Floats, measures: Floats, mixes: Mixes, states: States, nodes: Nodes, chosen: Chosen
) -> None:
    """Carry the ways to come to nodes on by what the hands choose, and add up what other actions lose."""
    values = np.empty(ACTION_COUNT)
    chosen.ways[:] = 0.0
    chosen.loss[:] = 0.0
    chosen.share[:] = 0.0
    for mix in range(len(chosen.value)):
        ways, drawn = chosen.ways[mix], chosen.drawn[mix]
        for hand in range(mixes.start[mix], mixes.start[mix + 1]):
            node = mixes.node[hand]
            s, a = nodes.state[node], chosen.action[mix, node]
            ways[node] += begins[hand]
            if ways[node] == 0.0 or a == NONE:
                continue
            row, may = mixes.row[hand], states.may[s]
            stand = stood_value(states.pay, s, measures, row)
            double = drawn[nodes.doubled[node]] if may >> DOUBLE & 1 else 0.0
            whole = measures[row, WHOLE]
            surrender, rescue = states.surrender_pay * whole, states.rescue_pay[s] * whole
            fill_values(may, stand, drawn[node], double, surrender, rescue, values)
            chosen.share[s, a] += ways[node] * whole
            for other in range(ACTION_COUNT):
                if may >> other & 1 and other != SPLIT:
                    chosen.loss[s, other] += ways[node] * (chosen.value[mix, node] - values[other])
            if a in (HIT, DOUBLE):
                gets = node if a == HIT else nodes.doubled[node]
                for at in range(states.move_start[gets], states.move_start[gets + 1]):
                    ways[states.move_to[at]] += states.move_share[at] * ways[node]


@njit(cache=True, error_model="numpy")
def _moved(orders: Ints, first_of: Actions, prospect: Ints, chosen: Chosen) -> tuple[Floats, Floats]:
    """[prospect, order], infinite if not open: how often an order is not what a hand that comes to a state
    of the prospect chooses; and what all these hands lose by the order.
    """
    moved = np.zeros((len(orders), first_of.shape[1]))
    lost = np.zeros_like(moved)
    for s in range(len(prospect)):
        comes = chosen.share[s].sum()
        if comes > 0.0:
            for order in range(first_of.shape[1]):
                for a in range(ACTION_COUNT):
                    if a != first_of[s, order]:
                        moved[prospect[s], order] += chosen.share[s, a]
                lost[prospect[s], order] += chosen.loss[s, first_of[s, order]]
    for each in range(len(orders)):
        for order in range(first_of.shape[1]):
            if not orders[each] >> order & 1:
                moved[each, order] = lost[each, order] = np.inf
    return moved, lost


@njit(cache=True, error_model="numpy")
def _most_divided(orders: Ints, first_of: Actions, prospect: Ints, chosen: Chosen) -> tuple[int, int]:
    """The prospect whose hands lose most by its best order, and that order; NONE where all hands agree.

    Hands that lose nothing by an order may still come by it to cells that others need otherwise.
    """
    moved, lost = _moved(orders, first_of, prospect, chosen)
    most, found, best = -1.0, NONE, NONE
    for each in range(len(orders)):
        order = NONE
        for other in range(first_of.shape[1]):
            if orders[each] >> other & 1 and (
                order == NONE
                or lost[each, other] < lost[each, order] - SAME
                or (lost[each, other] < lost[each, order] + SAME and moved[each, other] < moved[each, order])
            ):
                order = other
        if order != NONE and moved[each, order] > 0.0 and lost[each, order] > most:
            most, found, best = lost[each, order], each, order
    return found, best


@njit(cache=True, error_model="numpy")
def _fill_in(
    orders: Ints,
    weights: Floats,
    ways: Floats,
    states: States,
    nodes: Nodes,
    first_of: Actions,
    chosen: Chosen,
) -> Actions:
    """[state]: by an order that all hands that come agree on; of several, the best for any that may come.

    Hands that may come are those of `ways`, each valued by the table and with no cards out but its own.
    """
    table = np.full(len(states.may), NONE, np.int8)
    moved, _ = _moved(orders, first_of, states.prospect, chosen)
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
            whole = weights[c, WHOLE]
            if whole == 0.0:
                continue
            first, last = states.move_start[node], states.move_start[node + 1]
            drawn[node] = drawn_value(
                first, last, states.move_to, states.move_share, value, states.stake[s], weights[c, BUSTS]
            )
            stand = stood_value(states.pay, s, weights, c)
            may = states.may[s]
            if may == 0:
                value[node] = stand
                continue
            double = drawn[nodes.doubled[node]] if may >> DOUBLE & 1 else 0.0
            surrender, rescue = states.surrender_pay * whole, states.rescue_pay[s] * whole
            fill_values(may, stand, drawn[node], double, surrender, rescue, of_node[node])
            for order in range(len(worth)):
                worth[order] += ways[node] * of_node[node, first_of[s, order]]
        best = NONE
        for order in range(len(worth)):
            if moved[prospect, order] == 0.0 and (best == NONE or worth[order] > worth[best] + SAME):
                best = order
        for node in range(start, end):
            s = nodes.state[node]
            if states.may[s] != 0:
                table[s] = first_of[s, best]
                value[node] = of_node[node, table[s]]
        end = start
    return table


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
