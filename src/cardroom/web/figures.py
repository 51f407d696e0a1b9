"""The figures behind a game, computed once by the rooms below and kept."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from cardroom.core.ids import GameId
from cardroom.exact.figures import WagerFigures
from cardroom.rules import load_rules


def _knockout52() -> Sequence[WagerFigures]:
    from cardroom.exact.knockout52 import wager_figures
    from cardroom.rules.knockout52 import Knockout52Rules

    rules = load_rules("knockout-52")
    assert isinstance(rules, Knockout52Rules)
    return wager_figures(rules)


_SOURCES: Final[Mapping[GameId, Callable[[], Sequence[WagerFigures]]]] = {"knockout-52": _knockout52}
_known: dict[GameId, Sequence[WagerFigures]] = {}


async def figures_of(game: GameId) -> Sequence[WagerFigures] | None:
    """A game's wagers by the house's own rules; None for a game that nothing here can solve yet."""
    if game not in _SOURCES:
        return None
    if game not in _known:
        _known[game] = await asyncio.to_thread(_SOURCES[game])
    return _known[game]
