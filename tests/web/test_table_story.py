"""A table tells its story: what became of each wager where it lies, then one sentence."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from cardroom.core.cards import Card
from tests.web.conftest import CardRoom, Screen, open_screen, quick_settings, start
from tests.web.fitting import CUT_OFF, fits, lies_apart, tap
from tests.web.laid_shoes import lay_shoe
from tests.web.pictures import picture
from tests.web.shoes import (
    is_blackjack_against_5,
    is_hard_20_against_6,
    is_insured_blackjack,
    is_one_unsuited_match_on_19,
    number_for,
)
from tests.web.test_table_page import arrive, own_table, play_out, without_late_presses

SPOT = ".b-spot[data-spot='4']"
PUBLIC = {"blackjack": "linden", "players-edge-21": "rowan"}


@contextmanager
def table_with(
    folder: Path,
    browser: Browser,
    game: str,
    wanted: Callable[[Sequence[Card]], bool],
    size: tuple[int, int] = (1280, 900),
) -> Iterator[Page]:
    """A table of one's own whose first cards are known."""
    room = start(quick_settings(folder, repeatable=number_for(game, wanted)))
    screen = open_screen(browser, room, width=size[0], height=size[1])
    own_table(screen.page, PUBLIC[game])
    yield screen.page
    picture(screen.page, f"story-{wanted.__name__}-{size[0]}")
    assert screen.troubles == []
    screen.page.context.close()
    room.stop()


def turn(page: Page, action: str) -> None:
    page.locator(f"[data-action='{action}']:not([disabled])").click()


@pytest.mark.clause("PROC-14")
@pytest.mark.parametrize("size", [(1280, 900), (360, 640)], ids=["desktop", "phone"])
def test_every_wager_resolves_where_it_lies_and_the_ribbon_says_the_sum(
    tmp_path: Path, browser: Browser, size: tuple[int, int]
) -> None:
    """$5 on Match Up at 4 to 1: $20 for one unsuited match, said on its own place before the hand is over."""
    with table_with(tmp_path, browser, "players-edge-21", is_one_unsuited_match_on_19, size) as page:
        page.click(f"{SPOT} .b-circle")
        page.click(f"{SPOT} [data-wager='match-up']")
        expect(page.locator("#b-told")).to_contain_text("Match Up $5.00")
        page.click("#b-deal")
        expect(page.locator("[data-action='stand']")).to_be_enabled()
        side = page.locator(f"{SPOT} [data-wager='match-up']")
        expect(side).to_contain_text("Match Up, one unsuited, +$20")
        expect(page.locator("[data-purse=net]")).to_have_text("+$20")  # the stake in play is no loss
        page.keyboard.press("s")
        expect(page.locator("#b-last a")).to_be_visible()
        hand = page.inner_text(f"{SPOT} .b-total").rpartition(" ")[2]
        net = {"+$5": "You won $25", "push": "You won $20", "−$5": "You won $15"}[hand]
        expect(page.locator("#b-phase")).to_have_text(net)
        ground = "one => getComputedStyle(one).backgroundColor"
        light = side.evaluate(ground)
        side.hover()  # where whoever pressed it last may have left the pointer, or a finger
        assert side.evaluate(ground) == light, "dark letters of a bet that won stand on its light ground"
        if hand == "+$5":
            paid, stake = (
                page.locator(f"{SPOT} .b-circle .b-chipstack").nth(place).bounding_box() for place in (1, 0)
            )
            assert paid is not None
            assert stake is not None
            assert paid["x"] >= stake["x"] + stake["width"]  # beside the wager, not on it
        page.click(f"{SPOT} .b-circle")  # the next wager
        expect(page.locator(f"{SPOT} .card")).to_have_count(0)
        expect(page.locator("#b-phase")).not_to_contain_text("You won")
        page.click("#b-last a")  # the page to share tells it alike
        expect(page.locator("#r-phase.result")).to_have_text(net)
        expect(side).to_contain_text("Match Up, one unsuited, +$20")


@pytest.mark.clause("21-1.6")
def test_a_surrender_is_asked_for_once_and_a_setting_turns_the_question_off(
    tmp_path: Path, browser: Browser
) -> None:
    with table_with(tmp_path, browser, "players-edge-21", is_hard_20_against_6) as page:
        page.click(f"{SPOT} .b-circle")
        page.click("#b-deal")
        turn(page, "surrender")
        ask, bar = page.locator("#b-ask"), page.locator(".b-bar")
        expect(ask).to_contain_text("Surrender gives up $2.50 and ends the hand.")
        (over, under) = ask.bounding_box(), bar.bounding_box()
        assert over is not None
        assert under is not None
        assert over["y"] + over["height"] < under["y"]  # a second click on the button meets nothing
        page.keyboard.press("Escape")
        expect(page.locator("[data-action='hit']")).to_be_enabled()  # the hand goes on
        turn(page, "surrender")
        page.check("#b-ask-no-more")
        page.click("#b-ask-yes")
        expect(page.locator("#b-phase")).to_have_text("You lost $2.50")
        expect(page.locator("#b-ask-setting")).not_to_be_checked()
        page.keyboard.press("a")
        expect(page.locator("#b-deal")).to_be_enabled()
        page.check("#b-ask-setting")
        assert page.evaluate("localStorage.getItem('ask-before-giving-up')") == "on"


@pytest.mark.clause("21-1.7")
@pytest.mark.clause("PROC-14")
def test_insurance_up_to_half_by_the_slider(tmp_path: Path, browser: Browser) -> None:
    """$5 wagered, $1 insured: the blackjack takes the hand and pays 2 to 1 on the insurance."""
    with table_with(tmp_path, browser, "players-edge-21", is_insured_blackjack) as page:
        page.click(f"{SPOT} .b-circle")
        page.click("#b-deal")
        expect(page.locator("[data-action='insure']")).to_be_enabled()
        expect(page.locator("#b-insure-words")).to_have_text("$2.50 of $2.50")
        page.locator("#b-insure-amount").focus()
        page.keyboard.press("Home")
        expect(page.locator("#b-insure-words")).to_have_text("$1 of $2.50")
        turn(page, "insure")
        insured = page.locator(f"{SPOT} .b-insured")
        expect(insured).to_contain_text("Insurance, ")
        won = 5 if "suited" in insured.inner_text() else 2
        expect(page.locator("#b-phase")).to_have_text("You broke even" if won == 5 else "You lost $3")
        staked, paid = (insured.locator(".b-chipstack").nth(place).bounding_box() for place in (0, 1))
        assert staked is not None
        assert paid is not None
        assert paid["x"] >= staked["x"] + staked["width"]  # beside the insurance, in its place


def test_a_blackjack_has_its_moment_and_nothing_moves_for_who_asks_for_no_motion(
    tmp_path: Path, browser: Browser
) -> None:
    with table_with(tmp_path, browser, "blackjack", is_blackjack_against_5) as page:
        page.click(f"{SPOT} .b-circle")
        page.click("#b-deal")
        expect(page.locator("#b-phase")).to_have_text("You won $6")  # 3 to 2 on $4
        expect(page.locator(".b-felt")).to_have_attribute("data-moment", "Hand, blackjack, +$6")
        expect(page.locator(f"{SPOT} .b-hand.award")).to_be_visible()
        assert page.evaluate("document.getAnimations().length") == 0
        page.set_viewport_size({"width": 360, "height": 640})
        assert page.evaluate(CUT_OFF) == []  # in the strip of the spots, too


@pytest.mark.clause("PE21-13")
def test_the_best_of_all_hands_has_room_for_all_that_it_won(
    tmp_path: Path, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three sevens of diamonds against a seven with every side bet: five sentences, in a laptop's window."""
    lay_shoe(monkeypatch, "7d7h7d5c7d")
    room = start(quick_settings(tmp_path))
    screen = open_screen(browser, room, width=1280, height=800)
    page = screen.page
    page.goto("/tables/rowan")
    page.click(f"{SPOT} .b-circle")
    for bet in page.locator(f"{SPOT} .b-sidebet").all():
        bet.click()
    page.click("#b-deal")
    turn(page, "hit")
    expect(page.locator(f"{SPOT} .b-tags")).to_contain_text("Super Bonus, +$1,000")
    expect(page.locator(f"{SPOT} .b-tags li:visible")).to_have_count(5)
    felt = page.locator(".b-felt").bounding_box()
    assert felt is not None
    rim = 9
    for words in page.locator(f"{SPOT} .b-tags li:visible").all():
        box = words.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= felt["y"] + felt["height"] - rim, words.inner_text()
    lies_apart(page, "super bonus")
    for width, height in ((390, 844), (360, 640)):
        page.set_viewport_size({"width": width, "height": height})
        fits(page, "super-bonus")
    assert screen.troubles == []
    page.context.close()
    room.stop()


def test_a_coach_who_is_not_ready_says_so_and_counts_the_choice_later(
    tmp_path: Path, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Twenty against a six, hit: nobody waits for the verdict, and the account has the mistake."""
    lay_shoe(monkeypatch, "Ks6hQd6c5d9h")
    room = start(quick_settings(tmp_path, verdict_seconds=0.0))
    screen = open_screen(browser, room, width=360, height=640)
    page = screen.page
    page.goto("/tables/rowan")
    page.check("#b-coach")
    page.evaluate("scrollTo(0, 0)")
    page.click(f"{SPOT} .b-circle")
    page.click("#b-deal")
    turn(page, "hit")
    expect(page.locator("#b-verdict")).to_have_text("Spot 4: the coach was not ready; it counts this below.")
    expect(page.locator("#b-account")).to_contain_text("Mistakes (1 of 1 decisions)")
    page.evaluate("scrollTo(0, 0)")
    fits(page, "coach-not-ready")
    assert screen.troubles == []
    page.context.close()
    room.stop()


MOMENT = """async (outcome) => {
  const assets = document.querySelector('meta[name=assets]').content;
  const { notice } = await import(assets + 'js/table/moments.js');
  const before = JSON.parse(document.querySelector('#table').dataset.state);
  const hand = { cards: [], total: '21' };
  const round = { dealer: [], spots: [{ number: 4, you: true, hands: [hand], outcomes: [outcome] }] };
  notice(before, { ...before, round });
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const felt = document.querySelector('.b-felt');
  return [felt.dataset.moment ?? null, felt.classList.contains('moment')];
}"""


def outcome(**changes: object) -> dict[str, Any]:
    plain = {"spot": 4, "wager": "primary", "title": "Hand", "hand": 1, "line": "higher total"}
    return {**plain, "result": "won", "stake_cents": 500, "net_cents": 500, "words": "Hand, +$5", **changes}


def test_a_super_bonus_has_its_moment_and_a_plain_win_has_none(screen: Screen) -> None:
    page = screen.page
    arrive(page, "/tables/rowan")
    assert page.evaluate(MOMENT, outcome()) == [None, False]
    lost = outcome(result="lost", net_cents=-500, line="bust")
    assert page.evaluate(MOMENT, lost) == [None, False]
    bonus = outcome(
        wager="super-bonus", stake_cents=0, net_cents=100_000, line="", words="Super Bonus, +$1,000"
    )
    assert page.evaluate(MOMENT, bonus) == ["Super Bonus, +$1,000", True]


def test_no_sound_until_it_is_asked_for(screen: Screen) -> None:
    page = screen.page
    page.add_init_script(
        """window.made = 0;
        const Real = window.AudioContext;
        window.AudioContext = class extends Real { constructor() { super(); window.made += 1; } };"""
    )
    own_table(page, "linden")
    page.keyboard.press("Digit4")
    expect(page.locator("#b-deal")).to_be_enabled()
    page.keyboard.press("Space")
    play_out(page)
    screen.troubles[:] = without_late_presses(screen.troubles)
    assert page.evaluate("window.made") == 0
    page.check("#b-sound")
    assert page.evaluate("window.made") == 1
    page.keyboard.press("a")  # the tick has not taken the keys
    expect(page.locator("#b-deal")).to_be_enabled()
    page.uncheck("#b-sound")


def test_a_table_with_one_wager_says_why(screen: Screen) -> None:
    arrive(screen.page, "/tables/linden")
    expect(screen.page.locator("#b-phase")).to_contain_text(
        "Put $4 on a spot. The house takes no other wager here"
    )


def test_a_newcomer_from_the_lobby_to_a_first_finished_hand(tmp_path: Path, browser: Browser) -> None:
    """Five clicks at most, and never a scroll, on a small phone."""
    number = number_for("blackjack", is_hard_20_against_6, private=False)
    room = start(quick_settings(tmp_path, repeatable=number))
    screen = open_screen(browser, room, width=360, height=640)
    page = screen.page
    page.goto("/")
    clicks = ["[data-game='blackjack'] .btn.main", f"{SPOT} .b-circle", "#b-deal", "[data-action='stand']"]
    for selector in clicks:
        tap(page.locator(selector))
    expect(page.locator("#b-phase.result")).to_contain_text("You ")
    expect(page.locator(".b-dealer .card").first).to_be_in_viewport(ratio=1)
    expect(page.locator("#b-phase")).to_be_in_viewport(ratio=1)
    assert len(clicks) <= 5
    assert page.evaluate("scrollY") == 0
    picture(page, "newcomer-360")
    assert screen.troubles == []
    page.context.close()
    room.stop()


@pytest.mark.clause("PROC-6")
def test_a_player_cuts_by_the_slider_of_the_cut_card(room: CardRoom, screen: Screen) -> None:
    page = screen.page
    own_table(page, "rowan")
    page.click(f"{SPOT} .b-circle")
    expect(page.locator("#b-cut-now")).to_be_enabled()
    page.locator("#b-cut-depth").focus()
    page.keyboard.press("Home")
    least = page.input_value("#b-cut-depth")
    page.select_option("#b-cut-end", "front")
    expect(page.locator("#b-cut-words")).to_have_text(f"{least} cards from the front")
    page.click("#b-cut-now")
    expect(page.locator("#b-cut-now")).to_be_disabled()
    expect(page.locator("#b-cut")).to_contain_text(f"cuts {least} cards from the front")
    assert "house" not in page.inner_text("#b-cut")


def test_a_table_of_ones_own_has_any_option_company_and_a_speed(screen: Screen) -> None:
    page = screen.page
    page.goto("/tables/linden")
    page.click("#b-own")
    page.fill("#b-own-computers", "2")
    page.select_option("#b-own-speed", "fast")
    page.click("#b-own-options summary >> nth=0")
    page.select_option("[id='own-decks']", "2")
    page.click("#b-own-shelf summary")
    page.check("#b-own-shelf input[value='perfect-pairs']")
    page.click("#b-own-open")
    page.wait_for_url(lambda url: not url.endswith("linden"))
    expect(page.locator(".b-sub")).to_contain_text("2 decks")
    expect(page.locator(".b-who", has_text="free")).to_have_count(5)
    expect(page.locator(f"{SPOT} .b-sidebet")).to_have_text(
        [re.compile("^21\\+3"), re.compile("^Match the Dealer"), re.compile("^Perfect Pairs")]
    )
