"""Rounds of the blackjack family decision by decision, many tables abreast: what environments are made of.

`begin_lanes` deals a round up to its first decision, `step_lanes` does what was decided and deals up to the
next one. A test holds both to the engine: the same cards, options and cents.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from cardroom.sim.compiled import inlined, kernel
from cardroom.sim.twentyone.dealing import (
    END,
    NEXT,
    SERVED,
)
from cardroom.sim.twentyone.lane_round import (
    begin_lane,
    deal_lane,
    decide_lane,
    is_blackjack,
    look_under,
    play_dealer,
    play_on,
)
from cardroom.sim.twentyone.lanes import (
    ACE,
    BEFORE,
    BEGIN,
    BET,
    BET_PHASE,
    CARDS,
    COSTS,
    DEAL,
    DEALER_PLAYS,
    DONE,
    DOUBLES,
    END_ROUND,
    EVEN_MONEY,
    FIRST,
    FIRST_BET,
    HAND,
    HANDS,
    INSURANCE_PHASE,
    INSURE,
    LIVE,
    LOOK,
    NET,
    NEW_SHOE,
    OVER_PHASE,
    PHASE,
    PLAY_ON,
    PLAY_PHASE,
    POINTS,
    SECOND,
    SEEN,
    SHOWN_PHASE,
    SPOT,
    STAND,
    STATE,
    STATUS,
    UP_CARD,
    VALUES,
    WAIT,
    hand_at,
    spot_at,
)

_TEN_POINTS: Final = 10
_BLACKJACK: Final = 21


@inlined
def _go_on(lane: Any, what: Any, tables: Any, lanes: Any) -> Any:
    """Do what is to be done, up to the next decision or the end of the round; whether it ended.

    Whatever is done leads to something that stands further down here, so that each stands here once.
    """
    row = lanes.rows[lane]
    if what == BEGIN:
        what = begin_lane(lane, tables, lanes)
    if what == DEAL:
        what = deal_lane(lane, tables, lanes)
    if what == LOOK:
        what = look_under(lane, tables, lanes)
    if what == PLAY_ON:
        what = play_on(row, tables)
    if what == DEALER_PLAYS:
        what = play_dealer(lane, tables, lanes)
    return what == END_ROUND


@inlined
def _shoe_is_over(lane: Any, tables: Any, marks: Any) -> Any:
    return (
        marks[lane, END] != tables.cards
        or np.int64(marks[lane, NEXT]) >= tables.plan[0]
        or np.int64(marks[lane, SERVED]) >= tables.plan[1]
    )


@inlined
def _show(lane: Any, tables: Any, lanes: Any, shown: Any) -> Any:
    """Write down what is seen of a lane, and what is allowed."""
    row, mask, numbers = lanes.rows[lane], shown.mask[lane], shown.numbers
    spot, hand = np.int64(row[SPOT]), np.int64(row[HAND])
    at = hand_at(tables, spot, hand)
    hands = np.int64(row[spot_at(tables, spot) + HANDS])
    points, cards = np.int64(row[at + POINTS]), np.int64(row[at + CARDS])
    soft = row[at + ACE] == 1 and points + _TEN_POINTS <= _BLACKJACK
    state = row[at + STATE]
    if hands >= tables.max_hands:
        state = tables.unpaired[state]
    numbers[0, lane] = row[BET]
    numbers[1, lane] = cards
    numbers[2, lane] = row[at + DOUBLES]
    numbers[3, lane] = hands > 1
    numbers[4, lane] = hand
    numbers[5, lane] = hands
    numbers[6, lane] = row[NEW_SHOE]
    numbers[7, lane] = tables.pair[row[at + FIRST], row[at + SECOND]] if cards == 2 else 0
    numbers[8, lane] = soft
    numbers[9, lane] = spot
    numbers[10, lane] = state
    numbers[11, lane] = points + _TEN_POINTS if soft else points
    numbers[12, lane] = tables.value[row[UP_CARD]] + 1 if row[UP_CARD] >= 0 else 0
    ran_out = not tables.infinite and lanes.marks[lane, END] != tables.cards
    seen = shown.seen[lane]
    for value in range(VALUES):
        seen[value] = row[SEEN + value] + (0 if ran_out else row[BEFORE + value])
    options = np.int64(0)
    phase = row[PHASE]
    if row[DONE] == 0:
        if phase == PLAY_PHASE:
            options = np.int64(tables.may[state])
        elif phase == INSURANCE_PHASE:
            options = np.int64(1 << STAND | 1 << INSURE)
            if tables.even_money and row[at + STATUS] == LIVE and is_blackjack(row, at):
                options |= 1 << EVEN_MONEY
        elif phase == SHOWN_PHASE:
            options = np.int64(1 << STAND)
    for action in range(FIRST_BET):
        mask[action] = options >> action & 1
    is_betting = phase == BET_PHASE and row[DONE] == 0
    for bet in range(FIRST_BET, mask.size):
        mask[bet] = 1 if is_betting else 0


@inlined
def _begin_episode(lane: Any, tables: Any, lanes: Any) -> Any:
    if tables.whole_shoe:
        lanes.marks[lane, SERVED] = np.uint64(0)  # a shoe that was left is not taken up again


@kernel
def begin_lanes(first: Any, last: Any, which: Any, tables: Any, lanes: Any, shown: Any) -> Any:
    """Begin an episode on the lanes from `first` up to `last` that `which` names."""
    for lane in range(first, last):
        if which[lane]:
            _begin_episode(lane, tables, lanes)
            if _go_on(lane, BEGIN, tables, lanes):
                lanes.rows[lane, PHASE] = SHOWN_PHASE
            shown.rewards[lane] = 0.0
            shown.over[lane] = False
            shown.illegal[lane] = False
            shown.ended[lane] = False
            shown.nets[lane] = 0
            _show(lane, tables, lanes, shown)


@kernel
def step_lanes(
    first: Any,
    last: Any,
    actions: Any,
    illegal: Any,
    penalty: Any,
    begins_again: Any,
    tables: Any,
    lanes: Any,
    shown: Any,
) -> Any:
    """Take one step on the lanes from `first` up to `last`.

    `illegal` says what an action does that is not allowed: ENDS the episode or COSTS the penalty and nothing
    moves. With `begins_again` a lane whose episode is over begins the next one in place of its step.
    """
    for lane in range(first, last):
        row = lanes.rows[lane]
        shown.rewards[lane] = 0.0
        shown.illegal[lane] = False
        shown.ended[lane] = False
        shown.nets[lane] = 0
        action = np.int64(actions[lane])
        if row[DONE] != 0:
            if not begins_again:
                continue
            _begin_episode(lane, tables, lanes)
            shown.over[lane] = False
            what = BEGIN
        elif shown.mask[lane, action] == 0:
            shown.rewards[lane] = penalty
            shown.illegal[lane] = True
            if illegal == COSTS:
                continue
            row[DONE] = 1
            shown.over[lane] = True
            what = WAIT
        else:
            what = decide_lane(lane, action, tables, lanes)
        while True:
            begun = what == BEGIN
            if not _go_on(lane, what, tables, lanes):
                break
            if begun:
                row[PHASE] = SHOWN_PHASE
                break
            shown.ended[lane] = True
            shown.nets[lane] = row[NET]
            shown.rewards[lane] = row[NET] / tables.one_wager
            if not tables.whole_shoe or _shoe_is_over(lane, tables, lanes.marks):
                row[PHASE] = OVER_PHASE
                row[DONE] = 1
                shown.over[lane] = True
                break
            what = BEGIN
        _show(lane, tables, lanes, shown)
