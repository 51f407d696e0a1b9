"""Knockout 21: tickets, the draw as a state machine, and its settlement as a pure function."""

from cardroom.engine.knockout21.draw import Draw, Position
from cardroom.engine.knockout21.law import (
    awaits,
    cards_in_order,
    chance,
    play,
    start,
    step,
    view,
    why_not,
)
from cardroom.engine.knockout21.settlement import HandResult, Settlement, play_hand, settle
from cardroom.engine.knockout21.state import (
    Choose,
    DealerCardDealt,
    DrawSettled,
    DrawStarted,
    DrawState,
    DrawView,
    Event,
    GameWon,
    HandPlayed,
    HitCardShown,
    Pool,
)
from cardroom.engine.knockout21.ticket import Hand, Ticket, basic_choices, name_of, why_not_choose

__all__ = [
    "Choose",
    "DealerCardDealt",
    "Draw",
    "DrawSettled",
    "DrawStarted",
    "DrawState",
    "DrawView",
    "Event",
    "GameWon",
    "Hand",
    "HandPlayed",
    "HandResult",
    "HitCardShown",
    "Pool",
    "Position",
    "Settlement",
    "Ticket",
    "awaits",
    "basic_choices",
    "cards_in_order",
    "chance",
    "name_of",
    "play",
    "play_hand",
    "settle",
    "start",
    "step",
    "view",
    "why_not",
    "why_not_choose",
]
