"""A fourth game of the blackjack family is one entry and a TOML: everything that the others have, it has.

Its figures must be those of Blackjack with the same options: only the name is another.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import cardroom as cr
from cardroom.core.cards import Rank
from cardroom.envs.options import Options
from cardroom.games import GAMES, Game
from cardroom.lab.par import par_sheet
from cardroom.rules import load_rules_as, parse_rules
from cardroom.rules.twentyone import TwentyOneRules
from tests.charlie_21.entry import CHARLIE_21
from tests.command_line import CommandLine
from tools.docs_games import games_table, options_tables

SAME_OPTIONS = ("--set", "decks=infinite", "--set", "charlie=5", "--set", "split.max_hands=2")


@pytest.fixture(autouse=True)
def _charlie_21() -> Iterator[Game]:
    with GAMES.registered(CHARLIE_21) as game:
        yield game


@pytest.fixture
def cardroom(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


def own_rules(**changes: object) -> TwentyOneRules:
    return load_rules_as(TwentyOneRules, "charlie-21", changes)


def as_blackjack(cardroom: CommandLine, verb: str, *arguments: str) -> tuple[Any, Any]:
    """What a command says of the game, and of Blackjack with the same options."""
    own = cardroom(verb, "charlie-21", *arguments, "--json").json
    return own, cardroom(verb, "blackjack", *arguments, *SAME_OPTIONS, "--json").json


def test_its_rules_are_told_with_clauses(cardroom: CommandLine) -> None:
    told = {line["key"]: line for line in cardroom("rules", "charlie-21", "--json").json["clauses"]}
    assert "five-card Charlie" in told["charlie"]["words"]
    assert told["charlie"]["clause"] == "21-1.17"
    assert told["dealer_hits_soft_17"]["clause"] == "BJ-6"
    assert told["side_bets.21+3.offered"]["clause"] == "BJ-7"
    said = cardroom.refused("rules", "charlie-21", "--set", "surrender=now")
    assert said.endswith("(BJ-5)")
    schema = cardroom("rules", "charlie-21", "--schema").json
    assert schema["properties"]["surrender"]["clause"]["charlie-21"] == "BJ-5"
    assert parse_rules(own_rules().canonical_text()) == own_rules()


def test_a_clause_of_its_own_stands_in_its_entry() -> None:
    own = {**CHARLIE_21.subject_clauses, "soft_17": "21-1.9"}
    with GAMES.registered(replace(CHARLIE_21, subject_clauses=own)):
        clauses = {key: clause for key, _, clause in own_rules().sentences()}
        assert clauses["dealer_hits_soft_17"] == own_rules().clause("soft_17") == "21-1.9"


@pytest.mark.slow
def test_figures_are_those_of_the_same_options(cardroom: CommandLine) -> None:
    odds, same = as_blackjack(cardroom, "odds")
    assert odds["game"] == "charlie-21"
    assert odds["wagers"] == same["wagers"]
    hand, same = as_blackjack(cardroom, "hand", "Th6c", "--dealer", "9")
    assert hand["actions"] == same["actions"]
    chart, same = as_blackjack(cardroom, "strategy")
    assert chart["rows"] == same["rows"]


@pytest.mark.slow
def test_simulated_rounds_are_those_of_the_same_options(cardroom: CommandLine) -> None:
    own, same = as_blackjack(cardroom, "simulate", "--rounds", "2000", "--seed", "4")
    assert own["wagers"] == same["wagers"]


def test_a_session_is_played_recorded_and_verified(cardroom: CommandLine, tmp_path: Path) -> None:
    record = tmp_path / "shoes.jsonl"
    played = cardroom("play", "charlie-21", "--auto", "--rounds", "3", "--seed", "5", "--record", record)
    assert played.code == 0, played.err
    answer = cardroom("verify", record, "--replay")
    assert answer.code == 0
    assert "charlie-21" in answer.out
    assert "all in order" in answer.out


@pytest.mark.slow
def test_its_sheet_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The studies that take long are those of every game of the family, and are left out."""
    for study in ("sensitivity", "family_findings", "correlations"):
        monkeypatch.setattr(f"cardroom.lab.par.twentyone.{study}", lambda *_, **__: ())
    monkeypatch.setattr("cardroom.lab.par.twentyone.effect_of_removal", lambda *_: {Rank.ACE: 0.0})
    sheet = par_sheet(own_rules(), rounds=1_000, seed=1)
    assert sheet.rules.title == "Charlie 21"
    assert sheet.wagers[0].wager == "primary"


def test_how_it_works() -> None:
    howto = CHARLIE_21.follow("howto")
    rules = own_rules()
    for bet in (None, *howto.bets(rules)):
        guide = howto.guide(rules, bet)
        assert guide.clauses
        assert guide.pays


def test_in_programs() -> None:
    assert cr.Game("charlie-21").title == "Charlie 21"
    assert Options.of("charlie-21").rules.game == "charlie-21"


def test_it_stands_in_the_documentation() -> None:
    row = f"| Charlie 21 | `charlie-21` | {CHARLIE_21.lobby} | [21, BJ, SIDE, PROC](rules/twentyone.md) |"
    assert row in games_table()
    assert "## Charlie 21\n" in options_tables()
