"""The lab's page: a rule set in its address, so that a link shares it."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response

from cardroom.games import GAMES
from cardroom.rules import load_rules, parse_changes
from cardroom.rules.game_ids import KnownGame
from cardroom.web.api.lab import Changes, WagerText, checked_wager, rules_view
from cardroom.web.rendering import page

router = APIRouter()


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
        levers=[(lever.option, lever.values, lever.favours) for lever in shown.levers],
        titles={other.id: other.title for other in GAMES.values()},
        wager=wager,
    )
