"""A real server on a free port with a database of its own, and a real browser before it."""

from __future__ import annotations

import asyncio
import os
import socket
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

import httpx2 as httpx
import pytest
import uvicorn
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from cardroom.store.database import Clock
from cardroom.store.log import LogRecord
from cardroom.store.lottery import records
from cardroom.web.app import create_app
from cardroom.web.house import House
from cardroom.web.server import config_of
from cardroom.web.settings import Settings
from tests.databases import HandClock, with_tables
from tests.web import known_answers
from tests.web.fonts import FONT_SETS, fontconfig_file
from tools.chromium import find

KEY = bytes(range(32))
Answer = TypeVar("Answer")
PATIENCE_MS = int(os.environ.get("CARDROOM_TEST_PATIENCE_MS", "300000"))
"""How long a page may take for what is a matter of seconds, on a machine that has much else to do."""
expect.set_options(timeout=PATIENCE_MS)


@dataclass
class CardRoom:
    """A server that is running."""

    url: str
    house: House
    settings: Settings
    server: uvicorn.Server
    thread: threading.Thread

    def stop(self) -> None:
        self.server.should_exit = True
        self.thread.join(timeout=300)
        assert not self.thread.is_alive(), "the server does not stop"

    def client(self) -> Guest:
        """A new guest, who leaves with the test."""
        guest = Guest(self.url)
        GUESTS.append(guest)
        return guest

    def log(self) -> list[LogRecord]:
        """The whole event log."""
        with self.house.database.read() as connection:
            return list(records(connection))

    def logged(self, kind: str) -> LogRecord:
        """The newest record of a kind; it may be written a moment after the answer."""
        deadline = time.monotonic() + 300
        while time.monotonic() < deadline:
            found = [record for record in self.log() if record.kind == kind]
            if found:
                return found[-1]
            time.sleep(0.01)
        raise AssertionError(f"the log has no {kind}")


class Guest(httpx.Client):
    """A visitor without a browser: keeps the cookie and sends the token."""

    def __init__(self, url: str) -> None:
        super().__init__(base_url=url, timeout=300)
        session = self.get("/api/v1/session").json()
        self.headers["X-CSRF-Token"] = session["csrf"]
        self.name = session["name"]

    def key(self, number: int) -> dict[str, str]:
        return {"Idempotency-Key": f"test-key-{number:06d}"}


GUESTS: list[Guest] = []


@pytest.fixture(autouse=True, scope="session")
def _answers_are_known(tmp_path_factory: pytest.TempPathFactory) -> None:
    """What one process of the tests had computed, no other computes again."""
    own = tmp_path_factory.getbasetemp()
    known_answers.take_over((own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "answers")


@pytest.fixture(autouse=True)
def guests_leave() -> Iterator[None]:
    yield
    while GUESTS:
        GUESTS.pop().close()


def finished(work: Coroutine[Any, Any, Answer]) -> Answer:
    """What comes of some work, in a loop of its own; the browser has one in this thread."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


def start(settings: Settings, clock: Clock | None = None, *, port: int = 0) -> CardRoom:
    """Start a server in a thread of this process, on a port that the system picks or on a certain one."""
    with_tables(settings.database)
    app = create_app(settings, clock=clock)
    listener = socket.create_server(("127.0.0.1", port))
    port = listener.getsockname()[1]
    config = config_of(app, settings)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    deadline = time.monotonic() + 300
    while not server.started:
        assert time.monotonic() < deadline, "the server does not start"
        time.sleep(0.01)
    return CardRoom(f"http://127.0.0.1:{port}", app.state.house, settings, server, thread)


def quick_settings(folder: Path, **changes: object) -> Settings:
    """Settings of a room that does not keep tests waiting."""
    quick: dict[str, object] = {
        "database": f"sqlite:///{folder / 'room.sqlite3'}",
        "key": KEY,
        "vault": folder / "vault",  # houses on a server's databases would share the one in `var`
        "card_seconds": 0.01,
        "wager_seconds": 0.3,
        "decision_seconds": 600.0,  # nobody's hand stands by itself because the machine is slow
        "reveal_seconds": 600.0,  # and nobody's salt is left out
        "offer_seconds": 600.0,
        "show_pace": 0.002,
        "lottery": False,
        "repeatable": 21,  # the tables of the blackjack family deal the same cards every time
        "requests_per_second": 1000.0,
        "burst_requests": 5000,
        "changes_per_second": 1000.0,
        "burst_creations": 5000,
        "burst_tables": 5000,
        "refusal_seconds": 0.0,
        "second_person_hours": 0.0,
    }
    return Settings(**{**quick, **changes})  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CardRoom]:
    """One server for a file of tests."""
    found = start(quick_settings(tmp_path_factory.mktemp("room")))
    yield found
    found.stop()


@pytest.fixture
def clock() -> HandClock:
    """A clock set by hand, at noon in Vancouver."""
    return HandClock(datetime(2025, 6, 14, 19, 0, tzinfo=UTC))


@pytest.fixture
def hall(tmp_path_factory: pytest.TempPathFactory, clock: HandClock) -> Iterator[CardRoom]:
    """A room whose lottery is open."""
    found = start(quick_settings(tmp_path_factory.mktemp("hall"), lottery=True), clock)
    guest = found.client()
    deadline = time.monotonic() + 180
    while not guest.get("/api/v1/knockout-21/draws").json().get("on_sale"):
        assert time.monotonic() < deadline, "the lottery does not open"
        time.sleep(0.02)
    yield found
    found.stop()


@pytest.fixture(scope="session")
def browsers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Browser]]:
    """One Chromium for each set of fonts that a test process asks for."""
    path = find()
    assert path is not None, "the tests of the pages need a Chromium; tools/chromium.py installs one"
    started: dict[str, Browser] = {}
    with sync_playwright() as playwright:

        def with_fonts(fonts: str) -> Browser:
            if fonts not in started:
                known = fontconfig_file(fonts, tmp_path_factory.mktemp(f"fonts-{fonts}"))
                started[fonts] = playwright.chromium.launch(
                    executable_path=path,
                    args=["--no-sandbox", "--disable-gpu"],
                    env={**os.environ, "FONTCONFIG_FILE": str(known)},
                )
            return started[fonts]

        yield with_fonts
        for one in started.values():
            one.close()


@pytest.fixture(scope="session")
def browser(browsers: Callable[[str], Browser]) -> Browser:
    """A Chromium with the fonts of a fresh machine."""
    return browsers("bare")


@pytest.fixture(scope="module", params=FONT_SETS)
def any_fonts(request: pytest.FixtureRequest, browsers: Callable[[str], Browser]) -> Browser:
    """A Chromium with each set of fonts in turn, for tests of what fits where."""
    return browsers(request.param)


_ENTER_WAITS = """
let heard = false;
addEventListener("DOMContentLoaded", () => (heard = true));
addEventListener("submit", (event) => {
  if (heard) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  addEventListener("DOMContentLoaded", () => event.target.requestSubmit(event.submitter));
}, true);
"""
"""A page is seen when its scripts are there (`test_begun`), and nobody presses Enter in a form before. A test
types without seeing: what it sends too early is sent when a person could have."""


@dataclass
class Screen:
    """A page, and everything that went wrong on it."""

    page: Page
    troubles: list[str]


def open_screen(browser: Browser, room: CardRoom, *, width: int = 1280, height: int = 900) -> Screen:
    """A fresh visitor with a window of a size, and no motion."""
    context: BrowserContext = browser.new_context(
        viewport={"width": width, "height": height}, base_url=room.url, reduced_motion="reduce"
    )
    context.add_init_script(_ENTER_WAITS)
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    troubles: list[str] = []
    page.on("pageerror", lambda error: troubles.append(f"error: {error}"))
    page.on(
        "console",
        lambda message: (
            troubles.append(f"console: {message.text}") if message.type in ("error", "warning") else None
        ),
    )
    return Screen(page, troubles)


@pytest.fixture
def screen(browser: Browser, room: CardRoom) -> Iterator[Screen]:
    """A visitor's browser; a test fails when the page complains."""
    found = open_screen(browser, room)
    yield found
    found.page.context.close()
    assert found.troubles == []


@pytest.fixture
def at_terminal(browser: Browser, hall: CardRoom) -> Iterator[Screen]:
    """A visitor's browser at the lottery's terminal."""
    found = open_screen(browser, hall)
    found.page.goto("/knockout-21")
    yield found
    found.page.context.close()
    assert found.troubles == []
