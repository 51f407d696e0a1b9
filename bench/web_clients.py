"""The clients of the web under load: players at their tables and screens before the wall, on bare sockets.

They parse only what they must, and take the time as bytes arrive, so that little of what they measure is
their own. Each kind runs in a process of its own, whose work and lag are reported beside the server's.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import re
import time
from array import array
from base64 import b64encode
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from http import HTTPStatus
from typing import Any, Final, cast

HOST: Final = "127.0.0.1"
STAKE_CENTS: Final = 400
STANDS_AT: Final = 15
_CONNECTING_AT_ONCE: Final = 50
_LAG_SECONDS: Final = 0.02
_PATIENCE_SECONDS: Final = 30
_TIMED: Final = re.compile(rb'"(?:at|now)":"([^"]+)"')
_LENGTH: Final = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
_COOKIE: Final = re.compile(rb"\r\nset-cookie: *(cardroom_guest=[^;]+)", re.IGNORECASE)
_TEXT, _CLOSE, _PING, _PONG = 1, 8, 9, 10


@dataclass(frozen=True, slots=True)
class Window:
    """When what happens counts, in seconds of the system's clock, and the port of the server."""

    port: int
    begin: float
    until: float


@dataclass(slots=True)
class Seen:
    """What clients of one kind saw while it counted; times are seconds."""

    answers: array[float] = field(default_factory=lambda: array("d"))
    """From a request's first byte to its answer's last."""
    news: array[float] = field(default_factory=lambda: array("d"))
    """From the moment at which the server knew something to the moment at which a client was told."""
    lag: array[float] = field(default_factory=lambda: array("d"))
    """How late the clients' own event loop was."""
    cpu_seconds: float = 0.0
    decisions: int = 0
    refused: int = 0
    """Answers that were not 2xx."""
    broken: int = 0
    """Connections that the server closed or never opened."""


async def lateness(into: Callable[[float, float], None]) -> None:
    """Tell again and again how much later than asked for the event loop woke a sleeper."""
    while True:
        begin = time.monotonic()
        await asyncio.sleep(_LAG_SECONDS)
        now = time.monotonic()
        into(now, now - begin - _LAG_SECONDS)


@lru_cache(maxsize=1024)
def _moment(text: bytes) -> float:
    return datetime.fromisoformat(text.decode("ascii")).timestamp()


class Line(asyncio.Protocol):
    """An HTTP connection with one request at a time, made anew when the server has closed it for idleness."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._transport: asyncio.Transport | None = None
        self._buffer = bytearray()
        self._answered: asyncio.Future[tuple[int, bytes, bytes]] | None = None
        self._asked = 0.0
        self.seconds = 0.0
        """How long the last request took."""
        self.headers = ""
        """What every request carries."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)  # uvloop's is none by its class

    def connection_lost(self, _error: Exception | None) -> None:
        self._transport = None
        if self._answered is not None and not self._answered.done():
            self._answered.set_exception(ConnectionError("the server closed the line"))

    def data_received(self, data: bytes) -> None:
        now = time.perf_counter()
        self._buffer += data
        head, gap, body = bytes(self._buffer).partition(b"\r\n\r\n")
        length = _LENGTH.search(head)
        if not gap or length is None or len(body) < int(length[1]):
            return
        self._buffer.clear()
        self.seconds = now - self._asked
        if self._answered is not None and not self._answered.done():
            self._answered.set_result((int(head.split(b" ", 2)[1]), head, body))

    async def ask(
        self, method: str, path: str, body: object = None, key: str = ""
    ) -> tuple[int, bytes, bytes]:
        """Send a request and wait for its status, head and body."""
        content = b"" if body is None else json.dumps(body).encode()
        key_line = f"Idempotency-Key: {key}\r\n" if key else ""
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: {HOST}\r\n{self.headers}{key_line}"
            f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
        )
        self._asked = time.perf_counter()
        try:
            return await self._exchange(head.encode() + content)
        except ConnectionError:  # it was closed for idleness just now; the key makes a repeat harmless
            return await self._exchange(head.encode() + content)

    async def _exchange(self, request: bytes) -> tuple[int, bytes, bytes]:
        if self._transport is None:
            await asyncio.get_running_loop().create_connection(lambda: self, HOST, self._port)
        assert self._transport is not None
        self._answered = asyncio.get_running_loop().create_future()
        self._transport.write(request)
        async with asyncio.timeout(_PATIENCE_SECONDS):
            return await self._answered

    def close(self) -> None:
        if self._transport is not None:
            self._transport.abort()

    async def begin_session(self) -> str:
        """Be a new guest; the guest's cookie."""
        _, head, body = await self.ask("GET", "/api/v1/session")
        cookie = _COOKIE.search(head)
        assert cookie is not None
        text = cookie[1].decode("ascii")
        self.headers = f"Cookie: {text}\r\nX-CSRF-Token: {json.loads(body)['csrf']}\r\n"
        return text


class LiveTable(asyncio.Protocol):
    """A table's WebSocket: the newest view, and an event for every new one."""

    def __init__(self, path: str, cookie: str, told: Callable[[float, float], None]) -> None:
        self._path, self._cookie, self._told = path, cookie, told
        self._transport: asyncio.Transport | None = None
        self._buffer = bytearray()
        self._upgraded = False
        self.view: dict[str, Any] = {}
        self.changed = asyncio.Event()
        self.closed = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(
            f"GET {self._path} HTTP/1.1\r\nHost: {HOST}\r\nCookie: {self._cookie}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: {b64encode(os.urandom(16)).decode()}\r\n\r\n".encode()
        )

    def connection_lost(self, _error: Exception | None) -> None:
        self.closed = True
        self.changed.set()

    def data_received(self, data: bytes) -> None:
        now = time.time()
        self._buffer += data
        if not self._upgraded:
            head, gap, rest = bytes(self._buffer).partition(b"\r\n\r\n")
            if not gap:
                return
            self._upgraded = head.startswith(b"HTTP/1.1 101")
            self._buffer = bytearray(rest)
        while (frame := self._frame()) is not None:
            code, content = frame
            if code == _TEXT:
                self.view = json.loads(content)
                self._told(_moment(self.view["now"].encode()), now)
                self.changed.set()
            elif code == _PING:
                assert self._transport is not None
                # A client's frames are masked; a mask of zeros changes nothing.
                self._transport.write(bytes([0x80 | _PONG, 0x80 | len(content)]) + bytes(4) + content)
            elif code == _CLOSE:
                self.closed = True
                self.changed.set()

    def _frame(self) -> tuple[int, bytes] | None:
        buffer = self._buffer
        if not self._upgraded or len(buffer) < 2:
            return None
        length, at = buffer[1] & 0x7F, 2
        if length >= 126:
            at = 4 if length == 126 else 10
            length = int.from_bytes(buffer[2:at], "big")
        if len(buffer) < at + length:
            return None
        code, content = buffer[0] & 0x0F, bytes(buffer[at : at + length])
        del buffer[: at + length]
        return code, content

    def close(self) -> None:
        if self._transport is not None:
            self._transport.abort()


class Screen(asyncio.Protocol):
    """A screen before the wall: when each piece of news came."""

    def __init__(self, told: Callable[[float, float], None]) -> None:
        self._told = told
        self._transport: asyncio.Transport | None = None
        self._rest = b""
        self.opened = self.closed = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(f"GET /api/v1/knockout-21/monitor HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode())

    def connection_lost(self, _error: Exception | None) -> None:
        self.closed = True

    def data_received(self, data: bytes) -> None:
        now = time.time()
        if not self.opened:
            self.opened = data.startswith(b"HTTP/1.1 200")
        events, _, self._rest = (self._rest + data).rpartition(b"\n\n")
        for match in _TIMED.finditer(events):
            self._told(_moment(match[1]), now)

    def close(self) -> None:
        if self._transport is not None:
            self._transport.abort()


async def _measured(seen: Seen, window: Window, work: Awaitable[object]) -> None:
    """Do the work, and note how late the loop was and what it cost while it counted."""
    loop = asyncio.get_running_loop()
    offset = time.time() - time.monotonic()

    def late(at: float, seconds: float) -> None:
        if window.begin <= at + offset < window.until:
            seen.lag.append(seconds)

    def add_cpu(sign: int) -> None:
        seen.cpu_seconds += sign * time.process_time()

    lag = asyncio.create_task(lateness(late))
    loop.call_later(max(0.0, window.begin - time.time()), add_cpu, -1)
    loop.call_later(max(0.0, window.until - time.time()), add_cpu, 1)
    await work
    await asyncio.sleep(max(0.0, window.until - time.time()) + 0.1)
    lag.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await lag


def watch(window: Window, screens: int) -> Seen:
    """The process of the screens."""
    seen = Seen()

    def told(known: float, at: float) -> None:
        if window.begin <= known < window.until:
            seen.news.append(at - known)

    async def all_watch() -> None:
        loop = asyncio.get_running_loop()
        opened: list[Screen] = []
        for number in range(screens):
            _, screen = await loop.create_connection(lambda: Screen(told), HOST, window.port)
            opened.append(screen)
            if number % _CONNECTING_AT_ONCE == 0:
                await asyncio.sleep(0.05)
        await asyncio.sleep(max(0.0, window.until - time.time()) + 0.5)
        seen.broken = sum(screen.closed or not screen.opened for screen in opened)
        for screen in opened:
            screen.close()

    asyncio.run(_measured(seen, window, all_watch()))
    return seen


def play(window: Window, seats: list[tuple[str, int]], think_seconds: tuple[float, float]) -> Seen:
    """The process of the players; each has a table and a spot."""
    seen = Seen()

    async def all_play() -> None:
        await asyncio.gather(
            *(
                _Player(window, table, spot, think_seconds, seen).play(number)
                for number, (table, spot) in enumerate(seats)
            )
        )

    asyncio.run(_measured(seen, window, all_play()))
    return seen


class _Player:
    """One seated player: wagers, asks for the deal, plays the hand, and thinks for a while each time."""

    def __init__(
        self, window: Window, table: str, spot: int, think_seconds: tuple[float, float], seen: Seen
    ) -> None:
        self._window, self._seen, self._think = window, seen, think_seconds
        self._path, self._spot = f"/api/v1/tables/{table}", spot
        self._keys = 0
        self._random = random.Random(f"{table}/{spot}")

    async def play(self, number: int) -> None:
        await asyncio.sleep(number / 100)
        loop, window = asyncio.get_running_loop(), self._window
        try:
            line = Line(window.port)
            cookie = await line.begin_session()
            _, live = await loop.create_connection(
                lambda: LiveTable(f"{self._path}/live", cookie, self._told), HOST, window.port
            )
            while time.time() < window.until and not live.closed:
                await self._turn(line, live)
            self._seen.broken += live.closed
            live.close()
            line.close()
        except OSError:  # a lost connection, or no answer in time
            self._seen.broken += 1

    def _told(self, known: float, at: float) -> None:
        if self._window.begin <= known < self._window.until:
            self._seen.news.append(at - known)

    async def _turn(self, line: Line, live: LiveTable) -> None:
        """Wait until something is asked of the player, think, and do it."""
        live.changed.clear()
        if self._asked(live.view):
            await asyncio.sleep(self._random.uniform(*self._think))
            view = live.view
            if asked := self._asked(view):
                await asked(line, view)
                return
        left = self._window.until - time.time()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(max(0.0, left)):
                await live.changed.wait()

    def _asked(self, view: dict[str, Any]) -> Callable[[Line, dict[str, Any]], Awaitable[None]] | None:
        if not view:
            return None
        if view["you"]["options"]:
            return self._decide
        return self._wager if view["phase"] == "wagers" and not view["you"]["ready"] else None

    async def _decide(self, line: Line, view: dict[str, Any]) -> None:
        offered = {option["action"] for option in view["you"]["options"]}
        spot = view["turn"]["spot"]
        cards = next(one for one in view["round"]["spots"] if one["number"] == spot)["hands"]
        total = next((hand["total"] for hand in cards if hand["turn"]), "")
        low = total.split()[-1].isdecimal() and int(total.split()[-1]) < STANDS_AT if total else False
        action = "hit" if low and "hit" in offered else "stand" if "stand" in offered else "no insurance"
        body = {"spot": spot, "action": action, "step": view["step"]}
        await self._ask(line, "POST", "/actions", body)
        self._seen.decisions += self._counts()

    async def _wager(self, line: Line, _view: dict[str, Any]) -> None:
        """Who comes too late for this round is refused, and waits for the next."""
        if await self._ask(line, "PUT", f"/spots/{self._spot}/wagers", {"stake_cents": STAKE_CENTS}):
            await self._ask(line, "POST", "/deal", None)

    async def _ask(self, line: Line, method: str, path: str, body: object) -> bool:
        self._keys += 1
        status, _, _ = await line.ask(method, self._path + path, body, key=f"bench-{self._keys:08d}")
        if self._counts():
            self._seen.answers.append(line.seconds)
            self._seen.refused += status >= HTTPStatus.MULTIPLE_CHOICES
        return status < HTTPStatus.MULTIPLE_CHOICES

    def _counts(self) -> bool:
        return self._window.begin <= time.time() < self._window.until
