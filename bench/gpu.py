"""The blackjack family on a GPU: that its sums are the CPU's to the round, and how many rounds it plays.

python -m bench.gpu                   # needs the extra `cuda` and an NVIDIA GPU
python -m bench.gpu --rounds 1e12     # longer measurements
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from time import perf_counter

import numpy as np

from cardroom.core.errors import Unavailable
from cardroom.exact.twentyone import solve
from cardroom.rules import load_rules_as
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.sim.batches import threads
from cardroom.sim.run import Run
from cardroom.sim.twentyone import Dealing, Job
from cardroom.sim.twentyone.cuda import cuda

ROUNDS = 2**37
COMPARED = 3_000_000
SEED = 2026


def jobs() -> Iterator[tuple[str, Job]]:
    """What is measured: six decks and no side bets unless the name says otherwise, basic strategy."""
    for game in ("blackjack", "spanish-21", "players-edge-21"):
        for words, decks, house, side_bets in (
            ("fresh shoe", 6, False, False),
            ("fresh shoe, side bets", 6, False, True),
            ("cut card, side bets", 6, True, True),
            ("infinite decks", "infinite", False, False),
        ):
            rules = load_rules_as(TwentyOneRules, game, {"decks": decks})
            dealing = Dealing.house(rules) if house else Dealing.fresh()
            actions = solve(rules, "basic").strategy.action
            yield (
                f"{game}, {words}",
                Job.of(rules, actions, seed=SEED, dealing=dealing, side_bets=side_bets),
            )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rounds", type=float, default=ROUNDS)
    given = parser.parse_args()
    try:
        on_gpu = cuda()
    except Unavailable as error:
        print(error)
        return 2
    equal = True
    print(f"| game | sums of {COMPARED:,} rounds | rounds per second |\n|---|---|--:|")
    for name, job in jobs():
        by_gpu, by_cpu = (Run(COMPARED, spread).of(job).tally for spread in (on_gpu, threads(2)))
        same = bool(np.array_equal(by_gpu, by_cpu))
        equal &= same
        began = perf_counter()
        Run(int(given.rounds), on_gpu).of(job)
        speed = given.rounds / (perf_counter() - began)
        print(f"| {name} | {'the same' if same else 'DIFFERENT'} | {speed:.3g} |", flush=True)
    return 0 if equal else 1


if __name__ == "__main__":
    raise SystemExit(main())
