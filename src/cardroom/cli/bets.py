"""`cardroom bets`: the shelf of known side bets."""

from __future__ import annotations

from typing import Annotated, Any, Final

import typer

from cardroom.cli.options import Json
from cardroom.cli.output import console, plain_table, print_json

BetName = Annotated[
    str | None,
    typer.Argument(
        metavar="NAME", help="One bet with its lines and what is published of it.", show_default=False
    ),
]
_SOFT_17: Final = {"hit": ", dealer hits soft 17", "stand": ", dealer stands on soft 17"}


def bets(name: BetName = None, as_json: Json = False) -> None:
    """List the side bets that any table of the blackjack family can have; --side NAME puts one on it."""
    from cardroom.rules.bets import shelf_bet, shelf_names

    names = shelf_names() if name is None else (shelf_bet(name).name,)
    if as_json:
        shapes = [_as_json(each) for each in names]
        print_json(shapes if name is None else shapes[0])
        return
    if name is not None:
        _show(name)
        return
    table = plain_table("Side bet", "Wins on", "Pays", prose=["Wins on"])
    for each in names:
        shelf = shelf_bet(each)
        pays = "-".join(
            str(line.pays).removesuffix(":1").removesuffix(" of the meter") for line in shelf.bet.lines
        )
        table.add_row(each, shelf.about, pays)
    console().print(table)


def _show(name: str) -> None:
    from cardroom.rules.bets import shelf_bet

    shelf, out = shelf_bet(name), console()
    out.print(f"{shelf.bet.title}: {shelf.about}", style="bold")
    if shelf.bet.note:
        out.print(shelf.bet.note)
    out.print()
    table = plain_table("Line", "Pays")
    for line in shelf.bet.lines:
        table.add_row(line.name, shelf.bet.pays_words(line.id))
    out.print(table)
    out.print()
    out.print(f"Rules: {shelf.source}")
    for one in shelf.published:
        soft = {"hit": ", dealer hits soft 17", "stand": ", dealer stands on soft 17"}.get(
            one.get("soft_17", ""), ""
        )
        decks = f"{one['decks']} deck{'' if one['decks'] == 1 else 's'}"
        out.print(f"Published house edge, {decks}{soft}: {one['house_edge']}")


def _as_json(name: str) -> dict[str, Any]:
    from cardroom.rules.bets import shelf_bet

    shelf = shelf_bet(name)
    return {
        "name": name,
        "about": shelf.about,
        "source": shelf.source,
        "published": list(shelf.published),
        "bet": shelf.bet.model_dump(mode="json"),
    }
