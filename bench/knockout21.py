"""How fast Knockout 21 is settled and worked out on this machine, and that both settlements agree."""

from __future__ import annotations

import argparse
import os
import resource
import time
from collections.abc import Callable
from random import Random
from typing import ParamSpec, TypeVar

from cardroom.core.cards import CARDS
from cardroom.engine.knockout21 import Draw, Pool, Ticket, settle, start, step
from cardroom.exact.knockout21.draw_figures import picture
from cardroom.rules.knockout21 import Knockout21Rules
from cardroom.rules.loader import load_rules_as
from cardroom.sim.knockout21.settlement import DrawnValues, pool_of, random_pool, settle_pool

P = ParamSpec("P")
Result = TypeVar("Result")


def timed(work: Callable[P, Result], *args: P.args, **kwargs: P.kwargs) -> tuple[float, Result]:
    """The wall time of one call, and what it gave."""
    begin = time.perf_counter()
    result = work(*args, **kwargs)
    return time.perf_counter() - begin, result


def random_draw(rules: Knockout21Rules, chance: Random) -> Draw:
    """A draw of random cards."""
    state, _ = start(rules, Pool((), tuple(chance.choices(CARDS, k=5))))
    while state.settlement is None:
        state, _ = step(state, chance.choice(CARDS))
    return state.draw


def values_of(draw: Draw) -> DrawnValues:
    """A draw as the vectorised settlement takes it."""
    return [([card.value for card in each.dealer], each.hit.value) for each in draw.positions]


def settlement(rules: Knockout21Rules, tickets: int, workers: int) -> None:
    """Settle ever larger pools: the cost is linear in tickets."""
    draw = random_draw(rules, Random(1))
    first = [card.value for card in draw.first_cards]
    settle_pool(rules, random_pool(1, first, seed=0), values_of(draw))  # compiles the kernels
    for number in (tickets // 100, tickets // 10, tickets):
        pool = random_pool(number, first, seed=1)
        seconds, settled = timed(settle_pool, rules, pool, values_of(draw), workers=workers)
        assert settled.account.tickets == number
        what = f"settle {number:>12,} tickets, {workers} workers"
        print(f"{what:40} {seconds:7.3f} s, {number / seconds / 1e6:.1f} million a second")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(f"memory at most {peak:.2f} GiB")


def agreement(rules: Knockout21Rules, pools: int) -> None:
    """Settle random small pools both ways; small ones have the most Lucky Losers."""
    chance = Random(2)
    lucky = 0
    for _ in range(pools):
        draw = random_draw(rules, chance)
        tickets = [
            Ticket.basic([(chance.choice(CARDS), chance.choice(CARDS)) for _ in range(15)], draw.first_cards)
            for _ in range(chance.choice((1, 2, 3, 5, 8)))
        ]
        readable = settle(rules, tickets, draw)
        fast = settle_pool(rules, pool_of(ticket.to_bytes() for ticket in tickets), values_of(draw))
        assert fast.account == readable.account
        assert fast.prizes_cents.tolist() == list(readable.prizes_cents)
        assert fast.lucky_loser_positions == readable.lucky_loser_positions
        lucky += len(readable.lucky_loser_positions)
    print(f"{pools:,} random pools settled alike both ways, {lucky:,} hands of Lucky Losers among them")


def pictures(rules: Knockout21Rules) -> None:
    """Work out whole draws."""
    for tickets in (100, 2000, 100_000):
        seconds, whole = timed(picture, rules, tickets=tickets)
        what = f"picture of {tickets:>8,} tickets, {whole.method}"
        print(f"{what:40} {seconds:7.3f} s")


def main() -> None:
    """Print a line for each figure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tickets", type=int, default=10_000_000)
    parser.add_argument("--pools", type=int, default=100_000)
    parser.add_argument("--workers", type=int, default=min(2, os.cpu_count() or 1))
    arguments = parser.parse_args()
    rules = load_rules_as(Knockout21Rules, "knockout-21")
    settlement(rules, arguments.tickets, arguments.workers)
    pictures(rules)
    agreement(rules, arguments.pools)


if __name__ == "__main__":
    main()
