"""The rules of a game: in sentences, what every wager costs, every option, and the clauses behind them."""

from __future__ import annotations

import asyncio
from itertools import groupby
from typing import Annotated, Any, Final

from fastapi import Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from cardroom.games import GAMES, Game
from cardroom.presentation.house_rules import subjects
from cardroom.rules import HouseRules, load_rules, parse_changes
from cardroom.rules.clauses import clauses_of
from cardroom.web.addresses import lab_address
from cardroom.web.api.lab import Changes
from cardroom.web.api.parts import Asking, Caller, HouseHere
from cardroom.web.clause_links import clause_address
from cardroom.web.errors import NotFound, TooMany
from cardroom.web.figures import Figures, figures_of
from cardroom.web.rendering import page
from cardroom.web.routers import PageRouter

router = PageRouter()

_PATIENCE_SECONDS: Final = 1.5


def game_named(game: str) -> Game:
    """The game of an address; one that is not there is not found."""
    if game not in GAMES:
        raise NotFound(f"there is no game {game[:40]!r}")
    return GAMES[game]


async def figures_soon(
    rules: HouseRules, asking: Caller, seconds: float = _PATIENCE_SECONDS
) -> Figures | None:
    """The figures if they come at once; the page shows the rules now, and the figures when they are there."""
    try:
        return await asyncio.wait_for(figures_of(rules, asker=asking), seconds)
    except (TimeoutError, TooMany):
        return None


def wanted_figures(rules: HouseRules) -> dict[str, Any]:
    """What a page asks the lab for when the figures of its rules are not at hand."""
    changed = rules.differences(load_rules(rules.game))
    return {"game": rules.game, "options": {key: here for key, (here, _) in changed.items()}}


@router.get("/rules")
async def show_any_rules() -> Response:
    """The rules of the first game; from there all others are a click away."""
    return RedirectResponse(f"/rules/{next(iter(GAMES))}", 303)


@router.get("/rules/{game}", response_class=HTMLResponse)
async def show_rules(
    request: Request,
    game: str,
    house: HouseHere,
    asking: Asking,
    changes: Changes = None,
    table: Annotated[str | None, Query(max_length=40)] = None,
) -> Response:
    """A game's house rules, paytable and edge, before any wager (R-36)."""
    about = game_named(game)
    rules: HouseRules = load_rules(game, parse_changes(changes or []))
    at_table = None if table is None else house.memory.tables.get(table)
    if at_table is not None and at_table.rules.game == game:
        rules = at_table.rules
    return page(
        request,
        "rules.html",
        rules=rules,
        figures=await figures_soon(rules, asking),
        wanted=wanted_figures(rules),
        in_lab=lab_address(rules),
        about=about,
        games=GAMES.values(),
        subjects=subjects(rules),
        options=_options(rules),
        law=[
            (heading, tuple(some))
            for heading, some in groupby(clauses_of(about), key=lambda one: one.heading)
        ],
    )


def _options(rules: HouseRules) -> list[dict[str, Any]]:
    """Every option with its value as a rules file has it, and its clause."""
    values = rules.flat()
    return [{"key": key, "value": values[key], "clause": clause} for key, _, clause in rules.sentences()]


@router.get("/clauses/{clause}")
async def show_clause(clause: str) -> Response:
    """Where a clause is read."""
    address = clause_address(clause)
    if address is None:
        raise NotFound(f"there is no clause {clause[:20]!r}")
    return RedirectResponse(address, 303)
