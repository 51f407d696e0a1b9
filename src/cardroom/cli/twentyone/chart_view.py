"""The chart beside the table: hard hands, soft hands and pairs, with the cell of the hand in turn marked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from cardroom.model.twentyone.columns import columns_of
from cardroom.presentation.totals import kind_of_total
from cardroom.rules.twentyone.law import Action

if TYPE_CHECKING:
    from cardroom.engine.twentyone import Round
    from cardroom.lab.charts import Grid, GridRow, StrategyChart

STYLES: Final = {"S": "yellow", "H": "cyan", "D": "green", "P": "magenta", "R": "red"}
"""The colour of a cell by its first choice; the letter says the same."""
MARKED: Final = "reverse bold"


def grid_table(grid: Grid, title: str, least_width: int, marked: tuple[GridRow, int] | None = None) -> Table:
    """A grid with its labels beside the cells; the marked cell is turned over."""
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style="bold")
    table.add_column(title, no_wrap=True)
    for head in grid.heads:
        table.add_column(head, no_wrap=True, min_width=least_width)
    for row in grid.rows:
        cells = [cell_text(shown) for shown in row.shown()]
        if marked is not None and marked[0] is row:
            cells[marked[1]].stylize(MARKED)
        table.add_row(row.label, *cells)
    return table


def cell_text(shown: str) -> Text:
    """A cell in the colour of its first choice."""
    return Text(shown, STYLES.get(shown[0], "dim"))


def chart_view(chart: StrategyChart, in_turn: Round | None) -> RenderableType:
    """The three grids that hold for any hand, and where the hand in turn stands in them."""
    grids = [grid for grid in chart.grids if grid.title in ("Hard hands", "Soft hands", "Pairs")]
    marked = None if in_turn is None else cell_in_turn(grids, in_turn)
    parts: list[RenderableType] = []
    for grid in grids:
        parts += [grid_table(grid, grid.title, 2, marked), Text()]
    return Group(*parts)


def cell_in_turn(grids: list[Grid], game: Round) -> tuple[GridRow, int] | None:
    """The row and column of the hand in turn; None after a double, or where nothing is decided."""
    if game.up is None or not any(isinstance(option, Action) for option in game.options):
        return None
    hand = game.spots[game.turn].hands[game.hand]
    if hand.doubles:
        return None
    names = [kind_of_total(hand.cards)]
    if Action.SPLIT in game.options:
        value = hand.cards[0].value
        names.insert(0, f"pair {'A' if value == 1 else value}")
    columns = columns_of(game.rules)
    column = columns.places.index(columns.place_of(game.dealer[: columns.cards]))
    for name in names:
        for grid in grids:
            for row in grid.rows:
                if name in _hands_of(row.label):
                    return row, column
    return None


def _hands_of(label: str) -> Iterator[str]:
    """The hands that a row holds: `hard 5-8` holds four."""
    kind, _, numbers = label.partition(" ")
    first, _, last = numbers.partition("-")
    if not (first.isdigit() and last.isdigit()):
        yield label
        return
    for number in range(int(first), int(last) + 1):
        yield f"{kind} {number}"
