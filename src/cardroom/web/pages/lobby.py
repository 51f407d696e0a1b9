"""The lobby: the five games, what they cost, what is running."""

from __future__ import annotations

import asyncio
from typing import Annotated, Final, get_args

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from cardroom.core.ids import GAME_IDS, GameId
from cardroom.rules import HouseRules, known_game, load_rules
from cardroom.rules.knockout52 import Knockout52Rules
from cardroom.web.api.parts import HouseHere, TableId, Visitor
from cardroom.web.errors import NotFound
from cardroom.web.figures import figures_of, known_figures
from cardroom.web.live.knockout52_view import TITLES, table_view
from cardroom.web.rendering import page

router = APIRouter()

_PATIENCE_SECONDS: Final = 1.5
DECKS: Final[tuple[int, ...]] = get_args(Knockout52Rules.model_fields["decks"].annotation)
"""The numbers of decks that Knockout 52 is dealt from."""

ABOUT: Final[dict[GameId, tuple[str, str, tuple[str, ...]]]] = {
    "blackjack": (
        "Six decks, dealer hits soft 17, blackjack pays 3 to 2.",
        "/play/blackjack",
        ("As", "Kh"),
    ),
    "spanish-21": (
        "No tens in the deck; bonuses, redoubles and a 21 that always wins.",
        "/play/spanish-21",
        ("6s", "7s", "8s"),
    ),
    "players-edge-21": (
        "Double up to three times, rescue a double, surrender, match the dealer.",
        "/play/players-edge-21",
        ("7d", "7h", "7c"),
    ),
    "knockout-21": (
        "A lottery drawn with cards: fifteen hands a ticket, one dealer for all.",
        "/knockout-21",
        ("Td", "9c", "2h"),
    ),
    "knockout-52": (
        "Fifty-two spaces, one card each. How far does the deal go without a match?",
        "/knockout-52",
        ("Ac", "2d", "3h", "4s"),
    ),
}


@router.get("/", response_class=HTMLResponse)
async def show_lobby(request: Request, house: HouseHere) -> Response:
    """The five games."""
    running = house.games_running()
    games = []
    for game in GAME_IDS:
        rules = load_rules(game)
        figures = known_figures(rules)
        if figures is None:
            house.in_background(figures_of(rules))
        about, href, cards = ABOUT[game]
        games.append(
            {
                "id": game,
                "title": rules.title,
                "about": about,
                "href": href,
                "cards": cards,
                "figures": figures,
                "running": running[game],
                "open": not house.disabled & {"all", f"game:{game}"},
            }
        )
    tables = [table for table in house.knockout52.values() if table.owner is None]
    open_tables = [table for table in house.tables.values() if table.owner is None]
    draw = next(iter(house.lottery.window), None) if house.lottery is not None else None
    return page(
        request,
        "lobby.html",
        games=games,
        tables=tables,
        cards=open_tables,
        titles=TITLES,
        hub=house.hub,
        draw=draw,
    )


@router.get("/knockout-52")
async def first_table() -> Response:
    return RedirectResponse("/knockout-52/willow", 303)


@router.get("/knockout-52/{table}", response_class=HTMLResponse)
async def show_knockout52(request: Request, table: TableId, house: HouseHere, visitor: Visitor) -> Response:
    """A Knockout 52 table."""
    found = house.knockout52_table(table)
    tables = [other for other in house.knockout52.values() if other.owner in (None, visitor.id)]
    return page(
        request,
        "knockout52.html",
        table=found,
        deck_choices=DECKS,
        tables=tables,
        state=table_view(found, visitor, house.now()),
    )


@router.get("/rules/{game}", response_class=HTMLResponse)
async def show_rules(
    request: Request, game: str, house: HouseHere, table: Annotated[str | None, Query(max_length=40)] = None
) -> Response:
    """A game's house rules, paytable and edge, before any wager (R-36)."""
    if game not in GAME_IDS:
        raise NotFound(f"there is no game {game[:40]!r}")
    rules: HouseRules = load_rules(known_game(game))
    if table is not None and table in house.tables and house.tables[table].game == game:
        rules = house.tables[table].rules
    try:
        figures = await asyncio.wait_for(figures_of(rules), _PATIENCE_SECONDS)
    except TimeoutError:
        figures = None  # the page shows the rules at once, and the figures when they are there
    return page(request, "rules.html", rules=rules, figures=figures, about=ABOUT[rules.game])
