"""Between rounds: the waiting list of a full table, and rules that the house changes at a running one."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from cardroom.store.ledger import all_balances, ledger_faults
from cardroom.table.twentyone.offers import Offers
from tests.web.conftest import CardRoom, Guest, open_screen
from tests.web.pictures import picture
from tests.web.test_operations import API, PASSWORD, appoint, enter
from tests.web.test_table_api import Seat, options, over, rehearsal

TWO_SPOTS = {"procedure.spots": 2}


def own_table(guest: Guest, **changes: Any) -> Seat:
    body = {"game": "blackjack", "options": changes}
    answer = guest.post("/api/v1/tables", json=body, headers={"Idempotency-Key": "own-table"})
    assert answer.status_code == 201, answer.text
    seat = Seat(guest, answer.json()["table"])
    seat.until(lambda view: view["shoe"]["commitment"])
    return seat


def wait_for_spot(seat: Seat) -> Any:
    return seat.guest.post(f"{seat.path}/waiting")


def play_round(*seats: Seat, after: int | None = None) -> None:
    """Deal a round to some players, who take no insurance and stand; or play the one `after` a number."""
    number = seats[0].view()["round_number"] if after is None else after
    for seat in seats if after is None else ():
        seat.deal()
    while True:
        view = seats[0].until(lambda view: view["turn"] or (over(view) and view["round_number"] > number))
        if view["turn"] is None:
            return
        for seat in seats:
            if offered := options(seat.view()):
                seat.act("stand" if "stand" in offered else "no insurance")


def full_table(room: CardRoom) -> tuple[Seat, Seat, Seat, Seat]:
    """Ann and Bob on the two spots, Cem and Dan before the table."""
    ann = own_table(room.client(), **TWO_SPOTS)
    bob, cem, dan = (Seat(room.client(), ann.path.rsplit("/", 1)[1]) for _ in range(3))
    assert ann.wager(1, 400).status_code == 200
    assert not cem.view()["full"]
    refused = wait_for_spot(cem)
    assert (refused.status_code, refused.json()["error"]["clause"]) == (422, "PROC-3")  # a spot is free
    assert bob.wager(2, 400).status_code == 200
    return ann, bob, cem, dan


@pytest.mark.clause("PROC-3")
def test_a_spot_goes_to_the_first_who_waits_for_a_stated_time_and_then_to_the_next(tmp_path: Path) -> None:
    with rehearsal(tmp_path, offer_seconds=5.0) as room:
        ann, bob, cem, dan = full_table(room)
        assert cem.view()["full"]
        assert wait_for_spot(cem).json()["you"]["place"] == 1
        assert wait_for_spot(dan).json()["you"]["place"] == 2
        assert wait_for_spot(dan).json()["error"]["clause"] == "PROC-3"  # once is enough
        assert [one["name"] for one in ann.view()["waiting"]] == [cem.guest.name, dan.guest.name]
        ann.wager(1, 0)
        assert ann.guest.post(f"{ann.path}/leave").status_code == 200
        offered = cem.view()["you"]
        assert (offered["spots"], offered["place"], offered["offer_until"] is not None) == ([1], None, True)
        assert dan.wager(1, 400).json()["error"]["clause"] == "PROC-3"  # the spot is Cem's while it is kept
        view = dan.until(lambda view: view["you"]["spots"] == [1])
        assert not cem.view()["you"]["seated"]
        assert view["waiting"] == []
        assert dan.wager(1, 400).status_code == 200
        assert dan.view()["you"]["offer_until"] is None
        play_round(dan, bob)
        assert dan.view()["you"]["spots"] == [1]  # who has staked keeps the spot
        with room.house.database.read() as connection:
            assert ledger_faults(connection) == []
            assert sum(all_balances(connection).values()) == 0


def test_who_waits_may_leave_and_the_list_outlives_the_server(tmp_path: Path) -> None:
    with rehearsal(tmp_path) as room:
        ann, bob, cem, dan = full_table(room)
        wait_for_spot(cem)
        wait_for_spot(dan)
    with rehearsal(tmp_path) as room:
        for seat in (ann, bob, cem, dan):
            seat.guest.base_url = room.url
        assert [one["name"] for one in cem.view()["waiting"]] == [cem.guest.name, dan.guest.name]
        assert cem.guest.post(f"{cem.path}/leave").status_code == 200
        assert dan.view()["you"]["place"] == 1
        assert not cem.view()["you"]["seated"]


@pytest.mark.clause("PROC-3")
def test_who_plays_more_than_two_spots_gives_them_up_at_once(room: CardRoom) -> None:
    ann = own_table(room.client(), **{"procedure.spots": 3})
    bob = Seat(room.client(), ann.path.rsplit("/", 1)[1])
    for spot in (1, 2, 3):
        ann.wager(spot, 400)
    view = wait_for_spot(bob).json()
    assert view["you"]["spots"] == [3]
    assert ann.view()["you"]["spots"] == [1, 2]


def test_the_time_of_an_offer_runs_while_wagers_are_open() -> None:
    noon = datetime(2025, 6, 14, 12, tzinfo=UTC)
    offers = Offers(60)
    offers.make("Cem", noon)
    offers.round_began(noon + timedelta(seconds=20))
    offers.round_ended(noon + timedelta(seconds=320))
    assert offers.until("Cem") == noon + timedelta(seconds=60 + 300)
    assert offers.over(noon + timedelta(seconds=359)) == []
    assert offers.over(noon + timedelta(seconds=360)) == ["Cem"]
    offers.forget("Cem")
    assert offers.due_at() is None


@pytest.mark.requirement("R-47")
def test_announced_rules_hold_from_the_next_shoe_on(tmp_path: Path) -> None:
    with rehearsal(tmp_path) as room:
        seat, chief = own_table(room.client(), decks=2, **{"limits.max": "10.00"}), room.client()
        enter(chief, room.house)
        table = seat.path.rsplit("/", 1)[1]
        before = seat.view()
        seat.wager(1, 1000)
        announce(chief, table, "limits.max=20", "surrender=late", reason="a busy evening")
        told = seat.view()["announcement"]
        assert not told["in_force"]
        assert ["a primary wager is at most $20.00", "PROC-2"] in [
            list(one.values()) for one in told["rules"]
        ]
        assert seat.wager(1, 2000).json()["error"]["clause"] == "PROC-2"  # the old limit still holds
    with rehearsal(tmp_path, wager_seconds=30.0) as room:  # a new start of the server forgets nothing of it
        seat.guest.base_url = room.url
        assert seat.view()["announcement"] == told
        shoe = before["shoe"]["number"]
        while seat.view()["shoe"]["number"] == shoe:
            assert seat.view()["rules_hash"] == before["rules_hash"]
            seat.wager(1, 1000)
            play_round(seat)
            seat.until(lambda view: view["shoe"]["commitment"])
        view = seat.view()
        assert view["announcement"]["in_force"]
        assert view["rules_hash"] != before["rules_hash"]
        assert view["layout"]["max_cents"] == 2000
        assert view["you"]["spots"] == [1]  # the players stay
        assert seat.wager(1, 2000).status_code == 200
        said = room.logged("TableRulesAnnounced").content
        assert (said["by"], said["reason"]) == ("operator", "a busy evening")
        assert (said["before"]["limits.max"], said["after"]["limits.max"]) == ("10.00", "20.00")
        assert (said["before"]["surrender"], said["after"]["surrender"]) == ("none", "late")
        granted = [one.content["request"] for one in room.log() if one.kind == "TableRequestGranted"]
        changed = next(request for request in granted if request["request"] == "change rules")
        assert changed["who"] == "operator"


def announce(guest: Guest, table: str, *changes: str, reason: str = "a test") -> Any:
    body = {"changes": changes, "reason": reason}
    answer = guest.put(f"{API}/tables/{table}/rules", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_other_decks_are_put_in_play_when_nobody_is_at_the_table(tmp_path: Path) -> None:
    with rehearsal(tmp_path) as room:
        seat, chief = Seat(room.client(), "linden"), room.client()
        enter(chief, room.house)
        seat.until(lambda view: view["shoe"]["commitment"])
        seat.wager(1, 400)
        assert announce(chief, "linden", "decks=8")["needs_opening"]
        play_round(seat)
        assert seat.view()["shoe"]["number"] == 1
        seat.guest.post(f"{seat.path}/leave")
        view = seat.until(lambda view: view["shoe"]["number"] == 2 and view["shoe"]["commitment"])
        assert view["shoe"]["cards_left"] == 8 * 52
        assert len(seat.guest.get(f"{seat.path}/shoes").json()["shoes"]) == 1  # the old shoe is proved
        assert seat.wager(1, 400).status_code == 200


def test_who_may_announce_and_what(tmp_path: Path) -> None:
    with rehearsal(tmp_path) as room:
        guest, chief = room.client(), room.client()
        path = f"{API}/tables/linden/rules"
        assert guest.put(path, json={"changes": ["limits.max=20"], "reason": "a test"}).status_code == 401
        enter(chief, room.house)
        Seat(guest, "linden").wager(1, 400)
        for role, status in (("auditor", 403), ("floor", 200)):
            appoint(chief, role)
            other = room.client()
            enter(other, room.house, f"the-{role}", PASSWORD)
            assert (
                other.put(path, json={"changes": ["surrender=late"], "reason": "a test"}).status_code
                == status
            )
        assert chief.put(path, json={"changes": ["no.such=1"], "reason": "a test"}).status_code == 400
        assert chief.put(path, json={"changes": ["decks=many"], "reason": "a test"}).status_code == 400
        assert (
            chief.put(path, json={"changes": ["surrender=none"], "reason": "a test"}).status_code == 409
        )  # it is so already
        assert (
            chief.put(
                f"{API}/tables/willow/rules", json={"changes": ["decks=2"], "reason": "a test"}
            ).status_code
            == 404
        )
        assert guest.get("/api/v1/tables/linden").json()["announcement"] is not None
        assert chief.put(path, json={"changes": [], "reason": "a test"}).status_code == 200  # taken back
        assert guest.get("/api/v1/tables/linden").json()["announcement"] is None
        assert chief.put(path, json={"changes": [], "reason": "a test"}).status_code == 409


def test_the_list_and_an_announcement_in_a_browser(tmp_path: Path, browser: Browser) -> None:
    with rehearsal(tmp_path) as room:
        ann, bob, _, _ = full_table(room)
        table = ann.path.rsplit("/", 1)[1]
        screen = open_screen(browser, room, width=390, height=844)
        page = screen.page
        page.goto(f"/tables/{table}")
        page.click("#b-wait")
        expect(page.locator("#b-floor")).to_contain_text("You are number 1 on the waiting list")
        enter(room.client(), room.house)
        office = open_screen(browser, room)
        office.page.goto("/operations")
        office.page.fill("#o-name", "operator")
        office.page.fill("#o-password", room.house.first_password or "")
        office.page.keyboard.press("Enter")
        office.page.select_option("#o-rules-table", table)
        for option in ("limits.max", "surrender"):
            group = office.page.locator(
                "#o-rules-options details", has=office.page.locator(f"[id='o-rule-{option}']")
            )
            group.locator("summary").click()
        office.page.fill("[id='o-rule-limits.max']", "20")
        office.page.select_option("[id='o-rule-surrender']", label="Late")
        expect(office.page.locator("#o-announce")).to_contain_text("Announce 2 changes at private table")
        office.page.fill("#o-rules-reason", "a busy evening")
        office.page.click("#o-announce")
        expect(office.page.locator(".note")).to_contain_text("at most $20.00")
        expect(page.locator(".b-announced")).to_contain_text("from the next shoe on")
        expect(page.locator(".b-announced")).to_contain_text("PROC-2")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        picture(page, "table-waiting-390")
        picture(office.page, "operations-rules", full_page=True)
        ann.wager(1, 0)
        ann.guest.post(f"{ann.path}/leave")
        expect(page.locator("#b-floor")).to_contain_text("Spot 1 is yours")
        page.click(".b-spot[data-spot='1'] .b-circle")
        expect(page.locator("#b-floor")).not_to_contain_text("Spot 1 is yours")
        page.click("[data-action=clear]")
        page.click("#b-leave")
        bob.wager(2, 0)
        bob.guest.post(f"{bob.path}/leave")  # nobody is there: the announced rules come at once
        expect(page.locator(".b-sub")).to_contain_text("to $20")
        expect(page.locator(".b-announced")).to_contain_text("New rules since this shoe")
        for one in (screen, office):
            assert one.troubles == []
            one.page.context.close()
