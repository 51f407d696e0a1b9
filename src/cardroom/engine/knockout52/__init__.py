"""Knockout 52 as a state machine: the contract of `cardroom.engine.contract` and the text of a game."""

from cardroom.engine.knockout52.law import (
    awaits,
    chance,
    net_cents,
    start,
    step,
    view,
    why_not,
    why_not_start,
)
from cardroom.engine.knockout52.notation import GameRecord, format_game, parse_game, play, replay
from cardroom.engine.knockout52.state import (
    CardDealt,
    Event,
    Game,
    GameEnded,
    MarkerMoved,
    PlaceWager,
    Stakes,
    View,
    WagerCollected,
    WagerPaid,
    WagerPlaced,
)

__all__ = [
    "CardDealt",
    "Event",
    "Game",
    "GameEnded",
    "GameRecord",
    "MarkerMoved",
    "PlaceWager",
    "Stakes",
    "View",
    "WagerCollected",
    "WagerPaid",
    "WagerPlaced",
    "awaits",
    "chance",
    "format_game",
    "net_cents",
    "parse_game",
    "play",
    "replay",
    "start",
    "step",
    "view",
    "why_not",
    "why_not_start",
]
