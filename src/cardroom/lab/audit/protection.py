"""Our value of every quantity of game protection that a published figure names."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cardroom.core.cards import CARDS
from cardroom.exact.twentyone import solve
from cardroom.lab.published.figures import SimulatedValue
from cardroom.lab.published.protection import GRIFFIN_EFFECTS
from cardroom.protect.counts import systems
from cardroom.protect.depths import perfect_by_depth, suits_by_depth
from cardroom.protect.effects import INSURANCE, PRIMARY, Effects, effects_of
from cardroom.protect.hole_card import hole_card_worth
from cardroom.protect.indices import Index, find_indices
from cardroom.protect.paths import deal_paths
from cardroom.rules import parse_rules_as
from cardroom.rules.twentyone import TwentyOneRules

Number = Fraction | float | SimulatedValue
Counts = NDArray[np.int64]
Floats = NDArray[np.float64]
SEED: Final = 3
SHOES: Final = 20_000
"""Dealt round by round for the depths of counts of suits and of perfect play."""
BATCH: Final = 2000
"""Of them dealt at a time, each with a seed of its own from `SEED` on."""
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
def _rounds(canonical_text: str, cut_place: int, rounds_after_cut: int) -> tuple[Counts, Counts]:
    """Of each round its shoe, and how many cards are left before it."""
    rules = parse_rules_as(TwentyOneRules, canonical_text)
    cut_cards = rules.shoe().total - cut_place
    shoes: list[Counts] = []
    left: list[Counts] = []
    for batch in range(SHOES // BATCH):
        paths = deal_paths(rules, BATCH, cut_cards, SEED + batch, rounds_after_cut=rounds_after_cut)
        shoes.append(batch * BATCH + paths.shoe)
        left.append(paths.unseen)
    return np.concatenate(shoes), np.concatenate(left)


def _over_depths(
    rules: TwentyOneRules, place: str, more_rounds: str, values: Floats, base: Floats | None = None
) -> SimulatedValue:
    """The mean of exact values by depth over the rounds of a dealt table, for each of them or for a base."""
    shoe, left = _rounds(rules.canonical_text(), int(place), int(more_rounds))
    won = np.bincount(shoe, weights=values[left])
    made = np.bincount(shoe, weights=np.ones(len(left)) if base is None else base[left])
    mean = float(won.sum() / made.sum())
    error = float(np.sqrt(np.square(won - mean * made).sum()) / made.sum())
    return SimulatedValue(mean, error, len(left), SEED)


@lru_cache(maxsize=4)
def _suits_by_left(canonical_text: str, wager: str, count: str, least: int, most: int) -> Floats:
    """[share or win, cards left]"""
    rules = parse_rules_as(TwentyOneRules, canonical_text)
    by_left = np.zeros((2, most + 1))
    for left in range(least, most + 1):
        by_left[:, left] = suits_by_depth(rules, wager, float(count), left)
    return by_left


def _suits(
    rules: TwentyOneRules, what: str, wager: str, count: str, place: str, more_rounds: str
) -> SimulatedValue:
    text = rules.canonical_text()
    left = _rounds(text, int(place), int(more_rounds))[1]
    share, win = _suits_by_left(text, wager, count, int(left.min()), int(left.max()))
    if what == "share":
        return _over_depths(rules, place, more_rounds, share)
    if what == "edge":
        return _over_depths(rules, place, more_rounds, win, share)
    return _over_depths(rules, place, more_rounds, 100 * win)


def _perfect(rules: TwentyOneRules, wager: str, place: str, more_rounds: str) -> SimulatedValue:
    return _over_depths(rules, place, more_rounds, 100 * perfect_by_depth(rules, wager))


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
    (f"perfect play of (.+) by depth alone, {_CUT}", _perfect),
    ("Hi-Lo count at which (.+) begins to pay", _index),
)
"""Patterns of quantities, and how each is computed from the rules and the words in the pattern."""
