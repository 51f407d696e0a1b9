"""Whether what a page shows fits its window and everybody can use it."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.web.accessibility import everybody_can_use
from tests.web.pictures import picture

CUT_OFF = Path(__file__).with_name("cut_off.js").read_text("utf-8")
OVERLAPS = Path(__file__).with_name("overlaps.js").read_text("utf-8")


def fits(page: Page, name: str) -> None:
    """Nothing is wider than the window, runs out of its box, is cut off, or lies over something else on a
    felt; axe-core finds nothing serious.
    """
    size = page.viewport_size
    assert size is not None
    page.evaluate("() => document.fonts.ready.then(() => null)")
    picture(page, f"{name}-{size['width']}", full_page=True)
    try:
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"], name
        cut_off = page.evaluate(CUT_OFF)
        assert not cut_off, "\n".join((name, *cut_off))
        lies_apart(page, name)
        everybody_can_use(page, name)
    except AssertionError:
        picture(page, f"{name}-{size['width']}", full_page=True, failed=True)
        raise


def lies_apart(page: Page, name: str) -> None:
    """On a felt no letter, chip or card lies over another one, and no hand over what is printed."""
    found = page.evaluate(OVERLAPS)
    assert not found, "\n".join((name, *found))


def tap(button: Locator) -> None:
    """Press what lies in the window as it stands, as a finger does: nothing is scrolled to."""
    expect(button).to_be_enabled()
    size, box = button.page.viewport_size, button.bounding_box()
    assert size is not None
    assert box is not None
    assert box["y"] >= 0, button
    assert box["y"] + box["height"] <= size["height"], button
    button.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
