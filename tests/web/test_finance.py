"""Reports of money behind the log-in: data, text, CSV, PDF and the page say the same."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.databases import HandClock
from tests.web.conftest import CardRoom, open_screen, quick_settings, start
from tests.web.fitting import fits
from tests.web.lottery_hall import API as KNOCKOUT
from tests.web.lottery_hall import buy, finish, hold_draw, wait_for
from tests.web.test_operations import API, PASSWORD, appoint, enter

DAY = "2025-06-14"


@pytest.fixture
def clock() -> HandClock:
    return HandClock(datetime(2025, 6, 14, 19, 0, tzinfo=UTC))


@pytest.fixture
def hall(tmp_path: Path, clock: HandClock) -> Iterator[CardRoom]:
    """A player alone bought a ticket for chips; its draw is over, and it won $45.00 (KO21-4.4)."""
    found = start(quick_settings(tmp_path, lottery=True), clock)
    guest = found.client()
    wait_for(lambda: bool(guest.get(f"{KNOCKOUT}/draws").json().get("on_sale")))
    finish(guest, bought := buy(guest))
    hold_draw(found, clock, guest, bought["tickets"][0]["draw"])
    yield found
    found.stop()


def test_days_and_moments_beyond_all_counting_are_refused(hall: CardRoom) -> None:
    chief = hall.client()
    assert enter(chief, hall.house).status_code == 200
    refused = chief.get(f"{API}/finance", params={"first": "9999-12-31"})
    assert (refused.status_code, "the years 2000 to 2999" in refused.text) == (400, True)
    lost = {
        "terminal": "web",
        "sold_from": "0001-01-01T00:00:00+14:00",
        "sold_until": "9999-12-31T23:59:59-14:00",
    }
    assert chief.post(f"{API}/lost-tickets", json=lost).status_code == 400


def test_the_page_of_a_settled_draw_has_its_games_as_a_table(hall: CardRoom) -> None:
    """One ticket wins all three games: the least prizes of $10, $15 and $20."""
    chief = hall.client()
    assert enter(chief, hall.house).status_code == 200
    last = chief.get(f"{KNOCKOUT}/draws").json()["last"]
    (draw,) = (line["draw"] for line in last if line["tickets"])
    text = chief.get(f"/operations/draws/{draw}", headers={"Accept": "text/html"}).text
    table = text.partition('id="o-games"')[2].partition("</table>")[0]
    assert re.findall(r">(\w+)</th>", table)[:3] == ["Game", "Winners", "Prize"]
    rows = [re.findall(r">([^<]+)</td>", row) for row in table.split("<tr>")[2:]]
    assert [row[:3] for row in rows] == [["1", "1", "$10.00"], ["2", "1", "$15.00"], ["3", "1", "$20.00"]]
    assert "lucky_loser" not in text
    assert re.search(r"Lucky Losers</th><td>(none|Game [123] hand [1-6])", text)


@pytest.mark.requirement("R-45", "R-54")
def test_a_report_in_every_form_for_those_who_may_see(hall: CardRoom) -> None:
    guest, chief, auditor = hall.client(), hall.client(), hall.client()
    assert guest.get(f"{API}/finance").status_code == 401
    assert 'id="o-login"' in guest.get("/operations/finance").text
    assert enter(chief, hall.house).status_code == 200
    appoint(chief, "auditor")
    assert enter(auditor, hall.house, "the-auditor", PASSWORD).status_code == 200
    data = auditor.get(f"{API}/finance").json()
    tables = {section["name"]: section for section in data["sections"]}
    assert tables["draws"]["total"] == ["In all", 1, 500, 4500, -4000, 0, 0, 4500, 0, 0]
    assert tables["cash"]["rows"] == [[DAY, 1, 0, 500, 0, 0, 0, 500]]
    assert tables["liability"]["rows"][1] == ["Prizes that nobody has claimed", 4500]
    days = {"first": DAY, "last": "2025-06-15", "terminal": "web"}
    answer = auditor.get(f"{API}/finance", params={**days, "form": "csv"})
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    rows = list(csv.reader(io.StringIO(answer.text)))
    assert ["terminals", "web", "1", "5.00", "0.00", "0.00", "5.00", "5.00", "45.00"] in rows
    assert "By terminal" in auditor.get(f"{API}/finance", params={**days, "form": "text"}).text
    assert auditor.get(f"{API}/finance", params={**days, "form": "pdf"}).content.startswith(b"%PDF-")
    for wrong in ({"first": "yesterday"}, {"first": DAY, "last": "2025-06-13"}, {"form": "xls"}):
        assert auditor.get(f"{API}/finance", params=wrong).status_code in (400, 422)
    assert auditor.get("/operations/finance", params={"first": "yesterday"}).status_code == 400


@pytest.mark.parametrize("width", [390, 1280])
def test_the_page_shows_the_tables_and_fits(browser: Browser, hall: CardRoom, width: int) -> None:
    assert enter(hall.client(), hall.house).status_code == 200
    screen = open_screen(browser, hall, width=width)
    page = screen.page
    page.goto("/operations/finance")
    page.fill("#o-name", "operator")
    page.fill("#o-password", hall.house.first_password or "")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Money of the lottery")
    expect(page.locator("#f-draws .o-sum td")).to_contain_text(["In all", "1", "$5.00", "$45.00", "−$40.00"])
    expect(page.locator("#f-balance .o-sum td").nth(1)).to_have_text(
        page.locator("#f-balance .o-sum td").nth(2).inner_text()
    )
    page.fill("#f-terminal", "north")
    page.click("text=Show")
    expect(page.locator("#f-draws")).to_contain_text("Nothing.")
    page.goto(f"/operations/finance?first={DAY}")
    with page.expect_download() as download:
        page.click("a:has-text('CSV')")
    assert download.value.suggested_filename == f"money-{DAY}-{DAY}.csv"
    fits(page, "finance")
    assert screen.troubles == []
    page.context.close()
