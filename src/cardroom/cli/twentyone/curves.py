"""`cardroom protect GAME --ramp … --curves`: what the counter meets as shoes go by, as tables and CSV."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cardroom.cli.output import console, plain_table, write_file
from cardroom.presentation.numbers import percent, signed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rich.table import Table

    from cardroom.protect.counting import CounterResult
    from cardroom.protect.curves import Curves, Point, RiskOf, Spread

CurvesWanted = Annotated[
    bool,
    typer.Option(
        "--curves", help="With --ramp: counts by depth, how a bankroll may go, the risk by its size."
    ),
]

CsvWanted = Annotated[
    Path | None,
    typer.Option(
        "--csv",
        metavar="FILE",
        help="With --house: a line for each wager and cut; with --ramp: for each point of the curves.",
        show_default=False,
    ),
]


def print_curves(result: CounterResult) -> None:
    """Three tables."""
    curves: Curves = result.curves
    out = console()
    name = "Running" if result.counter.running else "True"
    out.print(f"\n{name} counts by depth: what so many of 100 rounds begin below", style="bold")
    out.print(_spreads("Decks dealt", curves.counts, at_digits=2, digits=2))
    print_common_curves(curves.bankroll, curves.risks)


def print_common_curves(bankroll: Sequence[Spread], risks: Sequence[RiskOf]) -> None:
    """How a bankroll may go, and its risk by size."""
    out = console()
    out.print("\nHow a bankroll may go: units won below which so many of 100 counters stand", style="bold")
    out.print(_spreads("Rounds seen", bankroll, at_digits=0, digits=0))
    if not risks:
        out.print("\nNo risk of ruin by bankroll: it is not sure that anything is won.")
        return
    out.print("\nRisk of ruin by bankroll", style="bold")
    right = ("Units", "Formula", "Simulated", "± (error)")
    table = plain_table(*right, right=right)
    for one in risks:
        table.add_row(
            f"{one.bankroll:,.0f}",
            percent(one.formula, 1),
            percent(one.simulated, 1),
            percent(one.standard_error, 1),
        )
    out.print(table)


def _spreads(at: str, spreads: Sequence[Spread], *, at_digits: int, digits: int) -> Table:
    from cardroom.protect.curves import PERCENTILES

    heads = (at, *map(str, PERCENTILES))
    table = plain_table(*heads, right=heads)
    for one in spreads:
        table.add_row(f"{one.at:,.{at_digits}f}", *(signed(value, digits) for value in one.values))
    return table


def write_curves(file: Path, points: Iterable[Point]) -> None:
    """A line for each point of each curve."""
    from cardroom.protect.curves import Point

    text = io.StringIO()
    lines = csv.writer(text, lineterminator="\n")
    lines.writerow(Point._fields)
    lines.writerows(["" if cell is None else cell for cell in point] for point in points)
    write_file(file, text.getvalue().encode())
