"""The lobby: the games, what they cost, what is running."""

from __future__ import annotations

from fastapi import Request
from fastapi.responses import HTMLResponse, Response

from cardroom.games import GAMES
from cardroom.rules import load_rules
from cardroom.web.api.parts import HouseHere
from cardroom.web.figures import figures_of, known_figures
from cardroom.web.live.shown import view_of
from cardroom.web.rendering import page
from cardroom.web.routers import PageRouter

router = PageRouter()


@router.get("/", response_class=HTMLResponse)
async def show_lobby(request: Request, house: HouseHere) -> Response:
    """The games."""
    running = house.tables.rounds_running()
    games = []
    for game in GAMES.values():
        rules = load_rules(game.id)
        figures = known_figures(rules)
        if figures is None:
            house.in_background(figures_of(rules))
        games.append(
            {
                "about": game,
                "figures": figures,
                "running": running[game.id],
                "open": not house.disabled & {"all", f"game:{game.id}"},
            }
        )
    draw = house.lottery.next_draw(house.now()) if house.lottery is not None else None
    return page(
        request,
        "lobby.html",
        games=games,
        tables=[(table, view_of(table.rules.game).lobby_row(table)) for table in house.tables.of_the_house()],
        broken=[table for table in house.memory.broken.values() if table.owner is None],
        titles={game.id: game.title for game in GAMES.values()},
        hub=house.hub,
        draw=draw,
    )
