"""The designer's page: figures as a bet is typed, hands that win, a table to play it at."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

from cardroom.presentation.bet_patterns import CONDITIONS, FIRST_BET
from cardroom.rules.bets import Pattern
from tests.web.conftest import CardRoom, Screen

BET = "/api/v1/lab/bet"


def test_a_bet_is_checked_and_figured(room: CardRoom) -> None:
    """Of 311 cards 5 make a perfect pair, 6 a coloured and 12 a mixed one."""
    guest = room.client()
    found = guest.post(BET, json={"game": "blackjack", "text": FIRST_BET}).json()
    assert found["faults"] == []
    assert Fraction(found["expected_value"]["fraction"]) == Fraction(-19, 311)
    (own,) = found["hands"]["perfect_pair"]
    assert own["of"] == "You"
    assert own["cards"][0] == own["cards"][1]
    assert found["fields"]["lines"][1]["when"] == 'same = ["rank", "colour"]'
    wrong = FIRST_BET.replace("25:1", "lots")
    (fault,) = guest.post(BET, json={"game": "blackjack", "text": wrong}).json()["faults"]
    assert (fault["line"], fault["key"]) == (4, "lines.1.pays")
    key = {"Idempotency-Key": "a-wrong-bet"}
    refused = guest.post("/api/v1/tables", json={"game": "blackjack", "bet": wrong}, headers=key)
    assert refused.status_code == 400
    assert "lines.1.pays" in refused.json()["error"]["message"]


def test_examples_of_conditions_are_patterns() -> None:
    import tomllib

    for condition in CONDITIONS:
        given = tomllib.loads(condition.example)
        if set(given) != {"of"}:
            Pattern.model_validate(given)


def test_pays_are_found_by_request(room: CardRoom) -> None:
    """Each paytable, put into the bet, has the edge that is said of it: of 311 cards 5, 6 and 12 pair."""
    guest = room.client()
    wanted = {"game": "blackjack", "text": FIRST_BET, "edge": {"least": 3, "most": 6}}
    found = guest.post(f"{BET}/pays", json=wanted).json()
    assert found["lines"] == ["perfect pair", "coloured pair", "mixed pair"]
    assert found["paytables"]
    for one in found["paytables"]:
        pays = [Fraction(*map(int, odds.split(":"))) for odds in one["pays"]]
        edge = Fraction(288 - sum(number * odds for number, odds in zip((5, 6, 12), pays, strict=True)), 311)
        assert Fraction(3, 100) <= edge <= Fraction(6, 100)
        assert one["house_edge_percent"] == float(100 * edge)
    nothing = guest.post(f"{BET}/pays", json={**wanted, "hit": {"least": 50, "most": 60}})
    assert nothing.status_code == 400
    assert "no choice of its lines hits between" in nothing.json()["error"]["message"]
    for path in ("pays", "correlation"):
        wrong = {**wanted, "text": FIRST_BET.replace("25:1", "lots")}
        refused = guest.post(f"{BET}/{path}", json=wrong)
        assert refused.status_code == 400
        assert "bet.toml:4: lines.1.pays" in refused.json()["error"]["message"]
    backwards = guest.post(f"{BET}/pays", json={**wanted, "edge": {"least": 6, "most": 3}})
    assert backwards.status_code == 400
    assert "the least comes first" in backwards.json()["error"]["message"]


def test_conditions_and_pays_by_form(screen: Screen) -> None:
    page = screen.page
    page.goto("/lab/bet")
    expect(page.locator("#d-figures tbody tr")).to_have_count(4)
    page.get_by_role("button", name="Add a line").click()
    line = page.locator("#d-lines > li").last
    line.get_by_label("Name").fill("red flush")
    line.get_by_label("Pays").fill("2:1")
    line.get_by_text("Add a condition").click()
    for condition, field, value in (
        ("all alike in", "What", "suit"),
        ("every card of one colour", "Colour", "red"),
    ):
        line.get_by_role("combobox", name="Condition", exact=True).select_option(condition)
        line.get_by_role("combobox", name=field, exact=True).select_option(value)
        line.get_by_role("button", name="Add the condition").click()
    expect(line.get_by_label("Wins when")).to_have_value('same = ["suit"], every = { colours = ["red"] }')
    expect(page.locator("#d-figures tbody tr")).to_have_count(5)
    line.get_by_role("button", name="Add the condition").click()
    expect(line.get_by_label("Wins when")).to_have_value(
        'all = [{ same = ["suit"], every = { colours = ["red"] } }, { every = { colours = ["red"] } }]'
    )
    page.locator("[name=edge_from]").fill("4")
    page.locator("[name=edge_to]").fill("5")
    page.get_by_role("button", name="Find pays").click()
    found = page.locator("#d-found tbody tr").first
    expect(found).to_be_visible()
    edge = found.locator("td").first.inner_text()
    found.get_by_role("button", name="Take these").click()
    expect(page.locator("#d-decks")).to_contain_text(edge)


@pytest.mark.slow
def test_the_correlation_with_the_main_wager(room: CardRoom) -> None:
    found = room.client().post(f"{BET}/correlation", json={"game": "blackjack", "text": FIRST_BET}).json()
    assert found["method"] == "exact"
    assert -1 < found["correlation"] < 1


def test_the_correlation_is_shown_for_the_bet_that_stands_there(screen: Screen) -> None:
    page = screen.page
    page.route(
        "**/lab/bet/correlation", lambda route: route.fulfill(json={"correlation": -0.25, "method": "exact"})
    )
    page.goto("/lab/bet")
    expect(page.locator("#d-figures tbody tr")).to_have_count(4)
    page.get_by_role("button", name="How does it go with the main wager?").click()
    expect(page.locator("#d-correlation")).to_have_text("Correlation −0.2500 (exact)")
    page.get_by_label("Title").fill("Other Pairs")
    expect(page.locator("#d-correlation")).to_be_empty()


def test_a_bet_by_form_and_at_a_table(screen: Screen, tmp_path: Path) -> None:
    page = screen.page
    page.goto("/lab/bet")
    expect(page.locator("#d-figures tbody tr")).to_have_count(4)
    expect(page.locator("#d-decks")).to_contain_text("6.1093 %")  # 19 of 311
    expect(page.locator("#d-hands .card")).to_have_count(6)
    first = page.locator("#d-lines li").first
    first.get_by_label("Pays").fill("20:1")
    expect(page.locator("#d-decks")).to_contain_text("14.1479 %")  # 44 of 311
    first.get_by_label("Wins when").fill("sames = 1")
    expect(page.locator("#d-faults")).to_contain_text("lines.1.when.sames: unknown option 'sames'")
    expect(page.locator("#d-play")).to_be_disabled()
    first.get_by_role("button", name="Take this line out").click()
    expect(page.locator("#d-figures tbody tr")).to_have_count(3)
    expect(page.locator("#d-faults")).to_be_hidden()
    page.get_by_label("Title").fill("Best Pairs")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as a file").click()
    saved = tmp_path / download.value.suggested_filename
    download.value.save_as(saved)
    assert saved.name == "best-pairs.toml"
    page.goto("/lab/bet")
    expect(page.locator("#d-figures tbody tr")).to_have_count(4)
    page.get_by_label("Load a file").set_input_files(saved)
    expect(page.locator("#d-figures tbody tr")).to_have_count(3)
    expect(page.get_by_label("Title")).to_have_value("Best Pairs")
    page.get_by_role("button", name="Put it on a table").click()
    page.wait_for_url("**/tables/*")
    expect(page.locator("main")).to_contain_text("Best Pairs")


def test_a_link_shares_a_bet(room: CardRoom, screen: Screen) -> None:
    page = screen.page
    page.goto("/lab/bet")
    expect(page.locator("#d-figures tbody tr")).to_have_count(4)
    page.get_by_label("Title").fill("Shared Pairs")
    page.get_by_role("button", name="Copy the link").click()
    page.wait_for_url("**/lab/bet?*Shared*")
    page.reload()
    expect(page.get_by_label("Title")).to_have_value("Shared Pairs")


def test_figures_that_fail_say_so_and_are_tried_again(screen: Screen) -> None:
    page = screen.page
    page.goto("/lab/bet")
    expect(page.locator("#d-decks")).to_contain_text("6.1093 %")  # 19 of 311
    refusals: list[Route] = []

    def refuse(route: Route) -> None:
        refusals.append(route)
        route.fulfill(
            status=503,
            json={"error": {"code": "unavailable", "message": "the lab has no room", "clause": None}},
        )

    page.route("**/api/v1/lab/bet", refuse)
    page.locator("#d-lines li").first.get_by_label("Pays").fill("20:1")
    failed = page.locator("#d-failed")
    expect(failed).to_contain_text("Not computed: the lab has no room. It is tried again by itself.")
    expect(page.locator("#d-decks")).to_be_empty()  # nothing of the bet before
    expect(page.locator("#d-play")).to_be_disabled()
    assert len(refusals) == 4
    page.unroute("**/api/v1/lab/bet")
    expect(page.locator("#d-decks")).to_contain_text("14.1479 %")  # 44 of 311
    expect(failed).to_be_hidden()
    screen.troubles[:] = [one for one in screen.troubles if "503" not in one]
