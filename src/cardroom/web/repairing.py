"""What is wrong with a house's log, and how two people settle it by records that make up for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from cardroom.core.errors import Conflict, MalformedInput
from cardroom.lottery.house import TWO_PEOPLE
from cardroom.store.database import Database
from cardroom.store.ledger import balance
from cardroom.store.rules import RulesBook
from cardroom.store.unit import Unit
from cardroom.web.clearing import Cause, clearings, open_wagers
from cardroom.web.errors import Forbidden
from cardroom.web.following import Following
from cardroom.web.past import PastRounds
from cardroom.web.security.operators import Operator, require, require_two
from cardroom.web.settings import Settings

_HERE: Final = "the command line"
LEAST_REASON: Final = 3


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who signs: their name, their password and their code."""

    name: str
    password: str
    code: str | None = None


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
        stakes = open_wagers(self.memory, self._following.checkpoints) if self.memory.broken else {}
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

    def has_second_factor(self, name: str) -> bool:
        """Whether somebody signs with a code, too; of a name that is nobody's nothing is told."""
        return any(one.name == name and one.second_factor for one in self.memory.operators.names())

    def signed(self, people: Sequence[Person]) -> list[Operator]:
        """Two operators who have said who they are; refused where they may be one."""
        if len(people) != TWO_PEOPLE:
            raise MalformedInput("this takes two people: --by NAME --by NAME")
        now = self._database.clock.now()
        found = []
        for person in people:
            operator = self.memory.operators.known_by(person.name, person.password, now, _HERE, person.code)
            require(operator.role, "operate")
            if not operator.chose_password:
                raise Forbidden(
                    f"{operator.name} has not chosen a password yet: somebody else knows this one"
                )
            found.append(operator)
        require_two(found[0], found[1], now, self._settings.second_person_hours)
        return found

    def clear(self, tables: Sequence[str], people: Sequence[Operator], reason: str) -> None:
        """Settle closed tables: stakes go back, and they begin anew; one commit."""
        if len(reason.strip()) < LEAST_REASON:
            raise MalformedInput(
                f"say why with --reason, in at least {LEAST_REASON} letters: the log keeps it"
            )
        for table in tables:
            if table not in self.memory.broken:
                closed = ", ".join(sorted(self.memory.broken)) or "none"
                raise Conflict(f"the table {table[:40]!r} is not closed by its records; closed are: {closed}")
        names = sorted(person.name for person in people)
        cause = Cause(reason.strip(), names, {person.name: person.appointed_by for person in people})
        checkpoints = self._following.checkpoints

        def run(unit: Unit) -> None:
            if unit.head.seq != self.memory.head.seq:
                raise Conflict("the log has grown meanwhile; stop the server, and repair again")
            for entry in clearings(unit.connection, self.memory, checkpoints, tables, cause):
                unit.record(entry.record, entry.moves)

        self._following.start()
        self._database.write(run, alone=True)
