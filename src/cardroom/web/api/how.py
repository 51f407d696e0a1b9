"""What people often do wrong with a bet, exact, for the pages that show how things work."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Annotated, Any, Final

from pydantic import Field

from cardroom.games import GAMES
from cardroom.rules import HouseRules
from cardroom.web.api.lab import HouseOptions
from cardroom.web.api.parts import Asking, Caller
from cardroom.web.errors import NotFound, TooMany
from cardroom.web.figures import computed
from cardroom.web.routers import ApiRouter

router = ApiRouter(prefix="/how", tags=["how it works"])

Mistakes = list[dict[str, Any]]
PATIENCE_SECONDS: Final = 0.3


class Mistaken(HouseOptions):
    """A game with its house options, and one of its bets or none."""

    bet: Annotated[str, Field(max_length=40)] | None = None


@router.post("/mistakes")
async def mistakes(wanted: Mistaken, asking: Asking) -> dict[str, Any]:
    """The habits that cost most under these rules, each with the hand that shows it and its price."""
    rules = wanted.rules()
    game = GAMES[rules.game]
    if game.howto is None:
        raise NotFound(f"{game.title} has no mistakes to show")
    if wanted.bet is not None and wanted.bet not in game.follow("howto").bets(rules):
        raise NotFound(f"{game.title} has no bet {wanted.bet!r} under these rules")
    return {
        "game": rules.game,
        "rules_hash": rules.rules_hash,
        "mistakes": await _mistakes(rules, wanted.bet, asking),
    }


async def mistakes_soon(rules: HouseRules, bet: str | None, asking: Caller) -> Mistakes | None:
    """The mistakes if they come at once; None while they are being computed."""
    try:
        return await asyncio.wait_for(_mistakes(rules, bet, asking), PATIENCE_SECONDS)
    except (TimeoutError, TooMany):
        return None


async def _mistakes(rules: HouseRules, bet: str | None, asking: Caller) -> Mistakes:
    game = GAMES[rules.game]
    if game.mistakes is None:
        return []
    compute = partial(game.follow("mistakes"), rules, bet)
    answer: Mistakes = await computed.get(("mistakes", rules.rules_hash, bet), compute, asking)
    return answer
