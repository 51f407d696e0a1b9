"""The designer's page: figures as a bet is typed, hands that win, a table to play it at."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

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

    for _, example in CONDITIONS:
        given = tomllib.loads(example)
        if set(given) != {"of"}:
            Pattern.model_validate(given)


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
