"""The self-serve terminal: choices that survive a reload, advice, and what is true at this hour."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from playwright.sync_api import Route, expect

from cardroom.core.cards import Card, format_cards, parse_cards
from cardroom.lottery.sales import reprint
from tests.databases import HandClock
from tests.web.conftest import CardRoom, Screen
from tests.web.lottery_hall import API, wait_for
from tests.web.test_knockout21_buying import choice_of, turn


def test_an_order_that_is_not_bought_yet_survives_a_reload(at_terminal: Screen) -> None:
    page = at_terminal.page
    page.locator("#t-tickets button").nth(2).click()
    page.locator("#t-first button").nth(1).click()
    page.locator("#t-draws button").nth(1).click()
    expect(page.locator("#t-buy")).to_have_text("Buy for $30")
    chosen = page.locator("#t-first button[aria-pressed='true']").inner_text()
    page.reload()
    expect(page.locator("#t-buy")).to_have_text("Buy for $30")
    expect(page.locator("#t-first button[aria-pressed='true']")).to_have_text(chosen)


@pytest.mark.clause("KO21-2.6")
def test_choices_on_their_way_to_the_server_survive_a_reload(at_terminal: Screen) -> None:
    """Loaded anew before the server has them: they are sent again, and the purchase has them."""
    page = at_terminal.page
    page.click("#t-buy")

    lost: list[Route] = []

    def lose_the_first(route: Route) -> None:
        """It never reaches the server; those after it do (`unroute` would let it go on its way)."""
        if lost:
            route.continue_()
        else:
            lost.append(route)

    page.route("**/choices", lose_the_first)
    word = turn(page, 14)
    expect(page.locator("#t-kept")).to_have_text("Keeping your choices…")
    page.reload()
    assert choice_of(page, 14) == word
    expect(page.locator("#t-kept")).to_have_text("Your choices are kept with the purchase.")
    page.evaluate("sessionStorage.clear()")
    page.reload()
    assert choice_of(page, 14) == word


@pytest.mark.clause("KO21-2.7")
def test_changes_that_are_not_altered_yet_survive_a_reload(at_terminal: Screen) -> None:
    page = at_terminal.page
    page.click("#t-buy")
    page.click("#t-final")
    page.wait_for_url("**/tickets/**")
    word = turn(page, 14)
    page.reload()
    assert choice_of(page, 14) == word
    page.click("#k-alter")
    expect(page.locator("#ticket")).to_contain_text("print 2")
    assert choice_of(page, 14) == word
    expect(page.locator("#k-alter")).to_have_count(0)


@pytest.mark.clause("KO21-2.6")
def test_nothing_is_called_a_print_before_the_choices_are_final(at_terminal: Screen) -> None:
    page = at_terminal.page
    page.click("#t-buy")
    expect(page.locator("#t-choose")).to_be_visible()
    expect(page.locator("#t-final")).to_have_text("Make the choices final")
    expect(page.locator("#t-choose")).to_contain_text("the ticket is printed once they are final")
    buttons = page.locator("button, a", has_text="rint").all_inner_texts()
    assert buttons == []


@pytest.mark.clause("KO21-1.2", "KO21-5.2")
def test_advice_and_soft_totals_are_shown(
    at_terminal: Screen, hall: CardRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hands laid by hand: an ace and a six are a soft 17, which the chart lets stand against a 7 alone."""
    hands = format_cards(parse_cards("Ah6c" * 15))

    def laid(_key: bytes, count: int) -> tuple[Card, ...]:
        return parse_cards(hands)[:count]

    monkeypatch.setattr("cardroom.lottery.sales.ticket_cards", laid)
    page, room = at_terminal.page, hall.house.lottery
    assert room is not None
    page.click("#t-buy")
    first_cards = parse_cards(room.window[0].first_cards or "")
    for number, first in enumerate(first_cards):
        box = page.locator(f".t-hand[data-position='{4 + number}']")
        expect(box.locator(".tiny").first).to_have_text("soft 17")
        expect(box.locator(".tiny").nth(1)).to_have_text(f"dealer {first.text[0].replace('T', '10')}")
        expect(box).to_contain_text("advice: stand" if first.value == 7 else "advice: hit")
    expect(page.locator(".t-hand[data-position='14']")).to_contain_text("advice: hit")  # Game 3: A/6 hits
    expect(page.locator(".t-hand[data-position='0']")).to_contain_text("soft 17")
    assert page.locator(".t-hand[data-position='0']", has_text="advice").count() == 0  # Game 1 plays itself


@pytest.mark.clause("KO21-2.9")
def test_the_hour_until_which_an_advance_ticket_is_altered_is_shown_and_printed(
    at_terminal: Screen, hall: CardRoom, clock: HandClock
) -> None:
    """At 22:55: tickets of tomorrow. The next draw's are altered until the close, the others' until 2:00."""
    page, room = at_terminal.page, hall.house.lottery
    assert room is not None
    expect(page.locator("#t-advance")).to_be_empty()
    clock.moment = datetime(2025, 6, 15, 5, 55, tzinfo=UTC)
    wait_for(lambda: bool(room.window) and room.window[0].day == "2025-06-15")
    page.reload()
    first, second, _ = (draw.number for draw in room.window)
    expect(page.locator("#t-first button").first).to_have_text(f"{first} · 06-15 11:21")
    expect(page.locator("#t-advance")).to_be_empty()
    page.locator("#t-draws button").nth(1).click()
    expect(page.locator("#t-advance p")).to_have_text(
        [f"A ticket for draw {second}, bought now, may be altered until 02:00 Pacific time."]
    )
    page.click("#t-buy")
    page.click("#t-final")
    page.wait_for_url("**/knockout-21")
    own = page.locator("#t-own li")
    expect(own).to_have_count(2)
    expect(own.nth(0)).to_contain_text("may be altered once until 2025-06-15 11:20:30")
    expect(own.nth(1)).to_contain_text("may be altered once until 2025-06-15 02:00:00")
    own.nth(1).locator(".btn").click()
    page.wait_for_url("**/tickets/**")
    expect(page.locator(".note")).to_contain_text("until 2025-06-15 02:00:00 Pacific.")
    expect(page.locator(".note")).to_contain_text("bought in advance for the next draw day")
    line = "Advance ticket: may be altered until 2025-06-15 02:00 PDT"
    paper = page.request.get(page.locator("#k-paper").get_attribute("href") or "").body()
    assert line.encode() in paper
    tickets = page.request.get(f"{API}/tickets").json()["tickets"]
    printed = {one["draw"]: reprint(room.lottery, one["id"]) for one in tickets}
    assert line in printed[second].lines()
    assert not [one for one in printed[first].lines() if "Advance" in one]
    page.locator(".t-hand[data-position='14'] button[aria-pressed='false']").click()
    page.click("#k-alter")
    expect(page.locator("#ticket")).to_contain_text("print 2")
    altered = reprint(room.lottery, printed[second].id)
    assert not [one for one in altered.lines() if "Advance" in one]  # it is altered once and only once
