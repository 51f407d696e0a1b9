"""A crowd: players who act at once, and connections that break; nothing is lost and the money balances."""

from __future__ import annotations

import asyncio
import time
from itertools import count
from pathlib import Path

import httpx2 as httpx
import pytest
from websockets.asyncio.client import connect

from cardroom.store.ledger import all_balances, ledger_faults
from cardroom.store.migrate import open_database
from cardroom.web.clock import SystemClock
from tests.web.conftest import CardRoom, finished, quick_settings, start

PLAYERS = 24
GAMES = 3
PATIENCE_SECONDS = 180


async def player(room: CardRoom, number: int) -> int:
    """Plays games at a table shared with others while its connection breaks again and again."""
    async with httpx.AsyncClient(base_url=room.url, timeout=300) as client:
        client.headers["X-CSRF-Token"] = (await client.get("/api/v1/session")).json()["csrf"]
        table = ("willow", "heron")[number % 2] if number < 12 else None
        if table is None:
            headers = {"Idempotency-Key": f"own-table-{number}"}
            opened = await client.post("/api/v1/knockout-52/tables", json={"decks": 1}, headers=headers)
            table = opened.json()["table"]
        path = f"/api/v1/knockout-52/tables/{table}"
        live = f"{room.url.replace('http', 'ws')}{path}/live"
        played, deadline = 0, time.monotonic() + PATIENCE_SECONDS
        for attempt in count():
            assert time.monotonic() < deadline, (number, played)
            async with connect(
                live, additional_headers={"Cookie": f"cardroom_guest={client.cookies['cardroom_guest']}"}
            ) as socket:
                await socket.recv()  # one state, and the line breaks
            headers = {"Idempotency-Key": f"player-{number}-{attempt:04d}"}
            body = {"stakes": {"round-1": 100}}
            first = await client.put(f"{path}/wagers", json=body, headers=headers)
            again = await client.put(f"{path}/wagers", json=body, headers=headers)  # a lost answer
            assert again.status_code == first.status_code or again.status_code == 200
            if first.status_code == 200:
                await client.post(f"{path}/deal")
            rounds = (await client.get("/api/v1/session/history")).json()["rounds"]
            played = len(rounds)
            if played >= GAMES:
                break
            await asyncio.sleep(0.02)
        chips: int = (await client.get("/api/v1/session")).json()["chips_cents"]
        return chips


@pytest.mark.requirement("R-56")
def test_a_crowd_with_broken_lines_loses_nothing(tmp_path: Path) -> None:
    room = start(quick_settings(tmp_path))

    async def crowd() -> list[int]:
        return await asyncio.gather(*(player(room, number) for number in range(PLAYERS)))

    try:
        finished(crowd())
    finally:
        room.stop()  # a game may still be dealt: now nothing moves any more
    with (
        open_database(room.settings.database, SystemClock()) as database,
        database.read() as connection,
    ):
        assert ledger_faults(connection) == []
        balances = all_balances(connection)
    assert sum(balances.values()) == 0
    players = {account: cents for account, cents in balances.items() if account.startswith("player:")}
    assert len(players) == PLAYERS
    for account, cents in players.items():
        assert room.house.player(account.removeprefix("player:")).balance_cents == cents
