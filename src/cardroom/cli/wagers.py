"""The size of the wagers that figures are for: the options, and how the edge by size is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

import typer

from cardroom.cli.output import console, plain_table
from cardroom.presentation import wager_title
from cardroom.presentation.numbers import in_percent

if TYPE_CHECKING:
    from cardroom.lab.edge_by_size import EdgeBySize
    from cardroom.rules import HouseRules

Wager = Annotated[
    str | None,
    typer.Option(
        "--wager",
        metavar="AMOUNT",
        help="The size of the wager in dollars; the table's minimum unless told.",
        show_default=False,
    ),
]
SideWager = Annotated[
    str | None,
    typer.Option(
        "--side-wager",
        metavar="AMOUNT",
        help="The size of each side wager; the table's smallest unless told.",
        show_default=False,
    ),
]
_BAR_CELLS: Final = 10
_NARROW: Final = 66
"""Columns of a terminal below which no bars are drawn."""


def print_sizes(sizes: EdgeBySize, rules: HouseRules) -> None:
    """Say for which size the figures are, and show the edge by size where it depends on it."""
    out = console()
    out.print()
    out.print(sizes.text)
    if sizes.side is not None and (sizes.side.wagers or sizes.side.in_full):
        out.print(sizes.side.text)
    for table in (sizes, sizes.side):
        if table is not None and table.wagers:
            _print_table(table, "Side wager" if table is sizes.side else "Wager", rules)


def _print_table(sizes: EdgeBySize, name: str, rules: HouseRules) -> None:
    from cardroom.presentation.money import dollars

    out = console()
    drawn = sizes.wagers[0]
    right = (name, *(wager_title(wager, rules) for wager in sizes.wagers))
    drawn_at = ("",) if out.width >= _NARROW else ()
    table = plain_table(*right, *drawn_at, " ", right=right)
    for column in table.columns[: len(right)]:
        column.min_width = max(len(str(column.header)), len("100.0000 %"))
    shown = [line.edges[drawn] for line in sizes.lines if drawn in line.edges]
    least, most = min(0.0, *shown), max(0.0, *shown)
    mark = "█" if out.encoding.lower().startswith("utf") else "#"
    for line in sizes.lines:
        edges = [in_percent(line.edges[wager]) if wager in line.edges else "none" for wager in sizes.wagers]
        length = round(_BAR_CELLS * abs(line.edges.get(drawn, 0.0)) / ((most - least) or 1.0))
        here = "as above" if line.wager_cents == sizes.wager_cents else ""
        table.add_row(
            dollars(line.wager_cents),
            *edges,
            *(mark * length for _ in drawn_at),
            ", ".join(word for word in (line.why, here) if word),
        )
    out.print()
    out.print(f"House edge by the size of the {name.lower()}", style="bold")
    out.print(table)
