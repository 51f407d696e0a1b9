"""The checks of accessibility see what they are for: without that, pages that pass would prove nothing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.web.accessibility import faults

SOUND = "<!doctype html><html lang=en><title>A page</title><main><h1>A page</h1>{}</main>"
FAULTY = {
    "<button></button>": "button-name",
    "<button aria-label='one' style='min-height:3em'>two</button>": "label-content-name-mismatch",
    "<p style='color:#aaa;background:#fff'>too pale</p>": "color-contrast",
    "<h3>a heading too deep</h3>": "heading-order",
    "<img src='data:,'>": "image-alt",
    "<p tabindex=3>jumps the queue</p>": "tabindex",
    f"<ol style='overflow:auto;height:60px'>{9 * '<li>words</li>'}</ol>": "scrollable-region-focusable",
    "<button style='min-height:3em'>a <a href='/'>link</a></button>": "nested-interactive",
    "<i id=a></i><i id=a></i>": "is there twice",
    "<button style='height:20px'>small</button>": "too small to touch",
    "<p style='background-image:linear-gradient(#fff,#fff);color:#bbb'>pale</p>": "has a contrast of",
}


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 500, "height": 500})
    yield context.new_page()
    context.close()


@pytest.mark.parametrize(("part", "found"), FAULTY.items(), ids=list(FAULTY.values()))
def test_a_fault_is_found(page: Page, part: str, found: str) -> None:
    page.set_content(SOUND.format(part))
    assert any(found in line for line in faults(page))


def test_a_fault_of_the_dark_is_found_and_a_sound_page_has_none(page: Page) -> None:
    page.set_content(SOUND.format("<p>words</p>"))
    assert faults(page) == []
    style = "<style>p{color:#000;background:#fff}@media(prefers-color-scheme:dark){p{color:#eee}}</style>"
    page.set_content(SOUND.format(f"{style}<p>words</p>"))
    (line,) = faults(page)
    assert line.startswith("dark: color-contrast")
