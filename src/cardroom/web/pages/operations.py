"""Operations behind a login."""

from __future__ import annotations

from urllib.parse import urlencode

from fastapi import Request
from fastapi.responses import HTMLResponse, Response

from cardroom.games import GAMES, KNOCKOUT_21
from cardroom.lottery.overrides import OVERRIDES
from cardroom.table.running import RunningTable
from cardroom.web.api.care import care_of
from cardroom.web.api.desk import approvals_of
from cardroom.web.api.finance import report_of
from cardroom.web.api.knockout21 import lottery_of
from cardroom.web.api.log import PAGE
from cardroom.web.api.operations import login_of, overview_of
from cardroom.web.api.parts import HouseHere
from cardroom.web.house import House
from cardroom.web.rendering import page
from cardroom.web.routers import PageRouter
from cardroom.web.security.operators import SHORTEST_PASSWORD
from cardroom.web.threads import desk

router = PageRouter()


@router.get("/operations", response_class=HTMLResponse)
async def show_operations(request: Request, house: HouseHere) -> Response:
    """The log-in, or the house at a glance."""
    login = login_of(request)
    if login is None or not login.chose_password:
        return page(request, "login.html", settings=house.settings, shortest=SHORTEST_PASSWORD)
    state = await desk.run(overview_of, house)
    return page(
        request,
        "operations.html",
        login=login,
        state=state,
        lottery_open=house.lottery is not None,
        wall=f"{KNOCKOUT_21.address}/wall",
        switchable=switchable(house),
        called={table.id: called(table) for table in house.memory.tables.values()},
        overrides=OVERRIDES,
        log_page=PAGE,
        operators=house.operators.names(),
        second_factor=house.operators.named(login.name).second_factor is not None,
    )


def switchable(house: House) -> list[tuple[str, str]]:
    """What can be closed and opened, each with what it is called in a button."""
    games = [(f"game:{game.id}", f"game {game.title}") for game in GAMES.values()]
    tables = [(f"table:{table.id}", called(table)) for table in house.memory.tables.values()]
    return [*games, *tables, ("terminal:web", "the web terminal"), ("all", "everything")]


def called(table: RunningTable) -> str:
    """What a table is called in a button: the house's tables have names, a player's own has its id."""
    return f"table {table.id.capitalize()}" if table.owner is None else f"private table {table.id}"


@router.get("/operations/finance", response_class=HTMLResponse)
async def show_finance(
    request: Request, house: HouseHere, first: str = "", last: str = "", terminal: str = ""
) -> Response:
    """The lottery's money of some days; the log-in where nobody is logged in."""
    from cardroom.lottery.finance.show import facts, shown_rows

    login = login_of(request)
    if login is None or not login.chose_password:
        return page(request, "login.html", settings=house.settings, shortest=SHORTEST_PASSWORD)
    login.require("see")
    report = await desk.run(report_of, house, first[:10], last[:10], terminal[:64])
    query = {"first": report.first_day, "last": report.last_day, "terminal": report.terminal or ""}
    return page(
        request,
        "finance.html",
        login=login,
        report=report,
        facts=facts(report),
        sections=[(section, *shown_rows(section)) for section in report.sections],
        query=urlencode(query),
    )


@router.get("/operations/desk", response_class=HTMLResponse)
async def show_desk(request: Request, house: HouseHere) -> Response:
    """Lost tickets and large prizes; the log-in where nobody is logged in."""
    login = login_of(request)
    if login is None or not login.chose_password:
        return page(request, "login.html", settings=house.settings, shortest=SHORTEST_PASSWORD)
    login.require("see")
    approvals = await desk.run(approvals_of, house)
    timezone = lottery_of(house).lottery.rules.timezone
    return page(request, "desk.html", login=login, approvals=approvals, timezone=timezone)


@router.get("/operations/care", response_class=HTMLResponse)
async def show_care(request: Request, house: HouseHere) -> Response:
    """What a lottery needs over the years: rules by day, time zones, rows, expiries; or the log-in."""
    login = login_of(request)
    if login is None or not login.chose_password:
        return page(request, "login.html", settings=house.settings, shortest=SHORTEST_PASSWORD)
    login.require("see")
    return page(request, "care.html", login=login, care=await desk.run(care_of, house))
