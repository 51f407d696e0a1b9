"""Whether everybody can use a page: axe-core's findings in light and in dark, and ours where it says nothing.

axe-core comes with the package `axe-playwright-python`. It gives up where text lies over a gradient, as on
felt, says nothing of ids that are there twice, and is slow to measure what is touched: `accessibility.js`
looks at those.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from tests import thorough

OURS = Path(__file__).with_name("accessibility.js").read_text("utf-8")
SERIOUS = ("serious", "critical")
ASKED_TOO = ("heading-order", "landmark-one-main", "page-has-heading-one")
"""Rules that axe calls less than serious, and that every page of ours keeps."""
BY_COLOUR = ("color-contrast", "link-in-text-block")
"""What may be otherwise in the dark: the rest of a page is the same there."""
QUICK = {"resultTypes": ["violations"], "preload": False, "iframes": False}
SETTINGS: dict[str, Any] = {
    **QUICK,
    "rules": {"label-content-name-mismatch": {"enabled": True}},
}
_NARROW = 600
_seen: set[tuple[str, bool]] = set()


@cache
def axe_script() -> str:
    return (resources.files("axe_playwright_python") / "axe.min.js").read_text("utf-8")


def faults(page: Page, *, in_the_dark: bool = True) -> list[str]:
    """Every serious fault of the page as it is now, one line for each element, in light and in dark."""
    page.evaluate(axe_script())
    found = [*_axe(page, SETTINGS), *page.evaluate(OURS)]
    if in_the_dark:
        page.emulate_media(color_scheme="dark")
        only = {**QUICK, "runOnly": {"type": "rule", "values": BY_COLOUR}}
        found += [f"dark: {line}" for line in (*_axe(page, only), *page.evaluate(OURS))]
        page.emulate_media(color_scheme="light")
    return found


def _axe(page: Page, settings: dict[str, Any]) -> list[str]:
    violations = page.evaluate("async (settings) => (await axe.run(document, settings)).violations", settings)
    return [
        f"{rule['id']}: {rule['help']}: {node['html'][:160]}"
        for rule in violations
        if rule["impact"] in SERIOUS or rule["id"] in ASKED_TOO
        for node in rule["nodes"]
    ]


def everybody_can_use(page: Page, name: str) -> None:
    """No serious fault; a page that was looked at by this name is not looked at again in another font.

    It is on a narrow and on a wide window, where other parts of it may scroll or be away; in the dark, where
    only colours differ, on the first of the two, and in `make thorough` on both.
    """
    size = page.viewport_size
    assert size is not None
    narrow = size["width"] < _NARROW
    if (name, narrow) not in _seen:
        found = faults(page, in_the_dark=thorough.WANTED or (name, not narrow) not in _seen)
        _seen.add((name, narrow))
        assert not found, "\n".join((name, *found))
