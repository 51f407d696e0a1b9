"""A round of one lane, from its first card to its settlement, as compiled parts that know no rule.

They look everything up in `StepTables` and take cards in the order in which the engine asks for them.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from cardroom.rules.bets.super_bonus import CARDS_OF_IT
from cardroom.sim.compiled import inlined, part
from cardroom.sim.twentyone.dealing import (
    DEAD,
    NEXT,
    begin_round,
    take_card,
)
from cardroom.sim.twentyone.lanes import (
    ACE,
    BEFORE,
    BET,
    BET_PHASE,
    CARDS,
    CLOSED,
    DEAL,
    DEALER,
    DEALER_PLAYS,
    DOUBLE,
    DOUBLES,
    END_ROUND,
    EVEN_MONEY,
    FIRST,
    FIRST_BET,
    FIRST_TWO,
    GIVE_UP,
    HAND,
    HAND_FIELDS,
    HANDS,
    HOLE_CARD,
    INSURANCE_PHASE,
    INSURE,
    INSURED,
    LIVE,
    LOGGED,
    LOOK,
    NET,
    NEW_SHOE,
    PHASE,
    PLAY_ON,
    PLAY_PHASE,
    POINTS,
    RESCUE,
    SECOND,
    SEEN,
    SIDE_STATES,
    SPLIT,
    SPOT,
    SPOTS,
    STAND,
    START,
    STATE,
    STATUS,
    STOOD,
    UP_CARD,
    VALUES,
    WAIT,
    hand_at,
    spot_at,
)
from cardroom.sim.twentyone.side_machines import (
    DRAW,
    HOLE,
    UP,
)
from cardroom.sim.twentyone.sides import place_of_four
from cardroom.sim.twentyone.step_tables import (
    AT_DEALERS_END,
    AT_HOLE_CARD,
    AT_UP_CARD,
    EVEN_MONEY_PAYS,
    INSURANCE,
    SUPER_BONUS,
    SURRENDER,
)
from cardroom.sim.twentyone.tables import DEALER_BLACKJACK

_TEN_POINTS: Final = 10
_TEN: Final = 9


@inlined
def _draw(lane: Any, tables: Any, lanes: Any) -> Any:
    """The next card of a lane, or -1 when the round is dead (21-1.13)."""
    card = take_card(lane, lanes.streams, lanes.shoes, lanes.marks, tables.cards, tables.infinite)
    if lanes.marks[lane, DEAD] != 0:
        return np.int64(-1)
    if lanes.log.shape[0] > 0:
        row = lanes.rows[lane]
        lanes.log[lane, row[LOGGED]] = card
        row[LOGGED] += 1
    return np.int64(card)


@inlined
def _give(lane: Any, at: Any, tables: Any, lanes: Any) -> Any:
    """Deal a card to the hand at a place; False when there is none."""
    card = _draw(lane, tables, lanes)
    if card < 0:
        return False
    row = lanes.rows[lane]
    value = np.int64(tables.value[card])
    row[at + STATE] = tables.next[row[at + STATE], card]
    row[at + POINTS] += value + 1
    if value == 0:
        row[at + ACE] = 1
    cards = row[at + CARDS]
    if cards < 2:
        row[at + FIRST + cards] = card
    row[at + CARDS] = cards + 1
    row[SEEN + value] += 1
    return True


@inlined
def _settle_at_once(row: Any, at: Any, tables: Any) -> Any:
    """After a card in play: a bust loses, a 21 that always wins is paid, and so is the Super Bonus."""
    state, bet = row[at + STATE], row[BET]
    if tables.settled[state]:
        row[NET] += tables.pay[bet, state, 0]
        row[at + STATUS] = CLOSED
    if row[at + CARDS] == CARDS_OF_IT and tables.super_bonus[state, tables.value[row[UP_CARD]]]:
        row[NET] += tables.amounts[bet, SUPER_BONUS]


@inlined
def is_blackjack(row: Any, at: Any) -> Any:
    """Whether the first two cards are an ace and a ten-valued card; asked before any split."""
    return row[at + CARDS] == 2 and row[at + ACE] == 1 and row[at + POINTS] == _TEN_POINTS + 1


@inlined
def _options(row: Any, spot: Any, at: Any, tables: Any) -> Any:
    """Bits of the actions that the hand at a place is allowed."""
    state = row[at + STATE]
    if row[spot_at(tables, spot) + HANDS] >= tables.max_hands:
        state = tables.unpaired[state]
    return tables.may[state]


@inlined
def begin_lane(lane: Any, tables: Any, lanes: Any) -> Any:
    """Make a lane ready for the next round; a new shoe where the last is over."""
    row, marks = lanes.rows[lane], lanes.marks
    new = begin_round(lane, lanes.streams, lanes.shoes, marks, tables.cards, tables.infinite, tables.plan)
    for value in range(VALUES):
        row[BEFORE + value] = 0 if new or tables.infinite else row[BEFORE + value] + row[SEEN + value]
        row[SEEN + value] = 0
    for column in range(BEFORE):
        row[column] = 0
    for column in range(SPOTS, row.size):
        row[column] = 0
    row[START] = marks[lane, NEXT]
    row[NEW_SHOE] = new
    row[UP_CARD] = -1
    row[HOLE_CARD] = -1
    for spot in range(tables.spots):
        row[spot_at(tables, spot) + HANDS] = 1
    if tables.asks_bet:
        row[PHASE] = BET_PHASE
        return WAIT
    return DEAL


@inlined
def deal_lane(lane: Any, tables: Any, lanes: Any) -> Any:
    """The first two cards of everybody, up to the first decision or the end."""
    row = lanes.rows[lane]
    for turn in range(2):
        for spot in range(tables.spots):
            if not _give(lane, hand_at(tables, spot, 0), tables, lanes):
                return _void(row, tables, False)
        card = _draw(lane, tables, lanes)
        if card < 0:
            return _void(row, tables, False)
        row[UP_CARD + turn] = card
    up = np.int64(tables.value[row[UP_CARD]])
    row[SEEN + up] += 1
    row[DEALER] = tables.dealer_start[up, row[HOLE_CARD]]
    for spot in range(tables.spots):
        at, hand = spot_at(tables, spot), hand_at(tables, spot, 0)
        first, second = row[hand + FIRST], row[hand + SECOND]
        row[at + FIRST_TWO] = first
        row[at + FIRST_TWO + 1] = second
        for bet in range(tables.machine_start.shape[0]):
            state = tables.machine_start[bet, first, second]
            state = tables.machine_take[state, UP, row[UP_CARD]]
            row[at + SIDE_STATES + bet] = tables.machine_take[state, HOLE, row[HOLE_CARD]]
        if tables.blackjack_always_wins and is_blackjack(row, hand):
            row[NET] += tables.pay[row[BET], row[hand + STATE], 0]
            row[hand + STATUS] = CLOSED
    if tables.side_when.size > 0:
        _settle_sides(row, tables, AT_UP_CARD, AT_UP_CARD)
    if up == 0 and tables.insurance_offered and _ask_insurance(row, 0, tables):
        return WAIT
    return LOOK


@inlined
def _ask_insurance(row: Any, spot: Any, tables: Any) -> Any:
    """Ask the next spot that may insure (21-1.7); False when there is none."""
    while spot < tables.spots:
        live = row[hand_at(tables, spot, 0) + STATUS] == LIVE
        if tables.amounts[row[BET], INSURANCE] > 0 and (live or tables.insures_paid_blackjack):
            row[PHASE] = INSURANCE_PHASE
            row[SPOT] = spot
            row[HAND] = 0
            return True
        spot += 1
    return False


@inlined
def look_under(lane: Any, tables: Any, lanes: Any) -> Any:
    """The dealer looks under an ace or a ten (21-1.8): a blackjack ends the round, or the play begins."""
    row = lanes.rows[lane]
    bet = row[BET]
    up = tables.value[row[UP_CARD]]
    undecided = False
    for spot in range(tables.spots):
        live = row[hand_at(tables, spot, 0) + STATUS] != CLOSED
        undecided = undecided or live or row[spot_at(tables, spot) + INSURED] > 0
    if undecided and (up == 0 or up == _TEN):
        blackjack = row[DEALER] == -1 - DEALER_BLACKJACK
        for spot in range(tables.spots):
            at, hand = spot_at(tables, spot), hand_at(tables, spot, 0)
            if row[at + INSURED] > 0:
                row[NET] += tables.insured[bet, row[UP_CARD] // 13, row[HOLE_CARD]]
            if blackjack and row[hand + STATUS] != CLOSED:
                row[NET] += tables.pay[bet, row[hand + STATE], DEALER_BLACKJACK]
                row[hand + STATUS] = CLOSED
        if blackjack:
            row[SEEN + np.int64(tables.value[row[HOLE_CARD]])] += 1
            if tables.side_when.size > 0:
                _settle_sides(row, tables, AT_HOLE_CARD, AT_DEALERS_END)
            return END_ROUND
    for spot in range(tables.spots):
        hand = hand_at(tables, spot, 0)
        if row[hand + STATUS] == LIVE and is_blackjack(row, hand):
            row[NET] += tables.pay[bet, row[hand + STATE], 0]
            row[hand + STATUS] = CLOSED
    return PLAY_ON


@inlined
def play_on(row: Any, tables: Any) -> Any:
    """Find the next hand with a decision (21-1.12); after the last spot the dealer plays.

    Hands before the one that decided last are not LIVE any more, but where a spot answered to insurance the
    play begins with the first spot.
    """
    spot, hand = np.int64(row[SPOT]), np.int64(row[HAND])
    if row[PHASE] != PLAY_PHASE:
        spot = hand = np.int64(0)
    while spot < tables.spots:
        while hand < row[spot_at(tables, spot) + HANDS]:
            at = hand_at(tables, spot, hand)
            if row[at + STATUS] == LIVE:
                if _options(row, spot, at, tables) != 0:
                    row[PHASE] = PLAY_PHASE
                    row[SPOT] = spot
                    row[HAND] = hand
                    return WAIT
                row[at + STATUS] = STOOD
            hand += 1
        spot += 1
        hand = np.int64(0)
    return DEALER_PLAYS


@inlined
def play_dealer(lane: Any, tables: Any, lanes: Any) -> Any:
    """Turn the hole card, draw while a hand or a side bet waits for it, and settle (21-1.9, 21-1.10)."""
    row = lanes.rows[lane]
    row[SEEN + np.int64(tables.value[row[HOLE_CARD]])] += 1
    if tables.side_when.size > 0:
        _settle_sides(row, tables, AT_HOLE_CARD, AT_HOLE_CARD)
    bet = row[BET]
    waits = False
    for side in range(tables.side_when.size):
        waits = waits or (tables.sides[bet, side] and tables.side_when[side] == AT_DEALERS_END)
    for spot in range(tables.spots):
        for hand in range(row[spot_at(tables, spot) + HANDS]):
            waits = waits or row[hand_at(tables, spot, hand) + STATUS] == STOOD
    while waits and row[DEALER] >= 0:
        card = _draw(lane, tables, lanes)
        if card < 0:
            return _void(row, tables, True)
        row[SEEN + np.int64(tables.value[card])] += 1
        row[DEALER] = tables.dealer_take[row[DEALER], card]
        for spot in range(tables.spots):
            at = spot_at(tables, spot) + SIDE_STATES
            for side in range(tables.machine_start.shape[0]):
                row[at + side] = tables.machine_take[row[at + side], DRAW, card]
    final = -1 - row[DEALER]
    for spot in range(tables.spots):
        for hand in range(row[spot_at(tables, spot) + HANDS]):
            at = hand_at(tables, spot, hand)
            if row[at + STATUS] == STOOD:
                row[NET] += tables.pay[bet, row[at + STATE], final]
                row[at + STATUS] = CLOSED
    if tables.side_when.size > 0:
        _settle_sides(row, tables, AT_DEALERS_END, AT_DEALERS_END)
    return END_ROUND


@inlined
def _void(row: Any, tables: Any, hole_is_seen: Any) -> Any:
    """No card is left: what is undecided is returned, what was decided stands (21-1.13)."""
    if not hole_is_seen:
        if row[HOLE_CARD] >= 0:
            row[SEEN + np.int64(tables.value[row[HOLE_CARD]])] += 1
        elif row[UP_CARD] >= 0:
            row[SEEN + np.int64(tables.value[row[UP_CARD]])] += 1
    return END_ROUND


@part
def _settle_sides(row: Any, tables: Any, earliest: Any, latest: Any) -> Any:
    """Settle the side bets that wait for these moments."""
    three = tables.lines_of_three.shape[0]
    four = tables.lines_of_four.shape[0]
    for side in range(tables.side_when.size):
        when = tables.side_when[side]
        if tables.sides[row[BET], side] and earliest <= when and when <= latest:
            for spot in range(tables.spots):
                at = spot_at(tables, spot)
                first, second = row[at + FIRST_TWO], row[at + FIRST_TWO + 1]
                if side < three:
                    third = row[HOLE_CARD] if tables.third_is_hole[side] else row[UP_CARD]
                    line = np.int64(tables.lines_of_three[side, first, second, third])
                elif side < three + four:
                    place = _place_of_any_four(first, second, row[UP_CARD], row[HOLE_CARD])
                    line = np.int64(tables.lines_of_four[side - three, place])
                else:
                    state = row[at + SIDE_STATES + side - three - four]
                    line = np.int64(tables.machine_line[state])
                row[NET] += tables.side_pay[side, line]


@part
def _place_of_any_four(a: Any, b: Any, c: Any, d: Any) -> Any:
    """The place of four cards in any order."""
    a, b = min(a, b), max(a, b)
    c, d = min(c, d), max(c, d)
    a, c = min(a, c), max(a, c)
    b, d = min(b, d), max(b, d)
    b, c = min(b, c), max(b, c)
    return place_of_four(np.int64(a), np.int64(b), np.int64(c), np.int64(d))


@inlined
def _play(lane: Any, action: Any, tables: Any, lanes: Any) -> Any:
    """Do what the hand in turn decided."""
    row = lanes.rows[lane]
    spot, hand, bet = np.int64(row[SPOT]), np.int64(row[HAND]), row[BET]
    at = hand_at(tables, spot, hand)
    if action == STAND:
        row[at + STATUS] = STOOD
    elif action == GIVE_UP:
        row[NET] += tables.amounts[bet, SURRENDER]
        row[at + STATUS] = CLOSED
    elif action == RESCUE:
        row[NET] += tables.rescue[bet, row[at + STATE]]
        row[at + STATUS] = CLOSED
    elif action == SPLIT:
        if not _split(lane, spot, hand, tables, lanes):
            return _void(row, tables, False)
    else:
        if action == DOUBLE:
            row[at + STATE] = tables.doubled[row[at + STATE]]
            row[at + DOUBLES] += 1
        if not _give(lane, at, tables, lanes):
            return _void(row, tables, False)
        _settle_at_once(row, at, tables)
    return PLAY_ON


@inlined
def _split(lane: Any, spot: Any, hand: Any, tables: Any, lanes: Any) -> Any:
    """Two hands of one, the new one right after the old; both get their second card at once (21-1.5)."""
    row = lanes.rows[lane]
    hands = row[spot_at(tables, spot) + HANDS]
    at = hand_at(tables, spot, hand)
    for column in range(hand_at(tables, spot, hands) - 1, at + HAND_FIELDS - 1, -1):
        row[column + HAND_FIELDS] = row[column]
    row[spot_at(tables, spot) + HANDS] = hands + 1
    second = row[at + SECOND]
    _start_split_hand(row, at, row[at + FIRST], tables)
    _start_split_hand(row, at + HAND_FIELDS, second, tables)
    for half in range(2):
        if not _give(lane, at + half * HAND_FIELDS, tables, lanes):
            return False
        _settle_at_once(row, at + half * HAND_FIELDS, tables)
    return True


@inlined
def _start_split_hand(row: Any, at: Any, card: Any, tables: Any) -> Any:
    value = np.int64(tables.value[card])
    row[at + STATE] = tables.split_hand[card]
    row[at + POINTS] = value + 1
    row[at + ACE] = 1 if value == 0 else 0
    row[at + CARDS] = 1
    row[at + FIRST] = card
    row[at + SECOND] = 0
    row[at + DOUBLES] = 0
    row[at + STATUS] = LIVE


@inlined
def decide_lane(lane: Any, action: Any, tables: Any, lanes: Any) -> Any:
    """Do what was decided, which is allowed; what is to be done next."""
    row = lanes.rows[lane]
    phase = row[PHASE]
    if phase == PLAY_PHASE:
        return _play(lane, action, tables, lanes)
    if phase == INSURANCE_PHASE:
        spot = np.int64(row[SPOT])
        if action == INSURE:
            row[spot_at(tables, spot) + INSURED] = tables.amounts[row[BET], INSURANCE]
        elif action == EVEN_MONEY:
            row[NET] += tables.amounts[row[BET], EVEN_MONEY_PAYS]
            row[hand_at(tables, spot, 0) + STATUS] = CLOSED
        return WAIT if _ask_insurance(row, spot + 1, tables) else LOOK
    if phase == BET_PHASE:
        row[BET] = action - FIRST_BET
        return DEAL
    return END_ROUND
