"""How a game and each of its bets work: pictures, a film, what pays and costs, mistakes, and the clauses.

Options in the address change the rules as those of the lab do, and with them every hand and every figure.
"""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from typing import Annotated, Any

from fastapi import Path, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from cardroom.games import GAMES, Game
from cardroom.presentation.changes import change_sentences
from cardroom.presentation.howto import Film, Guide
from cardroom.rules import HouseRules, load_rules, parse_changes
from cardroom.rules.clauses import clause_of
from cardroom.web.addresses import how_address, how_links, lab_address
from cardroom.web.api.how import PATIENCE_SECONDS, mistakes_soon
from cardroom.web.api.lab import Changes
from cardroom.web.api.parts import Asking, Caller
from cardroom.web.errors import NotFound
from cardroom.web.figures import Figures, drawn
from cardroom.web.pages.rules import figures_soon, game_named, wanted_figures
from cardroom.web.rendering import page
from cardroom.web.routers import PageRouter

router = PageRouter()

BetId = Annotated[str, Path(min_length=1, max_length=40)]


@router.get("/how")
async def show_first() -> Response:
    """How the first game works, which leads to the others."""
    return RedirectResponse(how_address(next(game.id for game in GAMES.values() if game.howto)), 303)


@router.get("/how/{game}", response_class=HTMLResponse)
async def show_game(request: Request, game: str, asking: Asking, changes: Changes = None) -> Response:
    """How a game works."""
    return await _show(request, game_named(game), None, changes or [], asking)


@router.get("/how/{game}/{bet}", response_class=HTMLResponse)
async def show_bet(
    request: Request, game: str, bet: BetId, asking: Asking, changes: Changes = None
) -> Response:
    """How a bet of a game works; the game's own page where the bet is the game itself."""
    return await _show(request, game_named(game), bet, changes or [], asking)


async def _show(
    request: Request, game: Game, bet: str | None, changes: list[str], asking: Asking
) -> Response:
    rules: HouseRules = load_rules(game.id, parse_changes(changes))
    if game.howto is None:
        raise NotFound(f"{game.title} has no page of this kind; its rules are at /rules/{game.id}")
    howto = game.follow("howto")
    bets: tuple[str, ...] = howto.bets(rules)
    if bet is not None and bet not in bets:
        if bet == game.main_wager:
            return RedirectResponse(how_address(game.id, rules=rules), 303)
        raise NotFound(f"{game.title} has no bet {bet!r} under these rules; it has {', '.join(bets)}")
    guide = await _guide(rules, bet, asking)
    figures = await figures_soon(rules, asking, PATIENCE_SECONDS)
    mistakes = await mistakes_soon(rules, bet, asking)
    return page(
        request,
        "how.html",
        rules=rules,
        game=game,
        bet=bet,
        guide=guide,
        films=[film_data(film) for film in guide.films],
        links=how_links(rules),
        here=how_address(game.id, bet, rules),
        changes=change_sentences(rules),
        in_lab=lab_address(rules),
        figures=figures and _of_bet(figures, game, bet),
        mistakes=mistakes,
        wanted={"figures": wanted_figures(rules), "mistakes": {**wanted_figures(rules), "bet": bet}},
        law=[clause for code in guide.clauses if (clause := clause_of(code)) is not None],
    )


async def _guide(rules: HouseRules, bet: str | None, asking: Caller) -> Guide:
    """The page of some rules and a bet; odd rules may take a second, which nobody else waits for."""
    compute = partial(_made, rules, bet)
    guide: Guide = await drawn.get(("guide", rules.rules_hash, bet), compute, asking)
    return guide


def _made(rules: HouseRules, bet: str | None) -> Guide:
    guide: Guide = GAMES[rules.game].follow("howto").guide(rules, bet)
    return guide


def _of_bet(figures: Figures, game: Game, bet: str | None) -> Figures:
    """The figures of a bet; those of the main wager where the bet is a part of it."""
    wanted = [line for line in figures if line["wager"] == bet]
    if bet is None:
        return figures
    return wanted or [line for line in figures if line["wager"] == game.main_wager]


def film_data(film: Film) -> dict[str, Any]:
    """A film for the module that shows it; what is empty is left out."""

    def lean(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: lean(item) for key, item in value.items() if item not in ("", False)}
        return [lean(item) for item in value] if isinstance(value, list | tuple) else value

    return {
        "title": film.title,
        "milliseconds": film.scene_milliseconds,
        "scenes": [lean(asdict(scene)) for scene in film.scenes],
    }
