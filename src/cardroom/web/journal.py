"""What the pages decide goes into the house's one log first, and only then into memory and onto screens."""

from __future__ import annotations

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from cardroom.core.errors import CardroomError, Conflict
from cardroom.store.ledger import Transfer
from cardroom.store.log import LogRecord, body_text

if TYPE_CHECKING:
    from cardroom.store.database import Database
    from cardroom.store.unit import Unit

_REMEMBERED_ANSWERS: Final = 5_000


@dataclass(frozen=True, slots=True)
class Entry:
    """Something that is to be recorded: its kind, its content, and the money that moves with it."""

    kind: str
    content: Mapping[str, Any]
    moves: Sequence[Transfer] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """What a request leads to: entries of the log, and the answer to whoever asked."""

    entries: Sequence[Entry]
    answer: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RequestKey:
    """The key under which a request may be repeated without being done twice."""

    key: str
    digest: str

    @classmethod
    def of(cls, visitor: str, key: str, what: str, content: Mapping[str, Any]) -> RequestKey:
        """A visitor's own key for one request with one content."""
        return cls(
            f"web:{visitor}:{key}", hashlib.sha256(f"{what}\n{body_text(content)}".encode()).hexdigest()
        )


class Journal:
    """The log and the ledger, as the pages use them."""

    def __init__(self, database: Database, apply: Callable[[LogRecord], None]) -> None:
        self._database = database
        self._apply = apply
        self._answers: OrderedDict[str, tuple[str, Mapping[str, Any]]] = OrderedDict()

    async def perform(self, plan: Callable[[], Plan], *, key: RequestKey | None = None) -> Mapping[str, Any]:
        """Make a plan, record it durably, take it into memory, and answer.

        The caller holds the lock of whatever the plan looks at. A request that was answered before gets
        the same answer again and changes nothing.
        """
        if key is not None and (known := self._remembered(key)) is not None:
            return known
        try:
            planned = plan()
        except CardroomError:
            if key is not None and (answered := await self._answered(key)) is not None:
                return answered
            raise
        records, answer = await asyncio.to_thread(self._write, planned, key)
        for record in records:
            self._apply(record)
        if key is not None:
            self._remember(key, answer)
        return answer

    def record_now(self, entry: Entry) -> None:
        """Record something at once, from a thread of its own or before the server listens."""
        records, _ = self._write(Plan([entry]), None)
        for record in records:
            self._apply(record)

    def _write(self, plan: Plan, key: RequestKey | None) -> tuple[list[LogRecord], Mapping[str, Any]]:
        def run(unit: Unit) -> tuple[list[LogRecord], Mapping[str, Any]]:
            if key is not None and (known := unit.answered(key.key, key.digest)) is not None:
                return [], known
            records = [unit.record(entry.kind, entry.content, entry.moves) for entry in plan.entries]
            if key is not None and records:
                unit.answer(key.key, key.digest, plan.answer)
            return records, plan.answer

        return self._database.write(run, key=key.key if key else None)

    async def _answered(self, key: RequestKey) -> Mapping[str, Any] | None:
        def run(unit: Unit) -> Mapping[str, Any] | None:
            return unit.answered(key.key, key.digest)

        return await asyncio.to_thread(lambda: self._database.write(run, key=key.key))

    def _remembered(self, key: RequestKey) -> Mapping[str, Any] | None:
        if key.key not in self._answers:
            return None
        digest, answer = self._answers[key.key]
        if digest != key.digest:
            raise Conflict("this Idempotency-Key was used before, for a different request")
        return answer

    def _remember(self, key: RequestKey, answer: Mapping[str, Any]) -> None:
        self._answers[key.key] = (key.digest, answer)
        if len(self._answers) > _REMEMBERED_ANSWERS:
            self._answers.popitem(last=False)
