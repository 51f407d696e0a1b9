"""What the pages decide goes into the house's one log first, and only then into memory and onto screens."""

from __future__ import annotations

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from cardroom.core.errors import CardroomError, Conflict
from cardroom.store.log import LogRecord, body_text
from cardroom.store.plan import Entry, Plan

if TYPE_CHECKING:
    from cardroom.store.database import Database
    from cardroom.store.unit import Unit

_REMEMBERED_ANSWERS: Final = 1_000
"""Those that a repeat is likely to ask for again; all others are found in the database."""


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


Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class _Waiting(Generic[Answer]):
    """A request that is to be written, and whoever waits for it."""

    run: Callable[[Unit], Answer]
    key: str | None
    answer: asyncio.Future[Answer]


class Journal:
    """The log and the ledger, as the pages use them."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._waiting: list[_Waiting[Any]] = []
        self._writer: asyncio.Task[None] | None = None
        self._thread = ThreadPoolExecutor(1, "journal")
        """Money waits for nothing else that the server does in threads."""
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
        answer = await self.write(self._run_of(planned, key), key=key.key if key else None)
        if key is not None:
            self._remember(key, answer)
        return answer

    async def write(self, run: Callable[[Unit], Answer], *, key: str | None = None) -> Answer:
        """Run a request inside a transaction, in one commit with all others that wait just now."""
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._waiting.append(_Waiting(run, key, answer))
        if self._writer is None or self._writer.done():
            self._writer = asyncio.create_task(self._write_on())
        return await answer

    async def _write_on(self) -> None:
        """Write for as long as anybody waits; records come into memory in the order of the log."""
        while self._waiting:
            batch, self._waiting = self._waiting, []
            works = [(one.run, one.key) for one in batch]
            outcomes = await self._in_thread(partial(self._database.write_all, works))
            for one, outcome in zip(batch, outcomes, strict=True):
                self._settle(one, outcome)

    async def _in_thread(self, work: Callable[[], Answer]) -> Answer:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    def close(self) -> None:
        """Let go of the thread; what is under way is done."""
        self._thread.shutdown(wait=True)

    def _settle(self, waiting: _Waiting[Answer], outcome: Answer | BaseException) -> None:
        if waiting.answer.done():  # whoever asked has gone
            return
        if isinstance(outcome, BaseException):
            waiting.answer.set_exception(outcome)
        else:
            waiting.answer.set_result(outcome)

    def record_now(self, *entries: Entry) -> None:
        """Record something at once, in one commit, from a thread of its own or before the server listens."""
        self._database.write(self._run_of(Plan(entries), None))

    def _run_of(self, plan: Plan, key: RequestKey | None) -> Callable[[Unit], Mapping[str, Any]]:
        def run(unit: Unit) -> Mapping[str, Any]:
            if key is not None and (known := unit.answered(key.key, key.digest)) is not None:
                return known
            records = [self._record(unit, entry) for entry in plan.entries]
            if key is not None and records:
                unit.answer(key.key, key.digest, plan.answer)
            return plan.answer

        return run

    @staticmethod
    def _record(unit: Unit, entry: Entry) -> LogRecord:
        if entry.rules is not None:
            unit.keep_rules(entry.rules)
        return unit.record(entry.record, entry.moves, entry.about)

    async def _answered(self, key: RequestKey) -> Mapping[str, Any] | None:
        def run(unit: Unit) -> Mapping[str, Any] | None:
            return unit.answered(key.key, key.digest)

        return await self.write(run, key=key.key)

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
