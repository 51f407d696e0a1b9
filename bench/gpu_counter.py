"""A player who counts on a GPU: that the sums are the CPU's, number for number, and rounds a second.

python -m bench.gpu_counter                   # needs the extra `cuda` and an NVIDIA GPU
python -m bench.gpu_counter --rounds 1e12     # longer measurements
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from time import perf_counter

import numpy as np

from cardroom.core.errors import Unavailable
from cardroom.protect.counts import find_count
from cardroom.protect.deviations import named_indices
from cardroom.protect.habits import Counter, read_sides
from cardroom.protect.ramp import Ramp
from cardroom.rules import load_rules_as
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.sim.batches import threads
from cardroom.sim.run import Run
from cardroom.sim.twentyone.counter_job import CounterJob
from cardroom.sim.twentyone.cuda import cuda

ROUNDS = 2**35
COMPARED = 3_000_000
RAMP = Ramp.parse("1:2,2:6,3:9,4:12")
SIDE = {"blackjack": "21+3", "spanish-21": "match-the-dealer", "players-edge-21": "match-up"}


def jobs() -> Iterator[tuple[str, CounterJob]]:
    """What is measured: six decks, dealt as the house deals."""
    list_, hi_lo = named_indices()["illustrious"], find_count("hi-lo")
    for game, side in SIDE.items():
        rules = load_rules_as(TwentyOneRules, game)
        deviations = list_.deviations if game == "blackjack" else list_.deviations[:2]
        habits = {
            "Hi-Lo and a ramp": Counter(hi_lo, RAMP),
            "the same, deviations and insurance": Counter(hi_lo, RAMP, deviations, list_.insurance),
            "the same, three others at the table": Counter(
                hi_lo, RAMP, deviations, list_.insurance, others=3, decks_known="half"
            ),
            "enters at +1, a side bet from +3": Counter(
                find_count("zen"), RAMP, enter=1, leave=0, others=1, sides=read_sides([f"{side}@3x2"])
            ),
            "two spots, cover, running count": Counter(
                find_count("ko"), RAMP, spots=2, cover=2, running=True, rounding="nearest"
            ),
        }
        for words, counter in habits.items():
            yield f"{game}, {words}", counter.job(rules, seed=2026, most_units=12)


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
    print(f"| game and counter | sums of {COMPARED:,} rounds | rounds per second |\n|---|---|--:|")
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
