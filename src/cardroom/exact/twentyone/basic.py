"""The best strategy that looks at no more than the state of the automaton and the up card.

What a cell should do depends on the hands that come to it, which depends on what other cells do. So all
strategies are searched, by branch and bound. Let every hand, first dealt or after a split, choose for itself:
no chart is worth more. Where the hands that come to a cell choose differently, try what is best for them all;
then, apart from it, all other choices of that cell; each with the same bound, and with every other cell still
free. What is bounded by no more than a chart already found is left. At the end the chart is the best of all,
and a few bounds have proven it: hands seldom differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from cardroom.exact.compiled import njit
from cardroom.exact.twentyone.cells import choices, fill_in, ways_of_all_actions, with_splits
from cardroom.exact.twentyone.measure import BUSTS, COLUMNS, WHOLE
from cardroom.exact.twentyone.nodes import Bools, Compositions, Floats, Ints, Nodes
from cardroom.exact.twentyone.play import (
    ACTION_COUNT,
    DOUBLE,
    EQUAL,
    HIT,
    SPLIT,
    Actions,
    States,
    drawn_value,
    fill_values,
    stood_value,
)
from cardroom.exact.twentyone.split import Dealt, hands_allowed, split_ways
from cardroom.model.twentyone.automaton import NONE

SAME: Final = 1e-14
"""Values of the whole game no further apart are equal but for rounding."""


class Mixes(NamedTuple):
    """Hands by how they begin and, where several ranks have one value as the up card, by that rank.

    Kind 0 are those first dealt. Then there are two kinds for each rank that can be split: after a split,
    hands whose second card is not of the pair, and those with such a card.
    """

    start: Ints
    """[mix]: where its hands start in the lists below."""
    mix: Ints
    kind: Ints
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
    """What is the same against all up cards, and memory that serves for one after the other.

    A chart looks at the value of the up card: up cards of one value are searched together.
    """

    states: States
    nodes: Nodes
    known: Compositions
    up_cards: int
    """How many ranks have the value of the up card."""
    mixes: Mixes
    ranks: list[int]
    """Those that can be split, in the order of their kinds."""
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
    ends: Ints
    """[prospect]: the node after its last."""
    measures: Floats
    """[row, column]."""
    chosen: Chosen

    @classmethod
    def of(cls, states: States, nodes: Nodes, known: Compositions, up_cards: int) -> Search:
        nothing = np.full(len(nodes.state), NONE, np.int8)
        pairs = np.flatnonzero((states.pair != NONE) & (states.first[:, 0] != 0.0))
        ranks = np.unique(states.pair[pairs]).tolist()
        hands = [hands_allowed(rank, states, nodes, nothing, follow=False) for rank in ranks]
        begins = [states.first[:, 0]]
        for rank, most in zip(ranks, hands, strict=True):
            begins.extend(split_ways(rank, states, nodes, nothing, resplit=most > 2).T)
        node = [np.flatnonzero(_can_come(each, states, nodes)) for each in begins]
        row, rows, held = [nodes.composition[node[0]]], len(known.size), []
        for kind in range(1, len(begins), 2):
            some = np.unique(nodes.composition[np.concatenate(node[kind : kind + 2])])
            held.append(some)
            for each in node[kind : kind + 2]:
                row.append(rows + np.searchsorted(some, nodes.composition[each]))
                rows += len(some)
        kinds, number = len(begins), up_cards * len(begins)
        many = np.tile([len(some) for some in node], up_cards)
        mixes = Mixes(
            start=np.cumsum([0, *many]),
            mix=np.repeat(np.arange(number), many),
            kind=np.repeat(np.arange(number) % kinds, many),
            node=np.tile(np.concatenate(node), up_cards),
            row=np.concatenate([up * rows + each for up in range(up_cards) for each in row]),
            begins=np.tile(np.concatenate([w[some] for w, some in zip(begins, node, strict=True)]), up_cards),
        )
        is_pair = (mixes.kind == 0) & np.isin(mixes.node, pairs)
        first_of, orders = choices(states.may, states.prospect)
        ends = np.zeros(len(orders), np.int64)
        np.maximum.at(ends, states.prospect[nodes.state], 1 + np.arange(len(nodes.state)))
        return cls(
            states,
            nodes,
            known,
            up_cards,
            mixes,
            ranks,
            hands,
            compositions=held,
            pairs=[np.flatnonzero(is_pair & (states.pair[mixes.node] == rank)) for rank in ranks],
            first_of=first_of,
            orders=orders,
            ends=ends,
            measures=np.zeros((up_cards * rows, COLUMNS)),
            chosen=_room_for(number, states, nodes),
        )

    def best_table(self, dealt: Sequence[Dealt], shares: Sequence[float]) -> Actions:
        """[state]: the best action against up cards that come with these shares; NONE with nothing to decide.

        The best of all charts to within `EQUAL` of a wager.
        """
        self._measure(dealt, shares)
        best, table = -np.inf, None
        before, to_try = np.zeros_like(self.orders), [self.orders]
        while to_try:
            orders = to_try.pop()
            # Other orders of a prospect change nothing of hands that come after it.
            changed = int(self.ends[orders != before].max(initial=0))
            before = orders
            bound, is_split = self._bound(orders, changed)
            if bound <= best + SAME:
                continue
            self._add_losses(is_split)
            prospect, some = _most_divided(orders, self.first_of, self.states.prospect, self.chosen)
            if prospect == NONE:
                best, table = bound, self._table(orders, is_split)
                continue
            these, others = orders.copy(), orders.copy()
            these[prospect] = some
            others[prospect] &= ~some
            to_try += [others, these]
        assert table is not None
        return table

    def _measure(self, dealt: Sequence[Dealt], shares: Sequence[float]) -> None:
        """Fill in the measures of all hands against the up cards."""
        end = 0
        for each, share in zip(dealt, shares, strict=True):
            first, end = end, end + len(self.known.size)
            self.measures[first:end] = each.weights * share
            for rank, hands, some in zip(self.ranks, self.hands, self.compositions, strict=True):
                first, end = end, end + 2 * len(some)
                self.measures[first:end] = 0.0
                if each.can_split(rank):
                    of_split = each.keep_split(rank, hands, some) * (each.pair_chance(rank) * share)
                    self.measures[first:end] = of_split.swapaxes(0, 1).reshape(-1, COLUMNS)

    def _bound(self, orders: Ints, end: int) -> tuple[float, Bools]:
        """(what the game is worth if every hand does the best of what its cell may do, [rank] what is split).

        Nodes from `end` on are as they were.
        """
        mixes = self.mixes
        allowed = _allowed(orders, self.first_of, self.states)
        _choose(end, allowed, self.measures, mixes, self.states, self.nodes, self.chosen)
        worth = mixes.begins * self.chosen.value[mixes.mix, mixes.node]
        of_kind = np.bincount(mixes.kind, worth, 1 + 2 * len(self.ranks)).tolist()
        result = of_kind[0]
        is_split = np.zeros(len(self.states.rank_counts), np.bool_)
        for number, (rank, pairs) in enumerate(zip(self.ranks, self.pairs, strict=True)):
            more = of_kind[1 + 2 * number] + of_kind[2 + 2 * number] - float(worth[pairs].sum())
            if more > SAME:
                is_split[rank] = True
                result += more
        return result, is_split

    def _add_losses(self, is_split: Bools) -> None:
        """Fill in what the hands that come would lose by each action of their states."""
        mixes = self.mixes
        begins = mixes.begins.copy()
        for number, (rank, pairs) in enumerate(zip(self.ranks, self.pairs, strict=True)):
            if is_split[rank]:
                begins[pairs] = 0.0
            else:
                begins[(mixes.kind == 1 + 2 * number) | (mixes.kind == 2 + 2 * number)] = 0.0
        _add_losses(begins, self.measures, mixes, self.states, self.nodes, self.chosen)

    def _table(self, orders: Ints, is_split: Bools) -> Actions:
        """What the cells do when all hands that come agree, with the splits."""
        states, nodes, first_of = self.states, self.nodes, self.first_of
        moved, _ = _moved(orders, first_of, states.prospect, self.chosen)
        weights = self.measures.reshape(self.up_cards, -1, COLUMNS)[:, : len(self.known.size)].sum(axis=0)
        table = fill_in(moved, weights, ways_of_all_actions(states, nodes), states, nodes, first_of)
        return with_splits(table, is_split, states, nodes)


def _room_for(mixes: int, states: States, nodes: Nodes) -> Chosen:
    by_node, by_state = (mixes, len(nodes.state)), (len(states.may), ACTION_COUNT)
    return Chosen(
        value=np.zeros(by_node),
        drawn=np.zeros(by_node),
        action=np.full(by_node, NONE, np.int8),
        ways=np.zeros(by_node),
        share=np.zeros(by_state),
        loss=np.zeros(by_state),
    )


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
            if whole <= 0.0:
                continue
            first, last = states.move_start[node], states.move_start[node + 1]
            drawn[node] = drawn_value(
                first, last, move_to, move_share, value, states.stake[s], measures[row, BUSTS]
            )
            may = states.may[s]
            if may == 0:
                value[node] = stood_value(states.pay, s, measures, row)
                continue
            double = drawn[nodes.doubled[node]] if may >> DOUBLE & 1 else 0.0
            given_up = states.surrender_pay, states.surrender_loses, states.rescue_pay[s]
            fill_values(may, states.pay, s, measures, row, drawn[node], double, given_up, values)
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
def _add_losses(
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
            double = drawn[nodes.doubled[node]] if may >> DOUBLE & 1 else 0.0
            given_up = states.surrender_pay, states.surrender_loses, states.rescue_pay[s]
            fill_values(may, states.pay, s, measures, row, drawn[node], double, given_up, values)
            chosen.share[s, a] += ways[node] * measures[row, WHOLE]
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
    """The prospect whose hands lose most by its best order, and all orders, as bits, that are as good as it
    for all hands that come; NONE where all hands agree.

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
    alike = 0 if found == NONE else orders[found]
    for s in range(len(prospect)):
        if found != NONE and prospect[s] == found and chosen.share[s].sum() > 0.0:
            for other in range(first_of.shape[1]):
                if first_of[s, other] != first_of[s, best]:
                    alike &= ~(1 << other)
    return found, alike
