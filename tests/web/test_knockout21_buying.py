"""Buying at the terminal: choices of the purchase, hours, draws in advance, pages that stay true."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Coroutine, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from cardroom.core.errors import Conflict
from cardroom.lottery.house import switch
from cardroom.lottery.replay import state_faults
from cardroom.lottery.reports import check_log
from cardroom.lottery.sales import Order, Sale
from cardroom.records.players import ChipsTaken
from cardroom.store.ledger import Transfer, all_balances, ledger_faults
from cardroom.store.log import LogHead
from cardroom.store.plan import Entry, Plan
from cardroom.web.live.lottery import TERMINAL, LotteryRoom
from cardroom.web.live.lottery_view import draws_view
from tests.databases import HandClock
from tests.web.conftest import CardRoom, Guest, Screen, open_screen, quick_settings, start
from tests.web.lottery_hall import API, buy, finish, wait_for

OTHER = {"H": "S", "S": "H"}


def chips(guest: Guest) -> int:
    found: int = guest.get("/api/v1/session").json()["chips_cents"]
    return found


def choice_of(page: Page, position: int) -> str:
    return page.inner_text(f".t-hand[data-position='{position}'] button[aria-pressed='true']").split()[0]


def turn(page: Page, position: int) -> str:
    """Take the other choice for a hand; its word."""
    page.click(f".t-hand[data-position='{position}'] button[aria-pressed='false']")
    return choice_of(page, position)


@pytest.mark.clause("KO21-2.6")
def test_no_print_before_the_choices_are_final(hall: CardRoom) -> None:
    guest = hall.client()
    bought = buy(guest)
    ticket, number = bought["tickets"][0], bought["purchase"]
    place = f"{API}/tickets/{ticket['id']}"
    for shown in (ticket, guest.get(place).json()):
        assert shown["state"] == "choosing"
        assert not {"control_number", "code", "print"} & shown.keys()
    assert guest.get(place).json()["alterable"] is False
    for path in ("paper.pdf", "paper.png", "qr.svg"):
        refused = guest.get(f"{place}/{path}")
        assert (refused.status_code, refused.json()["error"]["clause"]) == (409, "KO21-2.6")
    alteration = guest.post(
        f"{place}/alteration",
        json={"overrides": {"4": OTHER[ticket["hands"][4]["choice"]]}},
        headers=guest.key(2),
    )
    assert alteration.status_code == 409
    page = guest.get(f"/knockout-21/tickets/{ticket['id']}", headers={"Accept": "text/html"})
    assert (page.status_code, page.headers["location"]) == (303, "/knockout-21")
    # The choices made so far are the purchase's: another visit finds them, another visitor does not.
    other = OTHER[ticket["hands"][4]["choice"]]
    body = {"overrides": {ticket["id"]: {"4": other}}}
    kept = guest.put(f"{API}/purchases/{number}/choices", json=body, headers=guest.key(3))
    assert kept.status_code == 200
    so_far = guest.get(f"{API}/purchases/{number}").json()
    assert so_far == kept.json()
    assert so_far["tickets"][0]["hands"][4]["choice"] == other
    stranger = hall.client()
    assert stranger.get(f"{API}/purchases/{number}").status_code == 404
    answer = stranger.put(f"{API}/purchases/{number}/choices", json=body, headers=stranger.key(1))
    assert answer.status_code == 404
    printed = finish(guest, bought)["tickets"][0]
    assert (printed["print"], printed["hands"][4]["choice"]) == (1, other)
    assert guest.get(place).json()["code"] == printed["code"]
    assert chips(guest) == 99_500
    assert hall.house.lottery is not None
    assert check_log(hall.house.lottery.lottery).faults == ()


@pytest.mark.clause("KO21-2.6")
def test_a_reload_in_the_middle_of_a_purchase_keeps_it(at_terminal: Screen) -> None:
    page = at_terminal.page
    page.click("#t-buy")
    word = turn(page, 14)
    expect(page.locator("#t-kept")).to_have_text("Your choices are kept with the purchase.")
    page.reload()
    expect(page.locator("#t-choose")).to_be_visible()
    expect(page.locator("#t-order")).to_be_hidden()
    assert choice_of(page, 14) == word
    expect(page.locator(".t-hand.changed")).to_have_count(1)
    page.click("#t-final")
    page.wait_for_url("**/tickets/**")
    assert choice_of(page, 14) == word
    expect(page.locator("#ticket")).to_contain_text("print 1")
    expect(page.locator("#k-alter")).to_be_visible()  # the alteration is not lost either
    page.goto("/knockout-21")
    expect(page.locator("#t-order")).to_be_visible()
    expect(page.locator("#t-own li")).to_have_count(1)


@pytest.mark.clause("KO21-2.8")
def test_the_close_while_choosing_prints_the_charts_choices(
    at_terminal: Screen, hall: CardRoom, clock: HandClock
) -> None:
    page = at_terminal.page
    page.click("#t-buy")
    charts = choice_of(page, 14)
    turn(page, 14)
    expect(page.locator("#t-kept")).to_have_text("Your choices are kept with the purchase.")
    room = hall.house.lottery
    assert room is not None
    clock.moment = room.window[0].closes_at
    page.reload()
    page.wait_for_url("**/tickets/**")
    assert choice_of(page, 14) == charts
    expect(page.locator(".note")).to_contain_text("In the draw.")
    expect(page.locator("#k-alter")).to_have_count(0)


@pytest.mark.clause("KO21-2.4")
def test_at_night_the_terminal_says_when_sales_open_and_does_not_sell(
    at_terminal: Screen, hall: CardRoom, clock: HandClock
) -> None:
    page, room = at_terminal.page, hall.house.lottery
    assert room is not None
    expect(page.locator("#t-buy")).to_be_enabled()
    clock.moment = datetime(2025, 6, 15, 6, 30, tzinfo=UTC)  # after the day's last draw
    wait_for(lambda: bool(room.window) and room.window[0].day == "2025-06-15")
    clock.moment = datetime(2025, 6, 15, 8, 0, tzinfo=UTC)  # one in the morning in Vancouver
    page.reload()
    expect(page.locator("#t-closed")).to_contain_text("They open at 06:00 Pacific time")
    expect(page.locator("#t-count")).to_have_text("5:00:00")
    expect(page.locator("#t-buy")).to_have_text("Sales open at 06:00")
    expect(page.locator("#t-buy")).to_be_disabled()
    assert page.request.get(f"{API}/draws").json()["sales"]["open"] is False
    clock.moment = datetime(2025, 6, 15, 13, 0, tzinfo=UTC)  # six o'clock
    expect(page.locator("#t-buy")).to_have_text("Buy for $5")
    expect(page.locator("#t-buy")).to_be_enabled()


@pytest.mark.requirement("R-46")
def test_what_is_switched_off_is_not_offered(at_terminal: Screen, hall: CardRoom) -> None:
    page, room = at_terminal.page, hall.house.lottery
    assert room is not None
    switch(room.lottery, "terminal:web", off=True, by=["ann"])
    expect(page.locator("#t-closed")).to_have_text("The house does not sell tickets now.")
    expect(page.locator("#t-buy")).to_have_text("Nothing is on sale now")
    expect(page.locator("#t-buy")).to_be_disabled()
    switch(room.lottery, "terminal:web", off=False, by=["ann"])
    switch(room.lottery, f"draw:{room.window[1].number}", off=True, by=["ann"])
    expect(page.locator("#t-first button")).to_have_count(2)


@pytest.mark.clause("KO21-2.3")
def test_the_page_sells_the_next_draw_or_either_of_the_two_after_it(at_terminal: Screen) -> None:
    page = at_terminal.page
    numbers = [int(text.split()[0]) for text in page.locator("#t-first button").all_inner_texts()]
    assert numbers == list(range(numbers[0], numbers[0] + 3))
    expect(page.locator("#t-draws button")).to_have_count(3)
    page.locator("#t-first button").nth(1).click()
    expect(page.locator("#t-draws button")).to_have_count(2)  # three draws in a row are too many from here
    page.locator("#t-draws button").nth(1).click()
    expect(page.locator("#t-buy")).to_have_text("Buy for $10")
    page.click("#t-buy")
    for index, draw in enumerate(numbers[1:]):
        expect(page.locator(".t-ticket b").nth(index)).to_have_text(f"Draw {draw}")


def test_a_ticket_page_keeps_choices_that_are_not_saved(at_terminal: Screen) -> None:
    """However long it stands open; it used to load itself anew every minute."""
    page = at_terminal.page
    page.click("#t-buy")
    page.click("#t-final")
    page.wait_for_url("**/tickets/**")
    page.clock.install()
    page.reload()
    word = turn(page, 14)
    page.evaluate("window.same = true")
    page.clock.run_for(100_000)
    assert page.evaluate("window.same")
    assert choice_of(page, 14) == word
    page.click("#k-alter")
    expect(page.locator("#ticket")).to_contain_text("print 2")
    assert choice_of(page, 14) == word


@pytest.mark.clause("KO21-2.7", "KO21-2.8")
def test_the_button_goes_when_the_time_to_alter_is_over(
    at_terminal: Screen, hall: CardRoom, clock: HandClock
) -> None:
    page = at_terminal.page
    page.click("#t-buy")
    page.click("#t-final")
    page.wait_for_url("**/tickets/**")
    room = hall.house.lottery
    assert room is not None
    closes = room.window[0].closes_at
    expect(page.locator(".note")).to_contain_text(
        "You may alter the choices once, until 2025-06-14 12:02:30 Pacific."
    )
    before = choice_of(page, 14)
    turn(page, 14)
    clock.moment = closes
    expect(page.locator("#k-alter")).to_have_count(0)
    expect(page.locator(".note")).to_contain_text("In the draw.")
    assert choice_of(page, 14) == before


@pytest.mark.clause("KO21-2.9")
def test_alterable_is_true_at_every_moment(hall: CardRoom, clock: HandClock) -> None:
    """Tickets of tomorrow, bought at 22:55: the first draw's until its close, the others' until 2:00."""
    guest, room = hall.client(), hall.house.lottery
    assert room is not None
    clock.moment = datetime(2025, 6, 15, 5, 55, tzinfo=UTC)
    wait_for(lambda: bool(room.window) and room.window[0].day == "2025-06-15")
    tickets = finish(guest, buy(guest, draws=3))["tickets"]

    def alterable() -> list[bool]:
        return [guest.get(f"{API}/tickets/{ticket['id']}").json()["alterable"] for ticket in tickets]

    assert alterable() == [True, True, True]
    two = datetime(2025, 6, 15, 9, 0, tzinfo=UTC)
    clock.moment = two - timedelta(microseconds=1)
    assert alterable() == [True, True, True]
    clock.moment = two
    assert alterable() == [True, False, False]


CUT_OFF = """(root) => [root, ...root.querySelectorAll("*")]
  .filter((one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== "inline")
  .map((one) => `${one.tagName} ${one.textContent}`)"""


def test_no_text_of_the_last_draws_is_cut_off(
    browser: Browser, hall: CardRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With as many winners and as large prizes as there can be, on a phone and on a desktop."""
    games = [{"game": game, "winners": 12_345, "prize_cents": 99_995} for game in (1, 2, 3)]
    last = {"draw": 12_345, "draw_at": "2025-06-14T19:00:00+00:00", "tickets": 98_765, "games": games}

    def full_view(room: LotteryRoom, now: datetime) -> dict[str, Any]:
        return {**draws_view(room, now), "last": [last] * 6}

    for module in ("live.lottery_view", "pages.terminal", "api.knockout21"):
        monkeypatch.setattr(f"cardroom.web.{module}.draws_view", full_view)
    for width in (360, 390, 920, 1280):
        screen = open_screen(browser, hall, width=width)
        screen.page.goto("/knockout-21")
        expect(screen.page.locator("#t-last")).to_contain_text("12,345 winners × $999.95")
        assert screen.page.locator("#t-last").evaluate(CUT_OFF) == [], width
        screen.page.context.close()


@pytest.mark.requirement("R-44")
@pytest.mark.clause("KO21-2.8")
def test_a_purchase_begun_before_a_crash_is_gone_on_with_after_it(
    tmp_path_factory: pytest.TempPathFactory, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stopped between the commit and its answer: paid once, and theirs to choose."""
    folder = tmp_path_factory.mktemp("between")
    hall = start(quick_settings(folder, lottery=True), clock)
    guest = hall.client()
    wait_for(lambda: bool(guest.get(f"{API}/draws").json().get("on_sale")))
    sold: list[LogHead] = []

    def die(_sale: Sale, written: tuple[LogHead, object]) -> None:
        sold.append(written[0])
        raise RuntimeError("the machine stops here")

    monkeypatch.setattr(Sale, "tickets", die)
    assert guest.post(f"{API}/purchases", json={}, headers=guest.key(1)).status_code == 500
    hall.stop()
    monkeypatch.undo()
    hall = start(quick_settings(folder, lottery=True), clock)
    try:
        guest.base_url = hall.url
        wait_for(lambda: bool(guest.get(f"{API}/draws").json().get("on_sale")))
        assert len(guest.get(f"{API}/tickets").json()["tickets"]) == 1
        so_far = guest.get(f"{API}/purchases/{sold[0].seq}").json()
        assert [ticket["state"] for ticket in so_far["tickets"]] == ["choosing"]
        assert chips(guest) == 99_500
        assert buy(guest)["purchase"] == sold[0].seq  # the same request again: the same purchase
        assert finish(guest, so_far)["tickets"][0]["print"] == 1
        assert chips(guest) == 99_500
        with hall.house.database.read() as connection:
            assert sum(all_balances(connection).values()) == 0
    finally:
        hall.stop()


@pytest.mark.requirement("R-43")
def test_purchases_that_wait_together_share_commits(hall: CardRoom) -> None:
    """Each is still its own: who has no chips is refused, a repeat is answered alike, the others are sold."""
    room, house = hall.house.lottery, hall.house
    assert room is not None
    guests = [f"{number:032x}" for number in range(1, 31)]
    poor = guests[7]
    points: list[str] = []

    async def crowd(key: str, *, stakes: int = 1) -> list[Any]:
        return await asyncio.gather(
            *(room.buy(house.player(guest), Order(TERMINAL, stakes), key) for guest in guests),
            return_exceptions=True,
        )

    async def spend_all() -> None:
        plan = house.players.welcome(house.player(poor))
        gone = Entry(ChipsTaken(player=poor), [Transfer(f"player:{poor}", "house:chips", 99_600)])
        await house.journal.perform(lambda: Plan([*plan, gone]))

    def done(work: Coroutine[Any, Any, Any]) -> Any:
        assert house.following.loop is not None
        return asyncio.run_coroutine_threadsafe(work, house.following.loop).result()

    done(spend_all())
    house.database.probe = points.append
    sold = done(crowd("together"))
    house.database.probe = None
    assert points.count("committed") <= len(guests) / 5
    assert isinstance(sold[7], Conflict)
    assert "you have $4.00" in str(sold[7])
    bought = [one for number, one in enumerate(sold) if number != 7]
    assert len({one.tickets[0].id for one in bought}) == len(guests) - 1
    again = done(crowd("together"))
    assert [one.tickets for number, one in enumerate(again) if number != 7] == [one.tickets for one in bought]
    other = done(crowd("together", stakes=2))
    assert all(isinstance(one, Conflict) for one in other)  # the key was used for another order
    for number, guest in enumerate(guests):
        assert house.player(guest).chips_cents == (400 if number == 7 else 99_500)
    with house.database.read() as connection:
        assert ledger_faults(connection) == []
        assert state_faults(connection) == []


class _MachineStops(Exception):
    """The process ends here."""


@pytest.mark.requirement("R-44")
def test_a_purchase_is_one_commit(tmp_path_factory: pytest.TempPathFactory, clock: HandClock) -> None:
    """Stopped at every point of its writes: chips and tickets go together or not at all.

    After each stop the house is opened anew, and the same request, sent again, is done once.
    """
    folder = tmp_path_factory.mktemp("points")
    hall = start(quick_settings(folder, lottery=True), clock)
    guest = hall.client()
    wait_for(lambda: bool(guest.get(f"{API}/draws").json().get("on_sale")))
    hall.stop()
    for point in itertools.count():
        hall = start(quick_settings(folder, lottery=False), clock)
        guest.base_url = hall.url
        hall.house.lottery = LotteryRoom(hall.house)
        before, tickets = chips(guest), len(guest.get(f"{API}/tickets").json()["tickets"])
        passed = itertools.count()

        def stop(_point: str, passed: Iterator[int] = passed, at: int = point) -> None:
            if next(passed) == at:
                raise _MachineStops

        hall.house.database.probe = stop
        key = guest.key(100 + point)
        status = guest.post(f"{API}/purchases", json={}, headers=key).status_code
        hall.house.database.probe = None
        hall.stop()
        if status == 201:  # it has no more points than that
            break
        assert status == 500
        hall = start(quick_settings(folder, lottery=False), clock)
        guest.base_url = hall.url
        hall.house.lottery = LotteryRoom(hall.house)
        now = len(guest.get(f"{API}/tickets").json()["tickets"])
        assert (before - chips(guest)) == 500 * (now - tickets)
        assert guest.post(f"{API}/purchases", json={}, headers=key).status_code == 201
        assert chips(guest) == before - 500
        assert len(guest.get(f"{API}/tickets").json()["tickets"]) == tickets + 1
        with hall.house.database.read() as connection:
            assert ledger_faults(connection) == []
            assert state_faults(connection) == []
        hall.stop()
    assert point > 5


def test_a_refusal_leaves_the_key_free_and_what_it_buys_later_is_paid_once(hall: CardRoom) -> None:
    guest = hall.client()
    before = len(hall.log())
    hall.house.disabled.add("terminal:web")
    refused = guest.post(f"{API}/purchases", json={}, headers=guest.key(1))
    assert (refused.status_code, len(hall.log())) == (409, before)
    hall.house.disabled.discard("terminal:web")
    first, again = (guest.post(f"{API}/purchases", json={}, headers=guest.key(1)) for _ in range(2))
    assert (first.status_code, first.json()) == (201, again.json())
    assert guest.get("/api/v1/session").json()["chips_cents"] == 100_000 - 500
