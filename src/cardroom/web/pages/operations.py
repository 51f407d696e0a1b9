"""Operations behind a login."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response

from cardroom.games import GAMES
from cardroom.lottery.overrides import OVERRIDES
from cardroom.web.api.operations import PAGE, login_of, overview_of
from cardroom.web.api.parts import HouseHere
from cardroom.web.rendering import page
from cardroom.web.security.operators import SHORTEST_PASSWORD

router = APIRouter()


@router.get("/operations", response_class=HTMLResponse)
async def show_operations(request: Request, house: HouseHere) -> Response:
    """The log-in, or the house at a glance."""
    login = login_of(request)
    if login is None or not login.chose_password:
        return page(request, "login.html", settings=house.settings, shortest=SHORTEST_PASSWORD)
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
        second_factor=house.operators.named(login.name).second_factor is not None,
    )
