"""`cardroom games`: the games, a line each."""

from __future__ import annotations

from cardroom.cli.options import Json
from cardroom.cli.output import console, plain_table, print_json
from cardroom.games import GAMES


def games(as_json: Json = False) -> None:
    """List the games, a line each."""
    if as_json:
        print_json([{"game": game.id, "title": game.title, "about": game.about} for game in GAMES.values()])
        return
    table = plain_table("Game", "Title", "About", prose=["About"])
    for game in GAMES.values():
        table.add_row(game.id, game.title, game.about)
    console().print(table)
