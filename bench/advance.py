"""How long `advance` takes after an outage of a day, a week and a year, with tickets sold before it.

python -m bench.advance
"""

from __future__ import annotations

import argparse
import tempfile
import time
from dataclasses import dataclass
from datetime import datetime, timedelta

from cardroom.fair.entropy import Rehearsal
from cardroom.lottery.clock_care import accept_clock
from cardroom.lottery.house import Lottery
from cardroom.lottery.sales import Order, sell
from cardroom.lottery.schedule import at_wall, parse_day
from cardroom.lottery.scheduler import advance
from cardroom.lottery.vault import MemoryVault
from cardroom.rules import load_rules_as
from cardroom.rules.knockout21 import Knockout21Rules
from cardroom.store.migrate import open_database

GAPS = {"a day": 1, "a week": 7, "a year": 365}


@dataclass
class HandClock:
    """A clock that is set by hand."""

    moment: datetime

    def now(self) -> datetime:
        return self.moment


def after_a_gap(days: int, tickets: int) -> tuple[float, int]:
    """The seconds that `advance` took after an outage, and what it did, in lines."""
    rules = load_rules_as(Knockout21Rules, "knockout-21")
    clock = HandClock(at_wall(rules, parse_day("2025-06-14"), rules.draws.first) - timedelta(hours=1))
    entropy = Rehearsal(days)
    with (
        tempfile.TemporaryDirectory() as folder,
        open_database(f"sqlite:///{folder}/gap.db", clock) as database,
    ):
        lottery = Lottery(database, MemoryVault(entropy), rules, entropy)
        advance(lottery)
        for number in range(tickets // 9):
            sell(lottery, Order("bench", 3, 3), key=f"sale-{number}")
        clock.moment = at_wall(rules, clock.moment.date() + timedelta(days=days), rules.draws.first)
        accept_clock(lottery, operators=["ann", "bob"], reason="an outage")
        begun = time.perf_counter()
        done = advance(lottery)
        return time.perf_counter() - begun, len(done)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tickets", type=int, default=900)
    options = parser.parse_args()
    for name, days in GAPS.items():
        seconds, lines = after_a_gap(days, options.tickets)
        print(f"advance after {name:6}: {seconds:6.2f} s, {lines} things done", flush=True)


if __name__ == "__main__":
    main()
