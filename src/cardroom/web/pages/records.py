"""Records of the log and draws of the lottery, each on a page of its own; their JSON is one click away."""

from __future__ import annotations

from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import Query, Request
from fastapi.responses import HTMLResponse, Response

from cardroom.lottery.overrides import OVERRIDES
from cardroom.presentation.money import dollars
from cardroom.web.api.draws import draw_of
from cardroom.web.api.knockout21 import DrawNumber
from cardroom.web.api.log import PAGE, RecordNumber, record_of, records_found
from cardroom.web.api.parts import HouseHere
from cardroom.web.live.draw_show import hand_words
from cardroom.web.pages.floor import door, entered
from cardroom.web.record_lines import shown_lines, shown_table
from cardroom.web.record_words import draw_account_words
from cardroom.web.rendering import page
from cardroom.web.routers import PageRouter
from cardroom.web.threads import desk

router = PageRouter(prefix="/operations")


@router.get("/log", response_class=HTMLResponse)
async def show_log(
    request: Request,
    house: HouseHere,
    search: Annotated[str, Query(max_length=80)] = "",
    before: Annotated[int | None, Query(ge=1, le=10**15)] = None,
) -> Response:
    """A page of the log, the newest record first."""
    login = entered(request)
    if login is None:
        return door(request)
    login.require("see-log")
    records = await desk.run(records_found, house, search, before)
    earlier = urlencode({"search": search, "before": records[-1]["seq"]}) if len(records) == PAGE else ""
    query = {"search": search} | ({} if before is None else {"before": before})
    return page(
        request,
        "log.html",
        login=login,
        records=records,
        search=search,
        earlier=earlier,
        as_json=f"/api/v1/operations/log?{urlencode(query)}",
    )


@router.get("/log/{number}", response_class=HTMLResponse)
async def show_record(request: Request, number: RecordNumber, house: HouseHere) -> Response:
    """One record of the log: when, what, by whom, and the money that moved with it."""
    login = entered(request)
    if login is None:
        return door(request)
    login.require("see-log")
    record = await record_of(house, number)
    return page(
        request,
        "record.html",
        login=login,
        record=record,
        lines=shown_lines(record["content"]),
        head=house.memory.head.seq,
    )


@router.get("/draws/{number}", response_class=HTMLResponse)
async def show_draw(request: Request, number: DrawNumber, house: HouseHere) -> Response:
    """One draw: times, tickets, money, seal, and what two people may do to it."""
    login = entered(request)
    if login is None:
        return door(request)
    draw = await draw_of(house, number)
    ways = OVERRIDES.get("held" if draw["held"] else draw["status"], ())
    books = [(draw_account_words(name), dollars(cents)) for name, cents in draw["balances_cents"].items()]
    account = dict(draw["account"] or {})
    games = shown_table([_prize_first(game) for game in account.pop("games", [])])
    if "lucky_loser_positions" in account:
        lucky = [hand_words(place) for place in account.pop("lucky_loser_positions")]
        account["lucky_losers"] = lucky or ["none"]
    parts = {
        "Account": shown_lines(account),
        "Called off": shown_lines(draw["called_off"] or {}),
        "Accounts in the books": books,
    }
    facts = {name: value for name, value in draw.items() if value is not None and not isinstance(value, dict)}
    return page(
        request,
        "draw.html",
        login=login,
        draw=draw,
        ways=ways,
        facts=shown_lines(facts),
        games=games,
        sections=[(title, lines) for title, lines in parts.items() if lines],
    )


def _prize_first(game: dict[str, Any]) -> dict[str, Any]:
    """What a game paid, with what matters most in front."""
    return {name: game[name] for name in ("game", "winners", "prize_cents")} | game
