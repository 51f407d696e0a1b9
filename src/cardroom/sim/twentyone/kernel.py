"""The kernels of the blackjack family: one round of several spots, and waves of rounds of one spot.

`play_round` is the round as a dealer plays it, spot by spot. `play_waves` plays many lanes abreast, stage by
stage: all first cards, then every hand that takes a card, again and again, then the dealers, then the pays.
A lane that is done leaves the list by an addition instead of a branch, so that the processor never guesses
wrong; that is what makes it fast. Both take the same cards in the same order and give the same results. Side
bets that are followed card by card are counted by `play_round` alone.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.sim.compiled import inlined, kernel, part
from cardroom.sim.twentyone.dealing import DEAD, begin_round, take_card, take_four
from cardroom.sim.twentyone.room import MOST_SPOTS, Room, Tallies
from cardroom.sim.twentyone.round_parts import (
    count_insurance,
    first_taken,
    left_unplayed,
    pay_all,
    where_dealt,
)
from cardroom.sim.twentyone.side_machines import (
    count_machines,
    deal_machines,
    draw_machines,
    hand_to_machines,
    second_to_machines,
    third_to_machines,
    waits_for_third,
)
from cardroom.sim.twentyone.sides import (
    SideTables,
    count_sides,
    count_sides_at_second,
    count_sides_at_up,
)
from cardroom.sim.twentyone.tables import DEALER_BLACKJACK, SPLIT, PlayTables

__all__ = [
    "COUNTERS",
    "MOST_SPOTS",
    "NO_CARD",
    "Game",
    "Room",
    "Tallies",
    "play_hands",
    "play_round",
    "play_rounds",
    "play_waves",
]

_ONE: Final = np.uint64(1)
MAKE_BLACKJACK: Final = (0, 9)  # those of an ace and of a ten-valued card
NO_CARD: Final = np.uint8(255)  # for the second card of a split hand when the shoe was out

# What is counted besides results.
STAKED: Final = 0  # units wagered in all
SHOES: Final = 1
DEAD_ROUNDS: Final = 2
SUPER_BONUSES: Final = 3
ACES_UP: Final = (
    4  # and behind it dealer's blackjacks with an ace up, by the number of their line of insurance
)
COUNTERS: Final = 8  # at least


class Game(NamedTuple):
    """The tables as kernels take them."""

    ends: int
    deal: NDArray[np.int16]
    looked: NDArray[np.int16]
    take: NDArray[np.int16]
    split_deal: NDArray[np.int16]
    pay: NDArray[np.int32]
    stake: NDArray[np.int32]
    needs_dealer: NDArray[np.bool_]
    super_bonus: NDArray[np.bool_]
    dealer_start: NDArray[np.int8]
    dealer_take: NDArray[np.int8]
    has_hole: bool
    looks: bool
    original_only: bool
    dealer_alone: NDArray[np.int8]
    column_of: NDArray[np.uint8]
    sees_both: bool
    void: int
    max_hands: int
    value_of: NDArray[np.uint8]
    insured: NDArray[np.uint8]
    """[suit of an ace up, hole card]: the number of the line of insurance that is paid; 0: it is lost."""
    cards: np.uint64
    """How many cards a shoe has."""
    infinite: bool
    plan: NDArray[np.int64]
    lines_of_three: NDArray[np.uint8]
    third_is_hole: NDArray[np.bool_]
    lines_of_four: NDArray[np.uint8]
    machine_start: NDArray[np.int16]
    machine_take: NDArray[np.int16]
    machine_line: NDArray[np.uint8]
    machine_is_open: NDArray[np.bool_]
    plays_dealer: bool
    """Whether a side bet wants the dealer's hand played out, whatever the hands are."""
    on_third_card: bool
    machine_on_hand: NDArray[np.bool_]
    takes_second: bool
    """Whether there is no hole card, and a side bet wants the dealer's second card (21-1.19)."""

    @property
    def in_waves(self) -> bool:
        """… and a hole card that nobody sees: whether `play_waves` knows how the dealer's cards lie."""
        return self.looks and not self.sees_both

    @classmethod
    def of(
        cls,
        tables: PlayTables,
        *,
        insured: NDArray[np.uint8],
        cards: int,
        infinite: bool,
        plan: NDArray[np.int64],
        sides: SideTables,
    ) -> Game:
        kept = {name: getattr(tables, name) for name in cls._fields if hasattr(tables, name)}
        return cls(
            **kept,
            insured=insured,
            cards=np.uint64(cards),
            infinite=infinite,
            plan=plan,
            lines_of_three=sides.lines_of_three,
            third_is_hole=sides.third_is_hole,
            lines_of_four=sides.lines_of_four,
            machine_start=sides.machines.start,
            machine_take=sides.machines.take,
            machine_line=sides.machines.line,
            machine_is_open=sides.machines.is_open,
            plays_dealer=sides.machines.plays_dealer,
            on_third_card=sides.machines.on_third_card,
            machine_on_hand=sides.machines.on_players_hand,
            takes_second=not tables.has_hole and bool(sides.on_second.any()),
        )


@part
def play_hands(
    lane: Any,
    up: Any,
    first: Any,
    second: Any,
    deal: Any,
    split_deal: Any,
    take: Any,
    pay: Any,
    first_end: Any,
    void: Any,
    max_hands: Any,
    cards: Any,
    infinite: Any,
    states: Any,
    shoes: Any,
    marks: Any,
    waiting: Any,
    ends: Any,
) -> Any:
    """Play the hands of one spot from its first two cards; writes the end of each, returns how many.

    Split hands get their second cards at once, the left hand first, and are played from the left (21-1.5).
    `waiting` is room for the two cards of hands that wait for their turn.
    """
    left_to_play = 0
    hands = 1
    ended = 0
    point = np.int64(deal[first, second, up])
    while True:
        while point == SPLIT:
            hands += 1
            left = take_card(lane, states, shoes, marks, cards, infinite)
            left_has_none = marks[lane, DEAD] != 0
            right = take_card(lane, states, shoes, marks, cards, infinite)
            waiting[left_to_play, 0] = second
            waiting[left_to_play, 1] = NO_CARD if marks[lane, DEAD] else right
            left_to_play += 1
            second = left
            point = np.int64(split_deal[np.uint64(hands < max_hands), first, second, up])
            if left_has_none:
                point = np.int64(first_end + void)
            elif marks[lane, DEAD]:
                point = left_unplayed(point, first_end, void, pay)
        while point < first_end:
            card = take_card(lane, states, shoes, marks, cards, infinite)
            point = np.int64(take[np.uint64(point), card])
            if marks[lane, DEAD]:
                point = np.int64(first_end + void)
        ends[ended] = point - first_end
        ended += 1
        if left_to_play == 0:
            return ended
        left_to_play -= 1
        first = waiting[left_to_play, 0]
        second = waiting[left_to_play, 1]
        if second == NO_CARD:
            point = np.int64(first_end + void)
        else:
            point = np.int64(split_deal[np.uint64(hands < max_hands), first, second, up])
            if marks[lane, DEAD]:
                point = left_unplayed(point, first_end, void, pay)


@inlined
def play_round(
    lane: Any, spots: Any, game: Any, states: Any, shoes: Any, marks: Any, room: Any, tallies: Any
) -> Any:
    """One round of several spots on a lane; returns the units won by all of them and the units wagered.

    What each spot won is left in `room.spot_won`. It is laid open in its kernels: handing the game's tables
    over for every round takes longer than the round.
    """
    counters = tallies.counters
    counters[SHOES] += begin_round(lane, states, shoes, marks, game.cards, game.infinite, game.plan)
    firsts, seconds, all_ends = room.firsts, room.seconds, room.spot_ends
    spot_of, spot_won = room.spot_of, room.spot_won
    for spot in range(spots):
        firsts[spot] = take_card(lane, states, shoes, marks, game.cards, game.infinite)
    up_card = take_card(lane, states, shoes, marks, game.cards, game.infinite)
    for spot in range(spots):
        seconds[spot] = take_card(lane, states, shoes, marks, game.cards, game.infinite)
    up = game.value_of[up_card]
    hole = np.uint8(0)
    second = np.int64(game.dealer_alone[up])  # the dealer's hand when the players have played
    if game.has_hole:
        hole = take_card(lane, states, shoes, marks, game.cards, game.infinite)
        second = np.int64(game.dealer_start[up, hole])
    dealer = second if game.looks else np.int64(0)
    # Where a blackjack may still undo all but the original wager, a spot that was split waits for it.
    undone = game.original_only and up in MAKE_BLACKJACK
    column = game.column_of[up, hole]
    dead = marks[lane, DEAD] != 0
    machines, machine_states = game.machine_start.shape[0], room.machine_states
    if machines > 0:
        deal_machines(firsts[0], seconds[0], up_card, game.machine_start, game.machine_take, machine_states)
        if game.has_hole:
            second_to_machines(hole, game.machine_take, machine_states, machines)
    if not dead:
        if game.takes_second:
            count_sides_at_up(firsts[0], seconds[0], up_card, game, tallies.side_lines)
        else:
            count_sides(
                firsts[0],
                seconds[0],
                up_card,
                hole,
                game.lines_of_three,
                game.third_is_hole,
                game.lines_of_four,
                tallies.side_lines,
            )
        if game.looks:
            count_insurance(up, up_card, hole, game.insured, ACES_UP, counters)
    ends = room.ends[0]
    played = 0
    needed = game.plays_dealer and not dead
    third, has_third = np.uint8(0), False
    before = where_dealt(lane, states, marks)
    for spot in range(spots):
        hands = 1
        if dead:
            ends[0] = game.void
        elif dealer == -1 - DEALER_BLACKJACK:
            ends[0] = np.int64(game.looked[firsts[spot], seconds[spot]]) - game.ends
        else:
            hands = play_hands(
                lane,
                column,
                firsts[spot],
                seconds[spot],
                game.deal,
                game.split_deal,
                game.take,
                game.pay,
                game.ends,
                game.void,
                game.max_hands,
                game.cards,
                game.infinite,
                states,
                shoes,
                marks,
                room.waiting,
                ends,
            )
        if spot == 0 and game.on_third_card:
            has_third, third = first_taken(before, lane, states, shoes, marks, game.cards, game.infinite)
        if spot == 0 and machines > 0 and dealer != -1 - DEALER_BLACKJACK and marks[lane, DEAD] == 0:
            seen = firsts[0], seconds[0], up_card, hole
            hand_to_machines(before, column, seen, game, lane, shoes, machine_states)
        for hand in range(hands):
            all_ends[played] = ends[hand]
            spot_of[played] = spot
            played += 1
            needed = needed or game.needs_dealer[ends[hand]] or (undone and hands > 1)
    if game.on_third_card and marks[lane, DEAD] == 0:
        if not has_third and waits_for_third(game.machine_is_open, machine_states, machines):
            third = take_card(lane, states, shoes, marks, game.cards, game.infinite)
        third_to_machines(third, game.machine_take, machine_states, machines)
    dealer = second
    if game.takes_second and marks[lane, DEAD] == 0:
        hole = take_card(lane, states, shoes, marks, game.cards, game.infinite)
        dealer = np.int64(game.dealer_take[dealer, hole])
        if marks[lane, DEAD] == 0:
            second_to_machines(hole, game.machine_take, machine_states, machines)
            count_sides_at_second(firsts[0], seconds[0], up_card, hole, game, tallies.side_lines)
    while needed and dealer >= 0 and marks[lane, DEAD] == 0:
        card = take_card(lane, states, shoes, marks, game.cards, game.infinite)
        dealer = np.int64(game.dealer_take[dealer, card])
        if machines > 0:
            draw_machines(card, game.machine_take, machine_states, machines)
    dead = marks[lane, DEAD] != 0
    if machines > 0 and not dead:
        count_machines(
            game.machine_line,
            machine_states,
            machines,
            game.lines_of_three.shape[0] + game.lines_of_four.shape[0],
            tallies.side_lines,
        )
    counters[DEAD_ROUNDS] += np.int64(dead)
    won = np.int64(0)
    staked = np.int64(0)
    for spot in range(spots):
        spot_won[spot] = 0
    for hand in range(played):
        end = all_ends[hand]
        is_first = hand == 0 or spot_of[hand - 1] != spot_of[hand]
        is_split = not is_first or (hand + 1 < played and spot_of[hand + 1] == spot_of[hand])
        if dead and (game.needs_dealer[end] or (undone and is_split)):
            end = game.void  # undecided when the round died: returned (21-1.13)
        hand_won = np.int64(game.pay[end, max(-1 - dealer, 0)])
        if undone and dealer == -1 - DEALER_BLACKJACK and not is_first:
            hand_won = np.int64(0)  # a wager that was added comes back (21-1.26)
        won += hand_won
        spot_won[spot_of[hand]] += hand_won
        staked += game.stake[end]
        counters[SUPER_BONUSES] += np.int64(game.super_bonus[end, up])
    middle = tallies.nets.shape[1] // 2
    tallies.nets[up, middle + won] += 1
    counters[STAKED] += staked
    return won, staked


@kernel
def play_rounds(
    rounds: Any, spots: Any, game: Any, states: Any, shoes: Any, marks: Any, room: Any, tallies: Any
) -> Any:
    """Rounds of several spots, lane by lane; `rounds[lane]` of each."""
    for lane in range(np.uint64(rounds.size)):
        for _ in range(rounds[lane]):
            play_round(lane, spots, game, states, shoes, marks, room, tallies)


@kernel
def play_waves(rounds: Any, game: Any, states: Any, shoes: Any, marks: Any, room: Any, tallies: Any) -> Any:
    """Rounds of one spot, all lanes abreast; `rounds[lane]` of each, most first."""
    # Tables by names of their own: reaching into a record costs time in a loop.
    first_end, void, max_hands = game.ends, game.void, game.max_hands
    deal, looked, take, split_deal = game.deal, game.looked, game.take, game.split_deal
    pay, stake, needs_dealer, super_bonus = game.pay, game.stake, game.needs_dealer, game.super_bonus
    dealer_start, dealer_take, value_of = game.dealer_start, game.dealer_take, game.value_of
    cards, infinite, plan = game.cards, game.infinite, game.plan
    lines_of_three, third_is_hole, lines_of_four = game.lines_of_three, game.third_is_hole, game.lines_of_four
    nets, side_lines, counters, insured = tallies.nets, tallies.side_lines, tallies.counters, game.insured
    sides = lines_of_three.shape[0] + lines_of_four.shape[0] > 0
    middle = nets.shape[1] // 2
    points, ups, dealers, firsts, seconds = room.points, room.ups, room.dealers, room.firsts, room.seconds
    hands, split_ends, waiting, active, splits = room.hands, room.ends, room.waiting, room.active, room.splits
    shoes_begun = staked = dead_rounds = super_bonuses = np.int64(0)
    playing = np.uint64(rounds.size)
    for turn in range(rounds[0]):
        while rounds[np.int64(playing) - 1] <= turn:
            playing -= _ONE
        # The first four cards, and the point of every hand.
        count = np.uint64(0)
        to_split = np.uint64(0)
        for lane in range(playing):
            shoes_begun += begin_round(lane, states, shoes, marks, cards, infinite, plan)
            first, up_card, second, hole = take_four(lane, states, shoes, marks, cards, infinite)
            up = value_of[up_card]
            dealer = dealer_start[up, hole]
            blackjack = dealer == -1 - DEALER_BLACKJACK
            point = looked[first, second] if blackjack else deal[first, second, up]
            if marks[lane, DEAD]:
                point = np.int16(first_end + void)
            else:
                count_insurance(up, up_card, hole, insured, ACES_UP, counters)
                if sides:
                    count_sides(
                        first, second, up_card, hole, lines_of_three, third_is_hole, lines_of_four, side_lines
                    )
            points[lane] = point
            ups[lane] = up
            dealers[lane] = dealer
            firsts[lane] = first
            seconds[lane] = second
            hands[lane] = 1
            active[count] = lane
            count += np.uint64((point >= 0) & (point < first_end))
            splits[to_split] = lane
            to_split += np.uint64(point == SPLIT)
        # Every hand that takes cards.
        while count > 0:
            kept = np.uint64(0)
            for index in range(count):
                lane = active[index]
                card = take_card(lane, states, shoes, marks, cards, infinite)
                point = take[np.uint64(points[lane]), card]
                if card == 0 and marks[lane, DEAD]:  # what a dead round gives for a card
                    point = np.int16(first_end + void)
                points[lane] = point
                active[kept] = lane
                kept += np.uint64(point < first_end)
            count = kept
        # The few spots that split, one by one.
        for index in range(to_split):
            lane = splits[index]
            ends = split_ends[lane]
            played = play_hands(
                lane,
                ups[lane],
                firsts[lane],
                seconds[lane],
                deal,
                split_deal,
                take,
                pay,
                first_end,
                void,
                max_hands,
                cards,
                infinite,
                states,
                shoes,
                marks,
                waiting,
                ends,
            )
            hands[lane] = played
            points[lane] = first_end + ends[0]
            for hand in range(played):
                if needs_dealer[ends[hand]]:
                    points[lane] = first_end + ends[hand]
        # The dealers who must play.
        for lane in range(playing):
            needed = needs_dealer[np.uint64(points[lane] - first_end)] & (marks[lane, DEAD] == 0)
            active[count] = lane
            count += np.uint64(needed & (dealers[lane] >= 0))
        while count > 0:
            kept = np.uint64(0)
            for index in range(count):
                lane = active[index]
                card = take_card(lane, states, shoes, marks, cards, infinite)
                dealer = dealer_take[np.uint64(dealers[lane]), card]
                dealers[lane] = dealer
                active[kept] = lane
                kept += np.uint64((dealer >= 0) & (marks[lane, DEAD] == 0))
            count = kept
        # The pays.
        for lane in range(playing):
            final = np.uint64(max(-1 - dealers[lane], 0))
            end = np.uint64(points[lane] - first_end)
            if hands[lane] == 1 and marks[lane, DEAD] == 0:
                won = np.int64(pay[end, final])
                staked += np.int64(stake[end])
                super_bonuses += np.int64(super_bonus[end, ups[lane]])
            else:
                dead = marks[lane, DEAD] != 0
                dead_rounds += np.int64(dead)
                if hands[lane] == 1:
                    split_ends[lane, 0] = end
                won, on_all = pay_all(
                    split_ends[lane], hands[lane], final, dead, pay, stake, needs_dealer, void
                )
                staked += on_all
            nets[ups[lane], np.uint64(middle + won)] += 1
    counters[SHOES] += shoes_begun
    counters[STAKED] += staked
    counters[DEAD_ROUNDS] += dead_rounds
    counters[SUPER_BONUSES] += super_bonuses
