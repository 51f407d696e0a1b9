"""Pages that show how games and bets work, in a real browser: films, keys, rules changed in the lab."""

from __future__ import annotations

import json
from html import unescape

import pytest
from playwright.sync_api import Browser, expect

from cardroom.games import GAMES
from cardroom.rules import load_rules
from tests.web.conftest import CardRoom, Screen


def test_every_game_and_every_bet_has_its_page(room: CardRoom) -> None:
    """From the registry and the rules: no list of bets stands anywhere else."""
    guest = room.client()
    for game in GAMES.values():
        text = guest.get(f"/how/{game.id}").text
        assert f"How {game.title} works" in unescape(text)
        for bet in game.follow("howto").bets(load_rules(game.id)):
            address = f"/how/{game.id}/{bet.replace('+', '%2B')}"
            assert f'href="{address}"' in text
            page = guest.get(address)
            assert page.status_code == 200, address
            for part in ("idea", "pays", "odds", "mistakes", "clauses"):
                assert f'id="{part}"' in page.text, (address, part)


def test_the_main_wager_is_the_game_and_an_unknown_bet_is_not_found(room: CardRoom) -> None:
    guest = room.client()
    answer = guest.get("/how/players-edge-21/primary?set=decks=8")
    assert (answer.status_code, answer.headers["location"]) == (303, "/how/players-edge-21?set=decks%3D8")
    missing = guest.get("/how/spanish-21/21%2B3", headers={"Accept": "text/html"})
    assert missing.status_code == 404
    assert "has no bet" in unescape(missing.text)
    assert guest.get("/how/no-such-game").status_code == 404
    assert guest.get("/how/blackjack?set=decks=9").status_code == 400


def film_of(room: CardRoom, path: str) -> list[str]:
    """The captions of a page's first film."""
    text = room.client().get(path).text
    film = text.partition('data-film="')[2].partition('"')[0]
    return [scene["caption"] for scene in json.loads(unescape(film))["scenes"]]


def test_a_rule_in_the_address_changes_the_film(room: CardRoom) -> None:
    assert any("You double." in caption for caption in film_of(room, "/how/blackjack"))
    changed = film_of(room, "/how/blackjack?set=double.max_doubles=0")
    assert not any("You double." in caption for caption in changed)
    assert any("You hit." in caption for caption in changed)


@pytest.mark.slow
def test_a_rule_changed_in_the_lab_changes_its_hands_and_texts(screen: Screen) -> None:
    page = screen.page
    page.goto("/lab?game=knockout-52&set=pays.round_1=2:3")
    page.select_option("#o-decks", "8")
    page.wait_for_url(lambda url: "decks%3D8" in url)
    page.locator("#l-how").click()
    page.wait_for_url("**/how/knockout-52?**")
    expect(page.locator("#h-changes")).to_contain_text("Round 1 pays 2 to 3")
    expect(page.locator("#idea")).to_contain_text("8 decks")
    expect(page.locator("#pays")).to_contain_text("2 to 3")
    expect(page.locator("#pays")).to_contain_text("$10 wins $6.66")  # 2/3 of $10, down to the cent
    page.click(".how-nav a >> text=Round 1")
    page.wait_for_url("**/how/knockout-52/round-1?**")
    expect(page.locator(".film-caption")).to_contain_text("Round 1 wins $6.66")


def test_a_film_goes_step_by_step_by_button_and_by_key(screen: Screen) -> None:
    page = screen.page
    page.goto("/how/knockout-52/round-1")
    film = page.locator(".film")
    caption = film.locator(".film-caption")
    expect(caption).to_contain_text("You won $5.")  # it begins at its end
    expect(film.locator("[data-step=play]")).to_be_hidden()  # this visitor asks for no motion
    film.locator("[data-step=first]").click()
    expect(caption).to_have_text("You put $10 on Round 1. The marker stands in Round 1.")
    expect(film.locator(".card")).to_have_count(0)
    film.locator("[data-step=next]").click()
    expect(caption).to_have_text("Card 1 is the 7♣: no match.")
    expect(film.locator("[data-card='7c']")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(caption).to_have_text("Card 2 is the 8♣: no match.")
    page.keyboard.press("ArrowLeft")
    expect(caption).to_have_text("Card 1 is the 7♣: no match.")
    expect(film.locator("[data-step=number]")).to_have_text("2 of 6")
    assert page.evaluate("document.getAnimations().length") == 0


def test_a_film_runs_by_itself_in_half_a_minute_and_can_be_stopped(browser: Browser, room: CardRoom) -> None:
    context = browser.new_context(base_url=room.url)
    page = context.new_page()
    page.clock.install()
    page.goto("/how/knockout-52/round-4")
    film = page.locator(".film")
    play, number = film.locator("[data-step=play]"), film.locator("[data-step=number]")
    expect(number).to_have_text("9 of 9")
    play.click()
    expect(play).to_have_text("Pause")
    expect(number).to_have_text("1 of 9")
    page.clock.run_for(30_000 // 9 + 1)
    expect(number).to_have_text("2 of 9")
    play.click()
    expect(play).to_have_text("Play")
    page.clock.run_for(10_000)
    expect(number).to_have_text("2 of 9")
    play.click()
    page.clock.run_for(31_000)
    expect(number).to_have_text("9 of 9")
    expect(play).to_have_text("Play")
    context.close()


def test_nothing_below_a_film_moves_while_it_runs(screen: Screen) -> None:
    page = screen.page
    page.goto("/how/players-edge-21/match-up")
    film = page.locator(".film").first
    tops = set()
    film.locator("[data-step=first]").click()
    for _ in range(8):
        tops.add(film.locator(".film-buttons").evaluate("one => Math.round(one.getBoundingClientRect().top)"))
        film.locator("[data-step=next]").click()
    assert len(tops) == 1


def test_the_lobby_and_the_rules_lead_there(room: CardRoom) -> None:
    guest = room.client()
    lobby = guest.get("/").text
    for game in GAMES:
        assert f'href="/how/{game}"' in lobby
        assert f'href="/how/{game}"' in guest.get(f"/rules/{game}").text


def test_a_page_leads_to_the_game_it_speaks_of(room: CardRoom) -> None:
    """Rules that no open table has are played nowhere, so that their page offers none."""
    guest = room.client()
    for game, about in GAMES.items():
        assert f'id="h-play" href="{about.address}"' in guest.get(f"/how/{game}").text
    assert 'id="h-play"' not in guest.get("/how/blackjack?set=decks=8").text


def test_a_bet_leads_to_its_page_under_the_rules_of_its_table(room: CardRoom) -> None:
    guest = room.client()
    eight_decks = guest.get("/knockout-52/heron").text
    assert 'href="/how/knockout-52/all-the-way?set=decks%3D8"' in eight_decks
    table = guest.get("/tables/rowan").text
    for bet in GAMES["players-edge-21"].follow("howto").bets(load_rules("players-edge-21")):
        assert f'href="/how/players-edge-21/{bet}"' in table, bet


def test_mistakes_come_with_their_hands(room: CardRoom) -> None:
    answer = room.client().post("/api/v1/how/mistakes", json={"game": "knockout-21", "bet": "game-2"}).json()
    habits = [mistake["habit"] for mistake in answer["mistakes"]]
    assert habits == ["Never risking a bust", "Playing like the dealer"]
    missing = room.client().post("/api/v1/how/mistakes", json={"game": "knockout-21", "bet": "game-9"})
    assert missing.status_code == 404
