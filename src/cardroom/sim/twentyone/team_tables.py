"""What the kernel of several counters is given: the game's tables, the counts of the table, the counters."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.sim.twentyone.counted_round import DealtOtherwise
from cardroom.sim.twentyone.counter_tables import CountTables
from cardroom.sim.twentyone.sides import SideTables

SUITS: Final = 4
TEAM_TOTALS: Final = (
    4  # shoes, dead rounds, and of all counters together parts of money won, and their squares
)

# What a trace tells of a counter in a round; the wager is 0 where the round is sat out.
TEAM_TRACE: Final = ("count", "wager", "money", "next_place", "insured", "running", "side_count")


class TeamGame(NamedTuple):
    """The tables of a game and of the counters at its table as the kernel takes them."""

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
    """[card, total]: what it adds to each running total, in whole parts."""
    starts: NDArray[np.int64]
    """[total]: of a new shoe."""
    total_of: NDArray[np.int64]
    """[count]: its running total; the first of four where it counts suits."""
    of_suits: NDArray[np.bool_]
    """[count]: whether it is the longest suit's total less the shortest's."""
    inverse: NDArray[np.float64]
    """[count, cards not seen]: one over the whole number that a running count in parts is divided by."""
    rounding: NDArray[np.int64]
    """[count]"""
    wager_by: NDArray[np.int64]
    """[counter]: the count that says what to wager, when to sit down and when to get up."""
    play_by: NDArray[np.int64]
    insure_by: NDArray[np.int64]
    side_by: NDArray[np.int64]
    row_of: NDArray[np.int64]
    """[counter, count]: the row of `decide`."""
    ramp: NDArray[np.int64]
    """[counter, count]: units wagered on each of the counter's spots."""
    spots: NDArray[np.int64]
    enter: NDArray[np.int64]
    leave: NDArray[np.int64]
    insure_from: NDArray[np.int64]
    cover: NDArray[np.int64]
    parts: int
    insurable: NDArray[np.bool_]
    insurance: NDArray[np.int64]
    """[suit of an ace up, hole card]"""
    side_from: NDArray[np.int64]
    """[counter, side bet]"""
    side_nets: NDArray[np.int64]
    """[counter, side bet, line]: parts won with the counter's stake."""
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
    def of(cls, tables: CountTables, sides: SideTables, **others: Any) -> TeamGame:
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


class OtherTeamGame(TeamGame, DealtOtherwise):
    """The same of a table where the dealer's cards are not looked at, or all are seen."""

    __slots__ = ()


class Seats(NamedTuple):
    """Where the kernel keeps what it knows of the counters in a round."""

    running: NDArray[np.int64]
    """[total]"""
    before: NDArray[np.int64]
    """[total]: at the start of the round."""
    seated: NDArray[np.bool_]
    last: NDArray[np.int64]
    """[counter]: the last wager in the shoe."""
    place: NDArray[np.int64]
    """[counter]: of the count by which it wagers."""
    side_count: NDArray[np.int64]
    wager: NDArray[np.int64]
    won: NDArray[np.int64]
    """[counter]: parts won by insurance, for a unit wagered."""
    insured: NDArray[np.bool_]
    staked: NDArray[np.bool_]
    """[counter]: whether a side bet is made."""
    first_spot: NDArray[np.int64]
    first_hand: NDArray[np.int64]
    last_hand: NDArray[np.int64]
    owner: NDArray[np.int64]
    """[spot]: the counter who plays it; −1 for others."""
    machine_states: NDArray[np.int64]
    """[counter, side bet that is followed card by card]"""
    scratch: NDArray[np.int64]
    """[counter, side bet, line]"""

    @classmethod
    def of(cls, totals: int, counters: int, spots: int, machines: int, bets: int, lines: int) -> Seats:
        def numbers() -> NDArray[np.int64]:
            return np.zeros(counters, np.int64)

        def flags() -> NDArray[np.bool_]:
            return np.zeros(counters, np.bool_)

        return cls(
            np.zeros(totals, np.int64),
            np.zeros(totals, np.int64),
            flags(),
            numbers(),
            numbers(),
            numbers(),
            numbers(),
            numbers(),
            flags(),
            flags(),
            numbers(),
            numbers(),
            numbers(),
            np.zeros(spots, np.int64),
            np.zeros((counters, machines), np.int64),
            np.zeros((counters, max(1, bets), lines), np.int64),
        )
