"""`cardroom protect GAME --ramp … --with …`: several counters at one table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cardroom.cli.output import console, plain_table, print_heading, print_json
from cardroom.cli.simulation_options import Settings, run_job
from cardroom.cli.twentyone.curves import print_common_curves, write_curves
from cardroom.presentation.numbers import counted, percent, signed

if TYPE_CHECKING:
    from pathlib import Path

    from cardroom.protect.habits import Counter
    from cardroom.protect.team import TeamResult
    from cardroom.rules.twentyone import TwentyOneRules

With = Annotated[
    list[str] | None,
    typer.Option(
        "--with",
        metavar="HABITS",
        help='A further counter at the table, such as "count=zen ramp=1:4,2:12 enter=2 spots=2".',
        show_default=False,
    ),
]


def play_team(
    rules: TwentyOneRules,
    first: Counter,
    further: list[str],
    settings: Settings,
    *,
    cut_cards: int | None,
    most: int,
    bankroll: float | None,
    curves: bool,
    csv: Path | None,
) -> TeamResult:
    """Play the counters of a table and print what each wins, and all together."""
    from cardroom.protect.team import Team, TeamResult, read_counter

    team = Team.of([first, *map(read_counter, further)], first.others)
    job = team.job(rules, seed=settings.seed, cut_cards=cut_cards, most_units=most)
    added, _ = run_job(job, settings)
    result = TeamResult(job, team, added, int(rules.limits.min))
    if csv is not None:
        write_curves(csv, result.curve_points())
    if settings.as_json:
        report = result.to_json(bankroll)
        print_json({**report, **({"curves": result.curves_json()} if curves else {})})
        return result
    print_heading(rules)
    _print(result, bankroll)
    if curves:
        print_common_curves(result.bankroll, result.risks)
    return result


def _print(result: TeamResult, bankroll: float | None) -> None:
    from cardroom.protect.team import counter_words

    out = console()
    if result.added.interrupted:
        out.print("Interrupted; these are the rounds that were played until then.", style="bold")
    out.print(
        f"{counted(len(result.counters), 'counter')} at one table, "
        f"{counted(result.job.others, 'spot')} of others before them. {result.rounds:,} rounds seen, "
        f"{result.counters[0].rounds_per_shoe:.1f} a shoe, seed {result.job.seed}."
    )
    right = ("Played", "In 100 seen", "± (error)", "In 100 played", "SD", "SCORE")
    table = plain_table("Counter", *right, right=right)
    for number, one in enumerate(result.counters, 1):
        played = one.played
        table.add_row(
            str(number),
            percent(0.0 if played is None else played.rounds / result.rounds, 1),
            signed(100 * one.seen.mean, 3, plus=True),
            signed(100 * one.seen.standard_error, 3),
            "-" if played is None else signed(100 * played.mean, 3, plus=True),
            signed(one.seen.standard_deviation, 2),
            signed(one.seen.score, 2),
        )
    rate = result.seen
    table.add_row(
        "together",
        "",
        signed(100 * rate.mean, 3, plus=True),
        signed(100 * rate.standard_error, 3),
        "",
        signed(rate.standard_deviation, 2),
        signed(rate.score, 2),
    )
    out.print(table)
    for number, one in enumerate(result.counters, 1):
        out.print(f"{number}: {counter_words(one.counter)}", soft_wrap=True)
        for side in one.sides:
            out.print(
                f"   {side.wager} from {side.from_count}: made in "
                f"{percent(side.rounds / result.rounds, 2)} of the rounds, "
                f"edge {percent(side.edge, 2, plus=True)}"
            )
    hands = result.hands
    if hands:
        out.print(
            "Units won for 100 rounds seen and for 100 rounds played by the counter; SD of a round seen. "
            "For 100 hands played, by all counters together: "
            f"{signed(100 * rate.mean * result.rounds / hands, 3, plus=True)}."
        )
    if result.correlation is not None:
        out.print(
            f"Correlation of two counters in a round: {signed(result.correlation, 3)}. They play against "
            "the same dealer, so the spread together is more than that of counters at different tables."
        )
    after = "never" if rate.n0 is None else f"{rate.n0:,.0f} rounds"
    out.print(
        f"Together by rounds seen: DI {signed(rate.desirability, 2)}, SCORE {rate.score:.2f}, N0 {after}."
    )
    if bankroll is not None:
        from cardroom.protect.ruin import simulated_ruin

        simulated = simulated_ruin(result.job, rate, bankroll)
        beside = "" if simulated is None else f", {percent(simulated.risk, 2)} simulated"
        out.print(
            f"With a common bankroll of {bankroll:g} units: risk of ruin "
            f"{percent(rate.ruin(bankroll), 2)} by the formula{beside}."
        )
