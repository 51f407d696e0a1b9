"""A fourth game of the blackjack family has its place in lobby and lab, its table and its rounds."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from cardroom.games import GAMES
from tests.charlie_21.entry import CHARLIE_21
from tests.web.conftest import CardRoom, Guest, quick_settings, start

HAZEL = "/api/v1/tables/hazel"


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CardRoom]:
    """A server that knows one game more; its worker, a process of its own, does not, and is not asked."""
    with GAMES.registered(replace(CHARLIE_21, figures_at_once=True)):
        running = start(quick_settings(tmp_path_factory.mktemp("room"), card_seconds=0.0))
        yield running
        running.stop()


def table_when(guest: Guest, key: str) -> dict[str, Any]:
    """The table once the visitor has something there."""
    deadline = time.monotonic() + 300
    while time.monotonic() < deadline:
        seen: dict[str, Any] = guest.get(HAZEL).json()
        if seen["you"][key]:
            return seen
        time.sleep(0.01)
    raise AssertionError(f"the table never has {key}")


def test_lobby_rules_and_how_it_works(room: CardRoom) -> None:
    guest = room.client()
    lobby = guest.get("/").text
    assert "<h2>Charlie 21</h2>" in lobby
    assert '<a href="/tables/hazel">Hazel</a></td><td>Charlie 21</td>' in lobby
    assert 'href="/how/charlie-21' in lobby
    assert "21-1.17" in guest.get("/rules/charlie-21").text
    assert "aria-current=page>Charlie 21</a>" in guest.get("/lab", params={"game": "charlie-21"}).text


def test_a_hand_is_dealt_at_its_table(room: CardRoom) -> None:
    guest = room.client()
    assert guest.get("/play/charlie-21").headers["location"] == "/tables/hazel"
    assert "Charlie 21" in guest.get("/tables/hazel").text
    staked = guest.put(f"{HAZEL}/spots/1/wagers", json={"stake_cents": 400}, headers=guest.key(1))
    assert staked.status_code == 200, staked.text
    assert guest.post(f"{HAZEL}/deal").status_code == 200
    assert table_when(guest, "options")["phase"] == "round"


def test_a_player_opens_a_table_of_it(room: CardRoom) -> None:
    guest = room.client()
    asked = {"game": "charlie-21", "options": {"charlie": 6}}
    opened = guest.post("/api/v1/tables", json=asked, headers=guest.key(2))
    assert opened.status_code == 201, opened.text
    opened_table = room.house.memory.tables[opened.json()["table"]]
    assert opened_table.rules.flat()["charlie"] == 6
