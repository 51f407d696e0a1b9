"""Three readings of the blackjack family held against each other at full size.

python -m bench.agree                  # all of it
python -m bench.agree --only exact     # simulated against exact values, 10⁹ rounds for each set of rules
python -m bench.agree --only engine    # kernel against engine, 100,000 random shoes for each option changed
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from time import perf_counter

from cardroom.exact.twentyone import solve
from cardroom.lab.agreement import automaton_of, disagreements
from cardroom.lab.rule_sets import EACH_OPTION, FAMILY, SOLVED, Changed, words
from cardroom.rules import load_rules_as
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.sim.batches import threads
from cardroom.sim.twentyone import simulate
from cardroom.sim.twentyone.dice import dice, random_actions, random_shoes

SEED = 2026
ROUNDS = 10**9
SHOES = 100_000
SHOES_PER_STRATEGY = 1000
SPOTS = (1, 1, 1, 1, 2, 1, 1, 1, 1, 7)
"""Mostly one spot, which has a kernel of its own."""
MOST_ERRORS = 3.0


def against_exact(rounds: int, workers: int) -> bool:
    """A table of simulated and exact values; whether all are within three standard errors."""
    print(f"| rules | exact | simulated | standard error | off by | million rounds/s |\n|---|{'--:|' * 5}")
    agreed = True
    for changed in SOLVED:
        rules = load_rules_as(TwentyOneRules, *changed)
        solution = solve(rules, "basic")
        began = perf_counter()
        result = simulate(
            rules,
            solution.strategy.action,
            rounds,
            seed=SEED,
            strategy="basic",
            side_bets=False,
            spread=threads(workers),
        )
        speed = rounds / (perf_counter() - began) / 1e6
        primary = result.estimate("primary")
        off = (float(primary.mean) - solution.expected_value) / primary.standard_error
        agreed &= abs(off) <= MOST_ERRORS
        figures = (solution.expected_value, float(primary.mean), primary.standard_error)
        columns = [words(changed), *(f"{100 * figure:.5f} %" for figure in figures), f"{off:+.2f} σ"]
        print(f"| {' | '.join(columns)} | {speed:.0f} |", flush=True)
    return agreed


def shoes_that_disagree(changed: Changed, shoes: int) -> list[str]:
    """Random shoes on which kernel and engine differ under a set of rules, each with a random strategy."""
    rules = load_rules_as(TwentyOneRules, *changed)
    generator = dice(SEED)
    found: list[str] = []
    for number in range(-(-shoes // SHOES_PER_STRATEGY)):
        actions = random_actions(automaton_of(rules), generator)
        some = random_shoes(rules, SHOES_PER_STRATEGY, generator)
        found += [str(one) for one in disagreements(rules, actions, some, SPOTS[number % len(SPOTS)])]
    return found


def against_engine(shoes: int, workers: int) -> bool:
    """A line for each set of rules; whether the kernel agreed with the engine on every shoe."""
    changes: Iterable[Changed] = [*((game, {}) for game in FAMILY), *EACH_OPTION]
    agreed = True
    with ProcessPoolExecutor(workers) as pool:
        for changed, task in [(one, pool.submit(shoes_that_disagree, one, shoes)) for one in changes]:
            found = task.result()
            agreed &= not found
            print(f"{words(changed)}: {shoes:,} shoes, {len(found)} disagreements", flush=True)
            for line in found[:3]:
                print(f"    {line}")
    return agreed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--only", choices=["exact", "engine"])
    parser.add_argument("--rounds", type=float, default=ROUNDS)
    parser.add_argument("--shoes", type=float, default=SHOES)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    agreed = True
    if given.only != "engine":
        agreed &= against_exact(int(given.rounds), given.workers)
    if given.only != "exact":
        agreed &= against_engine(int(given.shoes), given.workers)
    return 0 if agreed else 1


if __name__ == "__main__":
    raise SystemExit(main())
