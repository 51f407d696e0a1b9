"""How fast game protection is figured on this machine: rounds with a counter, and exact values of shoes.

python -m bench.protect
python -m bench.protect --rounds 1e7

A CPU-second is a second of one core, whatever else the machine does meanwhile.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator
from time import process_time

from cardroom.protect.counts import find_count, find_side_count
from cardroom.protect.deviations import named_indices
from cardroom.protect.effects import effects_of
from cardroom.protect.habits import Counter, read_sides
from cardroom.protect.ramp import Ramp
from cardroom.protect.shoes import values
from cardroom.protect.team import Team
from cardroom.rules import load_rules_as
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.sim.run import Run

ROUNDS = 10**7
SHOES = 50
RAMP = Ramp.parse("1:2,2:6,3:9,4:12")


def subjects(rounds: int) -> Iterator[tuple[str, str, int, Callable[[], object]]]:
    """Words, what is counted, how many, and what does it."""
    blackjack = load_rules_as(TwentyOneRules, "blackjack")
    hi_lo, list_ = find_count("hi-lo"), named_indices()["illustrious"]
    habits = {
        "Hi-Lo and a ramp": Counter(hi_lo, RAMP),
        "Hi-Lo, a ramp, deviations, insurance": Counter(
            hi_lo, RAMP, list_.deviations, list_.insurance, decks_known="half"
        ),
        "the same, three others at the table": Counter(
            hi_lo, RAMP, list_.deviations, list_.insurance, others=3
        ),
        "Hi-Lo, a ramp, a side bet from +3": Counter(hi_lo, RAMP, sides=read_sides(["21+3@3"])),
    }
    for words, counter in habits.items():
        job = counter.job(blackjack, most_units=12)
        job(0, 2)
        yield words, "rounds", rounds, lambda job=job: Run(rounds).of(job)  # type: ignore[misc]
    spotter, big = Counter(hi_lo, RAMP), Counter(find_count("zen"), RAMP, enter=2)
    tens = Counter(hi_lo, RAMP, insurance_from=4, insurance_count=find_side_count("tens"))
    for words, seat in {
        "Hi-Lo and a ramp, tens counted for insurance": tens.seat(blackjack, most_units=12),
        "two counters at one table, two counts": Team((spotter, big)).job(blackjack, most_units=12),
    }.items():
        seat(0, 2)
        yield words, "rounds", rounds, lambda seat=seat: Run(rounds).of(seat)  # type: ignore[misc]
    full = blackjack.shoe()
    cards = list(full.cards())[:SHOES]
    shoes = [full.without([card]) for card in cards]
    for wager in ("primary", "21+3"):
        list(values(blackjack, shoes[:1], wager))
    effects_of(blackjack)
    yield "blackjack, best play for each shoe", "shoes", SHOES, lambda: list(values(blackjack, shoes))
    yield (
        "21+3, counted in each shoe",
        "shoes",
        20 * SHOES,
        lambda: list(values(blackjack, 20 * shoes, "21+3")),
    )
    yield "effects of removal of ten ranks", "games", 1, lambda: effects_of(blackjack)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rounds", type=float, default=ROUNDS)
    given = parser.parse_args()
    print(f"{os.cpu_count()} cores here; load {os.getloadavg()[0]:.1f} at the start\n")
    print("| what | per CPU-second |\n|---|--:|")
    for words, unit, number, act in subjects(int(given.rounds)):
        began = process_time()
        act()
        rate = number / (process_time() - began)
        figure = f"{rate / 1e6:.1f} million" if rate > 1e5 else f"{rate:,.1f}"
        print(f"| {words} | {figure} {unit} |", flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
