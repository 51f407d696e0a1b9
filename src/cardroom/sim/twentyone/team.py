"""Rounds with several counters at one table, or with one who keeps more than one count.

Everybody sees the same cards, so the table has a running total for each different count, and each counter
says by which of them to wager, to play, to insure and to make side bets. Cards, sums and the order of spots
are as in `counter`, whose kernel plays a single counter with a single count, and faster.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from cardroom.sim.compiled import compiled_for, inlined, kernel
from cardroom.sim.twentyone.counted_round import (
    LOWEST,
    SEEN,
    add_round,
    bounded_wager,
    deal_sides,
    dealt_to_dealer,
    hidden_cards,
    insured_spots,
    is_looked,
    knows_blackjack,
    makes_sides,
    paid_hands,
    place_of_count,
    play_spot,
    row_now,
    second_is_late,
    second_to_sides,
    see,
    sees_both,
    settle_sides,
    turns_hole_late,
    undone_by_blackjack,
    wants_second,
)
from cardroom.sim.twentyone.dealing import DEAD, END, NEXT, begin_round, take_card
from cardroom.sim.twentyone.side_machines import draw_machines
from cardroom.sim.twentyone.tables import DEALER_BLACKJACK
from cardroom.sim.twentyone.team_tables import SUITS


@compiled_for(see)
def _see(seen: Any, card: Any, game: Any) -> Any:
    if not isinstance(seen, types.BaseNamedTuple):
        return None

    def add(seen: Any, card: Any, game: Any) -> Any:
        for total in range(game.starts.shape[0]):
            seen.running[total] += game.tags[card, total]
        return seen

    return add


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
    unseen = np.int64(marks[lane, END] - marks[lane, NEXT]) + (hidden - game.plan[2] if anew else hidden)
    running = _total(count, anew, seats, game)
    return place_of_count(running, game.inverse[count, unseen], game.rounding[count])


@compiled_for(row_now)
def _row_now(who: Any, seen: Any, before: Any, hidden: Any, lane: Any, marks: Any, game: Any) -> Any:
    if not isinstance(seen, types.BaseNamedTuple):
        return None

    def row(who: Any, seen: Any, before: Any, hidden: Any, lane: Any, marks: Any, game: Any) -> Any:
        return game.row_of[who, _place_now(game.play_by[who], hidden, lane, marks, seen, game)]

    return row


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
        if game.cover[counter] > 0:
            if seated:
                wager = bounded_wager(wager, seats.last[counter], game.cover[counter])
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
    ends, waiting, spot_of = room.ends[0], room.waiting, room.spot_of
    counters = game.spots.shape[0]
    bets = game.side_from.shape[1]
    machines = game.machine_start.shape[0]
    hidden = burned + hidden_cards(game)
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
                see(seats, firsts[spot], game)
            up_card = take_card(lane, states, shoes, marks, cards, False)
            see(seats, up_card, game)
            for spot in range(here):
                seconds[spot] = take_card(lane, states, shoes, marks, cards, False)
                see(seats, seconds[spot], game)
            up = np.int64(value_of[up_card])
            hole, dealer, column = dealt_to_dealer(lane, up, game, states, shoes, marks)
            if sees_both(game):
                see(seats, hole, game)
            blackjack = knows_blackjack(game) and dealer == -1 - DEALER_BLACKJACK
            any_insured = False
            dead = marks[lane, DEAD] != 0
            needed = False
            for counter in range(counters):
                if not seats.seated[counter] or dead:
                    continue
                mine = seats.first_spot[counter]
                if bets > 0 and makes_sides(seats.side_count[counter], game.side_from[counter]):
                    seats.staked[counter] = True
                    deal_sides(
                        firsts[mine],
                        seconds[mine],
                        up_card,
                        hole,
                        game,
                        seats.scratch[counter],
                        seats.machine_states[counter],
                    )
                    needed = needed or game.plays_dealer
                if up == 0:
                    now = _place_now(game.insure_by[counter], hidden, lane, marks, seats, game) + LOWEST
                    if now >= game.insure_from[counter]:
                        seats.insured[counter], seats.won[counter] = insured_spots(
                            mine,
                            mine + game.spots[counter],
                            firsts,
                            seconds,
                            up_card,
                            hole,
                            game,
                        )
                        any_insured = any_insured or seats.insured[counter]
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
                    hands, _ = play_spot(
                        lane,
                        owner,
                        column,
                        firsts[spot],
                        seconds[spot],
                        seats,
                        seats.before,
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
                    if not is_looked(game):
                        spot_of[played] = spot
                    played += 1
                    needed = needed or needs_dealer[ends[hand]]
                needed = needed or (hands > 1 and undone_by_blackjack(up, game))
                if owner >= 0:
                    seats.last_hand[owner] = played
            if turns_hole_late(game):
                see(seats, hole, game)
            if second_is_late(game) and marks[lane, DEAD] == 0:
                wanted = any_insured
                for counter in range(counters):
                    if seats.staked[counter] and not wanted:
                        wanted = wants_second(seats.side_count[counter], game.side_from[counter], game)
                if wanted:
                    hole = take_card(lane, states, shoes, marks, cards, False)
                    see(seats, hole, game)
                    dealer = np.int64(game.dealer_take[dealer, hole])
                    for counter in range(counters):
                        if seats.staked[counter]:
                            mine = seats.first_spot[counter]
                            second_to_sides(
                                firsts[mine],
                                seconds[mine],
                                up_card,
                                hole,
                                game,
                                seats.scratch[counter],
                                seats.machine_states[counter],
                            )
            if any_insured and not knows_blackjack(game):
                for counter in range(counters):
                    seats.won[counter] = 0  # it is returned when the round is dead
                    if seats.insured[counter] and marks[lane, DEAD] == 0:
                        mine = seats.first_spot[counter]
                        _, seats.won[counter] = insured_spots(
                            mine, mine + game.spots[counter], firsts, seconds, up_card, hole, game
                        )
            while needed and dealer >= 0 and marks[lane, DEAD] == 0:
                card = take_card(lane, states, shoes, marks, cards, False)
                see(seats, card, game)
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
                    units, staked = paid_hands(
                        seats.first_hand[counter],
                        seats.last_hand[counter],
                        all_ends,
                        spot_of,
                        up,
                        final,
                        dead,
                        game,
                    )
                    won = seats.won[counter] + units * game.parts
                    money = wager * won
                    if seats.staked[counter] and not dead:
                        money += settle_sides(
                            seats.side_count[counter],
                            game.side_from[counter],
                            game.side_nets[counter],
                            game,
                            seats.scratch[counter],
                            seats.machine_states[counter],
                            side_lines[counter],
                        )
                    add_round(added, wager, won, staked, money, seats.insured[counter])
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
