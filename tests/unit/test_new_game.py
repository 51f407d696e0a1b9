"""A game that is registered is in the command line, the verifier and the documentation at once."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

import pytest

import cardroom as cr
from cardroom.core.cards import format_cards
from cardroom.core.errors import MalformedInput
from cardroom.engine.walk import Branches, walk
from cardroom.fair import CommittedShoe, Seed, verify_record
from cardroom.games import GAMES, Game, parse_clause_id
from cardroom.rules import load_rules_as, parse_rules
from tests.command_line import CommandLine
from tests.high_card import engine
from tests.high_card.entry import HIGH_CARD
from tests.high_card.rules import HighCardRules
from tools.docs_games import MARK, on_page_markdown, rules_pages


@pytest.fixture(autouse=True)
def _high_card() -> Iterator[Game]:
    with GAMES.registered(HIGH_CARD) as game:
        yield game


@pytest.fixture
def cardroom(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


def own_rules(**changes: object) -> HighCardRules:
    return load_rules_as(HighCardRules, "high-card", changes)


def record() -> str:
    """A shoe with two rounds."""
    rules = own_rules()
    shoe = CommittedShoe.of(rules, shoe_id="shoe 1", deck=str(rules.shoe), seed=Seed(bytes(range(32))))
    cards = shoe.cards()
    rounds = tuple(f"100 {format_cards(cards[place : place + 2])}" for place in (0, 2))
    return shoe.record(cards=cards[:4], rounds=rounds)


def test_it_is_listed(cardroom: CommandLine) -> None:
    assert "high-card" in cardroom("games").out
    assert cardroom("games", "--json").json[-1] == {
        "schema_version": 1,
        "game": "high-card",
        "title": "High Card",
        "about": "a card each, the higher wins",
        "variants": [],
    }


def test_its_rules_are_told_and_changed(cardroom: CommandLine) -> None:
    answer = cardroom("rules", "high-card", "--set", "tie=house", "--json").json
    assert answer["differences"] == {"tie": {"value": "house", "default": "push"}}
    assert [line["clause"] for line in answer["clauses"]] == ["HC-1", "HC-2", "HC-3"]
    assert cardroom("rules", "high-card", "--schema").json["properties"]["game"]["enum"][-1] == "high-card"
    assert "allowed: 'high' or 'low' (HC-2)" in cardroom.refused("rules", "high-card", "--set", "ace=both")
    rules = own_rules()
    assert parse_rules(rules.canonical_text()) == rules
    assert parse_clause_id("HC-2") == "HC-2"


def test_its_odds_are_those_of_all_pairs_of_cards(cardroom: CommandLine) -> None:
    """Two cards of a deck in order: 52 · 51 rounds, walked by the engine."""
    rules = own_rules(tie="house")
    state, _ = engine.start(rules, 1)

    def fold(state: engine.Round, branches: Branches[str, tuple[int, int]]) -> tuple[int, int]:
        if not branches:
            return 1, engine.net_cents(state)
        ends, nets = zip(*(branch.value for branch in branches), strict=True)
        return sum(ends), sum(nets)

    ends, nets = walk(engine, state, fold)
    assert ends == 52 * 51
    (wager,) = cardroom("odds", "high-card", "--set", "tie=house", "--json").json["wagers"]
    assert wager["expected_value"]["fraction"] == str(Fraction(nets, ends)) == "-1/17"


def test_the_library_has_its_figures() -> None:
    """Of 51 cards left 3 are of the rank of the first: a tie that loses costs 3/51."""
    game = cr.Game("high-card", tie="house")
    assert game.edge().exact == Fraction(3, 51)
    ante = game.odds()["ante"]
    assert (ante.edge.exact, ante.hit_frequency.exact) == (Fraction(3, 51), Fraction(24, 51))
    assert [row["house_edge"] for row in cr.compare("high-card", tie=["push", "house"])] == [0, 3 / 51]
    figures = cr.compare(cr.Game("high-card"), game)
    assert ("house edge, %", 0, 300 / 51) in {(row["figure"], row["one"], row["other"]) for row in figures}


@pytest.mark.parametrize(
    ("asked", "refusal"),
    [
        (lambda game: game.odds("basic"), r"High Card has no strategy; leave strategy='basic' out"),
        (lambda game: game.odds(tickets=5), r"High Card has no tickets"),
        (lambda game: game.edge(wager=5), r"wager 5 is not allowed; High Card has no choice of wager"),
        (
            lambda game: game.simulate(1000),
            r"^rounds of High Card are not simulated, only those of blackjack, .*, knockout-52; `odds` has",
        ),
        (
            lambda game: game.table().play(),
            r"^there is no table of High Card for a program, only of blackjack, .*-edge-21, knockout-52$",
        ),
        (lambda game: game.strategy(), r"^High Card has none of this; it is for blackjack, spanish-21"),
        (lambda game: game.counter(1000), r"^High Card has no counter"),
        (lambda game: game.par(), r"^there is no PAR sheet of high-card"),
        (lambda game: game.live(), r"^High Card has none of this; it is for knockout-52$"),
    ],
)
def test_what_the_library_has_not_of_it_is_said_truly(
    asked: Callable[[cr.Game], object], refusal: str
) -> None:
    with pytest.raises(MalformedInput, match=refusal):
        asked(cr.Game("high-card"))


def test_a_lottery_has_no_table_in_the_library_and_its_draws_are_elsewhere() -> None:
    with pytest.raises(MalformedInput, match="knockout-21 is a lottery; it has draws, not a table"):
        cr.Game("knockout-21").table().play()
    with pytest.raises(MalformedInput, match="draws of Knockout 21 are simulated by `cardroom simulate"):
        cr.Game("knockout-21").simulate(1000)


def test_a_command_that_it_has_not_is_refused(cardroom: CommandLine) -> None:
    said = cardroom.refused("play", "high-card")
    assert said.startswith("there is no cardroom play for high-card, only for blackjack, ")


def test_its_rounds_are_verified_and_shown(cardroom: CommandLine, tmp_path: Path) -> None:
    text = record()
    assert verify_record(text).findings == ()
    file = tmp_path / "shoe.jsonl"
    file.write_text(text + "\n")
    answer = cardroom("verify", file, "--replay")
    assert answer.code == 0
    assert "high-card, shoe shoe 1: all in order" in answer.out
    cards = json.loads(text)["cards"]
    assert f"{cards[:2]} against {cards[2:4]}" in answer.out
    assert f"{cards[4:6]} against {cards[6:8]}" in answer.out


def test_a_round_with_another_card_is_found() -> None:
    fields = json.loads(record())
    other = "2c" if not fields["rounds"][0].endswith("2c") else "3c"
    fields["rounds"][0] = fields["rounds"][0][:-2] + other
    assert verify_record(json.dumps(fields, sort_keys=True, separators=(",", ":"))).findings


def test_it_stands_in_the_documentation() -> None:
    page = on_page_markdown(f"Our games:\n\n{MARK}\n")
    assert f"| High Card | `high-card` | {HIGH_CARD.lobby} | [HC](rules/high-card.md) |" in page
    assert rules_pages()[-1] == "rules/high-card.md"
    assert page.count("\n| ") == len(GAMES) + 1
