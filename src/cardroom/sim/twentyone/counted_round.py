"""What the kernels of counters share: the hands of a spot, insurance, side bets, the sums of a round.

What has been seen is one number for a single counter, which stays in a register, and the totals of a table
for several: `see` and `row_now` do what they do by its type, and everything else is written once.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from cardroom.sim.compiled import compiled_for, inlined
from cardroom.sim.twentyone.dealing import DEAD, take_card
from cardroom.sim.twentyone.kernel import MAKE_BLACKJACK, NO_CARD
from cardroom.sim.twentyone.round_parts import left_unplayed
from cardroom.sim.twentyone.side_machines import count_machines, deal_machines, second_to_machines
from cardroom.sim.twentyone.sides import count_sides, count_sides_at_second, count_sides_at_up
from cardroom.sim.twentyone.tables import DEALER_BLACKJACK, SPLIT

LOWEST: Final = -40
HIGHEST: Final = 40
BINS: Final = HIGHEST - LOWEST + 1
"""Counts are kept from the lowest to the highest; what lies beyond counts as the last."""
FLOOR: Final = 0
NEAREST: Final = 1
TRUNCATE: Final = 2

# What is summed for each count at which rounds begin.
SEEN: Final = 0  # rounds
PLAYED: Final = 1  # rounds in which the counter wagered
WON: Final = 2  # parts won on the primary wager and insurance, as if a unit had been staked on each spot
WON_SQUARED: Final = 3
STAKED: Final = 4  # units put on the primary wager, doubles and splits included, times the table's unit
MONEY: Final = 5  # parts won in all, with the wagers of the ramp and the side bets
MONEY_SQUARED: Final = 6
INSURED: Final = 7  # rounds with insurance
SUMS: Final = 8


def see(seen: Any, card: Any, game: Any) -> Any:
    """What has been seen when one more card has; compiled for each kind of it."""
    raise NotImplementedError


def row_now(who: Any, seen: Any, before: Any, hidden: Any, lane: Any, marks: Any, game: Any) -> Any:
    """The row of `decide` by which somebody plays now; compiled for each kind of what has been seen."""
    raise NotImplementedError


class DealtOtherwise:
    """What the game of a table is where nobody looks, or where both of the dealer's cards are seen.

    Kernels are compiled anew for such games, so that those with a look lose no time on them.
    """

    __slots__ = ()


def is_looked(game: Any) -> Any:
    """Whether it is a game with a hole card face down and a look; known when a kernel is compiled."""
    raise NotImplementedError


@compiled_for(is_looked)
def _is_looked(game: Any) -> Any:
    looked = not issubclass(game.instance_class, DealtOtherwise)

    def known(game: Any) -> Any:
        return looked

    return known


@inlined
def knows_blackjack(game: Any) -> Any:
    """Whether a dealer's blackjack is known before anybody plays."""
    return is_looked(game) or game.looks


@inlined
def sees_both(game: Any) -> Any:
    """Whether both of the dealer's cards are seen before anybody plays (21-1.21)."""
    return not is_looked(game) and game.sees_both


@inlined
def turns_hole_late(game: Any) -> Any:
    """Whether there is a hole card that is seen when all have played."""
    return is_looked(game) or (game.has_hole and not game.sees_both)


@inlined
def place_of_count(running: Any, inverse: Any, rounding: Any) -> Any:
    """The place of a count among the bins, from the running count in whole parts.

    A quarter more than a whole number is never on a border, so that the product's own rounding is harmless.
    """
    if rounding == TRUNCATE and running < 0:
        count = -np.floor((0.25 - running) * inverse)
    elif rounding == NEAREST:
        count = np.floor((running + 0.25) * inverse + 0.5)
    else:
        count = np.floor((running + 0.25) * inverse)
    return np.int64(min(max(count, LOWEST), HIGHEST)) - LOWEST


@inlined
def bounded_wager(wager: Any, last: Any, cover: Any) -> Any:
    """A wager that is not far from the last one in the shoe; 0: there is none."""
    if last > 0:
        return min(max(wager, (last + cover - 1) // cover), last * cover)
    return wager


@inlined
def _decided(
    state: Any, up: Any, who: Any, seen: Any, before: Any, hidden: Any, lane: Any, marks: Any, game: Any
) -> Any:
    """The point of a hand after its decision; `who` is below 0 for somebody who does not count."""
    row = np.int64(0)
    if who >= 0 and game.deviates[state, up]:
        row = row_now(who, seen, before, hidden, lane, marks, game)
    return np.int64(game.decide[row, state, up])


@inlined
def play_spot(
    lane: Any,
    who: Any,
    up: Any,
    first: Any,
    second: Any,
    seen: Any,
    before: Any,
    hidden: Any,
    game: Any,
    states: Any,
    shoes: Any,
    marks: Any,
    waiting: Any,
    ends: Any,
) -> Any:
    """Play the hands of one spot; writes the end of each, returns how many and what has been seen."""
    first_end, cards = game.first_end, game.cards
    left_to_play = 0
    hands = 1
    ended = 0
    state = np.int64(game.pairs[first, second])
    point = _decided(state, up, who, seen, before, hidden, lane, marks, game)
    while True:
        while point == SPLIT:
            hands += 1
            left = take_card(lane, states, shoes, marks, cards, False)
            left_has_none = marks[lane, DEAD] != 0
            right = take_card(lane, states, shoes, marks, cards, False)
            seen = see(see(seen, left, game), right, game)
            waiting[left_to_play, 0] = second
            waiting[left_to_play, 1] = NO_CARD if marks[lane, DEAD] else right
            left_to_play += 1
            second = left
            state = np.int64(game.next[game.split_hand[first], second])
            if hands >= game.max_hands:
                state = np.int64(game.unpaired[state])
            point = _decided(state, up, who, seen, before, hidden, lane, marks, game)
            if left_has_none:
                point = np.int64(first_end + game.void)
            elif marks[lane, DEAD]:
                point = left_unplayed(point, first_end, game.void, game.pay)
        while point < first_end:
            card = take_card(lane, states, shoes, marks, cards, False)
            seen = see(seen, card, game)
            state = np.int64(game.next[point, card])
            point = _decided(state, up, who, seen, before, hidden, lane, marks, game)
            if marks[lane, DEAD]:
                point = np.int64(first_end + game.void)
        ends[ended] = point - first_end
        ended += 1
        if left_to_play == 0:
            return ended, seen
        left_to_play -= 1
        first = waiting[left_to_play, 0]
        second = waiting[left_to_play, 1]
        if second == NO_CARD:
            point = np.int64(first_end + game.void)
        else:
            state = np.int64(game.next[game.split_hand[first], second])
            if hands >= game.max_hands:
                state = np.int64(game.unpaired[state])
            point = _decided(state, up, who, seen, before, hidden, lane, marks, game)
            if marks[lane, DEAD]:
                point = left_unplayed(point, first_end, game.void, game.pay)


@inlined
def insured_spots(
    first_spot: Any,
    end_spot: Any,
    firsts: Any,
    seconds: Any,
    up_card: Any,
    hole: Any,
    game: Any,
) -> Any:
    """Insurance on every spot that is asked: whether there was one, and the parts won on a unit."""
    insured = False
    won = np.int64(0)
    for spot in range(first_spot, end_spot):
        if game.insurable[firsts[spot], seconds[spot]]:
            insured = True
            won += game.insurance[up_card // np.uint8(13), hole]
    return insured, won


@inlined
def makes_sides(count: Any, side_from: Any) -> Any:
    """Whether a count asks for a side bet."""
    made = False
    for bet in range(side_from.shape[0]):
        made = made or count >= side_from[bet]
    return made


@inlined
def deal_sides(
    first: Any, second: Any, up_card: Any, hole: Any, game: Any, scratch: Any, machine_states: Any
) -> Any:
    """The lines of the side bets that the cards of the deal make; those that go on are begun."""
    scratch[:] = 0
    machines = game.machine_start.shape[0]
    if machines > 0:
        deal_machines(first, second, up_card, game.machine_start, game.machine_take, machine_states)
    if is_looked(game) or game.has_hole:
        count_sides(
            first, second, up_card, hole, game.lines_of_three, game.third_is_hole, game.lines_of_four, scratch
        )
        second_to_machines(hole, game.machine_take, machine_states, machines)
    else:
        count_sides_at_up(first, second, up_card, game, scratch)


@inlined
def second_to_sides(
    first: Any, second: Any, up_card: Any, hole: Any, game: Any, scratch: Any, machine_states: Any
) -> Any:
    """The lines of the side bets that the dealer's second card makes where it comes late (21-1.19)."""
    count_sides_at_second(first, second, up_card, hole, game, scratch)
    second_to_machines(hole, game.machine_take, machine_states, game.machine_start.shape[0])


@inlined
def wants_second(count: Any, side_from: Any, game: Any) -> Any:
    """Whether a side bet that is made at a count looks at the dealer's second card."""
    wants = False
    for bet in range(side_from.shape[0]):
        wants = wants or (game.on_second[bet] and count >= side_from[bet])
    return wants


@inlined
def second_is_late(game: Any) -> Any:
    """Whether there is no hole card: the dealer's second one comes when all have played (21-1.19)."""
    return not is_looked(game) and not game.has_hole


@inlined
def settle_sides(
    count: Any,
    side_from: Any,
    side_nets: Any,
    game: Any,
    scratch: Any,
    machine_states: Any,
    side_lines: Any,
) -> Any:
    """Count the lines of the side bets that were made; returns the parts won with them."""
    machines = game.machine_start.shape[0]
    if machines > 0:
        dealt = game.lines_of_three.shape[0] + game.lines_of_four.shape[0]
        count_machines(game.machine_line, machine_states, machines, dealt, scratch)
    money = np.int64(0)
    for bet in range(side_from.shape[0]):
        if count >= side_from[bet]:
            for line in range(scratch.shape[1]):
                side_lines[bet, line] += scratch[bet, line]
                money += scratch[bet, line] * side_nets[bet, line]
    return money


@inlined
def hidden_cards(game: Any) -> Any:
    """How many dealt cards nobody has seen while hands are played, burned ones aside."""
    return np.int64(turns_hole_late(game))


@inlined
def dealt_to_dealer(lane: Any, up: Any, game: Any, states: Any, shoes: Any, marks: Any) -> Any:
    """The hole card, if there is one, the dealer's hand, and the column of the players' strategy."""
    if not is_looked(game) and not game.has_hole:
        return np.uint8(0), np.int64(game.dealer_alone[up]), up
    hole = take_card(lane, states, shoes, marks, game.cards, False)
    column = np.int64(game.column_of[up, hole]) if sees_both(game) else up
    return hole, np.int64(game.dealer_start[up, hole]), column


@inlined
def undone_by_blackjack(up: Any, game: Any) -> Any:
    """Whether a blackjack may still come that undoes all but the original wagers (21-1.26)."""
    return not is_looked(game) and game.original_only and (up == MAKE_BLACKJACK[0] or up == MAKE_BLACKJACK[1])


@inlined
def paid_hands(
    first_hand: Any,
    end_hand: Any,
    all_ends: Any,
    spot_of: Any,
    up: Any,
    final: Any,
    dead: Any,
    game: Any,
) -> Any:
    """The units won and wagered by hands; what is undecided in a dead round is returned (21-1.13)."""
    units = np.int64(0)
    staked = np.int64(0)
    undone = undone_by_blackjack(up, game)
    for hand in range(first_hand, end_hand):
        end = all_ends[hand]
        if undone:
            added = hand > first_hand and spot_of[hand - 1] == spot_of[hand]
            split = added or (hand + 1 < end_hand and spot_of[hand + 1] == spot_of[hand])
            if dead and split:
                end = game.void
            if added and final == DEALER_BLACKJACK:  # a wager that was added comes back
                staked += game.stake[end]
                continue
        if dead and game.needs_dealer[end]:
            end = game.void
        units += game.pay[end, final]
        staked += game.stake[end]
    return units, staked


@inlined
def add_round(added: Any, wager: Any, won: Any, staked: Any, money: Any, insured: Any) -> Any:
    """A round that a counter played, added to the sums of its count."""
    added[PLAYED] += 1
    added[WON] += won
    added[WON_SQUARED] += won * won
    added[STAKED] += wager * staked
    added[MONEY] += money
    added[MONEY_SQUARED] += money * money
    added[INSURED] += np.int64(insured)
