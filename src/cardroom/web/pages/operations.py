"""Operations behind a login."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response

from cardroom.games import GAMES
from cardroom.web.api.floor import OVERRIDES
from cardroom.web.api.operations import PAGE, login_of, overview_of
from cardroom.web.api.parts import HouseHere
from cardroom.web.rendering import page

router = APIRouter()


@router.get("/operations", response_class=HTMLResponse)
async def show_operations(request: Request, house: HouseHere) -> Response:
    """The log-in, or the house at a glance."""
    login = login_of(request)
    if login is None:
        return page(request, "login.html", settings=house.settings)
    state = await asyncio.to_thread(overview_of, house)
    return page(
        request,
        "operations.html",
        login=login,
        state=state,
        lottery_open=house.lottery is not None,
        games=list(GAMES),
        overrides=OVERRIDES,
        log_page=PAGE,
        operators=house.operators.names(),
    )
