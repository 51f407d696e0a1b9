"""A finished round on its own page, to be shared by its link: replay, payments, proof."""

from __future__ import annotations

from fastapi import Request
from fastapi.responses import HTMLResponse, Response

from cardroom.web.api.parts import HouseHere, TableId, Visitor
from cardroom.web.errors import NotFound
from cardroom.web.live.shown import view_of
from cardroom.web.rendering import page
from cardroom.web.routers import PageRouter

router = PageRouter()


@router.get("/rounds/{game}", response_class=HTMLResponse)
async def show_round(request: Request, game: TableId, house: HouseHere, visitor: Visitor) -> Response:
    """The replay of a finished round."""
    finished = await house.past.find(game)
    if finished is None:
        raise NotFound(f"there is no finished round {game[:40]!r}")
    shown = view_of(finished.game_id).round_page(finished, visitor, house.settings.decision_seconds)
    return page(
        request,
        shown.template,
        state=shown.state,
        layout=shown.layout,
        finished=finished,
        corrected=await house.past.correction(finished.id),
        visitor=visitor.id,
    )
