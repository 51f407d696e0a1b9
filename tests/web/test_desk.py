"""The lottery's desk on the pages: lost tickets and large prizes, and what players are told of them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.databases import HandClock
from tests.web.conftest import CardRoom, Guest, open_screen, quick_settings, start
from tests.web.fitting import fits
from tests.web.lottery_hall import API as KNOCKOUT
from tests.web.lottery_hall import buy, finish, hold_draw, wait_for
from tests.web.test_operations import API, PASSWORD, appoint, enter


@pytest.fixture
def clock() -> HandClock:
    return HandClock(datetime(2025, 6, 14, 18, 0, tzinfo=UTC))


@pytest.fixture
def hall(tmp_path: Path, clock: HandClock) -> Iterator[CardRoom]:
    found = start(quick_settings(tmp_path, lottery=True), clock)
    guest = found.client()
    wait_for(lambda: bool(guest.get(f"{KNOCKOUT}/draws").json().get("on_sale")))
    yield found
    found.stop()


def chief_of(hall: CardRoom) -> Guest:
    """An operator who may act with a second one; both were appointed by the first one."""
    first = hall.client()
    assert enter(first, hall.house).status_code == 200
    appoint(first, "operator")
    appoint(first, "operator", "chief", second="the-operator")
    appoint(first, "floor")
    chief = hall.client()
    assert enter(chief, hall.house, "chief", PASSWORD).status_code == 200
    return chief


def two(reason: str) -> dict[str, Any]:
    return {"reason": reason, "second": {"name": "the-operator", "password": PASSWORD}}


def bought(guest: Guest) -> dict[str, Any]:
    (ticket,) = finish(guest, buy(guest))["tickets"]
    return dict(ticket)


def claim(guest: Guest, ticket: dict[str, Any], key: int) -> str:
    body = {"control_number": ticket["control_number"], "code": ticket["code"]}
    answer = guest.post(f"{KNOCKOUT}/claims", json=body, headers=guest.key(key))
    assert answer.status_code == 200, answer.text
    return str(answer.json()["verdict"])


@pytest.mark.requirement("R-25", "R-54")
def test_a_lost_ticket_is_stopped_and_printed_anew_by_two(hall: CardRoom, clock: HandClock) -> None:
    guest, stranger = hall.client(), hall.client()
    ticket = bought(guest)
    path = f"{API}/tickets/{ticket['id']}"
    assert stranger.post(f"{API}/lost-tickets", json={"draw": ticket["draw"]}).status_code == 401
    chief = chief_of(hall)
    floor = hall.client()
    assert enter(floor, hall.house, "the-floor", PASSWORD).status_code == 200
    assert floor.post(f"{API}/lost-tickets", json={"draw": ticket["draw"]}).status_code == 403
    assert chief.post(f"{API}/lost-tickets", json={"terminal": "web"}).status_code == 400
    moments = {"sold_from": "2025-06-14T17:59:00Z", "sold_until": "2025-06-14T18:01:00Z"}
    (found,) = chief.post(f"{API}/lost-tickets", json={"terminal": "web", **moments}).json()["tickets"]
    assert found["id"] == ticket["id"]
    assert not {"control_number", "code", "prize", "hands"} & set(found)
    assert chief.post(f"{path}/stop", json={"reason": "lost on the bus"}).status_code == 200
    assert guest.get(f"{KNOCKOUT}/tickets/{ticket['id']}").json()["stopped"] is True
    hold_draw(hall, clock, guest, ticket["draw"])
    assert claim(guest, ticket, 50) == "stopped"
    assert enter(chief, hall.house, "chief", PASSWORD).status_code == 200
    alone = {"reason": "no need", "second": {"name": "chief", "password": PASSWORD}}
    assert chief.post(f"{path}/reissue", json=alone).status_code == 403
    anew = chief.post(f"{path}/reissue", json=two("she told its hands")).json()
    assert (anew["print"], anew["control_number"]) == (2, ticket["control_number"])
    assert guest.get(f"{KNOCKOUT}/tickets/{ticket['id']}").json()["code"] == anew["code"]
    assert claim(guest, ticket, 51) == "void print"
    assert claim(guest, anew, 52) == "prize"
    assert chief.post(f"{path}/stop", json={"reason": "once more"}).status_code == 200
    assert chief.post(f"{path}/lift", json=two("it was found")).status_code == 200


@pytest.mark.parametrize("width", [390, 1280])
def test_a_large_prize_on_the_pages(browser: Browser, hall: CardRoom, clock: HandClock, width: int) -> None:
    chief = chief_of(hall)
    assert chief.put(f"{API}/approval-threshold", json={"cents": 4_500}).json() == {"from_cents": 4_500}
    screen = open_screen(browser, hall, width=width)
    page = screen.page
    guest = hall.client()
    ticket = bought(guest)
    hold_draw(hall, clock, guest, ticket["draw"])
    assert claim(guest, ticket, 60) == "waits for approval"
    assert guest.get(f"{KNOCKOUT}/tickets/{ticket['id']}").json()["approval"] == "asked"
    text = guest.get(f"/knockout-21/tickets/{ticket['id']}").text
    assert "it waits for the approval of the house" in text
    clock.advance(hours=1)
    page.goto("/operations/desk")
    page.fill("#o-name", "chief")
    page.fill("#o-password", PASSWORD)
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Desk of the lottery")
    page.click("[data-decide=declined]")
    page.fill("#d-reason", "the paper is torn")
    page.click("#d-act .main")
    expect(page.locator("tbody tr").first).to_contain_text("declined")
    assert claim(guest, ticket, 61) == "not approved"
    page.click("[data-decide=approved]")
    page.fill("#d-reason", "the other half was found")
    page.click("#d-act .main")
    expect(page.locator("section").first).to_contain_text("None waits.")
    assert claim(guest, ticket, 62) == "prize"
    # A lost ticket, by the clock of the house: it was bought at 11:00 Pacific.
    page.fill("#d-terminal", "web")
    page.fill("#d-from", "2025-06-14T10:59")
    page.fill("#d-until", "2025-06-14T11:01")
    page.click("#d-find button")
    expect(page.locator("#d-found tr")).to_have_count(1)
    expect(page.locator("#d-found tr")).to_contain_text("2025-06-14 11:00:00")
    page.click("#d-found button")
    page.fill("#d-reason", "lost on the bus")
    page.click("#d-act .main")
    expect(page.locator("#d-found tr")).to_contain_text("stopped: lost on the bus")
    fits(page, "desk")
    page.click('#d-found button:has-text("Print anew")')
    expect(page.locator("#d-second")).to_be_visible()
    page.fill("#d-reason", "told its hands")
    page.fill("#d-second-name", "chief")
    page.fill("#d-second-password", PASSWORD)
    page.click("#d-act .main")
    expect(page.locator("#d-error")).to_contain_text("somebody else")
    fits(page, "desk-dialog")
    assert [line for line in screen.troubles if "403" not in line] == []
    page.context.close()


def test_the_owner_of_a_page_sees_that_a_prize_waits(
    browser: Browser, hall: CardRoom, clock: HandClock
) -> None:
    chief = chief_of(hall)
    chief.put(f"{API}/approval-threshold", json={"cents": 4_500})
    screen = open_screen(browser, hall, width=390)
    page = screen.page
    page.goto("/knockout-21")
    guest = hall.client()
    for cookie in page.context.cookies():
        guest.cookies.set(str(cookie["name"]), str(cookie["value"]))
    guest.headers["X-CSRF-Token"] = guest.get("/api/v1/session").json()["csrf"]
    ticket = bought(guest)
    hold_draw(hall, clock, guest, ticket["draw"])
    page.goto(f"/knockout-21/tickets/{ticket['id']}")
    page.click("#k-claim")
    expect(page.locator("#k-approval")).to_contain_text("it waits for the approval of the house")
    fits(page, "ticket-approval")
    body = {"decision": "approved", "reason": "the paper is good"}
    clock.advance(hours=1)
    assert enter(chief, hall.house, "chief", PASSWORD).status_code == 200
    assert chief.post(f"{API}/approvals/{ticket['id']}", json=body).status_code == 200
    expect(page.locator("#k-claim")).to_be_visible()  # the page looks again by itself
    page.click("#k-claim")
    expect(page.locator(".ticket-prize h2")).to_contain_text("Paid: $45")
    assert screen.troubles == []
    page.context.close()


def test_the_amount_from_which_prizes_wait(hall: CardRoom) -> None:
    chief = chief_of(hall)
    assert chief.get(f"{API}/approvals").json() == {"from_cents": 100_000, "waiting": []}
    chief.put(f"{API}/approval-threshold", json={"cents": 4_500})
    assert chief.put(f"{API}/approval-threshold", json={"cents": 0}).status_code == 400
    assert chief.get(f"{API}/approvals").json() == {"from_cents": 4_500, "waiting": []}
