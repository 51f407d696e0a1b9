"""Where the kernels of the blackjack family keep what they are about, and what they count."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.sim.twentyone.side_machines import MOST_MACHINES

MOST_SPOTS: Final = 7
_MOST_HANDS: Final = 4


class Room(NamedTuple):
    """Where kernels keep what they are about; made once, since they themselves allocate nothing."""

    points: NDArray[np.int16]
    ups: NDArray[np.uint8]
    dealers: NDArray[np.int8]
    firsts: NDArray[np.uint8]
    seconds: NDArray[np.uint8]
    hands: NDArray[np.uint8]
    ends: NDArray[np.int64]
    waiting: NDArray[np.uint8]
    active: NDArray[np.uint64]
    """A list of lanes, with a spare place: written and not counted when a lane is left out."""
    splits: NDArray[np.uint64]
    spot_ends: NDArray[np.int64]
    """[hand of the round]: its end, of all spots one after the other."""
    spot_of: NDArray[np.int64]
    """[hand of the round]: the spot that it lies on."""
    spot_won: NDArray[np.int64]
    """[spot]: the units that it won in the last round."""
    machine_states: NDArray[np.int64]
    """[side bet that is followed card by card]: where its machine is."""

    @classmethod
    def of(cls, lanes: int) -> Room:
        places = max(lanes, MOST_SPOTS)
        return cls(
            points=np.zeros(lanes, np.int16),
            ups=np.zeros(lanes, np.uint8),
            dealers=np.zeros(lanes, np.int8),
            firsts=np.zeros(places, np.uint8),
            seconds=np.zeros(places, np.uint8),
            hands=np.zeros(lanes, np.uint8),
            ends=np.zeros((lanes, _MOST_HANDS), np.int64),
            waiting=np.zeros((_MOST_HANDS, 2), np.uint8),
            active=np.zeros(lanes + 1, np.uint64),
            splits=np.zeros(lanes + 1, np.uint64),
            spot_ends=np.zeros(_MOST_HANDS * MOST_SPOTS, np.int64),
            spot_of=np.zeros(_MOST_HANDS * MOST_SPOTS, np.int64),
            spot_won=np.zeros(MOST_SPOTS, np.int64),
            machine_states=np.zeros(MOST_MACHINES, np.int64),
        )


class Tallies(NamedTuple):
    """What kernels count."""

    nets: NDArray[np.int64]
    """[up value, units + middle]: rounds by up card and result."""
    counters: NDArray[np.int64]
    side_lines: NDArray[np.int64]
    """[side bet, line]: how often each line came; line 0 loses."""
