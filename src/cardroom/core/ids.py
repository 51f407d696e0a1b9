"""Names of games and wagers that programs may rely on."""

from __future__ import annotations

GameId = str
"""The id of a game; `cardroom.games` knows which there are."""


def titled(name: str) -> str:
    """The id of a wager, a prize or a bonus as people read it.

    >>> titled("all-the-way"), titled("round-1")
    ('All the Way', 'Round 1')
    """
    return " ".join(word if word == "the" else word.capitalize() for word in name.split("-"))


def line_words(line: str) -> str:
    """The id of a line of pays in words: `suited_match` is a suited match."""
    return line.replace("_", " ")


def table_title(table: str) -> str:
    """The id of a table as people read it; one that is no name, of a table of somebody's own, stays as it is.

    >>> table_title("linden"), table_title("f6d9a1fbf5f9")
    ('Linden', 'f6d9a1fbf5f9')
    """
    return table.capitalize() if table.isalpha() else table
