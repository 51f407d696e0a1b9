"""A PAR sheet to hold: data, a page, a PDF."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cardroom.lab.par import ParSheet, checked_form, rendered


class Par:
    """The PAR sheet of a game: all its figures, from the rules alone."""

    def __init__(self, sheet: ParSheet) -> None:
        self._sheet = sheet

    def to_dict(self) -> dict[str, Any]:
        """The sheet as `cardroom par -o sheet.json` writes it."""
        return self._sheet.to_json()

    def save(self, file: str | Path) -> Path:
        """Write the sheet; the ending says how: .pdf, .html or .json."""
        path = Path(file)
        path.write_bytes(rendered(self._sheet, checked_form(path)))
        return path

    def __repr__(self) -> str:
        sheet = self._sheet
        wagers = ", ".join(wager.wager for wager in sheet.wagers)
        return f"<PAR sheet of {sheet.rules.title}: {wagers}; rules {sheet.rules.rules_hash[:12]}>"

    def _repr_html_(self) -> str:
        from html import escape

        page = escape(rendered(self._sheet, ".html").decode(), quote=True)
        return f'<iframe title="PAR sheet" style="width:100%;height:40em;border:0" srcdoc="{page}"></iframe>'
