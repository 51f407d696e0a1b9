"""Replay of the blackjack family: one shoe, its burned cards and its rounds."""

from __future__ import annotations

from typing import Final

from cardroom.core.cards import Card, parse_card
from cardroom.core.decks import CardCounts
from cardroom.core.errors import MalformedInput
from cardroom.engine.twentyone import Done, awaits, format_round, replay
from cardroom.fair.deals import deck_of, infinite_deck
from cardroom.rules import HouseRules
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.rules.written import RulesForm

_BURN: Final = "burn "


def deck(rules: HouseRules) -> str:
    """The shoe: one to eight decks, or infinitely many."""
    assert isinstance(rules, TwentyOneRules)
    return infinite_deck(rules.deck) if rules.decks == "infinite" else deck_of(rules.deck, rules.decks)


def cards(rules: HouseRules, notation: str, before: tuple[Card, ...]) -> tuple[Card, ...]:
    """The cards of a burn, or of a finished round that was played by these rules after those before it."""
    assert isinstance(rules, TwentyOneRules)
    if notation.startswith(_BURN):
        burned = parse_card(notation.removeprefix(_BURN).strip())
        if notation != f"{_BURN}{burned}\n":
            raise MalformedInput("a burned card is written like: burn Kh")
        return (burned,)
    game, _ = replay(notation, rules)
    if not isinstance(awaits(game), Done):
        raise MalformedInput("the round is not over; a record holds finished rounds")
    if format_round(game, RulesForm.APART) != notation:
        raise MalformedInput("the text of the round is not the one that its wagers and cards give")
    if rules.decks != "infinite":
        if game.opening.shoe != rules.shoe().without(before):
            raise MalformedInput("the round began with another shoe than the cards before it left")
        if game.opening.discards != CardCounts.of_cards(before):
            raise MalformedInput("the round began with other discards than the cards before it")
    return tuple(asked for asked in game.inputs if isinstance(asked, Card))
