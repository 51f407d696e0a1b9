"""Finished rounds, however old: the last ones at hand, the others read from the log by their names."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import TYPE_CHECKING, Final

from cardroom.web.live.finished import ROUND_ENDED, FinishedRound, round_name
from cardroom.web.live.knockout52 import Finished

if TYPE_CHECKING:
    from cardroom.store.database import Database

_AT_HAND: Final = 300

Over = FinishedRound | Finished


class Archive:
    """Rounds and games that are over, by their ids."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._at_hand: OrderedDict[str, Over] = OrderedDict()

    def keep(self, finished: Over) -> None:
        """Have a round at hand; the one that nobody has looked at for longest goes."""
        self._at_hand[finished.id] = finished
        self._at_hand.move_to_end(finished.id)
        while len(self._at_hand) > _AT_HAND:
            self._at_hand.popitem(last=False)

    async def find(self, round_id: str) -> Over | None:
        """A finished round or game; None where there was none."""
        found = self._at_hand.get(round_id) or await asyncio.to_thread(self._read, round_id)
        if found is not None:
            self.keep(found)
        return found

    def _read(self, round_id: str) -> Over | None:
        from cardroom.store.lottery import newest_about

        with self._database.read() as connection:
            record = newest_about(connection, round_name(round_id))
        if record is None:
            return None
        return FinishedRound.of(record) if record.kind == ROUND_ENDED else Finished.of(record)
