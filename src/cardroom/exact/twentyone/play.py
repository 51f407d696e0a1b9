"""The player's side for one up card: the value of every action on every hand, and of splits.

Values here are times the measure of the hand (see `measure`): divided by it they are what a player expects.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cardroom.exact.twentyone.dealer import Draw
from cardroom.exact.twentyone.measure import BUSTS, FINALS, WHOLE, split_measure
from cardroom.exact.twentyone.nodes import Bools, Compositions, Floats, Ints, Nodes, states_that_draw
from cardroom.exact.twentyone.shoe import Shoe
from cardroom.rules.twentyone.automaton import NONE, NUMBER_OF, START, Automaton
from cardroom.rules.twentyone.law import Action

Actions = NDArray[np.int8]

STAND: Final = NUMBER_OF[Action.STAND]
HIT: Final = NUMBER_OF[Action.HIT]
DOUBLE: Final = NUMBER_OF[Action.DOUBLE]
SPLIT: Final = NUMBER_OF[Action.SPLIT]
SURRENDER: Final = NUMBER_OF[Action.SURRENDER]
RESCUE: Final = NUMBER_OF[Action.RESCUE]
ACTION_COUNT: Final = len(NUMBER_OF)


class States(NamedTuple):
    """The automaton's tables by state, and the classes of cards by rank, in the solver's numbers."""

    may: Ints
    pay: Floats
    """[state, final]: in wagers."""
    blackjack_pay: Floats
    """[state]: against a dealer's blackjack."""
    stake: Floats
    rescue_pay: Floats
    surrender_pay: float
    draws: Bools
    prospect: Ints
    unpaired: Ints
    alike: Bools
    """[state, rank]: every card of the rank leads to the same state."""
    held: Ints
    """[state, class]: cards held of a class, where classes of one rank are told apart."""
    class_start: Ints
    """[rank]: its first class in `class_list`."""
    class_list: Ints
    class_counts: Floats
    """[class]: cards in the full shoe."""
    rank_counts: Floats
    move_start: Ints
    """[node]: where its cards start in the lists below; busts are not among them."""
    move_to: Ints
    """The node that a card leads to …"""
    move_share: Floats
    """… and the part of the cards of its rank that lead there."""
    step: float
    """1, or 0 where a card drawn leaves the shoe as it was."""
    max_hands: int


def states_of(automaton: Automaton, shoe: Shoe, nodes: Nodes) -> States:
    """The tables of an automaton for a shoe."""
    unit = float(automaton.unit)
    cards = [card.index for card in automaton.classes.example]
    next_state = automaton.next[:, cards]
    ranks, classes = len(shoe.values), len(cards)
    by_rank = [np.flatnonzero(shoe.class_ranks == rank) for rank in range(ranks)]
    alike = np.stack([(next_state[:, some] == next_state[:, some[:1]]).all(axis=1) for some in by_rank], 1)
    held = np.zeros((len(automaton.hands), classes), np.int64)
    for state, hand in enumerate(automaton.hands):
        for number in hand.progress:
            # Where classes are alike, hands of several classes may share the state and are not told apart.
            held[state, number] += not alike[state, shoe.class_ranks[number]]
    states = States(
        may=automaton.may.astype(np.int64),
        pay=automaton.pay[:, :FINALS] / unit,
        blackjack_pay=automaton.pay[:, FINALS] / unit,
        stake=automaton.stake / unit,
        rescue_pay=automaton.rescue_pay / unit,
        surrender_pay=automaton.surrender_pay / unit,
        draws=states_that_draw(automaton),
        prospect=automaton.prospect.astype(np.int64),
        unpaired=automaton.unpaired.astype(np.int64),
        alike=alike,
        held=held,
        class_start=np.cumsum([0, *map(len, by_rank)]),
        class_list=np.concatenate(by_rank),
        class_counts=shoe.class_counts.astype(np.float64),
        rank_counts=shoe.counts.astype(np.float64),
        move_start=np.zeros(0, np.int64),
        move_to=np.zeros(0, np.int64),
        move_share=np.zeros(0),
        step=0.0 if shoe.infinite else 1.0,
        max_hands=automaton.rules.split.max_hands,
    )
    start, to, part = _moves(states, nodes)
    return states._replace(move_start=start, move_to=to, move_share=part)


@njit(cache=True)
def share(states: States, s: int, number: int, rank: int) -> float:
    """The chance that a card of a rank is of a class, given the cards of that rank in the hand.

    Other cards out of the shoe say nothing of suits, so they do not change it.
    """
    left = states.rank_counts[rank]
    for at in range(states.class_start[rank], states.class_start[rank + 1]):
        left -= states.step * states.held[s, states.class_list[at]]
    if left <= 0.0:
        return 0.0
    return float(max(states.class_counts[number] - states.step * states.held[s, number], 0.0) / left)


@njit(cache=True)
def _moves(states: States, nodes: Nodes) -> tuple[Ints, Ints, Floats]:
    """Where each card leads from each node."""
    start = np.zeros(len(nodes.state) + 1, np.int64)
    to = np.zeros(nodes.next.size, np.int64)
    part = np.zeros(nodes.next.size)
    made = 0
    for node in range(len(nodes.state)):
        s = nodes.state[node]
        for k in range(len(states.rank_counts)):
            first = states.class_start[k]
            if nodes.next[node, states.class_list[first]] != NONE:
                last = first + 1 if states.alike[s, k] else states.class_start[k + 1]
                for at in range(first, last):
                    number = states.class_list[at]
                    to[made] = nodes.next[node, number]
                    part[made] = 1.0 if states.alike[s, k] else share(states, s, number, k)
                    made += 1
        start[node + 1] = made
    return start, to[:made].copy(), part[:made].copy()


@njit(cache=True)
def drawn_value(
    first: int, last: int, move_to: Ints, move_share: Floats, value: Floats, stake: float, busts: float
) -> float:
    """The value of a hand that gets one more card; `busts` is the measure of a bust."""
    result = -stake * busts
    for at in range(first, last):
        result += move_share[at] * value[move_to[at]]
    return float(result)


@njit(cache=True)
def stood_value(pay: Floats, weight: Floats) -> float:
    """The value of a hand that stands, by the measure of its composition."""
    result = 0.0
    for final in range(FINALS):
        result += pay[final] * weight[final]
    return result


@njit(cache=True)
def fill_values(
    may: int,
    pay: Floats,
    weight: Floats,
    hit: float,
    double: float,
    surrender_pay: float,
    rescue_pay: float,
    values: Floats,
) -> None:
    """The value of each action but a split, by the measure of the composition; NaN where not allowed."""
    values[:] = np.nan
    values[STAND] = stood_value(pay, weight)
    if may >> HIT & 1:
        values[HIT] = hit
    if may >> DOUBLE & 1:
        values[DOUBLE] = double
    if may >> SURRENDER & 1:
        values[SURRENDER] = surrender_pay * weight[WHOLE]
    if may >> RESCUE & 1:
        values[RESCUE] = rescue_pay * weight[WHOLE]


@njit(cache=True)
def plan(
    states: States, nodes: Nodes, weights: Floats, table: Actions, follow: bool
) -> tuple[Floats, Floats, Actions]:
    """(value, value of each action, action) of every node, no split considered.

    Actions follow a table by state, or are the best for the node with no cards out but its own.
    """
    number = len(nodes.state)
    value = np.zeros(number)
    drawn = np.zeros(number)
    of_action = np.full((number, ACTION_COUNT), np.nan)
    action = np.full(number, NONE, np.int8)
    move_to, move_share = states.move_to, states.move_share
    for node in range(number - 1, -1, -1):
        c, s = nodes.composition[node], nodes.state[node]
        if weights[c, WHOLE] == 0.0:
            continue
        first, last = states.move_start[node], states.move_start[node + 1]
        drawn[node] = drawn_value(first, last, move_to, move_share, value, states.stake[s], weights[c, BUSTS])
        may = states.may[s]
        if may == 0:
            value[node] = stood_value(states.pay[s], weights[c])
            continue
        double = drawn[nodes.doubled[node]] if may >> DOUBLE & 1 else 0.0
        fill_values(
            may,
            states.pay[s],
            weights[c],
            drawn[node],
            double,
            states.surrender_pay,
            states.rescue_pay[s],
            of_action[node],
        )
        best = STAND
        for a in range(ACTION_COUNT):
            if of_action[node, a] > of_action[node, best]:
                best = a
        action[node] = table[s] if follow else best
        if action[node] != SPLIT:
            value[node] = of_action[node, action[node]]
    return value, of_action, action


@njit(cache=True)
def split_counts(max_hands: int) -> tuple[Ints, Ints]:
    """How many orders of second cards, pair card or other, lead to each end of a split.

    `short[s]`: s pair cards and s + 2 others, never as many hands as allowed. `full[b]`: as many hands as
    allowed when b hands had got another card.
    """
    short = np.zeros(max_hands, np.int64)
    full = np.zeros(max_hands + 1, np.int64)
    if max_hands == 2:
        full[0] = 1
        return short, full
    paths = np.zeros((max_hands, max_hands + 2), np.int64)
    paths[0, 0] = 1
    for s in range(max_hands - 2):
        for b in range(s + 2):
            if s + 1 == max_hands - 2:
                full[b] += paths[s, b]
            else:
                paths[s + 1, b] += paths[s, b]
            if b + 1 == s + 2:
                short[s] += paths[s, b]
            else:
                paths[s, b + 1] += paths[s, b]
    return short, full


@njit(cache=True)
def split_weights(max_hands: int, pair_cards: float, cards: float, step: float) -> Floats:
    """[pair cards in further hands, second card]: weights of one hand's value in the value of a split.

    The second card is 0: another, 1: a pair card; `pair_cards` and `cards` are in the shoe after the pair.
    One value of a hand, as if it were dealt first, with r more pair cards out of the shoe, serves for all
    hands: what a hand gets after others have stopped by rules that look at their own cards only has the
    same law. That n other hands got no pair card as their second is counted by inclusion and exclusion over
    how many of them did.
    """
    short, full = split_counts(max_hands)
    chance = np.zeros(2 * max_hands + 1)
    chance[0] = 1.0
    for r in range(2 * max_hands):
        left = max(pair_cards - step * r, 0.0)
        if left > 0.0:
            chance[r + 1] = chance[r] * left / (cards - step * r)
    weights = np.zeros((2 * max_hands, 2))
    for s in range(max_hands):
        hands = s + 2
        choose = float(short[s] * hands)
        for t in range(hands):
            weights[s + t, 0] += choose * chance[s + t]
            choose *= -(hands - 1 - t) / (t + 1)
    s = max_hands - 2
    for b in range(max_hands + 1):
        closed = float(full[b] * b)
        for t in range(b):
            weights[s + t, 0] += closed * chance[s + t]
            closed *= -(b - 1 - t) / (t + 1)
        still_open = float(full[b] * (max_hands - b))
        for t in range(b + 1):
            weights[s + t, 0] += still_open * chance[s + t]
            weights[s + t, 1] += still_open * chance[s + t]
            still_open *= -(b - t) / (t + 1)
    return weights


@njit(cache=True)
def hands_allowed(rank: int, states: States, nodes: Nodes, action: Actions, follow: bool) -> int:
    """To how many hands a pair is split: two where it may not, or by the table is not, split again."""
    for at in range(states.class_start[rank], states.class_start[rank + 1]):
        number = states.class_list[at]
        pair = nodes.next[nodes.split_hand[number], number]
        if pair != NONE and states.may[nodes.state[pair]] >> SPLIT & 1:
            if not follow or action[pair] == SPLIT:
                return states.max_hands
    return 2


@njit(cache=True)
def spread(ways: Floats, states: States, nodes: Nodes, action: Actions) -> None:
    """Carry the ways to come to nodes on, along the cards that `action` takes."""
    for node in range(len(nodes.state)):
        if action[node] not in (HIT, DOUBLE) or not ways[node].any():
            continue
        gets = node if action[node] == HIT else nodes.doubled[node]
        for at in range(states.move_start[gets], states.move_start[gets + 1]):
            for kind in range(ways.shape[1]):
                ways[states.move_to[at], kind] += states.move_share[at] * ways[node, kind]


@njit(cache=True)
def split_ways(rank: int, resplit: bool, states: States, nodes: Nodes, action: Actions) -> Floats:
    """[node, second card is of the pair]: orders of cards by which a hand after a split comes to a node."""
    ways = np.zeros((len(nodes.state), 2))
    for at in range(states.class_start[rank], states.class_start[rank + 1]):
        start = nodes.split_hand[states.class_list[at]]
        first = share(states, START, states.class_list[at], rank)
        for k in range(len(states.rank_counts)):
            for each in range(states.class_start[k], states.class_start[k + 1]):
                number = states.class_list[each]
                after = nodes.next[start, number]
                if k == rank and resplit:
                    after = nodes.at[nodes.composition[after], states.unpaired[nodes.state[after]]]
                ways[after, int(k == rank)] += first * share(states, nodes.state[start], number, k)
    spread(ways, states, nodes, action)
    return ways


@njit(cache=True)
def first_two_ways(states: States, nodes: Nodes) -> Floats:
    """[node, 0]: orders of cards that make the first two."""
    ways = np.zeros((len(nodes.state), 1))
    start = nodes.at[0, START]
    for k in range(len(states.rank_counts)):
        for at in range(states.class_start[k], states.class_start[k + 1]):
            number = states.class_list[at]
            one = nodes.next[start, number]
            first = share(states, START, number, k)
            for other in range(len(states.rank_counts)):
                for each in range(states.class_start[other], states.class_start[other + 1]):
                    second = states.class_list[each]
                    ways[nodes.next[one, second], 0] += first * share(states, nodes.state[one], second, other)
    return ways


@njit(cache=True)
def ended_value(
    a: int, pay: Floats, weight: Floats, stake: float, surrender_pay: float, rescue_pay: float
) -> float:
    """The value of what ends at a node: the hand itself, or by the bust of its next card at `stake`."""
    if a in (HIT, DOUBLE):
        return float(-stake * weight[BUSTS])
    if a == SURRENDER:
        return float(surrender_pay * weight[WHOLE])
    if a == RESCUE:
        return float(rescue_pay * weight[WHOLE])
    return float(stood_value(pay, weight))


@njit(cache=True)
def split_value(
    rank: int, states: States, nodes: Nodes, known: Compositions, draw: Draw, action: Actions, follow: bool
) -> float:
    """The value of splitting a pair and playing all hands by `action`, given the pair; NaN without one."""
    pair_cards = draw.left[rank] - 2.0 * draw.step
    if pair_cards < 0.0 or draw.left[rank] <= 0.0:
        return np.nan
    hands = hands_allowed(rank, states, nodes, action, follow)
    weights = split_weights(hands, pair_cards, draw.total - 2.0 * draw.step, draw.step)
    ways = split_ways(rank, hands > 2, states, nodes, action)
    needed = np.zeros(len(known.size), np.bool_)
    for node in range(len(nodes.state)):
        if ways[node, 0] != 0.0 or ways[node, 1] != 0.0:
            needed[nodes.composition[node]] = True
    measures = split_measure(known, draw, rank, weights, needed)
    result = 0.0
    for node in range(len(nodes.state)):
        s = nodes.state[node]
        gets = nodes.state[nodes.doubled[node]] if action[node] == DOUBLE else s
        for second in range(2):
            if ways[node, second] != 0.0:
                result += ways[node, second] * ended_value(
                    action[node],
                    states.pay[s],
                    measures[nodes.composition[node], second],
                    states.stake[gets],
                    states.surrender_pay,
                    states.rescue_pay[s],
                )
    return result


@njit(cache=True)
def pair_chance(draw: Draw, rank: int) -> float:
    """The chance that the first two cards are a pair of a rank."""
    left = float(draw.left[rank])
    return left / draw.total * (left - draw.step) / (draw.total - draw.step)


@njit(cache=True)
def pair_rank(states: States, nodes: Nodes, known: Compositions, node: int) -> int:
    """The rank of a pair that may be split, or NONE."""
    if not states.may[nodes.state[node]] >> SPLIT & 1:
        return NONE
    for k in range(known.counts.shape[1]):
        if known.counts[nodes.composition[node], k] == 2:
            return k
    return NONE


class Played(NamedTuple):
    """All values against one up card, times the measure of the hand."""

    weights: Floats
    """[composition, column]: the measure."""
    value: Floats
    """[node]: under the strategy."""
    of_action: Floats
    """[node, action]: NaN where not allowed."""
    action: Actions
    """[node]: what the strategy does."""
    ways: Floats
    """[node, 0]: orders of the first two cards; 0 for other nodes."""


@njit(cache=True)
def play(
    states: States,
    nodes: Nodes,
    known: Compositions,
    draw: Draw,
    weights: Floats,
    table: Actions,
    follow: bool,
) -> Played:
    """Values of all hands against an up card by a table, or by the best action for each composition.

    Whether a pair is split does not depend on its suits, nor does the value of splitting it.
    """
    value, of_action, action = plan(states, nodes, weights, table, follow)
    ways = first_two_ways(states, nodes)
    ranks = len(states.rank_counts)
    splits = np.full(ranks, np.nan)
    otherwise = np.zeros(ranks)
    for node in range(len(nodes.state)):
        rank = pair_rank(states, nodes, known, node)
        if rank == NONE:
            continue
        if ways[node, 0] == 0.0 or weights[nodes.composition[node], WHOLE] == 0.0:
            if not follow:
                action[node] = SPLIT  # a pair after a split is split again where there is room
        elif np.isnan(splits[rank]):
            splits[rank] = pair_chance(draw, rank) * split_value(
                rank, states, nodes, known, draw, action, follow
            )
        otherwise[rank] += ways[node, 0] * value[node]
    for node in nodes.first_two:
        rank = pair_rank(states, nodes, known, node)
        if rank != NONE and not np.isnan(splits[rank]):
            of_action[node, SPLIT] = splits[rank]
            if action[node] == SPLIT or (not follow and splits[rank] > otherwise[rank]):
                action[node] = SPLIT
                value[node] = splits[rank]
    return Played(weights, value, of_action, action, ways)
