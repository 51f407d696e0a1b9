"""Every clause code on any page leads to its clause, refusals included; the rules read as sentences first."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urldefrag

import pytest
from playwright.sync_api import Page, expect

from cardroom.games import GAMES
from cardroom.web.clause_links import code_pattern
from tests.web.conftest import CardRoom, Guest, Screen
from tests.web.house_pages import PAGES
from tests.web.test_pages import lottery_room

READ = [
    *(path for path in PAGES if path != "/no-such-page"),
    *(f"/rules/{game}" for game in GAMES),
    *(f"/how/{game}" for game in GAMES),
]
SILENT = re.compile(r"<(script|style|title|option|button)\b.*?</\1>", re.DOTALL)
LINK = re.compile(r"<a\b[^>]*>.*?</a>", re.DOTALL)
TAG = re.compile(r"<[^>]*>")
LAW = re.compile(r"<a class='law' href='([^']*)'>([^<]*)</a>")
CODE = re.compile(code_pattern())

BARE_CODES = """(pattern) => {
  const found = [], codes = new RegExp(pattern);
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { data, parentElement } = walker.currentNode;
    if (codes.test(data) && !parentElement.closest("a, script, style, option")) found.push(data.trim());
  }
  return found;
}"""


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CardRoom]:
    yield from lottery_room(tmp_path_factory)


def leads_to_its_clause(guest: Guest, address: str, code: str) -> None:
    page, anchor = urldefrag(address)
    assert anchor == code
    assert f'id="{code}"' in guest.get(page).text, address


@pytest.mark.slow
def test_every_code_that_a_page_shows_leads_to_its_clause(room: CardRoom) -> None:
    guest = room.client()
    followed: set[tuple[str, str]] = set()
    for path in READ:
        text = guest.get(path, follow_redirects=True).text
        left = TAG.sub(" ", LINK.sub("", SILENT.sub("", text)))
        assert CODE.findall(left) == [], path
        followed |= {(address, code) for address, code in LAW.findall(text)}
    pages = {address.partition("#")[0] for address, _ in followed}
    texts = {page: guest.get(page).text for page in pages}
    assert len(followed) > 100
    for address, code in followed:
        page, _, anchor = address.partition("#")
        assert anchor == code
        assert f'id="{code}"' in texts[page], address


def test_a_clause_is_read_on_the_page_of_the_game_that_cites_it(room: CardRoom) -> None:
    text = room.client().get("/rules/players-edge-21").text
    assert "href='/rules/players-edge-21#SIDE-6'" in text
    assert '<div id="SIDE-6">' in text


def test_a_code_alone_finds_its_clause(room: CardRoom) -> None:
    guest = room.client()
    answer = guest.get("/clauses/PE21-9")
    assert (answer.status_code, answer.headers["location"]) == (303, "/rules/players-edge-21#PE21-9")
    missing = guest.get("/clauses/PE21-99")
    assert missing.status_code == 404
    assert "there is no clause" in missing.text


def no_code_without_its_link(page: Page, guest: Guest) -> int:
    """Neither drawn by the server nor by a module; the codes that modules drew are followed."""
    assert page.evaluate(BARE_CODES, code_pattern()) == []
    drawn = page.eval_on_selector_all("a[href^='/clauses/']", "links => links.map((a) => a.pathname)")
    for path in set(drawn):
        answer = guest.get(path)
        assert answer.status_code == 303, path
        leads_to_its_clause(guest, answer.headers["location"], path.rpartition("/")[2])
    return len(drawn)


def test_codes_that_modules_draw_lead_there_too(screen: Screen, room: CardRoom) -> None:
    page, guest = screen.page, room.client()
    page.goto("/lab?game=knockout-52")
    page.locator("#l-controls .clause").first.wait_for(state="attached")
    assert no_code_without_its_link(page, guest) >= 5


def test_a_refusal_leads_to_its_clause(screen: Screen, room: CardRoom) -> None:
    page = screen.page
    page.goto("/knockout-52/willow")
    page.evaluate(
        """async () => {
          const assets = document.querySelector('meta[name=assets]').content;
          const { api } = await import(assets + 'js/server.js');
          const { orTell } = await import(assets + 'js/notices.js');
          const path = '/knockout-52/tables/willow/wagers';
          await orTell(() => api('PUT', path, { stakes: { 'round-1': 7 } }, { key: 'test-key-000001' }));
        }"""
    )
    link = page.locator(".toast a.law")
    expect(link).to_have_text("KO52-3")
    link.click()
    page.wait_for_url("**/rules/knockout-52#KO52-3")
    expect(page.locator("[id='KO52-3']")).to_contain_text("each player stakes at least one of five wagers")
    screen.troubles.clear()  # the browser's own note of the refusal


def test_an_error_page_leads_to_its_clause(room: CardRoom) -> None:
    as_a_page = {"Accept": "text/html"}
    text = room.client().get("/lab?game=knockout-52&set=decks=3", headers=as_a_page).text
    assert "href='/rules/knockout-52#KO52-1'" in text


@pytest.mark.requirement("R-36")
@pytest.mark.parametrize("game", list(GAMES))
def test_the_rules_read_as_sentences_first_and_options_after(room: CardRoom, game: str) -> None:
    text = room.client().get(f"/rules/{game}").text
    places = [text.index(f'id="{part}"') for part in ("rules", "odds", "options", "clauses")]
    assert places == sorted(places)
    sentences = TAG.sub("", text[places[0] : places[1]])
    assert not re.search(r"\b[a-z]+_[a-z_]+\b", sentences)  # no option by its key before the options
