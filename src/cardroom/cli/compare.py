"""`cardroom compare A B`: two games, rules files or side bets side by side."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Annotated

import typer

from cardroom.cli.design import OnGame
from cardroom.cli.options import Json
from cardroom.cli.output import console, option_text, plain_table, print_json, working

if TYPE_CHECKING:
    from cardroom.exact.figures import Number
    from cardroom.lab.side_by_side import Comparison, Line

One = Annotated[
    str,
    typer.Argument(
        metavar="A",
        help="A game, a known variant, a rules file, a file with a side bet, or a bet of the shelf.",
        show_default=False,
    ),
]
Other = Annotated[str, typer.Argument(metavar="B", help="Another of the same kind.", show_default=False)]


def compare(one: One, other: Other, game: OnGame = None, as_json: Json = False) -> None:
    """Set two games, rules files or side bets side by side: rules, figures, chart."""
    from cardroom.lab.side_by_side import find_side, side_by_side

    sides = [find_side(source, game) for source in (one, other)]
    with working(f"computing {one} and {other}"):
        comparison = side_by_side(*sides)
    if as_json:
        print_json(comparison.to_json())
    else:
        _print(comparison)


def _print(comparison: Comparison) -> None:
    out = console()
    one, other = comparison.names
    if one == other:
        one, other = f"{one} A", f"{other} B"
    out.print("Rules that differ", style="bold")
    if not comparison.options:
        out.print("none")
    for key, values in comparison.options.items():
        here, there = ("none" if value is None else option_text(value) for value in values)
        out.print(f"{key}: {here} → {there}")
    out.print()
    right = (one, other, "Difference")
    table = plain_table("Figure", *right, right=right)
    for line in comparison.figures:
        difference = ""
        if line.one is not None and line.other is not None:
            difference = _text(line, line.other - line.one, plus=True)
        values = (_text(line, line.one), _text(line, line.other))
        table.add_row(f"{line.about}: {line.figure}", *values, difference)
    out.print(table)
    if comparison.cells:
        out.print("\nCells of the basic strategy's chart that differ", style="bold")
    for hand, cells in groupby(comparison.cells, key=lambda cell: cell.hand):
        said = []
        for cell in cells:
            up = "10" if cell.up_card == "T" else cell.up_card
            said.append(f"against {up} {cell.one} → {cell.other}")
        if cell.one is None or cell.other is None:  # a row is there for all up cards or for none
            said = [f"only {one if cell.other is None else other} has this row"]
        out.print(f"{hand}: {', '.join(said)}")


def _text(line: Line, number: Number | None, *, plus: bool = False) -> str:
    from cardroom.presentation.numbers import percent, signed

    if number is None:
        return "none"
    if line.is_share:
        return percent(float(number), 4, plus=plus)
    return signed(float(number), 6, plus=plus)
