"""How shoes are dealt in a simulation, and the one way every kernel takes a card.

A card is swapped to the next place from a place not yet dealt (Fisher and Yates), so a shoe is shuffled as
far as it is dealt; starting again at place 0 is a new shuffle. When a shoe runs out in the middle of a round
its discards are shuffled in the same way, and without discards the round is dead (21-1.13).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from cardroom.core.errors import MalformedInput
from cardroom.rules.twentyone.cuts import dealer_cut_range
from cardroom.rules.twentyone.schema import TwentyOneRules
from cardroom.sim.compiled import inlined, part
from cardroom.sim.twentyone.stream import next_word, place_of

_NO_END: Final = 1 << 30


@dataclass(frozen=True, slots=True)
class Dealing:
    """When a new shoe begins: after so many rounds, or after the round in which the cut card comes out."""

    rounds_per_shoe: int | None = 1
    cut_cards: int | None = None
    """How many cards lie behind the cut card."""
    burn_cards: int = 0

    @classmethod
    def fresh(cls) -> Dealing:
        """A new shoe for every round: what exact figures speak of."""
        return cls()

    @classmethod
    def house(cls, rules: TwentyOneRules) -> Dealing:
        """As the house deals: burn, and the dealer's cut in the middle of its range (PROC-6, PROC-7)."""
        if rules.decks == "infinite":
            return cls.fresh()
        return cls(None, dealer_cut_range(rules).middle, rules.procedure.burn_cards)

    def plan(self, shoe_cards: int) -> NDArray[np.int64]:
        """For kernels: place of the cut card, rounds per shoe, cards burned."""
        if self.rounds_per_shoe is not None and self.rounds_per_shoe < 1:
            raise MalformedInput(f"a shoe serves at least 1 round, not {self.rounds_per_shoe}")
        if self.cut_cards is not None and self.cut_cards < 0:
            raise MalformedInput(
                f"{self.cut_cards} cards behind the cut card are not allowed; allowed: 0 or more"
            )
        cut = _NO_END if self.cut_cards is None else shoe_cards - self.cut_cards
        if cut <= self.burn_cards:
            raise MalformedInput(
                f"{self.cut_cards} cards behind the cut card leave none of {shoe_cards} to deal"
            )
        return np.array([cut, self.rounds_per_shoe or _NO_END, self.burn_cards], np.int64)


def shoe_cards(rules: TwentyOneRules) -> NDArray[np.uint8]:
    """The cards of a full shoe by index; of one deck where every card comes from infinitely many."""
    return np.array([card.index for card in rules.shoe().cards()], np.uint8)


# A lane is a place to play: one stream, one shoe. `mark[lane]` holds the places below.
NEXT: Final = np.uint64(0)  # the place of the next card
END: Final = np.uint64(1)  # the place after the last card that may be dealt
ROUND: Final = np.uint64(2)  # the place at which the round began; the discards lie before it
DEAD: Final = np.uint64(3)  # 1 when the round is dead
SERVED: Final = np.uint64(4)  # rounds played from this shoe
MARKS: Final = 5


def new_marks(lanes: int) -> NDArray[np.uint64]:
    """Lanes that have not been dealt from yet."""
    return np.zeros((lanes, MARKS), np.uint64)


@inlined
def _swapped(shoes: Any, here: Any, further: Any) -> Any:
    """The card that lies so much further on, swapped to here."""
    there = here + further
    card = shoes[there]
    shoes[there] = shoes[here]
    shoes[here] = card
    return card


@inlined
def take_card(lane: Any, states: Any, shoes: Any, marks: Any, cards: Any, infinite: Any) -> Any:
    """The next card of a lane."""
    place = marks[lane, NEXT]
    if not infinite and place >= marks[lane, END]:  # beyond it where the round is dead
        place = _after_the_last(lane, marks)
        if marks[lane, DEAD]:
            return np.uint8(0)
    at = lane * np.uint64(4)
    word, a, b, c, d = next_word(
        states[at], states[at + np.uint64(1)], states[at + np.uint64(2)], states[at + np.uint64(3)]
    )
    states[at] = a
    states[at + np.uint64(1)] = b
    states[at + np.uint64(2)] = c
    states[at + np.uint64(3)] = d
    if infinite:
        return shoes[place_of(word, cards)]
    marks[lane, NEXT] = place + np.uint64(1)
    return _swapped(shoes, lane * cards + place, place_of(word, marks[lane, END] - place))


@inlined
def take_four(lane: Any, states: Any, shoes: Any, marks: Any, cards: Any, infinite: Any) -> Any:
    """The next four cards of a lane, the same as one by one, with the stream's state kept at hand."""
    place = marks[lane, NEXT]
    end = marks[lane, END]
    if not infinite and place + np.uint64(4) > end:
        first = take_card(lane, states, shoes, marks, cards, infinite)
        second = take_card(lane, states, shoes, marks, cards, infinite)
        third = take_card(lane, states, shoes, marks, cards, infinite)
        return first, second, third, take_card(lane, states, shoes, marks, cards, infinite)
    at = lane * np.uint64(4)
    a = states[at]
    b = states[at + np.uint64(1)]
    c = states[at + np.uint64(2)]
    d = states[at + np.uint64(3)]
    one, a, b, c, d = next_word(a, b, c, d)
    two, a, b, c, d = next_word(a, b, c, d)
    three, a, b, c, d = next_word(a, b, c, d)
    four, a, b, c, d = next_word(a, b, c, d)
    states[at] = a
    states[at + np.uint64(1)] = b
    states[at + np.uint64(2)] = c
    states[at + np.uint64(3)] = d
    if infinite:
        return (
            shoes[place_of(one, cards)],
            shoes[place_of(two, cards)],
            shoes[place_of(three, cards)],
            shoes[place_of(four, cards)],
        )
    marks[lane, NEXT] = place + np.uint64(4)
    here = lane * cards + place
    first = _swapped(shoes, here, place_of(one, end - place))
    second = _swapped(shoes, here + np.uint64(1), place_of(two, end - place - np.uint64(1)))
    third = _swapped(shoes, here + np.uint64(2), place_of(three, end - place - np.uint64(2)))
    return (
        first,
        second,
        third,
        _swapped(shoes, here + np.uint64(3), place_of(four, end - place - np.uint64(3))),
    )


@part
def _after_the_last(lane: Any, marks: Any) -> Any:
    """The shoe is out: deal on from the discards, or the round is dead (21-1.13)."""
    if marks[lane, ROUND] == 0:
        marks[lane, DEAD] = np.uint64(1)
    marks[lane, END] = marks[lane, ROUND]
    marks[lane, ROUND] = np.uint64(0)  # they serve once
    return np.uint64(0)


@inlined
def begin_round(lane: Any, states: Any, shoes: Any, marks: Any, cards: Any, infinite: Any, plan: Any) -> Any:
    """Make a lane ready for a round; 1 when it starts on a new shoe."""
    new_shoe = np.int64(0)
    if not infinite:
        served = marks[lane, SERVED]
        out = marks[lane, END] != cards or np.int64(marks[lane, NEXT]) >= plan[0]
        if served == 0 or out or np.int64(served) >= plan[1]:
            new_shoe = np.int64(1)
            marks[lane, NEXT] = np.uint64(0)
            marks[lane, END] = cards
            marks[lane, SERVED] = np.uint64(0)
            for _ in range(plan[2]):
                take_card(lane, states, shoes, marks, cards, infinite)
        marks[lane, ROUND] = marks[lane, NEXT]
        marks[lane, DEAD] = np.uint64(0)
        marks[lane, SERVED] += np.uint64(1)
    return new_shoe
