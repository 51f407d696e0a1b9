"""The terminal and the wall of Knockout 21, and the page of a ticket."""

from __future__ import annotations

from datetime import datetime
from urllib.parse import urlsplit

from fastapi import Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from markupsafe import Markup

from cardroom.games import KNOCKOUT_21
from cardroom.lab.printed_odds import printed_odds
from cardroom.lottery.schedule import wall_clock
from cardroom.presentation.conditions import chart_columns, chart_grid, conditions
from cardroom.web.api.knockout21 import (
    TicketId,
    lottery_of,
    own_tickets,
    purchase_under_way,
    ticket_with_results,
)
from cardroom.web.api.parts import HouseHere, Visitor
from cardroom.web.layouts import knockout21_layout
from cardroom.web.live.lottery_view import draws_view, purchase_view
from cardroom.web.rendering import page
from cardroom.web.routers import PageRouter
from cardroom.web.threads import reading

router = PageRouter()


@router.get(KNOCKOUT_21.address, response_class=HTMLResponse)
async def show_terminal(request: Request, house: HouseHere, visitor: Visitor) -> Response:
    """Buy, choose, make final, check, claim."""
    room = lottery_of(house)
    begun = await reading.run(purchase_under_way, house, visitor)
    return page(
        request,
        "terminal.html",
        game=KNOCKOUT_21,
        state=draws_view(room, house.now()),
        begun=purchase_view(begun) if begun else None,
        layout=knockout21_layout(),
        own=await reading.run(own_tickets, house, visitor),
    )


@router.get(KNOCKOUT_21.address + "/wall", response_class=HTMLResponse)
async def show_wall(request: Request, house: HouseHere) -> Response:
    """The wall: a screen of its own, without navigation and purse."""
    room = lottery_of(house)
    public = urlsplit(house.settings.public_url or str(request.base_url))
    bought_at = f"{public.netloc}{KNOCKOUT_21.address}"
    prizes = room.lottery.rules.prizes
    return page(
        request,
        "wall.html",
        game=KNOCKOUT_21,
        state=draws_view(room, house.now()),
        layout=knockout21_layout(),
        top_cents=max(int(prizes.game_1), int(prizes.game_2.max), int(prizes.game_3.max)),
        code=_code_of(f"{public.scheme}://{bought_at}"),
        bought_at=bought_at,
    )


def _code_of(address: str) -> Markup:
    """An address as a QR code that a telephone reads; nothing where the library for it is not installed."""
    try:
        import segno
    except ModuleNotFoundError:
        return Markup("")
    # Its text is that of a picture made of our own address: no mark-up of a stranger is in it.
    return Markup(segno.make_qr(address, error="m").svg_inline(omitsize=True, light="#fff"))


@router.get(KNOCKOUT_21.address + "/monitor")
async def show_monitor() -> Response:
    """Where the wall used to be."""
    return RedirectResponse(f"{KNOCKOUT_21.address}/wall", 308)


@router.get(KNOCKOUT_21.address + "/conditions", response_class=HTMLResponse)
async def show_conditions(request: Request, house: HouseHere) -> Response:
    """The game conditions in force, with both charts and the printed odds beside ours."""
    rules = lottery_of(house).lottery.rules
    odds = await reading.run(printed_odds, rules)
    return page(
        request,
        "conditions.html",
        game=KNOCKOUT_21,
        rules=rules,
        subjects=conditions(rules),
        odds=odds,
        columns=chart_columns(),
        charts={2: chart_grid(2), 3: chart_grid(3)},
    )


@router.get(KNOCKOUT_21.address + "/tickets/{ticket}", response_class=HTMLResponse)
async def show_ticket(request: Request, ticket: TicketId, house: HouseHere, visitor: Visitor) -> Response:
    """A ticket of the visitor's own."""
    state = await reading.run(ticket_with_results, house, visitor, ticket)
    if state["state"] == "choosing":  # there is no print to show: the purchase goes on at the terminal
        return RedirectResponse(KNOCKOUT_21.address, 303)
    until = state["alterable_until"] and wall_clock(
        lottery_of(house).lottery.rules, datetime.fromisoformat(state["alterable_until"])
    )
    return page(
        request,
        "ticket.html",
        game=KNOCKOUT_21,
        ticket=state,
        conditions=conditions(lottery_of(house).lottery.rules),
        layout=knockout21_layout(),
        alterable_until=until and f"{until:%Y-%m-%d %H:%M:%S}",
    )
