"""Operations as pages: records, draws, what a draw is expected to bring, the check of the whole log."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from cardroom.core.errors import Conflict
from cardroom.lab.few_tickets import draw_so_far
from cardroom.records.base import Record
from cardroom.records.tables import TwentyOneShoeEnded
from cardroom.rules import load_rules_as
from cardroom.rules.knockout21 import Knockout21Rules
from cardroom.store.plan import Entry
from cardroom.web.log_check import LogCheckDesk, check_in_worker, checked
from cardroom.web.record_lines import shown_lines
from cardroom.web.record_words import field_words, kind_words
from tests.databases import HandClock
from tests.web.conftest import CardRoom, finished, open_screen, quick_settings, start
from tests.web.fitting import fits
from tests.web.lottery_hall import API as KNOCKOUT
from tests.web.lottery_hall import buy, wait_for
from tests.web.test_operations import API, appoint, enter


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[CardRoom]:
    found = start(quick_settings(tmp_path, lottery=True), HandClock(datetime(2025, 6, 14, 19, 0, tzinfo=UTC)))
    guest = found.client()
    wait_for(lambda: bool(guest.get(f"{KNOCKOUT}/draws").json().get("on_sale")))
    yield found
    found.stop()


def test_a_single_ticket_is_expected_to_cost_the_house_forty_dollars() -> None:
    """A ticket alone wins every game: $10 and the least shares, $15 and $20, for its $5 (KO21-4.4)."""
    one = draw_so_far(load_rules_as(Knockout21Rules, "knockout-21"), 1)
    assert (one.sales_cents, round(one.prizes_cents), round(one.house_cents)) == (500, 4500, -4000)
    assert one.loses_chance == pytest.approx(1)
    assert one.most_prizes_cents >= 4500
    assert one.house_loses
    assert "With 1 ticket so far the house is expected to lose $40.00 on this draw" in one.sentence


def test_the_warning_ends_where_the_house_begins_to_keep_something() -> None:
    rules = load_rules_as(Knockout21Rules, "knockout-21")
    assert draw_so_far(rules, 17).house_loses  # as the figures of draws with few tickets have it
    kept = draw_so_far(rules, 18)
    assert not kept.house_loses
    assert "expected to keep" in kept.sentence


def test_draws_and_records_are_pages_with_their_json(hall: CardRoom, browser: Browser) -> None:
    chief = hall.client()
    enter(chief, hall.house)
    number = buy(hall.client())["tickets"][0]["draw"]
    told = chief.get(f"{API}/draws/{number}").json()
    assert (told["tickets"], told["sales_cents"], told["expected"]["house_loses"]) == (1, 500, True)
    (line,) = chief.get(f"{API}/expected").json()["draws"]
    assert (line["draw"], round(line["expected"]["house_cents"])) == (number, -4000)
    assert chief.get(f"{API}/draws/99999").status_code == 409
    assert chief.get(f"{API}/log/1").json()["kind"] == "HouseFounded"
    assert chief.get(f"{API}/log/999999").status_code == 404
    assert hall.client().get(f"{API}/log/1").status_code == 401
    assert hall.client().get(f"{API}/draws/{number}").status_code == 401
    appoint(chief, "floor")
    floor = hall.client()
    enter(floor, hall.house, "the-floor", "a long enough password")
    assert floor.get("/operations/log").status_code == 403  # the floor does not read the log
    as_floor = floor.get(f"/operations/draws/{number}", headers={"Accept": "text/html"})
    assert as_floor.status_code == 200
    assert '<span class="tag">the-floor · floor</span>' in as_floor.text
    as_chief = chief.get("/operations", headers={"Accept": "text/html"}).text
    assert '<span class="tag">operator</span>' in as_chief  # whose name says it is not told it twice
    assert "<td>Meter of Monster Match $1, Rowan</td>" in as_chief
    screen = open_screen(browser, hall, width=360, height=740)
    page = screen.page
    page.goto(f"/operations/draws/{number}")
    page.fill("#o-name", "operator")
    page.fill("#o-password", hall.house.first_password or "")
    page.keyboard.press("Enter")
    expect(page.locator("#o-expected")).to_contain_text("expected to lose $40.00")
    expect(page.locator("#o-expected [role=alert]")).to_have_count(1)
    for width in (360, 390, 1280, 1920):
        page.set_viewport_size({"width": width, "height": 900})
        for path in (f"draws/{number}", "log", "log/1"):
            page.goto(f"/operations/{path}")
            if path.startswith("draws"):
                expect(page.locator("#o-expected table")).to_be_visible()
            fits(page, f"operations-{path.split('/')[0]}{'-one' if path == 'log/1' else ''}")
    page.goto("/operations/log?search=TicketsSold")
    expect(page.locator("#o-records tr")).to_have_count(1)
    page.goto("/operations/log?search=tickets sold")  # as the page says it
    page.locator("#o-records a").first.click()
    expect(page.locator("main h2")).to_have_text("Tickets sold")
    expect(page.locator(".o-lines")).to_contain_text("$5.00 from player:")
    expect(page.locator("#o-json")).to_have_attribute("href", page.url.replace(hall.url, "/api/v1"))
    page.goto("/operations")
    expect(page.locator("#o-expecting .alert")).to_contain_text("expected to lose $40.00")
    page.select_option("#o-rules-table", "linden")
    page.locator("#o-rules-options summary").first.click()
    for width in (360, 390, 1280, 1920):
        page.set_viewport_size({"width": width, "height": 900})
        fits(page, "operations-rules")
    assert screen.troubles == []
    page.context.close()


def test_lines_of_a_record() -> None:
    content = {"by": ["ann", "bob"], "net_cents": {"a1": -400}, "transfers": [["house:x", "player:a1", 50]]}
    assert shown_lines(content) == [
        ("by", "ann, bob"),
        ("result: a1", "−$4.00"),
        ("moved", "$0.50 from house:x to player:a1"),
    ]


def test_records_are_told_in_words_and_not_as_they_are_stored() -> None:
    """The seal, an expected cent, moments, the draws of a day and prizes; the JSON keeps what is stored."""
    day = [[7, "2026-11-19T20:09:00.000000Z", "2026-11-19T20:08:45.000000Z", "c0", "0c"]]
    content = {
        "root": "5a",
        "draws": day,
        "books": {"a1": {"expected_cents": -1.0971, "mistakes_cents": 0.0}},
    }
    due, close = "2026-11-19 20:09:00 UTC", "2026-11-19 20:08:45 UTC"
    assert shown_lines(content) == [
        ("seal of all tickets (root)", "5a"),
        ("draw 7", f"{due}, sales close {close}; commitment c0, of the first cards 0c"),
        ("books: a1: expected result", "−$0.0110"),
        ("books: a1: cost of mistakes", "$0.0000"),
    ]
    assert shown_lines({"prizes": [["t1", 1000, "1,3"], ["t2", 500]]}) == [
        ("prize of ticket t1", "$10.00, games 1, 3"),
        ("prize of ticket t2", "$5.00"),
    ]
    many = shown_lines({"prizes": [[f"t{number}", 1000, "1"] for number in range(103)]})
    assert (len(many), many[-1]) == (101, ("further prizes", "3"))
    assert shown_lines({"prizes": []}) == [("prizes", "none")]


def test_every_kind_of_record_is_called_in_words() -> None:
    """A capital in the middle, an underscore, or a name that two fields of a record share, is no word."""
    kinds = {kind.__name__: kind for kind in Record.__subclasses__()}
    assert {"TicketsSold", "TwentyOneRoundEnded", "Knockout52CardDealt"} <= set(kinds)
    for name, kind in kinds.items():
        words = kind_words(name)
        assert words == words.capitalize()
        fields = [field_words(field) for field in kind.__struct_fields__]
        assert len(set(fields)) == len(fields), (name, fields)
        assert not any("_" in field for field in fields)


def test_the_check_of_the_log_looks_at_every_card(tmp_path: Path) -> None:
    """A proof that follows from nothing is found by the chain's own check no more than by the books."""
    room = start(quick_settings(tmp_path))
    try:
        chief = room.client()
        enter(chief, room.house)
        good = chief.post(f"{API}/log/check").json()
        assert (good["faults"], good["evidence"][0]) == (
            [],
            "0 shoes and games are over, and their secrets told",
        )
        assert chief.get(f"{API}/log/check").json() == {"check": None}
        proof = TwentyOneShoeEnded(table="oak", shoe=1, proof="{}")
        room.house.journal.record_now(Entry(proof))
        bad = chief.post(f"{API}/log/check").json()
        assert len(bad["faults"]) == 1
        assert "record" in bad["faults"][0]
        assert room.logged("LogChecked").content["faults"] == 1
    finally:
        room.stop()


def test_the_check_tells_how_far_it_is_and_is_done_once_at_a_time(tmp_path: Path) -> None:
    room = start(quick_settings(tmp_path))
    room.stop()
    told = tmp_path / "progress.json"
    found = checked(room.settings.database, None, told, with_lottery=False)
    assert found["faults"] == []
    desk = LogCheckDesk()
    assert desk.progress() is None
    desk.progress_file = told
    progress = desk.progress()
    assert progress is not None
    assert progress["what"] == "the cards of every shoe and game"
    assert progress["of"] == int(found["head"].split(":")[0])
    room.house.log_check.progress_file = told

    async def twice() -> None:
        await check_in_worker(room.house, None)  # type: ignore[arg-type]

    with pytest.raises(Conflict, match="being checked"):
        finished(twice())
