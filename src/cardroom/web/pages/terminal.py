"""The terminal and the monitor of Knockout 21, and the page of a ticket."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response

from cardroom.web.api.knockout21 import TicketId, lottery_of, ticket_with_results
from cardroom.web.api.parts import HouseHere, Visitor
from cardroom.web.live.lottery_view import draws_view
from cardroom.web.rendering import page

router = APIRouter()


@router.get("/knockout-21", response_class=HTMLResponse)
async def show_terminal(request: Request, house: HouseHere, visitor: Visitor) -> Response:
    """Buy, choose, print, check, claim."""
    room = lottery_of(house)
    own = list(reversed(house.tickets.get(visitor.id, ())))[:30]
    return page(
        request, "terminal.html", state=draws_view(room, house.now()), own=own, rules=room.lottery.rules
    )


@router.get("/knockout-21/monitor", response_class=HTMLResponse)
async def show_monitor(request: Request, house: HouseHere) -> Response:
    """The wall."""
    return page(request, "monitor.html", state=draws_view(lottery_of(house), house.now()))


@router.get("/knockout-21/tickets/{ticket}", response_class=HTMLResponse)
async def show_ticket(request: Request, ticket: TicketId, house: HouseHere, visitor: Visitor) -> Response:
    """A ticket of the visitor's own."""
    state = await asyncio.to_thread(ticket_with_results, house, visitor, ticket)
    return page(request, "ticket.html", ticket=state)
