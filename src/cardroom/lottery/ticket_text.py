"""A ticket's hands and choices as short texts, and the line as which it is sealed in its pool."""

from __future__ import annotations

from typing import Final

from cardroom.core.cards import parse_cards
from cardroom.engine.knockout21.ticket import Ticket
from cardroom.rules.knockout21 import HANDS_OF_GAME
from cardroom.rules.knockout21.law import Choice

FIRST_CHOICE: Final = HANDS_OF_GAME[2][0]
"""The first position that asks for a choice."""


def play_of(hands: str, choices: str) -> Ticket:
    """A ticket's hands and choices from the texts that the database keeps."""
    cards = parse_cards(hands)
    chosen = (*(None for _ in range(FIRST_CHOICE)), *(Choice(letter) for letter in choices))
    return Ticket(tuple(zip(cards[0::2], cards[1::2], strict=True)), chosen)


def choices_text(play: Ticket) -> str:
    """The choices of Games 2 and 3 in draw order, a letter each."""
    return "".join(choice.value for choice in play.choices if choice is not None)


def leaf_text(ticket_id: str, hands: str, choices: str, price_cents: int) -> str:
    """A ticket as it is sealed in the pool: all that the draw's result depends on, and its public name."""
    return f"{ticket_id} {hands} {choices} {price_cents}"
