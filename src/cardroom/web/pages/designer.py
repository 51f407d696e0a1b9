"""The designer's page: a side bet in its address, so that a link shares it."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Request
from fastapi.responses import HTMLResponse, Response

from cardroom.games import GAMES
from cardroom.presentation.bet_patterns import CONDITIONS, FIRST_BET, PLACES
from cardroom.web.api.designer import BetText, GameWithBets
from cardroom.web.rendering import page
from cardroom.web.routers import PageRouter

router = PageRouter()


@router.get("/lab/bet", response_class=HTMLResponse)
async def show_designer(
    request: Request, game: GameWithBets | None = None, bet: Annotated[BetText, Query()] = FIRST_BET
) -> Response:
    """A side bet to edit by form, and what comes of it."""
    games = {one.id: one.title for one in GAMES.values() if one.kind == "cards"}
    return page(
        request,
        "designer.html",
        games=games,
        places=PLACES,
        conditions=[
            {"words": one.words, "text": one.text, "fields": [field._asdict() for field in one.fields]}
            for one in CONDITIONS
        ],
        draft={"game": game or next(iter(games)), "text": bet},
    )
