"""This version beside an earlier one, both in one run: `python -m bench.compare REVISION`.

The earlier source is taken from the repository into a temporary folder and run with the same Python and the
same libraries. Every work is done in turn on both sides, several times after one that compiles; compared are
the CPU seconds of the quickest runs, which a busy machine moves little. What only one side knows is left out.

Commands are timed whole, and no answer is kept from one to the next. A simulation is timed by what many
rounds take more than few, so that what comes before the first round is left out; the solver is timed within a
process.
"""

from __future__ import annotations

import argparse
import io
import os
import shlex
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Final

RUNS: Final = 5
ROOT: Final = Path(__file__).resolve().parents[1]
COMMANDS: Final = {
    "start of the command line": "cardroom --help",
    "blackjack, best strategy": "cardroom strategy blackjack",
    "blackjack, all figures": "cardroom odds blackjack",
    "Spanish 21, all figures": "cardroom odds spanish-21",
    "Player's Edge 21, all figures": "cardroom odds players-edge-21",
    "Knockout 52, all figures": "cardroom odds knockout-52",
    "one hand of blackjack": "cardroom hand blackjack Tc6d Th",
}
"""What is timed whole, as a user would ask for it."""
SIMULATIONS: Final = {
    "blackjack, 100 million rounds": ("blackjack", 100_000_000),
    "Spanish 21, 100 million rounds": ("spanish-21", 100_000_000),
    "Player's Edge 21, 100 million rounds": ("players-edge-21", 100_000_000),
    "Knockout 52, 100 million games": ("knockout-52", 100_000_000),
    "Knockout 21, 20,000 draws": ("knockout-21", 20_000),
}
FEW: Final = 1000
SOLVED: Final = {
    f"{title}, {what}": (game, expression)
    for game, title in (("blackjack", "Blackjack"), ("players-edge-21", "Player's Edge 21"))
    for what, expression in (
        ("solved by composition", 'solve(rules, "composition").expected_value'),
        ("solved for basic strategy", 'solve(rules, "basic").expected_value'),
        ("solved, and its distribution", 'solve(rules, "basic").distribution'),
    )
}
_SOLVING: Final = """
from time import process_time
from cardroom.exact.twentyone import solve
from cardroom.rules import load_rules
rules = load_rules({game!r})
times = []
for _ in range(5):
    before = process_time()
    {expression}
    times.append(process_time() - before)
print(min(times))
"""


def source_of(revision: str, folder: Path) -> Path:
    """The source of an earlier version."""
    packed = subprocess.run(["git", "archive", revision, "src"], cwd=ROOT, capture_output=True, check=True)
    with tarfile.open(fileobj=io.BytesIO(packed.stdout)) as archive:
        archive.extractall(folder, filter="data")
    return folder / "src"


def ran(source: Path, program: str, words: Sequence[str] = ()) -> tuple[float, str] | None:
    """The CPU time of a program and what it printed; None where the side does not know it."""
    with tempfile.TemporaryDirectory(prefix="cardroom-") as empty:
        settings = {**os.environ, "PYTHONPATH": str(source), "XDG_CACHE_HOME": empty}
        before = os.times()
        done = subprocess.run(
            [sys.executable, "-c", program, *words],
            cwd=source,
            env=settings,
            capture_output=True,
            text=True,
            check=False,
        )
        after = os.times()
    if done.returncode:
        return None
    seconds = after.children_user + after.children_system - before.children_user - before.children_system
    return seconds, done.stdout


def command_seconds(source: Path, words: Sequence[str]) -> float | None:
    """The CPU time of a command."""
    run = ran(source, "from cardroom.cli import main; main()", words)
    return None if run is None else run[0]


def simulation_seconds(source: Path, game: str, rounds: int) -> float | None:
    """The CPU time that so many rounds take, without what comes before the first one."""
    words = ("simulate", game, "--seed", "1", "--workers", "1", "--rounds")
    few, many = (command_seconds(source, [*words, str(number)]) for number in (FEW, FEW + rounds))
    return None if few is None or many is None else many - few


def solving_seconds(source: Path, game: str, expression: str) -> float | None:
    """The CPU time of a solution, the quickest of several in a process."""
    run = ran(source, _SOLVING.format(game=game, expression=expression))
    return None if run is None else float(run[1])


def works() -> Iterator[tuple[str, Callable[[Path], float | None]]]:
    """Everything that is compared: a description, and what times it on one side."""
    for name, command in COMMANDS.items():
        yield name, partial(command_seconds, words=shlex.split(command)[1:])
    for name, (game, expression) in SOLVED.items():
        yield name, partial(solving_seconds, game=game, expression=expression)
    for name, (game, rounds) in SIMULATIONS.items():
        yield name, partial(simulation_seconds, game=game, rounds=rounds)


def compare(earlier: Path, seconds: Callable[[Path], float | None], runs: int) -> tuple[float, float] | None:
    """The least CPU seconds of an earlier source and of this one, in turn."""
    sides = (earlier, ROOT / "src")
    if any(seconds(side) is None for side in sides):  # this run compiles
        return None
    times = [[seconds(side) or 0.0 for side in sides] for _ in range(runs)]
    return min(one[0] for one in times), min(one[1] for one in times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("revision", help="the earlier version, as git names it")
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--only", help="works whose description has this in it")
    args = parser.parse_args()
    print(f"{'CPU seconds':<45} {args.revision[:10]:>10} {'now':>10} {'now/then':>9}")
    with tempfile.TemporaryDirectory(prefix="cardroom-") as folder:
        earlier = source_of(args.revision, Path(folder))
        for name, seconds in works():
            if args.only and args.only not in name:
                continue
            both = compare(earlier, seconds, args.runs)
            if both is None:
                print(f"{name:<45} not known to both")
            else:
                then, now = both
                print(f"{name:<45} {then:>10.3f} {now:>10.3f} {now / then:>9.2f}", flush=True)


if __name__ == "__main__":
    main()
