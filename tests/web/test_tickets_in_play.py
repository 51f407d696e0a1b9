"""The head of a page says of a ticket: in play until its draw is over, then lost; also after a restart."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cardroom.lottery.draws import void_draw
from cardroom.store.checkpoints import Checkpoints
from cardroom.store.migrate import open_database
from cardroom.web.house import House
from cardroom.web.memory import PLAYER, VERSION
from cardroom.web.players.saved import saved_player
from tests.databases import HandClock
from tests.web.conftest import CardRoom, Guest, quick_settings, start
from tests.web.lottery_hall import API, buy, finish, hold_draw, wait_for
from tests.web.test_restart import everything


def told(guest: Guest) -> tuple[int, int, int]:
    """Chips, result and what is in play."""
    found = guest.get("/api/v1/session").json()
    return found["chips_cents"], found["session_net_cents"], found["in_play_cents"]


def call_off(hall: CardRoom, draw: int) -> None:
    assert hall.house.lottery is not None
    void_draw(hall.house.lottery.lottery, draw, operators=["ann", "bob"], reason="a test")


def claim(guest: Guest, ticket: dict[str, Any], key: int) -> int:
    """What a ticket is paid; 0 until the house has heard that its draw is over."""
    whole = guest.get(f"{API}/tickets/{ticket['id']}").json()
    body = {"control_number": whole["control_number"], "code": whole["code"]}
    paid = guest.post(f"{API}/claims", json=body, headers=guest.key(key)).json()
    cents: int = paid["prize_cents"]
    return cents


def test_a_ticket_is_no_loss_until_its_draw_and_none_where_that_is_called_off(
    hall: CardRoom, clock: HandClock
) -> None:
    guest, page = hall.client(), {"Accept": "text/html"}
    first, second = finish(guest, buy(guest, draws=2))["tickets"]
    assert told(guest) == (99_000, 0, 1_000)
    assert "your result is" in guest.get("/you", headers=page).text
    assert "$10 in play" in " ".join(guest.get("/you", headers=page).text.split())
    call_off(hall, second["draw"])
    wait_for(lambda: guest.get(f"{API}/tickets/{second['id']}").json()["called_off"])
    assert told(guest) == (99_000, 0, 1_000)
    wait_for(lambda: claim(guest, second, 5) == 500)
    assert told(guest) == (99_500, 0, 500)
    hold_draw(hall, clock, guest, first["draw"])
    assert told(guest) == (99_500, -500, 0)
    prize = claim(guest, first, 6)
    assert prize == 4_500  # the only ticket of a draw is never knocked out (KO21-4.4)
    assert told(guest) == (99_500 + prize, prize - 500, 0)


def test_tickets_in_play_are_the_same_after_a_restart(tmp_path: Path, clock: HandClock) -> None:
    """From the checkpoint, from the whole log, and where the checkpoint has the player damaged."""
    hall = start(quick_settings(tmp_path, lottery=True), clock)
    guest = hall.client()
    wait_for(lambda: bool(guest.get(f"{API}/draws").json().get("on_sale")))
    first, second, third = finish(guest, buy(guest, draws=3))["tickets"]
    hall.stop()
    are_the_same_anew(hall, (0, 1_500), "checkpoint")

    again = start(hall.settings, clock, port=int(hall.url.rpartition(":")[2]))
    wait_for(lambda: bool(guest.get(f"{API}/draws").json().get("on_sale")))
    assert told(guest) == (98_500, 0, 1_500)
    call_off(again, second["draw"])
    hold_draw(again, clock, guest, first["draw"])
    assert told(guest) == (98_500, -500, 1_000)
    again.stop()
    are_the_same_anew(again, (-500, 1_000), "checkpoint")

    last = start(hall.settings, clock, port=int(hall.url.rpartition(":")[2]))
    wait_for(lambda: bool(guest.get(f"{API}/draws").json().get("on_sale")))
    hold_draw(last, clock, guest, third["draw"])
    assert told(guest) == (98_500, -1_000, 500)
    clock.advance(minutes=30)
    wait_for(lambda: guest.post(f"{API}/purchases", json={}, headers=guest.key(2)).status_code == 201)
    assert told(guest) == (98_000, 0, 1_000)  # a session of its own
    last.stop()
    are_the_same_anew(last, (0, 1_000), "checkpoint", "damaged", "log")


def are_the_same_anew(hall: CardRoom, seen: tuple[int, int], *beginnings: str) -> None:
    """What a hall that has closed knew of its one player, and what a house on its database knows."""
    (player,) = hall.house.players._at_hand

    def known(house: House) -> list[Any]:
        """What is shown and, below it, what is kept."""
        found = house.players.find(player)
        assert found is not None
        return [everything(house.memory, [player]), saved_player(found)]

    before = known(hall.house)
    for begins in beginnings:
        with open_database(hall.settings.database, hall.house.clock) as database:
            if begins == "damaged":
                with database.engine.begin() as connection:
                    statement = "UPDATE parts SET body = '{}' WHERE name = ?"
                    connection.exec_driver_sql(statement, (PLAYER + player,))
            if begins == "log":
                Checkpoints(database, VERSION).discard()
        house = House(hall.settings, clock=hall.house.clock)
        try:
            assert known(house) == before, begins
            found = house.player(player)
            assert (found.session_net_cents, found.in_play_cents) == seen, begins
        finally:
            house.database.close()
