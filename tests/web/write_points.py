"""A flow that is stopped at every point of its writes: how it is stopped, and what must hold afterwards.

A point is a statement of a transaction, the moment before its COMMIT, or the moment after it. The machine
stops there for good: nothing is written after it. Two more ends of a COMMIT are tried: it is done and its
answer is lost, or it is not done.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from cardroom.store.database import Database
from cardroom.store.lottery import records
from tests.databases import HandClock, Snapshot
from tests.web.stage import NOON, UNCOUNTED, MachineStopsError, Stage, shoes_are_ready

COMMITTED = "committed"
"""The point after a commit."""

Step = Callable[[Stage], Awaitable[Any]]


async def _nothing(_stage: Stage) -> None:
    pass


@dataclass(frozen=True, slots=True)
class Flow:
    """Something that people or the house do, from the request to its last record.

    `act` may be done again after any stop: with the same key, or by looking how far it has come.
    """

    name: str
    act: Step
    prepare: Step = _nothing
    ready: Step = _nothing
    """What a client does anew after every start, before the flow."""
    salted: bool = False
    """Whether shoes take players' salts."""
    cards: str = ""
    """The first cards of every shoe of the blackjack family; else a hard 20 against a 6 at Linden."""
    changes: Mapping[str, Any] = field(default_factory=dict)
    """Other settings of the house."""
    commits: int | None = 1
    """How many commits it is; None where the dealer goes on by itself, one commit a card."""


@dataclass(slots=True)
class Count:
    """How many points of a flow were tried."""

    commits: int
    points: int
    stops: int = 0
    lost: int = 0


@contextlib.contextmanager
def stopping_at(stage: Stage, point: int) -> Iterator[None]:
    """The machine stops at the point with this number, counted from 0."""
    reached = 0

    def stop(_what: str) -> None:
        nonlocal reached
        reached += 1
        if stage.stopped or reached > point:
            stage.stopped = True
            raise MachineStopsError

    stage.house.database.probe = stop
    yield


@contextlib.contextmanager
def losing_commit(database: Database, number: int, *, done: bool) -> Iterator[None]:
    """COMMIT number so many ends with an error of the line, with or without having been done."""
    dialect: Any = database.engine.dialect
    whole = dialect.do_commit
    count = 0

    def commit(connection: Any) -> None:
        nonlocal count
        count += 1
        if count - 1 != number:
            whole(connection)
            return
        if done:
            whole(connection)
        raise dialect.loaded_dbapi.OperationalError("the line to the database broke")

    dialect.do_commit = commit
    try:
        yield
    finally:
        dialect.do_commit = whole


class Enumeration:
    """A flow on a database, stopped at every point."""

    def __init__(self, flow: Flow, url: str) -> None:
        self.flow = flow
        self._url = url
        self._moment = NOON
        self._before = 0
        self._reference: tuple[dict[str, int], Counter[str]] = ({}, Counter())
        self._points: list[str] = []
        self._snapshot: Snapshot | None = None

    async def _open(self, *, restored: bool = False) -> Stage:
        if restored:
            assert self._snapshot is not None
            self._snapshot.restore()
        stage = Stage(self._url, HandClock(self._moment), salted=self.flow.salted, **self.flow.changes)
        await stage.open()
        await self.flow.ready(stage)
        return stage

    async def prepare(self) -> Count:
        """Come to just before the flow, keep that, and do the flow once undisturbed."""
        stage = await self._open()
        await shoes_are_ready(stage)
        await self.flow.prepare(stage)
        self._moment = stage.clock.moment
        await stage.close()
        self._snapshot = Snapshot(self._url)
        stage = await self._open()
        self._before = stage.log_length()
        stage.house.database.probe = self._points.append
        await self.flow.act(stage)
        stage.house.database.probe = None
        self._reference = stage.facts(self._before)
        shown, booked = await stage.seen_chips()
        assert (stage.faults(), shown) == ([], booked)
        await stage.close()
        commits = self._points.count(COMMITTED)
        if self.flow.commits is not None:
            assert commits == self.flow.commits, f"{self.flow.name}: {commits} commits, {self._points}"
        return Count(commits, len(self._points))

    def chosen_points(self, *, whole: bool) -> list[int]:
        """All points; or, of every commit that moves money, its first statement, the moment before it and the
        moment after it, and of the others the moment after.

        On PostgreSQL, where a new start takes longer, the two sides of each commit.
        """
        if whole:
            return list(range(len(self._points)))
        chosen: list[int] = []
        begin = 0
        for place, point in enumerate(self._points):
            if point == COMMITTED:
                own = self._points[begin : place + 1]
                moves = self.flow.commits is not None or any("INTO transfers" in text for text in own)
                chosen += self._few_of(begin, place) if moves else [place]
                begin = place + 1
        return chosen

    def _few_of(self, begin: int, committed: int) -> list[int]:
        """The points of one commit that are tried in every run."""
        if not self._url.startswith("sqlite"):
            return [committed - 1, committed]
        return sorted({begin, max(begin, committed - 1), committed})

    def chosen_commits(self, *, whole: bool) -> list[int]:
        """All commits; or, where the dealer goes on by itself, those that move money."""
        if whole or self.flow.commits is not None:
            return list(range(self._points.count(COMMITTED)))
        texts = " ".join(self._points).split(COMMITTED)[:-1]
        return [number for number, text in enumerate(texts) if "INSERT INTO transfers" in text]

    async def stopped_at(self, point: int) -> None:
        """Stop at a point, open anew, look, and do it again."""
        where = f"{self.flow.name}, stopped at {point + 1} of {len(self._points)}: {self._points[point]}"
        stage = await self._open(restored=True)
        with stopping_at(stage, point), contextlib.suppress(MachineStopsError):
            await self.flow.act(stage)
        assert stage.stopped, where
        self._moment, before = stage.clock.moment, self._moment
        await stage.die()
        try:
            await self._goes_on(where, in_one=self._points[point] == COMMITTED)
        finally:
            self._moment = before

    async def _goes_on(self, where: str, *, in_one: bool) -> None:
        stage = await self._open()
        length = stage.log_length() - self._before
        assert stage.faults() == [], where
        shown, booked = await stage.seen_chips()
        assert shown == booked, where
        if self.flow.commits == 1:  # all of it or nothing of it
            whole = self._reference[1].total()
            extra = sum(1 for kind in UNCOUNTED for record in self._kinds(stage) if record == kind)
            assert length - extra == (whole if in_one else 0), where
        await self._done_once(stage, where)
        await stage.close()

    def _kinds(self, stage: Stage) -> list[str]:
        with stage.house.database.read() as connection:
            return [record.kind for record in records(connection, after=self._before)]

    async def _done_once(self, stage: Stage, where: str) -> None:
        """The flow, asked for again and again, has been done once, and is answered alike."""
        answer = await self.flow.act(stage)
        assert await self.flow.act(stage) == answer, where
        assert stage.facts(self._before) == self._reference, where
        assert stage.faults() == [], where
        shown, booked = await stage.seen_chips()
        assert shown == booked, where

    async def commit_lost(self, number: int, *, done: bool) -> None:
        """A COMMIT ends with an error: what is done is told as done, what is not is done when asked again."""
        where = f"{self.flow.name}, COMMIT {number + 1} {'done, its answer lost' if done else 'not done'}"
        stage = await self._open(restored=True)
        with losing_commit(stage.house.database, number, done=done):
            await self.flow.act(stage)
        shown, booked = await stage.seen_chips()
        assert shown == booked, where
        await self._done_once(stage, where)
        before, self._moment = self._moment, stage.clock.moment
        await stage.close()
        stage = await self._open()  # and what was told is still so after a new start
        await self._done_once(stage, where)
        await stage.close()
        self._moment = before
