"""How fast Cardroom is on this machine: the command line, the live chances, the simulation."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import ParamSpec

from cardroom.exact.knockout52 import live_chances
from cardroom.rules.knockout52 import Knockout52Rules
from cardroom.rules.loader import load_rules_as
from cardroom.sim.knockout52 import simulate

DECKS = (1, 8)
GAMES = 20_000_000
STARTS = 5

P = ParamSpec("P")


def seconds(work: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> float:
    """The wall time of one call."""
    begin = time.perf_counter()
    work(*args, **kwargs)
    return time.perf_counter() - begin


def command_line() -> Iterator[tuple[str, str]]:
    command = [str(Path(sys.executable).with_name("cardroom")), "--help"]
    times = sorted(seconds(subprocess.run, command, check=True, capture_output=True) for _ in range(STARTS))
    yield "cardroom --help", f"{times[STARTS // 2]:.2f} s (median of {STARTS}; aim: under 0.4 s)"


def live_updates() -> Iterator[tuple[str, str]]:
    """Every card is a rank above its space, so that the game goes all the way."""
    for decks in DECKS:
        rules = load_rules_as(Knockout52Rules, "knockout-52", {"decks": decks})
        layout = rules.layout
        ranks = [layout.rank_of_space(space + 1) for space in range(layout.spaces)]
        slowest = max(
            seconds(live_chances, layout, rules.cards_per_rank, ranks[:dealt])
            for dealt in range(layout.spaces + 1)
        )
        yield f"live chances, {decks} deck(s)", f"{1000 * slowest:.2f} ms at most (aim: under 5 ms)"


def simulations() -> Iterator[tuple[str, str]]:
    for decks in DECKS:
        rules = load_rules_as(Knockout52Rules, "knockout-52", {"decks": decks})
        simulate(rules, 1000, seed=0)  # compiles the kernel
        for workers in sorted({1, os.cpu_count() or 1}):
            rate = GAMES / seconds(simulate, rules, GAMES, seed=1, workers=workers) / 1e6
            what = f"simulation, {decks} deck(s), {workers} worker(s)"
            yield what, f"{rate:.1f} million games a second (aim: 10 per core with one deck)"


def main() -> None:
    """Print a line for each figure."""
    for subject in (command_line, live_updates, simulations):
        for what, figure in subject():
            print(f"{what:36} {figure}", flush=True)


if __name__ == "__main__":
    main()
