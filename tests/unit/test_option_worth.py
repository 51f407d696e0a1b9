"""What options are worth on the site's page: solved by the solver, and of the rules as they are."""

from __future__ import annotations

import pytest

import cardroom as cr
from cardroom.games import GAMES
from cardroom.rules import load_rules
from tools.docs_games import _options, options_tables, worth_words
from tools.option_worth import alternatives, edge, kept

AGAIN = "write it anew: python -m tools.option_worth"
MAIN = [game for game in GAMES if GAMES[game].kind == "cards"]


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_the_figures_are_of_the_rules_as_they_are(game: str) -> None:
    """An option that came later may stand on the page without a figure until the tool is run again."""
    rules = load_rules(game)
    assert kept()[game]["rules_hash"] == rules.rules_hash, AGAIN
    assert set(kept()[game]["options"]) <= {key for key, _ in alternatives(rules)}, AGAIN


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "key", "value"),
    [
        ("blackjack", "dealer_hits_soft_17", False),
        ("blackjack", "insurance.pays", "3:1"),
        ("spanish-21", "double.max_doubles", 1),
        ("players-edge-21", "surrender", "none"),
        ("knockout-21", "game_1_hit", "literal"),
        ("knockout-52", "pays.round_3", "11:1"),
        ("knockout-52", "decks", 8),
    ],
)
def test_some_of_them_solved_again(game: str, key: str, value: object) -> None:
    worth = kept()[game]
    ((wager, was),) = [(wager, found) for one, wager, found in worth["options"][key] if one == value]
    assert edge(cr.Game(game, {key: value}), wager) == pytest.approx(was, abs=1e-9), AGAIN
    assert edge(cr.Game(game), wager) == pytest.approx(worth["edges"][wager], abs=1e-9), AGAIN


def test_whom_an_option_favours_is_what_the_registry_says() -> None:
    """The registry names by hand who gains when an option goes from the first of its values to the last."""
    looked_at = 0
    for game in MAIN:
        worth = kept()[game]
        for lever in GAMES[game].levers:
            own = load_rules(game).flat()[lever.option]
            edges = {repr(own): worth["edges"]["primary"]}
            edges |= {repr(value): found for value, _, found in worth["options"][lever.option]}
            ordered = [edges[repr(value)] for value in lever.values if repr(value) in edges]
            assert ordered == sorted(ordered, reverse=lever.favours == "player"), (game, lever)
            looked_at += len(ordered) > 1
    assert looked_at > 10


def test_a_pay_of_one_more_is_worth_its_chance() -> None:
    """By hand: it moves the edge by the chance to win."""
    odds = cr.Game("knockout-52").odds()
    for key, values in kept()["knockout-52"]["options"].items():
        for value, wager, found in values:
            if key.startswith("pays.") and key != "pays.round_1":
                own = int(load_rules("knockout-52").flat()[key].partition(":")[0])
                step = int(value.partition(":")[0]) - own
                assert found == pytest.approx(odds[wager] - step * odds[wager].hit_frequency, abs=1e-9)


@pytest.mark.slow
def test_the_page_says_what_each_is_worth() -> None:
    page = options_tables()
    for game in GAMES:
        for key, *_ in _options(load_rules(game)):
            assert f"| `{key}` |" in page
    assert worth_words(kept()["blackjack"], "dealer_hits_soft_17").startswith("`false` −0.2"), (
        "as is well known"
    )
    assert worth_words(kept()["blackjack"], "super_bonus.offered") == "`true` nothing"
    assert "(insurance)" in worth_words(kept()["blackjack"], "insurance.pays")
    assert worth_words(kept()["blackjack"], "limits.min") == ""
