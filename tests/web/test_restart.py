"""A house opened again is the same house as before: from its checkpoint, and from the whole log."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from cardroom.core.errors import Unavailable
from cardroom.store.log import LogHead
from cardroom.web.house import House
from cardroom.web.memory import HOUSE, TABLE, Memory
from cardroom.web.players.saved import saved_player
from tests.web.conftest import CardRoom
from tests.web.lottery_hall import wait_for
from tests.web.test_floor import own_table, play_round
from tests.web.test_table_api import Seat, rehearsal


def everything(memory: Memory, guests: list[str]) -> dict[str, Any]:
    """All parts of memory as plain data."""
    names = [HOUSE, *(TABLE + one for one in memory.tables)]
    parts = {name: memory._part(name) for name in names}
    return parts | {guest: saved_player(memory.players.get(guest)) for guest in guests}


def evening(room: CardRoom) -> None:
    """Some rounds at two tables, a game of Knockout 52, a limit and a name."""
    ann, bob = room.client(), room.client()
    table = own_table(ann)
    other = Seat(bob, table.path.rsplit("/", 1)[1])
    for _ in range(3):
        table.wager(1, 400)
        other.wager(2, 400)
        play_round(table, other)
    house_table = Seat(ann, "linden")
    house_table.keys = 100
    house_table.wager(4, 400, {"21+3": 200})
    play_round(house_table)
    path = "/api/v1/knockout-52/tables/willow"
    stakes = {"stakes": {"round-1": 500}}
    assert bob.put(f"{path}/wagers", json=stakes, headers=bob.key(70)).status_code == 200
    bob.post(f"{path}/deal")

    def is_over() -> bool:
        bob.post(f"{path}/deal")  # the next card at once
        return bob.get(path).json()["last"] is not None

    wait_for(is_over)
    ann.put("/api/v1/session/name", json={"name": "Ann"})
    limit = {"kind": "loss", "period": "day", "value": 50_000}
    assert ann.put("/api/v1/session/limits", json=limit).status_code == 200


def test_a_house_from_its_checkpoint_is_the_house_of_its_log(tmp_path: Path) -> None:
    with rehearsal(tmp_path) as room:
        evening(room)
        players = sorted(room.house.players._at_hand)
        assert len(players) == 2
        settings, clock = room.house.settings, room.house.clock
    before = everything(room.house.memory, players)

    opened = House(settings, clock=clock)
    assert opened.checkpoints.last() is not None
    assert everything(opened.memory, players) == before
    opened.checkpoints.discard()
    opened.database.close()

    anew = House(settings, clock=clock)
    assert everything(anew.memory, players) == before
    anew.database.close()


def test_a_checkpoint_that_could_not_be_written_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it should have held is in the next one, and a start from that is the house of the log."""
    with rehearsal(tmp_path) as room:
        evening(room)
        players = sorted(room.house.players._at_hand)
        settings, clock = room.house.settings, room.house.clock
        save = room.house.checkpoints.save
        refused: list[int] = []

        def fails_once(head: LogHead, changed: dict[str, Any]) -> None:
            if not refused:
                refused.append(len(changed))
                raise Unavailable("the disk is full")
            save(head, changed)

        monkeypatch.setattr(room.house.checkpoints, "save", fails_once)
        loop = room.house.following.loop
        assert loop is not None
        with pytest.raises(Unavailable):
            asyncio.run_coroutine_threadsafe(room.house.following.save(), loop).result(60)
        assert refused[0] > 3
        Seat(room.client(), "alder").wager(1, 400)
    before = everything(room.house.memory, players)
    opened = House(settings, clock=clock)
    assert opened.checkpoints.last() is not None
    assert everything(opened.memory, players) == before
    opened.database.close()


def test_memory_forgets_only_players_who_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardroom.web.players.register._PLAYERS_AT_HAND", 1)
    with rehearsal(tmp_path) as room:
        evening(room)
        players = sorted(room.house.players._at_hand)
        before = everything(room.house.memory, players)
        room.house.memory.let_go()
        assert sorted(room.house.players._at_hand) == players  # both changed since the last checkpoint
        loop = room.house.following.loop
        assert loop is not None
        asyncio.run_coroutine_threadsafe(room.house.following.save(), loop).result(60)
        assert len(room.house.players._at_hand) == 1
        assert {one: everything(room.house.memory, players)[one] for one in players} == {
            one: before[one] for one in players
        }
