"""Figures for a wager of one size, with chips, caps and bonuses by size: the engine pays them, cent for cent,
over every card that can come."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from math import perm

import pytest

from cardroom.core.cards import Card
from cardroom.engine import knockout52
from cardroom.engine.twentyone import Action
from cardroom.engine.twentyone.state import Hand
from cardroom.engine.walk import Branches, walk
from cardroom.exact.knockout52 import wager_figures
from cardroom.exact.twentyone import ExactSolution, parse_shoe, solve
from cardroom.model.twentyone.automaton import ACTIONS
from tests.exact_twentyone import engine_mean, node_of
from tests.knockout52_tables import TinyRules, tiny
from tests.twentyone import house

Case = tuple[str, Mapping[str, object], str, tuple[int, ...], int]
"""A game, what is changed, a shoe, wagers in cents, and how many different values they have."""

CHIP = {"rounding": "chip", "insurance.offered": False, "super_bonus.offered": False}
CENTS = {**CHIP, "rounding": "cents"}
ONE_HAND = {"split.max_hands": 1}
CASES: Mapping[str, Case] = {
    "6:5 in chips": (
        "blackjack",
        {**CHIP, **ONE_HAND, "blackjack_pays": "6:5"},
        "Ac:3,9c:2,Tc:4",
        (100, 400, 500, 700, 1000),
        3,  # up to $4 a blackjack wins even money, $5 and $10 are paid in full, $7 wins $8
    ),
    "a surrender in chips": (
        "blackjack",
        {**CHIP, **ONE_HAND, "surrender": "late"},
        "7c:3,9c:3,Tc:4",
        (100, 300, 400, 500),
        4,
    ),
    "7:6 in cents": (
        "blackjack",
        {**CENTS, **ONE_HAND, "blackjack_pays": "7:6", "limits.chip": "0.01", "limits.min": "0.01"},
        "Ac:3,9c:2,Tc:4",
        (1, 6, 10, 100),
        4,
    ),
    "split hands in chips": (
        "blackjack",
        {**CHIP, "split.max_hands": 3, "blackjack_pays": "6:5"},
        "8c:5,Ac:2,Tc:5",
        (300, 500),
        2,
    ),
    "bonus 21s in chips": (
        "spanish-21",
        {**CHIP, **ONE_HAND, "double.max_doubles": 0},
        "6c:1,6d:1,6s:2,7s:1,7d:1,8d:1,8s:2",
        (100, 200, 300, 500),
        4,
    ),
    "capped doubles": (
        "players-edge-21",
        {**CENTS, **ONE_HAND, "limits.max": "10.00", "limits.side_max": "10.00"},
        "2c:4,3c:2,Kc:4",
        (100, 200, 300, 500, 700, 1000),
        5,  # $1 and $2 are not capped: their third double adds $4 and $8
    ),
    "capped doubles in chips, rescue before the last": (
        "players-edge-21",
        {
            **CHIP,
            **ONE_HAND,
            "limits.max": "10.00",
            "limits.side_max": "10.00",
            "double.rescue": "before-last-double",
        },
        "2c:4,3c:2,Kc:4",
        (300, 700),
        2,
    ),
}


def choice(solution: ExactSolution, hand: Hand, hands: int, up: Sequence[Card]) -> Action:
    """What the solution does with an engine's hand."""
    solver = solution.solver
    return ACTIONS[int(solution.actions[solver.seen_of(up)][node_of(solver, hand, hands)])]


@pytest.mark.clause("21-1.14", "PE21-8.2")
@pytest.mark.parametrize("name", CASES)
def test_the_engine_pays_what_is_expected_of_a_wager_of_that_size(name: str) -> None:
    game, changes, shoe, wagers, different = CASES[name]
    rules = house(game, changes)
    values = set()
    for wager_cents in wagers:
        solution = solve(rules, shoe=parse_shoe(shoe), wager_cents=wager_cents, exact=True)
        cards, choose = solution.solver.shoe.cards, partial(choice, solution)
        assert engine_mean(rules, cards, choose, wager_cents) == solution.expected_value
        values.add(solution.expected_value)
    assert len(values) == different


def knockout_mean(rules: TinyRules, stake_cents: int) -> dict[str, Fraction]:
    """What the engine pays on each wager for each unit staked, every card dealt that can come."""
    layout = rules.layout
    arrangements = perm(rules.shoe.total, layout.spaces)

    def fold(game: knockout52.Game, branches: Branches[knockout52.Event, dict[str, int]]) -> dict[str, int]:
        """What each wager wins over all arrangements of the remaining cards."""
        if not branches:
            rest = perm(rules.shoe.total - len(game.cards), layout.spaces - len(game.cards))
            return {wager: rest * cents for wager, cents in knockout52.net_cents(game).items()}
        return {
            wager: sum(branch.weight * branch.value[wager] for branch in branches) for wager in layout.wagers
        }

    stakes = [knockout52.Stakes(wager, {wager: stake_cents}) for wager in layout.wagers]
    net = walk(knockout52, knockout52.start(rules, stakes)[0], fold)
    return {wager: Fraction(cents, arrangements * stake_cents) for wager, cents in net.items()}


@pytest.mark.clause("KO52-11")
def test_knockout_52_pays_what_is_expected_of_a_stake_of_that_size() -> None:
    own = tiny(3, 2, 2)
    for rounding in ("cents", "chip"):
        rules = own.model_copy(update={"rounding": rounding})
        values = set()
        for stake_cents in (100, 200, 300, 500):
            expected = {each.wager: each.expected_value for each in wager_figures(rules, stake_cents)}
            assert knockout_mean(rules, stake_cents) == expected
            values.add(expected["round-1"])
        # Half of $1 is paid as nothing, of $3 as $1, of $5 as $2; $2 is paid in full.
        assert len(values) == (1 if rounding == "cents" else 4)
