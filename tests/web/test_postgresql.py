"""The card room on PostgreSQL: a game and a round from wager to books, and the same state after a restart."""

from __future__ import annotations

from pathlib import Path

from cardroom.store.ledger import all_balances, ledger_faults
from tests.databases import Postgres
from tests.web.conftest import quick_settings, start
from tests.web.test_knockout52_api import play
from tests.web.test_table_api import Seat


def test_games_are_booked_and_found_again(postgres: Postgres, tmp_path: Path) -> None:
    settings = quick_settings(tmp_path, database=postgres.new())
    room = start(settings)
    guest = room.client()
    view = play(guest, "/api/v1/knockout-52/tables/willow", {"round-1": 500})
    seat = Seat(guest, "linden")
    seat.until(lambda shown: shown["shoe"]["commitment"])
    seat.wager(1, 400)
    seat.deal()
    after = seat.play_out()
    chips = after["you"]["chips_cents"]
    assert chips == 100_000 + view["last"]["your_net_cents"] + after["last"]["your_net_cents"]
    room.stop()
    room = start(settings)
    try:
        guest.base_url = room.url
        assert guest.get("/api/v1/session").json()["chips_cents"] == chips
        assert seat.view()["round"] == after["round"]
        with room.house.database.read() as connection:
            assert ledger_faults(connection) == []
            assert sum(all_balances(connection).values()) == 0
    finally:
        room.stop()
