"""Known variants of the games: rules files by name, in the loader, the terminal and the audit."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardroom.lab.published.twentyone import TWENTY_ONE
from cardroom.rules import load_rules, load_rules_as
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.rules.variants import variant, variant_names
from tests.command_line import CommandLine


@pytest.fixture
def cardroom(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


@pytest.mark.parametrize("name", variant_names())
def test_a_variant_is_its_game_with_other_options(name: str) -> None:
    rules, own = load_rules_as(TwentyOneRules, name), load_rules(variant(name).game)
    assert rules.game == own.game
    assert rules.rules_hash != own.rules_hash
    assert len(rules.differences(own)) > 3
    assert load_rules(name, {"decks": 1}).flat()["decks"] == 1


@pytest.mark.parametrize("name", variant_names())
def test_every_published_figure_of_a_variant_is_in_the_audit(name: str) -> None:
    rules = load_rules(name)
    for one in variant(name).published:
        (figure,) = [each for each in TWENTY_ONE if each.source == one["source"]]
        assert figure.printed == one["house_edge"]
        named = load_rules(figure.game, {**dict(figure.changes), "title": rules.title})
        assert named.rules_hash == load_rules(name, one.get("with", {})).rules_hash


def test_the_terminal_takes_a_variant_where_it_takes_a_rules_file(cardroom: CommandLine) -> None:
    said = cardroom("rules", "blackjack", "--rules", "european-blackjack", "--json").json
    assert said["title"] == "European Blackjack"
    assert said["differences"]["hole_card"] == {"value": "none", "default": "dealt"}
    assert "--rules pontoon" in cardroom("rules", "spanish-21").out
    line = cardroom.refused("rules", "blackjack", "--rules", "pontoon")
    assert line == "pontoon holds rules of spanish-21, not of blackjack"


def test_a_file_may_extend_a_variant(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('extends = "pontoon"\ndecks = 6\n')
    assert load_rules(file).flat()["hole_card"] == "none"
