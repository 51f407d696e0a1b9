"""The wall: read from five metres, of one geometry in every phase, and back by itself when it was cut off."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import segno
from playwright.sync_api import Browser, Page, Route, expect

from cardroom.engine import knockout21 as engine
from cardroom.engine.knockout21 import Draw
from cardroom.web.live.lottery import LotteryRoom
from cardroom.web.live.lottery_view import draws_view
from tests.databases import HandClock
from tests.web.accessibility import everybody_can_use
from tests.web.conftest import PATIENCE_MS, CardRoom, Screen, open_screen, quick_settings, start
from tests.web.laid_draws import lay_draws
from tests.web.lottery_hall import API, buy, hold_draw, wait_for
from tests.web.pictures import picture

SIZES = ((1920, 1080), (3840, 2160))
MEASURE = Path(__file__).with_name("wall.js").read_text("utf-8")
NO_CONNECTION = "No connection to the house. The wall goes on by itself when it is back."


@pytest.fixture
def wall(browser: Browser, hall: CardRoom) -> Iterator[Screen]:
    """A screen of 1920 by 1080 before the wall; what it counts down stands still."""
    found = open_screen(browser, hall, width=1920, height=1080)
    stop_time(found.page)
    found.page.goto("/knockout-21/wall")
    yield found
    found.page.context.close()
    assert found.troubles == []


def begin_draw(hall: CardRoom, clock: HandClock) -> int:
    """Sell a ticket and come to the moment of its draw; its number."""
    number: int = buy(hall.client())["tickets"][0]["draw"]
    room = hall.house.lottery
    assert room is not None
    clock.moment = room.window[0].due_at
    wait_for(lambda: number in room.shows)
    return number


def show_up_to(hall: CardRoom, clock: HandClock, page: Page, number: int, index: int) -> None:
    """Let the wall show the events of a draw up to one of them."""
    assert hall.house.lottery is not None
    clock.moment = hall.house.lottery.shows[number].moments[index]
    expect(page.locator("#wall")).to_have_attribute("data-shown", f"{number}.{index + 1}")


def stop_time(page: Page) -> None:
    """Let the page's own time stand until it is moved on by hand."""
    page.clock.install(time=0)
    page.clock.pause_at(3600)


def phases_of(events: list[engine.Event]) -> list[int]:
    """The places of the events that bring the wall into each of its phases, in their order."""
    kinds = [type(event) for event in events]
    lucky = [
        place for place, one in enumerate(events) if isinstance(one, engine.HandPlayed) and one.lucky_losers
    ]
    longest = kinds.index(engine.HandPlayed) - 1
    games = [place for place, kind in enumerate(kinds) if kind is engine.GameWon]
    bust = next(
        place for place, one in enumerate(events) if isinstance(one, engine.HandPlayed) and one.dealer_busted
    )
    first = [0, 1, 2, 4, longest, longest + 1, bust]
    return sorted({*first, *lucky, *games, games[0] + 1, games[0] + 2, len(events) - 1})


def test_every_phase_is_read_from_far_away_and_nothing_moves_between_them(
    any_fonts: Browser, hall: CardRoom, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No text is smaller than a fortieth of the height, on both sizes, and every part keeps its place.

    The draw has the longest hands that a dealer can have, Lucky Losers and as many tickets as there ever are.
    """
    events = lay_draws(monkeypatch)
    screen = open_screen(any_fonts, hall, width=1920, height=1080)
    page = screen.page
    page.goto("/knockout-21/wall")
    places: dict[tuple[int, int], Any] = {}

    def measure(phase: str) -> None:
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            found = page.evaluate(MEASURE)
            if width == SIZES[0][0] or phase == "between":  # a picture of a large screen takes seconds
                picture(page, f"wall-{phase}-{width}")
            assert found["texts"] > 20
            assert (found["small"], found["out"]) == ([], []), (phase, width)
            assert found["places"] == places.setdefault((width, height), found["places"]), (phase, width)
            assert page.evaluate("document.getAnimations().length") == 0  # the visitor asked for no motion
        page.set_viewport_size({"width": 1920, "height": 1080})
        everybody_can_use(page, f"wall-{phase}")

    expect(page.locator("#w-count")).not_to_have_text("–")
    measure("before")
    number = begin_draw(hall, clock)
    for index in phases_of(events):
        show_up_to(hall, clock, page, number, index)
        measure(f"{index:02}-{type(events[index]).__name__}")
    clock.advance(seconds=20)
    expect(page.locator("#w-last li b").first).to_have_text(f"Draw {number}")
    measure("between")
    page.evaluate("document.querySelector('#w-broken').hidden = false")
    measure("broken")
    assert screen.troubles == []
    page.context.close()


def test_as_much_as_there_can_be_between_draws_is_read_from_far_away_too(
    any_fonts: Browser, tmp_path: Path, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At night, with the most winners, the largest prizes and a long address."""
    games = [{"game": game, "winners": 12_345, "prize_cents": 99_995} for game in (1, 2, 3)]
    last = {"draw": 123_456, "draw_at": "2025-06-14T19:00:00+00:00", "tickets": 98_765, "games": games}

    def full_view(room: LotteryRoom, now: datetime) -> dict[str, Any]:
        view = draws_view(room, now)
        says = "Sales are closed. They open at 06:00 Pacific time."
        at = (now + timedelta(hours=12, minutes=34, seconds=56)).isoformat()
        coming = {**view["next"], "draw": 123_456, "draw_at": at, "tickets": 98_765, "closed": True}
        coming["top_prize_cents"] = 100_000
        return {**view, "next": coming, "last": [last] * 6, "sales": {**view["sales"], "say": says}}

    for module in ("pages.terminal", "live.lottery_view"):  # the one that takes it from the other first
        monkeypatch.setattr(f"cardroom.web.{module}.draws_view", full_view)
    address = "https://knockout.lottery-cards.example.org"
    hall = start(quick_settings(tmp_path, lottery=True, public_url=address), clock)
    wait_for(lambda: hall.house.lottery is not None and bool(hall.house.lottery.window))
    screen = open_screen(any_fonts, hall, width=1920, height=1080)
    stop_time(screen.page)
    screen.page.goto("/knockout-21/wall")
    expect(screen.page.locator("#w-last")).to_contain_text("12,345 × $999.95")
    expect(screen.page.locator("#w-count")).to_have_text("12:34:56")
    for width, height in SIZES:
        screen.page.set_viewport_size({"width": width, "height": height})
        found = screen.page.evaluate(MEASURE)
        picture(screen.page, f"wall-night-{width}")
        assert (found["small"], found["out"]) == ([], []), width
    screen.page.context.close()
    hall.stop()


def test_what_the_wall_says_of_a_draw(
    wall: Screen, hall: CardRoom, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    events = lay_draws(monkeypatch)
    page = wall.page
    assert page.locator("nav, .purse, .foot").count() == 0
    number = begin_draw(hall, clock)
    show_up_to(hall, clock, page, number, 0)
    expect(page.locator("#w-say")).to_have_text(f"Draw {number} begins with 98,765 tickets.")
    show_up_to(hall, clock, page, number, 1)
    expect(page.locator("#w-hit .card")).to_have_attribute("data-card", "Th")
    expect(page.locator("#w-in")).to_have_text("98,765")
    first = next(place for place, event in enumerate(events) if isinstance(event, engine.HandPlayed))
    show_up_to(hall, clock, page, number, first - 1)
    expect(page.locator("#w-dealer .card")).to_have_count(12)
    expect(page.locator("#w-total")).to_have_text("17")
    show_up_to(hall, clock, page, number, first)
    expect(page.locator("#w-say")).to_have_text("The dealer has 17. 65,432 tickets stay in Game 1.")
    expect(page.locator("#w-in")).to_have_text("65,432")
    expect(page.locator("#w-1-1 .w-ranks span")).to_have_text([*"AAAAAA6AAAAA"])
    lucky = next(
        place for place, one in enumerate(events) if isinstance(one, engine.HandPlayed) and one.lucky_losers
    )
    show_up_to(hall, clock, page, number, lucky)
    expect(page.locator("#w-lucky")).to_be_visible()
    expect(page.locator("#w-lucky")).to_contain_text("12,345 Lucky Losers stay in Game 1.")
    expect(page.locator("#w-1-3")).to_contain_text("★ 12,345 in")
    show_up_to(hall, clock, page, number, lucky + 1)
    expect(page.locator("#w-lucky")).to_be_hidden()
    game_1, game_2, _ = (place for place, one in enumerate(events) if isinstance(one, engine.GameWon))
    show_up_to(hall, clock, page, number, game_1)
    expect(page.locator("#w-won-1")).to_have_text("10,118 × $10")
    expect(page.locator("#w-won")).to_have_text("10,118 winners")
    expect(page.locator("#w-paid")).to_have_text("$101,180")
    # Game 2 shares 20 % of the sales: $98,765 between 3,117 are $31.68, in coins of 5 cents $31.65 (KO21-4.7)
    show_up_to(hall, clock, page, number, game_2 - 1)
    expect(page.locator("#w-prize-label")).to_have_text("Prize now worth")
    expect(page.locator("#w-prize")).to_have_text("$31.65")
    show_up_to(hall, clock, page, number, game_2)
    expect(page.locator("#w-prize-label")).to_have_text("Prize of Game 2")
    expect(page.locator("#w-won")).to_have_text("13,235 winners")
    show_up_to(hall, clock, page, number, len(events) - 1)
    expect(page.locator("#wall")).to_have_attribute("data-phase", "between")
    expect(page.locator("#w-count")).to_be_visible()
    expect(page.locator(".w-tile.done")).to_have_count(15)


def test_a_finished_tile_keeps_its_cards(wall: Screen, hall: CardRoom, clock: HandClock) -> None:
    guest = hall.client()
    number = buy(guest)["tickets"][0]["draw"]
    expect(wall.page.locator("#w-next")).to_have_text(f"1 ticket sold · Draw {number} in")
    hold_draw(hall, clock, guest, number)
    expect(wall.page.locator(".w-tile.done")).to_have_count(15)
    shown = [
        [
            card.get_attribute("data-card") or card.inner_text()
            for card in tile.locator("[data-card], .w-ranks span").all()
        ]
        for tile in wall.page.locator(".w-tile").all()
    ]
    cards = Draw.parse(guest.get(f"{API}/draws/{number}").json()["cards"])
    for tile, position in zip(shown, cards.positions, strict=True):
        ranks = [card.text[0].replace("T", "10") for card in position.dealer]
        assert tile[0] == position.hit.text
        assert tile[1:] in ([card.text for card in position.dealer], ranks)
    expect(wall.page.locator("#w-last li b").first).to_have_text(f"Draw {number}")


@pytest.mark.clause("KO21-4.7")
def test_between_draws_the_wall_says_what_can_be_won_and_where_tickets_are_bought(
    wall: Screen, hall: CardRoom, clock: HandClock
) -> None:
    page, guest, room = wall.page, hall.client(), hall.house.lottery
    assert room is not None
    expect(page.locator("#w-count")).to_have_text("3:00")
    heads = page.locator(".w-last .w-label span")
    expect(heads).to_have_text(["Last draws", "Game 1", "Game 2", "Game 3"])  # whose winners are counted
    firsts = [card.get_attribute("data-card") for card in page.locator(".w-tile [data-card]").all()]
    assert "".join(str(one) for one in firsts) == room.window[0].first_cards  # known before (KO21-1.5)
    expect(page.locator("#w-top")).to_have_text("$20")  # 20 % of the sales would be less than the least prize
    for key in range(7):
        buy(guest, key=key + 1, tickets_per_draw=3)
    expect(page.locator("#w-top")).to_have_text("$21")  # 20 % of 21 tickets at $5
    code = segno.make_qr(f"{hall.url}/knockout-21", error="m").svg_inline(omitsize=True, light="#fff")
    drawn = page.locator(".w-qr path.qrline").get_attribute("d")
    assert drawn
    assert f'd="{drawn}"' in code
    expect(page.locator(".w-where")).to_have_text(hall.url.removeprefix("http://") + "/knockout-21")
    expect(page.locator("#w-sales")).to_have_text("Tickets are sold until 23:00 Pacific time.")
    clock.moment = datetime.fromisoformat("2025-06-15T06:30:00+00:00")  # after the day's last draw
    wait_for(lambda: bool(room.window) and room.window[0].day == "2025-06-15")
    clock.moment = datetime.fromisoformat("2025-06-15T08:00:00+00:00")  # one in the morning in Vancouver
    expect(page.locator("#w-sales")).to_have_text("Sales are closed. They open at 06:00 Pacific time.")
    expect(page.locator("#w-count")).to_have_text("10:21:00")


@pytest.mark.clause("KO21-3.1")
def test_the_countdown_goes_on_to_the_draw_when_its_sales_have_closed(
    wall: Screen, hall: CardRoom, clock: HandClock
) -> None:
    """Half a minute before the draw; the draw after it is the next that can be bought, not the next."""
    page, room = wall.page, hall.house.lottery
    assert room is not None
    number = buy(hall.client())["tickets"][0]["draw"]
    clock.moment = room.window[0].closes_at + timedelta(seconds=1)
    expect(page.locator("#w-next")).to_have_text(f"1 ticket sold · sales closed · Draw {number} in")
    expect(page.locator("#w-count")).to_have_text("0:29")
    lobby = hall.client().get("/").text
    assert f"Draw {number} in" in lobby


def test_who_asks_for_motion_sees_numbers_count_up(
    browser: Browser, hall: CardRoom, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    lay_draws(monkeypatch)
    context = browser.new_context(viewport={"width": 1920, "height": 1080}, base_url=hall.url)
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    stop_time(page)
    page.goto("/knockout-21/wall")
    number = begin_draw(hall, clock)
    show_up_to(hall, clock, page, number, 0)
    page.clock.run_for(450)  # half of the time
    halfway = int(page.inner_text("#w-in").replace(",", ""))
    assert 0 < halfway < 98_765
    page.clock.run_for(600)
    assert page.inner_text("#w-in") == "98,765"
    context.close()


def test_the_wall_goes_on_after_a_restart_and_says_so_meanwhile(
    browser: Browser,
    tmp_path_factory: pytest.TempPathFactory,
    clock: HandClock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In the middle of a draw: it goes on at the same card, and a new version brings its own page."""
    settings = quick_settings(tmp_path_factory.mktemp("restart"), lottery=True)
    events = lay_draws(monkeypatch)
    hall = start(settings, clock)
    port = int(hall.url.rpartition(":")[2])
    wait_for(lambda: hall.house.lottery is not None and bool(hall.house.lottery.window))
    screen = open_screen(browser, hall, width=1920, height=1080)
    page = screen.page
    page.goto("/knockout-21/wall")
    number = begin_draw(hall, clock)
    show_up_to(hall, clock, page, number, 20)
    page.evaluate("window.same = true")
    hall.stop()
    expect(page.locator("#w-broken")).to_have_text(NO_CONNECTION)
    expect(page.locator("#w-broken")).to_be_visible()
    hall = start(settings, clock, port=port)
    wait_for(lambda: hall.house.lottery is not None and number in hall.house.lottery.shows)
    expect(page.locator("#w-broken")).to_be_hidden()
    show_up_to(hall, clock, page, number, len(events) - 1)
    expect(page.locator(".w-tile.done")).to_have_count(15)
    assert page.evaluate("window.same")
    hall.stop()
    monkeypatch.setattr("cardroom.web.api.knockout21.asset", lambda path: f"/static/another/{path}")
    with page.expect_event("framenavigated"):
        hall = start(settings, clock, port=port)
    expect(page.locator(".w-tile.done")).to_have_count(15)  # and it is the result of the last draw again
    page.context.close()
    hall.stop()


def test_a_connection_that_is_refused_is_asked_for_again(browser: Browser, hall: CardRoom) -> None:
    """As while the lottery opens; a browser by itself would give it up for good."""
    screen = open_screen(browser, hall, width=1920, height=1080)
    page = screen.page
    page.route("**/monitor", lambda route: route.fulfill(status=409, body="{}"))
    page.goto("/knockout-21/wall")
    expect(page.locator("#w-broken")).to_be_visible()
    page.unroute("**/monitor")
    expect(page.locator("#w-broken")).to_be_hidden()
    page.context.close()


def test_a_connection_that_is_silent_is_opened_anew(browser: Browser, hall: CardRoom) -> None:
    """A cable that is pulled ends no connection: three beats that do not come do."""
    screen = open_screen(browser, hall, width=1920, height=1080)
    page = screen.page
    held: list[Route] = []

    def hold(route: Route) -> None:
        if held:
            route.continue_()
        held.append(route)

    page.route("**/monitor", hold)
    stop_time(page)
    page.goto("/knockout-21/wall")
    expect(page.locator("#w-count")).to_have_text("3:00")
    page.clock.run_for(44_000)
    assert len(held) == 1
    expect(page.locator("#w-broken")).to_be_hidden()
    with page.expect_response("**/monitor"):
        page.clock.run_for(4_000)
    assert len(held) == 2
    expect(page.locator("#w-broken")).to_be_hidden()
    page.context.close()


def test_the_wall_is_not_there_before_the_lottery_is(room: CardRoom) -> None:
    """In clear words, not as a stream that breaks off."""
    answer = room.client().get(f"{API}/monitor")
    assert answer.status_code == 409
    assert answer.json()["error"]["message"] == "the lottery is opening; try again in a moment"


def test_the_wall_is_found(hall: CardRoom) -> None:
    guest = hall.client()
    old = guest.get("/knockout-21/monitor")
    assert (old.status_code, old.headers["location"]) == (308, "/knockout-21/wall")
    for page in ("/", "/knockout-21"):
        assert 'href="/knockout-21/wall"' in guest.get(page).text


def test_the_wall_fills_the_screen_by_a_key_and_leaves_it(wall: Screen) -> None:
    page = wall.page
    for filled in ("() => document.fullscreenElement", "() => !document.fullscreenElement"):
        page.keyboard.press("f")
        page.wait_for_function(filled)
