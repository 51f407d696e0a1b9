"""A blackjack-family table in a real browser: by mouse, by keyboard, by two people, on a phone."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from cardroom.fair import verify_record
from tests.web.conftest import CardRoom, Screen, open_screen, quick_settings, start
from tests.web.fitting import fits
from tests.web.pictures import picture
from tests.web.shoes import first_cards, is_split_against_ace, number_for

CORNERS = """fan => (scrollTo(0, 0), [...fan.children].map((one) => {
  const box = one.getBoundingClientRect(), inside = 5;
  const corners = [[box.left + inside, box.top + inside], [box.right - inside, box.top + inside],
    [box.left + inside, box.bottom - inside], [box.right - inside, box.bottom - inside]];
  const seen = corners.filter(([x, y]) => one.contains(document.elementFromPoint(x, y))).length;
  return { card: one.dataset.card, left: box.left, seen };
}))"""
"""The cards of a fan from left to right as the page has them, with how many corners of each are seen.

A press that comes too early is tried again with the page scrolled; so it is scrolled back first.
"""
TITLES = {"blackjack": "linden", "spanish-21": "alder", "players-edge-21": "rowan"}


def arrive(page: Page, path: str) -> None:
    """Open the page of a table, and wait until its live states come.

    Frames are listened for from the moment that the line opens: the first may be there before a look at it.
    """
    frames: list[str | bytes] = []

    def keep(frame: str | bytes) -> None:
        frames.append(frame)

    page.once("websocket", lambda line: line.on("framereceived", keep))
    page.goto(path)
    while not frames:
        page.wait_for_timeout(10)


def own_table(page: Page, public: str) -> None:
    page.goto(f"/tables/{public}")
    page.click("#b-own")
    page.click("#b-own-open")
    page.wait_for_url(lambda url: not url.endswith(public))
    expect(page.locator("#b-shoe")).to_contain_text("cards left")


OFFERED = """() => document.querySelector(
  "[data-action='no insurance']:not([disabled]), [data-action='stand']:not([disabled])")?.dataset.action"""


def decline_or_stand(page: Page) -> None:
    """Press the key of what is offered, if anything is; a button that the next state takes away is not waited
    for."""
    offered = page.evaluate(OFFERED)
    if offered:
        page.keyboard.press("s" if offered == "stand" else "n")


def without_late_presses(troubles: list[str]) -> list[str]:
    """What went wrong on a page, but for presses that came when the table had moved on.

    On a busy machine that happens: such a press is refused (409), and nothing is lost.
    """
    return [line for line in troubles if "409" not in line]


def play_out(page: Page) -> None:
    """Take no insurance and stand on every hand until the result is told."""
    last, stand = page.locator("#b-last a"), page.locator("[data-action=stand]")
    deadline = time.monotonic() + 300
    while time.monotonic() < deadline:
        expect(last.or_(stand).first).to_be_visible()
        if last.count():
            return
        decline_or_stand(page)
        page.wait_for_timeout(30)
    raise AssertionError("the round does not end")


@pytest.mark.requirement("R-40")
@pytest.mark.clause("PROC-13")
@pytest.mark.parametrize(("game", "public"), TITLES.items())
def test_side_bet_insurance_split_and_double_by_mouse(
    tmp_path: Path, browser: Browser, game: str, public: str
) -> None:
    room = start(quick_settings(tmp_path, repeatable=number_for(game, is_split_against_ace)))
    screen = open_screen(browser, room)
    page = screen.page
    own_table(page, public)
    page.click(".b-spot[data-spot='4'] .b-circle")
    page.locator(".b-spot[data-spot='4'] .b-sidebet").first.click()
    expect(page.locator("#b-told")).to_contain_text("21+3" if game == "blackjack" else "Match")
    page.click("#b-deal")
    page.locator("[data-action^='insure']").click()
    page.click("[data-action='split']")
    expect(page.locator(".b-spot[data-spot='4'] .b-hand")).to_have_count(2)
    page.click("[data-action='double']")
    play_out(page)
    expect(page.locator("#b-last")).to_contain_text("You staked")
    expect(page.locator(".b-hand")).to_have_count(2)  # the result stays on view
    expect(page.locator(".b-hand .sideways").first).to_be_visible()
    page.evaluate("scrollTo(0, 0)")
    stacks = page.locator(".b-hand").first.locator(".b-stakes .b-chipstack")
    original, double = (stacks.nth(place).bounding_box() for place in (0, 1))
    assert original is not None
    assert double is not None
    assert double["x"] >= original["x"] + original["width"]  # beside the original, above its own hand
    lowest = page.locator(".b-hand").first.locator(".b-total").bounding_box()
    assert lowest is not None
    assert original["y"] + original["height"] < lowest["y"]
    for hand in page.locator(".b-fan").all():
        assert (
            min(one["seen"] for one in hand.evaluate(CORNERS)) >= 3
        )  # a sideways card hides no more (PROC-17)
    picture(page, f"table-{game}", full_page=True)
    page.click("#b-last a")
    page.wait_for_url("**/rounds/**")
    page.click("#r-first")
    expect(page.locator("#r-dealer .card")).to_have_count(0)
    page.click("#r-last")
    expect(page.locator("#r-dealer .card").first).to_be_visible()
    assert without_late_presses(screen.troubles) == []
    page.context.close()
    room.stop()


def test_a_round_by_keyboard_alone_with_advice_coach_and_proof(tmp_path: Path, browser: Browser) -> None:
    number = number_for("players-edge-21", is_split_against_ace)
    room = start(quick_settings(tmp_path, repeatable=number, decision_seconds=600.0, verdict_seconds=60.0))
    screen = open_screen(browser, room)
    page = screen.page
    own_table(page, "rowan")
    page.locator("#b-coach").focus()
    page.keyboard.press("Space")
    page.locator("#b-coach").evaluate("box => box.blur()")
    page.keyboard.press("Digit2")
    expect(page.locator("#b-deal")).to_be_enabled()
    page.keyboard.press("Space")
    expect(page.locator("[data-action='no insurance']")).to_be_enabled()
    page.keyboard.press("n")
    expect(page.locator("[data-action='stand']")).to_be_enabled()
    page.keyboard.press("v")
    expect(page.locator("#b-actions .btn.best")).to_contain_text("best")
    page.keyboard.press("s")
    expect(page.locator("#b-verdict")).to_contain_text("average")  # standing on a small pair is a mistake
    play_out(page)
    expect(page.locator("#b-account")).to_contain_text("Luck")
    page.click("#b-renew")
    page.click("#b-check")
    expect(page.locator("#b-proof li")).to_have_count(3)
    assert page.locator("#b-proof li.bad").count() == 0
    page.click("#b-last a")
    page.wait_for_url("**/rounds/**")
    page.click("#r-check")
    expect(page.locator("#r-proof li")).to_have_text(
        [
            "The revealed secret opens the seal",
            re.compile("^The secret deals the [0-9]+ cards? shown, in order$"),
            "This round is in the shoe's record, word for word",
        ]
    )
    assert page.locator("#r-proof li.bad").count() == 0
    with page.expect_download() as saved:
        page.click("#r-save")
    assert verify_record(Path(saved.value.path()).read_text()).findings == ()
    assert without_late_presses(screen.troubles) == []
    page.context.close()
    room.stop()


def test_advice_on_a_phone_is_in_money_for_split_and_doubled_hands_and_fits(
    tmp_path: Path, any_fonts: Browser
) -> None:
    room = start(quick_settings(tmp_path, repeatable=number_for("players-edge-21", is_split_against_ace)))
    screen = open_screen(any_fonts, room, width=360, height=800)
    page = screen.page
    own_table(page, "rowan")
    page.click(".b-spot[data-spot='4'] .b-circle")
    page.click("#b-deal")
    page.click("[data-action='no insurance']")
    for action in ("split", "double", "stand"):
        page.locator(f"[data-action='{action}']:not([disabled])").wait_for()
        page.click("#b-advice")
        expect(page.locator("#b-actions .btn.best")).to_have_count(1)
        buttons = page.locator(".b-moves .btn:not([disabled], #b-advice)")
        for text in buttons.all_inner_texts():
            assert re.search(r"[+−](\$\d+\.\d\d|\d+¢|\d\.\d¢)$|0¢$", text), text
        fits(page, f"table-advice-{action}")
        said = page.inner_text("#b-phase")
        page.click(f"[data-action='{action}']")
        expect(page.locator("#b-phase")).not_to_have_text(said)  # the buttons are those of the new state
    play_out(page)
    page.click("#b-last a")
    page.wait_for_url("**/rounds/**")
    expect(page.locator("#r-dealer .card").first).to_be_visible()
    fits(page, "round")
    assert without_late_presses(screen.troubles) == []
    page.context.close()
    room.stop()


def test_two_people_at_one_table_and_one_who_comes_back(room: CardRoom, browser: Browser) -> None:
    ann, bob = open_screen(browser, room), open_screen(browser, room, width=390, height=800)
    own_table(ann.page, "rowan")
    bob.page.goto(ann.page.url)
    ann.page.click(".b-spot[data-spot='1'] .b-circle")
    expect(bob.page.locator(".b-spot[data-spot='1'] .b-circle")).to_be_disabled()
    bob.page.click("[data-strip='2']")  # on a phone one spot lies in front
    bob.page.click(".b-spot[data-spot='2'] .b-circle")
    expect(ann.page.locator(".b-spot[data-spot='2'] .b-circle")).to_have_text("$5")
    ann.page.click("#b-deal")
    bob.page.click("#b-deal")
    expect(ann.page.locator(".b-hand")).to_have_count(2)
    bob.page.reload()  # a broken connection: the hand is there again
    expect(bob.page.locator(".b-hand")).to_have_count(2)
    deadline = time.monotonic() + 300
    while True:
        assert time.monotonic() < deadline, "the round does not end"
        done = [one.page.locator("#b-last a").count() for one in (ann, bob)]
        if all(done):
            break
        for one in (ann, bob):
            decline_or_stand(one.page)
        ann.page.wait_for_timeout(40)
    for one in (ann, bob):
        expect(one.page.locator("#b-last")).to_contain_text("You staked $5")
        assert without_late_presses(one.troubles) == []
        one.page.context.close()


def corners(fan: Locator) -> list[dict[str, Any]]:
    """The cards of a hand with how many corners of each are seen, as soon as they lie still."""
    fan.page.wait_for_function(
        f"fan => Math.min(...({CORNERS})(fan).map((one) => one.seen)) >= 3", arg=fan.element_handle()
    )
    lying: list[dict[str, Any]] = fan.evaluate(CORNERS)
    return lying


@pytest.mark.clause("PROC-17")
@pytest.mark.parametrize("width", [1280, 390])
def test_cards_lie_from_right_to_left_and_three_corners_of_each_are_seen(
    tmp_path: Path, browser: Browser, width: int
) -> None:
    room = start(quick_settings(tmp_path, repeatable=number_for("blackjack", is_split_against_ace)))
    screen = open_screen(browser, room, width=width, height=1400)
    page = screen.page
    own_table(page, "linden")
    page.click(".b-spot[data-spot='4'] .b-circle")
    page.click("#b-deal")
    page.click("[data-action='no insurance']")
    page.click("[data-action='hit']")  # a pair of at most 18 and a card of at most 6: maybe more to come
    page.locator("[data-action='stand']:not([disabled]), #b-last a").first.wait_for()
    dealt = [str(card) for card in first_cards("blackjack", number_for("blackjack", is_split_against_ace))]
    fan = page.locator(".b-spot[data-spot='4'] .b-fan")
    expect(fan.locator(".card")).to_have_count(3)
    picture(page, f"table-fan-{width}", full_page=True)
    lying = corners(fan)
    by_place = sorted(lying, key=lambda one: one["left"])
    assert [one["card"] for one in by_place] == [dealt[4], dealt[2], dealt[0]]
    assert min(one["seen"] for one in lying) >= 3
    up, hole = page.locator(f"#b-dealer [data-card='{dealt[1]}']"), page.locator("#b-dealer .card").first
    right, left = up.bounding_box(), hole.bounding_box()
    assert right is not None
    assert left is not None
    assert left["x"] < right["x"]
    if page.locator("#b-last a").count() == 0:
        play_out(page)
    page.click("#b-last a")
    page.wait_for_url("**/rounds/**")
    replayed = corners(page.locator(".b-spot .b-fan"))
    assert [one["card"] for one in replayed] == [dealt[4], dealt[2], dealt[0]]
    assert min(one["seen"] for one in replayed) >= 3
    expect(page.locator("#r-events")).to_contain_text("to the left")
    assert without_late_presses(screen.troubles) == []
    page.context.close()
    room.stop()


@pytest.mark.clause("PROC-2")
@pytest.mark.clause("PROC-9")
def test_three_dollars_are_built_from_chips_of_one_and_checked_at_the_deal(
    room: CardRoom, screen: Screen
) -> None:
    page = screen.page
    own_table(page, "rowan")
    page.click("[data-action='chip100']")
    circle = page.locator(".b-spot[data-spot='2'] .b-circle")
    for said in ("$1", "$2"):
        circle.click()
        expect(circle).to_have_text(said)
        expect(page.locator("#b-phase")).to_contain_text("the smallest wager is $3")
        expect(page.locator("#b-told")).to_contain_text(f"sets {said}.00 on spot 2")  # it stands at the table
    page.click("#b-deal")
    expect(page.locator(".toast")).to_contain_text("the smallest wager is $3")
    expect(page.locator(".toast")).to_contain_text("PROC-2")
    circle.click()
    expect(circle).to_have_text("$3")
    expect(page.locator("#b-phase")).to_contain_text("Your wagers stand")
    circle.click(modifiers=["Shift"])
    expect(circle).to_have_text("$2")
    page.click("[data-action='clear']")
    expect(page.locator("#b-told")).to_contain_text("takes the wagers of spot 2 back")


@pytest.mark.clause("PROC-9")
def test_where_one_wager_is_taken_side_bets_are_built_of_the_same_chips(
    room: CardRoom, screen: Screen
) -> None:
    """$4 only, and $2 to $4 beside it: all of it in chips of $1, in the tray as on the felt."""
    page = screen.page
    own_table(page, "linden")
    expect(page.locator(".b-chips .chip")).to_have_text(["1"])
    spot = page.locator(".b-spot[data-spot='4']")
    spot.locator(".b-circle").click()
    expect(spot.locator(".b-circle")).to_have_text("$4")
    expect(spot.locator(".b-circle i[data-cents='100']")).to_have_count(4)
    side = spot.locator(".b-sidebet").first
    for said in ("$2", "$3", "$4", "$4"):
        side.click()
        expect(side.locator(".b-money")).to_have_text(said)
    asked = []
    page.on("request", lambda request: asked.append(request.url) if request.method == "PUT" else None)
    notice = page.locator(".toast")
    side.click()
    expect(notice).to_have_text("The largest wager on 21+3 is $4. SIDE-5")
    spot.locator(".b-circle").click()
    expect(notice).to_have_text("The house takes no other wager here than $4. PROC-2")
    assert asked == [], "what changes nothing is not asked for"
    for said in ("$3", "$2", ""):
        side.click(modifiers=["Shift"])
        expect(side.locator(".b-money")).to_have_text(said)


@pytest.mark.clause("PROC-9")
def test_chips_come_and_go_by_tap_by_key_and_by_the_menu_and_the_spot_is_given_up(
    room: CardRoom, screen: Screen
) -> None:
    page = screen.page
    own_table(page, "rowan")
    circle = page.locator(".b-spot[data-spot='2'] .b-circle")
    take_back = page.locator("[data-action='take back']")
    expect(take_back).to_be_disabled()  # nothing lies there
    circle.click()
    circle.click()
    expect(circle).to_have_text("$10")
    take_back.click()  # by tap: chips are taken back until it is tapped again, or none is left
    circle.click()
    expect(circle).to_have_text("$5")
    page.keyboard.press("-")
    page.keyboard.press("Digit2")
    expect(circle).to_have_text("$10")
    page.keyboard.press("-")
    page.keyboard.press("Digit2")
    page.keyboard.press("Digit2")
    expect(take_back).to_be_disabled()
    page.keyboard.press("Digit2")
    page.keyboard.press("Digit2")
    expect(circle).to_have_text("$10")
    page.keyboard.press("Shift+Digit2")
    expect(circle).to_have_text("$5")
    circle.focus()
    page.keyboard.press("Enter")
    expect(circle).to_have_text("$10")
    page.keyboard.press("Backspace")
    expect(circle).to_have_text("$5")
    match_up = page.locator(".b-spot[data-spot='2'] [data-wager='match-up']")
    match_up.click()
    match_up.click()
    expect(page.locator(".toast")).to_contain_text("Match Up takes no more than the wager on the hand, $5.")
    match_up.click(modifiers=["Shift"])
    expect(match_up).not_to_contain_text("$5")
    page.keyboard.press("m")
    menu = page.locator("#b-menu")
    menu.get_by_label("Primary wager + $5").click()
    menu.get_by_label("Match Up + $5").click()
    expect(menu.locator("output").nth(0)).to_have_text("$10")
    expect(menu.locator("output").nth(1)).to_have_text("$5")
    menu.get_by_label("Match Up − $5").click()
    expect(menu.locator("output").nth(1)).to_have_text("none")
    page.click("#b-menu-release")
    expect(page.locator(".b-spot[data-spot='2'] .b-who")).to_have_text("free")
    expect(circle).to_have_text("2")
    expect(page.locator("#b-told")).to_contain_text("gives up spot 2")


def test_the_coach_leaves_the_keys_alone_and_speaks_of_its_own_round(
    tmp_path: Path, browser: Browser
) -> None:
    number = number_for("players-edge-21", is_split_against_ace)
    room = start(quick_settings(tmp_path, repeatable=number, decision_seconds=600.0, verdict_seconds=60.0))
    screen = open_screen(browser, room)
    page = screen.page
    own_table(page, "rowan")
    page.check("#b-coach")
    page.keyboard.press("Digit2")  # the tick has not taken the keys
    expect(page.locator("#b-deal")).to_be_enabled()
    page.keyboard.press("Space")
    expect(page.locator("[data-action='no insurance']")).to_be_enabled()
    assert page.locator("#b-coach").is_checked()
    page.keyboard.press("n")
    expect(page.locator("[data-action='stand']")).to_be_enabled()
    page.keyboard.press("v")
    page.locator("#b-actions .btn.best").wait_for()
    expect(page.locator("[data-action='surrender'] kbd")).to_have_text("U")
    page.keyboard.press("s")
    expect(page.locator("#b-verdict")).to_contain_text("Spot 2:")
    play_out(page)
    expect(page.locator("#b-verdict")).to_contain_text("Spot 2:")  # the hand lies there still
    page.keyboard.press("a")  # the last wagers again, as at every game
    expect(page.locator("#b-deal")).to_be_enabled()
    expect(page.locator("#b-verdict")).to_have_text("")  # it left with its hand
    assert without_late_presses(screen.troubles) == []
    page.context.close()
    room.stop()
