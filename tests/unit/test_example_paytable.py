"""Monster Match: its paytable is an example of ours, and is called so wherever it is shown (SIDE-4)."""

from __future__ import annotations

import pytest

from cardroom.exact.sidebets import side_bet_figures
from cardroom.lab.par.sheet import WagerSheet
from cardroom.lab.twentyone import beside_figures
from cardroom.rules.bets import shelf_bet
from cardroom.web.live.twentyone_view import layout_view
from tests.command_line import CommandLine
from tests.twentyone import house

WAGERS = ("monster-match-1", "monster-match-5")


@pytest.fixture
def cardroom(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


def words(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.clause("SIDE-4")
def test_of_a_wager_by_itself_and_on_a_par_sheet() -> None:
    rules = house("players-edge-21")
    for wager in WAGERS:
        figures = side_bet_figures(rules, wager)
        assert "an example of ours" in figures.note
        assert figures.to_json()["note"] == figures.note
        sheet = WagerSheet.of(figures, "Monster Match", note="With the meter at its seed.")
        assert sheet.note == f"With the meter at its seed. {figures.note}"
    others = [each for each in beside_figures(rules) if each.wager not in WAGERS]
    assert others
    assert all(not each.note and "note" not in each.to_json() for each in others)


@pytest.mark.clause("SIDE-4")
def test_of_the_layout_of_a_table() -> None:
    notes = {bet["wager"]: bet["note"] for bet in layout_view(house("players-edge-21"))["side_bets"]}
    assert set(WAGERS) < set(notes)
    for wager, note in notes.items():
        assert ("an example of ours" in note) is (wager in WAGERS)


@pytest.mark.slow
@pytest.mark.clause("SIDE-4")
def test_of_odds_and_rules_in_words(cardroom: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    out = words(cardroom("odds", "players-edge-21").out)
    assert out.count(shelf_bet(WAGERS[0]).bet.note) == 1
    rules = words(cardroom("rules", "players-edge-21").out)
    assert rules.count("an example of ours") == 2
    assert "an example of ours" not in words(cardroom("rules", "blackjack").out)
