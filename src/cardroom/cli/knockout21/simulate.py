"""`cardroom simulate knockout-21`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cardroom.cli import INTERRUPTED
from cardroom.cli.options import (
    Changes,
    Json,
    RulesFile,
    SimulationSeed,
    Workers,
    house_rules_as,
    whole_number,
)
from cardroom.cli.output import console, plain_table, print_heading, print_json
from cardroom.cli.per_game import plain_typer
from cardroom.cli.simulation_options import (
    Backend,
    BackendName,
    CheckpointFile,
    CsvFile,
    ParquetFile,
    SchedulerAddress,
    UntilError,
    read_settings,
    run_job,
)
from cardroom.cli.tables import write_rows
from cardroom.cli.wagers import Wager
from cardroom.games import KNOCKOUT_21
from cardroom.presentation import wager_title
from cardroom.presentation.numbers import counted, percent, signed

if TYPE_CHECKING:
    from cardroom.exact.knockout21.draw_figures import GamePicture, Picture
    from cardroom.sim.knockout21.draws import GameEstimate

app = plain_typer()

_SIGMAS_95 = 1.959964
Draws = Annotated[str, typer.Option("--rounds", metavar="N", help="How many draws to play, such as 1e5.")]
TicketsWanted = Annotated[str, typer.Option("--tickets", metavar="N", help="How many tickets are in a draw.")]


@app.command()
def simulate(
    rounds: Draws = "1e5",
    tickets: TicketsWanted = "1000",
    wager: Wager = None,
    seed: SimulationSeed = 1,
    workers: Workers = None,
    backend: BackendName = Backend.CPU,
    scheduler: SchedulerAddress = None,
    until_se: UntilError = None,
    checkpoint: CheckpointFile = None,
    csv: CsvFile = None,
    parquet: ParquetFile = None,
    changes: Changes = None,
    rules_file: RulesFile = None,
    as_json: Json = False,
) -> None:
    """Play many draws of Knockout 21 with random tickets by the charts, Lucky Losers included."""
    from cardroom.core.errors import Unavailable
    from cardroom.lab.wager_sizes import read_wager
    from cardroom.rules.knockout21 import Knockout21Rules
    from cardroom.sim.knockout21.draws import MOST_TICKETS

    rules = house_rules_as(Knockout21Rules, KNOCKOUT_21.id, changes, rules_file)
    read_wager(wager, rules)
    number = whole_number(tickets, "--tickets", least=1, most=MOST_TICKETS)
    settings = read_settings(
        rounds, seed, workers, backend, scheduler, until_se, checkpoint, csv, parquet, None, as_json
    )
    if backend is Backend.CUDA:
        raise Unavailable("the GPU plays the blackjack family only; use --backend cpu")

    from cardroom.exact.knockout21.draw_figures import picture
    from cardroom.sim.knockout21.draws import Knockout21Job

    job = Knockout21Job(rules, number, settings.seed)
    exact = picture(rules, tickets=number)
    added, _ = run_job(job, settings)
    estimates = job.estimates(added.tally)
    net, error = job.precision(added.tally)
    if as_json:
        print_json(
            {
                "game": rules.game,
                "rules_hash": rules.rules_hash,
                "rounds": added.rounds,
                "seed": seed,
                "tickets": number,
                "wager_cents": rules.ticket_price_cents,
                "interrupted": added.interrupted,
                "return_to_player": 1 + net,
                "return_to_player_standard_error": error,
                "exact_return_to_player": exact.return_to_player,
                "wagers": [estimate.to_json() for estimate in estimates],
            }
        )
    else:
        print_heading(rules)
        draws = f"{added.rounds:,} draws of {counted(number, 'ticket')} from seed {seed}"
        console().print(f"{draws}, by the charts\n")
        _print_table(estimates, exact, (1 + net, error))
    rows = [
        {
            **estimate.to_json(),
            "tickets": number,
            "rounds": added.rounds,
            "exact_return": _return_of(game, exact),
        }
        for estimate, game in zip(estimates, exact.games, strict=True)
    ]
    write_rows(rows, csv=csv, parquet=parquet)
    if added.interrupted:
        console(stderr=True).print(f"interrupted after {added.rounds:,} draws")
        raise typer.Exit(INTERRUPTED)


def _return_of(game: GamePicture, exact: Picture) -> float:
    """What a game pays for each dollar of sales, exactly."""
    return game.expected_paid_cents / exact.sales_cents


def _print_table(estimates: tuple[GameEstimate, ...], exact: Picture, together: tuple[float, float]) -> None:
    right = ("Wins", "± 95 %", "Exact", "Returns", "±  95 %", "Exact ", "Off by")
    table = plain_table("Wager", *right, right=right)
    for estimate, game in zip(estimates, exact.games, strict=True):
        table.add_row(
            wager_title(f"game-{estimate.game}"),
            percent(estimate.win_chance, 3),
            percent(_SIGMAS_95 * estimate.win_chance_error, 3),
            percent(game.win_chance, 3),
            *_returns(estimate.returned, estimate.returned_error, _return_of(game, exact)),
        )
    table.add_row("Together", "", "", "", *_returns(*together, exact.return_to_player))
    console().print(table)


def _returns(mean: float, error: float, exact: float) -> tuple[str, str, str, str]:
    off = f"{signed((mean - exact) / error, 2, plus=True)} σ" if error else ""
    return percent(mean, 2), percent(_SIGMAS_95 * error, 2), percent(exact, 2), off
