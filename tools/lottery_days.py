"""Many seeded days of the lottery with crashes, lost answers and a wrong clock, checked after every step."""

from __future__ import annotations

import argparse
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from cardroom.lottery.simulate import DayResult, simulate_day
from cardroom.rules import load_rules_as
from cardroom.rules.knockout21 import Knockout21Rules

FEW_DRAWS = {"draws.interval_minutes": 240}


def one_day(seed: int, buyers: int) -> DayResult:
    """A day on a database of its own; every third asks for a least number of tickets and keeps a reserve."""
    changes: dict[str, object] = dict(FEW_DRAWS)
    if seed % 3 == 0:
        changes |= {"draws.minimum_tickets": 2, "prizes.pool_reserve": "surplus"}
    rules = load_rules_as(Knockout21Rules, "knockout-21", changes)
    with tempfile.TemporaryDirectory(prefix="cardroom-day-") as folder:
        return simulate_day(f"sqlite:///{folder}/day.db", rules, seed=seed, buyers=buyers)


def main() -> int:
    """Run the days and say what they came to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--days", type=int, default=1000)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--buyers", type=int, default=40)
    parser.add_argument("--workers", type=int, default=None)
    options = parser.parse_args()
    seeds = range(options.first_seed, options.first_seed + options.days)
    total = DayResult(options.first_seed)
    with ProcessPoolExecutor(options.workers) as pool:
        for done, day in enumerate(pool.map(partial(one_day, buyers=options.buyers), seeds), 1):
            for name in (
                "steps",
                "tickets",
                "refused",
                "crashes",
                "lost_answers",
                "draws",
                "checks",
                "paid_prizes",
            ):
                setattr(total, name, getattr(total, name) + getattr(day, name))
            if done % 50 == 0 or done == options.days:
                print(
                    f"{done} days: {total.steps} steps, {total.tickets} tickets, {total.draws} draws, "
                    f"{total.crashes} crashes, {total.lost_answers} lost answers, {total.checks} checks hold",
                    flush=True,
                )
    return 0


if __name__ == "__main__":
    sys.exit(main())
