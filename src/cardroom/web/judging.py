"""Rounds that are over go to the coach, one after another, and the coach's books into the log."""

from __future__ import annotations

import asyncio
import logging
from functools import partial
from typing import Final

from cardroom.core.errors import CardroomError
from cardroom.lab.judging import Books
from cardroom.store.plan import Plan
from cardroom.table.running import Finished
from cardroom.web.background import Background
from cardroom.web.coach import Coach
from cardroom.web.journal import Journal
from cardroom.web.live.dealers import Dealers
from cardroom.web.memory import Memory

logger = logging.getLogger("cardroom.web")

_PATIENCE_SECONDS: Final = 5.0


class Judging:
    """Has every finished round with decisions in it judged, also one from before the server stopped."""

    def __init__(
        self, coach: Coach, memory: Memory, journal: Journal, dealers: Dealers, background: Background
    ) -> None:
        self._coach = coach
        self._memory = memory
        self._journal = journal
        self._dealers = dealers
        self._background = background

    def open(self) -> None:
        """Judge what was not judged when the server stopped."""
        for table_id in {finished.table for finished in self._memory.unjudged.values()}:
            self._background.start(self._judge(table_id))

    def hear(self, finished: Finished) -> None:
        """A round is over."""
        if finished.is_judged:
            self._background.start(self._judge(finished.table))

    async def books(self, player_id: str, table_id: str) -> Books:
        """The coach's books of a player at a table, with the rounds that are over by now."""
        await asyncio.wait({self._background.start(self._judge(table_id))}, timeout=_PATIENCE_SECONDS)
        return await self._coach.books(player_id, table_id)

    async def _judge(self, table_id: str) -> None:
        """Judge the rounds of a table that are over, one after another."""
        async with self._dealers.lock(f"coach:{table_id}"):
            for finished in [one for one in self._memory.unjudged.values() if one.table == table_id]:
                try:
                    judgement = await self._coach.judge(finished)
                    await self._journal.perform(partial(Plan, [judgement]))
                except CardroomError as error:
                    logger.error("the coach will judge %s later: %s", finished.id, error.message)
                    return
