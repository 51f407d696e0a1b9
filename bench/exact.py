"""CPU seconds of the exact solver, warm, and its memory: `python bench/exact.py`.

Every line is the least of several runs, tables compiled from the rules each time: nothing is kept but
compiled code. The first line is the first solution in the process, with whatever is still to be compiled.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Callable, Mapping
from functools import partial

from cardroom.exact import twentyone
from cardroom.exact.twentyone.nodes import compositions
from cardroom.model.twentyone import automaton
from cardroom.rules.loader import load_rules_as
from cardroom.rules.twentyone import TwentyOneRules

CASES: tuple[tuple[str, str, Mapping[str, object]], ...] = (
    ("blackjack, 6 decks, four hands", "blackjack", {}),
    ("blackjack, 1 deck", "blackjack", {"decks": 1}),
    ("blackjack, 8 decks", "blackjack", {"decks": 8}),
    ("blackjack, infinite deck", "blackjack", {"decks": "infinite"}),
    ("Spanish 21, 6 decks", "spanish-21", {}),
    ("Player's Edge 21, 6 decks", "players-edge-21", {}),
)


def cpu_seconds(work: Callable[[], object]) -> float:
    """The CPU time of one run."""
    start = time.process_time()
    work()
    return time.process_time() - start


def forget_tables() -> None:
    """Drop tables kept from earlier solutions, so that each run compiles the rules anew."""
    automaton._compiled.cache_clear()
    compositions.cache_clear()


def solving(rules: TwentyOneRules, strategy: str) -> float:
    """The CPU time of solving the game, from its rules to its expected value."""
    forget_tables()
    return cpu_seconds(lambda: twentyone.solve(rules, strategy).expected_value)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=7)
    runs = parser.parse_args().runs
    rules = load_rules_as(TwentyOneRules, "blackjack")
    first = cpu_seconds(lambda: [twentyone.solve(rules, name) for name in ("composition", "basic")])
    print(f"{'first solution in this process':38s} {first:8.3f} s")
    print(
        f"{'':38s} {'composition':>12s} {'basic':>12s} {'distribution':>13s}   (CPU seconds, least of {runs})"
    )
    for title, game, changes in CASES:
        rules = load_rules_as(TwentyOneRules, game, changes)
        row = [min(solving(rules, name) for _ in range(runs)) for name in ("composition", "basic")]
        row.append(cpu_seconds(partial(getattr, twentyone.solve(rules, "basic"), "distribution")))
        print(f"{title:38s} {row[0]:12.3f} {row[1]:12.3f} {row[2]:13.3f}")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"memory at most {peak:.0f} MB")


if __name__ == "__main__":
    main()
