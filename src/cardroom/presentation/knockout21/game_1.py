"""How Game 1 of Knockout 21 is read, told to players in the same words everywhere (KO21-5.1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from cardroom.rules.knockout21 import Game1Hit

GAME_1_WORDS: Final[Mapping[Game1Hit, tuple[str, str]]] = {
    "ace-keeps-value": (
        "Game 1 adds the hit card unless it busts the hand.",
        "An ace keeps the value it has in the starting hand.",
    ),
    "literal": (
        "Game 1 adds every hit card that does not bust the hand,",
        "also where a soft total becomes a lower hard one.",
    ),
}
"""Two short lines for each reading: they fit a ticket's paper."""


def game_1_sentence(reading: Game1Hit) -> str:
    """The reading in force, in one go.

    >>> game_1_sentence("ace-keeps-value")
    'Game 1 adds the hit card unless it busts the hand. An ace keeps the value it has in the starting hand.'
    """
    return " ".join(GAME_1_WORDS[reading])
