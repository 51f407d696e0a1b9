"""A strategy as people read it: grids of cells, in the terminal, on paper, as SVG, PNG or HTML.

Rows that hold for a hand as such stand in the grids of hard hands, soft hands, pairs and hands after a
double; rows for hands of many cards, for a bonus in view or after a split stand apart, and show only where
they differ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from cardroom.model.twentyone.strategy import NO_SUCH_CARD, Chart, Row

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CLOSE: Final = 0.0005
"""A choice that is better than the next by less than this is marked, in parts of the initial wager."""
SAME: Final = "·"
"""The cell of an exception that is no exception."""
CLOSE_MARK: Final = "*"
_SUITS: Final = ("mixed", "suited", "clubs", "diamonds", "hearts", "spades")
COLOURS: Final[Mapping[str, str]] = {
    "S": "#f3d9a4",
    "H": "#cfe3ef",
    "D": "#bfe0c2",
    "P": "#dccdec",
    "R": "#f0c1bb",
}
"""The ground of a cell by its first choice; the letter says the same."""
MEANINGS: Final[Mapping[str, str]] = {
    "S": "stand",
    "H": "hit",
    "D": "double",
    "P": "split",
    "R": "surrender, or rescue after a double",
}


def cell_words(cell: str) -> str:
    """A cell of several choices: the first that is allowed is taken.

    >>> cell_words("Dh"), cell_words("Rs")
    ('double; else hit', 'surrender, or rescue after a double; else stand')
    """
    return "; else ".join(MEANINGS[letter.upper()] for letter in cell)


LEGEND: Final = (
    "A cell holds choices by preference, and the first that is allowed is taken: Dh doubles, or hits where "
    f"a double is not allowed. {CLOSE_MARK} marks a choice that is better than the next by less than "
    f"{CLOSE:g} of the wager."
)

OfCell = Callable[[Row, int], bool]
"""Something that is so of a row in a column, such as that its choice is hardly better than the next."""


@dataclass(frozen=True, slots=True)
class GridRow:
    """A row as it is shown."""

    label: str
    cells: tuple[str, ...]
    close: tuple[bool, ...]
    hands: tuple[str, ...] = ()
    """The rows of the chart that are shown in it, by name."""

    def shown(self) -> list[str]:
        """The cells with their marks."""
        return [
            cell + CLOSE_MARK * (close and cell != SAME)
            for cell, close in zip(self.cells, self.close, strict=True)
        ]


@dataclass(frozen=True, slots=True)
class Grid:
    """Rows under a title, with a column for each up card, or all that both dealer's cards may make."""

    title: str
    rows: tuple[GridRow, ...]
    columns: tuple[str, ...]

    @property
    def heads(self) -> list[str]:
        """The columns as they are shown."""
        return ["10" if column == "T" else column for column in self.columns]


@dataclass(frozen=True, slots=True)
class StrategyChart:
    """A chart with its margins, ready to be shown."""

    title: str
    chart: Chart
    grids: tuple[Grid, ...]

    @property
    def letters(self) -> list[str]:
        """The first choices that occur, in the order of the legend."""
        used = {cell[0] for grid in self.grids for row in grid.rows for cell in row.cells if cell != SAME}
        return [letter for letter in MEANINGS if letter in used]

    @property
    def several(self) -> dict[str, str]:
        """The cells that hold several choices, in words."""
        cells = {cell for grid in self.grids for row in grid.rows for cell in row.cells if len(cell) > 1}
        return {cell: cell_words(cell) for cell in sorted(cells)}

    def to_json(self) -> dict[str, Any]:
        return {
            "game": self.chart.game,
            "strategy": self.chart.name,
            "up_cards": list(self.chart.columns),
            "close_below": CLOSE,
            "rows": [{**row.fields(), "name": str(row), "cells": list(row.cells)} for row in self.chart.rows],
            "grids": [
                {
                    "title": grid.title,
                    "rows": [
                        {
                            "hand": row.label,
                            "cells": list(row.cells),
                            "close": list(row.close),
                            "hands": list(row.hands),
                        }
                        for row in grid.rows
                    ],
                }
                for grid in self.grids
            ],
        }


def strategy_chart(
    chart: Chart,
    title: str,
    is_close: OfCell | None = None,
    left_out: frozenset[Row] = frozenset(),
    comes: OfCell | None = None,
) -> StrategyChart:
    """Arrange the rows of a chart in grids, but for those that need not be shown, or never come."""
    every = [
        row for row in chart.rows if comes is None or any(comes(row, up) for up in range(len(chart.columns)))
    ]
    plain = [row for row in every if not _is_exception(row, chart) and row not in left_out]
    special = [row for row in every if _is_exception(row, chart)]
    parts: list[tuple[str, list[Row]]] = [
        ("Hard hands", [row for row in plain if row.hand.startswith("hard") and not row.doubles]),
        ("Soft hands", [row for row in plain if row.hand.startswith("soft") and not row.doubles]),
        ("Pairs", [row for row in plain if row.hand.startswith("pair") and not row.doubles]),
    ]
    for doubles in sorted({row.doubles for row in plain if row.doubles}):
        after = "After a double" if doubles == "1" else f"After {doubles} doubles"
        parts.append((after, [row for row in plain if row.doubles == doubles]))
    grids = [
        Grid(
            name,
            tuple(_merged([_usual(row, is_close, comes) for row in rows])),
            chart.columns,
        )
        for name, rows in parts
        if rows
    ]
    kinds: list[tuple[str, Callable[[Row], bool]]] = [
        ("By number of cards", lambda row: bool(row.cards) and not row.bonus),
        ("With a bonus in view", lambda row: bool(row.bonus)),
        ("After a split", lambda row: not row.cards and not row.bonus),
    ]
    shown = {row: _exception(row, chart, is_close, comes) for row in special}
    different = [row for row in special if set(shown[row].cells) != {SAME}]
    for name, is_kind in kinds:
        needed = [
            shown[row]
            for row in special
            if is_kind(row) and (row in different or any(_overrules(row, one) for one in different))
        ]
        if needed:
            title_of_grid = f"{name} ({SAME} as in the main chart)"
            grids.append(Grid(title_of_grid, tuple(_same_bonus(needed)), chart.columns))
    return StrategyChart(title, chart, tuple(grids))


def _same_bonus(rows: Sequence[GridRow]) -> Iterable[GridRow]:
    """Neighbours that differ only in the suits of a bonus as one row: `hard 13, 6-7 mixed or suited`."""
    kept: dict[tuple[str, str, tuple[str, ...]], GridRow] = {}
    for row in rows:
        suits = next((word for word in _SUITS if f" {word}" in row.label), "")
        before, _, after = row.label.partition(f" {suits}") if suits else (row.label, "", "")
        key = (before, after, row.cells)
        if key in kept:
            one = kept[key]
            close = tuple(a or b for a, b in zip(one.close, row.close, strict=True))
            label = one.label.removesuffix(after) + f" or {suits}{after}"
            kept[key] = GridRow(label, row.cells, close, one.hands + row.hands)
        else:
            kept[key] = row
    return kept.values()


def _merged(rows: Sequence[GridRow]) -> Iterable[GridRow]:
    """Neighbours that are played alike as one row: `hard 5-8`."""
    for (_, cells, close), some in groupby(rows, key=lambda row: (row.label[:4], row.cells, row.close)):
        alike = list(some)
        first, last = alike[0].label, alike[-1].label
        if len(alike) == 1 or first.startswith("pair"):
            yield from alike
        else:
            hands = tuple(name for row in alike for name in row.hands)
            yield GridRow(f"{first}-{last.split()[1]}", cells, close, hands)


def _key(row: Row) -> tuple[str, str]:
    return row.hand, row.doubles


def _base(row: Row, chart: Chart) -> Row:
    """The row that holds for a hand as such: the first of its hand."""
    return next(other for other in chart.rows if _key(other) == _key(row))


def _is_exception(row: Row, chart: Chart) -> bool:
    return row is not _base(row, chart)


def _usual(row: Row, is_close: OfCell | None, comes: OfCell | None) -> GridRow:
    cells = tuple(
        cell if comes is None or comes(row, column) else NO_SUCH_CARD for column, cell in enumerate(row.cells)
    )
    return GridRow(_hand_words(row), cells, _close(row, is_close), (str(row),))


def _exception(row: Row, chart: Chart, is_close: OfCell | None, comes: OfCell | None) -> GridRow:
    base = _base(row, chart)
    cells = tuple(
        SAME if cell == usual or (comes is not None and not comes(row, column)) else cell
        for column, (cell, usual) in enumerate(zip(row.cells, base.cells, strict=True))
    )
    return GridRow(label_of(row), cells, _close(row, is_close), (str(row),))


def _overrules(row: Row, other: Row) -> bool:
    """Whether an exception would hold for hands of a row if the row were not there."""
    return (
        _key(other) == _key(row)
        and other.after_split in ("", row.after_split)
        and other.bonus in ("", row.bonus)
        and int(other.cards.rstrip("+") or 0) <= int(row.cards.rstrip("+") or 0)
    )


def _hand_words(row: Row) -> str:
    return "pair 10" if row.hand == "pair T" else row.hand


def label_of(row: Row) -> str:
    """A row's hand with what makes it special: `hard 14, 4+ cards`."""
    words = [_hand_words(row)]
    if row.cards:
        words.append(f"{row.cards} cards")
    if row.bonus:
        words.append(row.bonus)
    if row.after_split:
        words.append("after a split" if row.after_split == "yes" else "no split")
    if row.doubles:
        words.append(f"{row.doubles} double{'' if row.doubles == '1' else 's'}")
    return ", ".join(words)


def _close(row: Row, is_close: OfCell | None) -> tuple[bool, ...]:
    return tuple(is_close is not None and is_close(row, column) for column in range(len(row.cells)))


def chart_html(chart: StrategyChart, *, heading: int = 1) -> str:
    """The grids as tables of HTML, which a screen reader reads too."""
    out = [f"<h{heading}>{escape(chart.title)}</h{heading}>"] if heading else []
    out.append(f"<p>{escape(LEGEND)}</p>")
    keys = "".join(
        f'<li><b class="act-{letter}">{letter}</b> {escape(MEANINGS[letter])}</li>'
        for letter in chart.letters
    )
    out.append(f'<ul class="legend">{keys}</ul>')
    out += [_grid_html(grid) for grid in chart.grids]
    return "\n".join(out)


def _grid_html(grid: Grid) -> str:
    head = "".join(f'<th scope="col">{column}</th>' for column in grid.heads)
    body = "\n".join(
        f'<tr><th scope="row">{escape(row.label)}</th>{"".join(_cells_html(row))}</tr>' for row in grid.rows
    )
    return (
        f'<table class="chart"><caption>{escape(grid.title)}</caption>\n'
        f'<thead><tr><th scope="col">against</th>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table>'
    )


def _cells_html(row: GridRow) -> Iterable[str]:
    for cell, shown in zip(row.cells, row.shown(), strict=True):
        style = "" if cell == SAME else f' class="act-{cell[0]}"'
        yield f"<td{style}>{escape(shown)}</td>"


CHART_CSS: Final = (
    """
table.chart { border-collapse: collapse; margin: 0 0 1.2em; font-variant-numeric: tabular-nums; }
table.chart caption { text-align: left; font-weight: 600; padding: .3em 0; }
table.chart th { font-weight: 500; padding: .15em .5em; }
table.chart th:first-child { min-width: 7.5em; text-align: left; white-space: nowrap; }
table.chart td { border: 1px solid #fff; min-width: 2.4em; padding: .15em .2em; text-align: center; }
ul.legend { display: flex; flex-wrap: wrap; gap: 1.2em; list-style: none; padding: 0; }
ul.legend b { display: inline-block; min-width: 1.6em; text-align: center; }
"""
    + "\n".join(
        f".act-{letter} {{ background: {colour}; color: #1d2b33; }}" for letter, colour in COLOURS.items()
    )
    + "\n"
)


_PAGE_CSS: Final = "body { font-family: system-ui, sans-serif; margin: 2em; color: #1d2b33; }"


def chart_page(chart: StrategyChart) -> str:
    """The chart as a page of its own that fetches nothing."""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(chart.title)}</title>\n<style>{_PAGE_CSS}{CHART_CSS}</style>\n"
        f"</head>\n<body>\n{chart_html(chart)}\n</body>\n</html>\n"
    )


_CELL_WIDTH: Final = 0.42
_CELL_HEIGHT: Final = 0.22
_LABEL_WIDTH: Final = 2.75


def chart_figure(chart: StrategyChart) -> Figure:
    """The chart as a picture, for SVG and PNG."""
    from matplotlib.patches import Rectangle

    from cardroom.lab.plots import INK, blank

    lines = 3.6 + sum(len(grid.rows) + 2.6 for grid in chart.grids)
    width, height = _LABEL_WIDTH + _CELL_WIDTH * len(chart.chart.columns) + 0.4, lines * _CELL_HEIGHT
    drawn, axes = blank(width, height)
    axes.set_xlim(0, width)
    axes.set_ylim(lines, 0)
    axes.text(0.2, 0.9, chart.title, fontsize=11, weight="bold", color=INK, va="center")
    at = 0.2
    for letter in chart.letters:
        words = MEANINGS[letter]
        axes.add_patch(Rectangle((at, 1.65), 0.22, 0.8, facecolor=COLOURS[letter]))
        axes.text(at + 0.11, 2.05, letter, fontsize=7, color=INK, ha="center", va="center")
        axes.text(at + 0.3, 2.05, words, fontsize=7, color=INK, va="center")
        at += 0.48 + 0.068 * len(words)
    axes.text(
        0.2, 2.95, f"{CLOSE_MARK} closer than {CLOSE:g} of the wager", fontsize=6.5, color=INK, va="center"
    )
    top = 3.6
    for grid in chart.grids:
        axes.text(0.2, top + 0.6, grid.title, fontsize=8.5, weight="bold", color=INK, va="center")
        for column, words in enumerate(grid.heads):
            middle = _LABEL_WIDTH + _CELL_WIDTH * (column + 0.5)
            axes.text(middle, top + 0.6, words, fontsize=7.5, color=INK, ha="center", va="center")
        top += 1.1
        for row in grid.rows:
            axes.text(0.2, top + 0.5, row.label, fontsize=7, color=INK, va="center")
            for column, (cell, shown) in enumerate(zip(row.cells, row.shown(), strict=True)):
                left = _LABEL_WIDTH + _CELL_WIDTH * column
                if cell not in (SAME, NO_SUCH_CARD):
                    ground = Rectangle(
                        (left + 0.01, top + 0.04), _CELL_WIDTH - 0.02, 0.92, facecolor=COLOURS[cell[0]]
                    )
                    axes.add_patch(ground)
                axes.text(
                    left + _CELL_WIDTH / 2, top + 0.52, shown, fontsize=7, color=INK, ha="center", va="center"
                )
            top += 1
        top += 1.5
    return drawn
