"""`cardroom strategy` of the blackjack family."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cardroom.cli.options import Changes, Json, RulesFile, house_rules_as
from cardroom.cli.output import (
    console,
    named_shoe,
    print_heading,
    print_json,
    require_writable,
    working,
    write_file,
)
from cardroom.cli.per_game import plain_typer
from cardroom.cli.twentyone.options import (
    Exact,
    RemovedCards,
    ShoeText,
    StrategyName,
    read_shoe,
    read_strategy,
    solving,
)
from cardroom.cli.wagers import Wager
from cardroom.core.extras import require
from cardroom.presentation.numbers import percent

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.text import Text

    from cardroom.exact.twentyone import Solution
    from cardroom.lab.charts import Grid, StrategyChart

app = plain_typer()


def _file(option: str, words: str) -> typer.models.OptionInfo:
    info: typer.models.OptionInfo = typer.Option(option, metavar="FILE", help=words, show_default=False)
    return info


@app.command()
def strategy(
    context: typer.Context,
    strategy: StrategyName = "basic",
    shoe: ShoeText = None,
    removed: RemovedCards = None,
    exact: Exact = False,
    wager: Wager = None,
    svg: Annotated[Path | None, _file("--svg", "Write the chart as a picture, SVG.")] = None,
    png: Annotated[Path | None, _file("--png", "Write the chart as a picture, PNG.")] = None,
    html: Annotated[Path | None, _file("--html", "Write the chart as a page.")] = None,
    csv: Annotated[Path | None, _file("--csv", "Write the chart as a file for --strategy.")] = None,
    changes: Changes = None,
    rules_file: RulesFile = None,
    as_json: Json = False,
) -> None:
    """The best strategy as a chart: hard and soft hands, pairs, after a double, exceptions."""
    from cardroom.exact.figures import number_to_json
    from cardroom.exact.twentyone import Solution, solve
    from cardroom.lab.strategies import chart_of
    from cardroom.lab.wager_sizes import read_wager
    from cardroom.presentation.money import dollars
    from cardroom.rules.twentyone import TwentyOneRules

    rules = house_rules_as(TwentyOneRules, context.info_name or "", changes, rules_file)
    cards = read_shoe(shoe, rules, removed)
    by = read_strategy(strategy, rules, cards)
    wager_cents = read_wager(wager, rules) or int(rules.limits.min)
    require_writable(svg, png, html, csv)
    if svg is not None or png is not None:
        require("a picture", "plots", "matplotlib")
    with working(solving(rules, exact=exact)):
        solution = (
            solve(rules, by, shoe=cards, wager_cents=wager_cents, exact=True)
            if exact
            else solve(rules, by, shoe=cards, wager_cents=wager_cents)
        )
        chart = chart_of(solution)
        exceptions = (
            _exceptions(solution) if isinstance(solution, Solution) and solution.table is None else []
        )
    written = _write(chart, svg=svg, png=png, html=html, csv=csv)
    if as_json:
        print_json(
            {
                "game": rules.game,
                "rules_hash": rules.rules_hash,
                **named_shoe(cards),
                "wager_cents": wager_cents,
                "expected_value": number_to_json(solution.expected_value),
                **chart.to_json(),
                "exceptions": exceptions,
            }
        )
        return
    if written:
        for file in written:
            console(stderr=True).print(f"wrote {file}")
        return
    print_heading(rules, cards)
    _print_chart(chart)
    out = console()
    edge, size = percent(-float(solution.expected_value)), dollars(wager_cents)
    out.print(f"\nHouse edge by this strategy: {edge}")
    if solution.strategy_name == "basic":
        out.print("Basic goes by totals, all that a chart can hold; odds goes by cards.")
    out.print(f"The chart and its edge are for a wager of {size}.")
    if exceptions:
        out.print("\nHands that are not played as their total (composition):", style="bold")
        for line in exceptions:
            out.print(f"  {line['cards']} against {line['up_card']}: {line['action']}, not {line['usual']}")


def _exceptions(solution: Solution) -> list[dict[str, str]]:
    return [
        {"cards": cards, "up_card": up, "action": str(action), "usual": str(usual)}
        for cards, up, action, usual in solution.exceptions()
    ]


def _write(
    chart: StrategyChart, *, svg: Path | None, png: Path | None, html: Path | None, csv: Path | None
) -> list[Path]:
    from cardroom.lab.charts import chart_figure, chart_page

    written = []
    if svg is not None or png is not None:
        from cardroom.lab.plots import rendered

        for file, form in ((svg, "svg"), (png, "png")):
            if file is not None:
                written.append(
                    write_file(file, rendered(chart_figure(chart), "svg" if form == "svg" else "png"))
                )
    if html is not None:
        written.append(write_file(html, chart_page(chart).encode()))
    if csv is not None:
        written.append(write_file(csv, chart.chart.csv().encode()))
    return written


def _print_chart(chart: StrategyChart) -> None:
    from cardroom.lab.charts import LEGEND, MEANINGS

    out = console()
    for grid in chart.grids:
        out.print()
        _print_grid(grid)
    out.print()
    out.print(", ".join(f"{letter} {MEANINGS[letter]}" for letter in chart.letters))
    out.print(LEGEND)


_WIDEST = 10_000


def _print_grid(grid: Grid) -> None:
    """A grid that fits the window: its title over the labels, or above; labels beside the cells, or above."""
    from cardroom.cli.twentyone.chart_view import grid_table

    out = console()
    for title, least_width in ((grid.title, 3), ("", 2)):
        table = grid_table(grid, title, least_width)
        if out.measure(table, options=out.options.update(width=_WIDEST)).maximum <= out.width:
            if not title:
                out.print(grid.title, style="bold")
            out.print(table)
            return
    out.print(grid.title, style="bold")
    for line in _below_labels(grid):
        out.print(line, soft_wrap=True)


def _below_labels(grid: Grid) -> Iterator[Text]:
    from rich.text import Text

    from cardroom.cli.twentyone.chart_view import cell_text

    rows = [list(row.shown()) for row in grid.rows]
    widths = [max(len(head), *(len(row[at]) for row in rows)) for at, head in enumerate(grid.heads)]
    heads = (head.ljust(width) for head, width in zip(grid.heads, widths, strict=True))
    yield Text(" ".join(heads), "bold")
    for row, cells in zip(grid.rows, rows, strict=True):
        yield Text(row.label)
        padded = [cell_text(cell.ljust(width)) for cell, width in zip(cells, widths, strict=True)]
        yield Text(" ").join(padded)
