"""Bets on the dealer's second card and hand without a hole card, wherever such a table is shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardroom.exact.sidebets import side_bet_figures
from cardroom.exact.twentyone import solve
from cardroom.lab.correlation import Deals, with_primary
from cardroom.lab.par.twentyone import _wagers
from cardroom.presentation.howto.side_bets import side_bet_guide
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.web.live.twentyone_view import layout_view
from tests.command_line import CommandLine
from tests.twentyone import house

pytestmark = pytest.mark.clause("21-1.19")
WAGERS = ("buster-blackjack", "lucky-ladies")
SEVENS = {
    "title": "Sevens",
    "looks_at": ["player_3"],
    "lines": [{"name": "seven", "when": {"every": {"ranks": ["7"]}}, "pays": "10:1"}],
}


@pytest.fixture
def cardroom(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


def offering(*wagers: str, **changes: object) -> TwentyOneRules:
    offered = {f"side_bets.{wager}.offered": True for wager in wagers}
    return house("blackjack", {"hole_card": "none", **offered, **changes})


def told(rules: TwentyOneRules, wager: str) -> list[str]:
    (film,) = side_bet_guide(rules, wager).films
    return [scene.caption for scene in film.scenes]


@pytest.mark.slow
def test_the_page_of_a_bet_says_when_that_card_comes_and_shows_it() -> None:
    rules = offering(*WAGERS)
    guide = side_bet_guide(rules, "lucky-ladies")
    assert "the dealer's second card alone" in guide.idea[0]
    assert "when the dealer's second card comes, after all have played" in guide.idea[1]
    assert "even if no hand is left" in guide.idea[1]
    *_, stands, last = told(rules, "lucky-ladies")
    assert stands == "You stand."
    assert last.startswith("The dealer draws the K♦. Lucky Ladies wins")
    *_, before, last = told(rules, "buster-blackjack")
    assert before.startswith("The dealer draws")
    assert "Buster Blackjack wins" in last
    assert "even if no hand is left" in side_bet_guide(rules, "buster-blackjack").idea[1]
    assert all(line.rows for line in guide.pays)


@pytest.mark.parametrize(
    ("hole_card", "when"),
    [("dealt", "when the hidden card is turned"), ("unseen", "hidden card"), ("shown", "before your hand")],
)
def test_the_page_of_other_tables(hole_card: str, when: str) -> None:
    rules = offering("lucky-ladies", hole_card=hole_card, **{"insurance.offered": hole_card != "shown"})
    guide = side_bet_guide(rules, "lucky-ladies")
    assert when in guide.idea[1]
    assert "no hand is left" not in guide.idea[1]


def test_a_film_deals_a_third_card_before_the_dealer_s_second() -> None:
    (*_, third, last) = told(offering(**{"side_bets.sevens": SEVENS}), "sevens")
    assert "For the side bet alone you get the 7♦. Sevens wins" in third
    assert last.startswith("The dealer draws")


def test_it_is_on_the_layout() -> None:
    printed = {one["wager"]: one["title"] for one in layout_view(offering(*WAGERS))["side_bets"]}
    assert printed["buster-blackjack"] == "Buster Blackjack"


@pytest.mark.slow
def test_it_is_in_the_par_sheet_and_correlated_with_the_main_wager() -> None:
    rules = offering(*WAGERS)
    solution = solve(rules, "basic")
    sheets = {sheet.wager: sheet for sheet in _wagers(rules, solution, 400, 200)}
    for wager in WAGERS:
        assert sheets[wager].expected_value == side_bet_figures(rules, wager).expected_value
    deviation = float(solution.variance) ** 0.5
    pairs = with_primary(solution, deviation, rules, WAGERS, rounds=200_000)
    by_bet = {pair.other: pair.value for pair in pairs}
    # A dealer who busts pays both; a player's 20 wins more often than other hands.
    assert by_bet["buster-blackjack"] == pytest.approx(0.39, abs=0.05)
    assert by_bet["lucky-ladies"] == pytest.approx(0.07, abs=0.04)
    assert Deals(rules).results("lucky-ladies")[1] == 1


def test_rounds_at_a_real_table_are_recorded_and_verified(cardroom: CommandLine, tmp_path: Path) -> None:
    record = tmp_path / "rounds.json"
    table = ("--set", "hole_card=none", "--auto", "--plain", "--pace", "0", "--seed", "4", "--rounds", "12")
    sides = ("--side", "buster-blackjack=2", "--side", "lucky-ladies=2")
    played = cardroom("play", "blackjack", "--bet", "4", *sides, *table, "--record", record)
    assert "Buster Blackjack −$2.00" in played.out
    assert "all in order" in cardroom("verify", record).out


@pytest.mark.slow
def test_odds_simulation_and_protection(cardroom: CommandLine, tmp_path: Path) -> None:
    file = tmp_path / "european.toml"
    bets = "\n".join(f"[side_bets.{wager}]" for wager in WAGERS)
    file.write_text(f'extends = "blackjack"\nhole_card = "none"\n{bets}\n', encoding="utf-8")
    words = ("blackjack", "--rules", str(file), "--json")
    exact = {wager["wager"]: wager for wager in cardroom("odds", *words).json["wagers"]}
    simulated = cardroom("simulate", *words, "--rounds", "200000", "--seed", "1").json["wagers"]
    assert {*WAGERS} <= exact.keys()
    assert {*WAGERS} <= {wager["wager"] for wager in simulated}
    for wager in simulated:
        if wager["wager"] in WAGERS:
            off = wager["expected_value"]["decimal"] - exact[wager["wager"]]["expected_value"]["decimal"]
            assert abs(off) < 4 * wager["standard_error"]
    ramp = ("--ramp", "1:1", "--side", "buster-blackjack@-2", "--rounds", "40000")
    assert cardroom("protect", *words, *ramp).code == 0
