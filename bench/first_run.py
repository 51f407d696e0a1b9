"""How long `cardroom odds blackjack` takes: the first time, with another question, and asked again.

`python -m bench.first_run` runs the command as a process each time, with folders of its own for kernels
and kept answers, which are empty at first. Reported are the seconds by the clock and those that the
processor worked; on a busy machine only the latter mean something. All figures are of one run.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

COMMAND = (sys.executable, "-m", "cardroom")
AIMS = {"first": 9.0, "again": 1.0}


def seconds(*words: str, variables: dict[str, str]) -> tuple[float, float]:
    """By the clock, and by the processor."""
    worked, begin = os.times(), time.perf_counter()
    subprocess.run([*COMMAND, *words], env=os.environ | variables, stdout=subprocess.DEVNULL, check=True)
    clock, now = time.perf_counter() - begin, os.times()
    return clock, sum(now[2:4]) - sum(worked[2:4])


def least(*words: str, variables: dict[str, str], times: int) -> tuple[float, float]:
    """The quickest of several."""
    return min(seconds(*words, variables=variables) for _ in range(times))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=3, help="of which the quickest counts")
    times = parser.parse_args().times
    with tempfile.TemporaryDirectory() as folder:
        kernels, answers, none = (Path(folder) / name for name in ("kernels", "answers", "none"))
        kernels.mkdir()
        none.write_text("a file: nothing can be kept in it")
        compiled = {"NUMBA_CACHE_DIR": str(kernels)}
        kept, computed = ({"XDG_CACHE_HOME": str(one)} for one in (answers, none))
        odds = ("odds", "blackjack")
        figures = {
            f"first run, nothing compiled (aim: {AIMS['first']:g} s on two cores)": seconds(
                *odds, variables=compiled | kept
            ),
            "later runs, computed anew": least(*odds, variables=compiled | computed, times=times),
            f"later runs, asked before (aim: {AIMS['again']:g} s)": least(
                *odds, variables=compiled | kept, times=times
            ),
            "cardroom --help": least("--help", variables=compiled | kept, times=times),
        }
    for what, (clock, worked) in figures.items():
        print(f"{what}: {clock:.2f} s by the clock, {worked:.2f} s of processor")


if __name__ == "__main__":
    main()
