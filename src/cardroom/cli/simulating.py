"""What the simulations of all games share: their size, the progress bar, the table of results."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from cardroom.cli.options import checked_seed, whole_number
from cardroom.cli.output import console, plain_table, print_heading, print_json, wager_title
from cardroom.core.errors import MalformedInput

if TYPE_CHECKING:
    from cardroom.rules import HouseRules
    from cardroom.sim.result import SimulationResult

MOST_ROUNDS: Final = 10**12
MOST_WORKERS: Final = 1024
_FEWEST_ROUNDS: Final = 2  # an error cannot be told from one
_SIGMAS_95: Final = 1.959964


@dataclass(frozen=True, slots=True)
class Size:
    """How much is simulated, from which seed, by how many threads."""

    rounds: int
    seed: int
    workers: int


def read_size(rounds: str, seed: int, workers: int | None) -> Size:
    """Check the options of a simulation."""
    if workers is not None and not 1 <= workers <= MOST_WORKERS:
        raise MalformedInput(f"--workers {workers} is not allowed; allowed: 1 to {MOST_WORKERS}")
    return Size(
        whole_number(rounds, "--rounds", least=_FEWEST_ROUNDS, most=MOST_ROUNDS),
        checked_seed(seed),
        workers or os.cpu_count() or 1,
    )


@contextmanager
def progress_bar(rounds: int) -> Iterator[Callable[[int, int], None]]:
    """A bar on stderr with rate and time to go; nothing where stderr is not a terminal."""
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    out = console(stderr=True)
    columns = (
        BarColumn(bar_width=None),
        TextColumn("{task.percentage:>3.0f} %"),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=out, transient=True, disable=not out.is_terminal) as bar:
        task = bar.add_task("", total=rounds, rate="")

        def update(done: int, _: int) -> None:
            speed = bar.tasks[task].speed
            bar.update(task, completed=done, rate=f"{speed / 1e6:,.1f} million/s" if speed else "")

        yield update


def print_simulation(
    rules: HouseRules, result: SimulationResult, exact: Mapping[str, Fraction | float], *, as_json: bool
) -> None:
    """Print the estimates with their 95 % intervals, and beside them the exact values that are known."""
    if as_json:
        print_json(result.to_json())
        return
    print_heading(rules)
    console().print(f"{result.rounds:,} rounds from seed {result.seed}\n")
    right = ("House edge", "± 95 %", "Exact", "Off by", "Wins")
    table = plain_table("Wager", *right, right=right)
    for estimate in result.estimates:
        error = estimate.standard_error
        known = exact.get(estimate.wager)
        table.add_row(
            wager_title(estimate.wager),
            f"{-100 * float(estimate.mean):.4f} %",
            f"{100 * _SIGMAS_95 * error:.4f} %",
            "" if known is None else f"{-100 * float(known):.4f} %",
            "" if known is None or not error else f"{(float(estimate.mean) - float(known)) / error:+.2f} σ",
            f"{100 * estimate.hit_frequency:.4f} %",
        )
    console().print(table)
