"""What the lab answers beside the edge: a hand, a cell, a comparison, any wager, a sheet as it is made."""

from __future__ import annotations

import json
import re

import httpx2 as httpx
import pytest
from playwright.sync_api import Page, Route, expect

from cardroom.core.cards import parse_cards
from cardroom.exact.sidebets import side_bet_figures
from cardroom.exact.twentyone import parse_shoe, solve
from cardroom.lab.hands import hand_values
from tests.tables import rules_of
from tests.web.conftest import CardRoom, Screen

LAB = "/api/v1/lab"


def test_one_hand_with_cards_removed(room: CardRoom) -> None:
    """Against the solution of that very shoe, given card by card: one deck without its eights and a nine."""
    guest = room.client()
    asked = {"game": "blackjack", "options": {"decks": 1}, "cards": "T6", "up_card": "9"}
    answer = guest.post(f"{LAB}/hand", json={**asked, "removed": "8888 9h"}).json()
    shoe = parse_shoe("A:4,2:4,3:4,4:4,5:4,6:4,7:4,9c:1,9d:1,9s:1,T:16")
    rules = rules_of("blackjack", {"decks": 1})
    values = hand_values(solve(rules, "composition", shoe=shoe), "T6", "9")
    assert answer["cards_in_shoe"] == 47
    assert answer["best"] == str(values.values[0][0])
    assert [one["action"] for one in answer["actions"]] == [str(action) for action, _ in values.values]
    for one, (_, value) in zip(answer["actions"], values.values, strict=True):
        assert one["expected_value"]["decimal"] == pytest.approx(float(value))
    for wrong, words in (
        ({"cards": "Tx"}, "not a card"),
        ({"removed": "88888"}, "no 8 left"),
        ({"up_card": "TT"}, "one card"),
        ({"game": "knockout-52", "options": {}}, "blackjack family"),
    ):
        refused = guest.post(f"{LAB}/hand", json={**asked, **wrong})
        assert refused.status_code == 400
        assert words in refused.json()["error"]["message"]


def test_the_edge_of_any_wager(room: CardRoom) -> None:
    guest = room.client()
    rules = rules_of("blackjack")
    asked = {"game": "blackjack", "which": "21+3"}
    answer = guest.post(f"{LAB}/edge", json=asked).json()
    assert answer["title"] == "21+3"
    exact = side_bet_figures(rules, "21+3", stake_cents=100)
    assert answer["house_edge_percent"] == pytest.approx(exact.house_edge_percent)
    refused = guest.post(f"{LAB}/edge", json={**asked, "which": "nonsense"})
    assert refused.status_code == 400
    assert "primary" in refused.json()["error"]["message"]


def chart_is_there(page: Page) -> None:
    expect(page.locator("#l-chart caption").first).to_have_text("Hard hands")


def test_a_hand_is_tapped(screen: Screen) -> None:
    page = screen.page
    page.goto("/lab?game=blackjack")
    chart_is_there(page)
    for rank in ("T", "6"):
        page.click(f"#l-ranks button:text-is('{rank}')")
    page.click("#l-ranks button:text-is('9')")  # after two cards of yours the dealer's is next
    best = page.locator("#l-hand-values tr.best")
    values = solve(rules_of("blackjack"), "composition").action_values(
        parse_cards("Tc6d"), parse_cards("9h")[0]
    )
    name = str(max(values, key=lambda action: values[action]))
    expect(best).to_contain_text(name)
    expect(page.locator("#l-hand-values h3")).to_have_text("T6, hard 16, against 9")
    before = best.inner_text()
    page.fill("#l-hand-removed", "TTTTTTTTTT")  # computed by itself
    expect(page.locator("#l-hand-values")).to_contain_text("from 302 cards")
    assert best.inner_text() != before
    page.fill("#l-hand-cards", "Tx")
    page.keyboard.press("Enter")
    expect(page.locator("#l-hand-values [role=alert]")).to_contain_text("is not a card")
    page.click("#l-hand-clear")
    for key in ("6", "♥", "♣", "7", "♣"):  # another suit takes the place of the one before
        page.click(f"#l-hand button:text-is('{key}')")
    expect(page.locator("#l-hand-cards")).to_have_value("6c7c")
    page.click("#l-hand-clear")
    expect(page.locator("#l-hand-values")).to_be_empty()
    screen.troubles[:] = [line for line in screen.troubles if "400" not in line]


def test_court_cards_are_tapped_which_any_ten_does_not_tell_apart(screen: Screen) -> None:
    page = screen.page
    page.goto("/lab?game=spanish-21")
    for key in ("K", "♥", "Q", "♣", "T"):
        page.click(f"#l-hand button:text-is('{key}')")
    expect(page.locator("#l-hand-cards")).to_have_value("KhQc")
    expect(page.locator("#l-hand-up")).to_have_value("T")


def test_a_cell_opens_its_values_and_hands_and_closes_by_key(screen: Screen) -> None:
    page = screen.page
    page.goto("/lab?game=blackjack")
    chart_is_there(page)
    cell = page.locator("#l-chart button[aria-label^='hard 12 against 3']")
    cell.focus()
    page.keyboard.press("Enter")
    box = page.locator("#l-cell")
    expect(box.locator("h3")).to_have_text("hard 12 against 3")
    for hand in ("2T", "39", "48", "57"):  # its hands of two cards; 6-6 is a pair
        expect(box.locator("tbody").last.locator(f"tr:has(td:text-is('{hand}'))")).to_have_count(1)
    expect(box.locator("tr.best")).to_contain_text("hit")
    page.keyboard.press("Escape")
    expect(box).to_be_hidden()
    expect(cell).to_be_focused()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#l-chart button[aria-label^='hard 12 against 2']")).to_be_focused()


def test_cells_that_differ_from_other_rules_are_marked(screen: Screen) -> None:
    """A late surrender is a choice of the first two cards alone: exactly the cells that take it differ."""
    page = screen.page
    page.goto("/lab?game=blackjack")
    chart_is_there(page)
    expect(page.locator("#l-wagers tbody tr")).to_have_count(4)
    page.click("#l-pin")
    expect(page.locator("#l-differ")).to_contain_text("0 cells differ")
    page.select_option("#o-surrender", json.dumps("late"))
    marked = page.locator("#l-chart td.l-differs")
    expect(page.locator("#l-chart td.l-R").first).to_be_visible()
    assert marked.count() == page.locator("#l-chart td.l-R.l-differs").count()
    assert marked.count() == page.locator("#l-chart td.l-R").count()
    expect(page.locator("#l-differ")).to_contain_text(f"{marked.count()} cells differ")
    ten = page.locator("#l-chart button[aria-label^='hard 16 against T: R']")
    expect(ten).to_have_attribute("aria-label", re.compile(r"T: R[hs]; compared with hard 16: H$"))
    expect(page.locator("#l-wagers tbody tr")).to_have_count(4)
    page.click("text=Stop comparing")
    expect(marked).to_have_count(0)


def test_the_chosen_wager_stands_in_the_headline_and_in_what_rules_are_worth(screen: Screen) -> None:
    page = screen.page
    page.goto("/lab?game=knockout-52")
    expect(page.locator("#l-wagers tbody tr")).to_have_count(5)
    page.select_option("#l-which", "round-2")
    expect(page.locator("#l-edge-words")).to_contain_text("on Round 2, exact")
    line = page.locator("#l-wagers tbody tr", has_text="Round 2")
    expect(line).to_contain_text(page.locator("#l-edge").inner_text())
    expect(page.locator("#l-sensitivity")).to_contain_text("On Round 2")
    expect(page.locator("#l-distribution")).to_contain_text("Round 2")
    assert "which=round-2" in page.url
    page.reload()
    expect(page.locator("#l-edge-words")).to_contain_text("on Round 2, exact")


def test_whom_each_option_favours_is_said(screen: Screen) -> None:
    page = screen.page
    page.goto("/lab?game=knockout-52")
    control = page.locator(".l-control", has=page.locator("#o-decks"))
    expect(control).to_contain_text("from 1 to 8 favours the player")
    bar = page.locator("#l-sensitivity .l-bar", has_text="8 decks")
    expect(bar).to_contain_text("favours the player")


def test_a_request_that_failed_is_tried_again(screen: Screen) -> None:
    page, failed = screen.page, list[str]()

    def fail_once(route: Route) -> None:
        if route.request.url in failed:
            route.continue_()
        else:
            failed.append(route.request.url)
            route.abort()

    page.route("**/api/v1/lab/*", fail_once)
    page.goto("/lab?game=knockout-52")
    expect(page.locator("#l-wagers tbody tr")).to_have_count(5)
    expect(page.locator("#l-edge")).to_contain_text("%")
    page.select_option("#o-decks", "8")
    expect(page.locator("#l-diff")).to_contain_text("8 decks of 52 cards")
    expect(page.locator("#l-sizes")).not_to_be_empty()
    assert {url.rsplit("/", 1)[1] for url in failed} >= {"figures", "edge", "sizes", "rules"}
    screen.troubles[:] = [line for line in screen.troubles if "ERR_FAILED" not in line]


def test_figures_are_out_of_view_while_their_rules_are_asked_for(screen: Screen) -> None:
    """A control shows what the visitor chose at once; the figures of the rules before are then hidden."""
    page, held = screen.page, list[Route]()
    page.goto("/lab?game=knockout-52")
    expect(page.locator("#l-sensitivity .l-bar").first).to_be_visible()

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/api/v1/lab/rules", hold)
    page.select_option("#o-decks", "8")
    for name in ("#l-edge", "#l-wagers", "#l-sizes", "#l-distribution", "#l-sensitivity", "#l-par"):
        expect(page.locator(name)).to_be_hidden()
    page.select_option("#o-rounding", json.dumps("chip"))  # one change more, before the first is answered
    page.wait_for_function("() => document.querySelector('#lab').classList.contains('l-changing')")
    for route in reversed(held):  # answers in the wrong order
        route.continue_()
    expect(page.locator("#l-diff")).to_contain_text("8 decks of 52 cards")
    expect(page.locator("#l-diff")).to_contain_text("paid down to the chip")
    expect(page.locator("#o-decks")).to_have_value("8")
    expect(page.locator("#l-wagers")).to_be_visible()


def test_a_par_sheet_shows_how_far_it_is(room: CardRoom, screen: Screen) -> None:
    address = f"{room.url}{LAB}/par/knockout-52.json/progress?set=decks=6"
    with httpx.stream("GET", address, timeout=300) as stream:
        lines = list(stream.iter_lines())
    shares = [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith('data: {"share"')]
    assert "event: done" in lines
    assert [one["share"] for one in shares] == sorted(one["share"] for one in shares)
    page = screen.page
    page.goto("/lab?game=knockout-52&set=decks=2")
    expect(page.locator("#l-par a")).to_have_count(3)
    with page.expect_download(timeout=300_000) as download:
        page.click("#l-par a:text-is('JSON')")
    assert download.value.suggested_filename == "par-knockout-52.json"
    expect(page.locator("#l-par-progress")).to_be_hidden()
