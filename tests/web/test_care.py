"""The lottery over the years on its page: rules from a day on, expiries, rows and time zones."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from sqlalchemy import text

from cardroom.store.migrate import drop_triggers, write_triggers
from tests.databases import HandClock
from tests.web.conftest import CardRoom, Guest, open_screen, quick_settings, start
from tests.web.fitting import fits
from tests.web.lottery_hall import API as KNOCKOUT
from tests.web.lottery_hall import wait_for
from tests.web.test_desk import bought, chief_of, two
from tests.web.test_operations import API, PASSWORD, enter

CARE = f"{API}/lottery"


@pytest.fixture(scope="module")
def years(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CardRoom]:
    """A room whose lottery is open, at eleven in Vancouver."""
    clock = HandClock(datetime(2025, 6, 14, 18, 0, tzinfo=UTC))
    found = start(quick_settings(tmp_path_factory.mktemp("years"), lottery=True), clock)
    guest = Guest(found.url)
    wait_for(lambda: bool(guest.get(f"{KNOCKOUT}/draws").json().get("on_sale")))
    guest.close()
    yield found
    found.stop()


@pytest.fixture(scope="module")
def operated(years: CardRoom) -> CardRoom:
    """The room with an operator `chief` and a second one."""
    chief_of(years).close()
    return years


def chief(room: CardRoom) -> Guest:
    guest = room.client()
    assert enter(guest, room.house, "chief", PASSWORD).status_code == 200
    return guest


def sign(page: Page, form: str, reason: str) -> None:
    page.fill(f"{form} [name=reason]", reason)
    page.fill(f"{form} [name=second]", "the-operator")
    page.fill(f"{form} [name=password]", PASSWORD)


@pytest.mark.requirement("R-25", "R-54")
def test_only_operators_act_and_two_of_them_sign(operated: CardRoom) -> None:
    stranger, floor, own = operated.client(), operated.client(), chief(operated)
    assert enter(floor, operated.house, "the-floor", PASSWORD).status_code == 200
    acts: dict[str, dict[str, Any]] = {
        "rules": {"from_day": "2025-07-01", "options": {"claims.years": 2}},
        "rebuild": {},
        "draws/1/correct-expiry": {},
    }
    for path, body in acts.items():
        method = "PUT" if path == "rules" else "POST"
        signed = {**body, **two("as agreed")}
        assert stranger.request(method, f"{CARE}/{path}", json=signed).status_code == 401
        assert floor.request(method, f"{CARE}/{path}", json=signed).status_code == 403
        alone = {**signed, "second": {"name": "chief", "password": PASSWORD}}
        assert own.request(method, f"{CARE}/{path}", json=alone).status_code == 403
        assert own.request(method, f"{CARE}/{path}", json=body).status_code == 400
    assert floor.post(f"{CARE}/zones", json={}).status_code == 403
    assert floor.get(CARE).status_code == 200
    same = own.post(f"{CARE}/zones", json={})
    assert same.status_code == 409
    assert "already" in same.json()["error"]["message"]


@pytest.mark.parametrize("width", [360, 1280])
def test_rules_from_a_day_on_an_expiry_and_rows(operated: CardRoom, browser: Browser, width: int) -> None:
    ticket = bought(operated.client())
    screen = open_screen(browser, operated, width=width)
    page = screen.page
    page.goto("/operations/care")
    page.fill("#o-name", "chief")
    page.fill("#o-password", PASSWORD)
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("The lottery over the years")
    fits(page, "care")
    years = page.locator("[id='o-rule-claims.years']")
    page.locator("#c-options summary", has_text="Claims").click()
    expect(page.locator("#c-rules button")).to_be_disabled()
    years.fill(str(int(years.input_value()) + 1))
    expect(page.locator("#c-rules button")).to_have_text("Set the rules: 1 change")
    if width == 1280:  # the phone has set rules from the first day that may have others
        page.fill("#c-from", "2025-08-01")
    sign(page, "#c-rules", "a longer claim")
    before = page.locator("#c-rules-now tbody tr").count()
    page.click("#c-rules button")
    row = page.locator("#c-rules-now tbody tr").nth(max(before, 1))
    expect(row).to_contain_text("KO21-4.8")
    newest = operated.logged("LotteryRulesSet").content
    assert newest["by"] == ["chief", "the-operator"]
    sign(page, "#c-expiry", "a wrong clock")
    page.fill("#c-draw", "1")
    page.click("#c-expiry button")
    expect(page.locator("#c-expiry .alert")).to_have_text("no prize of draw 1 is booked as expired")
    with operated.house.database.engine.begin() as connection:
        drop_triggers(connection)
        connection.execute(
            text("UPDATE tickets SET terminal = 'elsewhere' WHERE id = :id"), {"id": ticket["id"]}
        )
        write_triggers(connection)
    sign(page, "#c-rebuild", "a disk was changed")
    page.click("#c-rebuild button")
    expect(page.locator("#c-rebuild-box .note")).to_have_text("Made anew from the log: 1 fault put right.")
    expect(page.locator("#c-faults li")).to_have_count(1)
    fits(page, "care-done")
    assert [line for line in screen.troubles if "409" not in line] == []
    page.context.close()
