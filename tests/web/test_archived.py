"""A house whose old records are sealed: it starts, plays on, and its shared links still work."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from cardroom.core.errors import Unavailable
from cardroom.store.archives import ArchiveRow, all_archives, sealed_head
from cardroom.store.ledger import all_balances, ledger_faults
from cardroom.store.log import check_chain
from cardroom.store.lottery import records
from cardroom.store.sealing import seal, sealing_limit
from cardroom.web.house import House
from cardroom.web.memory import in_use
from tests.databases import Postgres
from tests.web.conftest import CardRoom
from tests.web.test_floor import play_round
from tests.web.test_past import rounds_of, shown, three_rounds
from tests.web.test_restart import evening, everything
from tests.web.test_table_api import rehearsal


def sealed(house: House, folder: Path) -> list[ArchiveRow]:
    """Seal all that may be sealed of a house, as if its records were old."""
    with house.database.read() as connection:
        before = house.now() + timedelta(days=1)
        limit = sealing_limit(connection, before, house.checkpoints.last())
    return list(seal(house.database, folder, limit, in_use(house.checkpoints)))


def sealed_while_closed(room: CardRoom, folder: Path) -> list[ArchiveRow]:
    house = House(room.house.settings, clock=room.house.clock)
    written = sealed(house, folder)
    house.database.close()
    return written


@pytest.mark.requirement("R-39", "R-44")
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_shared_link_to_an_archived_round_still_works(
    tmp_path: Path, kind: str, request: pytest.FixtureRequest
) -> None:
    changes: dict[str, Any] = {}
    if kind == "postgresql":
        postgres: Postgres = request.getfixturevalue("postgres")
        changes["database"] = postgres.empty()
    with rehearsal(tmp_path, **changes) as room:
        seat = three_rounds(room)
        played = rounds_of(seat)
        before = [shown(seat, one) for one in played]
        books = seat.books(3)
    (row,) = sealed_while_closed(room, tmp_path / "archives")
    with rehearsal(tmp_path, **changes) as room:
        seat.guest.base_url = room.url
        with room.house.database.read() as connection:
            assert sealed_head(connection) == row.end
            assert ledger_faults(connection) == []
            assert sum(all_balances(connection).values()) == 0
        assert [shown(seat, one) for one in played] == before
        for one in played:
            assert seat.guest.get(f"/rounds/{one}", headers={"Accept": "text/html"}).status_code == 200
        assert seat.guest.get("/api/v1/tables/rounds/linden-999").status_code == 404
        assert seat.guest.get(f"{seat.path}/coach").json() == books
        seat.wager(1, 400)
        play_round(seat)
        assert seat.books(4)["rounds"] == 4
        assert list(check_chain(room.log())) == []


def test_where_the_archive_is_missing_the_page_names_it(tmp_path: Path) -> None:
    with rehearsal(tmp_path) as room:
        seat = three_rounds(room)
        played = rounds_of(seat)
        books = seat.books(3)
    sealed_while_closed(room, tmp_path / "archives")
    (tmp_path / "archives").rename(tmp_path / "cupboard")
    with rehearsal(tmp_path) as room:
        seat.guest.base_url = room.url
        answer = seat.guest.get(f"/api/v1/tables/rounds/{played[-1]}")
        assert answer.status_code == 503
        assert "lie in archive 1 (000001.cardroom)" in answer.json()["error"]["message"]
        page = seat.guest.get(f"/rounds/{played[-1]}", headers={"Accept": "text/html"})
        assert page.status_code == 503
        assert "archive 1 (000001.cardroom)" in page.text
        assert str(tmp_path) not in page.text
        assert shown(seat, played[0])["number"] == 3  # the last round of a table stays in the log
        assert seat.guest.get(f"{seat.path}/coach").json() == books
        seat.wager(1, 400)
        play_round(seat)
    with rehearsal(tmp_path, archives=tmp_path / "cupboard") as room:
        seat.guest.base_url = room.url
        assert shown(seat, played[-1])["number"] == 1


def test_a_checkpoint_that_is_lost_is_made_anew_from_the_archives(tmp_path: Path) -> None:
    with rehearsal(tmp_path) as room:
        evening(room)
        players = sorted(room.house.players._at_hand)
        settings, clock = room.house.settings, room.house.clock
    before = everything(room.house.memory, players)
    sealed_while_closed(room, tmp_path / "archives")

    opened = House(settings, clock=clock)
    assert everything(opened.memory, players) == before
    with opened.database.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE parts SET body = '{}' WHERE name = 'table:linden'")
    opened.database.close()

    (tmp_path / "archives").rename(tmp_path / "cupboard")
    with pytest.raises(Unavailable, match=r"archive 1 \(000001.cardroom\)"):
        House(settings, clock=clock)
    (tmp_path / "cupboard").rename(tmp_path / "archives")
    anew = House(settings, clock=clock)
    assert everything(anew.memory, players) == before
    anew.database.close()


def test_a_server_may_run_meanwhile(tmp_path: Path) -> None:
    with rehearsal(tmp_path) as room:
        seat = three_rounds(room)
        loop = room.house.following.loop
        assert loop is not None
        seat.books(3)
        asyncio.run_coroutine_threadsafe(room.house.following.save(), loop).result(60)
        (row,) = sealed(room.house, tmp_path / "archives")
        assert sealed(room.house, tmp_path / "archives") == []
        seat.wager(1, 400)
        play_round(seat)
        assert seat.books(4)["rounds"] == 4
        with room.house.database.read() as connection:
            live = [record.seq for record in records(connection, after=row.end.seq)]
            assert live == list(range(row.end.seq + 1, live[-1] + 1))
            assert ledger_faults(connection) == []
            assert all_archives(connection) == [row]
        players = sorted(room.house.players._at_hand)
    before = everything(room.house.memory, players)
    opened = House(room.settings, clock=room.house.clock)
    assert everything(opened.memory, players) == before
    opened.database.close()
