"""Replay of Knockout 52: one shoe, one game."""

from __future__ import annotations

from collections.abc import Mapping

from cardroom.core.cards import Card
from cardroom.core.errors import MalformedInput
from cardroom.engine.contract import Done
from cardroom.engine.knockout52 import Game, awaits, format_game, net_cents, replay, step
from cardroom.rules import HouseRules
from cardroom.rules.knockout52 import Knockout52Rules
from cardroom.rules.round_head import RulesForm


def deck(rules: HouseRules) -> str:
    """The shoe: 1, 2, 4, 6 or 8 decks (KO52-1)."""
    assert isinstance(rules, Knockout52Rules)
    return str(rules.shoe)


def cards(rules: HouseRules, notation: str, _before: tuple[Card, ...]) -> tuple[Card, ...]:
    """The cards on the layout of a finished game that was played by these rules."""
    assert isinstance(rules, Knockout52Rules)
    game, _ = replay(notation, rules)
    if not isinstance(awaits(game), Done):
        raise MalformedInput("the game is not over; a record holds finished games")
    if format_game(game, RulesForm.APART) != notation:
        raise MalformedInput("the text of the game is not the one that its wagers and cards give")
    return game.cards


def is_over(rules: HouseRules, notation: str) -> bool:
    """Whether a game was dealt to its end."""
    return isinstance(awaits(_game(rules, notation)), Done)


def dealt(rules: HouseRules, notation: str) -> tuple[Card, ...]:
    """The cards on the layout."""
    return _game(rules, notation).cards


def nets_cents(rules: HouseRules, notation: str) -> Mapping[str, int]:
    """What a finished game was worth to each player."""
    return net_cents(_game(rules, notation))


def stood_out(rules: HouseRules, notation: str, coming: tuple[Card, ...]) -> str:
    """A game that was broken off, dealt to its end; nothing is to be decided in it."""
    game = _game(rules, notation)
    while not isinstance(awaits(game), Done):
        game, _ = step(game, coming[len(game.cards)])
    return format_game(game, RulesForm.APART)


def _game(rules: HouseRules, notation: str) -> Game:
    assert isinstance(rules, Knockout52Rules)
    return replay(notation, rules)[0]
