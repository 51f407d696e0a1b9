"""Our value of every quantity of game protection that a published figure names."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import Final

import numpy as np

from cardroom.core.cards import CARDS
from cardroom.exact.twentyone import solve
from cardroom.lab.published.figures import SimulatedValue
from cardroom.lab.published.protection import GRIFFIN_EFFECTS
from cardroom.protect.counts import systems
from cardroom.protect.effects import INSURANCE, PRIMARY, Effects, effects_of
from cardroom.protect.hole_card import hole_card_worth
from cardroom.protect.indices import Index, find_indices
from cardroom.protect.paths import Paths, deal_paths
from cardroom.protect.suits import SuitCount, play_suit_count
from cardroom.protect.worth import side_worth
from cardroom.rules import parse_rules_as
from cardroom.rules.twentyone import TwentyOneRules

Number = Fraction | float | SimulatedValue
SEED: Final = 3
SHOES: Final = 2000
"""Dealt round by round for counts of suits and perfect play."""
CUT_SHOES: Final = 1_000_000
INDEX_SHOES: Final = 60
_CUT: Final = "cut at card ([0-9]+) and ([0-9]) round more"
"""Where the cut card lies, and how many rounds are dealt after the one in which it comes out."""


def _effect(rules: TwentyOneRules, letter: str, wager: str, strategy: str = "composition") -> Number:
    return _effects(rules.canonical_text(), wager, strategy).by_value[letter]


@lru_cache(maxsize=8)
def _effects(canonical_text: str, wager: str, strategy: str) -> Effects:
    return effects_of(parse_rules_as(TwentyOneRules, canonical_text), wager, strategy)


def _scaled(rules: TwentyOneRules, letter: str, wager: str, factor: str) -> Number:
    return Fraction(_effects(rules.canonical_text(), wager, "composition").by_value[letter]) * Fraction(
        factor
    )


def _betting(_rules: TwentyOneRules, count: str) -> float:
    """The correlation of a count with the row of effects that the source goes by."""
    row = {
        card: float(GRIFFIN_EFFECTS["T" if card.value == 10 else card.rank.letter]) / 100 for card in CARDS
    }
    return systems()[count].correlation(Effects(PRIMARY, "basic", len(CARDS), 1, 0.0, row))


def _insuring(rules: TwentyOneRules, count: str) -> float:
    return systems()[count].correlation(_effects(rules.canonical_text(), INSURANCE, "composition"))


def _hole_card(rules: TwentyOneRules) -> float:
    worth = hole_card_worth(rules)
    return worth.seen + float(worth.insurance or 0)


def _cut_card(rules: TwentyOneRules, strategy: str) -> SimulatedValue:
    from cardroom.sim.twentyone.cut_card import cut_card_effect

    solution = solve(rules, strategy)
    effect = cut_card_effect(rules, solution.strategy.action, solution.expected_value, CUT_SHOES, seed=SEED)
    rounds = round(effect.shoes * effect.rounds_per_shoe)
    return SimulatedValue(-effect.effect, effect.standard_error, rounds, SEED)


@lru_cache(maxsize=4)
def _paths(canonical_text: str, cut_place: int, rounds_after_cut: int) -> Paths:
    rules = parse_rules_as(TwentyOneRules, canonical_text)
    cut_cards = rules.shoe().total - cut_place
    return deal_paths(rules, SHOES, cut_cards, SEED, rounds_after_cut=rounds_after_cut)


def _suits(
    rules: TwentyOneRules, what: str, wager: str, count: str, place: str, more_rounds: str
) -> SimulatedValue:
    paths = _paths(rules.canonical_text(), int(place), int(more_rounds))
    counted: SuitCount = play_suit_count(paths, wager, float(count))
    value, error = {
        "share": (counted.share, counted.share_error),
        "edge": (counted.edge, counted.edge_error),
        "win for 100 rounds": (counted.win_per_100, counted.win_error),
    }[what]
    return SimulatedValue(value, error, counted.rounds, SEED)


def _perfect(rules: TwentyOneRules, wager: str, place: str, more_rounds: str) -> SimulatedValue:
    paths = _paths(rules.canonical_text(), int(place), int(more_rounds))
    won = np.maximum(side_worth(paths, wager).value, 0)
    mean = float(won.mean())
    sums = np.bincount(paths.shoe, weights=won)
    apart = sums - mean * np.bincount(paths.shoe)
    return SimulatedValue(100 * mean, 100 * float(np.sqrt(np.square(apart).sum())) / len(won), len(won), SEED)


@lru_cache(maxsize=2)
def _indices(canonical_text: str) -> dict[str, Index]:
    rules = parse_rules_as(TwentyOneRules, canonical_text)
    indices = find_indices(rules, systems()["hi-lo"], shoes=INDEX_SHOES, seed=SEED)
    return {str(one).rsplit(" ", 2)[0]: one for one in indices}


def _index(rules: TwentyOneRules, name: str) -> SimulatedValue:
    """The whole number that is played, for a count that is rounded down; its error is in its rounding."""
    one = _indices(rules.canonical_text())[name]
    return SimulatedValue(one.count, 0.0, INDEX_SHOES, SEED, "shoes")


PROTECTION_QUANTITIES: Final[tuple[tuple[str, Callable[..., Number]], ...]] = (
    ("effect of removing (.) on (.+) times ([0-9.]+)", _scaled),
    ("effect of removing (.) on (.+), (.+)", _effect),
    ("effect of removing (.) on (.+)", _effect),
    ("betting correlation of (.+) with Griffin's effects", _betting),
    ("insurance correlation of (.+)", _insuring),
    ("expected value with the hole card seen", _hole_card),
    ("cost of the cut card, (.+)", _cut_card),
    (
        f"(share|edge|win for 100 rounds) of (.+) from a suit count of ([0-9]+), {_CUT}",
        _suits,
    ),
    (f"perfect play of (.+), {_CUT}", _perfect),
    ("Hi-Lo count at which (.+) begins to pay", _index),
)
"""Patterns of quantities, and how each is computed from the rules and the words in the pattern."""
