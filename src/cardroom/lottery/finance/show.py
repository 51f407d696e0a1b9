"""A report of money as text, CSV, PDF and plain data; the page shows the same tables."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from typing import Any, Final

from cardroom.core.money import format_cents
from cardroom.lab.par.blocks import Block, Facts, Grid, Heading, Paragraph
from cardroom.lottery.finance.report import FinanceReport
from cardroom.lottery.finance.tables import Cell, Column, Section
from cardroom.presentation.money import dollars

MOST_LINES: Final = 200
"""So many lines of a table are shown to people; CSV and plain data have all of them."""


def shown(cell: Cell, column: Column) -> str:
    """A cell as people read it."""
    if cell is None:
        return ""
    if column.kind == "cents" and isinstance(cell, int):
        return dollars(cell)
    return f"{cell:,}" if column.kind == "count" and isinstance(cell, int) else str(cell)


def shown_rows(section: Section) -> tuple[list[list[str]], list[str]]:
    """The rows of a table as people read them, with its sum, and what is said under it."""
    notes = list(section.notes)
    rows = section.rows[:MOST_LINES]
    if len(rows) < len(section.rows):
        notes.append(f"The first {MOST_LINES} of {len(section.rows):,} lines; the CSV file has all of them.")
    lines = [*rows, section.total] if section.total is not None and rows else list(rows)
    return [
        [shown(cell, column) for cell, column in zip(row, section.columns, strict=True)] for row in lines
    ], notes


def facts(report: FinanceReport) -> tuple[tuple[str, str], ...]:
    """What stands over the tables."""
    days = f"{report.first_day} to {report.last_day}"
    return (
        ("Days", str(report.first_day) if report.first_day == report.last_day else days),
        ("Terminal", report.terminal or "all"),
        ("Balances as of", f"{report.as_of:%Y-%m-%d %H:%M:%S} UTC"),
        ("Head of the log", report.log_head),
    )


def as_text(report: FinanceReport) -> str:
    """The report in lines of text."""
    lines = [report.title, ""]
    lines += [f"{name}: {value}" for name, value in facts(report)]
    for section in report.sections:
        rows, notes = shown_rows(section)
        lines += ["", section.title, *_table(section, rows), *(f"  {note}" for note in notes)]
    return "\n".join(lines) + "\n"


def _table(section: Section, rows: Sequence[Sequence[str]]) -> Iterator[str]:
    titles = [column.title for column in section.columns]
    widths = [max(len(row[place]) for row in (titles, *rows)) for place in range(len(titles))]
    if not rows:
        yield "  nothing"
        return
    for number, row in enumerate((titles, *rows)):
        if not any(row):
            continue
        is_sum = section.total is not None and number == len(rows)
        if is_sum and len(rows) > 1:
            yield "  " + "-" * (sum(widths) + 2 * (len(widths) - 1))
        cells = [
            cell.ljust(width) if column.kind == "text" else cell.rjust(width)
            for cell, width, column in zip(row, widths, section.columns, strict=True)
        ]
        yield ("  " + "  ".join(cells)).rstrip()


def as_csv(report: FinanceReport) -> str:
    """Every table in one file: each line begins with the name of its table; amounts are in dollars."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    for name, value in facts(report):
        writer.writerow(["report", name, value])
    for section in report.sections:
        writer.writerow([section.name, *(column.title for column in section.columns)])
        for row in section.rows:
            writer.writerow([section.name, *_plain_cells(section, row)])
        if section.total is not None:
            writer.writerow([section.name, *_plain_cells(section, section.total)])
        for note in section.notes if section.name == "control" else ():
            writer.writerow([section.name, note])
    return out.getvalue()


def _plain_cells(section: Section, row: Sequence[Cell]) -> Iterator[str]:
    for cell, column in zip(row, section.columns, strict=True):
        if cell is None:
            yield ""
        else:
            yield format_cents(cell) if column.kind == "cents" and isinstance(cell, int) else str(cell)


def as_pdf(report: FinanceReport) -> bytes:
    """The report on letter paper."""
    from cardroom.lab.par.pdf import paper

    foot = f"Head of the log {report.log_head[:80]}"
    return paper(list(_blocks(report)), title=report.title, subject=foot, foot=foot)


def _blocks(report: FinanceReport) -> Iterator[Block]:
    yield Facts(facts(report))
    for section in report.sections:
        rows, notes = shown_rows(section)
        yield Heading(section.title)
        if rows:
            texts = frozenset(place for place, column in enumerate(section.columns) if column.kind == "text")
            yield Grid(
                tuple(column.title for column in section.columns),
                tuple(tuple(row) for row in rows),
                text_columns=texts,
                has_total=section.total is not None,
            )
        for note in notes:
            yield Paragraph(note)


def as_data(report: FinanceReport) -> dict[str, Any]:
    """The report as plain data, amounts in cents."""
    return {
        "title": report.title,
        "first_day": report.first_day.isoformat(),
        "last_day": report.last_day.isoformat(),
        "terminal": report.terminal,
        "as_of": report.as_of.isoformat(),
        "log_head": report.log_head,
        "sections": [
            {
                "name": section.name,
                "title": section.title,
                "columns": [{"title": column.title, "kind": column.kind} for column in section.columns],
                "rows": [list(row) for row in section.rows],
                "total": None if section.total is None else list(section.total),
                "notes": list(section.notes),
            }
            for section in report.sections
        ],
    }
