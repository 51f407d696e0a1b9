"""Every house option of the blackjack family, and every variant, on a GPU: its sums are the CPU's, its mean
the exact value.

python -m bench.gpu_options                   # needs the extra `cuda` and an NVIDIA GPU
python -m bench.gpu_options --variants        # European Blackjack, Pontoon, … alone, within 3 standard errors
python -m bench.gpu_options --rounds 1e10     # longer, so that smaller differences would be seen
"""

from __future__ import annotations

import argparse

import numpy as np

from cardroom.core.errors import MalformedInput, Unavailable
from cardroom.exact.twentyone import solve
from cardroom.lab.rule_sets import EACH_OPTION, Changed, words
from cardroom.rules import load_rules_as
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.rules.variants import variant_names
from cardroom.sim.batches import threads
from cardroom.sim.run import Run
from cardroom.sim.twentyone import Dealing, Job, report
from cardroom.sim.twentyone.cuda import cuda

ROUNDS = 2**32
COMPARED = 500_000
SEED = 2026
MOST_ERRORS = 4.5
"""By chance one of a thousand such runs has an option this far off …"""
MOST_ERRORS_OF_VARIANTS = 3.0
"""… and one of a hundred such runs a variant."""
VARIANTS: tuple[Changed, ...] = tuple((name, {}) for name in variant_names())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rounds", type=float, default=ROUNDS)
    parser.add_argument("--variants", action="store_true", help="the variants alone")
    given = parser.parse_args()
    cases, most = (*EACH_OPTION, *VARIANTS), MOST_ERRORS
    if given.variants:
        cases, most = VARIANTS, MOST_ERRORS_OF_VARIANTS
    try:
        on_gpu = cuda()
    except Unavailable as error:
        print(error)
        return 2
    right = True
    print(
        f"| rules | sums of {COMPARED:,} rounds | exact | {given.rounds:,.0f} rounds | standard errors |\n"
        "|---|---|--:|--:|--:|"
    )
    for number, (game, changes) in enumerate(cases):
        rules = load_rules_as(TwentyOneRules, game, changes)
        solution = solve(rules, "basic")
        job = Job.of(
            rules, solution.strategy.action, seed=SEED + number, dealing=Dealing.fresh(), side_bets=False
        )
        try:
            by_gpu = Run(COMPARED, on_gpu).of(job).tally
        except MalformedInput as refusal:
            print(f"| {words((game, changes))} | {refusal} | | | |", flush=True)
            right &= not given.variants
            continue
        by_cpu = Run(COMPARED, threads(8)).of(job).tally
        same = bool(np.array_equal(by_gpu, by_cpu))
        played = report(job, Run(int(given.rounds), on_gpu).of(job), "basic").estimate("primary")
        errors = (played.mean - solution.expected_value) / played.standard_error
        right &= same and abs(errors) < most
        print(
            f"| {words((game, changes))} | {'the same' if same else 'DIFFERENT'} | "
            f"{100 * solution.expected_value:.5f} % | {100 * played.mean:.5f} % | {errors:+.2f} |",
            flush=True,
        )
    return 0 if right else 1


if __name__ == "__main__":
    raise SystemExit(main())
