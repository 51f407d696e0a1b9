"""A game as a counter plays it: what to do depends on the hand, the up card and the count.

The automaton's own states stay (unlike in `tables`, where one strategy is compiled into the points), so that
the strategy may change from card to card: `decide` has a row for each band of counts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.core.cards import CARDS
from cardroom.core.errors import MalformedInput
from cardroom.model.twentyone.automaton import ACTIONS, FINALS, NONE, START, Automaton
from cardroom.model.twentyone.columns import columns_of
from cardroom.rules.twentyone import law
from cardroom.rules.twentyone.law import Action
from cardroom.sim.twentyone.tables import (
    DEALER_BLACKJACK,
    SPLIT,
    columns_by_cards,
    dealer_tables,
    given_up_pays,
    pays_without_blackjack,
)

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
    """[row, state, column]: the point; row 0 is the strategy without a count, row `1 + band` with it."""
    deviates: NDArray[np.bool_]
    """[state, column]: whether the count has a say."""
    looked: NDArray[np.int16]
    """[first card, second card]: the end when the dealer's look shows a blackjack."""
    pay: NDArray[np.int32]
    """[end, dealer's final]: the result in units."""
    stake: NDArray[np.int32]
    needs_dealer: NDArray[np.bool_]
    void: int
    dealer_start: NDArray[np.int8]
    dealer_take: NDArray[np.int8]
    dealer_alone: NDArray[np.int8]
    """[up value]: the dealer's hand of the up card alone, where there is no hole card."""
    column_of: NDArray[np.uint8]
    """[up value, hole card]: the column of the strategy where both are seen."""
    has_hole: bool
    looks: bool
    """Whether a dealer's blackjack is known before anybody plays."""
    sees_both: bool
    original_only: bool
    """Whether a blackjack that is not known takes the original wagers only (21-1.26)."""
    max_hands: int
    value_of: NDArray[np.uint8]


def compile_count(automaton: Automaton, actions: NDArray[np.int8]) -> CountTables:
    """The tables of a game played by `actions[row, state, column]` (numbers of `ACTIONS`)."""
    rules, columns = automaton.rules, columns_of(automaton.rules)
    looks = not rules.second_card_waits
    ends: dict[tuple[tuple[int, ...], int], int] = {}
    states = len(automaton.may)

    def end(state: int, pay: NDArray[np.int32]) -> int:
        key = (tuple(int(units) for units in pay), int(automaton.stake[state]))
        return states + ends.setdefault(key, len(ends))

    def may_make_blackjack(column: int) -> bool:
        """Whether one has to be told apart: a look finds it before anybody plays."""
        return looks or column + 1 in law.LOOKED_UNDER

    def point(state: int, number: int, column: int) -> int:
        paid: Callable[[NDArray[np.int32]], NDArray[np.int32]] = (
            (lambda pay: pay) if may_make_blackjack(column) else pays_without_blackjack
        )
        if not automaton.may[state] or number == NONE:  # a hand that no play comes to has no action
            return end(state, paid(automaton.pay[state]))
        action = ACTIONS[number]
        if not automaton.may_against(column)[state] >> number & 1:
            allowed = ", ".join(automaton.options(state, column))
            raise MalformedInput(f"the strategy says {action} where the rules allow only {allowed}")
        if action is Action.SPLIT:
            return SPLIT
        if action is Action.HIT:
            return state
        if action is Action.DOUBLE:
            return int(automaton.doubled[state])
        if action is Action.STAND:
            return end(state, paid(automaton.pay[state]))
        return end(state, paid(given_up_pays(automaton, action, state)))

    decide = np.zeros((len(actions), states, len(columns)), np.int16)
    for some in _alike(automaton, len(columns)):
        for state in range(states):
            here = actions[:, state, some]
            for number in np.unique(here).tolist():
                decide[:, state, some] = np.where(
                    here == number, point(state, number, some[0]), decide[:, state, some]
                )
    first = automaton.next[START]
    pairs = automaton.next[first]
    looked = np.array(
        [[end(int(state), automaton.pay[state]) - states for state in row] for row in pairs], np.int16
    )
    void = ends.setdefault(((0,) * len(FINALS), 0), len(ends))
    if states + len(ends) > _MOST_POINTS:
        raise MalformedInput("the rules have too many different hands to be played by a count")
    pays, stakes = zip(*ends, strict=True)
    start, alone, take = dealer_tables(rules)
    met = DEALER_BLACKJACK if looks else len(FINALS)
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
        needs_dealer=np.array([len(set(pay[:met])) > 1 for pay in pays]),
        void=void,
        dealer_start=start,
        dealer_take=take,
        dealer_alone=alone,
        column_of=columns_by_cards(columns),
        has_hole=rules.hole_card != "none",
        looks=looks,
        sees_both=columns.cards > 1,
        original_only=rules.original_only,
        max_hands=rules.split.max_hands,
        value_of=np.array([card.value - 1 for card in CARDS], np.uint8),
    )


def _alike(automaton: Automaton, columns: int) -> list[list[int]]:
    """Columns against which the same may be done and hands are paid alike."""
    if not automaton.rules.second_card_waits:
        return [list(range(columns))]
    kinds: dict[tuple[bool, bool], list[int]] = {}
    for column in range(columns):
        surrenders = law.surrender_against(automaton.rules, column + 1)
        kinds.setdefault((column + 1 in law.LOOKED_UNDER, surrenders), []).append(column)
    return list(kinds.values())
