"""The tables of Knockout 52."""

from __future__ import annotations

from typing import Final, get_args

from fastapi import Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from cardroom.games import KNOCKOUT_52
from cardroom.rules.knockout52 import Knockout52Rules
from cardroom.table.knockout52.running import Knockout52Table
from cardroom.web.api.parts import HouseHere, TableId, Visitor
from cardroom.web.layouts import knockout52_layout
from cardroom.web.live.knockout52_view import table_view
from cardroom.web.rendering import page
from cardroom.web.routers import PageRouter

router = PageRouter()

DECKS: Final[tuple[int, ...]] = get_args(Knockout52Rules.model_fields["decks"].annotation)
"""The numbers of decks that Knockout 52 is dealt from."""


@router.get(KNOCKOUT_52.address)
async def first_table() -> Response:
    return RedirectResponse(f"{KNOCKOUT_52.address}/{next(iter(KNOCKOUT_52.open_tables))}", 303)


@router.get(KNOCKOUT_52.address + "/{table}", response_class=HTMLResponse)
async def show_knockout52(request: Request, table: TableId, house: HouseHere, visitor: Visitor) -> Response:
    """A Knockout 52 table."""
    live_table = house.tables.find(Knockout52Table, table)
    tables = house.tables.listed(Knockout52Table, visitor.id)
    return page(
        request,
        "knockout52.html",
        game=KNOCKOUT_52,
        table=live_table,
        deck_choices=DECKS,
        tables=tables,
        state=table_view(live_table, visitor, house.now()),
        layout=knockout52_layout(live_table.rules),
    )
