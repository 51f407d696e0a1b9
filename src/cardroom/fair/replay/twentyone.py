"""Replay of the blackjack family: one shoe, its burned cards and its rounds."""

from __future__ import annotations

from collections.abc import Mapping

from cardroom.core.cards import Card, parse_card
from cardroom.core.decks import CardCounts
from cardroom.core.errors import MalformedInput
from cardroom.engine.twentyone import (
    Action,
    CardAwaited,
    DeclineInsurance,
    Done,
    PlayerAction,
    Round,
    awaits,
    balance,
    format_round,
    replay,
    step,
)
from cardroom.fair.deals import deck_of, infinite_deck
from cardroom.fair.replay.contract import BURN
from cardroom.rules import HouseRules
from cardroom.rules.round_head import RulesForm
from cardroom.rules.twentyone import TwentyOneRules


def deck(rules: HouseRules) -> str:
    """The shoe: one to eight decks, or infinitely many."""
    assert isinstance(rules, TwentyOneRules)
    return infinite_deck(rules.deck) if rules.decks == "infinite" else deck_of(rules.deck, rules.decks)


def cards(rules: HouseRules, notation: str, before: tuple[Card, ...]) -> tuple[Card, ...]:
    """The cards of a burn, or of a finished round that was played by these rules after those before it."""
    assert isinstance(rules, TwentyOneRules)
    if notation.startswith(BURN):
        burned = parse_card(notation.removeprefix(BURN).strip())
        if notation != f"{BURN}{burned}\n":
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
    return tuple(move for move in game.inputs if isinstance(move, Card))


def is_over(rules: HouseRules, notation: str) -> bool:
    """Whether a round was played to its end; a burn is."""
    return notation.startswith(BURN) or isinstance(awaits(_round(rules, notation)), Done)


def dealt(rules: HouseRules, notation: str) -> tuple[Card, ...]:
    """The cards of a burn or of a round."""
    if notation.startswith(BURN):
        return (parse_card(notation.removeprefix(BURN).strip()),)
    return tuple(move for move in _round(rules, notation).inputs if isinstance(move, Card))


def stands(options: tuple[PlayerAction, ...]) -> PlayerAction:
    """What is done for a player who is gone: no insurance, and every hand stands."""
    return DeclineInsurance() if DeclineInsurance() in options else Action.STAND


def nets_cents(rules: HouseRules, notation: str) -> Mapping[str, int]:
    """What a finished round was worth to each player."""
    assert isinstance(rules, TwentyOneRules)
    return balance(replay(notation, rules)[1]).players


def stood_out(rules: HouseRules, notation: str, coming: tuple[Card, ...]) -> str:
    """A round that was broken off, played to its end by hands that stand."""
    game = _round(rules, notation)
    left = iter(coming[len(dealt(rules, notation)) :])
    while not isinstance(awaited := awaits(game), Done):
        game, _ = step(game, next(left) if isinstance(awaited, CardAwaited) else stands(awaited.options))
    return format_round(game, RulesForm.APART)


def _round(rules: HouseRules, notation: str) -> Round:
    assert isinstance(rules, TwentyOneRules)
    return replay(notation, rules)[0]
