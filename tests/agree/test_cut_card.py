"""What the cut card costs: nothing where every shoe serves one round, and what whole shoes show elsewhere."""

from __future__ import annotations

import pytest

from cardroom.core.errors import MalformedInput
from cardroom.exact.twentyone import solve
from cardroom.sim.twentyone import Dealing, simulate
from cardroom.sim.twentyone.cut_card import LEAST_SHOES, cut_card_effect
from tests.twentyone import house


def test_a_shoe_for_every_round_has_no_effect() -> None:
    rules = house("blackjack", {"decks": 2})
    basic = solve(rules, "basic")
    behind = rules.shoe().total - rules.procedure.burn_cards - 4  # the first four cards end the shoe
    found = cut_card_effect(
        rules, basic.strategy.action, basic.expected_value, 1000, seed=1, cut_cards=behind
    )
    assert (found.rounds_per_shoe, found.effect, found.standard_error) == (1.0, 0.0, 0.0)


@pytest.mark.parametrize(("game", "seed"), [("blackjack", 3), ("spanish-21", 4)])
def test_whole_shoes_show_the_same(game: str, seed: int) -> None:
    """All rounds of shoes dealt to the cut card, against those beyond a fixed number; seeds are fixed."""
    rules = house(game, {"decks": 1})
    basic = solve(rules, "basic")
    found = cut_card_effect(rules, basic.strategy.action, basic.expected_value, 200_000, seed=seed)
    whole = simulate(
        rules,
        basic.strategy.action,
        4_000_000,
        seed=seed,
        strategy="basic",
        dealing=Dealing.house(rules),
        side_bets=False,
    )
    primary = whole.estimate("primary")
    error = (primary.standard_error**2 + found.standard_error**2) ** 0.5
    assert float(primary.mean) - basic.expected_value == pytest.approx(found.effect, abs=4 * error)
    assert found.rounds_per_shoe == pytest.approx(whole.details["rounds_per_shoe"], rel=0.002)
    assert found.effect < -3 * found.standard_error  # it costs the player something
    assert 2 * found.standard_error < primary.standard_error  # of a twentieth of the rounds


def test_the_same_seed_the_same_effect_on_any_number_of_threads() -> None:
    rules = house("blackjack", {"decks": 1})
    basic = solve(rules, "basic")
    one, other = (
        cut_card_effect(rules, basic.strategy.action, basic.expected_value, 1000, seed=9, workers=workers)
        for workers in (1, 3)
    )
    assert one == other


def test_what_has_no_cut_card_is_refused() -> None:
    rules = house("blackjack", {"decks": "infinite"})
    actions = solve(rules, "basic").strategy.action
    with pytest.raises(MalformedInput, match="no cut card"):
        cut_card_effect(rules, actions, 0.0, 1000, seed=1)
    with pytest.raises(MalformedInput, match="too few"):
        cut_card_effect(house("blackjack"), actions, 0.0, LEAST_SHOES - 1, seed=1)
