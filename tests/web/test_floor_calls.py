"""A player calls the floor from the table, and reads what was decided."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from playwright.sync_api import Browser, expect

from cardroom.records.floor import FloorAnswered, FloorCalled
from cardroom.table.floor import Floor
from tests.web.conftest import CardRoom, open_screen, quick_settings, start
from tests.web.test_floor_tables import FLOOR, done, staff


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CardRoom]:
    found = start(quick_settings(tmp_path_factory.mktemp("calls")))
    yield found
    found.stop()


def test_the_floor_is_called_only_from_the_table_and_with_a_reason(room: CardRoom) -> None:
    guest = room.client()
    away = guest.post("/api/v1/floor/linden/call", json={"reason": "my bonus was not paid"})
    assert (away.status_code, "open its page" in away.json()["error"]["message"]) == (409, True)
    assert guest.post("/api/v1/floor/linden/call", json={"reason": " a "}).status_code == 400
    assert guest.post("/api/v1/floor/nowhere/call", json={"reason": "who is there"}).status_code == 404
    assert not [record for record in room.log() if record.kind == "FloorCalled"]


@pytest.mark.parametrize(("path", "table"), [("/tables/linden", "linden"), ("/knockout-52", None)])
def test_a_call_from_the_page_is_answered_there(
    room: CardRoom, browser: Browser, path: str, table: str | None
) -> None:
    floor, _chief = staff(room)
    caller, neighbour = open_screen(browser, room, width=390, height=844), open_screen(browser, room)
    for screen in (caller, neighbour):
        screen.page.goto(path)
        expect(screen.page.locator("#call-words")).to_contain_text("not right")
    table = table or caller.page.locator("#knockout52").get_attribute("data-table")
    assert table is not None
    page = caller.page
    page.click("#call-open")
    page.fill("#call-reason", "my bonus was not paid")
    page.keyboard.press("Enter")
    expect(page.locator("#call-words")).to_have_text("You have called the floor: my bonus was not paid")
    expect(page.locator("#call-open")).to_be_disabled()
    # Others at the table learn that somebody called, and not why.
    expect(neighbour.page.locator("#call-words")).to_have_text("Somebody at this table has called the floor.")
    assert "bonus" not in neighbour.page.inner_text("#call")
    called = room.logged("FloorCalled").content
    assert (called["table"], called["reason"]) == (table, "my bonus was not paid")
    seen = floor.get(f"{FLOOR}/tables/{table}").json()
    assert (seen["call"]["by"], seen["call"]["reason"]) == (called["by"], "my bonus was not paid")
    done(floor, "answer", table, reason="it was paid with the wager")
    expect(page.locator("#call-words")).to_have_text(
        "The floor answered your call: it was paid with the wager"
    )
    expect(page.locator("#call-open")).to_be_enabled()
    expect(neighbour.page.locator("#call-words")).to_contain_text("not right")
    for screen in (caller, neighbour):
        screen.page.context.close()
        assert screen.troubles == []


def test_a_checkpoint_keeps_the_answer() -> None:
    now, floor = datetime(2025, 6, 14, 19, tzinfo=UTC), Floor()
    floor.apply(FloorCalled(table="linden", by="Guest 1", reason="the cut"), now)
    floor.apply(FloorAnswered(table="linden", by="the-floor", reason="cut again"), now)
    again = Floor.restored(floor.saved())
    assert again.answered is not None
    assert [said.reason for said in again.answered] == ["the cut", "cut again"]
