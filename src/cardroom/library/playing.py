"""How rounds are simulated: who plays them, by which table, from which shoes."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

from cardroom.core.errors import MalformedInput, Unavailable, UnknownName
from cardroom.library.arguments import integer, text, whole
from cardroom.rules import HouseRules
from cardroom.rules.twentyone import TwentyOneRules

if TYPE_CHECKING:
    from cardroom.exact.twentyone import Solution
    from cardroom.model.twentyone.strategy import Strategy
    from cardroom.protect.counts import Count
    from cardroom.protect.ramp import Ramp
    from cardroom.sim.batches import Spread
    from cardroom.sim.twentyone import Dealing


def spread_of(backend: str, workers: int | None, layout: HouseRules | None = None) -> Spread:
    """Who plays the rounds; the GPU knows the blackjack family only."""
    from cardroom.sim.batches import threads

    number = (os.cpu_count() or 1) if workers is None else whole(workers, "workers", least=1)
    text(backend, "the backend", "cpu")
    if backend == "cuda" and layout is not None:
        raise Unavailable(f"the GPU plays the blackjack family, not {layout.title}; use the backend cpu")
    if backend == "cuda":
        from cardroom.sim.twentyone.cuda import cuda

        on_gpu: Spread = cuda()
        return on_gpu
    if backend == "dask":
        from cardroom.sim.dask import dask

        return dask(None, number)
    if backend != "cpu":
        raise UnknownName(f"there is no backend {backend!r}; they are cpu, cuda and dask")
    return threads(number)


def table_of(solution: Solution) -> Strategy:
    """The strategy as the kernels play it; refused where it looks at more of a hand than its total."""
    exceptions = [] if solution.table is not None else solution.exceptions()
    if exceptions:
        cards, up, action, usual = exceptions[0]
        raise MalformedInput(
            f"the {solution.strategy_name} strategy cannot be simulated with these rules: "
            f"{len(exceptions)} hands are not played as their total ({cards} against {up}: {action}, not "
            f"{usual}), and a simulated hand is known by its total; use basic, a chart or a function"
        )
    return solution.strategy


def dealing_of(rules: TwentyOneRules, cut_cards: int | None) -> Dealing:
    """A new shoe for every round, or one until so many cards are left, with the house's burn."""
    from cardroom.sim.twentyone import Dealing

    if cut_cards is None:
        return Dealing.fresh()
    if rules.decks == "infinite":
        raise MalformedInput("a shoe of infinitely many decks has no cut card and no end", clause="PROC-6")
    dealing = Dealing(None, cut_cards, rules.procedure.burn_cards)
    dealing.plan(rules.shoe().total)  # refuses what cannot be dealt
    return dealing


def second_count(name: str | None) -> Count | None:
    """A count kept beside another one."""
    from cardroom.protect.counts import find_side_count

    return None if name is None else find_side_count(text(name, "the second count", "tens"))


def ramp_of(ramp: str | Mapping[int, int]) -> Ramp:
    """How many units are wagered from each count on."""
    from cardroom.protect.ramp import Ramp

    argument: object = ramp
    if isinstance(argument, str):
        return Ramp.parse(argument)
    if not isinstance(argument, Mapping) or not argument:
        raise MalformedInput(f"{ramp!r} is not a ramp; write it like '1:2,3:8' or {{1: 2, 3: 8}}")
    return Ramp.of(
        {integer(count, "a count of"): integer(units, "units of") for count, units in argument.items()}
    )
