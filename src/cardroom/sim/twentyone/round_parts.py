"""Small parts of a round: insurance counted, the first card that a spot took, the pays of several hands."""

from __future__ import annotations

from typing import Any

import numpy as np

from cardroom.sim.compiled import inlined, part
from cardroom.sim.twentyone.dealing import END, NEXT
from cardroom.sim.twentyone.stream import next_word, place_of


@inlined
def where_dealt(lane: Any, states: Any, marks: Any) -> Any:
    """Where a lane is before cards are taken: its stream, the place of the next card, and the end."""
    at = lane * np.uint64(4)
    stream = states[at], states[at + np.uint64(1)], states[at + np.uint64(2)], states[at + np.uint64(3)]
    return stream, marks[lane, NEXT], marks[lane, END]


@inlined
def count_insurance(up: Any, up_card: Any, hole: Any, insured: Any, aces_up: Any, counters: Any) -> Any:
    """Count an ace up, and behind its place the line of insurance that the hole card under it makes."""
    if up == 0:
        counters[aces_up] += 1
        line = np.int64(insured[up_card // np.uint8(13), hole])
        if line > 0:
            counters[aces_up + line] += 1


@inlined
def left_unplayed(point: Any, first_end: Any, void: Any, pay: Any) -> Any:
    """The point of a hand whose turn has not come when its round is dead (21-1.13).

    Nobody acts any more: who would give a hand up, so that it loses even to a dealer who busts, has it back.
    """
    given_up = point >= first_end and pay[point - first_end, 0] < 0
    return np.int64(first_end + void) if given_up else point


@part
def first_taken(
    before: Any, lane: Any, states: Any, shoes: Any, marks: Any, cards: Any, infinite: Any
) -> Any:
    """Whether cards were taken since a lane was somewhere, and the first of them.

    It is drawn again from endless decks, and lies where it was dealt in a shoe.
    """
    stream, place, end = before
    now, next_place, next_end = where_dealt(lane, states, marks)
    if infinite:
        word = next_word(stream[0], stream[1], stream[2], stream[3])[0]
        return stream != now, shoes[place_of(word, cards)]
    taken = next_place != place or next_end != end
    return taken, shoes[lane * cards + (place if place < end else np.uint64(0))]


@inlined
def peek(ahead: Any, lane: Any, shoes: Any, cards: Any, infinite: Any) -> Any:
    """A card that was dealt where a lane was once, and where the lane was then (see `where_dealt`).

    A shoe that ran out went on from its first card: what was dealt lies where it was dealt.
    """
    stream, place, end = ahead
    if infinite:
        word, a, b, c, d = next_word(stream[0], stream[1], stream[2], stream[3])
        return shoes[place_of(word, cards)], ((a, b, c, d), place, end)
    here = place if place < end else place - end
    return shoes[lane * cards + here], (stream, place + np.uint64(1), end)


@part
def pay_all(
    ends: Any, hands: Any, final: Any, dead: Any, pay: Any, stake: Any, needs_dealer: Any, void: Any
) -> Any:
    """The units won and wagered by several hands; what is undecided in a dead round is returned (21-1.13)."""
    won = np.int64(0)
    staked = np.int64(0)
    for hand in range(hands):
        end = ends[hand]
        if dead and needs_dealer[end]:
            end = void
        won += pay[end, final]
        staked += stake[end]
    return won, staked
