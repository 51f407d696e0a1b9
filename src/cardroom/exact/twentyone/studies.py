"""What cards and rules are worth: the effect of removing a card, and of changing one option."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from cardroom.core.cards import CARDS, Rank
from cardroom.core.errors import CardroomError, MalformedInput
from cardroom.exact.twentyone.solution import Solution
from cardroom.exact.twentyone.solver import Solver
from cardroom.model.twentyone.strategy import Strategy
from cardroom.rules.loader import load_rules_as
from cardroom.rules.twentyone import TwentyOneRules

ALTERNATIVES: Final[Mapping[str, tuple[object, ...]]] = {
    "decks": (1, 2, 4, 6, 8, "infinite"),
    "dealer_hits_soft_17": (False, True),
    "blackjack_pays": ("1:1", "6:5", "3:2", "2:1"),
    "blackjack_always_wins": (False, True),
    "player_21_always_wins": (False, True),
    "charlie": ("none", 7, 6, 5),
    "dealer_22_pushes": (False, True),
    "dealer_blackjack_takes": ("all", "original"),
    "surrender": ("none", "late"),
    "split.max_hands": (1, 2, 3, 4),
    "split.resplit_aces": (False, True),
    "split.hit_aces": (False, True),
    "split.double_aces": (False, True),
    "double.on": ("two_cards", "any_cards"),
    "double.totals": ("10-11", "9-11", "any"),
    "double.after_split": (False, True),
    "double.max_doubles": (0, 1, 2, 3),
    "double.rescue": ("none", "original", "before-last-double"),
    "bonus_21.on_split_hands": (False, True),
}
"""The options of which the worth is asked, and their values."""


@dataclass(frozen=True, slots=True)
class Change:
    """What the game is worth with one option changed."""

    key: str
    value: object
    expected_value: float
    difference: float
    """From the rules as they are: above zero where the player gains."""


def sensitivity(
    rules: TwentyOneRules, strategy: str = "composition", wager_cents: int | None = None
) -> list[Change]:
    """The game with each option changed, one at a time, each time with the best strategy for it.

    The wager is of that size, or paid in full.
    """
    from cardroom.exact.twentyone import solve

    now = solve(rules, strategy, wager_cents=wager_cents).expected_value
    result = []
    for key, value, changed in neighbours(rules):
        worth = solve(changed, strategy, wager_cents=wager_cents).expected_value
        result.append(Change(key, value, worth, worth - now))
    return result


def neighbours(rules: TwentyOneRules) -> list[tuple[str, object, TwentyOneRules]]:
    """The rules that differ in one option; changes that contradict another option are left out."""
    flat = rules.flat()
    changes = []
    for key, values in ALTERNATIVES.items():
        for value in values:
            if value != flat[key]:
                try:
                    changed = with_option(rules, key, value)
                except CardroomError:
                    continue
                changes.append((key, value, changed))
    return changes


def with_option(rules: TwentyOneRules, key: str, value: object) -> TwentyOneRules:
    """The rules with one option changed."""
    changes: dict[str, Any] = {**rules.flat(), key: value}
    return load_rules_as(TwentyOneRules, rules.game, changes)


def effect_of_removal(
    rules: TwentyOneRules, strategy: Strategy | None = None, wager_cents: int | None = None
) -> dict[Rank, float]:
    """What the player gains when one card of a rank is missing from the shoe, the strategy unchanged.

    The strategy is the best by total and up card for the full shoe unless another is given. The wager is of
    that size, or paid in full.
    """
    if rules.decks == "infinite":
        raise MalformedInput("no card can be missing from infinitely many decks; set decks to 1 … 8")
    full = Solver.of(rules, wager_cents=wager_cents)
    strategy = strategy or full.best_strategy()
    now = Solution(full, strategy.name, strategy, full.play(strategy)).expected_value
    cards = rules.shoe()
    result: dict[Rank, float] = {}
    for rank in Rank:
        if cards.of_rank(rank) == 0:
            continue
        same = next((known for known in result if min(known, 10) == min(rank, 10)), None)
        if same is not None:
            result[rank] = result[same]
            continue
        # By suits only bonuses of three cards could tell; a missing card is of each suit as likely.
        worths = []
        for suit in range(4):
            without = Solver.of(rules, cards.without([CARDS[13 * suit + rank - 1]]), wager_cents)
            worths.append(Solution(without, strategy.name, strategy, without.play(strategy)).expected_value)
            if len(full.shoe.class_counts) == len(full.shoe.counts):
                break
        result[rank] = sum(worths) / len(worths) - now
    return result
