"""A new option is a field of the schema and a default in a TOML: everything that shows rules then has it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from cardroom.core.errors import MalformedInput
from cardroom.engine import knockout52
from cardroom.engine.knockout52 import Stakes
from cardroom.games import GAMES, KNOCKOUT_52
from cardroom.rules import load_rules, loader, parse_rules
from cardroom.rules.knockout52 import Knockout52Rules
from cardroom.rules.options import option
from cardroom.rules.round_head import RulesForm
from tests.command_line import CommandLine
from tests.golden_house import VERSIONS, GoldenSet


class WithLamp(Knockout52Rules):
    """The schema with one field more."""

    lamp: str = option("the lamp over the table is {}", "KO52-1", absent="green")


class Careless(Knockout52Rules):
    """The schema with a field that does not say what the rules were before it."""

    lamp: str = option("the lamp over the table is {}", "KO52-1")


@pytest.fixture
def cardroom(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


@pytest.fixture
def with_lamp(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The two edits: the schema's field, and the default in the game's TOML."""
    file_of = loader._game_file

    def changed(game: Any) -> str:
        text: str = file_of(game)
        return (
            text.replace("decks = 1\n", 'decks = 1\nlamp = "amber"\n') if game.id == KNOCKOUT_52.id else text
        )

    monkeypatch.setattr(loader, "_game_file", changed)
    loader._own_rules.cache_clear()
    with GAMES.registered(replace(KNOCKOUT_52, rules=f"{__name__}:WithLamp")):
        yield
    loader._own_rules.cache_clear()


@pytest.mark.usefixtures("with_lamp")
def test_the_command_line_has_it(cardroom: CommandLine) -> None:
    assert "the lamp over the table is amber" in " ".join(cardroom("rules", "knockout-52").out.split())
    changed = cardroom("rules", "knockout-52", "--set", "lamp=red", "--json").json
    assert "red" in json.dumps(changed)
    assert "lamp" in json.dumps(cardroom("rules", "knockout-52", "--schema").json)
    assert "lamp" in cardroom.refused("rules", "knockout-52", "--set", "lampp=red")


@pytest.mark.usefixtures("with_lamp")
def test_texts_and_hashes_have_it() -> None:
    amber, green = load_rules("knockout-52"), load_rules("knockout-52", {"lamp": "green"})
    assert isinstance(amber, WithLamp)
    assert isinstance(green, WithLamp)
    assert amber.lamp == "amber"
    assert amber.rules_hash != green.rules_hash
    assert "lamp" not in json.loads(green.canonical_text())
    for rules in (amber, green):
        assert parse_rules(rules.canonical_text()) == rules
        for form in (RulesForm.SHORT, RulesForm.WHOLE):
            game, _ = knockout52.start(rules, [Stakes("Ann", {"round-1": 500})])
            assert knockout52.replay(knockout52.format_game(game, form))[0] == game


@pytest.mark.usefixtures("with_lamp")
def test_rules_from_before_are_as_they_were() -> None:
    for text in _golden_rules():
        read = parse_rules(text)
        assert isinstance(read, WithLamp)
        assert read.lamp == "green"
        assert read.canonical_text() == text


def test_an_option_that_does_not_say_what_was_before_is_noticed() -> None:
    with GAMES.registered(replace(KNOCKOUT_52, rules=f"{__name__}:Careless")):
        for text in _golden_rules():
            with pytest.raises(MalformedInput, match="lamp"):
                parse_rules(text)


def _golden_rules() -> list[str]:
    texts = [text for version in VERSIONS for text in GoldenSet(version).rules().values()]
    own = [text for text in texts if json.loads(text)["game"] == KNOCKOUT_52.id]
    assert own
    return own
