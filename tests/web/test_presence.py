"""Who is at a table: pages that are closed, spots that are given up, stakes in play, meters of the house."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from cardroom.store.ledger import all_balances
from cardroom.table.twentyone.running import TwentyOneTable
from tests.web.conftest import CardRoom, open_screen
from tests.web.shoes import is_hard_20_against_6, number_for
from tests.web.test_floor import own_table, play_round
from tests.web.test_knockout52_api import wait_until
from tests.web.test_table_api import Seat, rehearsal


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CardRoom]:
    """A room in which who has closed the page has gone after a moment."""
    with rehearsal(tmp_path_factory.mktemp("hasty"), gone_seconds=0.5) as room:
        yield room


def test_who_closes_the_page_leaves_the_table_and_gets_the_wagers_back(
    hasty: CardRoom, browser: Browser
) -> None:
    screen = open_screen(browser, hasty)
    page = screen.page
    page.goto("/tables/linden")
    page.click(".b-spot[data-spot='3'] .b-circle")
    expect(page.locator(".b-spot[data-spot='3']")).to_contain_text("You")
    other = Seat(hasty.client(), "linden")
    table = hasty.house.tables.find(TwentyOneTable, "linden")
    other.until(lambda _: hasty.house.hub.count(table.topic) == 1)
    assert table.due_at() is None  # with the page open nothing is due, however long it takes
    assert other.view()["spots"][2]["stake_cents"] == 400
    page.context.close()
    view = other.until(lambda view: view["spots"][2]["player"] is None)
    assert view["spots"][2]["stake_cents"] == 0
    assert screen.troubles == []
    with hasty.house.database.read() as connection:
        assert all_balances(connection).get("play:blackjack:linden", 0) == 0


def test_stakes_of_who_closes_the_page_come_back_at_knockout_52(hasty: CardRoom, browser: Browser) -> None:
    page = open_screen(browser, hasty).page
    page.goto("/knockout-52/willow")
    page.click(".k-bet[data-wager='round-1']")
    expect(page.locator(".k-bet[data-wager='round-1'] .k-circle")).to_have_text("$5")
    guest = hasty.client()
    wait_until(guest, lambda view: len(view["players"]) == 1)
    page.context.close()
    wait_until(guest, lambda view: not view["players"])
    with hasty.house.database.read() as connection:
        assert all_balances(connection)["play:knockout-52:willow"] == 0


@pytest.mark.clause("PROC-3")
def test_a_spot_is_given_up_and_with_the_last_one_the_table(room: CardRoom) -> None:
    ann = own_table(room.client())
    for spot in (2, 5):
        assert ann.wager(spot, 400).status_code == 200
    answer = ann.guest.delete(f"{ann.path}/spots/2")
    assert answer.status_code == 200
    assert answer.json()["you"]["spots"] == [5]
    assert answer.json()["spots"][1] == {
        "number": 2,
        "player": None,
        "you": False,
        "ready": False,
        "computer": False,
        "stake_cents": 0,
        "side": {},
        "short": [],
    }
    refused = ann.guest.delete(f"{ann.path}/spots/2")
    assert (refused.status_code, refused.json()["error"]["clause"]) == (422, "PROC-3")
    assert ann.guest.delete(f"{ann.path}/spots/5").json()["you"]["seated"] is False


def test_a_stake_in_play_is_no_loss_until_the_round_is_over(tmp_path: Path) -> None:
    with rehearsal(tmp_path, number_for("blackjack", is_hard_20_against_6)) as room:
        ann = own_table(room.client())
        ann.wager(1, 400)
        ann.deal()
        ann.until(lambda view: view["you"]["options"])
        told = ann.guest.get("/api/v1/session").json()
        assert (told["session_net_cents"], told["in_play_cents"]) == (0, 400)
        ann.play_out()
        told = ann.guest.get("/api/v1/session").json()
        assert told["in_play_cents"] == 0
        assert told["session_net_cents"] == ann.view()["last"]["your_net_cents"]
        assert told["chips_cents"] == 100_000 + told["session_net_cents"]


@pytest.mark.clause("SIDE-4")
def test_a_private_table_moves_no_books_of_the_house(room: CardRoom) -> None:
    def books() -> dict[str, int]:
        with room.house.database.read() as connection:
            found = all_balances(connection)
        own = ("house:", "meter:rowan:")
        return {name: cents for name, cents in found.items() if name.startswith(own) and cents}

    before = books()
    seat = Seat.own(room.client(), "players-edge-21")
    view = seat.until(lambda view: view["shoe"]["commitment"])
    assert view["meters"] == {}
    assert [bet["wager"] for bet in view["layout"]["side_bets"]] == ["match-up", "match-down"]
    body = {"game": "players-edge-21", "options": {"side_bets.monster-match-5.offered": True}}
    guest = room.client()
    answer = guest.post("/api/v1/tables", json=body, headers={"Idempotency-Key": "with-meter"})
    assert answer.status_code == 201
    own = Seat(guest, answer.json()["table"])
    seed = own.until(lambda view: view["shoe"]["commitment"])["meters"]["monster-match-5"]
    assert seed > 0
    own.wager(1, 1000, {"monster-match-5": 500})
    own.deal()
    own.play_out()
    chips = own.guest.get("/api/v1/session").json()["chips_cents"]
    after = books()
    assert after.pop("house:chips") == before.pop("house:chips", 0) - 100_000  # the welcome
    assert after == before
    with room.house.database.read() as connection:
        found = all_balances(connection)
    assert found["outside:private-players-edge-21"] + chips == 100_000
    assert not any(name.startswith(f"meter:{own.path.rsplit('/', 1)[1]}") for name in found)


def test_rounds_go_on_when_one_of_two_has_gone(hasty: CardRoom) -> None:
    """What is said for who gives no answer is no sign of life."""
    ann = own_table(hasty.client())
    bob = Seat(hasty.client(), ann.path.rsplit("/", 1)[1])
    while True:  # on a slow machine somebody may have gone before the deal, and comes again
        number = ann.view()["round_number"]
        ann.wager(1, 400)
        bob.wager(2, 400)
        dealt = [seat for seat in (ann, bob) if seat.guest.post(f"{seat.path}/deal").status_code == 200]
        if dealt:
            play_round(*dealt, after=number)
        if dealt == [ann, bob]:
            break
    assert bob.until(lambda view: not view["you"]["seated"])["spots"][1]["player"] is None


def test_a_closed_game_is_not_opened_by_naming_another(room: CardRoom) -> None:
    guest = room.client()
    body = {"game": "blackjack", "options": {"game": "spanish-21"}}
    answer = guest.post("/api/v1/tables", json=body, headers={"Idempotency-Key": "another-game"})
    assert answer.status_code == 400
    assert "name that game itself" in answer.text
