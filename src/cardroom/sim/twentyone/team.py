"""Rounds with several counters at one table, or with one who keeps more than one count.

Everybody sees the same cards, so the table has a running total for each different count, and each counter
says by which of them to wager, to play, to insure and to make side bets. Cards, sums and the order of spots
are as in `counter`, whose kernel plays a single counter with a single count, and faster.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardroom.sim.compiled import inlined, kernel
from cardroom.sim.twentyone.counter import (
    INSURED,
    LOWEST,
    MONEY,
    MONEY_SQUARED,
    PLAYED,
    SEEN,
    STAKED,
    WON,
    WON_SQUARED,
    place_of_count,
)
from cardroom.sim.twentyone.dealing import DEAD, END, NEXT, begin_round, take_card
from cardroom.sim.twentyone.kernel import NO_CARD
from cardroom.sim.twentyone.round_parts import left_unplayed
from cardroom.sim.twentyone.side_machines import count_machines, deal_machines, draw_machines
from cardroom.sim.twentyone.sides import count_sides
from cardroom.sim.twentyone.tables import DEALER_BLACKJACK, SPLIT
from cardroom.sim.twentyone.team_tables import SUITS


@inlined
def _see(card: Any, seats: Any, game: Any) -> Any:
    for total in range(game.starts.shape[0]):
        seats.running[total] += game.tags[card, total]


@inlined
def _total(count: Any, anew: Any, seats: Any, game: Any) -> Any:
    """The running count in parts; `anew` of the cards on the table alone."""
    first = game.total_of[count]
    least = seats.running[first]
    if anew:
        least += game.starts[first] - seats.before[first]
    if not game.of_suits[count]:
        return least
    most = least
    for total in range(first + 1, first + SUITS):
        value = seats.running[total]
        if anew:
            value += game.starts[total] - seats.before[total]
        least, most = min(least, value), max(most, value)
    return most - least


@inlined
def _place_now(count: Any, hidden: Any, lane: Any, marks: Any, seats: Any, game: Any) -> Any:
    """The place of a count in the middle of a round, where so many dealt cards are hidden.

    Once the discards are dealt again, only the cards on the table are known to be gone.
    """
    anew = marks[lane, END] != game.cards
    unseen = np.int64(marks[lane, END] - marks[lane, NEXT]) + (np.int64(1) if anew else hidden)
    running = _total(count, anew, seats, game)
    return place_of_count(running, game.inverse[count, unseen], game.rounding[count])


@inlined
def _decided(
    state: Any, up: Any, counter: Any, hidden: Any, lane: Any, marks: Any, seats: Any, game: Any
) -> Any:
    """The point of a hand after its decision."""
    row = 0
    if counter >= 0 and game.deviates[state, up]:
        row = game.row_of[counter, _place_now(game.play_by[counter], hidden, lane, marks, seats, game)]
    return np.int64(game.decide[row, state, up])


@inlined
def _play_spot(
    lane: Any,
    counter: Any,
    up: Any,
    first: Any,
    second: Any,
    hidden: Any,
    game: Any,
    seats: Any,
    states: Any,
    shoes: Any,
    marks: Any,
    waiting: Any,
    ends: Any,
) -> Any:
    """Play the hands of one spot; writes the end of each, returns how many."""
    first_end, cards = game.first_end, game.cards
    left_to_play = 0
    hands = 1
    ended = 0
    point = _decided(np.int64(game.pairs[first, second]), up, counter, hidden, lane, marks, seats, game)
    while True:
        while point == SPLIT:
            hands += 1
            left = take_card(lane, states, shoes, marks, cards, False)
            left_has_none = marks[lane, DEAD] != 0
            right = take_card(lane, states, shoes, marks, cards, False)
            _see(left, seats, game)
            _see(right, seats, game)
            waiting[left_to_play, 0] = second
            waiting[left_to_play, 1] = NO_CARD if marks[lane, DEAD] else right
            left_to_play += 1
            second = left
            state = np.int64(game.next[game.split_hand[first], second])
            if hands >= game.max_hands:
                state = np.int64(game.unpaired[state])
            point = _decided(state, up, counter, hidden, lane, marks, seats, game)
            if left_has_none:
                point = np.int64(first_end + game.void)
            elif marks[lane, DEAD]:
                point = left_unplayed(point, first_end, game.void, game.pay)
        while point < first_end:
            card = take_card(lane, states, shoes, marks, cards, False)
            _see(card, seats, game)
            state = np.int64(game.next[point, card])
            point = _decided(state, up, counter, hidden, lane, marks, seats, game)
            if marks[lane, DEAD]:
                point = np.int64(first_end + game.void)
        ends[ended] = point - first_end
        ended += 1
        if left_to_play == 0:
            return ended
        left_to_play -= 1
        first = waiting[left_to_play, 0]
        second = waiting[left_to_play, 1]
        if second == NO_CARD:
            point = np.int64(first_end + game.void)
        else:
            state = np.int64(game.next[game.split_hand[first], second])
            if hands >= game.max_hands:
                state = np.int64(game.unpaired[state])
            point = _decided(state, up, counter, hidden, lane, marks, seats, game)
            if marks[lane, DEAD]:
                point = left_unplayed(point, first_end, game.void, game.pay)


@inlined
def _sit_down(others: Any, unseen: Any, game: Any, seats: Any) -> Any:
    """Who plays this round and for how much; returns the spots that cards are dealt to."""
    here = others
    for counter in range(game.spots.shape[0]):
        by = game.wager_by[counter]
        place = place_of_count(_total(by, False, seats, game), game.inverse[by, unseen], game.rounding[by])
        count = place + LOWEST
        bound = game.leave[counter] if seats.seated[counter] else game.enter[counter]
        seated = count >= bound
        wager = game.ramp[counter, place] if seated else np.int64(0)
        cover, last = game.cover[counter], seats.last[counter]
        if cover > 0:
            if seated and last > 0:
                wager = min(max(wager, (last + cover - 1) // cover), last * cover)
            seats.last[counter] = wager
        by = game.side_by[counter]
        seats.side_count[counter] = LOWEST + place_of_count(
            _total(by, False, seats, game), game.inverse[by, unseen], game.rounding[by]
        )
        seats.seated[counter], seats.place[counter], seats.wager[counter] = seated, place, wager
        seats.won[counter] = 0
        seats.insured[counter] = seats.staked[counter] = False
        seats.first_spot[counter] = here
        seats.first_hand[counter] = seats.last_hand[counter] = 0
        if seated:
            for _ in range(game.spots[counter]):
                seats.owner[here] = counter
                here += 1
    return here


@kernel
def play_team(
    rounds: Any,
    others: Any,
    game: Any,
    states: Any,
    shoes: Any,
    marks: Any,
    room: Any,
    seats: Any,
    bins: Any,
    side_lines: Any,
    totals: Any,
    trace: Any,
) -> Any:
    """Rounds of several counters after others, lane by lane; `rounds[lane]` of each.

    `bins[counter, count, what]`, `side_lines[counter, side bet, line]` and `totals` are added up; `trace`
    is written for as many rounds as it has room for.
    """
    cards, burned = game.cards, game.plan[2]
    value_of, needs_dealer = game.value_of, game.needs_dealer
    firsts, seconds, all_ends = room.firsts, room.seconds, room.spot_ends
    ends, waiting = room.ends[0], room.waiting
    counters = game.spots.shape[0]
    bets = game.side_from.shape[1]
    machines = game.machine_start.shape[0]
    hidden = burned + 1
    written = 0
    for spot in range(others):
        seats.owner[spot] = -1
    for lane in range(np.uint64(rounds.size)):
        for _ in range(rounds[lane]):
            if begin_round(lane, states, shoes, marks, cards, False, game.plan) != 0:
                totals[0] += 1
                for total in range(game.starts.shape[0]):
                    seats.running[total] = game.starts[total]
                seats.seated[:] = False
                seats.last[:] = 0
            for total in range(game.starts.shape[0]):
                seats.before[total] = seats.running[total]
            here = _sit_down(others, np.int64(cards - marks[lane, NEXT]) + burned, game, seats)
            for spot in range(here):
                firsts[spot] = take_card(lane, states, shoes, marks, cards, False)
                _see(firsts[spot], seats, game)
            up_card = take_card(lane, states, shoes, marks, cards, False)
            _see(up_card, seats, game)
            for spot in range(here):
                seconds[spot] = take_card(lane, states, shoes, marks, cards, False)
                _see(seconds[spot], seats, game)
            hole = take_card(lane, states, shoes, marks, cards, False)
            up = np.int64(value_of[up_card])
            dealer = np.int64(game.dealer_start[up, hole])
            blackjack = dealer == -1 - DEALER_BLACKJACK
            dead = marks[lane, DEAD] != 0
            needed = False
            for counter in range(counters):
                if not seats.seated[counter] or dead:
                    continue
                mine = seats.first_spot[counter]
                for bet in range(bets):
                    if seats.side_count[counter] >= game.side_from[counter, bet]:
                        seats.staked[counter] = True
                if seats.staked[counter]:
                    seats.scratch[counter] = 0
                    count_sides(
                        firsts[mine],
                        seconds[mine],
                        up_card,
                        hole,
                        game.lines_of_three,
                        game.third_is_hole,
                        game.lines_of_four,
                        seats.scratch[counter],
                    )
                    if machines > 0:
                        deal_machines(
                            firsts[mine],
                            seconds[mine],
                            up_card,
                            hole,
                            game.machine_start,
                            game.machine_take,
                            seats.machine_states[counter],
                        )
                    needed = needed or game.plays_dealer
                if up == 0:
                    now = _place_now(game.insure_by[counter], hidden, lane, marks, seats, game) + LOWEST
                    if now >= game.insure_from[counter]:
                        for spot in range(mine, mine + game.spots[counter]):
                            if game.insurable[firsts[spot], seconds[spot]]:
                                seats.insured[counter] = True
                                seats.won[counter] += game.insurance[up_card // np.uint8(13), hole]
            played = 0
            for spot in range(here):
                owner = seats.owner[spot]
                if owner >= 0 and spot == seats.first_spot[owner]:
                    seats.first_hand[owner] = played
                hands = 1
                if dead:
                    ends[0] = game.void
                elif blackjack:
                    ends[0] = game.looked[firsts[spot], seconds[spot]]
                else:
                    hands = _play_spot(
                        lane,
                        owner,
                        up,
                        firsts[spot],
                        seconds[spot],
                        hidden,
                        game,
                        seats,
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
                if owner >= 0:
                    seats.last_hand[owner] = played
            _see(hole, seats, game)
            while needed and dealer >= 0 and marks[lane, DEAD] == 0:
                card = take_card(lane, states, shoes, marks, cards, False)
                _see(card, seats, game)
                dealer = np.int64(game.dealer_take[dealer, card])
                if machines > 0:
                    for counter in range(counters):
                        if seats.staked[counter]:
                            draw_machines(card, game.machine_take, seats.machine_states[counter], machines)
            dead = marks[lane, DEAD] != 0
            totals[1] += np.int64(dead)
            final = max(-1 - dealer, 0)
            together = np.int64(0)
            for counter in range(counters):
                place, wager = seats.place[counter], seats.wager[counter]
                added = bins[counter, place]
                added[SEEN] += 1
                money = np.int64(0)
                if seats.seated[counter]:
                    units = np.int64(0)
                    staked = np.int64(0)
                    for hand in range(seats.first_hand[counter], seats.last_hand[counter]):
                        end = all_ends[hand]
                        if dead and needs_dealer[end]:
                            end = game.void
                        units += game.pay[end, final]
                        staked += game.stake[end]
                    won = seats.won[counter] + units * game.parts
                    money = wager * won
                    if seats.staked[counter] and not dead:
                        scratch = seats.scratch[counter]
                        if machines > 0:
                            dealt = game.lines_of_three.shape[0] + game.lines_of_four.shape[0]
                            states_here = seats.machine_states[counter]
                            count_machines(game.machine_line, states_here, machines, dealt, scratch)
                        for bet in range(bets):
                            if seats.side_count[counter] >= game.side_from[counter, bet]:
                                for line in range(scratch.shape[1]):
                                    side_lines[counter, bet, line] += scratch[bet, line]
                                    money += scratch[bet, line] * game.side_nets[counter, bet, line]
                    added[PLAYED] += 1
                    added[WON] += won
                    added[WON_SQUARED] += won * won
                    added[STAKED] += wager * staked
                    added[MONEY] += money
                    added[MONEY_SQUARED] += money * money
                    added[INSURED] += np.int64(seats.insured[counter])
                    together += money
                if written < trace.shape[0]:
                    told = trace[written, counter]
                    told[0] = place + LOWEST
                    told[1] = wager
                    told[2] = money
                    told[3] = np.int64(marks[lane, NEXT])
                    told[4] = np.int64(seats.insured[counter])
                    told[5] = _total(game.wager_by[counter], False, seats, game)
                    told[6] = seats.side_count[counter]
            written += 1
            totals[2] += together
            totals[3] += together * together
