"""`cardroom protect GAME --house`: how the wagers of a game can be beaten, and what helps."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cardroom.cli.options import checked_seed
from cardroom.cli.output import (
    console,
    plain_table,
    print_heading,
    print_json,
    require_writable,
    working_through,
    write_file,
)
from cardroom.core.errors import MalformedInput
from cardroom.games import GAMES
from cardroom.presentation.money import chips, dollars
from cardroom.presentation.numbers import percent, signed

if TYPE_CHECKING:
    from cardroom.protect.house import HouseReport
    from cardroom.rules import HouseRules

House = Annotated[
    bool, typer.Option("--house", help="The report for the house: every wager, worst case, what helps.")
]
Watch = Annotated[
    float, typer.Option("--watch", metavar="DOLLARS", help="With --house: won in 100 rounds, to be watched.")
]
Exposed = Annotated[
    float, typer.Option("--exposed", metavar="DOLLARS", help="With --house: won in 100 rounds, exposed.")
]
CsvFile = Annotated[
    Path | None,
    typer.Option(
        "--csv", metavar="FILE", help="With --house: a line for each wager and cut.", show_default=False
    ),
]
WATCH_DOLLARS = 5.0
EXPOSED_DOLLARS = 50.0


def show_house_report(
    rules: HouseRules,
    *,
    shoes: int | None,
    seed: int,
    watch: float,
    exposed: float,
    csv: Path | None,
    as_json: bool,
) -> HouseReport:
    """Make the report of a game, whichever it is, and print it."""
    from cardroom.protect.exposure import Thresholds

    for option, dollars_ in (("--watch", watch), ("--exposed", exposed)):
        if not 0 < dollars_ < float("inf"):
            raise MalformedInput(f"{option} {dollars_:g} is not allowed; allowed: above 0 dollars")
    require_writable(csv)
    thresholds = Thresholds(round(100 * watch), round(100 * exposed))
    limits = {} if shoes is None else {"shoes": shoes}
    with working_through(f"dealing and valuing shoes of {rules.title}") as steps:
        report: HouseReport = GAMES[rules.game].follow("house_report")(
            rules, seed=checked_seed(seed), thresholds=thresholds, progress=steps, **limits
        )
    if csv is not None:
        write_file(csv, report.to_csv().encode())
    if as_json:
        print_json(report.to_json())
    else:
        print_heading(rules)
        _print(report)
    return report


def _print(report: HouseReport) -> None:
    out = console()
    bounds = report.thresholds
    if report.interrupted:
        out.print("Interrupted; this is what was solved and counted until then.", style="bold")
        if report.not_reached:
            out.print(f"Not counted yet: {', '.join(report.not_reached)}.")
    out.print(f"For the house: {report.mark}", style="bold")
    out.print(f"How: {report.method}.")
    out.print(
        f"Marks: by what the best conceivable counter wins in 100 rounds with the largest stake; watch from "
        f"{chips(bounds.watch_cents)}, exposed from {chips(bounds.exposed_cents)}.\n"
    )
    if report.wagers:
        right = ("Largest stake", "Won in 100 rounds", "With $10,000", "Safe up to")
        table = plain_table("Wager", "Mark", *right, right=right)
        for one in report.wagers:
            table.add_row(
                one.title,
                one.mark,
                chips(one.largest_stake_cents),
                dollars(one.own.at_maximum_cents),
                dollars(one.own.without_maximum_cents),
                "any" if one.safe_stake_cents is None else chips(one.safe_stake_cents),
            )
        out.print(table)
        cut = "At the deepest cut that the rules allow. " if report.wagers[0].cuts else ""
        out.print(f"{cut}With $10,000: by the Kelly wager, at a table without a maximum.\n")
    if any(one.cuts for one in report.wagers):
        heads = [f"{cut.decks:g} deck{'s' * (cut.decks != 1)} cut off" for cut in report.wagers[0].cuts]
        out.print("Won in 100 rounds with the largest stake (error); share of rounds that pay", style="bold")
        table = plain_table("Wager", *heads, right=tuple(heads))
        for one in report.wagers:
            table.add_row(
                one.title,
                *(
                    f"{dollars(cut.at_maximum_cents)} ({dollars(cut.at_maximum_error)}) "
                    f"{percent(cut.share, 1)}"
                    for cut in one.cuts
                ),
            )
        out.print(table)
        out.print()
    for one in report.wagers:
        if one.mark == "safe":
            continue
        out.print(f"{one.title}: what is left of {dollars(one.own.at_maximum_cents)}", style="bold")
        for measure in one.countermeasures:
            saved = 1 - measure.left_cents / one.own.at_maximum_cents
            out.print(f"  {dollars(measure.left_cents)} (saves {signed(100 * saved, 0)} %): {measure.words}")
        out.print()
    for finding in report.findings:
        out.print(f"- {finding}", soft_wrap=True)
    if report.not_valued:
        out.print(f"Not valued, decided by the dealer's whole hand: {', '.join(report.not_valued)}.")
