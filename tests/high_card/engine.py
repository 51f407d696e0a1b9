"""A round of High Card: a card for the player, a card for the dealer."""

from __future__ import annotations

from dataclasses import dataclass, replace

from cardroom.core.cards import CARDS, Card
from cardroom.core.refusal import Refusal
from cardroom.engine.contract import CardAwaited, Done
from tests.high_card.rules import HighCardRules


@dataclass(frozen=True)
class Round:
    """The wager, and the cards that lie on the table."""

    rules: HighCardRules
    stake_cents: int
    cards: tuple[Card, ...] = ()


def start(rules: HighCardRules, stake_cents: int) -> tuple[Round, tuple[str, ...]]:
    return Round(rules, stake_cents), ("wager placed",)


def awaits(state: Round) -> CardAwaited | Done:
    return Done() if len(state.cards) == 2 else CardAwaited("dealer" if state.cards else "player")


def step(state: Round, card: Card) -> tuple[Round, tuple[str, ...]]:
    refusal = why_not(state, card)
    if refusal is not None:
        raise refusal.error()
    return replace(state, cards=(*state.cards, card)), (f"{card} dealt",)


def chance(state: Round) -> tuple[tuple[Card, int], ...]:
    if len(state.cards) == 2:
        return ()
    left = state.rules.shoe.without(state.cards)
    return tuple((card, left[card]) for card in CARDS if left[card])


def view(state: Round, _seat: int) -> Round:
    return state


def why_not(state: Round, action: object) -> Refusal | None:
    if not isinstance(action, Card):
        return Refusal("nothing is decided in this game", "HC-1")
    if action not in dict(chance(state)):
        return Refusal(f"{action} cannot come now", "HC-1")
    return None


def net_cents(state: Round) -> int:
    """What a finished round is worth to the player."""
    player, dealer = state.cards
    return state.stake_cents * state.rules.net(player, dealer)
