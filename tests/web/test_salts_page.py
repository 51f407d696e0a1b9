"""Pages make a salt for every shoe and game, reveal it when asked, and find it in the proof."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from cardroom.fair import verify_record
from tests.web.conftest import CardRoom, open_screen, quick_settings, start

FOUND = [
    "The players' salts fit the hashes given before them, and are in the deal",
    "This browser's own salt is among them",
    "The hashes are those that this browser was shown before it revealed its salt",
]


@pytest.fixture
def salted(tmp_path: Path) -> Iterator[CardRoom]:
    """A room whose shoes nobody can repeat."""
    room = start(quick_settings(tmp_path, repeatable=None))
    yield room
    room.stop()


def own_salts(page: Page) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = page.evaluate("JSON.parse(localStorage.getItem('salts') ?? '{}')")
    return found


def play_out(page: Page, number: int) -> None:
    """Take no insurance and stand, until a round is over."""
    over = f"#b-last a[href$='-{number}']"
    stand = "[data-action='stand']:not([disabled])"
    turn = f"{stand}, [data-action='no insurance']:not([disabled])"
    deadline = time.monotonic() + 300
    while time.monotonic() < deadline:
        page.wait_for_selector(f"{over}, {turn}")
        if page.query_selector(over):
            return
        page.keyboard.press("s" if page.query_selector(stand) else "n")
    raise AssertionError("the round does not end")


def play_shoe(page: Page, number: int) -> None:
    """A round from a new shoe, which is then ended and checked."""
    expect(page.locator("#b-salts")).to_have_text("Your first wager brings a salt of your browser's.")
    page.keyboard.press("Digit2")
    expect(page.locator("#b-salts")).to_have_text("Your browser's salt is in, by its hash.")
    expect(page.locator("#b-deal")).to_be_enabled()
    page.keyboard.press("Space")
    expect(page.locator("#b-salts")).to_have_text("Your browser's salt is in these cards.")
    play_out(page, number)
    page.click("#b-renew")
    expect(page.locator("#b-salts")).to_have_text("Your first wager brings a salt of your browser's.")
    expect(page.locator("#b-checked")).to_have_text(
        f"Shoe {number} was checked: your browser's salt is in its cards."
    )
    page.click("#b-check")
    expect(page.locator("#b-proof li")).to_have_count(3 + len(FOUND))
    assert page.locator("#b-proof li").all_inner_texts()[3:] == FOUND
    assert page.locator("#b-proof li.bad").count() == 0


def test_a_page_salts_the_first_shoe_and_later_ones(salted: CardRoom, browser: Browser) -> None:
    screen = open_screen(browser, salted)
    page = screen.page
    page.goto("/tables/linden")
    page.click("#b-own")
    page.click("#b-own-open")
    page.wait_for_url(lambda url: not url.endswith("linden"))
    play_shoe(page, 1)
    page.evaluate("document.querySelector('#b-proof').replaceChildren()")
    play_shoe(page, 2)
    made = own_salts(page)
    assert len({own["salt"] for own in made.values()}) == 2  # a fresh one for each shoe
    table = page.url.rsplit("/", 1)[1]
    for number in (1, 2):
        proof = page.request.get(f"/api/v1/tables/{table}/shoes/{number}").text()
        verdict = verify_record(proof)
        assert (verdict.findings, verdict.remarks) == ((), ())
        assert verdict.fields["salts"][0]["salt"] == made[verdict.fields["commitment"]]["salt"]
    assert screen.troubles == []
    page.context.close()


def test_a_page_salts_every_round_of_infinitely_many_decks(salted: CardRoom, browser: Browser) -> None:
    screen = open_screen(browser, salted)
    page = screen.page
    page.goto("/tables/linden")
    token = page.get_attribute("meta[name=csrf]", "content")
    assert token is not None
    own = page.request.post(
        "/api/v1/tables",
        data={"game": "blackjack", "options": {"decks": "infinite"}},
        headers={"X-CSRF-Token": token, "Idempotency-Key": "endless-table"},
    ).json()
    page.goto(f"/tables/{own['table']}")
    for rounds in (1, 2):
        expect(page.locator("#b-salts")).to_have_text("Your first wager brings a salt of your browser's.")
        page.keyboard.press("Digit2")
        expect(page.locator("#b-deal")).to_be_enabled()
        page.keyboard.press("Space")
        play_out(page, rounds)
        expect(page.locator("#b-check")).to_be_visible()
        page.click("#b-check")
        expect(page.locator("#b-proof li")).to_have_count(3 + len(FOUND))
        assert page.locator("#b-proof li.bad").count() == 0
        assert len(own_salts(page)) == rounds
        page.evaluate("document.querySelector('#b-proof').replaceChildren()")
    assert screen.troubles == []
    page.context.close()


def test_a_page_tells_by_itself_when_its_salt_is_not_in(salted: CardRoom, browser: Browser) -> None:
    """The house deals with the salt, and then shows a proof without it."""
    screen = open_screen(browser, salted)
    page = screen.page

    def without_salts(route: Route) -> None:
        proof = route.fetch().json()
        route.fulfill(json={**proof, "salts": [], "salt": ""})

    page.route("**/games/*/proof", without_salts)
    page.goto("/knockout-52/willow")
    page.keyboard.press("Digit1")
    expect(page.locator("#k-salts")).to_have_text("Your browser's salt is in, by its hash.")
    page.keyboard.press("Space")
    expect(page.locator("#k-checked")).to_contain_text("Game 1 does not hold")
    expect(page.locator("#k-checked")).to_contain_text("this browser's own salt is among them")
    assert screen.troubles == []
    page.context.close()


def test_a_house_that_leaves_a_salt_out_or_adds_one_is_found_out_by_the_page(
    salted: CardRoom, browser: Browser
) -> None:
    screen = open_screen(browser, salted)
    page = screen.page
    page.goto("/knockout-52/willow")
    page.keyboard.press("Digit1")
    expect(page.locator("#k-salts")).to_have_text("Your browser's salt is in, by its hash.")
    page.keyboard.press("Space")
    expect(page.locator("#k-last a")).to_be_visible()
    expect(page.locator("#k-checked")).to_have_text(
        "Game 1 was checked: your browser's salt is in its cards."
    )
    found = page.evaluate(
        """async () => {
          const assets = document.querySelector('meta[name=assets]').content;
          const { checkProof, hashOfSalt } = await import(assets + 'js/proof.js');
          const { ownSalt } = await import(assets + 'js/salts.js');
          const id = document.querySelector('#k-last a').href.split('/').at(-1);
          const { proof, card_texts: cards } = await (await fetch('/api/v1/knockout-52/games/' + id)).json();
          const own = ownSalt(proof.commitment);
          const salt = 'cd'.repeat(32);
          const added = [...proof.salts, { hash: await hashOfSalt(proof.commitment, salt), salt }];
          const forgeries = [
            proof,
            { ...proof, salts: [] },
            { ...proof, salts: proof.salts.map(({ hash }) => ({ hash, salt: '' })) },
            { ...proof, salts: added },
          ];
          const all = await Promise.all(forgeries.map((one) => checkProof(one, cards, [], own)));
          return all.map((findings) => findings.slice(2).map(({ what, good }) => [what, good]));
        }"""
    )
    assert [dict(findings) for findings in found] == [
        dict.fromkeys(FOUND, True),
        {
            "No player's word is in these cards: they follow from the house's secret alone": False,
            FOUND[1]: False,
            FOUND[2]: False,
        },
        {
            "No player's word is in these cards: they follow from the house's secret alone": False,
            "1 of 1 salts were not revealed in time": True,
            FOUND[1]: False,
            FOUND[2]: True,
        },
        {FOUND[0]: False, FOUND[1]: True, FOUND[2]: False},
    ]
    assert screen.troubles == []
    page.context.close()
