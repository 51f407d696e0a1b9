"""What a visitor begins is not lost: no click before a page can hear it, no reload over a followed link."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, Route, expect
from playwright.sync_api import TimeoutError as TookTooLong

from tests.web.conftest import PATIENCE_MS, CardRoom, Screen, open_screen
from tests.web.test_operations import PASSWORD
from tests.web.test_overrides import chief_of


def until(page: Page, condition: Callable[[], object]) -> None:
    """Look again and again; a page that is left cannot be asked itself."""
    end = time.monotonic() + PATIENCE_MS / 1000
    while not condition():
        assert time.monotonic() < end
        page.wait_for_timeout(20)


def hold(page: Page, address: str) -> list[Route]:
    """Requests to an address wait until they are let go."""
    held: list[Route] = []

    def keep(route: Route) -> None:
        held.append(route)

    page.route(address, keep)
    return held


def test_a_page_is_seen_only_when_its_buttons_work(hall: CardRoom, browser: Browser) -> None:
    """Its scripts are late: nothing can be clicked, and the first click is heard."""
    chief_of(hall)
    page = open_screen(browser, hall).page
    page.goto("/operations")
    page.fill("#o-name", "chief")
    page.fill("#o-password", PASSWORD)
    held = hold(page, "**/operations.js")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-override]", state="attached")
    with pytest.raises(TookTooLong):
        page.click("[data-override]", timeout=700)
    for route in held:
        route.continue_()
    page.click("[data-override]")
    expect(page.locator("#o-override-what")).to_be_visible()
    page.context.close()


def test_a_form_sent_too_early_is_sent_when_the_page_hears(hall: CardRoom, browser: Browser) -> None:
    """So that a test which types without seeing does what a person does."""
    chief_of(hall)
    page = open_screen(browser, hall).page
    page.goto("/operations")
    page.fill("#o-name", "chief")
    page.fill("#o-password", PASSWORD)
    held = hold(page, "**/operations.js")
    page.keyboard.press("Enter")
    page.wait_for_selector("#o-old", state="attached")
    page.fill("#o-old", "a wrong one")
    page.fill("#o-new", PASSWORD)
    page.keyboard.press("Enter")
    with page.expect_request("**/api/v1/operations/password"):
        for route in held:
            route.continue_()
    page.context.close()


def test_figures_that_come_later_do_not_take_the_place_of_a_link(screen: Screen) -> None:
    path, next_page = "/how/blackjack?set=decks%3D3", "**/how/blackjack/*"
    page = screen.page
    figures = hold(page, "**/api/v1/lab/figures")
    pages = hold(page, next_page)
    page.goto(path)
    expect(page.locator("#odds[data-pending]")).to_be_attached()
    page.click(".how-nav a >> nth=1", no_wait_after=True)
    until(page, lambda: (len(figures), len(pages)) == (1, 1))
    with page.expect_request(lambda request: request.url.endswith(path)):  # the page asks for its parts again
        figures[0].continue_()
    pages[0].continue_()
    page.wait_for_url(next_page)


def test_a_page_that_is_made_anew_waits_for_a_link_that_was_followed(
    hall: CardRoom, browser: Browser
) -> None:
    """The lobby makes itself anew after a draw."""
    page = open_screen(browser, hall).page
    page.goto("/")
    pages = hold(page, "**/fairness")
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.evaluate(
        """() => {
          const module = document.querySelector("meta[name=assets]").content + "js/anew.js";
          addEventListener("beforeunload", () => setTimeout(async () => {
            (await import(module)).reload();
            console.log("asked to reload");
          }));
        }"""
    )
    page.click(".foot a >> text=Fairness", no_wait_after=True)
    until(page, lambda: pages and said)
    pages[0].continue_()
    page.wait_for_url("**/fairness")
    page.context.close()
