"""Knockout 21: its house rules, the law of its hands, and how many tickets a draw keeps."""

from cardroom.rules.knockout21.schema import (
    GAME_OF_POSITION,
    GAMES,
    HANDS_OF_GAME,
    POSITIONS,
    WAGERS,
    Game,
    Game1Hit,
    Knockout21Rules,
)

__all__ = [
    "GAMES",
    "GAME_OF_POSITION",
    "HANDS_OF_GAME",
    "POSITIONS",
    "WAGERS",
    "Game",
    "Game1Hit",
    "Knockout21Rules",
]
