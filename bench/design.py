"""Seconds of a search for paytables: `python bench/design.py`.

Five or six lines, thirty usual odds for each, three numbers of decks at once, every choice of lines; the
chances are counted in the same run.
"""

from __future__ import annotations

import argparse
import time
from fractions import Fraction

from cardroom.lab.design.search import USUAL_ODDS, Range, Target, find_paytables
from cardroom.rules.loader import load_rules_as
from cardroom.rules.twentyone import TwentyOneRules

BETS = ("21+3", "hot-3", "buster-blackjack")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edge", nargs=2, default=["3", "6"], help="per cent")
    low, high = (Fraction(one) / 100 for one in parser.parse_args().edge)
    target = Target(Range(low, high), decks=(2, 6, 8))
    for name in BETS:
        rules = load_rules_as(TwentyOneRules, "blackjack", {f"side_bets.{name}.offered": True})
        lines = len(rules.side_bets[name].lines)
        start, cpu_start = time.perf_counter(), time.process_time()
        found = find_paytables(rules, name, target)
        wall, cpu = time.perf_counter() - start, time.process_time() - cpu_start
        print(
            f"{name:18s} {lines} lines, {len(USUAL_ODDS)} odds: {wall:6.2f} s ({cpu:6.2f} s of CPU), "
            f"{len(found)} paytables"
        )


if __name__ == "__main__":
    main()
