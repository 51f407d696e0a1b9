"""Our value of every quantity that a published figure of the blackjack family names."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import TYPE_CHECKING, Final

from cardroom.core.errors import MalformedInput
from cardroom.exact.figures import WagerFigures
from cardroom.exact.twentyone import Solution, solve
from cardroom.lab.audit.protection import PROTECTION_QUANTITIES
from cardroom.lab.dealer import dealer_finals
from cardroom.lab.findings import edge_with_winning_faces
from cardroom.lab.published.charts import cells_unlike
from cardroom.lab.published.figures import PublishedFigure, SimulatedValue
from cardroom.lab.twentyone import beside_figures
from cardroom.rules import parse_rules_as
from cardroom.rules.loader import load_rules_as, parse_changes
from cardroom.rules.twentyone import TwentyOneRules

if TYPE_CHECKING:
    from cardroom.sim.twentyone.spots import TwoSpots

Number = Fraction | float | SimulatedValue
SPOT_ROUNDS: Final = 1 << 24
"""Rounds of two spots: standard errors are then about 0.0003."""
SPOT_SEED: Final = 2


def computed(figure: PublishedFigure) -> Number:
    """Our value of a quantity, by its words."""
    rules = load_rules_as(TwentyOneRules, figure.game, dict(figure.changes))
    for pattern, compute in _QUANTITIES:
        match = re.fullmatch(pattern, figure.quantity)
        if match is not None:
            return compute(rules, *match.groups())
    raise MalformedInput(f"{figure.quantity!r} is not computed for {figure.game}")


def _solved(rules: TwentyOneRules, strategy: str) -> Solution:
    return _solved_text(rules.canonical_text(), strategy)


@lru_cache(maxsize=16)
def _solved_text(canonical_text: str, strategy: str) -> Solution:
    return solve(parse_rules_as(TwentyOneRules, canonical_text), strategy)


def _probability(rules: TwentyOneRules, result: str, strategy: str) -> float:
    return dict(_solved(rules, strategy).distribution).get(Fraction(result), 0.0)


def _added_edge(rules: TwentyOneRules, changes: str, strategy: str) -> float:
    changed = load_rules_as(TwentyOneRules, rules.game, {**rules.flat(), **parse_changes(changes.split())})
    return _solved(rules, strategy).expected_value - _solved(changed, strategy).expected_value


def _first_card(rules: TwentyOneRules, letter: str, strategy: str) -> float:
    parts = _solved(rules, strategy).by_first_card
    return next(part.expected_value for part in parts if part.name == letter)


def _two_spots(rules: TwentyOneRules, moment: str, strategy: str) -> SimulatedValue:
    spots = _spots_text(rules.canonical_text(), strategy)
    of_spots = {"variance of one": spots.variance, "covariance": spots.covariance}.get(moment, spots.mean)
    return SimulatedValue(of_spots.value, of_spots.standard_error, spots.rounds, spots.seed)


@lru_cache(maxsize=2)
def _spots_text(canonical_text: str, strategy: str) -> TwoSpots:
    from cardroom.sim.twentyone.spots import two_spots

    rules = parse_rules_as(TwentyOneRules, canonical_text)
    return two_spots(rules, _solved(rules, strategy).strategy.action, SPOT_ROUNDS, seed=SPOT_SEED)


def _beside(rules: TwentyOneRules, wager: str) -> WagerFigures:
    return next(figures for figures in beside_figures(rules) if figures.wager == wager)


def _hands(rules: TwentyOneRules, line: str, wager: str) -> Fraction:
    """How many of all sets of three cards make a line."""
    outcome = next(each for each in _beside(rules, wager).outcomes if each.outcome == line)
    return Fraction(outcome.probability) * comb(rules.shoe().total, 3)


_QUANTITIES: Final[tuple[tuple[str, Callable[..., Number]], ...]] = (
    *PROTECTION_QUANTITIES,
    ("(expected value|variance of one|covariance) of two spots with a cut card, (.+)", _two_spots),
    ("expected value, (.+)", lambda rules, name: _solved(rules, name).expected_value),
    ("house edge, (.+)", lambda rules, name: -_solved(rules, name).expected_value),
    ("expected value with a first card of (.), (.+)", _first_card),
    ("variance, (.+)", lambda rules, name: _solved(rules, name).variance),
    ("standard deviation, (.+)", lambda rules, name: _solved(rules, name).standard_deviation),
    (r"probability of ([-\d/]+), (.+)", _probability),
    ("added edge of (.+), (.+)", _added_edge),
    ("dealer's (.+)", lambda rules, final: dealer_finals(rules)[final]),
    ("hands of (.+) of (.+)", _hands),
    ("expected value of (.+)", lambda rules, wager: _beside(rules, wager).expected_value),
    ("house edge of (.+)", lambda rules, wager: -_beside(rules, wager).expected_value),
    ("hit frequency of (.+)", lambda rules, wager: _beside(rules, wager).hit_frequency),
    ("standard deviation of (.+)", lambda rules, wager: _beside(rules, wager).standard_deviation),
    ("probability of (.+)", lambda rules, wager: _beside(rules, wager).hit_frequency),
    ("cells unlike the published chart", cells_unlike),
    (
        "house edge if two identical suited faces won (after the look|at once)",
        lambda rules, when: edge_with_winning_faces(rules, at_once=when == "at once"),
    ),
)
"""Patterns of quantities, and how each is computed from the rules and the words in the pattern."""
