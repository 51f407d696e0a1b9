"""Rounds with a player who counts: the running count, the wager by the count, and play by the count.

The cards are taken from the same streams in the same way as by the other kernels. The counter sits last, so
that the others' cards are seen before the first decision; the hole card is seen at the end of the round, and
burned cards never are. Wagers are whole units; money is counted in whole parts of a unit.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.sim.compiled import inlined, kernel
from cardroom.sim.twentyone.counter_tables import CountTables
from cardroom.sim.twentyone.dealing import DEAD, END, NEXT, begin_round, take_card
from cardroom.sim.twentyone.kernel import NO_CARD, Room
from cardroom.sim.twentyone.round_parts import left_unplayed
from cardroom.sim.twentyone.side_machines import count_machines, deal_machines, draw_machines
from cardroom.sim.twentyone.sides import SideTables, count_sides
from cardroom.sim.twentyone.tables import DEALER_BLACKJACK, SPLIT

__all__ = ["BINS", "LOWEST", "CountGame", "Room", "place_of_count", "play_counting"]

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

# What a trace tells of a round.
TRACE: Final = ("count", "wager", "money", "next_place", "insured", "running")


class CountGame(NamedTuple):
    """The tables of a game and of its counter as the kernel takes them."""

    first_end: int
    pairs: NDArray[np.int16]
    next: NDArray[np.int16]
    unpaired: NDArray[np.int16]
    split_hand: NDArray[np.int16]
    decide: NDArray[np.int16]
    deviates: NDArray[np.bool_]
    looked: NDArray[np.int16]
    pay: NDArray[np.int32]
    stake: NDArray[np.int32]
    needs_dealer: NDArray[np.bool_]
    void: int
    dealer_start: NDArray[np.int8]
    dealer_take: NDArray[np.int8]
    max_hands: int
    value_of: NDArray[np.uint8]
    cards: np.uint64
    plan: NDArray[np.int64]
    tags: NDArray[np.int64]
    """[card]: what it adds to the running count, in whole parts."""
    start: int
    """The running count of a new shoe."""
    inverse: NDArray[np.float64]
    """[cards not seen]: one over the whole number that a running count in parts is divided by."""
    rounding: int
    row_of: NDArray[np.int64]
    """[count]: the row of `decide`."""
    ramp: NDArray[np.int64]
    """[count]: units wagered on each of the counter's spots."""
    enter: int
    """The counter sits down at this count or more."""
    leave: int
    """The counter gets up below this count."""
    insure_from: int
    """Insurance is taken at this count or more."""
    cover: int
    """A wager is at most so many times the one before it in the shoe, and at least that part; 0: no limit."""
    parts: int
    """Parts of money in a unit of `pay`."""
    insurable: NDArray[np.bool_]
    """[first card, second card]: whether the hand is asked for insurance."""
    insurance: NDArray[np.int64]
    """[suit of an ace up, hole card]: parts won by insurance on a unit wagered."""
    side_from: NDArray[np.int64]
    """[side bet]: staked at this count or more."""
    side_nets: NDArray[np.int64]
    """[side bet, line]: parts won with the counter's stake."""
    lines_of_three: NDArray[np.uint8]
    third_is_hole: NDArray[np.bool_]
    lines_of_four: NDArray[np.uint8]
    machine_start: NDArray[np.int16]
    machine_take: NDArray[np.int16]
    machine_line: NDArray[np.uint8]
    plays_dealer: bool

    @classmethod
    def of(cls, tables: CountTables, sides: SideTables, **others: Any) -> CountGame:
        kept = {name: getattr(tables, name) for name in cls._fields if hasattr(tables, name)}
        return cls(
            **{**kept, **others},
            lines_of_three=sides.lines_of_three,
            third_is_hole=sides.third_is_hole,
            lines_of_four=sides.lines_of_four,
            machine_start=sides.machines.start,
            machine_take=sides.machines.take,
            machine_line=sides.machines.line,
            plays_dealer=sides.machines.plays_dealer,
        )


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
def _place_now(running: Any, before: Any, hidden: Any, lane: Any, marks: Any, game: Any) -> Any:
    """The place of the count in the middle of a round, where so many dealt cards are hidden.

    Once the discards are dealt again, only the cards on the table are known to be gone.
    """
    if marks[lane, END] == game.cards:
        unseen = np.int64(game.cards - marks[lane, NEXT]) + hidden
        return place_of_count(running, game.inverse[unseen], game.rounding)
    unseen = np.int64(marks[lane, END] - marks[lane, NEXT]) + 1
    return place_of_count(running - before + game.start, game.inverse[unseen], game.rounding)


@inlined
def _decided(
    state: Any,
    up: Any,
    counts: Any,
    running: Any,
    before: Any,
    hidden: Any,
    lane: Any,
    marks: Any,
    game: Any,
) -> Any:
    """The point of a hand after its decision."""
    row = 0
    if counts and game.deviates[state, up]:
        row = game.row_of[_place_now(running, before, hidden, lane, marks, game)]
    return np.int64(game.decide[row, state, up])


@inlined
def _play_spot(
    lane: Any,
    counts: Any,
    up: Any,
    first: Any,
    second: Any,
    running: Any,
    before: Any,
    hidden: Any,
    game: Any,
    states: Any,
    shoes: Any,
    marks: Any,
    waiting: Any,
    ends: Any,
) -> Any:
    """Play the hands of one spot; writes the end of each, returns how many and the running count."""
    first_end, cards, tags = game.first_end, game.cards, game.tags
    left_to_play = 0
    hands = 1
    ended = 0
    point = _decided(
        np.int64(game.pairs[first, second]), up, counts, running, before, hidden, lane, marks, game
    )
    while True:
        while point == SPLIT:
            hands += 1
            left = take_card(lane, states, shoes, marks, cards, False)
            left_has_none = marks[lane, DEAD] != 0
            right = take_card(lane, states, shoes, marks, cards, False)
            running += tags[left] + tags[right]
            waiting[left_to_play, 0] = second
            waiting[left_to_play, 1] = NO_CARD if marks[lane, DEAD] else right
            left_to_play += 1
            second = left
            state = np.int64(game.next[game.split_hand[first], second])
            if hands >= game.max_hands:
                state = np.int64(game.unpaired[state])
            point = _decided(state, up, counts, running, before, hidden, lane, marks, game)
            if left_has_none:
                point = np.int64(first_end + game.void)
            elif marks[lane, DEAD]:
                point = left_unplayed(point, first_end, game.void, game.pay)
        while point < first_end:
            card = take_card(lane, states, shoes, marks, cards, False)
            running += tags[card]
            state = np.int64(game.next[point, card])
            point = _decided(state, up, counts, running, before, hidden, lane, marks, game)
            if marks[lane, DEAD]:
                point = np.int64(first_end + game.void)
        ends[ended] = point - first_end
        ended += 1
        if left_to_play == 0:
            return ended, running
        left_to_play -= 1
        first = waiting[left_to_play, 0]
        second = waiting[left_to_play, 1]
        if second == NO_CARD:
            point = np.int64(first_end + game.void)
        else:
            state = np.int64(game.next[game.split_hand[first], second])
            if hands >= game.max_hands:
                state = np.int64(game.unpaired[state])
            point = _decided(state, up, counts, running, before, hidden, lane, marks, game)
            if marks[lane, DEAD]:
                point = left_unplayed(point, first_end, game.void, game.pay)


@kernel
def play_counting(
    rounds: Any,
    spots: Any,
    others: Any,
    game: Any,
    states: Any,
    shoes: Any,
    marks: Any,
    room: Any,
    bins: Any,
    side_lines: Any,
    scratch: Any,
    totals: Any,
    trace: Any,
) -> Any:
    """Rounds of a counter on some spots and of others, lane by lane; `rounds[lane]` of each.

    `bins[count, what]`, `side_lines[side bet, line]` and `totals` (shoes, dead rounds) are added up; `trace`
    is written for as many rounds as it has room for.
    """
    cards, tags, burned = game.cards, game.tags, game.plan[2]
    value_of, needs_dealer = game.value_of, game.needs_dealer
    firsts, seconds, all_ends = room.firsts, room.seconds, room.spot_ends
    ends, waiting, machine_states = room.ends[0], room.waiting, room.machine_states
    sides = game.side_from.shape[0]
    machines = game.machine_start.shape[0]
    written = 0
    for lane in range(np.uint64(rounds.size)):
        running = np.int64(game.start)
        seated = False
        last = np.int64(0)
        for _ in range(rounds[lane]):
            if begin_round(lane, states, shoes, marks, cards, False, game.plan) != 0:
                totals[0] += 1
                running = np.int64(game.start)
                seated = False
                last = np.int64(0)
            before = running
            unseen = np.int64(cards - marks[lane, NEXT]) + burned
            place = place_of_count(running, game.inverse[unseen], game.rounding)
            count = place + LOWEST
            if seated:
                seated = count >= game.leave
            else:
                seated = count >= game.enter
            wager = game.ramp[place] if seated else np.int64(0)
            if game.cover > 0:
                if seated and last > 0:
                    least = (last + game.cover - 1) // game.cover
                    wager = min(max(wager, least), last * game.cover)
                last = wager
            here = others + (spots if seated else 0)
            hidden = burned + 1
            for spot in range(here):
                firsts[spot] = take_card(lane, states, shoes, marks, cards, False)
                running += tags[firsts[spot]]
            up_card = take_card(lane, states, shoes, marks, cards, False)
            running += tags[up_card]
            for spot in range(here):
                seconds[spot] = take_card(lane, states, shoes, marks, cards, False)
                running += tags[seconds[spot]]
            hole = take_card(lane, states, shoes, marks, cards, False)
            up = np.int64(value_of[up_card])
            dealer = np.int64(game.dealer_start[up, hole])
            blackjack = dealer == -1 - DEALER_BLACKJACK
            dead = marks[lane, DEAD] != 0
            staked_sides = False
            if sides > 0 and seated and not dead:
                for bet in range(sides):
                    staked_sides = staked_sides or count >= game.side_from[bet]
                if staked_sides:
                    scratch[:] = 0
                    mine = others
                    count_sides(
                        firsts[mine],
                        seconds[mine],
                        up_card,
                        hole,
                        game.lines_of_three,
                        game.third_is_hole,
                        game.lines_of_four,
                        scratch,
                    )
                    if machines > 0:
                        deal_machines(
                            firsts[mine],
                            seconds[mine],
                            up_card,
                            hole,
                            game.machine_start,
                            game.machine_take,
                            machine_states,
                        )
            insured = False
            won = np.int64(0)
            if up == 0 and seated and not dead:
                now = _place_now(running, before, hidden, lane, marks, game) + LOWEST
                if now >= game.insure_from:
                    for spot in range(others, here):
                        if game.insurable[firsts[spot], seconds[spot]]:
                            insured = True
                            won += game.insurance[up_card // np.uint8(13), hole]
            played = 0
            mine_from = 0
            needed = staked_sides and game.plays_dealer
            for spot in range(here):
                if spot == others:
                    mine_from = played
                hands = 1
                if dead:
                    ends[0] = game.void
                elif blackjack:
                    ends[0] = game.looked[firsts[spot], seconds[spot]]
                else:
                    hands, running = _play_spot(
                        lane,
                        spot >= others,
                        up,
                        firsts[spot],
                        seconds[spot],
                        running,
                        before,
                        hidden,
                        game,
                        states,
                        shoes,
                        marks,
                        waiting,
                        ends,
                    )
                for hand in range(hands):
                    all_ends[played] = ends[hand]
                    played += 1
                    needed = needed or needs_dealer[ends[hand]]
            running += tags[hole]
            while needed and dealer >= 0 and marks[lane, DEAD] == 0:
                card = take_card(lane, states, shoes, marks, cards, False)
                running += tags[card]
                dealer = np.int64(game.dealer_take[dealer, card])
                if staked_sides and machines > 0:
                    draw_machines(card, game.machine_take, machine_states, machines)
            dead = marks[lane, DEAD] != 0
            totals[1] += np.int64(dead)
            bins[place, SEEN] += 1
            if not seated:
                continue
            units = np.int64(0)
            staked = np.int64(0)
            final = max(-1 - dealer, 0)
            for hand in range(mine_from, played):
                end = all_ends[hand]
                if dead and needs_dealer[end]:
                    end = game.void
                units += game.pay[end, final]
                staked += game.stake[end]
            won += units * game.parts
            money = wager * won
            if staked_sides and not dead:
                if machines > 0:
                    dealt = game.lines_of_three.shape[0] + game.lines_of_four.shape[0]
                    count_machines(game.machine_line, machine_states, machines, dealt, scratch)
                for bet in range(sides):
                    if count >= game.side_from[bet]:
                        for line in range(scratch.shape[1]):
                            side_lines[bet, line] += scratch[bet, line]
                            money += scratch[bet, line] * game.side_nets[bet, line]
            bins[place, PLAYED] += 1
            bins[place, WON] += won
            bins[place, WON_SQUARED] += won * won
            bins[place, STAKED] += wager * staked
            bins[place, MONEY] += money
            bins[place, MONEY_SQUARED] += money * money
            bins[place, INSURED] += np.int64(insured)
            if written < trace.shape[0]:
                trace[written, 0] = count
                trace[written, 1] = wager
                trace[written, 2] = money
                trace[written, 3] = np.int64(marks[lane, NEXT])
                trace[written, 4] = np.int64(insured)
                trace[written, 5] = running
                written += 1
