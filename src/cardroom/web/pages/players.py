"""The player's own page: chips, limits, breaks, history; and how the house keeps to its word."""

from __future__ import annotations

from fastapi import Request
from fastapi.responses import HTMLResponse, Response

from cardroom.web.api.parts import HouseHere, Visitor
from cardroom.web.api.session import session_view
from cardroom.web.rendering import page
from cardroom.web.routers import PageRouter

router = PageRouter()


@router.get("/you", response_class=HTMLResponse)
async def show_player(request: Request, house: HouseHere, visitor: Visitor) -> Response:
    """Chips, limits, breaks and past rounds."""
    return page(
        request,
        "you.html",
        state=session_view(house, visitor),
        history=list(reversed(visitor.history)),
    )


@router.get("/fairness", response_class=HTMLResponse)
async def show_fairness(request: Request) -> Response:
    """How cards are committed to and proved."""
    return page(request, "fairness.html")
