"""The PAR sheet of a game: all its figures from the rules alone, as PDF, HTML and JSON."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from cardroom.core.errors import MalformedInput
from cardroom.core.extras import require
from cardroom.games import GAMES
from cardroom.lab.par.sheet import ParSheet
from cardroom.rules.base import HouseRules

FORMS: Final = (".pdf", ".html", ".json")
DEFAULT_ROUNDS: Final = 10**7
"""How many rounds a sheet is verified with by simulation."""

__all__ = ["FORMS", "ParSheet", "checked_form", "par_sheet", "rendered"]


def par_sheet(
    rules: HouseRules,
    *,
    rounds: int = DEFAULT_ROUNDS,
    seed: int = 1,
    wager_cents: int | None = None,
    side_cents: int | None = None,
) -> ParSheet:
    """Compute the sheet of a game for wagers of these sizes, the table's smallest unless told.

    `rounds` and `seed` are those of the simulation that verifies it. A lottery's tickets have one size.
    """
    game = GAMES[rules.game]
    if game.par_sheet is None:
        raise MalformedInput(f"there is no PAR sheet of {rules.game}")
    sheet: ParSheet = game.follow("par_sheet")(
        rules, rounds=rounds, seed=seed, wager_cents=wager_cents, side_cents=side_cents
    )
    return sheet


def checked_form(file: Path) -> str:
    """The form that a file's name asks for."""
    form = file.suffix.lower()
    if form not in FORMS:
        raise MalformedInput(f"{file} is not a PAR sheet's name; its ending is {', '.join(FORMS)}")
    if form == ".pdf":
        require("a PDF", "documents,plots", "reportlab", "matplotlib")
    elif form == ".html":
        require("a plot", "plots", "matplotlib")
    return form


def rendered(sheet: ParSheet, form: str) -> bytes:
    """A sheet in one of `FORMS`, the same bytes for the same sheet."""
    if form == ".json":
        import json

        return (json.dumps(sheet.to_json(), indent=2, ensure_ascii=False) + "\n").encode()
    if form == ".html":
        from cardroom.lab.par.html import html

        return html(sheet).encode()
    from cardroom.lab.par.pdf import pdf

    return pdf(sheet)
