"""The terminal and the monitor of Knockout 21, and the page of a ticket."""

from __future__ import annotations

import asyncio
from datetime import datetime

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from cardroom.games import KNOCKOUT_21
from cardroom.lottery.schedule import wall_clock
from cardroom.web.api.knockout21 import TicketId, lottery_of, purchase_under_way, ticket_with_results
from cardroom.web.api.parts import HouseHere, Visitor
from cardroom.web.layouts import knockout21_layout
from cardroom.web.live.lottery_view import draws_view, purchase_view
from cardroom.web.rendering import page

router = APIRouter()


@router.get(KNOCKOUT_21.address, response_class=HTMLResponse)
async def show_terminal(request: Request, house: HouseHere, visitor: Visitor) -> Response:
    """Buy, choose, print, check, claim."""
    room = lottery_of(house)
    begun = await asyncio.to_thread(purchase_under_way, house, visitor)
    choosing = {ticket.id for ticket in begun.tickets} if begun else set()
    own = [one for one in reversed(visitor.tickets) if one[0] not in choosing]
    return page(
        request,
        "terminal.html",
        game=KNOCKOUT_21,
        state=draws_view(room, house.now()),
        begun=purchase_view(begun) if begun else None,
        layout=knockout21_layout(),
        own=own[:30],
    )


@router.get(KNOCKOUT_21.address + "/monitor", response_class=HTMLResponse)
async def show_monitor(request: Request, house: HouseHere) -> Response:
    """The wall."""
    return page(
        request,
        "monitor.html",
        game=KNOCKOUT_21,
        state=draws_view(lottery_of(house), house.now()),
        layout=knockout21_layout(),
    )


@router.get(KNOCKOUT_21.address + "/tickets/{ticket}", response_class=HTMLResponse)
async def show_ticket(request: Request, ticket: TicketId, house: HouseHere, visitor: Visitor) -> Response:
    """A ticket of the visitor's own."""
    state = await asyncio.to_thread(ticket_with_results, house, visitor, ticket)
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
        layout=knockout21_layout(),
        alterable_until=until and f"{until:%Y-%m-%d %H:%M:%S}",
    )
