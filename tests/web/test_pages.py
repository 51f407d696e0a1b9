"""Every page on six widths with three sets of fonts: it fits, it is light, everybody can read and use it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib import import_module
from pkgutil import iter_modules
from typing import Any
from urllib.parse import quote

import httpx2 as httpx
import pytest
from fastapi.responses import HTMLResponse
from playwright.sync_api import Browser, Page

from cardroom.core.cards import CARDS, Rank
from cardroom.games import GAMES
from cardroom.rules.bets import shelf_names
from cardroom.web import pages
from cardroom.web.cards_svg import deck_svg
from tests.databases import HandClock
from tests.web.conftest import CardRoom, Screen, open_screen, quick_settings, start
from tests.web.fitting import fits
from tests.web.house_pages import OTHERS, PAGES, TAKE_A_MINUTE

PHONE, MIDDLE, WIDE = (360, 390), (768, 1440), (1280, 1920)
"""A page is opened on the first of two and then made wider, as when a phone is turned or a window pulled."""


def on_every_width() -> list[Any]:
    """Every page as a phone shows it and on wider screens: those that `make test` tries take turns there."""
    cases = []
    for number, path in enumerate([*PAGES, *OTHERS]):
        for widths in (PHONE, MIDDLE, WIDE):
            in_turn = widths in (PHONE, (MIDDLE, WIDE)[number % 2])
            marks = () if path in PAGES and in_turn else (pytest.mark.thorough,)
            cases.append(pytest.param(widths, path, id=f"{widths[0]}-{path}", marks=marks))
    return cases


HEAVIEST_BYTES = 300_000


@pytest.fixture(scope="module")
def window(any_fonts: Browser, room: CardRoom) -> Iterator[Screen]:
    found = open_screen(any_fonts, room)
    yield found
    found.page.context.close()


def lottery_room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CardRoom]:
    """A server whose lottery is open."""
    noon = HandClock(datetime(2025, 6, 14, 19, 0, tzinfo=UTC))
    found = start(quick_settings(tmp_path_factory.mktemp("room"), lottery=True), noon)
    deadline = time.monotonic() + 300
    while found.house.lottery is None or not found.house.lottery.window:
        assert time.monotonic() < deadline, "the lottery does not open"
        time.sleep(0.05)
    yield found
    found.stop()


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CardRoom]:
    yield from lottery_room(tmp_path_factory)


DRAWN = {
    "/tables/": ".b-spot[data-spot='4'] .b-circle",
    "/knockout-52/": ".k-bet .k-chance span",
    "/knockout-21/wall": ".w-tile",
    "/knockout-21/conditions": "main",
    "/knockout-21": "#t-buy",
    "/lab?": "#l-wagers tbody tr",
    "/lab/bet": "#d-hands .card",
    "/lab/protection?": "#p-findings li",
    "/": "main",
}
"""What the modules of a page draw last, by what its address begins with."""


def settle(page: Page, path: str) -> None:
    """Open a page and let its modules do their first work."""
    page.goto(path, wait_until="load")
    last = next(drawn for begin, drawn in DRAWN.items() if path.startswith(begin))
    if path in TAKE_A_MINUTE:
        last = "main"
    page.locator(last).first.wait_for()
    wait_for_frames(page)


def wait_for_frames(page: Page) -> None:
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def test_no_page_is_left_out() -> None:
    """A page that a router of the house shows is in the list, or is tried where it comes to be."""
    routes = [
        route
        for module in iter_modules(pages.__path__)
        for route in import_module(f"{pages.__name__}.{module.name}").router.routes
        if route.response_class is HTMLResponse and not route.path.startswith("/operations/")
    ]
    opened = [path.partition("?")[0] for path in (*PAGES, *OTHERS)]
    left_out = {route.path for route in routes if not any(map(route.path_regex.match, opened))}
    assert left_out == {"/rounds/{game}", "/knockout-21/tickets/{ticket}"}  # of what was played or bought
    for game in GAMES.values():
        assert {f"/rules/{game.id}", f"/how/{game.id}"} <= set(opened)
    for name in shelf_names():
        assert any(path.startswith("/how/") and path.endswith(f"/{quote(name, safe='')}") for path in opened)


@pytest.mark.parametrize(("widths", "path"), on_every_width())
def test_a_page_fits_and_everybody_can_use_it(window: Screen, widths: tuple[int, int], path: str) -> None:
    page = window.page
    page.set_viewport_size({"width": widths[0], "height": 900})
    settle(page, path)
    for width in widths:
        page.set_viewport_size({"width": width, "height": 900})
        wait_for_frames(page)
        fits(page, path.partition("?")[0].strip("/").replace("/", "-") or "lobby")
    assert page.evaluate("document.getAnimations().length") == 0  # the visitor asked for no motion
    assert [line for line in window.troubles if "404" not in line] == []


@pytest.mark.parametrize(
    "path", [*PAGES, *(pytest.param(path, marks=pytest.mark.thorough) for path in OTHERS)]
)
def test_a_page_is_light(room: CardRoom, browser: Browser, path: str) -> None:
    screen = open_screen(browser, room)
    weights: list[int] = []
    screen.page.on("requestfinished", lambda request: weights.append(request.sizes()["responseBodySize"]))
    settle(screen.page, path)
    screen.page.context.close()
    assert 0 < sum(weights) < HEAVIEST_BYTES


def test_focus_is_seen_on_paper_and_on_felt(screen: Screen) -> None:
    screen.page.goto("/tables/linden")
    colours = {
        "#b-own": "rgb(31, 102, 208)",
        ".b-circle": "rgb(255, 255, 255)",
        ".nav a": "rgb(255, 255, 255)",
    }
    for selector, colour in colours.items():
        screen.page.keyboard.press("Tab")  # who walks by keyboard sees where they are
        found = screen.page.locator(selector).first
        found.focus()
        style = found.evaluate(
            "one => { const s = getComputedStyle(one); return [s.outlineWidth, s.outlineColor] }"
        )
        assert style == ["3px", colour], selector


def test_nothing_is_fetched_from_elsewhere(screen: Screen, room: CardRoom) -> None:
    asked: list[str] = []
    screen.page.on("request", lambda request: asked.append(request.url))
    for path in PAGES:
        screen.page.goto(path)
    screen.troubles.clear()  # the page that is not there
    assert {url for url in asked if not url.startswith(room.url)} == set()


@pytest.mark.requirement("R-36")
@pytest.mark.parametrize("path", ["/", "/knockout-52/willow"])
def test_rules_and_edge_are_one_click_away(screen: Screen, path: str) -> None:
    screen.page.goto(path)
    screen.page.locator('a[href="/rules/knockout-52"]').first.click()
    screen.page.wait_for_url("**/rules/knockout-52")
    assert "KO52-5" in screen.page.inner_text("#rules")
    assert "3.5403 %" in screen.page.inner_text("#odds")


@pytest.mark.requirement("R-38")
def test_the_odds_of_every_prize_are_shown(room: CardRoom) -> None:
    text = httpx.get(f"{room.url}/rules/knockout-52", timeout=300).text
    for wager in ("round-1", "round-2", "round-3", "round-4", "all-the-way"):
        assert wager in text
    assert "1 in 61.6" in text  # 52 cards without a match, by the fraction of KO52's facts


def test_every_card_has_its_pips_and_its_own_shape() -> None:
    drawing = deck_svg()
    for card in CARDS:
        symbol = drawing.split(f'<symbol id="{card.text}"')[1].split("</symbol>")[0]
        pips = symbol.count(f"#suit-{card.suit.letter}") - 2  # less the two corners
        assert pips == (card.rank if card.rank <= Rank.TEN else 1), card
    assert 'id="back"' in drawing
