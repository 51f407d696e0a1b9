"""Pictures of pages for people to look at: of what fails always, of the rest where they are asked for.

`CARDROOM_SCREENSHOTS=1 make test` leaves them in build/screenshots. There are hundreds of
them, and each takes a fifth of a second.
"""

from __future__ import annotations

import os
from pathlib import Path

from playwright.sync_api import Page

FOLDER = Path(__file__).resolve().parents[2] / "build" / "screenshots"
WANTED = os.environ.get("CARDROOM_SCREENSHOTS") == "1"


def picture(page: Page, name: str, *, full_page: bool = False, failed: bool = False) -> None:
    """Keep a picture by name."""
    if WANTED or failed:
        page.screenshot(path=str(FOLDER / f"{name}.png"), full_page=full_page)
