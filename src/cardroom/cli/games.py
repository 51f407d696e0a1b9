"""`cardroom games`: the games, a line each."""

from __future__ import annotations

from typing import Final

from cardroom.cli.options import Json
from cardroom.cli.output import console, plain_table, print_json
from cardroom.core.ids import GameId

GAMES: Final[dict[GameId, tuple[str, str]]] = {
    "blackjack": ("Blackjack", "the classic game, beat the dealer to 21"),
    "spanish-21": ("Spanish 21", "no tens, bonus 21s, doubling on any cards"),
    "players-edge-21": ("Player's Edge 21", "Spanish 21, redoubling, suited insurance"),
    "knockout-21": ("Knockout 21", "a monitor lottery of fifteen blackjack hands"),
    "knockout-52": ("Knockout 52", "52 spaces, a card each: when do they match?"),
}


def games(as_json: Json = False) -> None:
    """List the games, a line each."""
    if as_json:
        print_json([{"game": game, "title": title, "about": about} for game, (title, about) in GAMES.items()])
        return
    table = plain_table("Game", "Title", "About")
    for game, (title, about) in GAMES.items():
        table.add_row(game, title, about)
    console().print(table)
