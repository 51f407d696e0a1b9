"""Names of games, wagers and clauses that programs may rely on."""

from __future__ import annotations

import re
from typing import Final

from cardroom.core.errors import MalformedInput

GameId = str
"""The id of a game; `cardroom.games` knows which there are."""
GAME_IDS: Final[list[GameId]] = []
"""The ids of all games; kept by `cardroom.games`, which is where to ask."""

_CLAUSE: Final = re.compile(r"(21|BJ|S21|PE21|SIDE|PROC|KO21|KO52)-\d+(\.\d+)*")


def parse_clause_id(text: str) -> str:
    """Check the form of a clause id such as `PE21-8.2`."""
    if _CLAUSE.fullmatch(text) is None:
        raise MalformedInput(f"{text!r} is not a clause id; they look like KO52-7 or PE21-8.2")
    return text


def titled(name: str) -> str:
    """The id of a wager, a prize or a bonus as people read it.

    >>> titled("all-the-way"), titled("round-1")
    ('All the Way', 'Round 1')
    """
    return " ".join(word if word == "the" else word.capitalize() for word in name.split("-"))
