"""A house that is stopped at every point of its writes: how it is stopped, and what must hold afterwards.

A point is a statement of a transaction, the moment before its COMMIT, or the moment after it. The machine
stops there for good: nothing is written after it. Two more ends of a COMMIT are tried: it is done and its
answer is lost, or it is not done. The application is asked directly, without a port, on a clock set by hand.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import Any

from fastapi import FastAPI

from cardroom.games import BLACKJACK
from cardroom.lottery.replay import state_faults
from cardroom.store.ledger import all_balances, balance, ledger_faults
from cardroom.store.log import check_chain
from cardroom.store.lottery import records
from cardroom.web.app import create_app
from cardroom.web.house import House
from cardroom.web.live.lottery import LotteryRoom
from cardroom.web.security.signing import Signer
from cardroom.web.settings import Settings
from tests.databases import HandClock, Snapshot
from tests.web.conftest import KEY
from tests.web.shoes import is_hard_20_against_6, number_for

ANN = "0a" * 16
"""The visitor of most flows."""
NOON = datetime(2025, 6, 14, 19, 0, tzinfo=UTC)
WELCOME_CENTS = 100_000
COMMIT, COMMITTED = "commit", "committed"
UNCOUNTED = ("LoggedIn",)
"""Records of what is done anew after every start."""


class MachineStopsError(Exception):
    """Nothing is done after this."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the application said."""

    status: int
    body: Any

    @property
    def is_done(self) -> bool:
        return 200 <= self.status < 300


@cache
def _application() -> FastAPI:
    """One application for all houses; its own house, which has no clock that moves, is closed at once."""
    with tempfile.TemporaryDirectory(prefix="cardroom-") as folder:
        settings = Settings(
            database=f"sqlite:///{folder}/unused.sqlite3",
            key=KEY,
            requests_per_second=1e6,
            burst_requests=10**6,
            creations_per_second=1e6,
            burst_creations=10**6,
        )
        app = create_app(settings, clock=HandClock(NOON))
        app.state.house.database.close()
    return app


class Stage:
    """A house that is open, and whoever asks it for something."""

    def __init__(
        self, url: str, moment: datetime, *, salted: bool = False, reveal_seconds: float = 3.0
    ) -> None:
        """With `salted`, shoes are of fresh secrets, so that they take players' salts."""
        self.clock = HandClock(moment)
        settings = Settings(
            database=url,
            key=KEY,
            lottery=False,
            demo=True,  # secrets of draws are made from the key, without files
            card_seconds=0.01,
            wager_seconds=0.01,
            decision_seconds=600.0,
            verdict_seconds=0.0,
            reveal_seconds=reveal_seconds,
            repeatable=None if salted else number_for(BLACKJACK.id, is_hard_20_against_6),
        )
        self._app = _application()
        self.house = self._app.state.house = House(settings, clock=self.clock)
        self._signer = Signer(KEY)
        self._cookies: dict[str, str] = {}
        self.stopped = False

    @property
    def room(self) -> LotteryRoom:
        room = self.house.lottery
        assert isinstance(room, LotteryRoom)
        return room

    async def open(self) -> None:
        """Open with a lottery that does nothing by itself."""
        self.house.open()
        self.house.lottery = await asyncio.to_thread(LotteryRoom, self.house)
        await asyncio.to_thread(self.house.lottery.look)

    async def close(self) -> None:
        self.house.lottery = None
        await self.house.close()

    async def die(self) -> None:
        """Stop as a machine does: nothing more is written."""
        self.stopped = True

        def stop(_point: str) -> None:
            raise MachineStopsError

        self.house.database.probe = stop
        with contextlib.suppress(MachineStopsError):
            await self.close()
        self.house.database.close()

    async def ask(
        self, method: str, path: str, body: object = None, *, key: str = "", visitor: str = ANN
    ) -> Answer:
        """Ask the application; a machine that has stopped does not answer."""
        content = b"" if body is None else json.dumps(body).encode()
        cookies = {"cardroom_guest": self._signer.sign("guest", visitor), **self._cookies}
        headers = {
            "host": "127.0.0.1",
            "content-type": "application/json",
            "content-length": str(len(content)),
            "cookie": "; ".join(f"{name}={value}" for name, value in cookies.items()),
            "x-csrf-token": self._signer.tag("csrf", visitor),
            **({"idempotency-key": key} if key else {}),
        }
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "path": path,
            "raw_path": path.encode(),
            "root_path": "",
            "scheme": "http",
            "query_string": b"",
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 2),
        }
        messages: list[MutableMapping[str, Any]] = []

        async def receive() -> MutableMapping[str, Any]:
            return {"type": "http.request", "body": content, "more_body": False}

        async def send(message: MutableMapping[str, Any]) -> None:
            messages.append(message)

        await self._app(scope, receive, send)
        for name, value in messages[0]["headers"]:
            if name == b"set-cookie" and value.startswith(b"cardroom_operator="):
                self._cookies["cardroom_operator"] = value.split(b";")[0].partition(b"=")[2].decode()
        text = b"".join(message.get("body", b"") for message in messages)
        return Answer(messages[0]["status"], json.loads(text))

    async def done(self, method: str, path: str, body: object = None, *, key: str = "") -> Any:
        """The body of an answer that must be a good one."""
        answer = await self.ask(method, path, body, key=key)
        assert answer.is_done, answer
        return answer.body

    async def until(self, wanted: Callable[[], Awaitable[Any]]) -> Any:
        """Let time pass until something is so."""
        while not (found := await wanted()):
            if self.stopped:
                raise MachineStopsError
            self.clock.advance(milliseconds=20)
            await asyncio.sleep(0.002)
        return found

    # What is seen of the books.

    def log_length(self) -> int:
        with self.house.database.read() as connection:
            return sum(1 for _ in records(connection))

    def faults(self) -> list[str]:
        """Everything that is wrong with the log, the ledger, and the rows made from the log."""
        with self.house.database.read() as connection:
            chain = [str(fault) for fault in check_chain(records(connection))]
            return [*chain, *ledger_faults(connection), *state_faults(connection)]

    def facts(self, after: int) -> tuple[dict[str, int], Counter[str]]:
        """Every account, and how often each kind of record was written after one."""
        with self.house.database.read() as connection:
            kinds = Counter(record.kind for record in records(connection, after=after))
            for kind in UNCOUNTED:
                del kinds[kind]
            return all_balances(connection), kinds

    async def seen_chips(self) -> tuple[int, int]:
        """A player's chips as the page shows them and as the ledger has them."""
        shown = (await self.ask("GET", "/api/v1/session")).body["chips_cents"]
        player = self.house.player(ANN)
        with self.house.database.read() as connection:
            booked = balance(connection, player.account)
        return shown, booked + (0 if player.welcomed else WELCOME_CENTS)


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
def losing_commit(stage: Stage, number: int, *, done: bool) -> Iterator[None]:
    """COMMIT number so many ends with an error of the line, with or without having been done."""
    dialect: Any = stage.house.database.engine.dialect
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
        stage = Stage(self._url, self._moment, salted=self.flow.salted)
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
        """All points; or, of a flow of many commits, all of those that move money and the ends of others.

        On PostgreSQL, where a new start takes longer, the two sides of each commit.
        """
        if whole:
            return list(range(len(self._points)))
        if not self._url.startswith("sqlite"):
            ends = [place for place, point in enumerate(self._points) if point == COMMITTED]
            return [place - back for place in ends for back in (1, 0)]
        if self.flow.commits is not None:
            return list(range(len(self._points)))
        chosen: list[int] = []
        begin = 0
        for place, point in enumerate(self._points):
            if point == COMMITTED:
                own = self._points[begin : place + 1]
                moves = any(text.startswith("INSERT INTO transfers") for text in own)
                chosen += range(begin, place + 1) if moves else [place]
                begin = place + 1
        return chosen

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
        with losing_commit(stage, number, done=done):
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


async def shoes_are_ready(stage: Stage) -> None:
    """Let the dealers shuffle, so that nothing is due."""
    for table in ("linden", "alder", "rowan"):

        async def ready(table: str = table) -> Any:
            return (await stage.ask("GET", f"/api/v1/tables/{table}")).body["shoe"]["commitment"]

        await stage.until(ready)
