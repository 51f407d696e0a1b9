"""Strategies and shoes made by throws of dice, on which engine and kernel are compared."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardroom.model.twentyone.automaton import ACTIONS, Automaton
from cardroom.model.twentyone.columns import columns_of
from cardroom.rules.twentyone.law import Action
from cardroom.rules.twentyone.schema import TwentyOneRules
from cardroom.sim.twentyone.dealing import shoe_cards

_SPLITS_FAVOURED = 3.0


def dice(seed: int) -> np.random.Generator:
    """A generator for throws that can be repeated."""
    return np.random.default_rng(seed)


def random_actions(automaton: Automaton, generator: np.random.Generator) -> NDArray[np.int8]:
    """A strategy `action[state, column]` always within the rules, splits favoured."""
    columns = len(columns_of(automaton.rules))
    actions = np.zeros((len(automaton.may), columns), np.int8)
    for state, bits in enumerate(automaton.may):
        numbers = [number for number in range(len(ACTIONS)) if bits >> number & 1]
        if numbers:
            weights = np.array([_SPLITS_FAVOURED if ACTIONS[n] is Action.SPLIT else 1.0 for n in numbers])
            actions[state] = generator.choice(numbers, size=columns, p=weights / weights.sum())
    for up in range(columns):
        forbidden = automaton.may & ~automaton.may_against(up)
        actions[forbidden >> actions[:, up] & 1 == 1, up] = ACTIONS.index(Action.STAND)
    return actions


def random_shoes(rules: TwentyOneRules, count: int, generator: np.random.Generator) -> NDArray[np.uint8]:
    """[shoe, card]: full shoes in random order."""
    return generator.permuted(np.tile(shoe_cards(rules), (count, 1)), axis=1)
