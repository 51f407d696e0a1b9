"""Pictures for notebooks: cards, charts, hands, distributions and sheets as SVG, written without any library.

The same object gives the same text. A picture has a ground of its own, to be read on a dark page too.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

from cardroom.core.cards import SUIT_LETTERS, SUIT_SYMBOLS
from cardroom.lab.charts import COLOURS, MEANINGS, SAME, Grid, StrategyChart
from cardroom.lab.hands import written_cards
from cardroom.lab.plots import ACCENT, GRID, INK, PALER, WARM
from cardroom.presentation.numbers import one_in, percent, signed

_RED: Final = "#b3261e"
_RED_SUITS: Final = "♦♥"
_WIDTH: Final = 640
_MOST_BARS: Final = 24
_RARE: Final = 0.0005
_CARD_WIDTH, _CARD_HEIGHT = 44, 62
_ROW, _CELL = 20, 34


def text(
    x: float,
    y: float,
    words: str,
    *,
    size: int = 12,
    anchor: str = "start",
    colour: str = INK,
    bold: bool = False,
) -> str:
    """Words at a place."""
    weight = ' font-weight="600"' if bold else ""
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size}" text-anchor="{anchor}" fill="{colour}"{weight}>'
        f"{escape(words)}</text>"
    )


def box(
    x: float, y: float, width: float, height: float, colour: str, *, edge: str = "", round_by: float = 0
) -> str:
    """A rectangle."""
    line = f' stroke="{edge}"' if edge else ""
    corner = f' rx="{round_by:g}"' if round_by else ""
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="{colour}"{line}{corner}/>'


def with_table(drawn: str, table: str) -> str:
    """A picture, and below it the same figures to open as a table."""
    return f"{drawn}<details><summary>as a table</summary>{table}</details>"


def picture(title: str, width: float, height: float, parts: Iterable[str]) -> str:
    """A whole picture, with its title for those who do not see it."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{width:g}" height="{height:g}" '
        f'viewBox="0 0 {width:g} {height:g}" style="max-width:100%;height:auto" '
        f'font-family="system-ui, sans-serif"><title>{escape(title)}</title>'
        f"{box(0, 0, width, height, '#fff')}{''.join(parts)}</svg>"
    )


def cards(written: str, x: float, y: float) -> list[str]:
    """Cards side by side; one whose suit was left open has none."""
    parts = []
    for place, (rank, suit) in enumerate(written_cards(written)):
        left = x + place * (_CARD_WIDTH + 6)
        symbol = SUIT_SYMBOLS[SUIT_LETTERS.index(suit)] if suit and suit in SUIT_LETTERS else suit
        colour = _RED if symbol and symbol in _RED_SUITS else INK
        middle = left + _CARD_WIDTH / 2
        parts += [
            box(left, y, _CARD_WIDTH, _CARD_HEIGHT, "#fff", edge=INK, round_by=5),
            text(
                middle,
                y + 26,
                "10" if rank == "T" else rank,
                size=20,
                anchor="middle",
                colour=colour,
                bold=True,
            ),
            text(middle, y + 52, symbol, size=22, anchor="middle", colour=colour),
        ]
    return parts


def hand(title: str, held: str, up: str, values: Sequence[tuple[str, float]]) -> str:
    """The cards of a hand and of the dealer, and what every action is worth, the best first."""
    beside = 16 + len(written_cards(held)) * (_CARD_WIDTH + 6) + 40
    parts = [
        text(16, 22, "the hand", colour=INK),
        *cards(held, 16, 32),
        text(beside, 22, "the dealer", colour=INK),
        *cards(up, beside, 32),
    ]
    top, left, right = 120, 110, _WIDTH - 210
    reach = max([1.0, *(abs(value) for _, value in values)])
    zero = (left + right) / 2
    scale = (right - left) / 2 / reach
    best = max((value for _, value in values), default=0.0)
    for row, (action, value) in enumerate(values):
        y = top + row * 26
        length = abs(value) * scale
        cost = "best" if row == 0 else f"costs {signed(best - value, 4)}"
        parts += [
            text(16, y + 14, action, bold=row == 0),
            box(zero if value >= 0 else zero - length, y, length, 19, ACCENT if value >= 0 else WARM),
            text(right + 100, y + 14, signed(value, 4, plus=True), anchor="end", bold=row == 0),
            text(right + 116, y + 14, cost),
        ]
    bottom = top + 26 * len(values)
    if values:
        parts.append(f'<path d="M{zero:g} {top - 4}V{bottom}" stroke="{INK}"/>')
    return picture(title, _WIDTH, bottom + 12, parts)


def distribution(title: str, outcomes: Sequence[tuple[str, str, float]]) -> str:
    """Every way a wager can end, with its pay and its chance, on a scale of powers of ten."""
    shown = [one for one in outcomes if one[2] > 0]
    left_out = len(shown) - _MOST_BARS
    if left_out > 0:
        likely = sorted(shown, key=lambda one: -one[2])[:_MOST_BARS]
        shown = [one for one in shown if one in likely]
    least = min((chance for _, _, chance in shown), default=1.0)
    powers = math.ceil(-math.log10(least)) if least < _RARE else 0
    left, right, top = 230, _WIDTH - 110, 40
    reach = right - left
    bottom = top + _ROW * len(shown)
    parts = [text(16, 22, title, size=13, bold=True)]
    for power in range(powers + 1) if powers else ():
        x = right - power * reach / powers
        parts.append(f'<path d="M{x:g} {top - 4}V{bottom}" stroke="{GRID}"/>')
    for row, (outcome, pays, chance) in enumerate(shown):
        y = top + row * _ROW
        length = max(1.0, reach * ((powers + math.log10(chance)) / powers if powers else chance))
        words = percent(chance, 2) if chance >= _RARE else f"1 in {one_in(chance)}"
        colour = WARM if pays.startswith("-") else INK if pays == "0" else ACCENT
        parts += [
            text(16, y + 14, outcome.replace("_", " ")),
            text(left - 12, y + 14, pays.replace("-", "−"), anchor="end"),
            box(left, y + 2, length, _ROW - 5, colour),
            text(left + length + 6, y + 14, words, size=11),
        ]
    notes = ["chances on a scale of powers of ten"] * bool(powers)
    notes += [f"{left_out} rarer ones are left out"] * (left_out > 0)
    parts.append(text(16, bottom + 20, "; ".join(notes), size=11))
    return picture(title, _WIDTH, bottom + 32, parts)


def edges(title: str, wagers: Sequence[tuple[str, float]], lines: Sequence[str]) -> str:
    """The house edge of every wager as a bar, with lines of words below."""
    known = [(wager, edge) for wager, edge in wagers if not math.isnan(edge)]
    most = max([0.01, *(abs(edge) for _, edge in known)])
    left, right, top = 200, _WIDTH - 90, 40
    parts = [text(16, 22, title, size=13, bold=True)]
    for row, (wager, edge) in enumerate(known):
        y = top + row * 24
        length = abs(edge) / most * (right - left)
        parts += [
            text(16, y + 14, wager),
            box(left, y, length, 18, ACCENT if edge >= 0 else WARM),
            text(left + length + 6, y + 14, percent(edge, 3)),
        ]
    bottom = top + 24 * len(known) + 6
    parts += [text(16, bottom + 14 + 17 * row, words, size=11) for row, words in enumerate(lines)]
    return picture(title, _WIDTH, bottom + 17 * len(lines) + 14, parts)


def chart(shown: StrategyChart) -> str:
    """The grids of a strategy below one another, a colour for each first choice."""
    longest = max(len(row.label) for grid in shown.grids for row in grid.rows)
    label = 24 + 6.4 * longest
    width = max(label + _CELL * max(len(grid.heads) for grid in shown.grids) + 16, 440)
    parts = [text(16, 24, shown.title, size=14, bold=True)]
    x, y = 16.0, 38.0
    for letter in shown.letters:
        parts += [box(x, y, 16, 16, COLOURS[letter]), text(x + 8, y + 12, letter, anchor="middle", size=11)]
        parts.append(text(x + 22, y + 12, MEANINGS[letter], size=11))
        x += 38 + 6.2 * len(MEANINGS[letter])
    y += 32
    for grid in shown.grids:
        parts += _grid(grid, label, y)
        y += _ROW * (len(grid.rows) + 2) + 14
    return picture(shown.title, max(width, x), y, parts)


def _grid(grid: Grid, left: float, top: float) -> Iterable[str]:
    yield text(16, top + 12, grid.title, bold=True)
    for column, head in enumerate(grid.heads):
        yield text(left + _CELL * (column + 0.5), top + _ROW + 13, head, anchor="middle", bold=True)
    for row, line in enumerate(grid.rows, start=2):
        y = top + row * _ROW
        yield text(16, y + 14, line.label)
        for column, (cell, words) in enumerate(zip(line.cells, line.shown(), strict=True)):
            ground = PALER if cell == SAME else COLOURS.get(cell[0], GRID)
            x = left + _CELL * column
            yield box(x, y, _CELL - 1, _ROW - 1, ground)
            yield text(x + (_CELL - 1) / 2, y + 14, words, anchor="middle", size=11)
