"""Three and four hands on a spot: nothing moves, nothing lies over another hand, the hand in turn is seen."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.conftest import CardRoom, open_screen, quick_settings, start
from tests.web.fitting import CUT_OFF, fits, lies_apart
from tests.web.laid_shoes import lay_shoe
from tests.web.pictures import picture
from tests.web.test_felt import nothing_moved, watched
from tests.web.test_table_page import CORNERS, TITLES, own_table

EIGHTS = "8sAd8h7c8d8c2s5h5s2h4d3d3c2c4c"
"""Two eights against a soft 18. Split: an eight on each; again: 10 and 13; the third time: 11 and 11."""
PLAY_ONCE = ["insure", "split", "split", "double", "hit", "hit", "stand", "split", "double", "double"]
"""Insured in vain. Four hands: 10 doubled, 13 of two cards hit twice to 19, both elevens doubled."""
PLAY = [word for action in PLAY_ONCE for word in ((action, "stand") if action == "double" else (action,))]
"""The same where a doubled hand may still do something."""
LONGEST_VERDICT = "Spot 4, hand 2: no insurance was better; insure 2.50 costs 27¢ on average."
LYING = """() => [...document.querySelectorAll(".b-spot[data-spot='4'] .b-hand")].map((hand) => {
  const box = ({ left, right, top, bottom }) => ({ left, right, top, bottom });
  const parts = [...hand.querySelectorAll(".card, .b-chipstack")]
    .map((one) => box(one.getBoundingClientRect()));
  const total = document.createRange();
  total.selectNodeContents(hand.querySelector(".b-total"));
  const words = total.getBoundingClientRect();
  if (words.width) parts.push(box(words));
  return { parts, turn: hand.classList.contains("turn") };
})"""
"""Where all cards, chips and words of each hand lie."""

Box = dict[str, float]


@pytest.fixture(scope="module")
def laid_room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CardRoom]:
    """A room where every shoe begins with the eights."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        lay_shoe(monkeypatch, EIGHTS)
        found = start(quick_settings(tmp_path_factory.mktemp("laid")))
        yield found
        found.stop()


def overlap(one: Box, other: Box) -> bool:
    inside = 1.0
    return (
        one["left"] + inside < other["right"]
        and other["left"] + inside < one["right"]
        and one["top"] + inside < other["bottom"]
        and other["top"] + inside < one["bottom"]
    )


def hands_lie_apart(page: Page, *, turns: int) -> None:
    hands = page.wait_for_function(
        f"turns => {{ const hands = ({LYING})(); "
        "return hands.filter((hand) => hand.turn).length === turns && hands; }",
        arg=turns,
    ).json_value()  # measured at one moment: between two cards nobody has the turn
    for place, hand in enumerate(hands):
        for other in hands[place + 1 :]:
            assert not any(overlap(one, two) for one in hand["parts"] for two in other["parts"]), hands
    ribbon = page.locator(".b-ribbon").bounding_box()
    places = page.locator(".b-spot[data-spot='4'] .b-place").bounding_box()
    assert ribbon is not None
    assert places is not None
    for part in (part for hand in hands for part in hand["parts"]):
        assert part["top"] >= ribbon["y"] + ribbon["height"]  # the clock is seen
        assert part["bottom"] <= places["y"] + 1
    corners = [
        one["seen"]
        for fan in page.locator(".b-spot[data-spot='4'] .b-fan").all()
        for one in fan.evaluate(CORNERS)
    ]
    assert min(corners) >= 3  # PROC-17


def replayed(page: Page, sentence: str) -> None:
    """The shared page of the round shows the same hands on the same felt, with the same sentence."""
    texts = page.locator(".b-total").all_inner_texts()
    page.click("#b-last a")
    page.wait_for_url("**/rounds/**")
    expect(page.locator("#r-phase.result")).to_have_text(sentence)
    assert page.locator(".b-total").all_inner_texts() == texts
    hands_lie_apart(page, turns=0)
    expect(page.locator(".b-hand .b-chipstack")).to_have_count(8)  # three doubled, one paid beside
    outside = page.evaluate(
        """() => [...document.querySelectorAll(".b-felt, .r-bar .btn")]
          .filter((one) => innerWidth < 1200 && one.getBoundingClientRect().bottom > innerHeight)
          .map((one) => one.className)"""
    )
    assert outside == []
    fits(page, "replay-four-hands")
    page.click("#r-first")
    expect(page.locator(".b-fan .card")).to_have_count(0)
    page.click("#r-next")
    expect(page.locator(".b-fan .card")).to_have_count(1)


@pytest.mark.clause("PROC-13")
@pytest.mark.clause("PROC-17")
@pytest.mark.parametrize(
    ("game", "actions", "size"),
    [
        ("players-edge-21", PLAY, (1280, 800)),
        ("players-edge-21", PLAY, (1366, 657)),
        ("spanish-21", PLAY, (390, 844)),
        ("blackjack", PLAY_ONCE, (360, 640)),
    ],
    ids=["desktop", "laptop", "phone", "small"],
)
def test_four_hands_have_room(
    browser: Browser, laid_room: CardRoom, game: str, actions: list[str], size: tuple[int, int]
) -> None:
    screen = open_screen(browser, laid_room, width=size[0], height=size[1])
    page = screen.page
    own_table(page, TITLES[game])
    watched(page)
    page.click(".b-spot[data-spot='4'] .b-circle")
    for bet in page.locator(".b-spot[data-spot='4'] .b-sidebet").all():
        bet.click()
    page.click("#b-deal")
    hands = page.locator(".b-spot[data-spot='4'] .b-hand")
    for step, action in enumerate(actions):
        cards = page.locator(".b-spot[data-spot='4'] .card").count()
        said = page.inner_text("#b-phase")
        page.locator(f"[data-action='{action}']:not([disabled])").click()
        expect(page.locator("#b-phase")).not_to_have_text(said)
        if action not in ("insure", "stand"):
            page.wait_for_function(
                "count => document.querySelectorAll(\".b-spot[data-spot='4'] .card\").length > count",
                arg=cards,
            )
        if hands.count() > 2 and step < len(actions) - 1:
            expect(page.locator(".b-hand.turn")).to_have_count(1)
            hands_lie_apart(page, turns=1)
            picture(page, f"splits-{game}-{size[0]}-{hands.count()}")
    expect(page.locator("#b-last a")).to_be_visible()
    expect(hands).to_have_count(4)
    expect(page.locator(".b-spot[data-spot='4'] .b-insured")).to_contain_text("Insurance, no blackjack, −$2")
    hands_lie_apart(page, turns=0)
    picture(page, f"splits-{game}-{size[0]}-result")
    assert page.evaluate(CUT_OFF) == []
    assert page.evaluate("scrollY") == 0
    page.locator("#b-verdict").evaluate("(box, words) => { box.textContent = words; }", LONGEST_VERDICT)
    lies_apart(page, "verdict")
    nothing_moved(page)
    replayed(page, page.inner_text("#b-phase"))
    assert screen.troubles == []
    page.context.close()
