"""Finished rounds and shoes, however old: the last rounds at hand, all else read from the log by name."""

from __future__ import annotations

import json
from collections import OrderedDict
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from cardroom.records.floor import RoundCorrected
from cardroom.records.tables import TwentyOneRoundEnded, TwentyOneShoeEnded
from cardroom.rules import HouseRules
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.store.log import parse_time
from cardroom.table.correction import correction_name
from cardroom.table.knockout52.finished import FinishedGame
from cardroom.table.running import Finished, finished_by, round_name
from cardroom.table.twentyone.finished import FinishedRound, shoe_name
from cardroom.web.errors import NotFound
from cardroom.web.threads import reading

if TYPE_CHECKING:
    from cardroom.lab.counting_signs import TableRound
    from cardroom.store.database import Database
    from cardroom.store.log import LogRecord
    from cardroom.store.rules import RulesBook

_AT_HAND: Final = 300
MOST_RECORDS: Final = 20_000
"""So many records before the end of a round are looked through for those of its table."""


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
        record = self._at_hand.get(round_id) or await reading.run(self.read, round_id)
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
        record = await reading.run(self._newest, shoe_name(table, number))
        if record is None:
            return None
        ended, _ = record.read()
        return ended.proof if isinstance(ended, TwentyOneShoeEnded) else None

    async def correction(self, round_id: str) -> RoundCorrected | None:
        """What was last put right of a round; None where nothing was."""
        logged = await reading.run(self._newest, correction_name(round_id))
        if logged is None:
            return None
        record, _ = logged.read()
        return record if isinstance(record, RoundCorrected) else None

    async def records_of(self, finished: Finished) -> list[LogRecord]:
        """The records of a round's table from the end of the round before to its own end.

        They are looked for among the last records before the end of the round, a stated number of them.
        """
        return await reading.run(self._records_of, finished)

    def _records_of(self, finished: Finished) -> list[LogRecord]:
        from cardroom.store.lottery import newest_about

        with self._database.read() as connection:
            end = newest_about(connection, round_name(finished.id))
            before = newest_about(connection, round_name(f"{finished.table}-{finished.number - 1}"))
            if end is None:
                return []
            first = max(end.seq - MOST_RECORDS, 0 if before is None else before.seq)
            return records_of_table(connection, finished.table, after=first, until=end.seq)

    async def records_since(self, table: str, round_id: str | None) -> list[LogRecord]:
        """The records of a table since a round of it was over: those of the hand in play."""
        return await reading.run(self._records_since, table, round_id)

    def _records_since(self, table: str, round_id: str | None) -> list[LogRecord]:
        from cardroom.store.lottery import head, newest_about

        with self._database.read() as connection:
            end = head(connection).seq
            before = None if round_id is None else newest_about(connection, round_name(round_id))
            first = max(end - MOST_RECORDS, 0 if before is None else before.seq)
            return records_of_table(connection, table, after=first, until=end)

    def rounds_of_table(self, table: str) -> list[TableRound]:
        """The last finished rounds of a table, for who looks for signs of counting."""
        from cardroom.lab.counting_signs import TableRound
        from cardroom.store.lottery import head
        from cardroom.store.unit import read_log

        ended = []
        with self._database.read() as connection:
            first = max(0, head(connection).seq - MOST_RECORDS)
            for logged in read_log(connection, after=first, kinds=[TwentyOneRoundEnded.__name__]):
                record, _ = logged.read()
                if isinstance(record, TwentyOneRoundEnded) and record.table == table:
                    ended.append(record)
        return [
            TableRound(
                one.table,
                one.shoe,
                one.notation,
                self._rules.find(TwentyOneRules, one.rules_hash),
                one.players,
                frozenset(one.by_clock),
            )
            for one in ended
        ]

    def read(self, round_id: str) -> Finished | None:
        """A finished round or game from the log; None where there was none."""
        logged = self._newest(round_name(round_id))
        if logged is None:
            return None
        record, _ = logged.read()
        return finished_by(record, parse_time(logged.at), partial(self._rules.find, HouseRules))

    def _newest(self, name: str) -> LogRecord | None:
        from cardroom.store.lottery import newest_about

        with self._database.read() as connection:
            return newest_about(connection, name)


def records_of_table(connection: Any, table: str, *, after: int, until: int) -> list[LogRecord]:
    """The records of one table between two numbers of the log."""
    from cardroom.store.lottery import records

    matching = []
    for record in records(connection, after=after):
        if record.seq > until:
            break
        if f'"table":{json.dumps(table)}' in record.body:
            matching.append(record)
    return matching
