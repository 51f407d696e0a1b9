"""The lab: a rule changed, and edge, chart, sensitivity, comparison and simulation follow."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2 as httpx
import pytest
from playwright.sync_api import Browser, Route, expect

from cardroom.exact.figures import WagerFigures
from cardroom.exact.knockout52 import wager_figures
from cardroom.exact.twentyone import solve
from cardroom.presentation import wager_title
from cardroom.presentation.wagers import paid_words
from cardroom.rules import load_rules, parse_changes
from cardroom.rules.bets import shelf_names
from cardroom.rules.knockout52 import Knockout52Rules
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.rules.variants import variant_names
from cardroom.web.addresses import lab_address
from cardroom.web.api.lab import HouseOptions
from tests.web.conftest import CardRoom, Screen, open_screen, quick_settings, start

LAB = "/api/v1/lab"


@pytest.mark.parametrize("game", ["blackjack", "spanish-21", "players-edge-21", "knockout-21", "knockout-52"])
def test_every_house_option_is_a_control(room: CardRoom, game: str) -> None:
    """The controls are all that the rules say, each with its value and its clause, and none besides."""
    guest = room.client()
    controls = guest.post(f"{LAB}/rules", json={"game": game}).json()["controls"]
    rules = load_rules(game)
    flat = rules.flat()
    assert {one["key"]: one["value"] for one in controls} == {
        key: flat[key] for key, _, _ in rules.sentences()
    }
    assert all(one["clause"] for one in controls)
    for one in controls:
        if one["kind"] == "choice":
            assert one["value"] in one["choices"]


def test_knockout_52_has_one_main_wager(room: CardRoom, screen: Screen) -> None:
    """The headline and what each rule is worth speak of Round 1, in eight decks too."""
    guest = room.client()
    for options in ({}, {"decks": 8}, {"pays.round_1": "3:5"}):
        answer = guest.post(f"{LAB}/edge", json={"game": "knockout-52", "options": options}).json()
        rules = load_rules("knockout-52", options)
        assert isinstance(rules, Knockout52Rules)
        exact = next(wager for wager in wager_figures(rules) if wager.wager == "round-1")
        assert answer["wager"] == "round-1"
        assert answer["house_edge_percent"] == pytest.approx(exact.house_edge_percent)
    page = screen.page
    page.goto("/lab?game=knockout-52")
    expect(page.locator("#l-edge-words")).to_contain_text("on Round 1")
    expect(page.locator("#l-sensitivity")).to_contain_text("On Round 1")
    expect(page.locator("#l-sensitivity .l-bar", has_text="Round 1 pays 3 to 5")).to_have_count(1)


def with_titles(figures: Iterable[WagerFigures]) -> list[dict[str, Any]]:
    """Figures as the lab gets them."""
    return [
        {
            **(told := one.to_json()),
            "title": wager_title(one.wager),
            "outcomes": [
                {**each, "words": paid_words(each["outcome"], each["pays"])} for each in told["outcomes"]
            ],
        }
        for one in figures
    ]


def test_what_is_noted_beside_figures_stands_below_them(screen: Screen) -> None:
    """Such as a bet that cannot be figured; the house's own games have none."""
    page, words = screen.page, "Dealer Flush: it can be played and simulated."

    def noted(route: Route) -> None:
        answer = route.fetch().json()
        answer["wagers"][0]["note"] = words
        route.fulfill(json=answer)

    page.route(f"**{LAB}/figures", noted)
    page.goto("/lab?game=knockout-52")
    expect(page.locator("#l-wagers p", has_text=words)).to_be_visible()


def test_a_changed_rule_is_solved_exactly(room: CardRoom) -> None:
    guest = room.client()
    answer = guest.post(f"{LAB}/figures", json={"game": "knockout-52", "options": {"decks": 8}}).json()
    rules = load_rules("knockout-52", {"decks": 8})
    assert isinstance(rules, Knockout52Rules)
    assert answer["rules_hash"] == rules.rules_hash
    assert answer["wagers"] == with_titles(wager_figures(rules))


def test_an_option_that_is_not_allowed_is_named(room: CardRoom) -> None:
    guest = room.client()
    for options, words in [({"decks": 9}, "decks"), ({"deks": 4}, "did you mean 'decks'")]:
        answer = guest.post(f"{LAB}/rules", json={"game": "knockout-52", "options": options})
        assert answer.status_code == 400
        assert words in answer.json()["error"]["message"]
    page = guest.get("/lab?game=knockout-52&set=decks=9", headers={"Accept": "text/html"})
    assert page.status_code == 400
    assert "decks" in page.text


def test_a_simulation_is_told_as_it_runs_and_holds_the_exact_value(room: CardRoom) -> None:
    address = f"{room.url}{LAB}/simulation?game=knockout-52&rounds=200000"
    with httpx.stream("GET", address, timeout=300) as stream:
        lines = [line for line in stream.iter_lines() if line.startswith('data: {"rounds"')]
    points = [json.loads(line.removeprefix("data: ")) for line in lines]
    assert points[-1]["rounds"] == 200_000
    rounds = [point["rounds"] for point in points]
    assert rounds == sorted(rounds)
    rules = load_rules("knockout-52")
    assert isinstance(rules, Knockout52Rules)
    first = wager_figures(rules)[0]
    assert points[-1]["standard_error"] == pytest.approx(
        first.standard_deviation / math.sqrt(200_000), rel=0.02
    )
    # Five standard errors: a right simulation fails this once in two million runs, and the seed is fixed.
    assert abs(points[-1]["mean"] - float(first.expected_value)) < 5 * points[-1]["standard_error"]


def test_published_figures_stand_beside_ours(room: CardRoom) -> None:
    figures = room.client().get(f"{LAB}/published/knockout-52").json()["figures"]
    assert figures
    assert {line["verdict"] for line in figures} <= {"agrees", "explained"}


def test_a_par_sheet_can_be_taken_home(room: CardRoom) -> None:
    guest = room.client()
    answer = guest.get(f"{LAB}/par/knockout-52.json?set=decks=2", timeout=300)
    assert answer.status_code == 200
    assert answer.headers["content-disposition"] == 'attachment; filename="par-knockout-52.json"'
    assert load_rules("knockout-52", {"decks": 2}).rules_hash in answer.text


def test_a_rule_is_changed_compared_and_shared(screen: Screen) -> None:
    page = screen.page
    before, after = (shown_edge({"dealer_hits_soft_17": hits}) for hits in (True, False))
    page.goto("/lab?game=blackjack")
    expect(page.locator("#l-edge")).to_have_text(before)
    expect(page.locator("#l-wagers tbody tr")).to_have_count(4)
    page.click("#l-pin")
    page.click("#o-dealer_hits_soft_17")
    expect(page.locator("#l-edge")).to_have_text(after)
    expect(page.locator("#l-wagers")).to_contain_text(f"{before}")  # side by side
    expect(page.locator("#l-wagers")).to_contain_text(f"{after}")
    expect(page.locator("#l-chart caption").first).to_have_text("Hard hands")
    worth = page.locator("#l-sensitivity .l-bar", has_text="The dealer hits soft 17")
    expect(worth).to_contain_text(f"+{edge_percent({}) - edge_percent({'dealer_hits_soft_17': False}):.4f}")
    assert "set=dealer_hits_soft_17%3Dfalse" in page.url
    page.reload()
    expect(page.locator("#l-edge")).to_have_text(after)
    expect(page.locator(".l-control.changed")).to_have_count(1)
    page.fill("#o-blackjack_pays", "nonsense")
    page.keyboard.press("Tab")
    expect(page.locator("#l-error")).to_contain_text("blackjack_pays")
    screen.troubles[:] = [line for line in screen.troubles if "400" not in line]


def test_edge_and_chart_come_first_and_the_rest_shows_its_progress(screen: Screen) -> None:
    page, held = screen.page, list[Route]()

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/api/v1/lab/figures", hold)
    page.goto("/lab?game=players-edge-21")
    expect(page.locator("#l-edge")).to_contain_text("%")
    expect(page.locator("#l-chart caption").first).to_have_text("Hard hands")
    expect(page.locator("#l-progress")).to_be_visible()
    expect(page.locator("#l-seconds")).not_to_have_text("0 s")
    assert page.locator("#l-wagers tr").count() == 0
    assert len(held) == 1
    held[0].continue_()
    expect(page.locator("#l-progress")).to_be_hidden()
    expect(page.locator("#l-wagers tbody tr").first).to_contain_text("Primary")
    expect(page.locator("#l-distribution .l-bar").first).to_be_visible()


def test_rules_and_figures_in_view_belong_together_when_the_server_is_away(
    tmp_path: Path, browser: Browser
) -> None:
    """A server that is away, and one that comes back with other rules: never rules beside others' figures."""
    room = start(quick_settings(tmp_path))
    screen = open_screen(browser, room)
    page = screen.page
    page.goto("/lab?game=knockout-52")
    edge, wagers, error = (page.locator(name) for name in ("#l-edge", "#l-wagers", "#l-error"))
    expect(wagers.locator("tbody tr")).to_have_count(5)
    # Away before the rules were read; what is still asked for the figures in view is answered.
    page.route("**/api/v1/lab/rules", lambda route: route.abort())
    page.select_option("#o-decks", "8")
    expect(error).to_contain_text("Not changed")
    expect(page.locator("#o-decks")).to_have_value("1")
    expect(wagers.locator("tbody tr")).to_have_count(5)  # those of one deck
    page.unroute("**/api/v1/lab/rules")
    page.route("**/api/v1/lab/figures", lambda route: route.abort())  # away after they were read
    page.select_option("#o-decks", "8")
    expect(page.locator("#l-edge-words")).to_contain_text("not computed")
    expect(edge).to_have_text("—")
    expect(page.locator("#o-decks")).to_have_value("8")
    for name in ("#l-wagers", "#l-distribution", "#l-sensitivity", "#l-sim"):
        expect(page.locator(name)).to_be_empty()
    expect(page.locator("#l-again")).to_be_visible()
    page.unroute("**/api/v1/lab/figures")
    expect(wagers.locator("tbody tr")).to_have_count(5)  # tried again by itself

    changed: list[str] = []

    def other_rules(route: Route) -> None:
        if changed:
            route.continue_()
            return
        answer = route.fetch()
        changed.append(route.request.url)
        route.fulfill(response=answer, json={**answer.json(), "rules_hash": "0" * 64})

    page.route("**/api/v1/lab/figures", other_rules)  # back with other rules: the page is made anew
    with page.expect_navigation():
        page.select_option("#o-decks", "4")
    expect(page.locator("#o-decks")).to_have_value("4")
    expect(wagers.locator("tbody tr")).to_have_count(5)
    assert [line for line in screen.troubles if "ERR_FAILED" not in line] == []
    page.context.close()
    room.stop()


def edge_percent(options: dict[str, object]) -> float:
    """The edge of the primary wager of blackjack."""
    rules = load_rules("blackjack", options)
    assert isinstance(rules, TwentyOneRules)
    return -100 * solve(rules, "composition").expected_value


def shown_edge(options: dict[str, object]) -> str:
    """The edge of the primary wager as the page is to show it."""
    return f"{edge_percent(options):.4f} %"


CHIPS = {"game": "knockout-52", "options": {"rounding": "chip"}}


def test_figures_are_for_a_wager_and_the_edge_is_given_by_size(room: CardRoom) -> None:
    guest = room.client()
    rules = load_rules("knockout-52", {"rounding": "chip"})
    assert isinstance(rules, Knockout52Rules)
    for wager, cents in ((None, 100), ("2", 200), ("$5.00", 500)):
        asked = {**CHIPS, "wager": wager}
        figures = guest.post(f"{LAB}/figures", json=asked).json()
        assert figures["wagers"] == with_titles(wager_figures(rules, cents))
        sizes = guest.post(f"{LAB}/sizes", json=asked).json()
        assert sizes["wager_cents"] == cents
        assert sizes["depends_on_size"] == ["round-1"]
        edges = {line["wager_cents"]: line["house_edge_percent"]["round-1"] for line in sizes["by_size"]}
        assert edges[cents] == figures["wagers"][0]["house_edge_percent"]
        assert min(edges) == 100
        assert max(edges) == 50_000
    for wager, words in (
        ("501", "allowed: $1.00 to $500.00"),
        ("2.50", "whole chips"),
        ("x", "amount of money"),
    ):
        answer = guest.post(f"{LAB}/figures", json={**CHIPS, "wager": wager})
        assert answer.status_code == 400
        assert words in answer.json()["error"]["message"]
    ticket = guest.post(f"{LAB}/sizes", json={"game": "knockout-21"}).json()
    assert (ticket["wager_cents"], ticket["by_size"]) == (500, [])
    sheet = guest.get(f"{LAB}/par/knockout-52.json?set=rounding=chip&wager=3").json()
    assert sheet["size"]["wager_cents"] == 300


def test_the_edge_by_size_is_drawn_and_follows_the_wager(screen: Screen) -> None:
    page = screen.page
    page.goto("/lab?game=knockout-52&set=rounding=chip")
    box = page.locator("#l-sizes")
    expect(box).to_contain_text("Figures are for a wager of $1.00, the smallest here.")
    expect(box.locator("svg path.mean")).to_have_count(1)
    expect(box.locator("tbody tr").first).to_contain_text("35.6935 %")
    expect(page.locator("#l-wagers tbody tr").first).to_contain_text("35.6935 %")
    page.fill("#l-wager", "2")
    page.keyboard.press("Enter")
    expect(box).to_contain_text("a wager of $2.00, as asked")
    expect(page.locator("#l-wagers tbody tr").first).to_contain_text("3.5403 %")
    assert "wager=2" in page.url
    page.reload()
    expect(box).to_contain_text("a wager of $2.00, as asked")
    expect(page.locator("#l-wager")).to_have_value("2")
    page.goto("/lab?game=knockout-21")
    expect(box).to_contain_text("Figures are for a ticket of $5.00")


@pytest.mark.parametrize("name", variant_names())
def test_the_address_of_a_variant_is_read_and_written_as_its_rules(
    screen: Screen, room: CardRoom, name: str
) -> None:
    """Lines of a bonus are tables in a rules file, and longer than any other option."""
    page, rules = screen.page, load_rules(name)
    answer = page.goto(lab_address(rules))
    assert answer is not None
    assert answer.status == 200
    page.evaluate(
        """async () => {
          const assets = document.querySelector("meta[name=assets]").content;
          (await import(assets + "js/lab/page.js")).writeAddress();
        }"""
    )
    for address in (page.url, page.locator("#l-how").get_attribute("href") or ""):
        query = parse_qs(urlsplit(address).query)
        assert load_rules(rules.game, parse_changes(query["set"])).rules_hash == rules.rules_hash
    options = {key: here for key, (here, _) in rules.differences(load_rules(rules.game)).items()}
    told = room.client().post(f"{LAB}/rules", json={"game": rules.game, "options": options})
    assert told.status_code == 200


def test_a_bet_of_the_shelf_is_asked_about_with_all_that_it_says() -> None:
    """The page that shows how a bet works asks the lab with every option in which its table differs."""
    own = load_rules("blackjack")
    alone = [
        name for name in shelf_names() if name not in ("match-down", "monster-match-1", "monster-match-5")
    ]
    for name in alone:  # those three need another bet beside them
        rules = load_rules("blackjack", {f"side_bets.{name}.offered": True})
        options = {key: here for key, (here, _) in rules.differences(own).items()}
        asked = HouseOptions.model_validate({"game": "blackjack", "options": json.loads(json.dumps(options))})
        assert asked.rules().rules_hash == rules.rules_hash
