"""The reference on the site says something of every public name, and of all that one can call on it."""

from __future__ import annotations

import cardroom
from tools.docs_reference import MARK, on_page_markdown


def test_every_public_name_is_described_and_nothing_is_without_words() -> None:
    page = on_page_markdown(f"before\n{MARK}\nafter")
    heads = [line for line in page.splitlines() if line.startswith("## ")]
    public = [name for name in cardroom.__all__ if not name.startswith("_")]
    assert sorted(heads) == sorted(f"## `{name}`" for name in public)
    for part in page.split("\n##")[1:]:
        head, *rest = [line for line in part.splitlines() if line]
        words = [line for line in rest if not line.startswith(("```", "cr.")) and line[-1] in ".;:,"]
        assert words, f"{head} has no docstring"
    assert page.startswith("before")
    assert page.endswith("after")
    assert page.count("```") % 2 == 0


def test_other_pages_are_as_they_were() -> None:
    assert on_page_markdown("a page") == "a page"
