"""Half of the solver's kernels, compiled by a second process while the first compiles the others.

Only where nothing is compiled yet: then somebody waits for the first figure, and most machines have a second
core. `begin` starts the process, `wait` waits until it has left; its kernels are then found where kernels are
kept. If it fails, the first process compiles everything.
"""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from cardroom.exact.twentyone import joint, play, split
from cardroom.exact.twentyone.measure import COLUMNS, FINALS
from cardroom.exact.twentyone.moments import combined
from cardroom.exact.twentyone.play import ACTION_COUNT, Paths, Pays
from cardroom.model.twentyone.automaton import NONE

_started: list[subprocess.Popen[bytes]] = []


@cache
def begin() -> None:
    """Start the second process, once, where there are no kernels and a core is free for it."""
    if _is_compiled(joint._solve) or (os.cpu_count() or 1) < 2 or not sys.executable:
        return
    nothing = subprocess.DEVNULL
    command = [sys.executable, "-c", f"from {__name__} import compile_kernels; compile_kernels()"]
    try:
        _started.append(subprocess.Popen(command, stdin=nothing, stdout=nothing, stderr=nothing))
    except OSError:  # no more processes, or none allowed
        return


def wait() -> None:
    """Wait for the second process where one was started."""
    while _started:
        _started.pop().wait()


def _is_compiled(kernel: Any) -> bool:
    folder = Path(kernel.stats.cache_path)
    return any(True for _ in folder.glob(f"{Path(joint.__file__).stem}.*.nbi"))


def compile_kernels() -> None:
    """Call the kernels that come last in a solution, with next to nothing to do."""
    ways, rows, action = np.zeros((1, 2)), np.zeros((1, COLUMNS)), np.full(1, NONE, np.int8)
    one, two, square, value = np.zeros(1, np.int64), np.zeros(2, np.int64), np.zeros((1, 1)), np.zeros(1)
    paths = Paths(one, one, two, one, value)
    pays = Pays(one, np.zeros((1, FINALS)), value, value, 0.0, 0.0)
    values = np.zeros(ACTION_COUNT)
    play._plan(paths, pays, one, rows, action, False, value, value, values, values[None], action)
    split._deal_second_cards(
        0,
        True,
        two,
        one,
        square,
        one,
        one,
        one[None],
        one,
        one,
        one[None],
        ways,
    )
    play._spread(ways, paths, action)
    play._ended_sum(one, one, ways, rows, pays, one, one, action)
    shoe = joint.SharedShoe(np.array([2.0, 2.0, 3.0]), 1.0, longest=2)
    moments = shoe.moments(np.zeros((1, 3), np.int64), square, one, 1)[0]
    projected = shoe.projected(moments, 1)[None]
    shoe.products(moments[None], projected, one[None], 1)
    combined(square[None], moments)
