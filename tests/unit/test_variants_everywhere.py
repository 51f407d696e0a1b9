"""A known variant is taken by its name, or as a file, by every command, and stands on the pages."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardroom.lab.design.reading import read_file
from cardroom.lab.side_by_side import find_side
from cardroom.rules import load_rules, parse_changes
from cardroom.rules.variants import variant, variant_file, variant_names
from cardroom.web.addresses import changes_of
from tests.command_line import CommandLine


@pytest.fixture
def cardroom(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


@pytest.mark.parametrize("name", variant_names())
def test_by_name_and_as_a_file_it_is_the_same(name: str) -> None:
    rules = load_rules(name)
    assert load_rules(variant_file(name)) == rules
    assert find_side(name).rules == rules
    assert find_side(variant_file(name)).rules == rules
    assert read_file(variant_file(name)).rules == rules


@pytest.mark.parametrize("name", variant_names())
def test_an_address_carries_it(name: str) -> None:
    rules = load_rules(name)
    assert load_rules(rules.game, parse_changes(changes_of(rules))).rules_hash == rules.rules_hash


def test_a_file_of_ones_own_extends_it(tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text('extends = "european-blackjack"\ndecks = 8\n')
    assert load_rules(file).flat()["hole_card"] == "none"


def test_games_lists_them(cardroom: CommandLine) -> None:
    said = cardroom("games").out
    assert all(name in said for name in variant_names())
    listed = {one["game"]: one["variants"] for one in cardroom("games", "--json").json}
    assert listed["spanish-21"] == ["pontoon"]
    assert listed["blackjack"] == ["double-exposure", "european-blackjack", "super-fun-21"]


def test_a_wrong_name_is_answered_with_the_nearest(cardroom: CommandLine) -> None:
    assert "european-blackjack" in cardroom.refused("compare", "blackjack", "european-blackjak")


@pytest.mark.slow
def test_two_bets_are_compared_in_per_cent_and_with_the_main_wager(cardroom: CommandLine) -> None:
    lines = cardroom("compare", "perfect-pairs", "any-pair").out.splitlines()
    (edge,) = [line for line in lines if line.startswith("1 deck: house edge")]
    assert "47.0588 %" in edge  # (48 − 12·1 − 6·2) / 51
    assert any(line.startswith("with the main wager: correlation") for line in lines)


def test_variants_say_what_they_are() -> None:
    assert {variant(name).title for name in variant_names()} >= {"Pontoon", "Super Fun 21"}
