"""A hook of MkDocs: the reference of the library, made from the docstrings of its public names."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any, Final

import cardroom

MARK: Final = "<!-- reference -->"
"""Where a page wants the reference."""


def reference() -> str:
    """Every public name with its signature, its docstring, and its public methods and properties."""
    names = [name for name in cardroom.__all__ if not name.startswith("_")]
    functions = [name for name in names if inspect.isfunction(getattr(cardroom, name))]
    classes = [name for name in names if inspect.isclass(getattr(cardroom, name))]
    return "\n".join(line for name in (*functions, *classes) for line in _described(name))


def _described(name: str) -> Iterator[str]:
    one = getattr(cardroom, name)
    if inspect.isfunction(one):
        yield from (f"## `{name}`", "", *_code(f"cr.{name}{_signature(one)}"), "", *_words(one), "")
        return
    yield from (f"## `{name}`", "")
    if one.__init__ is not object.__init__ and name == "Game":  # the only one that is made by its caller
        yield from (*_code(f"cr.{name}{_signature(one)}"), "")
    yield from (*_words(one), "")
    for member, value in vars(one).items():
        if member.startswith("_"):
            continue
        if isinstance(value, property) or hasattr(value, "attrname"):  # a cached property has a name
            yield from (f"### `{name}.{member}`", "", *_words(getattr(value, "fget", None) or value), "")
        elif inspect.isfunction(inspect.unwrap(getattr(one, member))):
            method = getattr(one, member)
            yield from (f"### `{name}.{member}`", "", *_code(f"{member}{_signature(method)}"), "")
            yield from (*_words(method), "")


def _signature(one: Any) -> str:
    return str(inspect.signature(one)).replace("(self, ", "(").replace("(self)", "()").replace("'", "")


def _code(text: str) -> list[str]:
    return ["```python", text, "```"]


def _words(one: Any) -> list[str]:
    """The lines of a docstring, examples as code."""
    lines: list[str] = []
    inside = False
    for line in (inspect.getdoc(one) or "").splitlines():
        if line.startswith(">>>") and not inside:
            lines.append("```pycon")
            inside = True
        elif inside and not line:
            lines.append("```")
            inside = False
        lines.append(line)
    return [*lines, "```"] if inside else lines


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Called by MkDocs for every page."""
    return markdown.replace(MARK, reference()) if MARK in markdown else markdown
