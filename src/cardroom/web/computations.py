"""Computations that visitors ask for: each done once, in a fair turn, and only while somebody waits for it.

A process at the back does them one after another. What the house itself asks for comes first; then the
addresses take turns, so that somebody who asks for very much waits longest himself. How much may wait is
bounded, for each visitor, for each address and in all; beyond that the answer is a time to ask again.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, Protocol, TypeVar
from weakref import WeakKeyDictionary

from cardroom.core.errors import Unavailable
from cardroom.web.errors import TooMany
from cardroom.web.worker import Worker

MOST_KEPT: Final = 200
"""Answers that are kept; the one that was asked for longest ago goes first."""
_SECONDS_BETWEEN_LOOKS: Final = 0.2
_SECONDS_TO_FINISH: Final = 2.0
"""A computation that nobody waits for any more may go on for so long: it is likely to be asked for again."""
_TRIES: Final = 2

Answer = TypeVar("Answer")
Key = tuple[object, ...]


class Asker(Protocol):
    """A visitor who waits for an answer."""

    @property
    def visitor(self) -> str: ...

    @property
    def address(self) -> str: ...

    async def is_gone(self) -> bool:
        """Whether they have hung up."""


@dataclass(frozen=True, slots=True)
class Beside:
    """A visitor for whom something is computed beside a request of theirs: it counts as asked by them."""

    visitor: str
    address: str

    async def is_gone(self) -> bool:
        return False


@dataclass(frozen=True, slots=True)
class Bounds:
    """How many requests may wait for computations at once."""

    in_all: int = 64
    per_address: int = 24
    per_visitor: int = 8


@dataclass(slots=True, eq=False)
class _Job:
    """A computation that is waited for; without an address it is the house's own."""

    key: Key
    compute: Callable[[], Any]
    address: str | None
    answer: asyncio.Future[Any]
    waiting: int = 0
    kept: bool = True


class GivenUp(Unavailable):
    """Whoever asked has hung up."""


class Computations:
    """The computations of one worker, for whatever event loop asks."""

    def __init__(self, worker: Worker, bounds: Bounds | None = None) -> None:
        self._worker = worker
        self._bounds = bounds or Bounds()
        self._desks: WeakKeyDictionary[asyncio.AbstractEventLoop, _Desk] = WeakKeyDictionary()

    @property
    def _desk(self) -> _Desk:
        loop = asyncio.get_running_loop()
        if loop not in self._desks:
            self._desks[loop] = _Desk(self._worker, self._bounds)
        return self._desks[loop]

    async def get(self, key: Key, compute: Callable[[], Answer], asker: Asker | None = None) -> Answer:
        """The answer of a key; `compute` is picklable, and runs in the worker."""
        answer: Answer = await self._desk.get(key, compute, asker)
        return answer

    async def run(self, compute: Callable[[], Answer], asker: Asker | None = None) -> Answer:
        """An answer that nobody else will ask for; whoever calls bounds how many of them there are."""
        answer: Answer = await self._desk.get((object(),), compute, asker, kept=False)
        return answer

    def stop(self) -> None:
        """Let go of the worker, when the process ends."""
        self._worker.stop()

    def progress(self, key: Key) -> tuple[float, str]:
        """Which share of an answer is computed, and in words what is being done for it."""
        desk = self._desk
        if desk.running is not None and desk.running.key == key:
            return self._worker.progress
        return (1.0 if key in desk.answers else 0.0), ""

    def is_wanted(self, key: Key) -> bool:
        """Whether an answer is at hand, or somebody waits for it already."""
        return key in self._desk.answers or key in self._desk.jobs

    def known(self, key: Key) -> Any | None:
        """An answer that is at hand, else None."""
        return self._desk.answers.get(key)


@dataclass(slots=True, eq=False)
class _Desk:
    """Who waits for what in one event loop."""

    worker: Worker
    bounds: Bounds
    answers: OrderedDict[Key, Any] = field(default_factory=OrderedDict)
    jobs: OrderedDict[Key, _Job] = field(default_factory=OrderedDict)
    """What waits, and what is being computed."""
    running: _Job | None = None
    askers: list[Asker] = field(default_factory=list)
    last_turn: OrderedDict[str, None] = field(default_factory=OrderedDict)
    """Addresses by their last turn, the latest last."""
    usual_seconds: float = 1.0
    task: asyncio.Task[None] | None = None

    async def get(
        self, key: Key, compute: Callable[[], Any], asker: Asker | None, *, kept: bool = True
    ) -> Any:
        if key in self.answers:
            self.answers.move_to_end(key)
            return self.answers[key]
        if asker is not None and kept:
            self._check(asker)
        job = self.jobs.get(key)
        if job is None:
            address = None if asker is None else asker.address
            job = self.jobs[key] = _Job(
                key, compute, address, asyncio.get_running_loop().create_future(), kept=kept
            )
        elif asker is None:
            job.address = None
        if self.task is None or self.task.done():
            self.task = asyncio.create_task(self._work())
        job.waiting += 1
        if asker is not None:
            self.askers.append(asker)
        try:
            return await self._wait(job, asker)
        finally:
            job.waiting -= 1
            if asker is not None:
                self.askers.remove(asker)
            if not job.waiting:
                self._let_go(job)

    def _check(self, asker: Asker) -> None:
        """Refuse one more request where too many wait."""
        at_address = sum(other.address == asker.address for other in self.askers)
        own = sum(other.visitor == asker.visitor for other in self.askers)
        waiting = (
            (len(self.askers), self.bounds.in_all, "of all visitors"),
            (at_address, self.bounds.per_address, "of your address"),
            (own, self.bounds.per_visitor, "of yours"),
        )
        for number, most, whose in waiting:
            if number >= most:
                seconds = min(60, math.ceil(self.usual_seconds * (len(self.jobs) + 1)))
                message = f"{number} computations {whose} are waiting already; ask again in {seconds} s"
                raise TooMany(message, retry_seconds=seconds)

    async def _wait(self, job: _Job, asker: Asker | None) -> Any:
        if asker is None:
            return await asyncio.shield(job.answer)
        while True:
            await asyncio.wait({job.answer}, timeout=_SECONDS_BETWEEN_LOOKS)
            if job.answer.done():
                return job.answer.result()
            if await asker.is_gone():
                raise GivenUp("nobody waits for this answer any more")

    def _let_go(self, job: _Job) -> None:
        """Nobody waits for a job: it is not begun, or is broken off unless it ends soon."""
        if job.answer.done():
            return
        if job is self.running:
            asyncio.get_running_loop().call_later(_SECONDS_TO_FINISH, self._break_off, job)
        else:
            self.jobs.pop(job.key, None)

    def _break_off(self, job: _Job) -> None:
        if job is self.running and not job.waiting:
            self.worker.break_off()

    def _next(self) -> _Job:
        """The house's own jobs first; then that of the address whose turn is longest ago."""
        order = {address: place for place, address in enumerate(self.last_turn)}
        return min(
            self.jobs.values(), key=lambda job: -2 if job.address is None else order.get(job.address, -1)
        )

    async def _work(self) -> None:
        while self.jobs:
            job = self._next()
            if job.address is not None:
                self.last_turn.pop(job.address, None)
                self.last_turn[job.address] = None
                while len(self.last_turn) > 4 * self.bounds.in_all:
                    self.last_turn.popitem(last=False)
            self.running = job
            begin = time.monotonic()
            try:
                answer = await self._computed(job)
            except Exception as error:  # noqa: BLE001 — whoever asked is told, whatever it is
                if not job.answer.done():
                    job.answer.set_exception(error)
                    job.answer.exception()  # it may be that nobody asks any more
            else:
                if not job.answer.done():
                    job.answer.set_result(answer)
                if job.kept:
                    self.answers[job.key] = answer
                    while len(self.answers) > MOST_KEPT:
                        self.answers.popitem(last=False)
            finally:
                self.running = None
                self.jobs.pop(job.key, None)
            self.usual_seconds += (time.monotonic() - begin - self.usual_seconds) / 8

    async def _computed(self, job: _Job) -> Any:
        loop = asyncio.get_running_loop()
        for attempt in range(1, _TRIES + 1):
            try:
                return await loop.run_in_executor(self.worker.thread, self.worker.run, job.compute)
            except Unavailable:  # the process was ended; perhaps for one whom nobody waited for any more
                if attempt == _TRIES or not job.waiting:
                    raise
        raise AssertionError
