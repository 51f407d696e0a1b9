"""A hook of MkDocs: the table of games in the documentation is written from the registry."""

from __future__ import annotations

from typing import Any, Final

from cardroom.games import GAMES

MARK: Final = "<!-- games -->"
"""Where a page wants the table."""


def games_table() -> str:
    """The games as a table of Markdown: title, id, a sentence, and the clauses of the rules."""
    rows = [
        f"| {game.title} | `{game.id}` | {game.lobby} "
        f"| [{', '.join(game.clauses)}](rules/{game.clause_page}.md) |"
        for game in GAMES.values()
    ]
    return "\n".join(["| game | id | | clauses |", "|---|---|---|---|", *rows])


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Called by MkDocs for every page."""
    return markdown.replace(MARK, games_table())
