"""What the cut card costs the player, simulated.

If every shoe served the same number of rounds, each round would be worth what the first one is. With a cut
card the number of rounds depends on the cards: a shoe whose low cards come early serves fewer rounds, and
ends before the high cards that are left. So of every shoe only the rounds count by which it departs from a
fixed number: those beyond it are added, and those it falls short of are dealt behind the cut card and
subtracted. All others are worth what is known already, and do not blur the estimate.
"""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from cardroom.core.errors import MalformedInput
from cardroom.rules.twentyone.schema import TwentyOneRules
from cardroom.sim.compiled import kernel
from cardroom.sim.twentyone.dealing import END, NEXT, SERVED, Dealing, new_marks
from cardroom.sim.twentyone.job import Job
from cardroom.sim.twentyone.kernel import Room, play_round
from cardroom.sim.twentyone.stream import seed_key, stream_states

LANES: Final = 64
"""Streams that the shoes are dealt from, whatever the number of threads."""
LEAST_SHOES: Final = LANES * 2
_FIRST_SHOES: Final = 20
"""Shoes of each lane from which the fixed number of rounds is taken; they do not count."""


@dataclass(frozen=True, slots=True)
class CutCardEffect:
    """A player alone at the table, a shoe after a shoe."""

    cut_cards: int
    """How many cards lie behind the cut card."""
    shoes: int
    seed: int
    rounds_per_shoe: float
    effect: float
    """What a round gains for the player, below zero loses, against one from a fresh shoe; in wagers."""
    standard_error: float

    def to_json(self) -> dict[str, Any]:
        return {
            "method": "simulated",
            "cards_behind_the_cut_card": self.cut_cards,
            "shoes": self.shoes,
            "seed": self.seed,
            "rounds_per_shoe": self.rounds_per_shoe,
            "effect_on_the_player_percent": 100 * self.effect,
            "standard_error_percent": 100 * self.standard_error,
        }


def cut_card_effect(
    rules: TwentyOneRules,
    actions: NDArray[np.int8],
    value: float,
    shoes: int,
    *,
    seed: int,
    cut_cards: int | None = None,
    wager_cents: int | None = None,
    workers: int = 1,
) -> CutCardEffect:
    """Deal shoes to their cut card; `value` is what a round from a fresh shoe is worth.

    The cut card lies where the house puts it unless said otherwise.
    """
    if rules.decks == "infinite":
        raise MalformedInput("infinitely many decks have no cut card; set decks to 1 … 8")
    if shoes < LEAST_SHOES:
        raise MalformedInput(f"{shoes} shoes are too few for an error; it takes {LEAST_SHOES}")
    behind = Dealing.house(rules).cut_cards if cut_cards is None else cut_cards
    assert behind is not None
    dealing = Dealing(None, None, rules.procedure.burn_cards)
    job = Job.of(rules, actions, seed=seed, dealing=dealing, side_bets=False, wager_cents=wager_cents)
    job.prepared.game  # noqa: B018  # made once, before threads ask for it
    cut = rules.shoe().total - behind
    states = stream_states(seed_key(seed), 0, LANES).reshape(LANES, -1)
    first = np.sum([_dealt(job, states[lane], _FIRST_SHOES, 1, cut) for lane in range(LANES)], axis=0)
    fixed = max(1, round(float(first[ENDED]) / (LANES * _FIRST_SHOES)))
    per_lane = -(-shoes // LANES)
    play = partial(_dealt, job, shoes=per_lane, fixed=fixed, cut=cut)
    with ThreadPoolExecutor(workers) as threads:
        sums = np.sum([*threads.map(play, states)], axis=0)
    number = per_lane * LANES
    unit = float(job.prepared.tables.unit)
    ended, beyond, more = (float(sums[at]) / number for at in (ENDED, BEYOND, MORE))
    # Of each shoe: what the rounds beyond the fixed number won, less what such rounds are worth.
    mean = more / unit - value * beyond
    square = (
        float(sums[MORE_SQUARED]) / unit**2
        - 2 * value * float(sums[MORE_BY_BEYOND]) / unit
        + value**2 * float(sums[BEYOND_SQUARED])
    ) / number
    error = math.sqrt((square - mean**2) / (number - 1))
    return CutCardEffect(behind, number, seed, ended, mean / ended, error / ended)


ENDED: Final = 0  # rounds up to the cut card
BEYOND: Final = 1  # rounds beyond the fixed number, below zero short of it
MORE: Final = 2  # units won in them
MORE_SQUARED: Final = 3
MORE_BY_BEYOND: Final = 4
BEYOND_SQUARED: Final = 5
SUMS: Final = 6


def _dealt(job: Job, states: Any, shoes: int, fixed: int, cut: int) -> NDArray[np.int64]:
    """The sums over some shoes of one lane; its stream goes on where it was."""
    prepared = job.prepared
    tallies = prepared.tallies(np.zeros(prepared.tally_size, np.int64))
    sums = np.zeros(SUMS, np.int64)
    cards, room = prepared.cards.copy(), Room.of(1)
    play_shoes(shoes, fixed, cut, prepared.game, states, cards, new_marks(1), room, tallies, sums)
    return sums


@kernel
def play_shoes(
    number: Any,
    fixed: Any,
    cut: Any,
    game: Any,
    states: Any,
    shoes: Any,
    marks: Any,
    room: Any,
    tallies: Any,
    sums: Any,
) -> Any:
    """Play shoes of one spot to the cut card, and on to the fixed number of rounds where that is further."""
    lane = np.uint64(0)
    for _ in range(number):
        marks[lane, SERVED] = np.uint64(0)  # a new shoe
        played = ended = more = np.int64(0)
        while ended == 0 or played < fixed:
            won, _ = play_round(lane, 1, game, states, shoes, marks, room, tallies)
            played += 1
            ran_out = marks[lane, END] != game.cards
            if ended != 0:
                more -= won
            else:
                if played > fixed:
                    more += won
                if ran_out or np.int64(marks[lane, NEXT]) >= cut:
                    ended = played
            if ran_out:
                break
        beyond = ended - fixed
        sums[ENDED] += ended
        sums[BEYOND] += beyond
        sums[MORE] += more
        sums[MORE_SQUARED] += more * more
        sums[MORE_BY_BEYOND] += more * beyond
        sums[BEYOND_SQUARED] += beyond * beyond
