"""The games: house rules in plain words, and what every wager costs."""

from __future__ import annotations

from typing import Any

from cardroom.games import GAMES
from cardroom.rules import load_rules
from cardroom.rules.game_ids import KnownGame
from cardroom.web.api.parts import Asking, HouseHere
from cardroom.web.figures import figures_of
from cardroom.web.routers import ApiRouter

router = ApiRouter(tags=["games"])


@router.get("/games")
async def list_games(house: HouseHere) -> dict[str, Any]:
    """The games, whether they are open, and how many rounds are in play."""
    running = house.tables.rounds_running()
    return {
        "games": [
            {
                "game": game.id,
                "title": game.title,
                "open": not house.disabled & {"all", f"game:{game.id}"},
                "rounds_in_play": running[game.id],
            }
            for game in GAMES.values()
        ]
    }


@router.get("/games/{game}/rules")
async def get_rules(game: KnownGame) -> dict[str, Any]:
    """The house rules in force: every option, in words, with its clause."""
    rules = load_rules(game)
    return {
        "game": game,
        "title": rules.title,
        "rules_hash": rules.rules_hash,
        "options": rules.flat(),
        "sentences": [
            {"option": key, "sentence": sentence, "clause": clause}
            for key, sentence, clause in rules.sentences()
        ],
    }


@router.get("/games/{game}/odds")
async def get_odds(game: KnownGame, asking: Asking) -> dict[str, Any]:
    """Every wager's exact figures; a Knockout 21 ticket's in a draw with 1,000 tickets."""
    rules = load_rules(game)
    return {"game": game, "rules_hash": rules.rules_hash, "wagers": await figures_of(rules, asker=asking)}
