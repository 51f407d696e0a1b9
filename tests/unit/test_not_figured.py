"""Side bets with too many hands to be figured: they are simulated, and every other wager has its figures."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardroom.exact.sidebets import not_figured
from cardroom.lab.par.twentyone import _facts
from cardroom.lab.sizes_twentyone import twentyone_by_size
from cardroom.lab.twentyone import beside_figures
from cardroom.lab.wager_figures import twentyone_figures
from cardroom.library.game import Game
from cardroom.protect.effects import all_effects
from cardroom.rules import load_rules
from cardroom.rules.twentyone import TwentyOneRules
from tests.command_line import CommandLine

FILE = """
extends = "blackjack"

[side_bets]
"21+3" = { offered = false }
match-the-dealer = { offered = false }

[side_bets.perfect-pairs]

[side_bets.both]
title = "Twin Busts"
looks_at = ["player_hand", "dealer_hand"]
lines = [
  { name = "both", pays = "9:1", when = { all = [
    { of = 'player', bust = true }, { of = 'dealer', bust = true },
  ] } },
  { name = "dealer seven", when = { of = "dealer", number = { min = 7 } }, pays = "100:1" },
]

[side_bets.flush]
title = "Dealer Flush"
looks_at = ["dealer_hand"]
lines = [{ name = "flush", when = { same = ["suit"] }, pays = "6:1" }]
"""
BOTH = (
    "Twin Busts: a bet on the player's whole hand that looks at more of the dealer's than the up card has no"
)
FLUSH = (
    "Dealer Flush: a bet that asks for suits or single cards in the dealer's whole hand has too many hands"
)
PAIRS = "-19/311"
"""Perfect Pairs 25-12-6 with six decks: (5·25 + 6·12 + 12·6 − 288) / 311."""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "house.toml"
    path.write_text(FILE)
    return path


@pytest.fixture
def cardroom(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


def rules_of(file: Path) -> TwentyOneRules:
    rules = load_rules(file)
    assert isinstance(rules, TwentyOneRules)
    return rules


@pytest.mark.slow
def test_simulate_plays_them_without_an_exact_value(cardroom: CommandLine, file: Path) -> None:
    answer = cardroom("simulate", "blackjack", "--rules", file, "--rounds", "2000")
    assert answer.code == 0
    (line,) = [line for line in answer.out.splitlines() if line.startswith("Dealer Flush")]
    assert line.count(" – ") == 2


@pytest.mark.slow
def test_odds_give_the_sentence_and_all_other_figures(cardroom: CommandLine, file: Path) -> None:
    found = cardroom("odds", "blackjack", "--rules", file, "--json").json
    assert [one["wager"] for one in found["wagers"]] == ["primary", "insurance", "perfect-pairs"]
    assert found["wagers"][-1]["expected_value"]["fraction"] == PAIRS
    assert found["not_figured"]["both"].startswith(BOTH)
    assert found["not_figured"]["flush"].startswith(FLUSH)
    said = " ".join(cardroom("odds", "blackjack", "--rules", file).out.split())
    assert BOTH in said
    assert FLUSH in said


@pytest.mark.slow
def test_the_designer_gives_the_sentence_and_all_other_figures(cardroom: CommandLine, file: Path) -> None:
    answer = cardroom("design", file, "--json")
    assert answer.code == 0
    assert [one["wager"] for one in answer.json["bets"]] == ["perfect-pairs"]
    assert [*answer.json["not_figured"]] == ["both", "flush"]


@pytest.mark.slow
def test_a_par_sheet_says_why_and_leaves_them_out_of_its_tables(file: Path) -> None:
    rules = rules_of(file)
    assert [*not_figured(rules)] == ["both", "flush"]
    assert [one.wager for one in beside_figures(rules)] == ["insurance", "perfect-pairs"]
    assert dict(_facts(rules))["Dealer Flush"].endswith("it can be played and simulated.")
    assert "flush" not in [one.wager for one in all_effects(rules)]
    side = twentyone_by_size(rules, "basic").side
    assert side is not None
    assert side.wagers in ((), ("perfect-pairs",))


@pytest.mark.slow
def test_the_lab_says_why_beside_its_figures(file: Path) -> None:
    note = twentyone_figures(rules_of(file), None)[0].to_json()["note"]
    assert BOTH in note
    assert FLUSH in note


@pytest.mark.slow
def test_the_library_says_why(file: Path) -> None:
    odds = Game(file).odds("basic")
    assert "perfect-pairs" in odds
    with pytest.raises(KeyError, match="too many hands"):
        odds["flush"]
