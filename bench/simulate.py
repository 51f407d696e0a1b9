"""How many rounds of each game are simulated on this machine, and how many a pip-installable peer plays.

python -m bench.simulate                   # all five games and the peer
python -m bench.simulate --rounds 1e7      # fewer rounds, where time is short

A CPU-second is a second of one core, whatever else the machine does meanwhile. Scaling is what two cores play
for each round of one: twice what a CPU-second brings with two workers, for each that it brings with one.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from time import perf_counter, process_time
from typing import Any, NamedTuple

from cardroom.exact.twentyone import solve
from cardroom.lab.rule_sets import FAMILY
from cardroom.rules import load_rules_as
from cardroom.rules.knockout21 import Knockout21Rules
from cardroom.rules.knockout52 import Knockout52Rules
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.sim.batches import threads
from cardroom.sim.knockout21.settlement import simulate_winners
from cardroom.sim.knockout52 import Knockout52Job
from cardroom.sim.run import Job, Run
from cardroom.sim.twentyone import Dealing
from cardroom.sim.twentyone import Job as TwentyOneJob

ROUNDS = 10**8
TICKETS = 1000
PEER_ROUNDS = 100_000
STICK, HIT = 0, 1


class Speed(NamedTuple):
    """Rounds by the second of the processor, and by the clock."""

    per_cpu_second: float
    per_second: float


@dataclass(frozen=True)
class Subject:
    """Something to be measured: `play(rounds, workers)`."""

    name: str
    play: Callable[[int, int], object]
    unit: str = "rounds"
    share: float = 1.0
    """Of the rounds asked for, where a round is much more work."""

    def measured(self, rounds: int, workers: int) -> Speed:
        rounds = max(1, int(rounds * self.share))
        self.play(1000 if self.share == 1.0 else 1, workers)  # compiles
        clock, processor = perf_counter(), process_time()
        self.play(rounds, workers)
        return Speed(rounds / (process_time() - processor), rounds / (perf_counter() - clock))


def job_subject(name: str, job: Job) -> Subject:
    return Subject(name, lambda rounds, workers: Run(rounds, threads(workers)).of(job))


def subjects() -> Iterator[Subject]:
    """Six decks and fresh shoes unless the name says otherwise; basic strategy, all rules."""
    for game in FAMILY:
        rules = load_rules_as(TwentyOneRules, game)
        house = Dealing.house(rules)
        for words, dealing, side_bets in (
            ("fresh shoe every round", Dealing.fresh(), False),
            ("the house's cut card, all side bets", house, True),
        ):
            yield job_subject(f"{game}, {words}", _family_job(rules, dealing, side_bets=side_bets))
    infinite = load_rules_as(TwentyOneRules, "blackjack", {"decks": "infinite"})
    yield job_subject("blackjack, infinite decks", _family_job(infinite, Dealing.fresh(), side_bets=False))
    for decks in (1, 8):
        one = load_rules_as(Knockout52Rules, "knockout-52", {"decks": decks})
        yield job_subject(f"knockout-52, decks={decks}", Knockout52Job(one, seed=1))
    draws = load_rules_as(Knockout21Rules, "knockout-21")

    def play_draws(rounds: int, workers: int) -> None:
        with ThreadPoolExecutor(workers) as pool:
            each = max(1, rounds // workers)
            list(pool.map(lambda n: simulate_winners(draws, TICKETS, each, seed=1, number=n), range(workers)))

    yield Subject(f"knockout-21, draws of {TICKETS:,} tickets", play_draws, "draws", 1e-4)


def _family_job(rules: TwentyOneRules, dealing: Dealing, *, side_bets: bool) -> TwentyOneJob:
    actions = solve(rules, "basic").strategy.action
    return TwentyOneJob.of(rules, actions, seed=1, dealing=dealing, side_bets=side_bets)


def gymnasium_rounds(rounds: int) -> Speed:
    """Gymnasium's Blackjack-v1: infinite decks, hit and stick only, by the totals of basic strategy."""
    import gymnasium

    environment: Any = gymnasium.make("Blackjack-v1")
    environment.reset(seed=1)
    clock, processor = perf_counter(), process_time()
    for _ in range(rounds):
        (total, up, soft), _ = environment.reset()
        over = False
        while not over:
            stands = total >= (18 if soft else 17 if up in (1, 7, 8, 9, 10) else 13)
            (total, up, soft), _, over, _, _ = environment.step(STICK if stands else HIT)
    return Speed(rounds / (process_time() - processor), rounds / (perf_counter() - clock))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rounds", type=float, default=ROUNDS)
    given = parser.parse_args()
    print(f"{os.cpu_count()} cores here; load {os.getloadavg()[0]:.1f} at the start\n")
    print("| simulated | per CPU-second, one worker | two workers | scaling | by the clock, two workers |")
    print("|---|--:|--:|--:|--:|")
    blackjack = 0.0
    for subject in subjects():
        one, two = (subject.measured(int(given.rounds), workers) for workers in (1, 2))
        blackjack = blackjack or one.per_cpu_second
        first, second, clock = (
            f"{figure:,.0f} {subject.unit}" if figure < 1e5 else f"{figure / 1e6:.1f} million"
            for figure in (one.per_cpu_second, two.per_cpu_second, two.per_second)
        )
        scaling = 2 * two.per_cpu_second / one.per_cpu_second
        print(f"| {subject.name} | {first} | {second} | {scaling:.2f} | {clock} a second |", flush=True)
    peer = gymnasium_rounds(PEER_ROUNDS)
    print(f"\nGymnasium's Blackjack-v1: {peer.per_cpu_second:,.0f} rounds per CPU-second; ", end="")
    print(f"blackjack with all rules here: {blackjack / peer.per_cpu_second:,.0f} times as many")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
