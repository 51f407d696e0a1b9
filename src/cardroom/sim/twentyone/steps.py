"""Rounds of the blackjack family decision by decision, many tables abreast: what environments are made of.

A *lane* is a table of its own with its stream, its shoe and a row of numbers that says how the round stands.
`begin_lanes` deals a round up to its first decision, `step_lanes` does what was decided and deals up to the
next one. The kernels know no rule: they look everything up in `StepTables`. They take cards in the order in
which the engine asks for them, and a test holds both to the same cards, options and cents.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.model.twentyone.automaton import NUMBER_OF
from cardroom.rules.twentyone.law import Action
from cardroom.sim.compiled import inlined, kernel, part
from cardroom.sim.twentyone.dealing import DEAD, END, MARKS, NEXT, SERVED, begin_round, take_card
from cardroom.sim.twentyone.side_machines import DRAW, HOLE, UP
from cardroom.sim.twentyone.sides import place_of_four
from cardroom.sim.twentyone.step_tables import (
    AT_DEALERS_END,
    AT_HOLE_CARD,
    AT_UP_CARD,
    EVEN_MONEY_PAYS,
    INSURANCE,
    INSURANCE_PAYS,
    INSURANCE_SUITED_PAYS,
    SUPER_BONUS,
    SURRENDER,
    StepTables,
)
from cardroom.sim.twentyone.stream import stream_states
from cardroom.sim.twentyone.tables import DEALER_BLACKJACK

STAND: Final = NUMBER_OF[Action.STAND]
HIT: Final = NUMBER_OF[Action.HIT]
DOUBLE: Final = NUMBER_OF[Action.DOUBLE]
SPLIT: Final = NUMBER_OF[Action.SPLIT]
GIVE_UP: Final = NUMBER_OF[Action.SURRENDER]
RESCUE: Final = NUMBER_OF[Action.RESCUE]
PLAYS: Final = len(NUMBER_OF)
INSURE: Final = PLAYS
EVEN_MONEY: Final = PLAYS + 1
FIRST_BET: Final = PLAYS + 2
"""Actions from this number on are bets."""

# What the lane waits for.
BET_PHASE: Final = 0
INSURANCE_PHASE: Final = 1
PLAY_PHASE: Final = 2
SHOWN_PHASE: Final = 3  # the round was over with the deal; a stand ends it
OVER_PHASE: Final = 4

# What is to be done next on a lane; each of these ends with one that comes after it.
WAIT: Final = 0  # for a decision
BEGIN: Final = 1
DEAL: Final = 2
LOOK: Final = 3
PLAY_ON: Final = 4
DEALER_PLAYS: Final = 5
END_ROUND: Final = 6

# The row of a lane: first these numbers.
PHASE: Final = 0
SPOT: Final = 1  # whose turn it is, or was last
HAND: Final = 2
UP_CARD: Final = 3  # -1: not dealt
HOLE_CARD: Final = 4
DEALER: Final = 5  # the dealer's hand as in `PlayTables.dealer_start`
NET: Final = 6  # cents won so far in this round
BET: Final = 7
START: Final = 8  # the place in the shoe at which the round began
NEW_SHOE: Final = 9
DONE: Final = 10  # the episode is over
LOGGED: Final = 11  # how many cards of this round were written down
BEFORE: Final = 12  # ten counts of cards seen in earlier rounds of the shoe
SEEN: Final = BEFORE + 10  # ten counts of cards seen in this round
SPOTS: Final = SEEN + 10
# Then for each spot these, the states of its side bets that are followed card by card, and its hands.
HANDS: Final = 0
INSURED: Final = 1
FIRST_TWO: Final = 2
SIDE_STATES: Final = 4
# Each hand:
STATE: Final = 0
POINTS: Final = 1  # with every ace as 1
ACE: Final = 2
CARDS: Final = 3
FIRST: Final = 4
SECOND: Final = 5
DOUBLES: Final = 6
STATUS: Final = 7
HAND_FIELDS: Final = 8

LIVE: Final = 0
STOOD: Final = 1
CLOSED: Final = 2

FIELDS: Final = (
    "bet",
    "cards",
    "doubles",
    "from_split",
    "hand",
    "hands",
    "new_shoe",
    "pair",
    "soft",
    "spot",
    "state",
    "total",
    "up",
)
"""Rows of `Shown.numbers`."""
VALUES: Final = 10
MOST_LOGGED: Final = 1024

# What an action that is not allowed does.
ENDS: Final = 0
COSTS: Final = 1

_TEN_POINTS: Final = 10
_BLACKJACK: Final = 21
_SEVEN: Final = 6  # the value of a seven, counted from 0
_TEN: Final = 9


class Lanes(NamedTuple):
    """The state of every lane."""

    rows: NDArray[np.int32]
    streams: NDArray[np.uint32]
    shoes: NDArray[np.uint8]
    marks: NDArray[np.uint64]
    log: NDArray[np.uint8]
    """[lane, …]: the cards of the round in their order, where there is room for them."""

    @classmethod
    def of(cls, tables: StepTables, cards: NDArray[np.uint8], lanes: int, *, logged: bool) -> Lanes:
        machines = len(tables.machine_start)
        spot = SIDE_STATES + machines + tables.max_hands * HAND_FIELDS
        return cls(
            np.zeros((lanes, SPOTS + tables.spots * spot), np.int32),
            np.zeros(4 * lanes, np.uint32),
            cards.copy() if tables.infinite else np.tile(cards, lanes),
            np.zeros((lanes, MARKS), np.uint64),
            np.zeros((lanes, MOST_LOGGED) if logged else (0, 0), np.uint8),
        )

    def seed(self, lane: int, seed: int, count: int, cards: NDArray[np.uint8], key: np.uint64) -> None:
        """Give lanes from `lane` on the streams from `seed` on, and shoes in their first order."""
        self.streams[4 * lane : 4 * (lane + count)] = stream_states(key, seed, count).reshape(-1)
        self.rows[lane : lane + count] = 0
        self.marks[lane : lane + count] = 0
        if len(self.shoes) > len(cards) or len(self.marks) == 1:
            self.shoes.reshape(len(self.marks), -1)[lane : lane + count] = cards


class Shown(NamedTuple):
    """What is seen of every lane after a step; column or row `lane`."""

    numbers: NDArray[np.int64]
    seen: NDArray[np.int16]
    mask: NDArray[np.int8]
    rewards: NDArray[np.float64]
    over: NDArray[np.bool_]
    illegal: NDArray[np.bool_]
    ended: NDArray[np.bool_]
    """Whether a round ended with this step; where an episode is a round, as `over`."""
    nets: NDArray[np.int64]
    """The cents won in the round that ended."""

    @classmethod
    def of(cls, lanes: int, actions: int) -> Shown:
        return cls(
            np.zeros((len(FIELDS), lanes), np.int64),
            np.zeros((lanes, VALUES), np.int16),
            np.zeros((lanes, actions), np.int8),
            np.zeros(lanes),
            np.zeros(lanes, np.bool_),
            np.zeros(lanes, np.bool_),
            np.zeros(lanes, np.bool_),
            np.zeros(lanes, np.int64),
        )


@inlined
def _spot_at(tables: Any, spot: Any) -> Any:
    """Where the numbers of a spot begin in a lane's row."""
    return SPOTS + spot * (SIDE_STATES + tables.machine_start.shape[0] + tables.max_hands * HAND_FIELDS)


@inlined
def _hand_at(tables: Any, spot: Any, hand: Any) -> Any:
    """Where the numbers of a hand begin in a lane's row."""
    return _spot_at(tables, spot) + SIDE_STATES + tables.machine_start.shape[0] + hand * HAND_FIELDS


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
    if tables.super_bonus[state] and tables.value[row[UP_CARD]] == _SEVEN:
        row[NET] += tables.amounts[bet, SUPER_BONUS]


@inlined
def _is_blackjack(row: Any, at: Any) -> Any:
    """Whether the first two cards are an ace and a ten-valued card; asked before any split."""
    return row[at + CARDS] == 2 and row[at + ACE] == 1 and row[at + POINTS] == _TEN_POINTS + 1


@inlined
def _options(row: Any, spot: Any, at: Any, tables: Any) -> Any:
    """Bits of the actions that the hand at a place is allowed."""
    state = row[at + STATE]
    if row[_spot_at(tables, spot) + HANDS] >= tables.max_hands:
        state = tables.unpaired[state]
    return tables.may[state]


@inlined
def _begin(lane: Any, tables: Any, lanes: Any) -> Any:
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
        row[_spot_at(tables, spot) + HANDS] = 1
    if tables.asks_bet:
        row[PHASE] = BET_PHASE
        return WAIT
    return DEAL


@inlined
def _deal(lane: Any, tables: Any, lanes: Any) -> Any:
    """The first two cards of everybody, up to the first decision or the end."""
    row = lanes.rows[lane]
    for turn in range(2):
        for spot in range(tables.spots):
            if not _give(lane, _hand_at(tables, spot, 0), tables, lanes):
                return _void(row, tables, False)
        card = _draw(lane, tables, lanes)
        if card < 0:
            return _void(row, tables, False)
        row[UP_CARD + turn] = card
    up = np.int64(tables.value[row[UP_CARD]])
    row[SEEN + up] += 1
    row[DEALER] = tables.dealer_start[up, row[HOLE_CARD]]
    for spot in range(tables.spots):
        at, hand = _spot_at(tables, spot), _hand_at(tables, spot, 0)
        first, second = row[hand + FIRST], row[hand + SECOND]
        row[at + FIRST_TWO] = first
        row[at + FIRST_TWO + 1] = second
        for bet in range(tables.machine_start.shape[0]):
            state = tables.machine_start[bet, first, second]
            state = tables.machine_take[state, UP, row[UP_CARD]]
            row[at + SIDE_STATES + bet] = tables.machine_take[state, HOLE, row[HOLE_CARD]]
        if tables.blackjack_always_wins and _is_blackjack(row, hand):
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
        live = row[_hand_at(tables, spot, 0) + STATUS] == LIVE
        if tables.amounts[row[BET], INSURANCE] > 0 and (live or tables.insures_paid_blackjack):
            row[PHASE] = INSURANCE_PHASE
            row[SPOT] = spot
            row[HAND] = 0
            return True
        spot += 1
    return False


@inlined
def _look(lane: Any, tables: Any, lanes: Any) -> Any:
    """The dealer looks under an ace or a ten (21-1.8): a blackjack ends the round, or the play begins."""
    row = lanes.rows[lane]
    bet = row[BET]
    up = tables.value[row[UP_CARD]]
    undecided = False
    for spot in range(tables.spots):
        live = row[_hand_at(tables, spot, 0) + STATUS] != CLOSED
        undecided = undecided or live or row[_spot_at(tables, spot) + INSURED] > 0
    if undecided and (up == 0 or up == _TEN):
        blackjack = row[DEALER] == -1 - DEALER_BLACKJACK
        suited = row[UP_CARD] // 13 == row[HOLE_CARD] // 13
        for spot in range(tables.spots):
            at, hand = _spot_at(tables, spot), _hand_at(tables, spot, 0)
            if row[at + INSURED] > 0:
                if not blackjack:
                    row[NET] -= row[at + INSURED]
                elif suited:
                    row[NET] += tables.amounts[bet, INSURANCE_SUITED_PAYS]
                else:
                    row[NET] += tables.amounts[bet, INSURANCE_PAYS]
            if blackjack and row[hand + STATUS] != CLOSED:
                row[NET] += tables.pay[bet, row[hand + STATE], DEALER_BLACKJACK]
                row[hand + STATUS] = CLOSED
        if blackjack:
            row[SEEN + np.int64(tables.value[row[HOLE_CARD]])] += 1
            if tables.side_when.size > 0:
                _settle_sides(row, tables, AT_HOLE_CARD, AT_DEALERS_END)
            return END_ROUND
    for spot in range(tables.spots):
        hand = _hand_at(tables, spot, 0)
        if row[hand + STATUS] == LIVE and _is_blackjack(row, hand):
            row[NET] += tables.pay[bet, row[hand + STATE], 0]
            row[hand + STATUS] = CLOSED
    return PLAY_ON


@inlined
def _play_on(row: Any, tables: Any) -> Any:
    """Find the next hand with a decision (21-1.12); after the last spot the dealer plays.

    Hands before the one that decided last are not LIVE any more, but where a spot answered to insurance the
    play begins with the first spot.
    """
    spot, hand = np.int64(row[SPOT]), np.int64(row[HAND])
    if row[PHASE] != PLAY_PHASE:
        spot = hand = np.int64(0)
    while spot < tables.spots:
        while hand < row[_spot_at(tables, spot) + HANDS]:
            at = _hand_at(tables, spot, hand)
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
def _play_dealer(lane: Any, tables: Any, lanes: Any) -> Any:
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
        for hand in range(row[_spot_at(tables, spot) + HANDS]):
            waits = waits or row[_hand_at(tables, spot, hand) + STATUS] == STOOD
    while waits and row[DEALER] >= 0:
        card = _draw(lane, tables, lanes)
        if card < 0:
            return _void(row, tables, True)
        row[SEEN + np.int64(tables.value[card])] += 1
        row[DEALER] = tables.dealer_take[row[DEALER], card]
        for spot in range(tables.spots):
            at = _spot_at(tables, spot) + SIDE_STATES
            for side in range(tables.machine_start.shape[0]):
                row[at + side] = tables.machine_take[row[at + side], DRAW, card]
    final = -1 - row[DEALER]
    for spot in range(tables.spots):
        for hand in range(row[_spot_at(tables, spot) + HANDS]):
            at = _hand_at(tables, spot, hand)
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
                at = _spot_at(tables, spot)
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
    at = _hand_at(tables, spot, hand)
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
    hands = row[_spot_at(tables, spot) + HANDS]
    at = _hand_at(tables, spot, hand)
    for column in range(_hand_at(tables, spot, hands) - 1, at + HAND_FIELDS - 1, -1):
        row[column + HAND_FIELDS] = row[column]
    row[_spot_at(tables, spot) + HANDS] = hands + 1
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
def _decide(lane: Any, action: Any, tables: Any, lanes: Any) -> Any:
    """Do what was decided, which is allowed; what is to be done next."""
    row = lanes.rows[lane]
    phase = row[PHASE]
    if phase == PLAY_PHASE:
        return _play(lane, action, tables, lanes)
    if phase == INSURANCE_PHASE:
        spot = np.int64(row[SPOT])
        if action == INSURE:
            row[_spot_at(tables, spot) + INSURED] = tables.amounts[row[BET], INSURANCE]
        elif action == EVEN_MONEY:
            row[NET] += tables.amounts[row[BET], EVEN_MONEY_PAYS]
            row[_hand_at(tables, spot, 0) + STATUS] = CLOSED
        return WAIT if _ask_insurance(row, spot + 1, tables) else LOOK
    if phase == BET_PHASE:
        row[BET] = action - FIRST_BET
        return DEAL
    return END_ROUND


@inlined
def _go_on(lane: Any, what: Any, tables: Any, lanes: Any) -> Any:
    """Do what is to be done, up to the next decision or the end of the round; whether it ended.

    Whatever is done leads to something that stands further down here, so that each stands here once.
    """
    row = lanes.rows[lane]
    if what == BEGIN:
        what = _begin(lane, tables, lanes)
    if what == DEAL:
        what = _deal(lane, tables, lanes)
    if what == LOOK:
        what = _look(lane, tables, lanes)
    if what == PLAY_ON:
        what = _play_on(row, tables)
    if what == DEALER_PLAYS:
        what = _play_dealer(lane, tables, lanes)
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
    at = _hand_at(tables, spot, hand)
    hands = np.int64(row[_spot_at(tables, spot) + HANDS])
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
            if tables.even_money and row[at + STATUS] == LIVE and _is_blackjack(row, at):
                options |= 1 << EVEN_MONEY
        elif phase == SHOWN_PHASE:
            options = np.int64(1 << STAND)
    for action in range(FIRST_BET):
        mask[action] = options >> action & 1
    asked = phase == BET_PHASE and row[DONE] == 0
    for bet in range(FIRST_BET, mask.size):
        mask[bet] = 1 if asked else 0


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
            what = _decide(lane, action, tables, lanes)
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
