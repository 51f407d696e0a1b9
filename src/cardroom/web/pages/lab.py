"""The lab's page: a rule set in its address, so that a link shares it."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response

from cardroom.games import GAMES, Game
from cardroom.presentation import wager_title
from cardroom.rules import HouseRules, load_rules, parse_changes
from cardroom.rules.game_ids import KnownGame
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.web.api.lab import Changes, WagerText, checked_wager, rules_view
from cardroom.web.rendering import page

router = APIRouter()


def _about(game: Game, rules: HouseRules) -> dict[str, Any]:
    """What the lab has to show of a game, and in which words."""
    has_chart, main = isinstance(rules, TwentyOneRules), wager_title(game.main_wager)
    if has_chart:
        edge_words, worth_words = "on the primary wager, exact for the best play of each composition", ""
    elif game.kind == "lottery":
        edge_words, worth_words = f"of a ticket in a {game.figures_note}, exact", ""
    else:
        edge_words, worth_words = f"on {main}, exact", f"On {main}: "
    return {
        "game": game.id,
        "levers": [{"option": lever.option, "values": lever.values} for lever in game.levers],
        "has_chart": has_chart,
        "has_sizes": game.sizes is not None,
        "takes_wagers": game.kind != "lottery",
        "has_simulation": game.sample is not None,
        "has_sheet": game.par_sheet is not None,
        "edge_words": edge_words,
        "worth_words": worth_words,
    }


@router.get("/lab", response_class=HTMLResponse)
async def show_lab(
    request: Request, game: KnownGame | None = None, changes: Changes = None, wager: WagerText | None = None
) -> Response:
    """House rules to change, and what comes of it."""
    shown = GAMES[game or next(iter(GAMES))]
    rules = load_rules(shown.id, parse_changes(changes or []))
    checked_wager(wager, rules)
    return page(
        request,
        "lab.html",
        rules=rules,
        state=rules_view(rules),
        about=_about(shown, rules),
        titles={other.id: other.title for other in GAMES.values()},
        wager=wager,
    )
