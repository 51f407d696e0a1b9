"""Finished rounds and shoes, however old: the last rounds at hand, all else read from the log by name."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import TYPE_CHECKING, Final

from cardroom.records.tables import Knockout52GameEnded, TwentyOneRoundEnded, TwentyOneShoeEnded
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.store.log import parse_time
from cardroom.table.knockout52.finished import FinishedGame
from cardroom.table.running import Finished, round_name
from cardroom.table.twentyone.finished import FinishedRound, shoe_name
from cardroom.web.errors import NotFound

if TYPE_CHECKING:
    from cardroom.store.database import Database
    from cardroom.store.log import LogRecord
    from cardroom.store.rules import RulesBook

_AT_HAND: Final = 300


class PastRounds:
    """Rounds and games that are over, by their ids."""

    def __init__(self, database: Database, rules: RulesBook) -> None:
        self._database = database
        self._rules = rules
        self._at_hand: OrderedDict[str, Finished] = OrderedDict()

    def keep(self, finished: Finished) -> None:
        """Have a round at hand; the one that nobody has looked at for longest goes."""
        self._at_hand[finished.id] = finished
        self._at_hand.move_to_end(finished.id)
        while len(self._at_hand) > _AT_HAND:
            self._at_hand.popitem(last=False)

    async def find(self, round_id: str) -> Finished | None:
        """A finished round or game; None where there was none."""
        record = self._at_hand.get(round_id) or await asyncio.to_thread(self.read, round_id)
        if record is not None:
            self.keep(record)
        return record

    async def find_round(self, round_id: str) -> FinishedRound:
        """A finished round of the blackjack family; refused where there was none."""
        record = await self.find(round_id)
        if not isinstance(record, FinishedRound):
            raise NotFound(f"there is no finished round {round_id[:40]!r}")
        return record

    async def find_game(self, game_id: str) -> FinishedGame:
        """A finished game of Knockout 52; refused where there was none."""
        record = await self.find(game_id)
        if not isinstance(record, FinishedGame):
            raise NotFound(f"there is no finished game {game_id[:40]!r}")
        return record

    async def find_shoe(self, table: str, number: int) -> str | None:
        """The record of a finished shoe; None where there was none."""
        record = await asyncio.to_thread(self._newest, shoe_name(table, number))
        if record is None:
            return None
        ended, _ = record.read()
        return ended.proof if isinstance(ended, TwentyOneShoeEnded) else None

    def read(self, round_id: str) -> Finished | None:
        """A finished round or game from the log; None where there was none."""
        logged = self._newest(round_name(round_id))
        if logged is None:
            return None
        record, _ = logged.read()
        at = parse_time(logged.at)
        match record:
            case TwentyOneRoundEnded():
                return FinishedRound.of(record, at, self._rules.find(TwentyOneRules, record.rules_hash))
            case Knockout52GameEnded():
                return FinishedGame.of(record, at)
            case _:
                return None

    def _newest(self, name: str) -> LogRecord | None:
        from cardroom.store.lottery import newest_about

        with self._database.read() as connection:
            return newest_about(connection, name)
