"""A hook of MkDocs: the table of games and the pages of their rules come from the registry."""

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


def rules_pages() -> list[str]:
    """The pages with the clauses of the games, each once."""
    return list(dict.fromkeys(f"rules/{game.clause_page}.md" for game in GAMES.values()))


def on_config(config: Any) -> Any:
    """Called by MkDocs before it builds: the pages of rules join those that `mkdocs.yml` lists."""
    next(part["The rules"] for part in config["nav"] if "The rules" in part).extend(rules_pages())
    return config


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Called by MkDocs for every page."""
    return markdown.replace(MARK, games_table())
