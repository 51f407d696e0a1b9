"""The exact value of a wager from many shoes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from itertools import islice
from math import lcm

import numpy as np

from cardroom.core.decks import CardCounts
from cardroom.exact.figures import Number
from cardroom.protect.effects import PRIMARY, RE_OPTIMISED, value_of
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.sim.twentyone.side_ways import can_count, side_ways
from cardroom.sim.twentyone.sides import line_nets

_AT_ONCE = 256


def values(
    rules: TwentyOneRules, shoes: Iterable[CardCounts], wager: str = PRIMARY, strategy: str = RE_OPTIMISED
) -> Iterator[Number]:
    """What a wager is worth from each shoe, in their order; the primary one by the best strategy for it.

    With `basic` it is played by the basic strategy of the full shoe, whatever is left. Side bets on cards
    that are always dealt are fractions, counted for many shoes at once.
    """
    worth, _ = value_of(rules, wager, strategy)
    counted = wager in rules.offered_side_bets and can_count(rules, wager)
    remaining = iter(shoes)
    with ThreadPoolExecutor() as threads:
        try:
            while some := list(islice(remaining, _AT_ONCE)):
                yield from _counted(rules, wager, some) if counted else threads.map(worth, some)
        except BaseException:
            threads.shutdown(wait=False, cancel_futures=True)  # who interrupts does not wait for the others
            raise


def _counted(rules: TwentyOneRules, wager: str, shoes: Sequence[CardCounts]) -> Iterator[Fraction]:
    nets = line_nets(rules, wager, None)
    parts = lcm(*(net.denominator for net in nets))
    ways = side_ways(rules, wager, np.array([shoe.counts for shoe in shoes], np.int64))
    won = ways @ np.array([int(net * parts) for net in nets], np.int64)
    for units, draws in zip(won.tolist(), ways.sum(axis=1).tolist(), strict=True):
        yield Fraction(units, parts * draws)
