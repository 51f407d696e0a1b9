"""What is wrong with a house's log, and how two people settle it by records that make up for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from cardroom.core.errors import Conflict, MalformedInput
from cardroom.store.database import Database
from cardroom.store.ledger import balance
from cardroom.store.rules import RulesBook
from cardroom.store.unit import Unit
from cardroom.web.clearing import Cause, clearings
from cardroom.web.following import Following
from cardroom.web.past import PastRounds
from cardroom.web.settings import Settings

LEAST_REASON: Final = 3


@dataclass(frozen=True, slots=True)
class Trouble:
    """A table that is closed because its records do not fit together."""

    table: str
    game: str
    record: int
    kind: str
    why: str
    held_cents: int
    """What lies on its account."""
    stakes: dict[str, int]
    """Whose stakes of an unfinished round have not come back, in cents."""


class Repair:
    """The log of a house that no server runs just now, or that one runs: looking changes nothing."""

    def __init__(self, database: Database, settings: Settings) -> None:
        self._database = database
        self._settings = settings
        rules = RulesBook(database)
        lookup = PastRounds(database, rules).read
        self._following = Following(
            database, settings, rules, lookup, lambda *_: None, saves_on_the_way=False
        )
        self.memory = self._following.memory

    def troubles(self) -> list[Trouble]:
        """The tables that are closed, each with the record that cannot have happened."""
        stakes = self._following.open_wagers() if self.memory.broken else {}
        with self._database.read() as connection:
            return [
                Trouble(
                    table.id,
                    table.game,
                    table.oddity.seq,
                    table.oddity.kind,
                    table.oddity.why,
                    balance(connection, table.place),
                    stakes.get(table.place, {}),
                )
                for table in self.memory.broken.values()
            ]

    def oddities(self) -> list[str]:
        """Records that do not fit and are of no table; nothing came of them, and nothing is to be done."""
        return [str(oddity) for oddity in self.memory.oddities]

    def clear(self, tables: Sequence[str], people: Mapping[str, str], reason: str) -> None:
        """Settle closed tables: stakes go back, and they begin anew; one commit.

        `people` are the two who sign, each with who appointed them.
        """
        if len(reason.strip()) < LEAST_REASON:
            raise MalformedInput(
                f"say why with --reason, in at least {LEAST_REASON} letters: the log keeps it"
            )
        for table in tables:
            if table not in self.memory.broken:
                closed = ", ".join(sorted(self.memory.broken)) or "none"
                raise Conflict(f"the table {table[:40]!r} is not closed by its records; closed are: {closed}")
        cause = Cause(reason.strip(), sorted(people), people)

        def run(unit: Unit) -> None:
            if unit.head.seq != self.memory.head.seq:
                raise Conflict("the log has grown meanwhile; stop the server, and repair again")
            for entry in clearings(unit.connection, self._following, tables, cause):
                unit.record(entry.record, entry.moves)

        self._following.start()
        self._database.write(run, alone=True)
