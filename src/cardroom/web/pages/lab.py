"""The lab's page: a rule set in its address, so that a link shares it."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response

from cardroom.core.ids import GAME_IDS, GameId
from cardroom.rules import load_rules, parse_changes
from cardroom.web.api.lab import Changes, WagerText, checked_wager, rules_view
from cardroom.web.rendering import page

router = APIRouter()

LEVERS: Final[dict[GameId, list[tuple[str, list[object]]]]] = {
    "blackjack": [
        ("decks", [1, 2, 4, 8]),
        ("dealer_hits_soft_17", [True, False]),
        ("blackjack_pays", ["3:2", "6:5", "1:1"]),
        ("surrender", ["none", "late"]),
        ("double.after_split", [True, False]),
        ("split.max_hands", [2, 4]),
        ("split.resplit_aces", [True, False]),
        ("split.hit_aces", [True, False]),
    ],
    "spanish-21": [
        ("decks", [2, 4, 8]),
        ("dealer_hits_soft_17", [True, False]),
        ("surrender", ["none", "late"]),
        ("double.max_doubles", [1, 2, 3]),
        ("double.rescue", ["none", "original"]),
        ("split.resplit_aces", [True, False]),
    ],
    "players-edge-21": [
        ("decks", [2, 4, 8]),
        ("dealer_hits_soft_17", [True, False]),
        ("surrender", ["none", "late"]),
        ("double.max_doubles", [1, 2, 3]),
        ("double.rescue", ["none", "original", "before-last-double"]),
        ("bonus_21.on_split_hands", [True, False]),
    ],
    "knockout-52": [("decks", [1, 2, 4, 6, 8]), ("pays.round_1", ["1:2", "3:5", "2:3"])],
    "knockout-21": [
        ("prizes.game_2.pool_percent", [15, 25]),
        ("prizes.game_3.pool_percent", [15, 25]),
        ("game_1_hit", ["ace-keeps-value", "literal"]),
    ],
}
"""The options whose worth the lab shows: one at a time changed, everything else as it stands."""


@router.get("/lab", response_class=HTMLResponse)
async def show_lab(
    request: Request, game: GameId = "blackjack", changes: Changes = None, wager: WagerText | None = None
) -> Response:
    """House rules to change, and what comes of it."""
    rules = load_rules(game, parse_changes(changes or []))
    checked_wager(wager, rules)
    titles = {other: load_rules(other).title for other in GAME_IDS}
    return page(
        request,
        "lab.html",
        rules=rules,
        state=rules_view(rules),
        levers=LEVERS[game],
        titles=titles,
        wager=wager,
    )
