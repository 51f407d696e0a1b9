"""Rules may get new options and new defaults: texts and hashes written before stay as they are."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from cardroom.core.cards import parse_card
from cardroom.core.errors import MalformedInput
from cardroom.engine import knockout52, twentyone
from cardroom.engine.knockout52 import Stakes
from cardroom.engine.twentyone import SpotWager
from cardroom.games import GAMES, KNOCKOUT_52
from cardroom.rules import load_rules, loader, parse_rules
from cardroom.rules.knockout52 import Knockout52Rules
from cardroom.rules.options import Absence, Options, option
from cardroom.rules.round_head import RulesForm
from cardroom.rules.twentyone import TwentyOneRules


class LaterGroup(Options):
    """A group of options that came after the schema was first used."""

    shuffles: int = option("the deck is shuffled {} times", "KO52-1", absent=1)


class LaterRules(Knockout52Rules):
    """Tomorrow's rules of Knockout 52: one option more, and a group of options."""

    marker_colour: str = option("the marker is {}", "KO52-9", absent="white")
    shuffling: LaterGroup = LaterGroup()


@pytest.fixture
def later_schema() -> Iterator[None]:
    """The package as it will be: the schema has new options."""
    with GAMES.registered(replace(KNOCKOUT_52, rules=f"{__name__}:LaterRules")):
        yield


@pytest.fixture
def later_defaults(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The package as it will be: the games' own rules have other defaults."""
    file_of = loader._game_file

    def changed(game: Any) -> str:
        text: str = file_of(game)
        return text.replace("decks = 6", "decks = 8").replace("decks = 1", "decks = 2")

    monkeypatch.setattr(loader, "_game_file", changed)
    loader._own_rules.cache_clear()
    yield
    loader._own_rules.cache_clear()


TODAY = load_rules("knockout-52")


@pytest.mark.usefixtures("later_schema")
def test_a_new_option_changes_no_text_and_no_hash() -> None:
    later = load_rules("knockout-52")
    assert isinstance(later, LaterRules)
    assert later.marker_colour == "white"
    assert later.canonical_text() == TODAY.canonical_text()
    assert later.rules_hash == TODAY.rules_hash


@pytest.mark.usefixtures("later_schema")
def test_a_new_option_that_is_used_is_in_the_text() -> None:
    blue = load_rules("knockout-52", {"marker_colour": "blue", "shuffling.shuffles": 3})
    plain = json.loads(blue.canonical_text())
    assert (plain["marker_colour"], plain["shuffling"]) == ("blue", {"shuffles": 3})
    assert blue.rules_hash != TODAY.rules_hash
    assert parse_rules(blue.canonical_text()) == blue


@pytest.mark.usefixtures("later_schema")
def test_yesterdays_rules_are_read_and_shown_whole() -> None:
    read = parse_rules(TODAY.canonical_text())
    assert isinstance(read, LaterRules)
    assert read.flat()["marker_colour"] == "white"
    assert any("marker is white" in sentence for _, sentence, _ in read.sentences())


def _round() -> twentyone.Round:
    rules = load_rules("blackjack")
    state, _ = twentyone.start(rules, [SpotWager(1, "Ann", 400)])
    for card in ("Ts", "9h", "8d", "7c"):
        state, _ = twentyone.step(state, parse_card(card))
    state, _ = twentyone.step(state, twentyone.parse_action("stand"))
    while isinstance(awaited := twentyone.awaits(state), twentyone.CardAwaited):
        state, _ = twentyone.step(state, parse_card("2s"))
    assert isinstance(awaited, twentyone.Done)
    return state


def test_a_whole_text_is_read_after_a_default_has_changed(request: pytest.FixtureRequest) -> None:
    played = _round()
    game, _ = knockout52.start(TODAY, [Stakes("Ann", {"round-1": 500})])
    whole = twentyone.format_round(played, RulesForm.WHOLE)
    whole_game = knockout52.format_game(game, RulesForm.WHOLE)
    short, apart = twentyone.format_round(played), twentyone.format_round(played, RulesForm.APART)
    request.getfixturevalue("later_defaults")
    assert load_rules("blackjack").decks == 8
    assert twentyone.replay(whole)[0] == played
    assert knockout52.replay(whole_game)[0] == game
    assert twentyone.replay(apart, played.rules)[0] == played
    with pytest.raises(MalformedInput, match="the options written here make rules"):
        twentyone.replay(short)


def test_the_set_lines_of_a_whole_text_must_be_true() -> None:
    rules = load_rules("blackjack", {"decks": 2})
    state, _ = twentyone.start(rules, [SpotWager(1, "Ann", 400)])
    whole = twentyone.format_round(state, RulesForm.WHOLE)
    assert "set decks = 2\n" in whole
    with pytest.raises(MalformedInput, match="do not say decks = 4"):
        twentyone.parse_round(whole.replace("set decks = 2", "set decks = 4"))


def test_a_whole_text_with_other_rules_is_refused() -> None:
    state, _ = twentyone.start(load_rules("blackjack", {"decks": 2}), [SpotWager(1, "Ann", 400)])
    whole = twentyone.format_round(state, RulesForm.WHOLE)
    with pytest.raises(MalformedInput, match=r"make rules \w+…, not \w+…$"):
        twentyone.parse_round(whole.replace('"decks":2', '"decks":4'))


@pytest.mark.parametrize("text", ["[]", "{", "null", '{"game": "chess"}', "{}"])
def test_what_is_no_text_of_rules_is_refused(text: str) -> None:
    with pytest.raises(MalformedInput):
        parse_rules(text)


@pytest.mark.parametrize("game", ["blackjack", "spanish-21", "players-edge-21", "knockout-21", "knockout-52"])
def test_the_text_of_every_game_reads_back(game: str) -> None:
    rules = load_rules(game)
    assert parse_rules(rules.canonical_text()) == rules


def test_options_of_the_first_schema_are_always_written() -> None:
    """Only an option that says what its absence means may be left out."""
    for game in ("blackjack", "players-edge-21"):
        rules = load_rules(game)
        assert isinstance(rules, TwentyOneRules)
        fields = type(rules).model_fields.items()
        later = {name for name, field in fields if any(isinstance(mark, Absence) for mark in field.metadata)}
        assert set(json.loads(rules.canonical_text())) == set(rules.model_dump()) - later
