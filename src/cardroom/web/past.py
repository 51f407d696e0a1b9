"""Finished rounds and shoes, however old: the last rounds at hand, all else read from the log by name."""

from __future__ import annotations

import json
from collections import OrderedDict
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

from cardroom.records.floor import RoundCorrected
from cardroom.rules import HouseRules
from cardroom.store.log import parse_time
from cardroom.table.correction import correction_name
from cardroom.table.running import Finished, finished_by, round_name
from cardroom.web.errors import NotFound
from cardroom.web.threads import reading

if TYPE_CHECKING:
    from cardroom.store.database import Database
    from cardroom.store.log import LogRecord
    from cardroom.store.rules import RulesBook

One = TypeVar("One")
AtTable = TypeVar("AtTable", bound="_OfTable")

_AT_HAND: Final = 300
MOST_RECORDS: Final = 20_000
"""So many records before the end of a round are looked through for those of its table."""


class _OfTable(Protocol):
    """A record that names its table."""

    @property
    def table(self) -> str: ...


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

    async def find_of(self, kind: type[One], round_id: str, *, called: str) -> One:
        """A finished round or game of one kind; refused by what it is called where there was none."""
        record = await self.find(round_id)
        if not isinstance(record, kind):
            raise NotFound(f"there is no finished {called} {round_id[:40]!r}")
        return record

    async def newest_of(self, kind: type[One], name: str) -> One | None:
        """The last record of a kind that the log knows by a name; None where there was none."""
        logged = await reading.run(self._newest, name)
        if logged is None:
            return None
        record, _ = logged.read()
        return record if isinstance(record, kind) else None

    async def correction(self, round_id: str) -> RoundCorrected | None:
        """What was last put right of a round; None where nothing was."""
        return await self.newest_of(RoundCorrected, correction_name(round_id))

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

    def last_of_table(self, kind: type[AtTable], table: str) -> list[AtTable]:
        """The records of a kind among the last of the log that are about a table."""
        from cardroom.store.lottery import head
        from cardroom.store.unit import read_log

        with self._database.read() as connection:
            first = max(0, head(connection).seq - MOST_RECORDS)
            read = (logged.read()[0] for logged in read_log(connection, after=first, kinds=[kind.__name__]))
            return [record for record in read if isinstance(record, kind) and record.table == table]

    def rules_of(self, rules_hash: str) -> HouseRules:
        """The rules of a hash, as they were kept with the first record that names them."""
        return self._rules.find(HouseRules, rules_hash)

    def read(self, round_id: str) -> Finished | None:
        """A finished round or game from the log; None where there was none."""
        logged = self._newest(round_name(round_id))
        if logged is None:
            return None
        record, _ = logged.read()
        return finished_by(record, parse_time(logged.at), self.rules_of)

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
