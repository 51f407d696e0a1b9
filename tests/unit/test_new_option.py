"""A new option is a field of the schema and a default in a TOML: everything that shows rules then has it.

With what it means in the law, engine, exact figures and simulation play by it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from cardroom.core.errors import MalformedInput
from cardroom.engine import knockout52
from cardroom.engine.knockout52 import Stakes
from cardroom.games import BLACKJACK, GAMES, KNOCKOUT_52
from cardroom.lab.par.in_force import sentences_in_force
from cardroom.rules import load_rules, load_rules_as, loader, parse_rules
from cardroom.rules.knockout52 import Knockout52Rules
from cardroom.rules.options import option
from cardroom.rules.round_head import RulesForm
from cardroom.rules.twentyone import TwentyOneRules, law
from tests.command_line import CommandLine
from tests.exact_cases import fields, said_beside_clauses
from tests.golden_house import VERSIONS, GoldenSet
from tests.twentyone import WIDE, played


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


# An option with a law: a dealer's 17 pushes the hands that are still in.

TABLE = ("--set", "decks=infinite", "--set", "split.max_hands=2")


class WithSeventeens(TwentyOneRules):
    """The schema of the blackjack family with one field more."""

    dealer_17_pushes: bool = option(
        ("a dealer's 17 pushes the hands still in", "a dealer's 17 is compared like any total"),
        "21-1.10",
        absent=False,
        idle=lambda rules: not rules.dealer_17_pushes,
    )


@pytest.fixture
def with_seventeens(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The edits of schema and law; the game's own rules do not name the option."""
    before = law.outcome

    def outcome(
        rules: TwentyOneRules, total: int, dealer_total: int, *, blackjack: bool, **others: bool
    ) -> law.Outcome:
        asked = isinstance(rules, WithSeventeens) and rules.dealer_17_pushes
        if asked and dealer_total == 17 and total <= 21 and not blackjack:
            return law.Outcome.PUSH
        return before(rules, total, dealer_total, blackjack=blackjack, **others)

    monkeypatch.setattr(law, "outcome", outcome)
    with GAMES.registered(replace(BLACKJACK, rules=f"{__name__}:WithSeventeens")):
        yield


def dealers_17(total: int = 7, *, soft: bool = False) -> Fraction:
    """How often a dealer with a 7 up makes 17 from infinitely many decks, hitting soft 17: card by card."""
    if total >= 17 and not (total == 17 and soft):
        return Fraction(total == 17)
    chance = Fraction(0)
    for rank in range(1, 14):
        now, is_soft = total + min(rank, 10), soft
        if rank == 1 and now + 10 <= 21:
            now, is_soft = now + 10, True
        if now > 21 and is_soft:
            now, is_soft = now - 10, False
        chance += dealers_17(now, soft=is_soft) / 13
    return chance


@pytest.mark.usefixtures("with_seventeens")
def test_the_engine_asks_the_law() -> None:
    usual = load_rules_as(WithSeventeens, "blackjack", WIDE)
    rules = load_rules_as(WithSeventeens, "blackjack", {**WIDE, "dealer_17_pushes": True})
    hand = "Th 9d Ks 8c stand"  # 20 against 17
    assert played(usual, hand).net() == 1000
    assert played(rules, hand).net() == 0
    assert played(rules, "Th 9d 9s Kc stand").net() == 0  # 19 against 19, as ever
    assert played(rules, "Ah 9d Ks 8c").net() == 1500


@pytest.mark.usefixtures("with_seventeens")
def test_exact_values_follow_the_law(cardroom: CommandLine) -> None:
    """Standing on 20 against a 7 loses exactly what the dealer's 17s won."""

    def stand(pushes: str) -> float:
        asked = ("ThKc", "--dealer", "7", *TABLE, "--set", f"dealer_17_pushes={pushes}", "--json")
        actions = cardroom("hand", "blackjack", *asked).json["actions"]
        return float(next(one for one in actions if one["action"] == "stand")["expected_value"]["decimal"])

    assert stand("false") - stand("true") == pytest.approx(float(dealers_17()), abs=1e-12)


@pytest.mark.slow
@pytest.mark.usefixtures("with_seventeens")
def test_a_simulation_follows_the_law(cardroom: CommandLine) -> None:
    asked = (*TABLE, "--set", "dealer_17_pushes=true", "--json")
    exact = cardroom("odds", "blackjack", *asked).json["wagers"][0]
    rounds = cardroom("simulate", "blackjack", "--rounds", "100000", "--seed", "7", *asked).json["wagers"][0]
    errors = 4 * exact["standard_deviation"] * 100 / 100_000**0.5
    assert rounds["house_edge_percent"] == pytest.approx(exact["house_edge_percent"], abs=errors)


@pytest.mark.usefixtures("with_seventeens")
def test_where_it_does_nothing_sheets_leave_it_out_and_where_it_does_the_how_to_says_it() -> None:
    for pushes in (False, True):
        rules = load_rules("blackjack", {"dealer_17_pushes": pushes})
        guide = BLACKJACK.follow("howto").guide(rules, None)
        assert ("dealer_17_pushes" in {key for key, _, _ in sentences_in_force(rules)}) is pushes
        assert ("A dealer's 17 pushes the hands still in." in " ".join(guide.idea)) is pushes


@pytest.mark.parametrize(
    ("beside", "covered"),
    [
        ("", set()),
        (
            'EXACT_CASES = {"dealer_17_pushes": ("blackjack", {}, (False, True), "7c:2,8c:4,Tc:4")}',
            {"EXACT_CASES"},
        ),
        ('NO_PART_OF_THE_WAGER = {"dealer_17_pushes": "why"}', {"NO_PART_OF_THE_WAGER"}),
    ],
)
def test_its_case_for_the_exact_figures_stands_beside_its_clause_test(
    beside: str, covered: set[str], tmp_path: Path
) -> None:
    """No file more: without it the perft test of every option misses the field, whichever it is."""
    (tmp_path / "test_twentyone_seventeens.py").write_text(f"import pytest\n\n{beside}\n")
    names = ("EXACT_CASES", "NO_PART_OF_THE_WAGER")
    said = {name for name in names if "dealer_17_pushes" in said_beside_clauses(name, tmp_path)}
    assert said == covered
    assert set(fields(WithSeventeens, ())) - set(fields(TwentyOneRules, ())) == {"dealer_17_pushes"}


def _golden_rules() -> list[str]:
    texts = [text for version in VERSIONS for text in GoldenSet(version).rules().values()]
    own = [text for text in texts if json.loads(text)["game"] == KNOCKOUT_52.id]
    assert own
    return own
