"""The tables of Blackjack, Spanish 21 and Player's Edge 21."""

from __future__ import annotations

from typing import get_args

from fastapi import Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from cardroom.games import GAMES
from cardroom.rules.bets import shelf_bet, shelf_names
from cardroom.rules.game_ids import KnownGame
from cardroom.rules.variants import variant, variant_names
from cardroom.table.running import Speed, table_class
from cardroom.table.twentyone.running import TwentyOneTable
from cardroom.web.api.parts import HouseHere, TableId, Visitor
from cardroom.web.errors import NotFound
from cardroom.web.layouts import twentyone_layout
from cardroom.web.live.twentyone_view import table_view
from cardroom.web.rendering import page
from cardroom.web.routers import PageRouter

router = PageRouter()


@router.get("/play/{game}")
async def first_table(game: KnownGame) -> Response:
    """The open table of a game."""
    table = next(iter(GAMES[game].open_tables), None)
    if table is None or not issubclass(table_class(game), TwentyOneTable):
        raise NotFound("this game is not played at a table")
    return RedirectResponse(f"/tables/{table}", 303)


@router.get("/tables/{table}", response_class=HTMLResponse)
async def show_table(request: Request, table: TableId, house: HouseHere, visitor: Visitor) -> Response:
    """A table."""
    live_table = house.tables.find(TwentyOneTable, table)
    listed = house.tables.listed(TwentyOneTable, visitor.id)
    others = listed if any(other is live_table for other in listed) else [*listed, live_table]
    return page(
        request,
        "table.html",
        table=live_table,
        tables=others,
        rules=live_table.rules,
        state=table_view(live_table, visitor, house.now()),
        layout=twentyone_layout(live_table.rules, house.settings.decision_seconds),
        offer_seconds=round(house.settings.offer_seconds),
        gone_minutes=f"{house.settings.gone_seconds / 60:g}",
        speeds=get_args(Speed),
        variants={
            name: variant(name).title
            for name in variant_names()
            if variant(name).game == live_table.rules.game
        },
        shelf={
            name: shelf_bet(name).bet.title for name in shelf_names() if not live_table.rules.offers(name)
        },
    )
