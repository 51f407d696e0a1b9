"""Random house rules and shoes: fractions, the compiled solver, the simulator and the engine's tree agree."""

from __future__ import annotations

from fractions import Fraction

import pytest

from cardroom.core.decks import CardCounts
from cardroom.exact.twentyone import solve
from cardroom.lab.random_rules import Case, engine_law, examine, random_case
from cardroom.model.twentyone.automaton import compile_hands
from cardroom.sim.twentyone.from_shoe import results_from_shoe
from tests.twentyone import house

SEED = 12


@pytest.mark.parametrize("number", range(16))
def test_all_ways_agree(number: int) -> None:
    """Four cases of each kind of shoe; `make bench-random` has 200 others.

    Seeds are fixed: whatever is off by five standard errors is off for good.
    """
    finding = examine(random_case(number, seed=SEED), rounds=20_000)
    assert not finding.complaints


def test_a_tree_by_hand() -> None:
    """Tens alone: every hand is 20 against 20, a push."""
    rules = house("blackjack", {"split.max_hands": 1})
    shoe = CardCounts.parse("Kc:5")
    table = solve(rules, "basic", shoe=shoe, exact=True).table
    assert table is not None
    assert engine_law(compile_hands(rules, 1000), table.action, shoe) == {Fraction(0): Fraction(1)}


def test_a_round_that_uses_up_its_shoe_is_dead() -> None:
    """Two threes and two twos: every hand is hit, and there is no card for it (21-1.13)."""
    rules = house("blackjack", {"split.max_hands": 1, "double.max_doubles": 0})
    shoe = CardCounts.parse("2c:2,3c:2")
    table = solve(rules, "basic", shoe=shoe, exact=True).table
    assert table is not None
    assert results_from_shoe(rules, table.action, shoe, rounds=5000, seed=1) == {Fraction(0): 5000}


def test_split_hands_when_the_shoe_runs_out() -> None:
    """A split 21 that always wins is paid although the shoe has no card for the hands before it."""
    changes = {
        "decks": 1,
        "split.max_hands": 3,
        "split.hit_aces": True,
        "limits.min": "10.00",
        "limits.max": "30.00",
    }
    shoe = CardCounts.parse("Ac:5,7c:1,Kd:3,4s:1")
    finding = examine(Case(5, "small", ("spanish-21", changes), shoe), rounds=200_000)
    assert not finding.complaints


def test_a_hand_that_holds_the_last_cards_may_still_be_hit() -> None:
    """21-1.13: both dealer's cards lie open and none is left to deal; who hits then has the wager back."""
    finding = examine(random_case(52, seed=2026), rounds=20_000)
    assert finding.complaints == ()
    assert finding.engine_off == 0


def test_nobody_gives_up_a_hand_in_a_round_that_is_dead() -> None:
    """21-1.13: the shoe runs out at a split; a hand that would be surrendered in its turn goes back."""
    finding = examine(random_case(16, seed=2026), rounds=20_000)
    assert finding.complaints == ()
    assert finding.engine_off == 0
