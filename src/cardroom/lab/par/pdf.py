"""A PAR sheet as a PDF on letter paper, the same bytes for the same sheet."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final
from xml.sax.saxutils import escape

from cardroom import __version__
from cardroom.core.extras import missing
from cardroom.lab.charts import COLOURS, LEGEND, MEANINGS, SAME, StrategyChart
from cardroom.lab.charts import Grid as ChartGrid
from cardroom.lab.par.blocks import Block, ChartBlock, Facts, Grid, Heading, Paragraph, Picture
from cardroom.lab.par.document import document, title
from cardroom.lab.par.sheet import ParSheet
from cardroom.lab.plots import ACCENT, GRID, INK, rendered

MARGIN: Final = 46.0
_GREY: Final = "#55636b"
_SIZE: Final = 7.6
_ROOM_UNDER_HEADING: Final = {1: 130.0, 2: 80.0}
"""A heading that has less room under it goes to the next page."""
_TEXT: Final = "Sheet"
_BOLD: Final = "Sheet-Bold"
_HEAD_SPACE: Final = 4.0
_PADDING: Final = 6.0
"""What the library leaves free within its margins."""


def pdf(sheet: ParSheet) -> bytes:
    """The whole sheet as a PDF."""
    rules = f"House rules {sheet.rules.rules_hash}"
    return paper(document(sheet), title=title(sheet), subject=rules, foot=rules)


def paper(blocks: Sequence[Block], *, title: str, subject: str, foot: str) -> bytes:
    """Blocks on letter paper, with a title over every page and a line at its foot."""
    try:
        from reportlab.lib.pagesizes import letter
        from reportlab.platypus import SimpleDocTemplate
    except ModuleNotFoundError:
        raise missing("a PDF", "documents,plots") from None
    _register_fonts()
    out = io.BytesIO()
    template = SimpleDocTemplate(
        out,
        pagesize=letter,
        leftMargin=MARGIN - _PADDING,
        rightMargin=MARGIN - _PADDING,
        topMargin=MARGIN + _HEAD_SPACE,
        bottomMargin=MARGIN,
        title=title,
        author=f"cardroom {__version__}",
        subject=subject,
        invariant=1,
    )
    flow = list(_Layout(template.width - 2 * _PADDING).flow(blocks))
    template.build(flow, canvasmaker=_numbered(title, foot))
    return out.getvalue()


def _register_fonts() -> None:
    """The fonts of the plots serve the text, too: they are embedded, and have every sign that is used."""
    try:
        from matplotlib import get_data_path
    except ModuleNotFoundError:
        raise missing("a PDF", "documents,plots") from None
    from reportlab.pdfbase.pdfmetrics import registerFont
    from reportlab.pdfbase.ttfonts import TTFont

    folder = Path(get_data_path()) / "fonts" / "ttf"
    registerFont(TTFont(_TEXT, folder / "DejaVuSans.ttf"))
    registerFont(TTFont(_BOLD, folder / "DejaVuSans-Bold.ttf"))


def _numbered(title: str, foot: str) -> type:
    """A canvas that writes the head and `page n of m` when all pages are known."""
    from reportlab.pdfgen.canvas import Canvas

    class NumberedCanvas(Canvas):  # type: ignore[misc]  # the library has no types
        def __init__(self, *args: Any, **settings: Any) -> None:
            super().__init__(*args, **settings)
            self._pages: list[dict[str, Any]] = []

        def showPage(self) -> None:  # the library's name
            self._pages.append(dict(self.__dict__))
            self._startPage()

        def save(self) -> None:
            for number, page in enumerate(self._pages, 1):
                self.__dict__.update(page)
                _frame(self, title, foot, number, len(self._pages))
                super().showPage()
            super().save()

    return NumberedCanvas


def _frame(canvas: Any, title: str, foot: str, number: int, pages: int) -> None:
    width, height = canvas._pagesize
    top = height - MARGIN
    canvas.setFillColor(ACCENT)
    canvas.rect(MARGIN, top - 2, width - 2 * MARGIN, 2.2, stroke=0, fill=1)
    canvas.setFillColor(INK)
    canvas.setFont(_BOLD, 15 if number == 1 else 9)
    canvas.drawString(MARGIN, top + 5, title)
    canvas.setFont(_TEXT, 6.5)
    canvas.setFillColor(_GREY)
    canvas.drawString(MARGIN, MARGIN - 18, foot)
    canvas.drawRightString(
        width - MARGIN, MARGIN - 18, f"cardroom {__version__}  ·  page {number} of {pages}"
    )


class _Layout:
    """Blocks as what the library lays out on pages."""

    def __init__(self, width: float) -> None:
        from reportlab.lib.styles import ParagraphStyle

        self.width = width
        base = ParagraphStyle("text", fontName=_TEXT, fontSize=_SIZE, leading=11, textColor=INK, spaceAfter=5)
        self.text = base
        self.cell = ParagraphStyle("cell", base, fontSize=7, leading=9, spaceAfter=0)
        self.name = ParagraphStyle("name", self.cell, textColor=_GREY)
        self.right = ParagraphStyle("right", self.cell, alignment=2)
        self.caption = ParagraphStyle("caption", base, fontSize=6.8, textColor=_GREY, spaceAfter=8)
        self.headings = {
            1: ParagraphStyle(
                "h1",
                base,
                fontName=_BOLD,
                fontSize=11,
                leading=14,
                textColor=ACCENT,
                spaceBefore=13,
                spaceAfter=5,
            ),
            2: ParagraphStyle("h2", base, fontName=_BOLD, fontSize=8.6, spaceBefore=7, spaceAfter=3),
        }

    def flow(self, blocks: Sequence[Block]) -> Iterator[Any]:
        from reportlab.platypus import CondPageBreak, Image, KeepTogether, Spacer
        from reportlab.platypus import Paragraph as Text

        for block in blocks:
            match block:
                case Heading(text, level):
                    yield CondPageBreak(_ROOM_UNDER_HEADING[level])
                    yield Text(escape(text), self.headings[level])
                case Paragraph(text):
                    yield Text(escape(_breakable(text)), self.text)
                case Facts(rows):
                    yield self._facts(rows)
                    yield Spacer(1, 4)
                case Grid():
                    yield self._grid(block)
                    yield Spacer(1, 5)
                case Picture(plot):
                    drawn = plot.draw()
                    wide, high = drawn.get_size_inches()
                    picture = Image(io.BytesIO(rendered(drawn, "png")), self.width, self.width * high / wide)
                    yield KeepTogether([picture, Text(escape(plot.caption), self.caption)])
                case ChartBlock(chart):
                    yield from self._chart(chart)

    def _facts(self, rows: Sequence[tuple[str, str]]) -> Any:
        from reportlab.platypus import Paragraph as Text
        from reportlab.platypus import Table, TableStyle

        cells = [
            [Text(escape(name), self.name), Text(escape(_breakable(value)), self.cell)]
            for name, value in rows
        ]
        return Table(
            cells,
            colWidths=[0.24 * self.width, 0.76 * self.width],
            hAlign="LEFT",
            style=TableStyle(
                [
                    ("VALIGN", (0, 0), (-1, -1), "TOP"),
                    ("LEFTPADDING", (0, 0), (0, -1), 0),
                    ("TOPPADDING", (0, 0), (-1, -1), 1.6),
                    ("BOTTOMPADDING", (0, 0), (-1, -1), 1.6),
                    ("LINEBELOW", (0, 0), (-1, -1), 0.25, GRID),
                ]
            ),
        )

    def _grid(self, grid: Grid) -> Any:
        from reportlab.platypus import Paragraph as Text
        from reportlab.platypus import Table, TableStyle

        size = self._fitting_size(grid)
        rows: list[list[Any]] = [list(grid.columns)]
        rows += [
            [
                Text(escape(value), self.cell) if column in grid.wide else value
                for column, value in enumerate(row)
            ]
            for row in grid.rows
        ]
        style = [
            ("FONT", (0, 0), (-1, -1), _TEXT, size),
            ("FONT", (0, 0), (-1, 0), _BOLD, size),
            ("TEXTCOLOR", (0, 0), (-1, -1), INK),
            ("ALIGN", (0, 0), (-1, -1), "RIGHT"),
            ("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
            ("TOPPADDING", (0, 0), (-1, -1), 1.7),
            ("BOTTOMPADDING", (0, 0), (-1, -1), 2.1),
            ("LEFTPADDING", (0, 0), (-1, -1), 4),
            ("RIGHTPADDING", (0, 0), (-1, -1), 4),
            ("LEFTPADDING", (0, 0), (0, -1), 0),
            ("LINEBELOW", (0, 0), (-1, 0), 0.9, INK),
            ("LINEBELOW", (0, 1), (-1, -1), 0.25, GRID),
            *(("ALIGN", (column, 0), (column, -1), "LEFT") for column in grid.text_columns),
            *(("VALIGN", (column, 0), (column, -1), "MIDDLE") for column in grid.wide),
        ]
        if grid.has_total:
            style += [
                ("FONT", (0, -1), (-1, -1), _BOLD, size),
                ("LINEABOVE", (0, -1), (-1, -1), 0.9, INK),
            ]
        return Table(
            rows, colWidths=self._widths(grid, size), style=TableStyle(style), repeatRows=1, hAlign="LEFT"
        )

    def _natural(self, grid: Grid, size: float) -> list[float]:
        """The width that each column asks for; one that wraps asks for none."""
        from reportlab.pdfbase.pdfmetrics import stringWidth

        widths = []
        for column, name in enumerate(grid.columns):
            cells = [] if column in grid.wide else [row[column] for row in grid.rows]
            longest = max((stringWidth(value, _BOLD, size) for value in cells), default=0.0)
            widths.append(max(stringWidth(name, _BOLD, size), longest) + 9)
        return widths

    def _fitting_size(self, grid: Grid) -> float:
        size = 7.0
        least_wide = 0.3 * self.width if grid.wide else 0.0
        while size > 4.5 and sum(self._natural(grid, size)) + least_wide > self.width:
            size -= 0.25
        return size

    def _widths(self, grid: Grid, size: float) -> list[float]:
        widths = self._natural(grid, size)
        spare = self.width - sum(widths)
        if grid.wide:
            for column in grid.wide:
                widths[column] += spare / len(grid.wide)
            return widths
        # Numbers far apart are hard to read: a narrow table stays narrow, and is a little looser.
        looser = min(spare / len(widths), 14.0)
        return [width + max(looser, 0.0) for width in widths]

    def _chart(self, chart: StrategyChart) -> Iterator[Any]:
        from reportlab.platypus import KeepTogether, Spacer
        from reportlab.platypus import Paragraph as Text

        yield Text(escape(chart.title), self.headings[2])
        keys = "&nbsp;&nbsp;&nbsp;&nbsp; ".join(
            f'<font backColor="{COLOURS[letter]}">&nbsp;{letter}&nbsp;</font>&nbsp;{escape(MEANINGS[letter])}'
            for letter in chart.letters
        )
        yield Text(keys, self.text)
        yield Text(escape(LEGEND), self.caption)
        for grid in chart.grids:
            table = self._chart_grid(grid)
            yield (table if len(grid.rows) > 30 else KeepTogether([table]))
            yield Spacer(1, 9)

    def _chart_grid(self, grid: ChartGrid) -> Any:
        from reportlab.pdfbase.pdfmetrics import stringWidth
        from reportlab.platypus import Table, TableStyle

        rows = [[grid.title, *grid.heads]]
        rows += [[row.label, *row.shown()] for row in grid.rows]
        style: list[tuple[Any, ...]] = [
            ("FONT", (0, 0), (-1, -1), _TEXT, 7),
            ("FONT", (0, 0), (-1, 0), _BOLD, 7.4),
            ("TEXTCOLOR", (0, 0), (-1, -1), INK),
            ("ALIGN", (1, 0), (-1, -1), "CENTER"),
            ("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
            ("TOPPADDING", (0, 0), (-1, -1), 1.1),
            ("BOTTOMPADDING", (0, 0), (-1, -1), 1.9),
            ("INNERGRID", (1, 1), (-1, -1), 1.2, "#ffffff"),
            ("LEFTPADDING", (0, 0), (0, -1), 0),
        ]
        for number, row in enumerate(grid.rows, 1):
            for column, cell in enumerate(row.cells, 1):
                if cell != SAME:
                    style.append(("BACKGROUND", (column, number), (column, number), COLOURS[cell[0]]))
        labels = [stringWidth(row.label, _TEXT, 7) for row in grid.rows]
        label = max(112.0, stringWidth(grid.title, _BOLD, 7.4) + 10, *(width + 10 for width in labels))
        each = min(32.0, (self.width - label) / len(grid.columns))
        return Table(
            rows,
            colWidths=[label, *([each] * len(grid.columns))],
            style=TableStyle(style),
            repeatRows=1,
            hAlign="LEFT",
        )


def _breakable(text: str) -> str:
    """Let long fractions and hashes break, every sixteen signs."""
    words = []
    for word in text.split(" "):
        parts = [word[at : at + 16] for at in range(0, len(word), 16)]
        words.append("\u200b".join(parts) if len(word) > 70 else word)
    return " ".join(words)
