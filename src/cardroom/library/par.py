"""A PAR sheet to hold: data, a page, a PDF."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from cardroom.core.errors import Unavailable
from cardroom.lab.par import ParSheet, checked_form, rendered
from cardroom.library import pictures
from cardroom.library.arguments import text_or_file, written

_MOST_FACTS: Final = 8
"""Of equipment and limits, in the picture."""


class Par:
    """The PAR sheet of a game: all its figures, from the rules alone."""

    def __init__(self, sheet: ParSheet) -> None:
        self._sheet = sheet

    def to_dict(self) -> dict[str, Any]:
        """The sheet as `cardroom par -o sheet.json` writes it."""
        return self._sheet.to_json()

    def save(self, file: str | Path) -> Path:
        """Write the sheet; the ending says how: .pdf, .html or .json."""
        path = Path(text_or_file(file, "the file", "sheet.pdf"))
        written(rendered(self._sheet, checked_form(path)), path)
        return path

    def __repr__(self) -> str:
        sheet = self._sheet
        wagers = ", ".join(wager.wager for wager in sheet.wagers)
        return f"<PAR sheet of {sheet.rules.title}: {wagers}; rules {sheet.rules.rules_hash[:12]}>"

    def _repr_html_(self) -> str:
        """The picture, and the whole sheet below it where the extra `plots` can draw what is in it."""
        from html import escape

        try:
            page = escape(rendered(self._sheet, checked_form(Path("sheet.html"))).decode(), quote=True)
        except Unavailable as missing:
            return f"{self._repr_svg_()}<p>{escape(str(missing))}</p>"
        frame = f'<iframe title="PAR sheet" style="width:100%;height:40em;border:0" srcdoc="{page}"></iframe>'
        return self._repr_svg_() + frame

    def _repr_svg_(self) -> str:
        sheet = self._sheet
        wagers = [(wager["wager"], wager.get("house_edge_percent")) for wager in self.to_dict()["wagers"]]
        lines = [
            *(f"{fact}: {words}" for fact, words in sheet.facts[:_MOST_FACTS]),
            f"rules {sheet.rules.rules_hash}",
        ]
        known = [(wager, edge / 100) for wager, edge in wagers if edge is not None]
        return pictures.edges(f"PAR sheet of {sheet.rules.title}: house edge", known, lines)
