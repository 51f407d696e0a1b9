"""This version beside an earlier one, both in one run: `python -m bench.compare REVISION`.

The earlier source is taken from the repository into a temporary folder and run with the same Python and the
same libraries. Every command runs in turn on both sides, several times after one that compiles; compared are
the CPU seconds of the quickest runs, which a busy machine moves little. What only one side knows is left out.
"""

from __future__ import annotations

import argparse
import io
import os
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Final

RUNS: Final = 5
ROOT: Final = Path(__file__).resolve().parents[1]
WORKS: Final = {
    "start of the command line": "cardroom --help",
    "blackjack, best strategy": "cardroom strategy blackjack",
    "blackjack, all figures": "cardroom odds blackjack",
    "Spanish 21, all figures": "cardroom odds spanish-21",
    "Player's Edge 21, all figures": "cardroom odds players-edge-21",
    "Knockout 52, all figures": "cardroom odds knockout-52",
    "one hand of blackjack": "cardroom hand blackjack Tc6d Th",
    "blackjack, 50 million rounds": "cardroom simulate blackjack --rounds 50e6",
    "Player's Edge 21, 50 million rounds": "cardroom simulate players-edge-21 --rounds 50e6",
    "Knockout 52, 50 million games": "cardroom simulate knockout-52 --rounds 50e6",
    "Knockout 21, 20,000 draws": "cardroom simulate knockout-21 --rounds 20000",
}
"""What is compared, as a user would ask for it."""


def source_of(revision: str, folder: Path) -> Path:
    """The source of an earlier version."""
    packed = subprocess.run(["git", "archive", revision, "src"], cwd=ROOT, capture_output=True, check=True)
    with tarfile.open(fileobj=io.BytesIO(packed.stdout)) as archive:
        archive.extractall(folder, filter="data")
    return folder / "src"


def cpu_seconds(source: Path, command: str) -> float | None:
    """The CPU time of a command; None where the side does not know it."""
    _, *words = command.split()
    if "simulate" in words:
        words += ["--seed", "1", "--workers", "1"]
    run = [sys.executable, "-c", "from cardroom.cli import main; main()", *words]
    before = os.times()
    done = subprocess.run(
        run, cwd=source, env={**os.environ, "PYTHONPATH": str(source)}, capture_output=True, check=False
    )
    after = os.times()
    if done.returncode:
        return None
    return after.children_user + after.children_system - before.children_user - before.children_system


def compare(earlier: Path, command: str, runs: int) -> tuple[float, float] | None:
    """The least CPU seconds of an earlier source and of this one, in turn."""
    sides = (earlier, ROOT / "src")
    if any(cpu_seconds(side, command) is None for side in sides):  # this run compiles
        return None
    times = [[cpu_seconds(side, command) or 0.0 for side in sides] for _ in range(runs)]
    return min(one[0] for one in times), min(one[1] for one in times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("revision", help="the earlier version, as git names it")
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--only", help="commands whose description has this in it")
    args = parser.parse_args()
    print(f"{'CPU seconds':<38} {args.revision[:10]:>10} {'now':>10} {'now/then':>9}")
    with tempfile.TemporaryDirectory(prefix="cardroom-") as folder:
        earlier = source_of(args.revision, Path(folder))
        for name, command in WORKS.items():
            if args.only and args.only not in name:
                continue
            found = compare(earlier, command, args.runs)
            if found is None:
                print(f"{name:<38} not known to both")
            else:
                then, now = found
                print(f"{name:<38} {then:>10.3f} {now:>10.3f} {now / then:>9.2f}", flush=True)


if __name__ == "__main__":
    main()
