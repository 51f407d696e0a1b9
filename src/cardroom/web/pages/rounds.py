"""A finished round on its own page, to be shared by its link: replay, payments, proof."""

from __future__ import annotations

from fastapi import Request
from fastapi.responses import HTMLResponse, Response

from cardroom.table.twentyone.finished import FinishedRound
from cardroom.web.api.parts import HouseHere, TableId, Visitor
from cardroom.web.layouts import knockout52_layout, twentyone_layout
from cardroom.web.live.knockout52_view import finished_view
from cardroom.web.live.twentyone_view import finished_view as round_view
from cardroom.web.rendering import page
from cardroom.web.routers import PageRouter

router = PageRouter()


@router.get("/rounds/{game}", response_class=HTMLResponse)
async def show_round(request: Request, game: TableId, house: HouseHere, visitor: Visitor) -> Response:
    """The replay of a finished round."""
    record = await house.past.find(game)
    corrected = None if record is None else await house.past.correction(record.id)
    if isinstance(record, FinishedRound):
        return page(
            request,
            "round21.html",
            state=round_view(record, visitor),
            layout=twentyone_layout(record.rules, house.settings.decision_seconds),
            finished=record,
            corrected=corrected,
            visitor=visitor.id,
        )
    finished = await house.past.find_game(game)
    return page(
        request,
        "round52.html",
        state=finished_view(finished, visitor),
        layout=knockout52_layout(finished.game.rules),
        finished=finished,
        corrected=corrected,
        visitor=visitor.id,
    )
