"""The tables that are stepped abreast: how each stands, and what is seen of it.

A *lane* is a table of its own with its stream, its shoe and a row of numbers that says how its round stands.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.model.twentyone.automaton import NUMBER_OF
from cardroom.rules.twentyone.law import Action
from cardroom.sim.compiled import inlined
from cardroom.sim.twentyone.dealing import MARKS
from cardroom.sim.twentyone.step_tables import StepTables
from cardroom.sim.twentyone.stream import stream_states

STAND: Final = NUMBER_OF[Action.STAND]
HIT: Final = NUMBER_OF[Action.HIT]
DOUBLE: Final = NUMBER_OF[Action.DOUBLE]
SPLIT: Final = NUMBER_OF[Action.SPLIT]
GIVE_UP: Final = NUMBER_OF[Action.SURRENDER]
RESCUE: Final = NUMBER_OF[Action.RESCUE]
PLAYS: Final = len(NUMBER_OF)
INSURE: Final = PLAYS
EVEN_MONEY: Final = PLAYS + 1
FIRST_BET: Final = PLAYS + 2
"""Actions from this number on are bets."""

# What the lane waits for.
BET_PHASE: Final = 0
INSURANCE_PHASE: Final = 1
PLAY_PHASE: Final = 2
SHOWN_PHASE: Final = 3  # the round was over with the deal; a stand ends it
OVER_PHASE: Final = 4

# What is to be done next on a lane; each of these ends with one that comes after it.
WAIT: Final = 0  # for a decision
BEGIN: Final = 1
DEAL: Final = 2
LOOK: Final = 3
PLAY_ON: Final = 4
DEALER_PLAYS: Final = 5
END_ROUND: Final = 6

# The row of a lane: first these numbers.
PHASE: Final = 0
SPOT: Final = 1  # whose turn it is, or was last
HAND: Final = 2
UP_CARD: Final = 3  # -1: not dealt
HOLE_CARD: Final = 4
DEALER: Final = 5  # the dealer's hand as in `PlayTables.dealer_start`
NET: Final = 6  # cents won so far in this round
BET: Final = 7
START: Final = 8  # the place in the shoe at which the round began
NEW_SHOE: Final = 9
DONE: Final = 10  # the episode is over
LOGGED: Final = 11  # how many cards of this round were written down
BEFORE: Final = 12  # ten counts of cards seen in earlier rounds of the shoe
SEEN: Final = BEFORE + 10  # ten counts of cards seen in this round
SPOTS: Final = SEEN + 10
# Then for each spot these, the states of its side bets that are followed card by card, and its hands.
HANDS: Final = 0
INSURED: Final = 1
FIRST_TWO: Final = 2
SIDE_STATES: Final = 4
# Each hand:
STATE: Final = 0
POINTS: Final = 1  # with every ace as 1
ACE: Final = 2
CARDS: Final = 3
FIRST: Final = 4
SECOND: Final = 5
DOUBLES: Final = 6
STATUS: Final = 7
HAND_FIELDS: Final = 8

LIVE: Final = 0
STOOD: Final = 1
CLOSED: Final = 2

FIELDS: Final = (
    "bet",
    "cards",
    "doubles",
    "from_split",
    "hand",
    "hands",
    "new_shoe",
    "pair",
    "soft",
    "spot",
    "state",
    "total",
    "up",
)
"""Rows of `Shown.numbers`."""
VALUES: Final = 10
MOST_LOGGED: Final = 1024

# What an action that is not allowed does.
ENDS: Final = 0
COSTS: Final = 1


class Lanes(NamedTuple):
    """The state of every lane."""

    rows: NDArray[np.int32]
    streams: NDArray[np.uint32]
    shoes: NDArray[np.uint8]
    marks: NDArray[np.uint64]
    log: NDArray[np.uint8]
    """[lane, …]: the cards of the round in their order, where there is room for them."""

    @classmethod
    def of(cls, tables: StepTables, cards: NDArray[np.uint8], lanes: int, *, logged: bool) -> Lanes:
        machines = len(tables.machine_start)
        spot = SIDE_STATES + machines + tables.max_hands * HAND_FIELDS
        return cls(
            np.zeros((lanes, SPOTS + tables.spots * spot), np.int32),
            np.zeros(4 * lanes, np.uint32),
            cards.copy() if tables.infinite else np.tile(cards, lanes),
            np.zeros((lanes, MARKS), np.uint64),
            np.zeros((lanes, MOST_LOGGED) if logged else (0, 0), np.uint8),
        )

    def seed(self, lane: int, seed: int, count: int, cards: NDArray[np.uint8], key: np.uint64) -> None:
        """Give lanes from `lane` on the streams from `seed` on, and shoes in their first order."""
        self.streams[4 * lane : 4 * (lane + count)] = stream_states(key, seed, count).reshape(-1)
        self.rows[lane : lane + count] = 0
        self.marks[lane : lane + count] = 0
        if len(self.shoes) > len(cards) or len(self.marks) == 1:
            self.shoes.reshape(len(self.marks), -1)[lane : lane + count] = cards


class Shown(NamedTuple):
    """What is seen of every lane after a step; column or row `lane`."""

    numbers: NDArray[np.int64]
    seen: NDArray[np.int16]
    mask: NDArray[np.int8]
    rewards: NDArray[np.float64]
    over: NDArray[np.bool_]
    illegal: NDArray[np.bool_]
    ended: NDArray[np.bool_]
    """Whether a round ended with this step; where an episode is a round, as `over`."""
    nets: NDArray[np.int64]
    """The cents won in the round that ended."""

    @classmethod
    def of(cls, lanes: int, actions: int) -> Shown:
        return cls(
            np.zeros((len(FIELDS), lanes), np.int64),
            np.zeros((lanes, VALUES), np.int16),
            np.zeros((lanes, actions), np.int8),
            np.zeros(lanes),
            np.zeros(lanes, np.bool_),
            np.zeros(lanes, np.bool_),
            np.zeros(lanes, np.bool_),
            np.zeros(lanes, np.int64),
        )


@inlined
def spot_at(tables: Any, spot: Any) -> Any:
    """Where the numbers of a spot begin in a lane's row."""
    return SPOTS + spot * (SIDE_STATES + tables.machine_start.shape[0] + tables.max_hands * HAND_FIELDS)


@inlined
def hand_at(tables: Any, spot: Any, hand: Any) -> Any:
    """Where the numbers of a hand begin in a lane's row."""
    return spot_at(tables, spot) + SIDE_STATES + tables.machine_start.shape[0] + hand * HAND_FIELDS
