"""The lobby: the games, what they cost, what is running."""

from __future__ import annotations

from typing import Final, get_args

from fastapi import Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from cardroom.games import GAMES, KNOCKOUT_52
from cardroom.rules import load_rules
from cardroom.rules.knockout52 import Knockout52Rules
from cardroom.table.knockout52.running import SEATS, Knockout52Table
from cardroom.table.twentyone.running import TwentyOneTable
from cardroom.web.api.parts import HouseHere, TableId, Visitor
from cardroom.web.figures import figures_of, known_figures
from cardroom.web.layouts import knockout52_layout
from cardroom.web.live.knockout52_view import table_view
from cardroom.web.rendering import page
from cardroom.web.routers import PageRouter

router = PageRouter()

DECKS: Final[tuple[int, ...]] = get_args(Knockout52Rules.model_fields["decks"].annotation)
"""The numbers of decks that Knockout 52 is dealt from."""


@router.get("/", response_class=HTMLResponse)
async def show_lobby(request: Request, house: HouseHere) -> Response:
    """The games."""
    running = house.tables.rounds_running()
    games = []
    for game in GAMES.values():
        rules = load_rules(game.id)
        figures = known_figures(rules)
        if figures is None:
            house.in_background(figures_of(rules))
        games.append(
            {
                "about": game,
                "figures": figures,
                "running": running[game.id],
                "open": not house.disabled & {"all", f"game:{game.id}"},
            }
        )
    tables = house.tables.listed(Knockout52Table)
    open_tables = house.tables.listed(TwentyOneTable)
    draw = house.lottery.next_draw(house.now()) if house.lottery is not None else None
    return page(
        request,
        "lobby.html",
        games=games,
        tables=tables,
        cards=open_tables,
        broken=[table for table in house.memory.broken.values() if table.owner is None],
        titles={game.id: game.title for game in GAMES.values()},
        layout=KNOCKOUT_52,
        seats=SEATS,
        hub=house.hub,
        draw=draw,
    )


@router.get(KNOCKOUT_52.address)
async def first_table() -> Response:
    return RedirectResponse(f"{KNOCKOUT_52.address}/{next(iter(KNOCKOUT_52.open_tables))}", 303)


@router.get(KNOCKOUT_52.address + "/{table}", response_class=HTMLResponse)
async def show_knockout52(request: Request, table: TableId, house: HouseHere, visitor: Visitor) -> Response:
    """A Knockout 52 table."""
    found = house.tables.find(Knockout52Table, table)
    tables = house.tables.listed(Knockout52Table, visitor.id)
    return page(
        request,
        "knockout52.html",
        game=KNOCKOUT_52,
        table=found,
        deck_choices=DECKS,
        tables=tables,
        state=table_view(found, visitor, house.now()),
        layout=knockout52_layout(found.rules),
    )
