"""Shoes laid by hand at running tables: the cards one wants come first, the rest of the shoe after them."""

from __future__ import annotations

import pytest

from cardroom.core.cards import Card, parse_cards
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.table.twentyone import FairDealer, Shoe

BURNED = 1
"""A fresh shoe burns one card before its first round (PROC-7)."""


def lay_shoe(monkeypatch: pytest.MonkeyPatch, cards: str) -> None:
    """Let every shoe of the house begin with these cards, after the burn; it holds what it held before.

    A shoe laid by hand does not open its seal: nothing is proved of it.
    """
    fair = FairDealer._order  # the order of a shoe is nobody else's to say
    wanted = parse_cards(cards)

    def laid(dealer: FairDealer, rules: TwentyOneRules, shoe: Shoe) -> tuple[Card, ...]:
        order = list(fair(dealer, rules, shoe))
        for place, card in enumerate(wanted, start=BURNED):
            found = order.index(card, place)
            order[place], order[found] = order[found], order[place]
        return tuple(order)

    monkeypatch.setattr(FairDealer, "_order", laid)
