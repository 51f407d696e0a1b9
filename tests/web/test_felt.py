"""The felt of a table: everything has its place, and keeps it at every moment of a round."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from cardroom.presentation import KEYS
from tests.web.conftest import CardRoom, Screen, open_screen, quick_settings, start
from tests.web.fitting import OVERLAPS, fits, tap
from tests.web.pictures import picture
from tests.web.shoes import is_split_against_ace, number_for
from tests.web.test_table_page import (
    arrive,
    decline_or_stand,
    own_table,
    play_out,
    without_late_presses,
)

WATCH = Path(__file__).with_name("geometry.js").read_text("utf-8")
OF_CARDS = {
    "root": "#table",
    "said": "#b-phase",
    "places": ".b-felt, .b-dealer, .b-ribbon, .b-clock, .b-rack, .b-plaque, .b-bar, .b-bar button, "
    ".b-bar input, .b-strip button",
    "ofSpot": ".b-hands, .b-place, .b-circle, .b-sidebet, .b-insured, .b-who",
}
"""What is measured at a table of the blackjack family."""
OF_LAYOUT = {
    "root": "#knockout52",
    "said": "#k-phase",
    "places": ".k-table, .k-status, .k-row, .k-bet, .k-space, .k-chips, .k-actions button",
    "ofSpot": "",
}
"""What is measured at Knockout 52."""
SIZES = [(1280, 800), (1366, 657), (1920, 1080), (768, 1024), (390, 844), (360, 640)]


def watched(page: Page) -> None:
    """Measure every place on the table from now on, at every change."""
    page.locator(".b-spot[data-spot='4'] .b-circle").wait_for()
    page.evaluate(OVERLAPS)
    page.evaluate(WATCH, OF_CARDS)


def nothing_moved(page: Page) -> None:
    """Since the table is watched all places were the same, and nothing lay over something else."""
    seen: list[tuple[str, str]] = page.evaluate("[...window.geometries]")
    first = set(seen[0][0].splitlines())
    moved = {said: sorted(first ^ set(places.splitlines()))[:8] for places, said in seen[1:]}
    assert moved == {}
    assert dict(page.evaluate("[...window.overlaps]")) == {}


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_nothing_moves_in_any_phase_of_a_round(
    tmp_path: Path, any_fonts: Browser, size: tuple[int, int]
) -> None:
    """Waiting, chips, side bets, the deal card by card, insurance, split, double, result, the same again."""
    number = number_for("players-edge-21", is_split_against_ace, private=False)
    room = start(quick_settings(tmp_path, repeatable=number))
    screen = open_screen(any_fonts, room, width=size[0], height=size[1])
    page = screen.page
    page.goto("/tables/rowan")
    watched(page)
    spot = page.locator(".b-spot[data-spot='4']")
    tap(spot.locator(".b-circle"))
    for place in range(4):
        tap(spot.locator(".b-sidebet").nth(place))
        expect(page.locator(".b-sidebet.staked")).to_have_count(place + 1)
    tap(page.locator("#b-deal"))
    for action in ("insure", "split", "double"):
        button = page.locator(f"[data-action='{action}']:not([disabled])")
        button.wait_for()
        picture(page, f"felt-{action}-{size[0]}")
        tap(button)
        expect(spot.locator(".b-hand")).to_have_count(1 if action == "insure" else 2)
    play_out(page)
    expect(page.locator("[data-action='repeat']")).to_be_enabled()
    picture(page, f"felt-result-{size[0]}")
    page.keyboard.press("a")
    expect(page.locator("#b-deal")).to_be_enabled()
    nothing_moved(page)
    assert page.evaluate("scrollY") == 0
    fits(page, "felt-again")
    assert without_late_presses(screen.troubles) == []
    page.context.close()
    room.stop()


@pytest.mark.parametrize("size", [(1280, 900), (360, 640)], ids=["desktop", "phone"])
def test_nothing_moves_while_the_shoe_is_cut_and_salts_are_revealed(
    tmp_path: Path, browser: Browser, size: tuple[int, int]
) -> None:
    room = start(quick_settings(tmp_path, repeatable=None))
    screen = open_screen(browser, room, width=size[0], height=size[1])
    page = screen.page
    own_table(page, "linden")
    watched(page)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/salts", hold)
    tap(page.locator(".b-spot[data-spot='4'] .b-circle"))
    cut, ribbon = (page.locator(which).bounding_box() for which in ("#b-cut-now", ".b-ribbon"))
    assert cut is not None
    assert ribbon is not None
    assert cut["width"] >= 32  # of a finger
    assert cut["y"] + cut["height"] <= ribbon["y"]
    tap(page.locator("#b-cut-now"))
    expect(page.locator("#b-cut-now")).to_be_hidden()
    tap(page.locator("#b-deal"))
    expect(page.locator("#b-phase")).to_contain_text("reveal their salts")
    held[0].continue_()
    play_out(page)
    expect(page.locator("#b-phase.result")).to_contain_text("You ")
    nothing_moved(page)
    assert page.evaluate("scrollY") == 0
    assert without_late_presses(screen.troubles) == []
    page.context.close()
    room.stop()


PRINTED = """() => {
  const smallest = 10, faults = [];
  for (const words of document.querySelectorAll(".b-arcs textPath")) {
    const curve = document.querySelector(words.getAttribute("href")).getTotalLength();
    if (words.getComputedTextLength() > curve) faults.push(`longer than its curve: ${words.textContent}`);
  }
  for (const one of document.querySelectorAll(".b-felt :is(span, p, b, i, button, label, li)")) {
    if (!one.getClientRects().length || one.matches(".sr, .sr *") || !one.textContent.trim()) continue;
    const size = parseFloat(getComputedStyle(one).fontSize);
    if (size < smallest) faults.push(`letters of ${size}px: ${one.textContent}`);
    const box = one.getBoundingClientRect();
    const outer = one.closest(".b-plaque, .b-sidebet, .b-tags, .b-rack, .b-felt").getBoundingClientRect();
    if (box.bottom > outer.bottom + 1.5 || box.right > outer.right + 1.5 || box.left < outer.left - 1.5)
      faults.push(`out of its place: ${one.className} ${one.textContent}`);
  }
  const felt = document.querySelector(".b-felt"), outer = felt.getBoundingClientRect();
  const [rx, ry] = getComputedStyle(felt).borderBottomLeftRadius.split(" ").map(parseFloat);
  const rim = 13;  // its wood, and some air
  const wide = (outer.width * rx) / 100, high = (outer.height * ry) / 100;
  for (const place of document.querySelectorAll(".b-insured")) {
    const box = place.getBoundingClientRect(), round = 0.15 * box.height;  // a corner, on its own round end
    const across = Math.min(box.left - outer.left, outer.right - box.right) + round;
    const down = box.bottom - round - outer.bottom + high;
    const far = Math.hypot((wide - across) / (wide - rim), down / (high - rim));
    const { spot } = place.closest(".b-spot").dataset;
    if (across < wide && far > 1) faults.push(`on the rim: the insurance of spot ${spot}`);
  }
  return faults;
}"""
"""What is printed on a wide felt and cannot be read: too long for its curve, too small, or cut off."""


def test_all_that_is_printed_on_the_felt_can_be_read(room: CardRoom, any_fonts: Browser) -> None:
    """Curves, bonuses, side bets by name with their chips, and the words of a result between neighbours."""
    screen = open_screen(any_fonts, room, width=1280, height=800)
    page = screen.page
    for table in ("linden", "alder", "rowan"):
        arrive(page, f"/tables/{table}")
        assert page.evaluate(PRINTED) == [], table
    for number in (4, 5):  # neighbours: neither has room beside it
        page.click(f".b-spot[data-spot='{number}'] .b-circle")
        for bet in page.locator(f".b-spot[data-spot='{number}'] .b-sidebet").all():
            bet.click()
    expect(page.locator(".b-sidebet.staked")).to_have_count(8)
    assert page.evaluate(PRINTED) == []
    page.click("#b-deal")
    stand, result = page.locator("[data-action=stand]:enabled"), page.locator("#b-phase.result")
    none = page.locator("[data-action='no insurance']:enabled")
    while not result.count():
        expect(stand.or_(none).or_(result).first).to_be_visible()
        decline_or_stand(page)
    expect(page.locator(".b-sidebet.decided")).to_have_count(8)
    assert page.evaluate(PRINTED) == []
    assert page.evaluate("document.querySelector('.b-bar').getBoundingClientRect().bottom") <= 800
    page.click("#b-leave")
    expect(page.locator(".b-spot.you")).to_have_count(0)
    assert without_late_presses(screen.troubles) == []
    page.context.close()


MARKER_CLEARANCE = """bet => {
  const circle = bet.querySelector(".k-circle");
  return bet.clientLeft + parseFloat(getComputedStyle(bet, "::after").left)
    - (circle.offsetLeft + circle.offsetWidth);
}"""
"""How far to the right of the circle the dealer's marker begins."""


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_nothing_moves_at_knockout_52(room: CardRoom, any_fonts: Browser, size: tuple[int, int]) -> None:
    """Waiting, chips, salts, the deal card by card, the result, the same again."""
    screen = open_screen(any_fonts, room, width=size[0], height=size[1])
    page = screen.page
    page.goto("/knockout-52/willow")
    page.click("#k-own")
    page.wait_for_url(lambda url: not url.endswith("willow"))
    page.locator(".k-bet .k-chance span").first.wait_for()
    assert page.locator(".k-bet.marked").evaluate(MARKER_CLEARANCE) >= 0, "the marker lies on the chips"
    page.evaluate(WATCH, OF_LAYOUT)
    for wager in ("round-1", "round-4", "all-the-way"):
        page.click(f".k-bet[data-wager='{wager}']")
    expect(page.locator("#k-players")).to_contain_text("All the Way $5")
    page.click("#k-deal")
    expect(page.locator("#k-last")).to_contain_text("You staked $15")
    expect(page.locator("#k-phase")).to_have_text(re.compile(r" wins\. You (won|lost) \$[0-9.]+\.$"))
    for wager in ("round-1", "round-4", "all-the-way"):  # each resolves where it lies
        bet = page.locator(f".k-bet[data-wager='{wager}'] .k-chance")
        expect(bet).to_have_text(re.compile(r"^(won \+\$(2\.50|150|250)|lost −\$5)$"))
        what_lies = page.locator(f".k-bet[data-wager='{wager}'] .b-chipstack")
        won = bet.inner_text().startswith("won")
        expect(what_lies).to_have_count(2 if won else 1)  # what is paid lies beside the wager
        expect(what_lies.last).to_have_class(re.compile("paid" if won else "taken"))
    never_laid = page.locator(".k-bet[data-wager='round-2']")
    expect(never_laid.locator(".k-chance")).to_have_text("not played")
    expect(never_laid.locator(".b-chipstack")).to_have_count(0)
    picture(page, f"knockout-52-result-{size[0]}")
    page.keyboard.press("a")
    expect(page.locator("#k-players")).to_contain_text("All the Way $5")
    nothing_moved(page)
    assert page.evaluate("scrollY") == 0  # nothing was out of the window that was clicked
    assert screen.troubles == []
    page.context.close()


@pytest.mark.parametrize("path", ["/tables/linden", "/tables/rowan", "/knockout-52/willow"])
def test_one_key_shows_all_keys_at_every_game(screen: Screen, path: str) -> None:
    page = screen.page
    arrive(page, path)
    page.keyboard.press("?")
    shown = page.locator("#keys[open] tr")
    expect(shown).to_have_count(2 + sum(entry.on_pages for entry in KEYS))
    expect(page.locator("#keys-title")).to_be_in_viewport()  # it opens at its head
    expect(page.locator("#keys .b-foot .btn")).to_be_in_viewport()
    texts = shown.all_inner_texts()
    for entry in KEYS:
        assert any(entry.words in text for text in texts) == entry.on_pages
    page.keyboard.press("Escape")
    expect(page.locator("#keys[open]")).to_have_count(0)
