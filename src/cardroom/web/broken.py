"""A table of which the log tells something that cannot have happened.

The house opens all the same. The table is closed and named; nothing is dealt there, and the money of its
unfinished round stays where it is until two people have cleared it (`cardroom repair`). What later records
say of finished rounds is still taken in, since players' chips and histories depend on it.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Final

from cardroom.core.errors import CardroomError
from cardroom.records import PlayRecord, TableOpened
from cardroom.store.log import LogRecord
from cardroom.table.running import (
    USUAL,
    FindRules,
    Finished,
    RunningTable,
    finished_by,
    play_account,
    table_classes,
)

_LONGEST_WHY: Final = 300
CONTRADICTIONS: Final = (
    CardroomError,
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)
"""What is raised by a record that does not fit what came before it; not what a database or a disk raises."""


@dataclass(frozen=True, slots=True)
class Oddity:
    """A record that does not fit what the log says before it: which, and why."""

    seq: int
    kind: str
    why: str

    @classmethod
    def of(cls, logged: LogRecord, error: Exception) -> Oddity:
        why = str(error) if isinstance(error, CardroomError) else f"{type(error).__name__} {error}"
        return cls(logged.seq, logged.kind, why.strip()[:_LONGEST_WHY])

    def __str__(self) -> str:
        return f"record {self.seq} ({self.kind}) cannot have happened: {self.why}"


@dataclass(slots=True)
class BrokenTable:
    """What is left of a table whose records do not fit together."""

    id: str
    game: str
    """Empty where the log has no table of this name."""
    rules_hash: str
    owner: str | None
    oddity: Oddity
    rounds: int
    shoes: int
    computers: int = 0
    speed: str = USUAL.speed

    @classmethod
    def of(cls, table: RunningTable, oddity: Oddity) -> BrokenTable:
        rounds, shoes = table.counts()
        rules = table.rules
        style = table.style
        return cls(
            table.id,
            rules.game,
            rules.rules_hash,
            table.owner,
            oddity,
            rounds,
            shoes,
            style.computers,
            style.speed,
        )

    @property
    def place(self) -> str:
        """The account of the money in its unfinished round."""
        return play_account(self.game, self.id)

    def hear(self, record: PlayRecord | TableOpened, at: datetime, rules: FindRules) -> Finished | None:
        """Take in what a later record tells for certain: numbers that are used, and rounds that are over."""
        for kind in table_classes():
            self.rounds, self.shoes = kind.counted(record, self.rounds, self.shoes)
        return finished_by(record, at, rules)

    def saved(self) -> dict[str, Any]:
        """As plain data, for a checkpoint."""
        return asdict(self)

    @classmethod
    def restored(cls, plain: dict[str, Any]) -> BrokenTable:
        """The table of `saved`."""
        return cls(**{**plain, "oddity": Oddity(**plain["oddity"])})
