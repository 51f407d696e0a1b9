"""What a simulation found: a table for people, JSON for programs, CSV and Parquet, a plot of convergence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

import typer

from cardroom.cli import INTERRUPTED
from cardroom.cli.output import console, plain_table, print_heading, print_json, write_file
from cardroom.cli.tables import write_rows
from cardroom.presentation import wager_title
from cardroom.presentation.numbers import percent, signed

if TYPE_CHECKING:
    from pathlib import Path

    from cardroom.cli.simulation_options import Settings
    from cardroom.rules import HouseRules
    from cardroom.sim.result import Estimate, SimulationResult
    from cardroom.sim.run import Snapshot

Exact = Mapping[str, Fraction | float]
"""The exact expected value of each wager of which one is known."""
SIGMAS_95: Final = 1.959964
NOTHING_KNOWN: Final = "–"
"""Where a wager has no exact value."""


def show_simulation(
    rules: HouseRules,
    result: SimulationResult,
    exact: Exact,
    points: Sequence[Snapshot],
    settings: Settings,
    *,
    above: Sequence[str] = (),
    below: Sequence[str] = (),
    plotted: str,
) -> None:
    """Print the estimates with their 95 % intervals beside the exact values, and write what was asked for.

    A simulation that was interrupted is shown as far as it came, and ends with the exit code of Ctrl-C.
    """
    interrupted = bool(result.details.get("interrupted"))
    if settings.as_json:
        print_json(_json(result, exact))
    else:
        print_heading(rules)
        out = console()
        out.print(f"{result.rounds:,} rounds from seed {result.seed}")
        for line in above:
            out.print(line)
        out.print()
        _print_table(result.estimates, exact, rules)
        for line in below:
            out.print(line)
    write_rows(_rows(result.estimates, exact), csv=settings.csv, parquet=settings.parquet)
    if settings.plot is not None:
        _plot(settings.plot, points, plotted, exact.get(plotted))
    notices = console(stderr=True)
    if interrupted:
        notices.print(f"interrupted after {result.rounds:,} rounds{_resumable(settings)}", soft_wrap=True)
        raise typer.Exit(INTERRUPTED)
    if settings.until_se is not None and points and points[-1].standard_error > settings.until_se:
        notices.print(
            f"all {result.rounds:,} rounds were played; the standard error is "
            f"{points[-1].standard_error:.2e}, above {settings.until_se:g}",
            soft_wrap=True,
        )


def _resumable(settings: Settings) -> str:
    return f"; the same command goes on from {settings.checkpoint}" if settings.checkpoint else ""


def _print_table(estimates: Sequence[Estimate], exact: Exact, rules: HouseRules) -> None:
    right = ("House edge", "± 95 %", "Exact", "Off by", "Wins")
    table = plain_table("Wager", *right, right=right)
    for estimate in estimates:
        known, off = exact.get(estimate.wager), _off(estimate, exact)
        table.add_row(
            wager_title(estimate.wager, rules),
            percent(-float(estimate.mean)),
            percent(SIGMAS_95 * estimate.standard_error),
            NOTHING_KNOWN if known is None else percent(-float(known)),
            NOTHING_KNOWN if off is None else f"{signed(off, 2, plus=True)} σ",
            percent(estimate.hit_frequency),
        )
    console().print(table)


def _off(estimate: Estimate, exact: Exact) -> float | None:
    """How many standard errors the mean is off the exact value."""
    known, error = exact.get(estimate.wager), estimate.standard_error
    return None if known is None or not error else (float(estimate.mean) - float(known)) / error


def _json(result: SimulationResult, exact: Exact) -> dict[str, Any]:
    report = result.to_json()
    for wager, estimate in zip(report["wagers"], result.estimates, strict=True):
        known = exact.get(estimate.wager)
        fraction = str(known) if isinstance(known, Fraction) else None
        wager["exact"] = None if known is None else {"fraction": fraction, "decimal": float(known)}
        wager["off_by_standard_errors"] = _off(estimate, exact)
    return report


def _rows(estimates: Sequence[Estimate], exact: Exact) -> list[dict[str, Any]]:
    """The figures of every wager, a row each."""
    rows = []
    for estimate in estimates:
        mean, known = float(estimate.mean), exact.get(estimate.wager)
        low, high = estimate.confidence_interval()
        rows.append(
            {
                "wager": estimate.wager,
                "rounds": estimate.rounds,
                "expected_value": mean,
                "standard_error": estimate.standard_error,
                "low_95": low,
                "high_95": high,
                "house_edge_percent": -100 * mean,
                "standard_deviation": estimate.standard_deviation,
                "hit_frequency": estimate.hit_frequency,
                "exact": None if known is None else float(known),
            }
        )
    return rows


def _plot(file: Path, points: Sequence[Snapshot], wager: str, exact: Fraction | float | None) -> None:
    from cardroom.lab.convergence import convergence
    from cardroom.lab.plots import rendered

    drawn = convergence(
        [(point.rounds, point.mean, SIGMAS_95 * point.standard_error) for point in points],
        None if exact is None else float(exact),
        wager=wager_title(wager),
    )
    write_file(file, rendered(drawn, "svg" if file.suffix == ".svg" else "png"))
