"""Finished rounds and shoes, however old: the last rounds at hand, all else read from the log by name."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import TYPE_CHECKING, Final

from cardroom.web.live.finished import ROUND_ENDED, FinishedRound, round_name, shoe_name
from cardroom.web.live.knockout52 import Finished

if TYPE_CHECKING:
    from cardroom.store.database import Database
    from cardroom.store.log import LogRecord

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

    async def find_shoe(self, table: str, number: int) -> str | None:
        """The record of a finished shoe; None where there was none."""
        record = await asyncio.to_thread(self._newest, shoe_name(table, number))
        return None if record is None else str(record.content["proof"])

    def _read(self, round_id: str) -> Over | None:
        record = self._newest(round_name(round_id))
        if record is None:
            return None
        return FinishedRound.of(record) if record.kind == ROUND_ENDED else Finished.of(record)

    def _newest(self, name: str) -> LogRecord | None:
        from cardroom.store.lottery import newest_about

        with self._database.read() as connection:
            return newest_about(connection, name)
