"""A player's past rounds: the last lines, each with what the round came to and what was left (R-39)."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from cardroom.table.running import Finished, Result

_LINES: Final = 100


@dataclass(frozen=True, slots=True)
class HistoryLine:
    """A finished round as a line of a player's history."""

    id: str
    game: str
    at: datetime
    stake_cents: int
    net_cents: int
    balance_cents: int
    corrected: bool = False
    """Whether two people of the house put the result of the round right: what moved by that."""

    @classmethod
    def of(cls, finished: Finished, result: Result, balance_cents: int) -> HistoryLine:
        """The line of a round for one of its players."""
        return cls(
            finished.id,
            finished.game_id,
            finished.ended_at,
            result.stake_cents,
            result.net_cents,
            balance_cents,
        )


def kept_history(lines: Iterable[HistoryLine] = ()) -> deque[HistoryLine]:
    """The last lines of a player's history."""
    return deque(lines, maxlen=_LINES)
