"""Live connections are counted: one too many is refused in clear words, and a closed one makes room."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx2 as httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from tests.web.conftest import CardRoom, quick_settings, start

LIVE = "/api/v1/tables/linden/live"
MONITOR = "/api/v1/knockout-21/monitor"
MOST = 3


@pytest.fixture
def narrow(tmp_path: Path) -> Iterator[CardRoom]:
    """A room in which one address may have three live connections."""
    room = start(quick_settings(tmp_path, most_streams_per_address=MOST, lottery=True, demo=True))
    yield room
    room.stop()


def address_of(room: CardRoom) -> str:
    return room.url.replace("http", "ws") + LIVE


def test_an_address_has_so_many_streams_and_no_more(narrow: CardRoom) -> None:
    while narrow.house.lottery is None:
        time.sleep(0.01)
    with ExitStack() as held:
        for _ in range(MOST - 1):
            held.enter_context(connect(address_of(narrow))).recv()
        wall = held.enter_context(httpx.stream("GET", narrow.url + MONITOR))
        assert wall.status_code == 200
        with pytest.raises(InvalidStatus) as refused:
            connect(address_of(narrow))
        assert refused.value.response.status_code == 429
        assert "Retry-After" in refused.value.response.headers
        answer = httpx.get(narrow.url + MONITOR, timeout=300)
        assert answer.status_code == 429
        assert answer.json()["error"]["message"].startswith("3 live connections are open from your address")
        assert (
            httpx.get(f"{narrow.url}/api/v1/tables", timeout=300).status_code == 200
        )  # pages are not streams
    until = time.monotonic() + 300
    while time.monotonic() < until:  # whoever left is noticed a moment later
        try:
            with connect(address_of(narrow)) as again:
                assert again.recv()
                return
        except InvalidStatus:
            time.sleep(0.05)
    raise AssertionError("a closed connection makes no room")


def test_the_house_has_so_many_streams_in_all(tmp_path: Path) -> None:
    room = start(quick_settings(tmp_path, most_streams=1))
    try:
        with connect(address_of(room)) as first:
            assert first.recv()
            with pytest.raises(InvalidStatus) as refused:
                connect(address_of(room))
            assert refused.value.response.status_code == 503
            assert b"all 1 live connections of this house are taken" in (refused.value.response.body or b"")
    finally:
        room.stop()
