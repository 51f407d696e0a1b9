"""In how many ways each line of a side bet comes from many shoes: whole numbers, counted card by card."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardroom.core.cards import CARDS
from cardroom.rules.twentyone.schema import TwentyOneRules
from cardroom.sim.compiled import kernel
from cardroom.sim.twentyone.sides import is_by_machine, lines_of, place_of_four, side_tables


def can_count(rules: TwentyOneRules, wager: str) -> bool:
    """Whether a bet is decided by cards that are always dealt, at most three or any four."""
    return not is_by_machine(rules.side_bets[wager])


def side_ways(rules: TwentyOneRules, wager: str, shoes: NDArray[np.int64]) -> NDArray[np.int64]:
    """[shoe, line]: ordered draws that make a line, the loss first; `shoes[shoe, card]` says how many.

    The lines of a shoe add up to all its draws, of three cards or of four.
    """
    bet = rules.side_bets[wager]
    tables = side_tables([bet], hits_soft_17=rules.dealer_hits_soft_17)
    ways = np.zeros((len(shoes), len(lines_of(bet))), np.int64)
    counts = np.ascontiguousarray(shoes, np.int64)
    if len(tables.lines_of_three):
        lines = tables.lines_of_three[0]
        two = _lines_of_two(lines)
        if two is None:
            _three(counts, lines, ways)
        else:
            _two(counts, two, ways)
    else:
        _four(counts, tables.lines_of_four[0], ways)
    return ways


def _lines_of_two(lines: NDArray[Any]) -> NDArray[Any] | None:
    """[card, card], where one of the three cards is nothing to the bet; None where all of them matter."""
    for axis in range(lines.ndim):
        first = np.take(lines, [0], axis)
        if (lines == first).all():
            return np.ascontiguousarray(first.squeeze(axis))
    return None


@kernel
def _two(shoes: Any, lines: Any, ways: Any) -> Any:
    """Each pair as often as a third card can be drawn with it."""
    for shoe in range(shoes.shape[0]):
        counts = shoes[shoe]
        third = counts.sum() - 2
        for a in range(_DECK):
            for b in range(_DECK):
                two = counts[a] * (counts[b] - (a == b))
                if two > 0:
                    ways[shoe, lines[a, b]] += two * third


@kernel
def _three(shoes: Any, lines: Any, ways: Any) -> Any:
    for shoe in range(shoes.shape[0]):
        counts = shoes[shoe]
        for a in range(_DECK):
            if counts[a] == 0:
                continue
            for b in range(_DECK):
                two = counts[a] * (counts[b] - (a == b))
                if two <= 0:
                    continue
                for c in range(_DECK):
                    ways[shoe, lines[a, b, c]] += two * (counts[c] - (a == c) - (b == c))


@kernel
def _four(shoes: Any, lines: Any, ways: Any) -> Any:
    """Sets of four cards a ≤ b ≤ c ≤ d, each as often as it can be drawn in any order."""
    for shoe in range(shoes.shape[0]):
        counts = shoes[shoe]
        for a in range(_DECK):
            if counts[a] == 0:
                continue
            for b in range(a, _DECK):
                two = counts[a] * (counts[b] - (a == b))
                if two <= 0:
                    continue
                for c in range(b, _DECK):
                    three = two * (counts[c] - (a == c) - (b == c))
                    if three <= 0:
                        continue
                    # 24 orders, divided by the orders of cards that are the same.
                    same = (6 if b == c else 2) if a == b else (2 if b == c else 1)
                    run = 1 + (b == c) * (1 + (a == b))
                    for d in range(c, _DECK):
                        left = counts[d] - (a == d) - (b == d) - (c == d)
                        if left > 0:
                            alike = same * (run + 1) if c == d else same
                            ways[shoe, lines[place_of_four(a, b, c, d)]] += three * left * (24 // alike)


_DECK = len(CARDS)
