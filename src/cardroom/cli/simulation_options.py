"""What the simulations of all games share: their options, the progress bar, how they are run."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from cardroom.cli.options import checked_seed, whole_number
from cardroom.cli.output import console
from cardroom.core.errors import MalformedInput
from cardroom.core.extras import require
from cardroom.presentation.numbers import in_percent, signed

if TYPE_CHECKING:
    from cardroom.sim.batches import Spread
    from cardroom.sim.run import Job, Snapshot, Sum

DEFAULT_ROUNDS: Final = 10**8
MOST_ROUNDS: Final = 10**17
"""Sums are kept in 64 bits."""
MOST_WORKERS: Final = 1024
_BEYOND_MEASURE: Final = 10**300
_FEWEST_ROUNDS: Final = 2  # an error cannot be told from one
_UNQUESTIONED_BATCHES: Final = 10**6
_MOST_DAYS: Final = 30
_SECONDS_A_DAY: Final = 86_400
_DAYS_A_YEAR: Final = 365.25
_SIGMAS_95: Final = 1.959964
_KEPT_EVERY: Final = 1.05  # a point of the plot for each so much more rounds


class Backend(StrEnum):
    """Who plays."""

    CPU = "cpu"
    CUDA = "cuda"
    DASK = "dask"


def _file(option: str, words: str) -> typer.models.OptionInfo:
    info: typer.models.OptionInfo = typer.Option(option, metavar="FILE", help=words, show_default=False)
    return info


RoundsWanted = Annotated[
    str | None,
    typer.Option(
        "--rounds",
        metavar="N",
        help="How many rounds to play, such as 1e9; 1e8 unless told.",
        show_default=False,
    ),
]
BackendName = Annotated[
    Backend,
    typer.Option("--backend", help="Threads of this machine, its GPU, or a Dask cluster."),
]
SchedulerAddress = Annotated[
    str | None,
    typer.Option(
        "--scheduler",
        metavar="ADDRESS",
        help="A Dask scheduler, such as tcp://10.0.0.1:8786; processes of this machine unless told.",
        show_default=False,
    ),
]
UntilError = Annotated[
    float | None,
    typer.Option(
        "--until-se",
        metavar="ERROR",
        help="Stop when the standard error is this small, such as 1e-5.",
        show_default=False,
    ),
]
CheckpointFile = Annotated[
    Path | None, _file("--checkpoint", "Keep the sums in FILE, and go on from them where it exists.")
]
CsvFile = Annotated[Path | None, _file("--csv", "Write the figures of every wager as CSV.")]
ParquetFile = Annotated[
    Path | None, _file("--parquet", "Write the figures of every wager as Parquet, with the same columns.")
]
PlotFile = Annotated[Path | None, _file("--plot", "Draw how the mean settles down, SVG or PNG.")]


@dataclass(frozen=True, slots=True)
class Settings:
    """The options of a simulation, checked."""

    rounds: int | None
    """None: as many as the standard error asked for takes."""
    seed: int
    workers: int
    backend: Backend
    scheduler: str | None
    until_se: float | None
    checkpoint: Path | None
    csv: Path | None
    parquet: Path | None
    plot: Path | None
    as_json: bool


def read_settings(
    rounds: str | None,
    seed: int,
    workers: int | None,
    backend: Backend,
    scheduler: str | None,
    until_se: float | None,
    checkpoint: Path | None,
    csv: Path | None,
    parquet: Path | None,
    plot: Path | None,
    as_json: bool,
) -> Settings:
    """Check the options of a simulation."""
    if workers is not None and not 1 <= workers <= MOST_WORKERS:
        raise MalformedInput(f"--workers {workers} is not allowed; allowed: 1 to {MOST_WORKERS}")
    if scheduler is not None and backend is not Backend.DASK:
        raise MalformedInput("--scheduler is the address of a Dask cluster; it needs --backend dask")
    if workers is not None and (scheduler is not None or backend is Backend.CUDA):
        raise MalformedInput(
            "--workers counts threads or processes of this machine; a cluster and a GPU have theirs"
        )
    if until_se is not None and not 0 < until_se < math.inf:
        raise MalformedInput(f"--until-se {until_se} is not allowed; allowed: a number above 0, such as 1e-5")
    for file in (checkpoint, csv, parquet, plot):
        if file is not None and (file.is_dir() or not file.absolute().parent.is_dir()):
            raise MalformedInput(f"cannot write {file}: it is a folder, or its folder does not exist")
    if plot is not None and plot.suffix not in (".svg", ".png"):
        raise MalformedInput(f"--plot {plot} is not allowed; allowed: a name that ends in .svg or .png")
    if plot is not None:
        require("a plot", "plots", "matplotlib")
    if parquet is not None:
        require("a Parquet file", "parquet", "pyarrow")
    if backend is Backend.DASK:
        require("a Dask cluster", "dask", "distributed")
    wanted = None if rounds is None else _read_rounds(rounds)
    if wanted is None and until_se is None:
        wanted = DEFAULT_ROUNDS
    return Settings(
        rounds=wanted,
        seed=checked_seed(seed),
        workers=workers or os.cpu_count() or 1,
        backend=backend,
        scheduler=scheduler,
        until_se=until_se,
        checkpoint=checkpoint,
        csv=csv,
        parquet=parquet,
        plot=plot,
        as_json=as_json,
    )


def _read_rounds(text: str) -> int:
    """A count of rounds; one beyond all measure is read as well, so that its time can be told."""
    try:
        number = Decimal(text.replace(",", "").replace("_", ""))
        if MOST_ROUNDS < number < _BEYOND_MEASURE:
            return int(number)
    except InvalidOperation:
        pass  # not a number: refused below
    return whole_number(text, "--rounds", least=_FEWEST_ROUNDS, most=MOST_ROUNDS)


class History:
    """The points of a plot of convergence: few, however many rounds are played."""

    def __init__(self) -> None:
        self.points: list[Snapshot] = []

    def __call__(self, snapshot: Snapshot) -> None:
        if len(self.points) > 1 and self.points[-1].rounds < _KEPT_EVERY * self.points[-2].rounds:
            self.points.pop()  # it only stood as the last one so far
        self.points.append(snapshot)


def run_job(job: Job, settings: Settings) -> tuple[Sum, list[Snapshot]]:
    """Play a job as the settings say, with a progress bar; also the points of its convergence."""
    from cardroom.sim.run import Run

    spread = _spread(job, settings)
    rounds = _checked_rounds(job, settings, spread)
    history = History()
    with progress_bar(rounds, settings.until_se) as bar:

        def follow(snapshot: Snapshot) -> None:
            history(snapshot)
            bar(snapshot)

        run = Run(rounds, spread, settings.until_se, settings.checkpoint, follow=follow)
        added = run.of(job)
    return added, history.points


def _spread(job: Job, settings: Settings) -> Spread:
    if settings.backend is Backend.CUDA:
        from cardroom.sim.twentyone.cuda import cuda

        on_gpu: Spread = cuda()
        return on_gpu
    if settings.backend is Backend.DASK:
        from cardroom.sim.dask import dask

        return dask(settings.scheduler, settings.workers)
    from cardroom.sim.batches import threads

    job(0, _FEWEST_ROUNDS)  # compiled once, before several threads ask for it
    return threads(settings.workers)


def _checked_rounds(job: Job, settings: Settings, spread: Spread) -> int:
    """The rounds to play at most; refused where they would take longer than anyone waits."""
    rounds, expected = settings.rounds, settings.rounds
    if settings.until_se is not None:
        deviation = job.precision(job(0, job.rounds_per_batch))[1] * math.sqrt(job.rounds_per_batch)
        needed = math.ceil((deviation / settings.until_se) ** 2)
        rounds = MOST_ROUNDS if rounds is None else rounds
        expected = needed if expected is None else min(expected, needed)
    assert rounds is not None
    assert expected is not None
    unquestioned = MOST_ROUNDS if settings.scheduler else _UNQUESTIONED_BATCHES * job.rounds_per_batch
    if expected <= unquestioned:
        return min(rounds, MOST_ROUNDS)
    rate = _rounds_a_second(job, settings, None if settings.backend is Backend.DASK else spread)
    days = expected / rate / _SECONDS_A_DAY
    if days > _MOST_DAYS or expected > MOST_ROUNDS:
        option_words = (
            f"--rounds {expected:.0e}" if settings.until_se is None else f"--until-se {settings.until_se:g}"
        )
        most = min(MOST_ROUNDS, _MOST_DAYS * _SECONDS_A_DAY * rate)
        raise MalformedInput(
            f"{option_words} would take about {_days_words(days)} at {rate:,.0f} rounds a second; "
            f"allowed: {_MOST_DAYS} days, about {most:.0e} rounds"
        )
    return min(rounds, MOST_ROUNDS)


def _rounds_a_second(job: Job, settings: Settings, spread: Spread | None) -> float:
    """Measured on a few batches, the first of which compile and are not counted."""
    from time import perf_counter

    from cardroom.sim.batches import threads
    from cardroom.sim.run import Run

    batches = 4096 if settings.backend is Backend.CUDA else 4 * settings.workers
    run = Run(batches * job.rounds_per_batch, spread or threads(settings.workers))
    job(0, _FEWEST_ROUNDS)
    began = perf_counter()
    run.of(job)
    return run.rounds / (perf_counter() - began)


def _days_words(days: float) -> str:
    if days < _DAYS_A_YEAR:
        return f"{days:,.0f} days"
    years = days / _DAYS_A_YEAR
    return f"{years:,.0f} years" if years < 1e6 else f"{years:.0e} years"


@contextmanager
def progress_bar(rounds: int, until_se: float | None = None) -> Iterator[Callable[[Snapshot], None]]:
    """A bar on stderr with rate, time to go and the interval so far; nothing where nobody looks."""
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    out = console(stderr=True)
    columns = (
        BarColumn(bar_width=None),
        TextColumn("{task.percentage:>3.0f} %"),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[interval]}"),
    )
    with Progress(*columns, console=out, transient=True, disable=not out.is_terminal) as bar:
        task = bar.add_task("", total=rounds, rate="", interval="")
        begun = False

        def update(snapshot: Snapshot) -> None:
            nonlocal begun
            if not begun:  # what a checkpoint held, or the first batch, tells nothing of the speed
                bar.reset(task, completed=snapshot.rounds)
                begun = True
            total = rounds
            if until_se is not None:
                total = min(rounds, math.ceil(snapshot.rounds * (snapshot.standard_error / until_se) ** 2))
            speed = bar.tasks[task].speed
            reach = 100 * _SIGMAS_95 * snapshot.standard_error
            bar.update(
                task,
                completed=snapshot.rounds,
                total=max(total, snapshot.rounds),
                rate=f"{speed / 1e6:,.0f} million/s" if speed else "",
                interval=f"edge {signed(-100 * snapshot.mean, 3)} ± {in_percent(reach, 3)}",
            )

        yield update
