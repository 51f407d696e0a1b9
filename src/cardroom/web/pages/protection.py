"""The lab's page Protection: house rules in its address, so that a link shares it."""

from __future__ import annotations

from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse, Response

from cardroom.games import GAMES
from cardroom.presentation import wager_title
from cardroom.presentation.changes import change_lines
from cardroom.rules import HouseRules, load_rules, parse_changes
from cardroom.rules.game_ids import KnownGame
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.web.api.lab import Changes
from cardroom.web.api.protection import RAMP
from cardroom.web.rendering import page
from cardroom.web.routers import PageRouter

router = PageRouter()


def _choices(rules: HouseRules) -> dict[str, Any]:
    """What the form of a counter offers; no counts where there are no cards to count."""
    if not isinstance(rules, TwentyOneRules) or rules.decks == "infinite":
        return {"counts": {}, "most": 0}
    from cardroom.protect.counts import find_count, side_counts, systems
    from cardroom.protect.deviations import named_indices
    from cardroom.protect.ramp import Ramp

    counts = {name: count.title for name, count in systems().items()}
    return {
        "counts": counts,
        "seconds": {name: count.title for name, count in side_counts().items()} | counts,
        "own_tags": {letter: f"{float(tag):g}" for letter, tag in find_count("hi-lo").tags.items()},
        "lists": {name: one.title for name, one in named_indices().items()},
        "insurance": rules.insurance.offered,
        "sides": {wager: wager_title(wager, rules) for wager in rules.offered_side_bets},
        "ramp": Ramp.parse(RAMP).steps,
        "most": rules.procedure.spots,
    }


@router.get("/lab/protection", response_class=HTMLResponse)
async def show_protection(
    request: Request, game: KnownGame | None = None, changes: Changes = None
) -> Response:
    """What a player could gain who watches the cards, and what the house can do."""
    rules = load_rules(game or next(iter(GAMES)), parse_changes(changes or []))
    differences = rules.differences(load_rules(rules.game))
    return page(
        request,
        "protection.html",
        rules=rules,
        wanted={"game": rules.game, "options": {key: here for key, (here, _) in differences.items()}},
        changes=change_lines(rules),
        **_choices(rules),
        titles={other.id: other.title for other in GAMES.values()},
    )
