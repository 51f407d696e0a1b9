"""The floor's pages: all tables at a glance, one table with everything that can be done there, one round."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from fastapi import Request
from fastapi.responses import HTMLResponse, Response

from cardroom.web.api.floor_tables import floor_of, hand_in_play, round_of, seats_of
from cardroom.web.api.operations import login_of
from cardroom.web.api.parts import HouseHere, TableId
from cardroom.web.figures import computed
from cardroom.web.live.floor_view import floor_table_view, happened_view
from cardroom.web.live.shown import view_of
from cardroom.web.rendering import page
from cardroom.web.routers import PageRouter
from cardroom.web.security.operators import SHORTEST_PASSWORD, Login
from cardroom.web.threads import desk

if TYPE_CHECKING:
    from cardroom.lab.player_signs import PlayerSigns
    from cardroom.web.house import House

router = PageRouter(prefix="/operations/floor")


def entered(request: Request) -> Login | None:
    """Whoever is logged in with a password of their own and may see operations."""
    login = login_of(request)
    if login is None or not login.chose_password:
        return None
    login.require("see")
    return login


def door(request: Request) -> Response:
    """The log-in, where nobody is logged in."""
    settings = request.app.state.house.settings
    return page(request, "login.html", settings=settings, shortest=SHORTEST_PASSWORD)


@router.get("", response_class=HTMLResponse)
async def show_floor(request: Request, house: HouseHere) -> Response:
    """Every table: spots, who waits, calls, and the pace of play."""
    login = entered(request)
    if login is None:
        return door(request)
    return page(request, "floor.html", login=login, tables=floor_of(house))


@router.get("/tables/{table}", response_class=HTMLResponse)
async def show_table(request: Request, table: TableId, house: HouseHere, *, signs: bool = False) -> Response:
    """One table, and everything that the floor can do there."""
    login = entered(request)
    if login is None:
        return door(request)
    live_table = house.tables.get(table)
    happened = [happened_view(one) for one in await hand_in_play(house, live_table)]
    view = floor_table_view(live_table, house.now())
    counted = await _signs(house, table) if signs and view["by_hand"] else None
    people = seats_of(house, view_of(live_table.rules.game).people_at(live_table))
    return page(
        request,
        "floor_table.html",
        login=login,
        table=view,
        happened=happened,
        people=people,
        signs=counted,
    )


async def _signs(house: House, table: str) -> list[PlayerSigns]:
    """What the last rounds of a table say of counting, computed where nobody waits for it."""
    from cardroom.lab.counting_signs import counting_signs
    from cardroom.web.live.twentyone_rounds import rounds_of_table

    rounds = await desk.run(rounds_of_table, house.past, table)
    last = rounds[-1].notation if rounds else ""
    signs: list[PlayerSigns] = await computed.get(("signs", table, last), partial(counting_signs, rounds))
    return signs


@router.get("/rounds/{number}", response_class=HTMLResponse)
async def show_round(request: Request, number: TableId, house: HouseHere) -> Response:
    """One round as it happened, and the form by which two people put its result right."""
    login = entered(request)
    if login is None:
        return door(request)
    return page(request, "floor_round.html", login=login, state=await round_of(house, number))
