"""Conditions of a pattern in words, each with an example that a form puts in."""

from __future__ import annotations

from typing import Final

from cardroom.rules.bets import LooksAt

PLACES: Final[dict[LooksAt, str]] = {
    "player_1": "your first card",
    "player_2": "your second card",
    "dealer_up": "the dealer's up card",
    "player_3": "your third card",
    "dealer_hole": "the dealer's hidden card",
    "dealer_hand": "the dealer's whole hand",
}
"""What a side bet may look at."""
CONDITIONS: Final = (
    ("all of one rank", 'same = ["rank"]'),
    ("all of one suit", 'same = ["suit"]'),
    ("all of one colour", 'same = ["colour"]'),
    ("all the same card", 'same = ["rank", "suit"]'),
    ("no two of one suit", 'different = ["suit"]'),
    ("exactly these ranks", 'ranks = ["7", "7"]'),
    ("exactly these cards", 'cards = ["Qh", "Qh"]'),
    ("every card is among", 'every = { suits = ["hearts"] }'),
    ("some cards are among", 'contains = { ranks = ["7"], number = 1 }'),
    ("ranks in a row", "in_a_row = true"),
    ("groups of cards alike", 'groups = { alike = ["rank"], sizes = [2] }'),
    ("the total is", "total = 20"),
    ("the total is from … to", "total = { min = 19, max = 21 }"),
    ("a blackjack", "blackjack = true"),
    ("a bust", "bust = true"),
    ("so many cards", "number = 2"),
    ("cards match the dealer's", "match = { suited = 1 }"),
    ("only some of the cards", 'of = "player"'),
    ("one of these holds", "any = [{ total = 20 }, { total = 21 }]"),
    ("this does not hold", "not = { total = 21 }"),
)
"""What a line may ask for: in words, and as it stands in a file."""
FIRST_BET: Final = """\
title = "My Pairs"
looks_at = ["player_1", "player_2"]
lines = [
  { name = "perfect pair", when = { same = ["rank", "suit"] }, pays = "25:1" },
  { name = "coloured pair", when = { same = ["rank", "colour"] }, pays = "12:1" },
  { name = "mixed pair", when = { same = ["rank"] }, pays = "6:1" },
]
"""
"""What the form begins with."""
