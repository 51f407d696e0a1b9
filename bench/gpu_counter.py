"""Players who count on a GPU: that the sums are the CPU's, number for number, and rounds a second.

python -m bench.gpu_counter                   # needs the extra `cuda` and an NVIDIA GPU
python -m bench.gpu_counter --seconds 10      # longer measurements; 0: sums alone
python -m bench.gpu_counter --only team       # some of the cases, by a part of their name

A case that fails is printed and the others go on; the exit status is 1 if one failed or had other sums.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from threading import Timer
from time import perf_counter
from typing import Any

import numpy as np

from cardroom.core.errors import Unavailable
from cardroom.lab.rule_sets import DOUBLE_EXPOSURE
from cardroom.protect.counts import find_count, find_side_count
from cardroom.protect.deviations import named_indices
from cardroom.protect.habits import Counter, read_sides
from cardroom.protect.ramp import Ramp
from cardroom.protect.team import Team
from cardroom.rules import load_rules_as
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.sim.batches import threads
from cardroom.sim.run import Run
from cardroom.sim.twentyone.counter_job import CounterJob
from cardroom.sim.twentyone.cuda import cuda
from cardroom.sim.twentyone.team_job import TeamJob

SECONDS = 3.0
"""Less measures too little: the last pass of all threads is not full."""
COMPARED = 3_000_000
PATIENCE = 120.0
"""With what is compiled for the CPU, too."""
SAME = "the same"
FIRST_ROUNDS = 2**32
"""Measured first, to find out how many rounds fill the time."""
SEED = 2026
RAMP = Ramp.parse("1:2,2:6,3:9,4:12")
SIDE = {"blackjack": "21+3", "spanish-21": "match-the-dealer", "players-edge-21": "match-up"}
MakeJob = Callable[[], CounterJob | TeamJob]

LIST, HI_LO, ZEN, KO = (
    named_indices()["illustrious"],
    find_count("hi-lo"),
    find_count("zen"),
    find_count("ko"),
)
TENS, SUITS = find_side_count("tens"), find_side_count("suits")
FLAT = Counter(HI_LO, RAMP)
NO_HOLE = {"hole_card": "none"}
ORIGINAL = {"hole_card": "none", "dealer_blackjack_takes": "original"}
UNSEEN = {"hole_card": "unseen", "surrender": "late"}
WHOLE = {f"side_bets.{name}.offered": True for name in ("push-22", "buster-blackjack")}


def deviating(game: str) -> Counter:
    """Hi-Lo with insurance and the deviations that a game's tables know."""
    deviations = LIST.deviations if game == "blackjack" else LIST.deviations[:2]
    return Counter(HI_LO, RAMP, deviations, LIST.insurance)


def alone(game: str, changes: Mapping[str, Any], counter: Counter, cut_cards: int | None = None) -> MakeJob:
    """One counter with one count."""

    def make() -> CounterJob:
        rules = load_rules_as(TwentyOneRules, game, dict(changes))
        return counter.job(rules, seed=SEED, cut_cards=cut_cards, most_units=12)

    return make


def together(game: str, changes: Mapping[str, Any], *counters: Counter, others: int = 0) -> MakeJob:
    """Several counters, or counts."""

    def make() -> TeamJob:
        rules = load_rules_as(TwentyOneRules, game, dict(changes))
        return Team(counters, others).job(rules, seed=SEED, most_units=12)

    return make


def jobs() -> Iterator[tuple[str, MakeJob]]:
    """What is measured: dealt as the house deals, six decks unless it is said."""
    yield from _teams()
    yield from _tables()
    for game, side in SIDE.items():
        habits = {
            "Hi-Lo and a ramp": FLAT,
            "the same, deviations and insurance": deviating(game),
            "the same, three others at the table": replace(deviating(game), others=3, decks_known="half"),
            "enters at +1, a side bet from +3": Counter(
                ZEN, RAMP, enter=1, leave=0, others=1, sides=read_sides([f"{side}@3x2"])
            ),
            "two spots, cover, running count": Counter(
                KO, RAMP, spots=2, cover=2, running=True, rounding="nearest"
            ),
        }
        for words, counter in habits.items():
            yield f"{game}, {words}", alone(game, {}, counter)


def _teams() -> Iterator[tuple[str, MakeJob]]:
    plays = deviating("blackjack")
    tens = replace(plays, insurance_count=TENS)
    big = replace(plays, enter=1, leave=0)
    dealers = read_sides(["push-22@1x2", "buster-blackjack@2"])
    yield "second count: tens for insurance", together("blackjack", {}, tens)
    yield "second counts: insurance, play", together("blackjack", {}, replace(tens, play_count=ZEN))
    yield (
        "second count: suits for 21+3",
        together("blackjack", {}, replace(FLAT, sides=read_sides(["21+3@6x2"]), side_count=SUITS)),
    )
    yield "team: two of one count and ramp", together("blackjack", {}, FLAT, FLAT)
    yield "team: a spotter and a big player", together("blackjack", {}, Counter(HI_LO), big)
    yield (
        "team: three counts, cover, wonging, one other",
        together(
            "blackjack",
            {},
            Counter(find_count("halves"), RAMP, decks_known="half", rounding="nearest"),
            Counter(KO, RAMP, running=True, cover=2, insurance_from=1),
            Counter(ZEN, RAMP, enter=1, leave=-1, rounding="truncate", sides=read_sides(["21+3@2"])),
            others=1,
        ),
    )
    yield "team: seven", together("blackjack", {}, *(FLAT, plays, Counter(ZEN, RAMP)) * 2, plays)
    yield (
        "team: two decks, suits, tens, bets on the dealer's hand",
        together(
            "blackjack",
            {**WHOLE, "decks": 2},
            replace(FLAT, sides=dealers, side_count=SUITS),
            replace(tens, spots=2),
        ),
    )
    yield "team: no hole card, original wagers", together("blackjack", ORIGINAL, tens, big, others=1)
    yield (
        "team: unseen hole card, bets on it",
        together("blackjack", {**UNSEEN, **WHOLE}, plays, replace(FLAT, sides=dealers)),
    )
    yield "team: both cards face up", together("blackjack", DOUBLE_EXPOSURE, FLAT, replace(FLAT, count=ZEN))
    spanish = replace(deviating("spanish-21"), insurance_count=TENS)
    yield "team: Spanish 21", together("spanish-21", {}, spanish, FLAT)
    edge = replace(FLAT, spots=2, cover=2, sides=read_sides(["match-up@1x2"]))
    yield "team: Player's Edge 21", together("players-edge-21", {}, deviating("players-edge-21"), edge)


def _tables() -> Iterator[tuple[str, MakeJob]]:
    plays = deviating("blackjack")
    two = replace(plays, spots=2, others=1, cover=2)
    dealers = replace(FLAT, sides=read_sides(["push-22@1x2", "buster-blackjack@2"]))
    yield "table: no hole card", alone("blackjack", NO_HOLE, plays)
    yield "table: no hole card, original wagers, two spots", alone("blackjack", ORIGINAL, two)
    yield "table: no hole card, one deck to the end", alone("blackjack", {**NO_HOLE, "decks": 1}, plays, 2)
    yield "table: unseen hole card", alone("blackjack", UNSEEN, replace(plays, others=1))
    yield "table: both cards face up", alone("blackjack", DOUBLE_EXPOSURE, FLAT)
    yield "table: bets on the dealer's hand", alone("blackjack", WHOLE, dealers)
    yield "table: the same, both cards face up", alone("blackjack", {**DOUBLE_EXPOSURE, **WHOLE}, dealers)
    yield (
        "table: Spanish 21, no hole card",
        alone("spanish-21", {**ORIGINAL, "double.rescue": "original"}, deviating("spanish-21")),
    )
    yield (
        "table: Spanish 21, both cards face up",
        alone("spanish-21", {**DOUBLE_EXPOSURE, "surrender": "late", "decks": 1}, FLAT),
    )
    edge = replace(deviating("players-edge-21"), sides=read_sides(["match-up@2x2"]))
    yield "table: Player's Edge 21, unseen hole card", alone("players-edge-21", {"hole_card": "unseen"}, edge)


def line_of(name: str, make: MakeJob, on_gpu: Any, rounds: int, seconds: float) -> tuple[str, bool]:
    """A case's line of the table, and whether the device can be trusted after it."""
    began, same, speed, trusted = perf_counter(), "", "", True
    try:
        job = make()
        by_gpu, by_cpu = (Run(rounds, spread).of(job).tally for spread in (on_gpu, threads(4)))
        same = SAME if np.array_equal(by_gpu, by_cpu) else "DIFFERENT"
        if seconds > 0:
            speed = f"{rate(job, on_gpu, seconds):.3g}"
    except Exception as error:  # noqa: BLE001  # the others are still to be played
        same = f"{same} FAILED: {type(error).__name__}: {error}".replace("\n", " ").strip()
        trusted = not type(error).__module__.startswith("cupy")
    return f"| {name} | {same} | {speed} | {perf_counter() - began:.1f} |", trusted


def rate(job: CounterJob | TeamJob, on_gpu: Any, seconds: float) -> float:
    """Rounds a second."""
    rounds = FIRST_ROUNDS
    while True:
        began = perf_counter()
        Run(rounds, on_gpu).of(job)
        took = perf_counter() - began
        if took >= seconds / 2 or rounds > FIRST_ROUNDS:
            return rounds / took
        rounds = int(rounds * seconds / took)


def work(given: argparse.Namespace, names: list[str]) -> int:
    """Play cases, from one on, and print a line for each."""
    on_gpu, made = cuda(), dict(jobs())
    for name in names[given.first :]:
        line, trusted = line_of(name, made[name], on_gpu, int(given.compared), given.seconds)
        print(line, flush=True)
        if not trusted:
            return 1
    return 0


def watch(given: argparse.Namespace, names: list[str]) -> int:
    """Have all cases played by a process, and by another one where it hangs or its device is lost."""
    done = wrong = 0
    options = ["--only", given.only, "--seconds", str(given.seconds), "--compared", str(given.compared)]
    while done < len(names):
        command = [sys.executable, "-m", "bench.gpu_counter", *options, "--from", str(done)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as worker:
            assert worker.stdout is not None
            before = done
            while True:
                timer = Timer(given.patience, worker.kill)
                timer.start()
                line = worker.stdout.readline()
                timer.cancel()
                if not line:
                    break
                wrong += f"| {SAME} |" not in line
                done += 1
                print(line, end="", flush=True)
        if done == before:
            print(f"| {names[done]} | FAILED: no answer, exit status {worker.returncode} | | |", flush=True)
            wrong, done = wrong + 1, done + 1
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seconds", type=float, default=SECONDS, help="of a measurement; 0: sums alone")
    parser.add_argument("--compared", type=float, default=COMPARED, help="rounds whose sums are compared")
    parser.add_argument("--only", default="", help="cases with this in their name")
    parser.add_argument("--patience", type=float, default=PATIENCE, help="seconds before a case is given up")
    parser.add_argument("--from", dest="first", type=int, help="play the cases from this one on, unwatched")
    given = parser.parse_args()
    try:
        cuda()
    except Unavailable as error:
        print(error)
        return 2
    names = [name for name, _ in jobs() if given.only in name]
    if given.first is not None:
        return work(given, names)
    began = perf_counter()
    print(f"| game and counter | sums of {given.compared:,.0f} rounds | rounds per second | seconds |")
    print("|---|---|--:|--:|", flush=True)
    wrong = watch(given, names)
    print(f"{len(names)} cases, {wrong} wrong; {perf_counter() - began:.0f} seconds in all")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
