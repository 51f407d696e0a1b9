"""The tables of a game and its counter laid out flat for the GPU; see `counted_flat`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from cardroom.sim.twentyone.counted_flat import FlatCounter, Flattener, require_small_counts
from cardroom.sim.twentyone.counter import HIGHEST

if TYPE_CHECKING:
    from cardroom.sim.twentyone.counter_job import CounterJob


def flatten_counter(job: CounterJob) -> FlatCounter:
    """The flat tables of a simulation with a counter."""
    game, cards = job.prepared.game, job.prepared.cards
    require_small_counts(game.start, game.tags[cards])
    insures = job.insure_from <= HIGHEST
    flattener = Flattener(game, cards, game.tags, [len(game.decide) - 1], insures=insures)
    arrays: dict[str, NDArray[Any]] = {
        "tags": game.tags[flattener.examples].astype(np.int32),
        "inverse": game.inverse,
        "row_of": (game.row_of - 1).astype(np.uint8),
        "ramp": game.ramp.astype(np.int32),
        "side_from": np.append(game.side_from, min(game.side_from, default=0)).astype(np.int32),
        "side_nets": game.side_nets,
    }
    sizes = {
        "ROUNDING": game.rounding,
        "SPOTS": job.spots,
        "OTHERS": job.others,
        "INSURES": int(insures),
        "COVERS": int(game.cover > 0),
    }
    numbers = {
        "start": game.start,
        "enter": game.enter,
        "leave": game.leave,
        "insure_from": game.insure_from,
        "parts": game.parts,
        "cover": game.cover,
    }
    return flattener.flat(arrays, sizes, numbers)
