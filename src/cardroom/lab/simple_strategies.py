"""Strategies that people play without a chart, as tables: what they cost beside the best."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from cardroom.model.twentyone.automaton import NONE, NUMBER_OF, Hand, compile_hands
from cardroom.model.twentyone.columns import columns_of
from cardroom.model.twentyone.strategy import Strategy
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.rules.twentyone.law import Action, dealer_draws

NEVER_BUST = 12
"""A hard total from which on a card can bust the hand."""


def mimic_the_dealer(rules: TwentyOneRules) -> Strategy:
    """Draw as the dealer does; never double, split or surrender."""
    return _of(rules, "mimic the dealer", lambda hand: dealer_draws(rules, hand.total, soft=hand.soft))


def never_bust(rules: TwentyOneRules) -> Strategy:
    """Draw only where no card busts the hand, and on soft hands as the dealer does."""
    return _of(
        rules,
        "never bust",
        lambda hand: dealer_draws(rules, hand.total, soft=True) if hand.soft else hand.total < NEVER_BUST,
    )


def _of(rules: TwentyOneRules, name: str, draws: Callable[[Hand], bool]) -> Strategy:
    automaton = compile_hands(rules)
    action = np.full((len(automaton.hands), len(columns_of(rules))), NONE, np.int8)
    for state, hand in enumerate(automaton.hands):
        options = automaton.options(state)
        if options and hand.cards >= 2:
            hits = Action.HIT in options and draws(hand)
            action[state] = NUMBER_OF[Action.HIT if hits else Action.STAND]
    return Strategy(name, automaton, action)
