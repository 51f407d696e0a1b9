"""Draws overridden by two people: each with a password of their own, refused to one alone, all in the log."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from cardroom.lottery.reports import check_log
from cardroom.lottery.verify import verify_draw
from cardroom.store.ledger import all_balances, ledger_faults
from cardroom.store.lottery import DrawRow, find_draw
from tests.databases import HandClock
from tests.web.conftest import CardRoom, Guest, open_screen, quick_settings, start
from tests.web.lottery_hall import API as KNOCKOUT
from tests.web.lottery_hall import buy, wait_for
from tests.web.pictures import picture
from tests.web.test_operations import API, PASSWORD, appoint, enter


@pytest.fixture
def clock() -> HandClock:
    return HandClock(datetime(2025, 6, 14, 19, 0, tzinfo=UTC))


@pytest.fixture
def hall(tmp_path: Path, clock: HandClock) -> Iterator[CardRoom]:
    found = start(quick_settings(tmp_path, lottery=True), clock)
    guest = found.client()
    wait_for(lambda: bool(guest.get(f"{KNOCKOUT}/draws").json().get("on_sale")))
    yield found
    found.stop()


def chief_of(hall: CardRoom) -> Guest:
    """An operator, with a second one, a floor person and an auditor; the first one appointed them all."""
    first = hall.client()
    assert enter(first, hall.house).status_code == 200
    for role in ("operator", "floor", "auditor"):
        appoint(first, role)
    appoint(first, "operator", "chief", second="the-operator")
    chief = hall.client()
    assert enter(chief, hall.house, "chief", PASSWORD).status_code == 200
    return chief


def override(
    guest: Guest, draw: int, what: str, *, second: str = "the-operator", password: str = PASSWORD
) -> Any:
    body = {"what": what, "reason": "a test of the rule", "second": {"name": second, "password": password}}
    return guest.post(f"{API}/draws/{draw}/override", json=body)


def draw_of(hall: CardRoom, number: int) -> DrawRow:
    with hall.house.database.read() as connection:
        found = find_draw(connection, number)
    assert found is not None
    return found


def balanced(hall: CardRoom) -> None:
    with hall.house.database.read() as connection:
        assert ledger_faults(connection) == []
        assert sum(all_balances(connection).values()) == 0
    assert hall.house.lottery is not None
    assert check_log(hall.house.lottery.lottery).faults == ()


@pytest.mark.requirement("R-25", "R-50")
def test_one_person_alone_overrides_nothing(hall: CardRoom) -> None:
    chief, guest = chief_of(hall), hall.client()
    number = buy(guest)["tickets"][0]["draw"]
    first = hall.house.first_password or ""
    for second, password, status in [
        ("chief", PASSWORD, 403),  # the same person again, with the right password
        ("operator", first, 403),  # who appointed the chief
        ("the-operator", "not their password", 401),
        ("nobody", PASSWORD, 401),
        ("the-floor", PASSWORD, 403),
        ("the-auditor", PASSWORD, 403),
    ]:
        assert override(chief, number, "void", second=second, password=password).status_code == status
        refused = hall.logged("OverrideRefused").content
        assert (refused["by"], refused["second"], refused["what"]) == ("chief", second, "void")
    assert override(guest, number, "void").status_code == 401
    floor = hall.client()
    enter(floor, hall.house, "the-floor", PASSWORD)
    assert override(floor, number, "void").status_code == 403
    assert draw_of(hall, number).status == "open"
    everything = "".join(record.body for record in hall.log())
    assert first not in everything
    assert PASSWORD not in everything
    assert "not their password" not in everything


@pytest.mark.requirement("R-54")
def test_guessing_the_second_password_locks_the_name(hall: CardRoom) -> None:
    chief = chief_of(hall)
    for _ in range(5):
        assert override(chief, 1, "void", password="a wrong password").status_code == 401
    assert override(chief, 1, "void").status_code == 429


@pytest.mark.requirement("R-25", "R-47")
def test_a_draw_called_off_gives_every_ticket_its_price_back(hall: CardRoom) -> None:
    chief, guest = chief_of(hall), hall.client()
    ticket = buy(guest)["tickets"][0]
    assert guest.get("/api/v1/session").json()["chips_cents"] == 99_500
    answer = override(chief, ticket["draw"], "void")
    assert answer.status_code == 200, answer.text
    told = hall.logged("DrawOverridden").content
    assert told["by"] == ["chief", "the-operator"]
    assert (told["before"], told["after"], told["reason"]) == ("open", "void", "a test of the rule")
    assert hall.logged("DrawVoided").content["by"] == ["chief", "the-operator"]
    wait_for(lambda: guest.get(f"{KNOCKOUT}/tickets/{ticket['id']}").json()["called_off"])
    # It was not printed yet, and the draw that was called off has issued it (KO21-3.4).
    issued = guest.get(f"{KNOCKOUT}/tickets/{ticket['id']}").json()
    claim = {"control_number": issued["control_number"], "code": issued["code"]}
    wait_for(lambda: guest.post(f"{KNOCKOUT}/check", json=claim).json()["verdict"] == "prize")
    paid = guest.post(f"{KNOCKOUT}/claims", json=claim, headers=guest.key(9)).json()
    assert paid["prize_cents"] == 500
    assert guest.get("/api/v1/session").json()["chips_cents"] == 100_000
    assert override(chief, ticket["draw"], "hold").status_code == 409
    balanced(hall)


@pytest.mark.requirement("R-25")
def test_a_held_draw_waits_for_two_people_and_is_drawn_by_hand(hall: CardRoom, clock: HandClock) -> None:
    chief, guest = chief_of(hall), hall.client()
    number = buy(guest)["tickets"][0]["draw"]
    assert override(chief, number, "draw").status_code == 409  # sales are open: only a sealed pool is drawn
    assert override(chief, number, "hold").status_code == 200
    assert override(chief, number, "hold").status_code == 409  # once is enough: nothing is noted again
    assert sum(record.kind == "DrawOverridden" for record in hall.log()) == 1
    clock.moment = draw_of(hall, number).due_at + timedelta(seconds=1)
    wait_for(lambda: draw_of(hall, number).status == "closed")
    assert "chief and the-operator" in (draw_of(hall, number).held or "")
    clock.advance(minutes=2)
    assert override(chief, number, "draw").status_code == 409  # a held draw is released first
    assert override(chief, number, "release").status_code == 200
    wait_for(lambda: draw_of(hall, number).status == "sealed")  # its time is past: it waits for the next one
    assert override(chief, number, "draw").status_code == 200
    drawn = hall.logged("DrawDrawn").content
    assert (drawn["draw"], drawn["manual"], drawn["operators"]) == (
        number,
        True,
        ["chief", "the-operator"],
    )
    wait_for(lambda: draw_of(hall, number).status == "settled")
    clock.advance(seconds=20)
    wait_for(lambda: guest.get(f"{KNOCKOUT}/draws/{number}").status_code == 200)
    assert verify_draw(guest.get(f"{KNOCKOUT}/draws/{number}/record").text).findings == ()
    balanced(hall)


def test_two_people_at_the_operations_page(hall: CardRoom, browser: Browser) -> None:
    chief_of(hall)
    guest = hall.client()
    number = buy(guest)["tickets"][0]["draw"]
    screen = open_screen(browser, hall)
    page = screen.page
    page.goto("/operations")
    page.fill("#o-name", "chief")
    page.fill("#o-password", PASSWORD)
    page.keyboard.press("Enter")
    page.click(f"[data-override='{number}']")
    page.select_option("#o-override-what", "void")
    page.fill("#o-override-reason", "the monitor is dark")
    page.fill("#o-second-name", "chief")
    page.fill("#o-second-password", PASSWORD)
    page.keyboard.press("Enter")
    expect(page.locator("#o-override-error")).to_contain_text("somebody else")
    picture(page, "operations-override")
    page.fill("#o-second-name", "the-operator")
    page.fill("#o-second-password", PASSWORD)
    page.keyboard.press("Enter")
    expect(page.locator("#o-records")).to_contain_text("Draw overridden")
    assert draw_of(hall, number).status == "void"
    assert [line for line in screen.troubles if "403" not in line] == []
    page.context.close()
