"""PAR sheets: the JSON against the exact figures, the page alone in the world, the PDF with its text."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path

import pytest

from cardroom.exact.knockout52 import chances, joint, wager_figures
from cardroom.exact.twentyone import solve
from cardroom.lab.par import ParSheet, par_sheet, rendered
from cardroom.lab.par.sheet import WagerSheet
from cardroom.rules import load_rules, load_rules_as
from cardroom.rules.knockout52 import Knockout52Rules
from tests.command_line import CommandLine
from tests.twentyone import house


@pytest.fixture(scope="module")
def knockout_52() -> ParSheet:
    return par_sheet(load_rules("knockout-52"), rounds=20_000, seed=3)


@pytest.fixture(scope="module")
def blackjack() -> ParSheet:
    return par_sheet(house("blackjack", {"split.max_hands": 2}), rounds=50_000, seed=3)


def test_knockout_52_as_data(knockout_52: ParSheet) -> None:
    rules = load_rules_as(Knockout52Rules, "knockout-52")
    data = json.loads(rendered(knockout_52, ".json"))
    assert data["rules_hash"] == rules.rules_hash
    for found, exact in zip(data["wagers"], wager_figures(rules), strict=True):
        assert found["expected_value"]["fraction"] == str(exact.expected_value)
        assert found["variance"] == pytest.approx(float(exact.variance))
        assert found["largest_win"]["probability"]["fraction"] == str(chances(rules)[found["wager"]])
        returned = sum((Fraction(line["return"]["fraction"]) for line in found["outcomes"]), Fraction(0))
        assert returned == exact.expected_value
    both = joint(rules, {"round-1": 100, "round-2": 100}).covariance
    (pair,) = [pair for pair in data["correlations"] if pair["wagers"] == ["Round 1", "Round 2"]]
    assert pair["correlation"] == pytest.approx(float(both[0][1]) / float(both[0][0] * both[1][1]) ** 0.5)
    assert sum(map(sum, data["ends"])) == pytest.approx(float(1 - chances(rules)["all-the-way"]))
    assert all(abs(line["sigmas"]) < 4.5 for line in data["verification"]["lines"])


def test_blackjack_as_data(blackjack: ParSheet) -> None:
    rules = house("blackjack", {"split.max_hands": 2})
    basic = solve(rules, "basic")
    data = json.loads(rendered(blackjack, ".json"))
    primary = data["wagers"][0]
    assert primary["expected_value"]["decimal"] == pytest.approx(basic.expected_value, abs=1e-12)
    assert primary["standard_deviation"] == pytest.approx(basic.standard_deviation, abs=1e-9)
    staked = primary["average_total_wager"]
    assert primary["house_edge_of_total_wager_percent"] == pytest.approx(
        primary["house_edge_percent"] / staked
    )
    assert 1.1 < staked < 1.2
    edges = data["house_edge_percent_by_strategy"].values()
    assert min(edges) == pytest.approx(-100 * solve(rules).expected_value)
    variations = {line["rule"]: line for line in data["sensitivity"]["variations"]}
    there = solve(house("blackjack", {"split.max_hands": 2, "dealer_hits_soft_17": False})).expected_value
    assert variations["dealer_hits_soft_17 = false"]["house_edge_percent"] == pytest.approx(-100 * there)
    assert {session["rounds"] for session in data["sessions"]["sessions"]} == {10**n for n in range(3, 8)}
    assert sum(part["probability"] for part in data["by_first_two"]) == pytest.approx(1)
    assert [pair["wagers"] for pair in data["correlations"]] == [
        ["primary", "21+3"],
        ["primary", "match-the-dealer"],
        ["21+3", "match-the-dealer"],
    ]
    assert all(abs(line["sigmas"]) < 4.5 for line in data["verification"]["lines"])


def test_the_page_stands_alone(blackjack: ParSheet) -> None:
    page = rendered(blackjack, ".html").decode()
    assert not re.search(r"(?:src|href)=[\"']?(?:https?:)?//", page)
    assert "<script" not in page
    assert blackjack.rules.rules_hash in page
    assert page.count("<svg") == 3  # distribution, sensitivity, sessions
    assert "Equipment, wagers and limits" in page
    assert "<caption>Pairs</caption>" in page


def test_the_same_sheet_the_same_bytes(knockout_52: ParSheet) -> None:
    for form in (".pdf", ".html", ".json"):
        assert rendered(knockout_52, form) == rendered(knockout_52, form)


def test_the_pdf_opens_and_says_what_it_should(knockout_52: ParSheet) -> None:
    content = rendered(knockout_52, ".pdf")
    assert content.startswith(b"%PDF-")
    assert content.rstrip().endswith(b"%%EOF")
    pages = re.findall(rb"/Type /Page\b", content)
    assert 3 <= len(pages) <= 8
    assert b"Knockout 52: PAR sheet" in content  # the title of the document
    assert knockout_52.rules.rules_hash.encode() in content  # its subject


def test_lines_of_a_wager_make_its_figures() -> None:
    from cardroom.exact.figures import Outcome, WagerFigures

    figures = WagerFigures(
        "x", (Outcome("win", Fraction(3), Fraction(1, 5)), Outcome("lose", Fraction(-1), Fraction(4, 5)))
    )
    sheet = WagerSheet.of(figures, "X", total_wager=2.0)
    assert sheet.expected_value == Fraction(-1, 5)
    assert sheet.house_edge == pytest.approx(0.2)
    assert sheet.element_of_risk == pytest.approx(0.1)
    assert sheet.variance == pytest.approx(0.2 * 3.2**2 + 0.8 * 0.8**2)
    assert sheet.skewness == pytest.approx((0.2 * 3.2**3 - 0.8 * 0.8**3) / sheet.variance**1.5)
    assert sheet.largest.one_in == 5
    assert sheet.hit_frequency == pytest.approx(0.2)


def test_the_command_writes_by_the_name(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    cardroom = CommandLine(monkeypatch, capsys)
    for form, start in (("pdf", b"%PDF-"), ("html", b"<!doctype html>"), ("json", b"{")):
        file = tmp_path / f"sheet.{form}"
        answer = cardroom("par", "knockout-52", "-o", file, "--rounds", "1000", "--set", "decks=2")
        assert answer.code == 0
        assert answer.out == ""
        assert file.read_bytes().startswith(start)
    assert json.loads((tmp_path / "sheet.json").read_text())["rules"]["decks"] == 2
    assert "--rounds 3" in cardroom.refused("par", "knockout-52", "-o", "x.pdf", "--rounds", "3")


@pytest.mark.slow
@pytest.mark.parametrize("game", ["spanish-21", "players-edge-21", "knockout-21"])
def test_the_sheets_of_the_other_games(game: str) -> None:
    changes = {} if game == "knockout-21" else {"split.max_hands": 1}  # the slowest part, and shown above
    sheet = par_sheet(load_rules(game, changes), rounds=100_000, seed=5)
    data = json.loads(rendered(sheet, ".json"))
    for wager in data["wagers"]:
        whole = sum(line["probability"]["decimal"] for line in wager["outcomes"])
        assert whole == pytest.approx(1, abs=1e-9), wager["wager"]
    assert all(abs(line["sigmas"]) < 4.5 for line in data["verification"]["lines"])
    assert len(data["sessions"]["sessions"]) == 5
    meters = {meter["wager"]: meter for meter in data["progressives"]}
    assert ([*meters] == ["monster-match-1", "monster-match-5"]) is (game == "players-edge-21")
    for meter in meters.values():
        missing = meter["break_even_meter_cents"] - meter["meter_seed_cents"]
        stake = 100 if meter["wager"].endswith("-1") else 500
        fair = meter["expected_value_at_seed"] + Fraction(meter["jackpot_probability"]) * missing / stake
        assert float(fair) == pytest.approx(0, abs=1e-12)
    assert rendered(sheet, ".pdf").startswith(b"%PDF-")
