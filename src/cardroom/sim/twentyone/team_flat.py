"""The tables of a game and of the counters at its table laid out flat for the GPU; see `counted_flat`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from cardroom.sim.twentyone.counted_flat import FlatCounter, Flattener, require_small_counts
from cardroom.sim.twentyone.counter import HIGHEST
from cardroom.sim.twentyone.insurance import CODES
from cardroom.sim.twentyone.team_tables import SUITS

if TYPE_CHECKING:
    from cardroom.sim.twentyone.team_job import TeamJob
    from cardroom.sim.twentyone.team_tables import TeamGame

_BITS_OF_A_COUNT: Final = 8
_FEWEST_FROM: Final = HIGHEST + 1


def flatten_team(job: TeamJob) -> FlatCounter:
    """The flat tables of a simulation with several counters, or several counts."""
    game, cards = job.prepared.game, job.prepared.cards
    for total, start in enumerate(game.starts):
        require_small_counts(int(start), game.tags[cards, total])
    counters = len(game.spots)
    insures = bool((game.insure_from <= HIGHEST).any())
    bands = [1 + len(member.job.bands) for member in job.members]
    flattener = Flattener(game, cards, game.tags[:, _of_tags(game)], bands, insures=insures)
    first_rows = np.cumsum([1, *bands[:-1]])
    inverse, inverse_of = np.unique(game.inverse, axis=0, return_inverse=True)
    tags = np.zeros((CODES, game.tags.shape[1]), np.int32)
    tags[flattener.code_of] = game.tags
    arrays: dict[str, NDArray[Any]] = {
        "tags": tags,
        "inverse": inverse,
        "row_of": (game.row_of - first_rows[:, None]).astype(np.uint8),
        "ramp": game.ramp.astype(np.int32),
        "side_from": game.side_from.astype(np.int32),
        "side_nets": game.side_nets,
    }
    sizes = {
        "COUNTERS": counters,
        "COUNTS": len(game.total_of),
        "TOTALS": len(game.starts),
        "INVERSES": len(inverse),
        "SEATS": int(game.spots.sum()),
        "OTHERS": job.others,
        "INSURES": int(insures),
        "COVERS": int((game.cover > 0).any()),
    }
    lists = {
        "SPOTS_OF": game.spots,
        "WAGER_BY": game.wager_by,
        "INSURE_BY": game.insure_by,
        "SIDE_BY": game.side_by,
        "TOTAL_OF": game.total_of,
        "OF_SUITS": game.of_suits,
        "ROUNDING_OF": game.rounding,
        "INVERSE_OF": inverse_of.reshape(-1),
    }
    packed = sum(int(count) << _BITS_OF_A_COUNT * place for place, count in enumerate(game.play_by))
    of_each = {
        "starts": game.starts,
        "enter": game.enter,
        "leave": game.leave,
        "insure_from": game.insure_from,
        "cover": game.cover,
        "sides_from": game.side_from.min(axis=1, initial=_FEWEST_FROM),
    }
    return flattener.flat(
        arrays,
        sizes,
        {
            "parts": game.parts,
            **{
                f"{name}{place}": int(number)
                for name, row in of_each.items()
                for place, number in enumerate(row)
            },
        },
        {
            **{name: ",".join(str(int(number)) for number in row) for name, row in lists.items()},
            "PLAY_BY": f"{packed}ULL",
        },
    )


def _of_tags(game: TeamGame) -> NDArray[np.bool_]:
    """[total]: whether it is of tags, not of the cards of a suit."""
    is_of_tags = np.ones(len(game.starts), np.bool_)
    for count, total in enumerate(game.total_of):
        if game.of_suits[count]:
            is_of_tags[total : total + SUITS] = False
    return is_of_tags
