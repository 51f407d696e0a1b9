"""Rounds with a player who counts: the running count, the wager by the count, and play by the count.

The cards are taken from the same streams in the same way as by the other kernels. The counter sits last, so
that the others' cards are seen before the first decision; the hole card is seen at the end of the round, and
burned cards never are. Wagers are whole units; money is counted in whole parts of a unit.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from cardroom.sim.compiled import compiled_for, inlined, kernel
from cardroom.sim.twentyone.counted_round import (
    BINS,
    FLOOR,
    HIGHEST,
    INSURED,
    LOWEST,
    MONEY,
    MONEY_SQUARED,
    NEAREST,
    PLAYED,
    SEEN,
    STAKED,
    SUMS,
    TRUNCATE,
    WON,
    WON_SQUARED,
    DealtOtherwise,
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
from cardroom.sim.twentyone.counter_tables import CountTables
from cardroom.sim.twentyone.dealing import DEAD, END, NEXT, begin_round, take_card
from cardroom.sim.twentyone.kernel import Room
from cardroom.sim.twentyone.side_machines import draw_machines
from cardroom.sim.twentyone.sides import SideTables
from cardroom.sim.twentyone.tables import DEALER_BLACKJACK

__all__ = [
    "BINS",
    "FLOOR",
    "HIGHEST",
    "INSURED",
    "LOWEST",
    "MONEY",
    "MONEY_SQUARED",
    "NEAREST",
    "PLAYED",
    "SEEN",
    "STAKED",
    "SUMS",
    "TRUNCATE",
    "WON",
    "WON_SQUARED",
    "CountGame",
    "OtherCountGame",
    "Room",
    "play_counting",
]

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
    dealer_alone: NDArray[np.int8]
    column_of: NDArray[np.uint8]
    has_hole: bool
    looks: bool
    sees_both: bool
    original_only: bool
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
    on_second: NDArray[np.bool_]
    """[side bet]: whether it looks at the dealer's second card."""

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
            on_second=sides.on_second,
        )


class OtherCountGame(CountGame, DealtOtherwise):
    """The same of a table where the dealer's cards are not looked at, or all are seen."""

    __slots__ = ()


@inlined
def _place_now(running: Any, before: Any, hidden: Any, lane: Any, marks: Any, game: Any) -> Any:
    """The place of the count in the middle of a round, where so many dealt cards are hidden.

    Once the discards are dealt again, only the cards on the table are known to be gone.
    """
    if marks[lane, END] == game.cards:
        unseen = np.int64(game.cards - marks[lane, NEXT]) + hidden
        return place_of_count(running, game.inverse[unseen], game.rounding)
    unseen = np.int64(marks[lane, END] - marks[lane, NEXT]) + hidden - game.plan[2]
    return place_of_count(running - before + game.start, game.inverse[unseen], game.rounding)


@compiled_for(see)
def _see(seen: Any, card: Any, game: Any) -> Any:
    if not isinstance(seen, types.Integer):
        return None

    def add(seen: Any, card: Any, game: Any) -> Any:
        return seen + game.tags[card]

    return add


@compiled_for(row_now)
def _row_now(who: Any, seen: Any, before: Any, hidden: Any, lane: Any, marks: Any, game: Any) -> Any:
    if not isinstance(seen, types.Integer):
        return None

    def row(who: Any, seen: Any, before: Any, hidden: Any, lane: Any, marks: Any, game: Any) -> Any:
        return game.row_of[_place_now(seen, before, hidden, lane, marks, game)]

    return row


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
    cards, burned = game.cards, game.plan[2]
    value_of, needs_dealer = game.value_of, game.needs_dealer
    firsts, seconds, all_ends = room.firsts, room.seconds, room.spot_ends
    ends, waiting, machine_states = room.ends[0], room.waiting, room.machine_states
    machines, spot_of = game.machine_start.shape[0], room.spot_of
    hidden = burned + hidden_cards(game)
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
                if seated:
                    wager = bounded_wager(wager, last, game.cover)
                last = wager
            here = others + (spots if seated else 0)
            for spot in range(here):
                firsts[spot] = take_card(lane, states, shoes, marks, cards, False)
                running = see(running, firsts[spot], game)
            up_card = take_card(lane, states, shoes, marks, cards, False)
            running = see(running, up_card, game)
            for spot in range(here):
                seconds[spot] = take_card(lane, states, shoes, marks, cards, False)
                running = see(running, seconds[spot], game)
            up = np.int64(value_of[up_card])
            hole, dealer, column = dealt_to_dealer(lane, up, game, states, shoes, marks)
            if sees_both(game):
                running = see(running, hole, game)
            blackjack = knows_blackjack(game) and dealer == -1 - DEALER_BLACKJACK
            dead = marks[lane, DEAD] != 0
            staked_sides = seated and not dead and makes_sides(count, game.side_from)
            if staked_sides:
                deal_sides(firsts[others], seconds[others], up_card, hole, game, scratch, machine_states)
            insured = False
            won = np.int64(0)
            if up == 0 and seated and not dead:
                now = _place_now(running, before, hidden, lane, marks, game) + LOWEST
                if now >= game.insure_from:
                    insured, won = insured_spots(others, here, firsts, seconds, up_card, hole, game)
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
                    hands, running = play_spot(
                        lane,
                        spot - others,
                        column,
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
                    if not is_looked(game):
                        spot_of[played] = spot
                    played += 1
                    needed = needed or needs_dealer[ends[hand]]
                needed = needed or (hands > 1 and undone_by_blackjack(up, game))
            if turns_hole_late(game):
                running = see(running, hole, game)
            if second_is_late(game) and marks[lane, DEAD] == 0:
                if insured or (staked_sides and wants_second(count, game.side_from, game)):
                    hole = take_card(lane, states, shoes, marks, cards, False)
                    running = see(running, hole, game)
                    dealer = np.int64(game.dealer_take[dealer, hole])
                    if staked_sides:
                        mine = firsts[others], seconds[others]
                        second_to_sides(mine[0], mine[1], up_card, hole, game, scratch, machine_states)
            if insured and not knows_blackjack(game):
                won = np.int64(0)  # it is returned when the round is dead
                if marks[lane, DEAD] == 0:
                    _, won = insured_spots(others, here, firsts, seconds, up_card, hole, game)
            while needed and dealer >= 0 and marks[lane, DEAD] == 0:
                card = take_card(lane, states, shoes, marks, cards, False)
                running = see(running, card, game)
                dealer = np.int64(game.dealer_take[dealer, card])
                if staked_sides and machines > 0:
                    draw_machines(card, game.machine_take, machine_states, machines)
            dead = marks[lane, DEAD] != 0
            totals[1] += np.int64(dead)
            bins[place, SEEN] += 1
            if not seated:
                continue
            final = max(-1 - dealer, 0)
            units, staked = paid_hands(mine_from, played, all_ends, spot_of, up, final, dead, game)
            won += units * game.parts
            money = wager * won
            if staked_sides and not dead:
                money += settle_sides(
                    count, game.side_from, game.side_nets, game, scratch, machine_states, side_lines
                )
            add_round(bins[place], wager, won, staked, money, insured)
            if written < trace.shape[0]:
                trace[written, 0] = count
                trace[written, 1] = wager
                trace[written, 2] = money
                trace[written, 3] = np.int64(marks[lane, NEXT])
                trace[written, 4] = np.int64(insured)
                trace[written, 5] = running
                written += 1
