"""Cards by name, for those who hear a page."""

from __future__ import annotations

from cardroom.core.cards import parse_card


def card_name(text: str) -> str:
    """A card as it is called.

    >>> card_name("Ah"), card_name("Tc"), card_name("back")
    ('ace of hearts', 'ten of clubs', 'a card face down')
    """
    if text == "back":
        return "a card face down"
    card = parse_card(text)
    return f"{card.rank.name.lower()} of {card.suit.name.lower()}"
