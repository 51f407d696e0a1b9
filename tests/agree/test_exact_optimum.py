"""The best strategies of the solver against every strategy of their class, in fractions, on small shoes.

`basic` is the best of a class: one order of actions for each cell of a chart, and whether a pair is split by
its rank. All of it is tried, splits and resplits included: up to 10⁶¹ charts, of which no two differ in what
they do.

`composition` is not the best of a class but is defined in two steps, as the literature's CDZ-. First the zone
of play: every hand does what is best for it with no cards out but its own; after a split the same, by the
options that it then has. Second: a pair is split where that is worth more with that zone, and is then split
again wherever it may be. Each step is tried whole: every way to play every hand, then every set of pairs.
Where nothing is split, it is the best of all strategies by composition, and that is tried as a whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest

from cardroom.core.cards import Card, Rank, parse_cards
from cardroom.core.decks import CardCounts
from cardroom.engine.twentyone.state import Hand
from cardroom.exact.twentyone import parse_shoe, solve
from cardroom.model.twentyone.strategy import Chart
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.rules.twentyone.law import Action
from tests.chart_cells import IS_NOT_SPLIT, IS_SPLIT, ChartCells, by_composition, pair_of
from tests.every_strategy import ALWAYS, Needs, best_of_all, strategies, worth_of_round
from tests.lone_hand import LoneHand, in_order
from tests.thorough import one_in
from tests.twentyone import house

Case = tuple[str, Mapping[str, object], str]
S17 = {"dealer_hits_soft_17": False}
NO_SPLIT = {"split.max_hands": 1}
ONE_SPLIT = {"split.max_hands": 2}
FREE_ACES = {"split.resplit_aces": True, "split.hit_aces": True, "split.double_aces": True}
REDOUBLE = {"double.max_doubles": 2, "double.on": "any_cards"}

WITHOUT_SPLITS: list[Case] = [
    ("blackjack", NO_SPLIT, "6c:4,8c:3,Tc:5"),
    ("blackjack", NO_SPLIT, "Ac:3,6c:3,Tc:5"),
    ("blackjack", {**NO_SPLIT, **S17, "surrender": "late"}, "Ac:3,6c:3,Tc:5"),
    ("blackjack", {**NO_SPLIT, **REDOUBLE}, "4c:3,5c:3,Tc:6"),
    ("blackjack", {**NO_SPLIT, "double.rescue": "original"}, "4c:4,7c:4,Tc:4"),
    ("blackjack", {**NO_SPLIT, **REDOUBLE, "double.rescue": "before-last-double"}, "5c:4,8c:2,Tc:3"),
    ("spanish-21", {**NO_SPLIT, "double.max_doubles": 1}, "6s:2,6c:1,7s:2,8s:2,8c:1,Kc:5"),
    ("spanish-21", NO_SPLIT, "7s:4,7c:2,6s:2,8s:2,Kc:4"),
    ("spanish-21", {**NO_SPLIT, "double.max_doubles": 0}, "4c:5,5c:3,6c:1,Kc:2"),
    ("players-edge-21", {**NO_SPLIT, "double.rescue": "before-last-double"}, "5c:3,6c:3,Kc:4"),
    # Of these the best chart is not to be found by changing one cell after the other.
    ("blackjack", NO_SPLIT, "2c:5,6c:3,Tc:3"),
    ("blackjack", NO_SPLIT, "Ac:3,3c:3,Tc:5"),
    ("blackjack", {**NO_SPLIT, "double.rescue": "original"}, "2c:3,6c:6,Tc:6"),
    ("blackjack", {**NO_SPLIT, "double.on": "any_cards"}, "6c:4,2c:3,Tc:5"),
    ("players-edge-21", {**NO_SPLIT, "surrender": "none"}, "3c:6,5c:3,Kc:6"),
]
WITH_SPLITS: list[Case] = [
    ("blackjack", ONE_SPLIT, "6c:4,8c:3,Tc:5"),
    ("blackjack", {**ONE_SPLIT, "double.after_split": False, **S17}, "5c:3,8c:3,Tc:6"),
    ("blackjack", {**ONE_SPLIT, "surrender": "late"}, "7c:4,9c:3,Tc:5"),
    ("blackjack", {**ONE_SPLIT, "split.unlike_tens": False}, "Tc:4,Kc:2,9c:3"),
    ("blackjack", {**ONE_SPLIT, "split.unlike_tens": False}, "Tc:2,Kc:4,6c:6"),
    ("blackjack", {**ONE_SPLIT, "split.unlike_tens": False}, "Tc:3,Qc:3,8c:6"),
    ("blackjack", {"split.max_hands": 3, "split.resplit_aces": True}, "Ac:4,Tc:12"),
    ("blackjack", {**ONE_SPLIT, **FREE_ACES}, "Ac:3,9c:3,Tc:6"),
    ("blackjack", {}, "9c:6,Tc:10"),
    ("spanish-21", {**ONE_SPLIT, "double.max_doubles": 1}, "7s:3,7c:2,8c:3,Kc:7"),
    ("players-edge-21", ONE_SPLIT, "7s:3,7c:2,Kc:5"),
    ("players-edge-21", {"split.max_hands": 3}, "8c:5,Kc:9"),
    ("players-edge-21", {}, "9c:6,Kc:10"),
    # Of these the best chart is not to be found by changing one cell after the other.
    ("blackjack", {**ONE_SPLIT, "split.double_aces": True}, "Ac:3,7c:4,Tc:6"),
    ("blackjack", {**ONE_SPLIT, "split.double_aces": True}, "2c:3,7c:6,Tc:7"),
    ("blackjack", {**ONE_SPLIT, "double.max_doubles": 0}, "Ac:4,7c:4,Tc:8"),
    ("blackjack", {**ONE_SPLIT, **S17}, "3c:3,7c:2,Tc:7"),
    ("blackjack", {**ONE_SPLIT, **S17, "double.rescue": "original"}, "9c:4,Ac:3,Tc:11"),
    ("spanish-21", {**ONE_SPLIT, "double.after_split": False}, "8s:3,8c:1,3c:3,Kc:10"),
    ("spanish-21", {**ONE_SPLIT, "double.after_split": False}, "5c:2,6c:2,Kc:9"),
]
MAY_RUN_OUT: list[Case] = [
    ("blackjack", {**ONE_SPLIT, **FREE_ACES}, "Ac:4,5c:2,Tc:4"),
    ("players-edge-21", {**ONE_SPLIT, "double.max_doubles": 2}, "5c:3,6c:3,Kc:3"),
]


def some(cases: list[Case]) -> list[Any]:
    return one_in(2, cases, several=True)


def ids(cases: list[Case]) -> list[str]:
    return [
        f"{game} {' '.join(f'{key}={value}' for key, value in changes.items())} {shoe}"
        for game, changes, shoe in cases
    ]


def given(game: str, changes: Mapping[str, object], shoe: str) -> tuple[TwentyOneRules, CardCounts]:
    # Insurance is a wager of its own and the Super Bonus a line of its own.
    apart = {"insurance.offered": False, "super_bonus.offered": False}
    return house(game, {**apart, **changes}), parse_shoe(shoe)


def check(rules: TwentyOneRules, shoe: CardCounts, name: str, best: Fraction) -> None:
    """The solver in fractions is worth just that, and the compiled one the same."""
    assert solve(rules, name, shoe=shoe, exact=True).expected_value == best
    assert solve(rules, name, shoe=shoe).expected_value == pytest.approx(float(best), abs=1e-12)


@pytest.mark.parametrize(
    ("game", "changes", "shoe"), some(CASES := WITHOUT_SPLITS + WITH_SPLITS), ids=ids(CASES)
)
def test_no_chart_is_worth_more_than_basic(game: str, changes: Mapping[str, object], shoe: str) -> None:
    rules, cards = given(game, changes, shoe)
    worth = worth_of_round(rules, cards, ChartCells(rules).decide)
    assert strategies(worth) > 10**5
    check(rules, cards, "basic", best_of_all(worth))


@pytest.mark.parametrize(("game", "changes", "shoe"), some(WITHOUT_SPLITS), ids=ids(WITHOUT_SPLITS))
def test_nothing_by_composition_is_worth_more(game: str, changes: Mapping[str, object], shoe: str) -> None:
    rules, cards = given(game, changes, shoe)
    worth = worth_of_round(rules, cards, by_composition)
    assert strategies(worth) > 10**5
    check(rules, cards, "composition", best_of_all(worth))


class Zone:
    """The first step of `composition` tried whole; the second is left to be chosen."""

    def __init__(self, rules: TwentyOneRules, shoe: CardCounts) -> None:
        self.rules = rules
        self.against = cache(lambda up: LoneHand(rules, shoe, up))

    def action(self, hand: Hand, up: Card) -> Action:
        lone: LoneHand = self.against(up)
        return lone.zone(in_order(hand.cards, hand.from_split), hand.doubles, hand.from_split)

    def decide(
        self, hand: Hand, hands: int, up: Card, options: tuple[Action, ...]
    ) -> Iterable[tuple[Action, Needs]]:
        cell = (up.value, pair_of(self.rules, hand))
        if Action.SPLIT not in options:
            yield self.action(hand, up), ALWAYS
        elif hand.from_split:
            yield Action.SPLIT, ALWAYS
        else:
            yield Action.SPLIT, frozenset({(cell, IS_SPLIT)})
            yield self.action(hand, up), frozenset({(cell, IS_NOT_SPLIT)})


@pytest.mark.parametrize(("game", "changes", "shoe"), some(WITH_SPLITS), ids=ids(WITH_SPLITS))
def test_no_other_pairs_are_better_split(game: str, changes: Mapping[str, object], shoe: str) -> None:
    rules, cards = given(game, changes, shoe)
    worth = worth_of_round(rules, cards, Zone(rules, cards).decide)
    assert strategies(worth) >= 8
    check(rules, cards, "composition", best_of_all(worth))


@pytest.mark.parametrize(("game", "changes", "shoe"), MAY_RUN_OUT, ids=ids(MAY_RUN_OUT))
def test_also_of_a_shoe_that_may_run_out(game: str, changes: Mapping[str, object], shoe: str) -> None:
    rules, cards = given(game, changes, shoe)
    worth = worth_of_round(rules, cards, Zone(rules, cards).decide)
    assert solve(rules, shoe=cards, exact=True).expected_value == best_of_all(worth)


@pytest.mark.parametrize("hands", [2, 3, 4])
@pytest.mark.parametrize("strategy", ["basic", "composition"])
def test_a_pair_is_not_split_for_nothing(hands: int, strategy: str) -> None:
    """With tens alone every hand is a push, split or not; to stand is offered first."""
    rules, cards = given("blackjack", {"split.max_hands": hands}, "Tc:30")
    solution = solve(rules, strategy, shoe=cards)
    ten, *_ = pair = parse_cards("Tc Tc")
    assert solution.expected_value == 0
    assert solution.best_action(pair, ten) is Action.STAND


def test_aces_not_split_have_an_action_after_a_split_too() -> None:
    """They may be split again or stand there, and the chart says which, though no hand comes to it."""
    changes = {"split.max_hands": 3, "split.resplit_aces": True}
    rules, cards = given("blackjack", changes, "Ac:8,5c:8,6c:8,9c:8,Tc:3")
    best = solve(rules, "basic", shoe=cards).strategy
    again = next(
        number
        for number, hand in enumerate(best.automaton.hands)
        if hand.pair == Rank.ACE and hand.from_split
    )
    for up in (1, 5, 6, 9, 10):
        assert best.choose(again, up) is Action.STAND
    columns = [0, 4, 5, 8, 9]
    read = Chart.parse(best.chart().csv()).strategy(best.automaton)
    assert np.array_equal(read.action[:, columns], best.action[:, columns])
