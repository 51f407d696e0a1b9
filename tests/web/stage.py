"""A house on a clock set by hand, and whoever asks it for something: directly, without a port.

It can be stopped as a machine stops, and opened again on the same database, as often as a test wants.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from typing import Any

import pytest
from argon2 import PasswordHasher
from fastapi import FastAPI

from cardroom.games import BLACKJACK
from cardroom.lottery.replay import state_faults
from cardroom.store.database import Clock, _engines
from cardroom.store.ledger import all_balances, balance, ledger_faults
from cardroom.store.log import check_chain
from cardroom.store.lottery import draws_with_status, records
from cardroom.web.app import create_app
from cardroom.web.house import House
from cardroom.web.live.lottery import LotteryRoom
from cardroom.web.security.signing import Signer
from cardroom.web.settings import Settings
from tests.databases import HandClock
from tests.web.conftest import KEY
from tests.web.shoes import is_hard_20_against_6, number_for

ANN = "0a" * 16
"""The visitor of most flows."""
NOON = datetime(2025, 6, 14, 19, 0, tzinfo=UTC)
WELCOME_CENTS = 100_000
UNCOUNTED = ("LoggedIn", "OverrideRefused", "ClaimRefused")
"""Records of what is done anew after every start, or was done before."""


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


def make_quick(patch: pytest.MonkeyPatch) -> None:
    """Leave out what proves nothing and takes most of the time of a house that is opened again and again.

    Statements are compiled once for all houses at one address, a commit does not wait for the disk (programs
    are stopped here, never the machine), passwords are hashed cheaply, and a dealer tries again at once.
    """
    _application()  # one for all tests, made as it is
    number_for(BLACKJACK.id, is_hard_20_against_6)  # found before a test lays its shoes
    engines = cache(lambda url, _synchronous: _engines(url, "OFF"))
    patch.setattr("cardroom.store.database._engines", engines)
    hasher = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    patch.setattr("cardroom.web.security.operators._hasher", lambda: hasher)
    patch.setattr("cardroom.web.live.dealers._SECONDS_AFTER_A_FAULT", 0.0)
    patch.setattr(logging.getLogger("cardroom.web"), "disabled", True)  # the traces of all stops


@cache
def _application() -> FastAPI:
    """One application for all houses; its own house, which has no clock that moves, is closed at once."""
    with tempfile.TemporaryDirectory(prefix="cardroom-") as folder:
        settings = Settings(
            database=f"sqlite:///{folder}/unused.sqlite3",
            key=KEY,
            requests_per_second=1e6,
            burst_requests=10**6,
            changes_per_second=1e6,
            creations_per_second=1e6,
            burst_creations=10**6,
            burst_tables=10**6,
        )
        app = create_app(settings, clock=HandClock(NOON))
        app.state.house.database.close()
    return app


class Stage:
    """A house that is open, and whoever asks it for something."""

    def __init__(
        self,
        url: str,
        clock: HandClock,
        *,
        salted: bool = False,
        house_clock: Clock | None = None,
        **changes: Any,
    ) -> None:
        """With `salted`, shoes are of fresh secrets, so that they take players' salts.

        The house's time is that of `clock`, which people set, or of a clock of its own. `changes` are other
        settings of the house.
        """
        self.clock = clock
        settings = Settings(
            database=url,
            key=KEY,
            lottery=False,
            demo=True,  # secrets of draws are made from the key, without files
            card_seconds=0.002,
            wager_seconds=0.002,
            decision_seconds=600.0,
            verdict_seconds=0.0,
            second_person_hours=0.0,
            repeatable=None if salted else number_for(BLACKJACK.id, is_hard_20_against_6),
        )
        settings = replace(settings, **changes)
        self._app = _application()
        self.house = self._app.state.house = House(settings, clock=house_clock or clock)
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
        self.house.passwords.close()
        self.house.journal.close()

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
        """Let time pass until something is so; looked at again when the log has grown, or after a while."""
        while not (found := await wanted()):
            head = self.house.memory.head
            for _ in range(10):
                if self.stopped:
                    raise MachineStopsError
                self.clock.advance(milliseconds=20)
                await asyncio.sleep(0.002)
                if self.house.memory.head != head:
                    break
        return found

    # What is seen of the books.

    def settled_draws(self) -> frozenset[int]:
        """Those that are settled, as their rows have it; the wall may not have shown them yet."""
        with self.house.database.read() as connection:
            return frozenset(draw.number for draw in draws_with_status(connection, "settled"))

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


async def shoes_are_ready(stage: Stage) -> None:
    """Let the dealers shuffle, so that nothing is due."""
    for table in ("linden", "alder", "rowan"):

        async def ready(table: str = table) -> Any:
            return (await stage.ask("GET", f"/api/v1/tables/{table}")).body["shoe"]["commitment"]

        await stage.until(ready)
