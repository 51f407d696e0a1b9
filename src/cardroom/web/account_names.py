"""Accounts of the house's books as people call them."""

from __future__ import annotations

from cardroom.core.ids import table_title, titled
from cardroom.games import GAMES
from cardroom.presentation import wager_title


def account_name(account: str) -> str:
    """An account in words.

    >>> account_name("house:players-edge-21"), account_name("play:blackjack:linden")
    ("Player's Edge 21", 'Wagers under way at Linden')
    >>> account_name("meter:rowan:monster-match-1")
    'Meter of Monster Match $1, Rowan'
    """
    place, _, name = account.partition(":")
    first, _, last = name.partition(":")
    match place:
        case "meter":
            return f"Meter of {wager_title(last)}, {table_title(first)}"
        case "play":
            return f"Wagers under way at {table_title(last)}"
        case _:
            return GAMES[name].title if name in GAMES else titled(name)
