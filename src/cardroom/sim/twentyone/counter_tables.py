"""A game as a counter plays it: what to do depends on the hand, the up card and the count.

The automaton's own states stay (unlike in `tables`, where one strategy is compiled into the points), so that
the strategy may change from card to card: `decide` has a row for each band of counts.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.core.cards import CARDS
from cardroom.core.errors import MalformedInput
from cardroom.model.twentyone.automaton import ACTIONS, FINALS, NONE, START, Automaton
from cardroom.rules.twentyone.law import Action
from cardroom.sim.twentyone.tables import DEALER_BLACKJACK, SPLIT, UP_VALUES, dealer_tables

_MOST_POINTS: Final = np.iinfo(np.int16).max


class CountTables(NamedTuple):
    """A *point* is SPLIT, a state that takes a card, or (from `first_end` on) an end of a hand."""

    unit: int
    """How many units of `pay` the original wager is."""
    first_end: int
    pairs: NDArray[np.int16]
    """[first card, second card]: the state of the first two cards."""
    next: NDArray[np.int16]
    """[state, card]: the state with one more card."""
    unpaired: NDArray[np.int16]
    """[state]: the same hand where it may not be split."""
    split_hand: NDArray[np.int16]
    """[card]: the hand that it starts after a split."""
    decide: NDArray[np.int16]
    """[row, state, up value]: the point; row 0 is the strategy without a count, row `1 + band` with it."""
    deviates: NDArray[np.bool_]
    """[state, up value]: whether the count has a say."""
    looked: NDArray[np.int16]
    """[first card, second card]: the end when the dealer's look shows a blackjack."""
    pay: NDArray[np.int32]
    """[end, dealer's final]: the result in units."""
    stake: NDArray[np.int32]
    needs_dealer: NDArray[np.bool_]
    void: int
    dealer_start: NDArray[np.int8]
    dealer_take: NDArray[np.int8]
    max_hands: int
    value_of: NDArray[np.uint8]


def compile_count(automaton: Automaton, actions: NDArray[np.int8]) -> CountTables:
    """The tables of a game played by `actions[row, state, up value]` (numbers of `ACTIONS`)."""
    if automaton.rules.hole_card != "dealt":
        raise MalformedInput("a player who counts is simulated only at a table with a hole card face down")
    ends: dict[tuple[tuple[int, ...], int], int] = {}
    states = len(automaton.may)

    def end(state: int, pay: NDArray[np.int32]) -> int:
        key = (tuple(int(units) for units in pay), int(automaton.stake[state]))
        return states + ends.setdefault(key, len(ends))

    def point(state: int, number: int) -> int:
        if not automaton.may[state] or number == NONE:  # a hand that no play comes to has no action
            return end(state, automaton.pay[state])
        action = ACTIONS[number]
        if not automaton.may[state] >> number & 1:
            allowed = ", ".join(automaton.options(state))
            raise MalformedInput(f"the strategy says {action} where the rules allow only {allowed}")
        if action is Action.SPLIT:
            return SPLIT
        if action is Action.HIT:
            return state
        if action is Action.DOUBLE:
            return int(automaton.doubled[state])
        if action is Action.STAND:
            return end(state, automaton.pay[state])
        given_up = automaton.surrender_pay if action is Action.SURRENDER else automaton.rescue_pay[state]
        return end(state, np.full(len(FINALS), given_up, np.int32))

    rows = len(actions)
    points = {
        (state, number): point(state, number)
        for state in range(states)
        for number in {int(number) for number in np.unique(actions[:, state])}
    }
    decide = np.zeros((rows, states, UP_VALUES), np.int16)
    for (state, number), where in points.items():
        decide[:, state][actions[:, state] == number] = where
    first = automaton.next[START]
    pairs = automaton.next[first]
    looked = np.array(
        [[end(int(state), automaton.pay[state]) - states for state in row] for row in pairs], np.int16
    )
    void = ends.setdefault(((0,) * len(FINALS), 0), len(ends))
    if states + len(ends) > _MOST_POINTS:
        raise MalformedInput("the rules have too many different hands to be played by a count")
    pays, stakes = zip(*ends, strict=True)
    start, _, take = dealer_tables(automaton.rules)
    return CountTables(
        unit=automaton.unit,
        first_end=states,
        pairs=pairs,
        next=automaton.next,
        unpaired=automaton.unpaired,
        split_hand=automaton.split_hand,
        decide=decide,
        deviates=(decide != decide[:1]).any(axis=0),
        looked=looked,
        pay=np.array(pays, np.int32),
        stake=np.array(stakes, np.int32),
        needs_dealer=np.array([len(set(pay[:DEALER_BLACKJACK])) > 1 for pay in pays]),
        void=void,
        dealer_start=start,
        dealer_take=take,
        max_hands=automaton.rules.split.max_hands,
        value_of=np.array([card.value - 1 for card in CARDS], np.uint8),
    )
