"""The exact value of a wager from many shoes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice

from cardroom.core.decks import CardCounts
from cardroom.exact.figures import Number
from cardroom.protect.effects import PRIMARY, RE_OPTIMISED, value_of
from cardroom.rules.twentyone import TwentyOneRules

_AT_ONCE = 256


def values(
    rules: TwentyOneRules, shoes: Iterable[CardCounts], wager: str = PRIMARY, strategy: str = RE_OPTIMISED
) -> Iterator[Number]:
    """What a wager is worth from each shoe, in their order; the primary one by the best strategy for it.

    With `basic` it is played by the basic strategy of the full shoe, whatever is left.
    """
    worth, _ = value_of(rules, wager, strategy)
    remaining = iter(shoes)
    with ThreadPoolExecutor() as threads:
        while some := list(islice(remaining, _AT_ONCE)):
            yield from threads.map(worth, some)
