"""`cardroom games`: the games, a line each."""

from __future__ import annotations

from cardroom.cli.options import Json
from cardroom.cli.output import console, plain_table, print_json
from cardroom.games import GAMES


def games(as_json: Json = False) -> None:
    """List the games and their known variants, a line each."""
    from cardroom.rules.variants import variant, variant_names

    variants = [variant(name) for name in variant_names()]
    if as_json:
        print_json(
            [
                {
                    "game": game.id,
                    "title": game.title,
                    "about": game.about,
                    "variants": [one.name for one in variants if one.game == game.id],
                }
                for game in GAMES.values()
            ]
        )
        return
    table = plain_table("Game", "Title", "About", prose=["About"])
    for game in GAMES.values():
        table.add_row(game.id, game.title, game.about)
    console().print(table)
    table = plain_table("Variant", "Title", "About", prose=["About"])
    for one in variants:
        table.add_row(one.name, one.title, one.about)
    console().print()
    console().print(table)
    example = variants[0]
    console().print(
        f"A variant is house rules of its game: cardroom rules {example.game} --rules {example.name}"
    )
