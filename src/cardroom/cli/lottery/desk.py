"""`cardroom lottery`: what operator, auditor and finance read every day."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cardroom.cli.archive import require_database
from cardroom.cli.lottery.commands import DEFAULT_VAULT, DatabaseUrl, VaultFolder, _open
from cardroom.cli.options import Json
from cardroom.cli.output import console, plain_table, print_json, require_writable, write_file
from cardroom.core.extras import require
from cardroom.core.places import DEFAULT_DATABASE
from cardroom.presentation.money import dollars

if TYPE_CHECKING:
    from cardroom.lottery.finance.report import FinanceReport


def report(
    of: Annotated[str, typer.Argument(metavar="DRAW|DAY", help="A draw's number or a day, 2025-06-14.")],
    database: DatabaseUrl = DEFAULT_DATABASE,
    vault: VaultFolder = DEFAULT_VAULT,
    as_json: Json = False,
) -> None:
    """A draw's balance or a day's, with its tickets traced to payments; exit code 1 names a hole."""
    from cardroom.lottery.reports import day_report, draw_report
    from cardroom.lottery.schedule import parse_day

    require_database(database)
    with _open(database, vault, only_reads=True) as lottery:
        if of.isdecimal():
            figures = draw_report(lottery, int(of))
        else:
            figures = day_report(lottery, parse_day(of).isoformat())
    traced = figures.get("traced", {})
    if as_json:
        print_json(figures)
    else:
        table = plain_table("", "", right=())
        called_off = figures["called_off"] if isinstance(figures["called_off"], dict) else {}
        lines = [
            *figures.items(),
            *((f"called off: {name}", value) for name, value in called_off.items()),
            *((f"traced: {name}", value) for name, value in traced.items()),
            *((f"put right: {name}", value) for name, value in figures.get("results_put_right", {}).items()),
        ]
        for name, value in lines:
            if isinstance(value, int) and name.endswith("_cents"):
                table.add_row(name.removesuffix("_cents").replace("_", " "), dollars(value))
            elif not isinstance(value, dict | list):
                table.add_row(name.replace("_", " "), "" if value is None else str(value))
        for account, cents in figures.get("balances_cents", {}).items():
            table.add_row(account, dollars(cents))
        console().print(table)
        for fault in traced.get("faults", ()):
            typer.echo(fault)
    if traced.get("faults"):
        raise typer.Exit(1)


def finance(
    first: Annotated[
        str | None, typer.Argument(metavar="DAY", help="2025-06-14; today unless told.", show_default=False)
    ] = None,
    last: Annotated[
        str | None, typer.Argument(metavar="LAST_DAY", help="The last of several days.", show_default=False)
    ] = None,
    terminal: Annotated[str | None, typer.Option("--terminal", help="Of one terminal only.")] = None,
    csv: Annotated[Path | None, typer.Option("--csv", metavar="FILE", help="Write a CSV file, too.")] = None,
    pdf: Annotated[Path | None, typer.Option("--pdf", metavar="FILE", help="Write a PDF, too.")] = None,
    database: DatabaseUrl = DEFAULT_DATABASE,
    vault: VaultFolder = DEFAULT_VAULT,
    as_json: Json = False,
) -> None:
    """The money of a day or of several: by draws, by cash, by terminal, pools, what is owed, the balance."""
    from cardroom.lottery.finance.report import finance_report
    from cardroom.lottery.finance.show import as_csv, as_data, as_pdf
    from cardroom.lottery.schedule import parse_day, wall_clock

    require_database(database)
    require_writable(csv, pdf)
    if pdf is not None:
        require("a PDF", "documents,plots", "reportlab", "matplotlib")
    with _open(database, vault, only_reads=True) as lottery:
        day = parse_day(first) if first else wall_clock(lottery.rules, lottery.database.clock.now()).date()
        report = finance_report(lottery, day, parse_day(last) if last else None, terminal=terminal)
    if csv is not None:
        write_file(csv, as_csv(report).encode())
    if pdf is not None:
        write_file(pdf, as_pdf(report))
    if as_json:
        print_json(as_data(report))
    else:
        _print(report)


def _print(report: FinanceReport) -> None:
    from cardroom.lottery.finance.show import facts, shown_rows

    out = console()
    out.print(report.title, style="bold")
    for name, value in facts(report):
        out.print(f"{name}: {value}", soft_wrap=True)
    for section in report.sections:
        rows, notes = shown_rows(section)
        out.print(f"\n{section.title}", style="bold")
        titles = [column.title for column in section.columns]
        numbers = [column.title for column in section.columns if column.kind != "text"]
        table = plain_table(*titles, right=numbers)
        for row in rows:
            table.add_row(*row)
        out.print(table if rows else "nothing")
        for note in notes:
            out.print(note, style="dim", soft_wrap=True)
