"""`cardroom simulate knockout-52`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardroom.cli.options import Changes, Json, RulesFile, SimulationSeed, Workers, house_rules_as
from cardroom.cli.per_game import plain_typer
from cardroom.cli.simulation_options import (
    Backend,
    BackendName,
    CheckpointFile,
    CsvFile,
    ParquetFile,
    PlotFile,
    RoundsWanted,
    SchedulerAddress,
    UntilError,
    read_settings,
    run_job,
)
from cardroom.cli.wagers import Wager
from cardroom.games import KNOCKOUT_52

if TYPE_CHECKING:
    from fractions import Fraction

app = plain_typer()


@app.command()
def simulate(
    rounds: RoundsWanted = None,
    wager: Wager = None,
    seed: SimulationSeed = 1,
    workers: Workers = None,
    backend: BackendName = Backend.CPU,
    scheduler: SchedulerAddress = None,
    until_se: UntilError = None,
    checkpoint: CheckpointFile = None,
    csv: CsvFile = None,
    parquet: ParquetFile = None,
    plot: PlotFile = None,
    changes: Changes = None,
    rules_file: RulesFile = None,
    as_json: Json = False,
) -> None:
    """Play Knockout 52 many millions of times, the same stake on every wager of every game."""
    from cardroom.core.errors import Unavailable
    from cardroom.lab.wager_sizes import read_wager
    from cardroom.presentation.money import dollars
    from cardroom.rules.knockout52 import Knockout52Rules

    rules = house_rules_as(Knockout52Rules, KNOCKOUT_52.id, changes, rules_file)
    settings = read_settings(
        rounds, seed, workers, backend, scheduler, until_se, checkpoint, csv, parquet, plot, as_json
    )
    if backend is Backend.CUDA:
        raise Unavailable("the GPU plays the blackjack family only; use --backend cpu")

    from cardroom.cli.simulation_report import show_simulation
    from cardroom.exact.knockout52 import wager_figures
    from cardroom.sim.knockout52 import Knockout52Job

    stake_cents = read_wager(wager, rules) or int(rules.limits.min)
    job = Knockout52Job(rules, settings.seed, stake_cents)
    added, points = run_job(job, settings)
    result = job.report(added)
    exact: dict[str, Fraction | float] = {
        figures.wager: figures.expected_value for figures in wager_figures(rules, stake_cents)
    }
    least_known = max(result.estimates, key=lambda estimate: estimate.standard_error)
    staked = f"{dollars(stake_cents)} on every wager of every game"
    show_simulation(rules, result, exact, points, settings, above=[staked], plotted=least_known.wager)
