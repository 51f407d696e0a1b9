"""A ticket plays along with the wall, no earlier; and lists say how every ticket stands."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from cardroom.engine.knockout21 import Draw
from cardroom.lottery.draws import void_draw
from cardroom.lottery.lost import stop
from tests.databases import HandClock
from tests.web.conftest import CardRoom, Guest, open_screen, quick_settings, start
from tests.web.fitting import fits
from tests.web.lottery_hall import API, buy, finish, hold_draw, wait_for


@pytest.fixture
def slow_hall(tmp_path: Path, clock: HandClock) -> Iterator[CardRoom]:
    """A room whose wall takes its time; the clock is set by hand."""
    found = start(quick_settings(tmp_path, show_pace=1.0, lottery=True), clock)
    wait_for(lambda: found.house.lottery is not None and bool(found.house.lottery.window))
    yield found
    found.stop()


def begin_draw(hall: CardRoom, clock: HandClock) -> int:
    """Come to the moment of the next draw, whose show begins; its number."""
    room = hall.house.lottery
    assert room is not None
    draw = room.window[0]
    clock.moment = draw.due_at
    wait_for(lambda: draw.number in room.shows)
    return draw.number


def test_no_hand_is_told_before_the_wall_has_shown_it(slow_hall: CardRoom, clock: HandClock) -> None:
    """At every moment of a show, and just before it: what the API answers is what the wall has shown."""
    guest, stranger = slow_hall.client(), slow_hall.client()
    ticket = finish(guest, buy(guest))["tickets"][0]
    finish(stranger, buy(stranger, tickets_per_draw=3))
    number = begin_draw(slow_hall, clock)
    assert number == ticket["draw"]
    room = slow_hall.house.lottery
    assert room is not None
    show = room.shows[number]
    decided: list[datetime] = []
    for moment, message in zip(show.moments, show.messages, strict=True):
        if b'"kind":"hand"' in message:
            decided.append(moment)
    assert len(decided) == 15

    def told() -> dict[str, Any]:
        found: dict[str, Any] = guest.get(f"{API}/tickets/{ticket['id']}").json()
        return found

    for moment in show.moments[:-1]:
        for now in (moment - timedelta(microseconds=1), moment):
            clock.moment = now
            answer = told()
            shown = sum(one <= now for one in decided)
            assert [one["position"] for one in answer["results"] or []] == list(range(shown))
            assert (answer["over"], answer["prize"], answer["proof"]) == (False, None, None)
            [line] = guest.get(f"{API}/tickets").json()["tickets"]
            assert (line["standing"], line["prize_cents"]) == ("being drawn", None)
    clock.moment = show.ends_at
    answer = told()
    assert answer["over"]
    cards = Draw.parse(guest.get(f"{API}/draws/{number}").json()["cards"])
    assert [one["hit"] for one in answer["results"]] == [str(position.hit) for position in cards.positions]


def test_the_hands_of_a_ticket_turn_on_the_phone_as_the_wall_shows_them(
    any_fonts: Browser, slow_hall: CardRoom, clock: HandClock
) -> None:
    screen = open_screen(any_fonts, slow_hall, width=360, height=640)
    page = screen.page
    page.goto("/knockout-21")
    page.click("#t-buy")
    page.click("#t-final")
    page.wait_for_url("**/tickets/**")
    expect(page.locator("#k-live")).to_be_hidden()
    room = slow_hall.house.lottery
    assert room is not None
    draw = room.window[0]
    number = draw.number
    clock.moment = draw.closes_at
    page.reload()
    expect(page.locator("#k-live")).to_be_in_viewport(ratio=1)  # without scrolling
    clock.moment = draw.due_at
    wait_for(lambda: number in room.shows)
    show = room.shows[number]
    expect(page.locator("#k-verdict")).to_have_text(f"Draw {number} begins with 1 ticket.")
    expect(page.locator(".t-hand .tiny", has_text="not shown yet")).to_have_count(15)
    height = page.evaluate("document.documentElement.scrollHeight")
    clock.moment = show.moments[1]
    expect(page.locator("#k-where")).to_have_text("Game 1, hand 1")
    expect(page.locator("#k-hit .card")).to_have_count(1)
    expect(page.locator("#k-dealer .card")).to_have_count(0)
    expect(page.locator("#k-you .card")).to_have_count(2)
    clock.moment = show.decided[0] - timedelta(microseconds=1)
    expect(page.locator("#k-dealer .card").nth(1)).to_be_visible()
    expect(page.locator(".t-hand .verdict")).to_have_count(0)
    # The only ticket is never knocked out: it wins or is a Lucky Loser (KO21-4.4).
    for place in (0, 4, 9):
        clock.moment = show.decided[place]
        expect(page.locator(".t-hand .verdict")).to_have_count(place + 1)
        expect(page.locator(".t-hand.good")).to_have_count(place + 1)
    expect(page.locator("#k-verdict")).to_contain_text("Game 3, hand 1: ✓")
    assert page.evaluate("document.documentElement.scrollHeight") == height
    page.evaluate("scrollTo(0, 600)")
    box = page.locator("#k-live").bounding_box()
    assert box is not None
    assert box["y"] >= 0  # in sight wherever one has scrolled to
    fits(page, "knockout-21-along")
    clock.moment = show.ends_at
    expect(page.locator(".ticket-prize")).to_contain_text("A prize of $45")
    assert screen.troubles == []
    page.context.close()


def lines(guest: Guest) -> list[tuple[str, str, str, int | None]]:
    """What a list says of each ticket: how it stands, in words, what can be done, its prize."""
    found = guest.get(f"{API}/tickets").json()["tickets"]
    return [(one["standing"], one["say"], one["action"], one["prize_cents"]) for one in found]


@pytest.mark.clause("KO21-2.7", "KO21-4.8")
def test_a_list_says_how_every_ticket_stands(hall: CardRoom, clock: HandClock) -> None:
    guest, room = hall.client(), hall.house.lottery
    assert room is not None
    bought = buy(guest, draws=3)
    waits = ("choosing", "in the draw, its choices not final until 12:02:30", "Go on choosing", None)
    assert lines(guest)[0] == waits
    first, second, third = finish(guest, bought)["tickets"]
    alterable = ("alterable", "in the draw, may be altered once until 12:02:30", "Alter", None)
    assert lines(guest)[0] == alterable
    other = {"H": "S", "S": "H"}[first["hands"][4]["choice"]]
    altered = guest.post(
        f"{API}/tickets/{first['id']}/alteration", json={"overrides": {"4": other}}, headers=guest.key(3)
    ).json()
    assert lines(guest)[0] == ("not yet drawn", "in the draw, its choices final", "", None)
    hold_draw(hall, clock, guest, first["draw"])
    assert lines(guest)[0] == ("prize", "won, to be claimed until 2026-06-14", "Claim", 4500)
    claim = {"control_number": altered["control_number"], "code": altered["code"]}
    guest.post(f"{API}/claims", json=claim, headers=guest.key(4))
    # What is over stands below what is to come, and that in the order of its draws.
    found = guest.get(f"{API}/tickets").json()["tickets"]
    assert [one["draw"] for one in found] == [second["draw"], third["draw"], first["draw"]]
    assert lines(guest)[2] == ("paid already", "claimed", "", 4500)
    stop(room.lottery, third["id"], by="ann", reason="reported lost")
    void_draw(room.lottery, second["draw"], operators=["ann", "bob"], reason="a test")
    assert lines(guest) == [
        ("price back", "draw called off, its price back until 2026-06-14", "Claim", 500),
        ("stopped", "reported lost and stopped", "Ask at the desk", None),
        ("paid already", "claimed", "", 4500),
    ]


@pytest.mark.clause("KO21-4.8")
def test_a_prize_that_nobody_claimed_in_its_year_has_expired(hall: CardRoom, clock: HandClock) -> None:
    guest = hall.client()
    ticket = finish(guest, buy(guest))["tickets"][0]
    hold_draw(hall, clock, guest, ticket["draw"])
    clock.moment = datetime(2026, 6, 15, 7, 1, tzinfo=UTC)  # a minute into the day after the last one
    assert lines(guest) == [("expired", "won, expired without a claim", "", 4500)]


def test_the_list_at_the_terminal_is_there_without_a_reload(
    browser: Browser, hall: CardRoom, clock: HandClock
) -> None:
    screen = open_screen(browser, hall, width=360, height=640)
    page = screen.page
    page.goto("/knockout-21")
    page.click("#t-buy")
    expect(page.locator("#t-own li")).to_contain_text("in the draw, its choices not final until 12:02:30")
    page.click("#t-final")
    page.wait_for_url("**/tickets/**")
    draw = int(page.inner_text("h1 .soft").rpartition(" ")[2])
    page.goto("/knockout-21")
    line = page.locator("#t-own li")
    expect(line).to_contain_text("in the draw, may be altered once until 12:02:30")
    expect(line.locator(".btn")).to_have_text("Alter")
    hold_draw(hall, clock, hall.client(), draw)
    expect(line).to_contain_text("won, to be claimed until 2026-06-14")
    expect(line).to_contain_text("$45")
    fits(page, "knockout-21-own")
    line.locator(".btn").click()
    page.wait_for_url("**/tickets/**")
    expect(page.locator("#k-claim")).to_have_text("Claim $45")
    assert screen.troubles == []
    page.context.close()
