"""Clause codes lead to their clause, on every page and wherever they stand in it.

Pages are linked as a whole when they are rendered, so that no template has to think of it; the modules of the
pages do the same with every text that they put into an element (`static/js/dom.js`).
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from markupsafe import Markup, escape

from cardroom.games import Game, clause_prefixes
from cardroom.rules.clauses import clause_of, game_of

_TAG: Final = re.compile(r"(<[^>]*>)")
_NAME: Final = re.compile(r"</?([a-z0-9]+)")
_NO_LINKS_IN: Final = frozenset({"a", "button", "option", "script", "style", "summary", "textarea", "title"})
_BOLD: Final = re.compile(r"\*\*(.+?)\*\*")
_SLANTED: Final = re.compile(r"(?<!\*)\*([^*]+)\*(?!\*)")
_CODE: Final = re.compile(r"`(.+?)`")


@cache
def _pattern_of(prefixes: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w#/.-])(?:{'|'.join(prefixes)})-\d+(?:\.\d+)*(?![\w-]|\.\d)")


def code_pattern() -> str:
    """What clause codes look like, as a regular expression for Python and JavaScript alike."""
    return _pattern_of(tuple(clause_prefixes())).pattern


def clause_address(clause: str, here: Game | None = None) -> str | None:
    """Where a clause is read: on the page of this game's rules if it is one of its own; None where there
    is no such clause.

    >>> clause_address("KO52-7"), clause_address("KO52-77")
    ('/rules/knockout-52#KO52-7', None)
    """
    game = game_of(clause, here)
    return f"/rules/{game.id}#{clause}" if game is not None and clause_of(clause) is not None else None


def with_clause_links(page: str, here: Game | None = None) -> str:
    """A page in HTML with a link on every clause code that stands in its text and in no link yet.

    >>> with_clause_links("<p title='KO52-1'>By KO52-1.</p>")
    "<p title='KO52-1'>By <a class='law' href='/rules/knockout-52#KO52-1'>KO52-1</a>.</p>"
    >>> with_clause_links("<a href='/'>KO52-1</a>")
    "<a href='/'>KO52-1</a>"
    """

    def linked(code: re.Match[str]) -> str:
        address = clause_address(code[0], here)
        return f"<a class='law' href='{address}'>{code[0]}</a>" if address else code[0]

    pattern = _pattern_of(tuple(clause_prefixes()))
    parts = _TAG.split(page)
    closed = 0
    for place, part in enumerate(parts):
        if place % 2 and (tag := _NAME.match(part)) and tag[1] in _NO_LINKS_IN:
            closed += -1 if part.startswith("</") else 1
        elif not place % 2 and not closed and part:
            parts[place] = pattern.sub(linked, part)
    return "".join(parts)


def clause_html(text: str) -> Markup:
    """The text of a clause as the clause pages write it, with its bold words and its code.

    >>> clause_html("**Reading.** `a` < *b*")
    Markup('<b>Reading.</b> <code>a</code> &lt; <i>b</i>')
    """
    html = _BOLD.sub(r"<b>\1</b>", str(escape(text)))
    return Markup(_CODE.sub(r"<code>\1</code>", _SLANTED.sub(r"<i>\1</i>", html)))
