"""What the floor has said of a table, whatever is played there: open calls, and whether it is frozen."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, assert_never

from cardroom.core.errors import Conflict
from cardroom.records import FloorRecord
from cardroom.records.floor import FloorAnswered, FloorCalled, TableFrozen, TableReleased
from cardroom.store.plan import Entry, Plan
from cardroom.table.pace import Pace


@dataclass(frozen=True, slots=True)
class Statement:
    """Who of the floor said something, when and why."""

    by: str
    at: datetime
    reason: str

    def saved(self) -> list[str]:
        return [self.by, self.at.isoformat(), self.reason]

    @classmethod
    def restored(cls, plain: list[str] | None) -> Statement | None:
        """What `saved` gave."""
        return None if plain is None else cls(plain[0], datetime.fromisoformat(plain[1]), plain[2])


@dataclass(slots=True)
class Floor:
    """The floor's side of one table, as its records have made it."""

    frozen: Statement | None = None
    call: Statement | None = None
    """The call that nobody has answered yet."""
    answered: tuple[Statement, Statement] | None = None
    """The last call that was answered, and the answer."""
    pace: Pace = field(default_factory=Pace)

    def apply(self, record: FloorRecord, at: datetime) -> None:
        """Take in what the floor has done; what cannot be so is refused."""
        match record:
            case FloorCalled():
                self._require(self.call is None, "the floor was called already")
                self.call = Statement(record.by, at, record.reason)
            case FloorAnswered():
                if self.call is None:
                    raise Conflict("nobody has called the floor")
                self.answered = (self.call, Statement(record.by, at, record.reason))
                self.call = None
            case TableFrozen():
                self._require(self.frozen is None, "the table is frozen already")
                self.frozen = Statement(record.by, at, record.reason)
            case TableReleased():
                self._require(self.frozen is not None, "the table is not frozen")
                self.frozen = None
            case _:
                assert_never(record)

    @staticmethod
    def _require(possible: bool, otherwise: str) -> None:  # noqa: FBT001 — the one thing it is about
        if not possible:
            raise Conflict(otherwise)

    def plan(self, record: FloorRecord, now: datetime) -> Plan:
        """What the floor does, if it can be so."""
        Floor(self.frozen, self.call).apply(record, now)
        return Plan([Entry(record)], record.content())

    def require_free(self) -> None:
        """Refuse what a player asks of a frozen table."""
        if self.frozen is not None:
            raise Conflict(
                f"the floor has frozen this table ({self.frozen.reason}); your stakes stay as they are, and "
                "it goes on when the floor releases it"
            )

    def saved(self) -> dict[str, Any]:
        """As plain data, for a checkpoint."""
        return {
            "frozen": None if self.frozen is None else self.frozen.saved(),
            "call": None if self.call is None else self.call.saved(),
            "answered": None if self.answered is None else [said.saved() for said in self.answered],
            "pace": self.pace.saved(),
        }

    @classmethod
    def restored(cls, plain: dict[str, Any] | None) -> Floor:
        """What `saved` gave; a checkpoint from before the floor could act has none."""
        if plain is None:
            return cls()
        frozen, call = Statement.restored(plain["frozen"]), Statement.restored(plain["call"])
        question, answer = (Statement.restored(said) for said in plain.get("answered") or (None, None))
        answered = None if question is None or answer is None else (question, answer)
        return cls(frozen, call, answered, Pace(plain["pace"]))
