"""The player's side for one up card: the value of every action on every hand, and of splits.

Values here are times the measure of the hand (see `measure`): divided by it they are what a player expects.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.exact.compiled import kernel, part
from cardroom.exact.twentyone.measure import BLACKJACK, BUSTS, FINALS, WHOLE
from cardroom.exact.twentyone.nodes import Bools, Compositions, Floats, Ints, Nodes, states_that_draw
from cardroom.exact.twentyone.shoe import Shoe
from cardroom.model.twentyone.automaton import NONE, NUMBER_OF, START, Automaton
from cardroom.rules.twentyone.law import Action

Actions = NDArray[np.int8]

STAND: Final = NUMBER_OF[Action.STAND]
HIT: Final = NUMBER_OF[Action.HIT]
DOUBLE: Final = NUMBER_OF[Action.DOUBLE]
SPLIT: Final = NUMBER_OF[Action.SPLIT]
SURRENDER: Final = NUMBER_OF[Action.SURRENDER]
RESCUE: Final = NUMBER_OF[Action.RESCUE]
ACTION_COUNT: Final = len(NUMBER_OF)
EQUAL: Final = 1e-12
"""In wagers: values no further apart are equal but for rounding, and the action offered first is taken."""


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
    surrender_loses: float
    """What a surrender loses more where the dealer's second card then makes a blackjack; where all hands that
    were played lose the same to it, how much more than these it is worth."""
    draws: Bools
    prospect: Ints
    unpaired: Ints
    alike: Bools
    """[state, rank]: every card of the rank leads to the same state."""
    held: Ints
    """[state, class]: cards held of a class, where classes of one rank are told apart."""
    share: Floats
    """[state, class]: the chance that a card of its rank is of a class, given the cards of that rank in the
    hand; other cards out of the shoe say nothing of suits, so they do not change it."""
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
    first: Floats
    """[node, 0]: orders of cards that make the first two; 0 for other nodes."""
    pair: Ints
    """[node]: the rank of a pair that may be split, or NONE."""


def states_of(automaton: Automaton, shoe: Shoe, nodes: Nodes, known: Compositions) -> States:
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
    pay = automaton.pay / unit
    surrender_loses = automaton.surrender_blackjack_pay - automaton.surrender_pay
    if automaton.rules.original_only:
        pay[:, BLACKJACK] = 0.0  # values are those without a blackjack, to which all lose the first wager
        surrender_loses = automaton.surrender_blackjack_pay + automaton.unit
    states = States(
        may=automaton.may.astype(np.int64),
        pay=pay,
        blackjack_pay=automaton.pay[:, BLACKJACK] / unit,
        stake=automaton.stake / unit,
        rescue_pay=automaton.rescue_pay / unit,
        surrender_pay=automaton.surrender_pay / unit,
        surrender_loses=surrender_loses / unit,
        draws=states_that_draw(automaton),
        prospect=automaton.prospect.astype(np.int64),
        unpaired=automaton.unpaired.astype(np.int64),
        alike=alike,
        held=held,
        share=_shares(held, shoe, 0.0 if shoe.infinite else 1.0),
        class_start=np.cumsum([0, *map(len, by_rank)]),
        class_list=np.concatenate(by_rank),
        class_counts=shoe.class_counts.astype(np.float64),
        rank_counts=shoe.counts.astype(np.float64),
        move_start=np.zeros(0, np.int64),
        move_to=np.zeros(0, np.int64),
        move_share=np.zeros(0),
        step=0.0 if shoe.infinite else 1.0,
        max_hands=automaton.rules.split.max_hands,
        first=np.zeros((0, 1)),
        pair=np.zeros(0, np.int64),
    )
    start, to, part = _moves(states, nodes)
    may_split = states.may[nodes.state] >> SPLIT & 1 == 1
    return states._replace(
        move_start=start,
        move_to=to,
        move_share=part,
        first=first_two_ways(states, nodes),
        pair=np.where(may_split, known.counts[nodes.composition].argmax(axis=1), NONE),
    )


def _shares(held: Ints, shoe: Shoe, step: float) -> Floats:
    out = step * held
    left = np.zeros_like(out)
    for rank in range(len(shoe.values)):
        some = shoe.class_ranks == rank
        left[:, some] = float(shoe.counts[rank]) - out[:, some].sum(axis=1, keepdims=True)
    cards = np.maximum(shoe.class_counts.astype(np.float64) - out, 0.0)
    return np.divide(cards, left, out=np.zeros_like(left), where=left > 0.0)


def _moves(states: States, nodes: Nodes) -> tuple[Ints, Ints, Floats]:
    """Where each card leads from each node: one card of a rank where all of them lead to the same."""
    classes, first = states.class_list, states.class_start[:-1]
    rank = np.repeat(np.arange(len(first)), np.diff(states.class_start))
    alike = states.alike[:, rank]
    told_apart = ~alike | (np.arange(len(classes)) == first[rank])
    after = nodes.next[:, classes]
    comes = (after[:, first[rank]] != NONE) & told_apart[nodes.state]
    start = np.zeros(len(comes) + 1, np.int64)
    np.cumsum(comes.sum(axis=1), out=start[1:])
    share = np.where(alike, 1.0, states.share[:, classes])
    return start, after[comes], share[nodes.state][comes]


class Paths(NamedTuple):
    """Where the nodes lead."""

    state: Ints
    doubled: Ints
    move_start: Ints
    move_to: Ints
    move_share: Floats


class Pays(NamedTuple):
    """What hands may do, and what they are paid."""

    may: Ints
    pay: Floats
    stake: Floats
    rescue_pay: Floats
    surrender_pay: float
    surrender_loses: float


def _paths(states: States, nodes: Nodes) -> Paths:
    return Paths(nodes.state, nodes.doubled, states.move_start, states.move_to, states.move_share)


def _pays(states: States) -> Pays:
    return Pays(
        states.may,
        states.pay,
        states.stake,
        states.rescue_pay,
        states.surrender_pay,
        states.surrender_loses,
    )


@part
def drawn_value(
    first: int, last: int, move_to: Ints, move_share: Floats, value: Floats, stake: float, busts: float
) -> float:
    """The value of a hand that gets one more card; `busts` is the measure of a bust."""
    result = -stake * busts
    for at in range(first, last):
        result += move_share[at] * value[move_to[at]]
    return float(result)


@part
def stood_value(pay: Floats, s: int, measures: Floats, row: int) -> float:
    """The value of a hand that stands, by its state and the row of its measure."""
    result = 0.0
    for final in range(FINALS):
        result += pay[s, final] * measures[row, final]
    return result


@part
def fill_values(
    may: int,
    pay: Floats,
    s: int,
    measures: Floats,
    row: int,
    hit: float,
    double: float,
    given_up: tuple[float, float, float],
    values: Floats,
) -> None:
    """The value of each action but a split; NaN where not allowed.

    `given_up` pays a surrender, what it loses more to a blackjack, and a rescue.
    """
    values[STAND] = stood_value(pay, s, measures, row)
    values[HIT] = hit if may >> HIT & 1 else np.nan
    values[DOUBLE] = double if may >> DOUBLE & 1 else np.nan
    values[SPLIT] = np.nan
    lost = given_up[1] * measures[row, BLACKJACK]
    values[SURRENDER] = given_up[0] * measures[row, WHOLE] + lost if may >> SURRENDER & 1 else np.nan
    values[RESCUE] = given_up[2] * measures[row, WHOLE] if may >> RESCUE & 1 else np.nan


def plan(
    states: States, nodes: Nodes, weights: Floats, table: Actions, *, follow: bool
) -> tuple[Floats, Floats, Actions]:
    """(value, value of each action, action) of every node, no split considered.

    Actions follow a table by state, or are the best for the node with no cards out but its own.
    """
    number = len(nodes.state)
    value, drawn, values = np.zeros(number), np.zeros(number), np.zeros(ACTION_COUNT)
    of_action = np.full((number, ACTION_COUNT), np.nan)
    action = np.full(number, NONE, np.int8)
    paths, pays = _paths(states, nodes), _pays(states)
    _plan(paths, pays, nodes.composition, weights, table, follow, value, drawn, values, of_action, action)
    return value, of_action, action


@kernel
def _plan(
    paths: Paths,
    pays: Pays,
    composition: Ints,
    weights: Floats,
    table: Actions,
    follow: bool,
    value: Floats,
    drawn: Floats,
    values: Floats,
    of_action: Floats,
    action: Actions,
) -> None:
    """Fill in the last arrays, from the last node to the first."""
    move_to, move_share = paths.move_to, paths.move_share
    for node in range(len(value) - 1, -1, -1):
        c, s = composition[node], paths.state[node]
        whole = weights[c, WHOLE]
        if whole == 0.0:
            continue
        first, last = paths.move_start[node], paths.move_start[node + 1]
        drawn[node] = drawn_value(first, last, move_to, move_share, value, pays.stake[s], weights[c, BUSTS])
        may = pays.may[s]
        if may == 0:
            value[node] = stood_value(pays.pay, s, weights, c)
            continue
        double = drawn[paths.doubled[node]] if may >> DOUBLE & 1 else 0.0
        given_up = pays.surrender_pay, pays.surrender_loses, pays.rescue_pay[s]
        fill_values(may, pays.pay, s, weights, c, drawn[node], double, given_up, values)
        best = STAND
        for a in range(ACTION_COUNT):
            of_action[node, a] = values[a]
            if values[a] > values[best] + EQUAL * whole:
                best = a
        action[node] = table[s] if follow else best
        if action[node] != SPLIT:
            value[node] = values[action[node]]


def spread(ways: Floats, states: States, nodes: Nodes, action: Actions) -> None:
    """Carry the ways to come to nodes on, along the cards that `action` takes."""
    _spread(ways, _paths(states, nodes), action)


@kernel
def _spread(ways: Floats, paths: Paths, action: Actions) -> None:
    for node in range(len(ways)):
        comes = False
        for kind in range(ways.shape[1]):
            comes |= ways[node, kind] != 0.0
        if action[node] not in (HIT, DOUBLE) or not comes:
            continue
        gets = node if action[node] == HIT else paths.doubled[node]
        for at in range(paths.move_start[gets], paths.move_start[gets + 1]):
            for kind in range(ways.shape[1]):
                ways[paths.move_to[at], kind] += paths.move_share[at] * ways[node, kind]


def first_two_ways(states: States, nodes: Nodes) -> Floats:
    """[node, 0]: orders of cards that make the first two."""
    ways = np.zeros((len(nodes.state), 1))
    classes = states.class_list
    one = nodes.next[nodes.at[0, START], classes]
    chance = states.share[START, classes][:, None] * states.share[nodes.state[one]][:, classes]
    np.add.at(ways[:, 0], nodes.next[one][:, classes], chance)
    return ways


def ended_sum(
    reached: Ints, place: Ints, ways: Floats, measures: Floats, states: States, nodes: Nodes, action: Actions
) -> float:
    """The value of all that ends at nodes, by the ways to come to them and their places in the measures.

    What ends at a node is the hand itself, or by the bust of its next card.
    """
    rows = measures.reshape(-1, measures.shape[2])
    return float(_ended_sum(reached, place, ways, rows, _pays(states), nodes.state, nodes.doubled, action))


@kernel
def _ended_sum(
    reached: Ints,
    place: Ints,
    ways: Floats,
    rows: Floats,
    pays: Pays,
    state: Ints,
    doubled: Ints,
    action: Actions,
) -> float:
    kinds = ways.shape[1]
    result = 0.0
    for i in range(len(reached)):
        node = reached[i]
        s, a = state[node], action[node]
        gets = state[doubled[node]] if a == DOUBLE else s
        for kind in range(kinds):
            if ways[node, kind] == 0.0:
                continue
            row = place[i] * kinds + kind
            if a in (HIT, DOUBLE):
                value = -pays.stake[gets] * rows[row, BUSTS]
            elif a == SURRENDER:
                value = pays.surrender_pay * rows[row, WHOLE]
                value += pays.surrender_loses * rows[row, BLACKJACK]
            elif a == RESCUE:
                value = pays.rescue_pay[s] * rows[row, WHOLE]
            else:
                value = stood_value(pays.pay, s, rows, row)
            result += ways[node, kind] * value
    return result


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
