"""A PAR sheet as one HTML file that fetches nothing and prints well."""

from __future__ import annotations

from html import escape
from typing import Final

from cardroom.lab.charts import CHART_CSS, chart_html
from cardroom.lab.par.blocks import Block, ChartBlock, Facts, Grid, Heading, Paragraph, Picture
from cardroom.lab.par.document import document, title
from cardroom.lab.par.sheet import ParSheet
from cardroom.lab.plots import rendered

_CSS: Final = """
body { font: 15px/1.5 system-ui, sans-serif; color: #1d2b33; }
body { max-width: 62rem; margin: 0 auto; padding: 1.5rem; }
header { border-bottom: 3px solid #0b6e6e; margin-bottom: 1.2rem; }
header h1 { margin: 0; } header p { color: #55636b; margin: .2rem 0 .6rem; overflow-wrap: anywhere; }
h2 { color: #0b6e6e; border-bottom: 1px solid #d5dadc; margin: 2rem 0 .6rem; padding-bottom: .2rem; }
h3 { margin: 1.4rem 0 .4rem; }
p { max-width: 48rem; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; }
table.grid { border-collapse: collapse; font-size: .86rem; margin: .4rem 0 .8rem; }
table.grid { font-variant-numeric: tabular-nums; }
table.grid th, table.grid td { text-align: right; padding: .18rem .7rem; }
table.grid th { border-bottom: 1.5px solid #1d2b33; font-weight: 600; }
table.grid td { border-bottom: 1px solid #e6eaeb; white-space: nowrap; }
table.grid .text { text-align: left; } table.grid .wide { white-space: normal; }
table.grid tr.total td { font-weight: 600; border-top: 1.5px solid #1d2b33; border-bottom: 0; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1.2rem; margin: .4rem 0; }
dt { color: #55636b; } dd { margin: 0; overflow-wrap: anywhere; }
figure { margin: 1rem 0; } figure svg { width: 100%; max-width: 46rem; height: auto; }
figcaption { color: #55636b; font-size: .86rem; }
@media print {
  body { padding: 0; font-size: 10pt; }
  h2, h3 { break-after: avoid; }
  table, figure { break-inside: avoid; }
}
"""


def html(sheet: ParSheet) -> str:
    """The whole sheet as a page."""
    body = "\n".join(_block(block) for block in document(sheet))
    name = escape(title(sheet))
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{name}</title>\n<style>{_CSS}{CHART_CSS}</style>\n</head>\n<body>\n"
        f"<header><h1>{name}</h1><p>House rules {sheet.rules.rules_hash}</p></header>\n"
        f"<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


def _block(block: Block) -> str:
    match block:
        case Heading(text, level):
            return f"<h{level + 1}>{escape(text)}</h{level + 1}>"
        case Paragraph(text):
            return f"<p>{escape(text)}</p>"
        case Facts(rows):
            pairs = "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in rows)
            return f"<dl>{pairs}</dl>"
        case Grid():
            return _grid(block)
        case Picture(plot):
            picture = rendered(plot.draw(), "svg").decode()
            svg = picture[picture.index("<svg") :]
            caption = escape(plot.caption)
            return f'<figure aria-label="{caption}">{svg}<figcaption>{caption}</figcaption></figure>'
        case ChartBlock(chart):
            return f'<div class="scroll">{chart_html(chart, heading=3)}</div>'


def _grid(grid: Grid) -> str:
    def style(column: int) -> str:
        names = ["text"] * (column in grid.text_columns) + ["wide"] * (column in grid.wide)
        return f' class="{" ".join(names)}"' if names else ""

    head = "".join(
        f'<th scope="col"{style(column)}>{escape(name)}</th>' for column, name in enumerate(grid.columns)
    )
    rows = []
    for number, row in enumerate(grid.rows):
        last = grid.has_total and number == len(grid.rows) - 1
        cells = "".join(f"<td{style(column)}>{escape(value)}</td>" for column, value in enumerate(row))
        rows.append(f'<tr class="total">{cells}</tr>' if last else f"<tr>{cells}</tr>")
    return (
        f'<div class="scroll"><table class="grid"><thead><tr>{head}</tr></thead>\n'
        f"<tbody>\n{chr(10).join(rows)}\n</tbody></table></div>"
    )
