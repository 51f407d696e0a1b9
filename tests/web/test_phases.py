"""What pages show while people play fits a small phone as well, whatever the fonts."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.databases import HandClock
from tests.web.conftest import CardRoom, Screen, open_screen, quick_settings, start
from tests.web.fitting import fits, tap
from tests.web.lottery_hall import hold_draw, wait_for
from tests.web.shoes import is_split_against_ace, number_for
from tests.web.test_operations import enter
from tests.web.test_table_page import play_out, without_late_presses

CRAMPED = """() => [...document.querySelectorAll(".b-spot.front .b-sidebet")].flatMap((bet) => {
  const outer = bet.getBoundingClientRect();
  return [".b-bet", ".b-money", ".b-meter"].flatMap((name) => {
    const words = document.createRange();
    words.selectNodeContents(bet.querySelector(name));
    const box = words.getBoundingClientRect();
    const chip = bet.querySelector(".b-chipstack")?.getBoundingClientRect();
    const edges = box.width && (box.left < outer.left + 6 || box.right > outer.right - 6);
    const covered = box.width && chip && chip.right > box.left && chip.bottom > box.top + 2;
    return edges || covered ? [`${bet.dataset.wager} ${name}`] : [];
  });
})"""
"""Side bets whose words touch the edge of their place, or lie under its chip."""


LINES_OF = """selector => {
  const words = document.createRange();
  words.selectNodeContents(document.querySelector(selector));
  return new Set([...words.getClientRects()].map((box) => Math.round(box.top))).size;
}"""
"""How many lines the words of an element take."""

OUT_OF_THEIR_PLACE = """bets => bets.filter((bet) => {
  const { top, bottom, left, right } = bet.getBoundingClientRect();
  return [...bet.querySelectorAll("span:not(.sr, .b-stakes, .b-stakes *)")].some((one) => {
    const words = document.createRange();
    words.selectNodeContents(one);
    return [...words.getClientRects()].some((box) => box.width && (
      box.left < left || box.right > right || box.top < top - 1 || box.bottom > bottom + 1));
  });
}).map((bet) => bet.innerText)"""
"""Side bets with a line of words that runs over the rim of their place."""


@pytest.fixture
def phone(any_fonts: Browser, room: CardRoom) -> Iterator[Screen]:
    found = open_screen(any_fonts, room, width=360, height=800)
    yield found
    found.page.context.close()
    assert found.troubles == []


def test_a_round_with_all_side_bets(tmp_path: Path, any_fonts: Browser) -> None:
    number = number_for("players-edge-21", is_split_against_ace, private=False)
    hall = start(quick_settings(tmp_path, repeatable=number))
    screen = open_screen(any_fonts, hall, width=360, height=800)
    page = screen.page
    page.goto("/tables/rowan")
    page.click(".b-spot[data-spot='4'] .b-circle")
    bets = page.locator(".b-spot[data-spot='4'] .b-sidebet")
    expect(bets).to_have_count(4)
    for place in range(4):
        bets.nth(place).click()
        expect(page.locator(".b-sidebet.staked")).to_have_count(place + 1)
    fits(page, "round-wagers")
    assert page.evaluate(CRAMPED) == []
    page.click("#b-deal")
    expect(page.locator("[data-action^='insure']")).to_be_enabled()
    expect(page.locator("#b-meters")).to_contain_text("$50,000.40")  # 8 percent of $5 went into it
    fits(page, "round-insurance")
    page.locator("[data-action^='insure']").click()
    expect(page.locator("[data-action='split']")).to_be_enabled()
    fits(page, "round-split")
    page.click("[data-action='split']")
    expect(page.locator(".b-spot[data-spot='4'] .b-hand")).to_have_count(2)
    expect(page.locator("[data-action='double']")).to_be_enabled()
    fits(page, "round-double")
    page.click("[data-action='double']")
    play_out(page)
    fits(page, "round-result")
    page.click("#b-last a")
    page.wait_for_url("**/rounds/**")
    expect(page.locator("#r-dealer .card").first).to_be_visible()
    fits(page, "round-replay")
    page.goto("/you")
    expect(page.locator(".you-history")).to_contain_text("Player's Edge 21")
    fits(page, "you-history")
    assert without_late_presses(screen.troubles) == []
    page.context.close()
    hall.stop()


def test_long_names_of_side_bets_lie_within_their_places(room: CardRoom, any_fonts: Browser) -> None:
    """Buster Blackjack beside its chips and its money, two bets in a row: three lines ran over its place."""
    screen = open_screen(any_fonts, room, width=360, height=640)
    page = screen.page
    guest = room.client()
    options = {f"side_bets.{name}.offered": True for name in ("buster-blackjack", "lucky-ladies")}
    asked = {"game": "blackjack", "options": {"hole_card": "none", **options}}
    opened = guest.post("/api/v1/tables", json=asked, headers=guest.key(1))
    page.goto(f"/tables/{opened.json()['table']}")
    page.click(".b-spot[data-spot='4'] .b-circle")
    bets = page.locator(".b-spot[data-spot='4'] .b-sidebet")
    expect(bets).to_have_count(4)
    for place in range(4):
        bets.nth(place).click()
        expect(page.locator(".b-sidebet.staked")).to_have_count(place + 1)
    over = bets.evaluate_all(OUT_OF_THEIR_PLACE)
    assert over == []
    assert screen.troubles == []
    page.context.close()


def test_a_table_of_ones_own_is_opened_without_scrolling(room: CardRoom, any_fonts: Browser) -> None:
    """From the felt of a small phone, by a form whose foot is seen whatever is open in it."""
    screen = open_screen(any_fonts, room, width=360, height=640)
    page = screen.page
    page.goto("/tables/rowan")
    tap(page.locator(".b-own-felt"))
    groups = page.locator("#b-own-options summary")
    expect(groups.first).to_be_visible()
    groups.first.click()
    page.fill("#b-own-computers", "2")
    fits(page, "table-own-form")
    tap(page.locator("#b-own-open"))
    page.wait_for_url(lambda url: not url.endswith("rowan"))
    assert page.evaluate("scrollY") == 0
    assert screen.troubles == []
    page.context.close()


def in_one_window(page: Page, selector: str) -> None:
    """At the top of the page, everything that a selector finds lies within the smallest phone's window."""
    page.set_viewport_size({"width": 360, "height": 640})
    page.evaluate("scrollTo(0, 0)")
    outside = page.evaluate(
        """selector => [...document.querySelectorAll(selector)]
          .filter((one) => { const box = one.getBoundingClientRect();
            return box.top < 0 || box.left < 0 || box.right > innerWidth || box.bottom > innerHeight; })
          .map((one) => one.outerHTML.slice(0, 80))""",
        selector,
    )
    assert page.locator(selector).count() > 0
    assert outside == []
    page.set_viewport_size({"width": 360, "height": 800})


def test_a_game_of_knockout_52(phone: Screen) -> None:
    page = phone.page
    whole_table = "#k-phase, .k-bet, .k-space, .k-chips .chip, .k-actions button"
    page.goto("/knockout-52/willow")
    page.click("#k-own")
    page.wait_for_url(lambda url: not url.endswith("willow"))
    page.click(".chip[data-cents='10000']")
    for wager in ("round-1", "round-2", "round-3", "round-4", "all-the-way"):
        page.click(f".k-bet[data-wager='{wager}']")
    page.click(".chip[data-cents='500']")
    page.click(".k-bet[data-wager='round-1']")
    expect(page.locator("#k-players")).to_contain_text("Round 1 $105")
    expect(page.locator(".k-stake")).to_have_text(["$105", "$100", "$100", "$100", "$100"])
    expect(page.locator(".k-bet[data-wager='round-1'] .b-chipstack i")).to_have_count(2)
    fits(page, "knockout-52-wagers")
    in_one_window(page, whole_table)
    page.click("#k-deal")
    expect(page.locator("#k-last")).to_contain_text("You staked $505")
    expect(page.locator(".b-chipstack.taken")).to_have_count(4)  # one wager of the five always wins
    expect(page.locator(".k-bet.won .b-chipstack")).to_have_count(2)
    expect(page.locator(".k-stake")).to_have_count(0)
    fits(page, "knockout-52-result")
    in_one_window(page, whole_table)
    page.locator("#k-last a").first.click()
    page.wait_for_url("**/rounds/**")
    expect(page.locator(".k-space .card").first).to_be_visible()
    fits(page, "knockout-52-replay")


def test_a_ticket_of_knockout_21(tmp_path: Path, any_fonts: Browser) -> None:
    clock = HandClock(datetime(2025, 6, 14, 19, 0, tzinfo=UTC))  # noon in Vancouver
    hall = start(quick_settings(tmp_path, lottery=True), clock)
    wait_for(lambda: hall.house.lottery is not None and bool(hall.house.lottery.window))
    screen = open_screen(any_fonts, hall, width=360, height=800)
    page = screen.page
    page.goto("/knockout-21")
    expect(page.locator("#t-buy")).to_be_enabled()
    in_one_window(page, "#t-buy, #t-steps .btn, #t-count, .t-firsts .card")  # bought without scrolling
    page.click("#t-buy")
    expect(page.locator("#t-final")).to_be_enabled()
    fits(page, "knockout-21-hands")
    page.click("#t-final")
    page.wait_for_url("**/tickets/**")
    expect(page.locator(".t-hand")).to_have_count(15)
    fits(page, "knockout-21-ticket")
    assert page.evaluate(LINES_OF, "#k-code") == 1  # what is typed elsewhere is not broken
    ticket = page.url
    draw = int(page.inner_text("h1 .soft").rpartition(" ")[2])
    page.goto("/knockout-21/wall")
    hold_draw(hall, clock, hall.client(), draw)
    expect(page.locator("#w-say")).to_contain_text(f"Draw {draw} is over")
    fits(page, "knockout-21-wall")
    page.goto(ticket)
    expect(page.locator(".ticket-prize")).to_contain_text("A prize of $45")
    fits(page, "knockout-21-prize")
    assert screen.troubles == []
    page.context.close()
    hall.stop()


def test_operations(phone: Screen, room: CardRoom) -> None:
    enter(room.client(), room.house)
    page = phone.page
    page.goto("/operations")
    page.fill("#o-name", "operator")
    page.fill("#o-password", room.house.first_password or "")
    page.keyboard.press("Enter")
    expect(page.locator("#o-rules-table")).to_be_visible()
    fits(page, "operations-inside")


def test_figures_and_charts_of_the_lab(phone: Screen) -> None:
    page = phone.page
    page.goto("/lab?game=blackjack")
    expect(page.locator("#l-chart caption").first).to_have_text("Hard hands")
    expect(page.locator("#l-distribution .l-bar").first).to_be_visible()
    fits(page, "lab-blackjack")


def fonts_of(page: Page, selector: str) -> set[str]:
    """The fonts in which an element's words are really drawn."""
    session = page.context.new_cdp_session(page)
    session.send("DOM.enable")
    session.send("CSS.enable")
    root = session.send("DOM.getDocument")["root"]["nodeId"]
    node = session.send("DOM.querySelector", {"nodeId": root, "selector": selector})["nodeId"]
    drawn = session.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
    session.detach()
    return {font["familyName"] for font in drawn}


def test_a_font_set_is_all_that_the_browser_knows(phone: Screen) -> None:
    """Else the checks above would say nothing: the machine's own fonts must not come in."""
    phone.page.goto("/fairness")
    found = fonts_of(phone.page, "h1"), fonts_of(phone.page, "main p")
    assert found in [
        ({"DejaVu Serif"}, {"DejaVu Sans"}),
        ({"Roboto Slab"}, {"Lato"}),
        ({"DejaVu Serif"}, {"DejaVu Serif"}),
    ]
