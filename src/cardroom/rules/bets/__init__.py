"""Side bets of the blackjack family as data: patterns, the machines made from them, and the shelf."""

from __future__ import annotations

from cardroom.rules.bets.bet import SideBet
from cardroom.rules.bets.lines import Line, MeterShare
from cardroom.rules.bets.patterns import Pattern
from cardroom.rules.bets.shelf import ShelfBet, shelf_bet, shelf_names
from cardroom.rules.bets.trackers import LooksAt, Machine, Role, machine_of, roles_of

__all__ = [
    "Line",
    "LooksAt",
    "Machine",
    "MeterShare",
    "Pattern",
    "Role",
    "ShelfBet",
    "SideBet",
    "machine_of",
    "roles_of",
    "shelf_bet",
    "shelf_names",
]
