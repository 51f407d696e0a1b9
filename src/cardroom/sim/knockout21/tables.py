"""The law of Knockout 21 compiled to arrays: asked once for everything a hand can be, then looked up."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cardroom.core.cards import CARDS
from cardroom.rules.knockout21 import GAME_OF_POSITION, GAMES, POSITIONS, Game1Hit
from cardroom.rules.knockout21.law import (
    DEALER_RESULTS,
    VALUES,
    Choice,
    basic_choice,
    dealer_draws,
    dealer_result,
    played_hand,
    wins_hand,
)

CHOICES: Final = (Choice.STAND, Choice.HIT)
"""A choice is its bit on a ticket: 0 stands, 1 hits."""
VALUE_OF_CARD: Final[NDArray[np.uint8]] = np.array([card.value - 1 for card in CARDS], dtype=np.uint8)
"""The value of each card less one, so that it can be an index."""


@cache
def win_table(reading: Game1Hit) -> NDArray[np.uint8]:
    """Whether a hand wins: [game − 1, hit card, dealer's result, choice, first card, second card]."""
    table = np.zeros((len(GAMES), len(VALUES), len(DEALER_RESULTS), 2, len(VALUES), len(VALUES)), np.uint8)
    for game, hit, first, second in product(GAMES, VALUES, VALUES, VALUES):
        for bit, choice in enumerate(CHOICES):
            player = played_hand(reading, game, (first, second), choice, hit)
            for result, dealer in enumerate(DEALER_RESULTS):
                table[game - 1, hit - 1, result, bit, first - 1, second - 1] = wins_hand(player, dealer)
    table.flags.writeable = False
    return table


@cache
def chart_table() -> NDArray[np.uint16]:
    """The bit of a hit by the charts: [position, dealer's first card, first card, second card]; else 0."""
    table = np.zeros((POSITIONS, len(VALUES), len(VALUES), len(VALUES)), np.uint16)
    for position, game in enumerate(GAME_OF_POSITION):
        for up, first, second in product(VALUES, VALUES, VALUES):
            if basic_choice(game, (first, second), up) is Choice.HIT:
                table[position, up - 1, first - 1, second - 1] = 1 << position
    table.flags.writeable = False
    return table


@dataclass(frozen=True, slots=True)
class DealerTable:
    """How a dealer's hand goes on: a state is all that matters of its cards; state 0 has none yet."""

    following: NDArray[np.int64]
    """[state, value − 1] → state."""
    result: NDArray[np.int64]
    """[state] → the dealer's result, or below zero while the dealer draws."""


@cache
def dealer_table() -> DealerTable:
    """Everything a dealer's hand can become, found by asking the law at each card."""
    seen: dict[tuple[int, bool, int], int] = {}
    hands: list[tuple[int, ...]] = []

    def state_of(hand: tuple[int, ...]) -> int:
        key = (sum(hand), 1 in hand, min(len(hand), 3))
        if key not in seen:
            seen[key] = len(hands)
            hands.append(hand)
        return seen[key]

    state_of(())
    following: list[list[int]] = []
    result: list[int] = []
    for hand in hands:  # grows while it is walked
        draws = dealer_draws(hand)
        following.append([state_of((*hand, value)) if draws else 0 for value in VALUES])
        result.append(-1 if draws else dealer_result(hand))
    return DealerTable(np.array(following), np.array(result))
