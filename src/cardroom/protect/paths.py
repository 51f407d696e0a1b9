"""Shoes dealt round by round, as a player sees them who watches every card: what is left before each round.

One spot is played by basic strategy against the dealer, which gives a watcher the most rounds of a shoe.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from cardroom.protect.counts import find_count
from cardroom.protect.habits import Counter
from cardroom.rules.bets import Machine
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.sim.shoe_draws import ShoeDraws
from cardroom.sim.twentyone.counter import BINS, SUMS, TRACE
from cardroom.sim.twentyone.counter_job import TOTALS
from cardroom.sim.twentyone.dealing import shoe_cards

_PLACE = TRACE.index("next_place")
_FEWEST_CARDS = 3
"""Of a round: a blackjack against one card of a dealer without a hole card (21-1.19)."""


@dataclass(frozen=True, eq=False)
class Paths:
    """Rounds of many shoes, one after another; arrays have an entry for each round."""

    rules: TwentyOneRules
    cards: NDArray[np.uint8]
    """[shoe, place]: the shoes in the order in which they were dealt."""
    shoe: NDArray[np.int64]
    """Which of them the round was dealt from."""
    place: NDArray[np.int64]
    """Of the first card of the round."""
    left: NDArray[np.int64]
    """[round, card]: cards that were not seen before it, those burned among them."""

    counted: dict[Machine, NDArray[np.int64]] = field(default_factory=dict)
    """What was counted of side bets already, by their machines."""

    def before(self, cut_cards: int) -> NDArray[np.bool_]:
        """The rounds that are dealt with so many cards behind the cut card."""
        return np.asarray(self.place < self.cards.shape[1] - cut_cards)

    def only(self, rounds: NDArray[np.bool_]) -> Paths:
        """Some of the rounds."""
        return Paths(self.rules, self.cards, self.shoe[rounds], self.place[rounds], self.left[rounds])

    @property
    def unseen(self) -> NDArray[np.int64]:
        return np.asarray(self.left.sum(axis=1), np.int64)


def deal_paths(
    rules: TwentyOneRules, shoes: int, cut_cards: int, seed: int, *, rounds_after_cut: int = 0
) -> Paths:
    """Deal shoes to the cut card.

    The round in which it comes out is the last of the shoe (PROC-6), unless the house deals more after it.
    """
    behind = 0 if rounds_after_cut else cut_cards
    job = Counter(find_count("hi-lo")).job(rules, cut_cards=behind, most_units=1)
    prepared = job.prepared
    full = shoe_cards(rules)
    orders = ShoeDraws(seed).orders(full, shoes)
    most = len(full) // _FEWEST_CARDS + 1
    burned = rules.procedure.burn_cards
    whole = np.bincount(full, minlength=52).astype(np.int64)
    shoe_of: list[NDArray[np.int64]] = []
    places: list[NDArray[np.int64]] = []
    left: list[NDArray[np.int64]] = []
    for number, order in enumerate(orders):
        trace = np.zeros((most, len(TRACE)), np.int64)
        tally = np.zeros(BINS * SUMS + TOTALS, np.int64)
        # A stream of zeros deals the cards as they lie.
        job.play(prepared, np.array([most], np.int64), np.zeros(4, np.uint32), order.copy(), tally, trace)
        starts = _starts(trace[:, _PLACE], burned, len(full) - cut_cards, rounds_after_cut)
        gone = np.zeros((len(full) + 1, 52), np.int64)
        gone[np.arange(1, len(full) + 1), order] = 1
        gone[1 : burned + 1] = 0
        gone = gone.cumsum(axis=0)
        shoe_of.append(np.full(len(starts), number, np.int64))
        places.append(starts)
        left.append(whole - gone[starts])
    return Paths(rules, orders, np.concatenate(shoe_of), np.concatenate(places), np.concatenate(left))


def _starts(next_places: NDArray[np.int64], burned: int, cut: int, after_cut: int) -> NDArray[np.int64]:
    """The places at which the rounds of the first shoe begin; so many are dealt behind the cut card."""
    starts = [burned]
    for place in next_places.tolist():
        after_cut -= place >= cut
        if place <= starts[-1] or after_cut < 0:
            break
        starts.append(place)
    return np.array(starts, np.int64)
