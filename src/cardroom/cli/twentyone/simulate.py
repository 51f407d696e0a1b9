"""`cardroom simulate` of the blackjack family."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cardroom.cli.options import (
    Changes,
    Json,
    RulesFile,
    Sides,
    SimulationSeed,
    Workers,
    house_rules_as,
    with_sides,
)
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
from cardroom.cli.simulation_report import SIGMAS_95
from cardroom.cli.twentyone.options import StrategyName, read_strategy
from cardroom.cli.wagers import SideWager, Wager
from cardroom.presentation.numbers import percent, signed

if TYPE_CHECKING:
    from fractions import Fraction

    from cardroom.exact.twentyone import Solution
    from cardroom.rules.twentyone import TwentyOneRules
    from cardroom.sim.result import SimulationResult
    from cardroom.sim.twentyone import Dealing

app = plain_typer()


class DealingName(StrEnum):
    """How shoes are dealt."""

    FRESH = "fresh"
    HOUSE = "house"


DealingWanted = Annotated[
    DealingName | None,
    typer.Option(
        "--dealing",
        help="A fresh shoe every round, or shoes with the house's cut card and burn; fresh unless told.",
        show_default=False,
    ),
]
CutCards = Annotated[
    int | None,
    typer.Option(
        "--cut-cards", metavar="N", help="Shoes with N cards behind the cut card.", show_default=False
    ),
]
RoundsPerShoe = Annotated[
    int | None,
    typer.Option("--rounds-per-shoe", metavar="N", help="Shoes of N rounds at most.", show_default=False),
]
Spots = Annotated[
    int, typer.Option("--spots", metavar="N", help="How many spots are played, by the same strategy.")
]
NoSideBets = Annotated[bool, typer.Option("--no-side-bets", help="The primary wager alone; faster.")]


@app.command()
def simulate(
    context: typer.Context,
    rounds: RoundsWanted = None,
    seed: SimulationSeed = 1,
    workers: Workers = None,
    strategy: StrategyName = "basic",
    dealing: DealingWanted = None,
    cut_cards: CutCards = None,
    rounds_per_shoe: RoundsPerShoe = None,
    spots: Spots = 1,
    no_side_bets: NoSideBets = False,
    wager: Wager = None,
    side_wager: SideWager = None,
    backend: BackendName = Backend.CPU,
    scheduler: SchedulerAddress = None,
    until_se: UntilError = None,
    checkpoint: CheckpointFile = None,
    csv: CsvFile = None,
    parquet: ParquetFile = None,
    plot: PlotFile = None,
    sides: Sides = None,
    changes: Changes = None,
    rules_file: RulesFile = None,
    as_json: Json = False,
) -> None:
    """Play many millions of rounds by a strategy, with wagers of a stated size."""
    from cardroom.lab.wager_sizes import read_side_wager, read_wager
    from cardroom.rules.twentyone import TwentyOneRules

    rules = house_rules_as(TwentyOneRules, context.info_name or "", with_sides(changes, sides), rules_file)
    settings = read_settings(
        rounds, seed, workers, backend, scheduler, until_se, checkpoint, csv, parquet, plot, as_json
    )
    if backend is Backend.CUDA:
        _require_gpu(spots)
    dealt = _dealing(rules, dealing, cut_cards, rounds_per_shoe)

    from cardroom.cli.simulation_report import show_simulation
    from cardroom.exact.twentyone import solve
    from cardroom.rules.twentyone.sizes import smallest_side_cents
    from cardroom.sim.twentyone import Job, report

    wager_cents = read_wager(wager, rules) or int(rules.limits.min)
    side_cents = read_side_wager(side_wager, rules) or smallest_side_cents(rules)
    solution = solve(rules, read_strategy(strategy, rules), wager_cents=wager_cents)
    _require_table(solution)
    job = Job.of(
        rules,
        solution.strategy.action,
        seed=settings.seed,
        dealing=dealt,
        spots=spots,
        side_bets=not no_side_bets,
        wager_cents=wager_cents,
        side_cents=side_cents,
    )
    added, points = run_job(job, settings)
    result = report(job, added, solution.strategy_name)
    show_simulation(
        rules,
        result,
        _exact(rules, solution, wager_cents, side_cents),
        points,
        settings,
        above=_above(result.details),
        below=_below(result, solution),
        plotted="primary",
    )


def _require_gpu(spots: int) -> None:
    from cardroom.core.errors import MalformedInput
    from cardroom.sim.twentyone.cuda import cuda

    if spots != 1:
        raise MalformedInput("the GPU plays one spot; use --backend cpu")
    cuda()


def _dealing(
    rules: TwentyOneRules, name: DealingName | None, cut_cards: int | None, rounds_per_shoe: int | None
) -> Dealing:
    from cardroom.core.errors import MalformedInput
    from cardroom.sim.twentyone import Dealing

    if cut_cards is None and rounds_per_shoe is None:
        return Dealing.house(rules) if name is DealingName.HOUSE else Dealing.fresh()
    if name is not None:
        raise MalformedInput(f"--dealing {name} leaves no room for --cut-cards or --rounds-per-shoe")
    if rules.decks == "infinite":
        raise MalformedInput("a shoe of infinitely many decks has no cut card and no end", clause="PROC-6")
    dealing = Dealing(rounds_per_shoe, cut_cards, rules.procedure.burn_cards)
    dealing.plan(rules.shoe().total)  # refuses what cannot be dealt
    return dealing


def _require_table(solution: Solution) -> None:
    """Refuse a strategy that looks at more than the automaton tells apart."""
    exceptions = [] if solution.table is not None else solution.exceptions()
    if exceptions:
        from cardroom.core.errors import MalformedInput

        cards, up, action, usual = exceptions[0]
        raise MalformedInput(
            "--strategy composition cannot be simulated with these rules: "
            f"{len(exceptions)} hands are not played as their total ({cards} against {up}: {action}, not "
            f"{usual}), and a simulated hand is known by its total; use basic or a chart"
        )


def _exact(
    rules: TwentyOneRules, solution: Solution, wager_cents: int, side_cents: int
) -> dict[str, Fraction | float]:
    """Exact expected values; the Super Bonus's only where the strategy plays for it."""
    from cardroom.lab.twentyone import beside_figures, plays_for_super_bonus

    exact: dict[str, Fraction | float] = {"primary": solution.expected_value}
    for figures in beside_figures(rules, wager_cents=wager_cents, side_cents=side_cents):
        exact[figures.wager] = figures.expected_value
    if not plays_for_super_bonus(solution):
        exact.pop("super-bonus", None)
    return exact


def _above(details: Any) -> list[str]:
    from cardroom.presentation.money import dollars

    spots = "" if details["spots"] == 1 else f"{details['spots']} spots, "
    size = dollars(details["wager_cents"])
    return [f"{details['strategy']} strategy, {spots}{details['dealing']}", f"for a wager of {size}"]


def _below(result: SimulationResult, solution: Solution) -> list[str]:
    details, primary = result.details, result.estimate("primary")
    spread, staked = signed(primary.standard_deviation, 4), signed(details["average_wager"], 4)
    lines = ["", f"Of a round: standard deviation {spread} wagers, {staked} staked on average."]
    if details["strategy"] == "basic":
        lines.append("Basic goes by totals, all that a simulated hand knows; odds goes by cards.")
    if details["rounds_per_shoe"] not in (None, 1.0):
        lines.append(
            f"{details['shoes']:,} shoes served {signed(details['rounds_per_shoe'], 2)} rounds each; "
            "exact values are those of a fresh shoe."
        )
    if details["dead_rounds"]:
        lines.append(f"{details['dead_rounds']:,} rounds were dead: the shoe ran out.")
    exact = {part.name: part.expected_value for part in solution.by_up_card}
    lines += ["", "Up card    House edge     ± 95 %      Exact"]
    for row in details["by_up_card"]:
        edge, reach = percent(-row["expected_value"]), percent(SIGMAS_95 * row["standard_error"])
        known = exact.get(row["up_card"])
        shown = "" if known is None else f"  {percent(-known):>10}"
        lines.append(f"{row['up_card']:7}  {edge:>12}  {reach:>9}{shown}")
    return lines
