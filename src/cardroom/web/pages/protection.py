"""The lab's page Protection: house rules in its address, so that a link shares it."""

from __future__ import annotations

from fastapi import Request
from fastapi.responses import HTMLResponse, Response

from cardroom.games import GAMES
from cardroom.presentation.changes import change_lines
from cardroom.rules import HouseRules, load_rules, parse_changes
from cardroom.rules.game_ids import KnownGame
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.web.api.lab import Changes
from cardroom.web.rendering import page
from cardroom.web.routers import PageRouter

router = PageRouter()


def _counts(rules: HouseRules) -> dict[str, str]:
    """The known counts by their ids; none where there are no cards to count."""
    from cardroom.protect.counts import systems

    if not isinstance(rules, TwentyOneRules) or rules.decks == "infinite":
        return {}
    return {name: count.title for name, count in systems().items()}


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
        counts=_counts(rules),
        ramp="1:2,2:4,3:6,4:8",
        titles={other.id: other.title for other in GAMES.values()},
    )
