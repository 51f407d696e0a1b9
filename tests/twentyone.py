"""Hand-made rounds of the blackjack family: cards and decisions in one line, events and cents out."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple, TypeVar

from cardroom.core.cards import Card, parse_card, parse_cards
from cardroom.core.decks import CardCounts
from cardroom.core.money import parse_cents
from cardroom.core.refusal import Refusal
from cardroom.engine import twentyone
from cardroom.engine.twentyone import (
    Action,
    DeclineInsurance,
    EvenMoney,
    Event,
    Input,
    Insure,
    Round,
    SpotWager,
    Turn,
)
from cardroom.rules.loader import load_rules_as
from cardroom.rules.twentyone import TwentyOneRules

GAMES = ("blackjack", "spanish-21", "players-edge-21")
WIDE: Mapping[str, object] = {"limits.min": "1.00", "limits.max": "500.00", "limits.side_max": "500.00"}
"""Limits that leave the stakes of a test free."""

E = TypeVar("E", bound=Event)


@cache
def _house(game: str, changes: str) -> TwentyOneRules:
    return load_rules_as(TwentyOneRules, game, json.loads(changes))


def house(game: str, changes: Mapping[str, object] | None = None) -> TwentyOneRules:
    """The house rules of a game with wide limits, and with these options changed."""
    return _house(game, json.dumps({**WIDE, **(changes or {})}))


class Played(NamedTuple):
    """A round as far as it was played, and everything that happened in it."""

    state: Round
    events: tuple[Event, ...]

    def of(self, kind: type[E]) -> list[E]:
        """The events of one kind, in order."""
        return [event for event in self.events if isinstance(event, kind)]

    def net(self, player: str = "Ann") -> int:
        """What a player has won or lost, with what stands on the table counted as lost."""
        return twentyone.balance(self.events).players[player]

    @property
    def over(self) -> bool:
        return isinstance(twentyone.awaits(self.state), twentyone.Done)

    @property
    def options(self) -> tuple[object, ...]:
        awaited = twentyone.awaits(self.state)
        assert isinstance(awaited, Turn), awaited
        return awaited.options

    @property
    def turn(self) -> tuple[int, int]:
        """The spot and the hand whose turn it is."""
        awaited = twentyone.awaits(self.state)
        assert isinstance(awaited, Turn), awaited
        return awaited.seat, awaited.hand

    def refusal(self, asked: Input) -> Refusal:
        """Why something is refused now; it has to be."""
        refusal = twentyone.why_not(self.state, asked)
        assert refusal is not None, f"{asked} is allowed"
        return refusal

    def then(self, moves: str) -> Played:
        """The round after more moves."""
        state, events = twentyone.play(self.state, script(moves))
        return Played(state, self.events + events)

    def cards(self, spot: int = 1) -> list[str]:
        """The hands of a spot as text."""
        (found,) = [each for each in self.state.spots if each.number == spot]
        return ["".join(card.text for card in hand.cards) for hand in found.hands]


_SHORT: Mapping[str, Input] = {
    **{str(action): action for action in Action},
    "no": DeclineInsurance(),
    "even": EvenMoney(),
}


def script(moves: str) -> list[Input]:
    """Read moves: cards, `stand hit double split surrender rescue`, `no`, `even` and `insure=2.50`."""
    inputs: list[Input] = []
    for word in moves.split():
        if re.fullmatch(r"[A2-9TJQK][cdhs]", word):
            inputs.append(parse_card(word))
        elif word.startswith("insure="):
            inputs.append(Insure(parse_cents(word.removeprefix("insure="))))
        else:
            inputs.append(_SHORT[word])
    return inputs


def ann(stake_cents: int = 1000, side: Mapping[str, int] | None = None) -> list[SpotWager]:
    """One spot, Ann's."""
    return [SpotWager(1, "Ann", stake_cents, side)]


def played(
    rules: TwentyOneRules,
    moves: str = "",
    wagers: Sequence[SpotWager] | None = None,
    *,
    shoe: str | None = None,
    discards: str = "",
    meters: Mapping[str, int] | None = None,
) -> Played:
    """Start a round (Ann on spot 1 with $10 unless told) and make these moves."""
    state, events = twentyone.start(
        rules,
        ann() if wagers is None else wagers,
        None if shoe is None else counts(shoe),
        discards=counts(discards),
        meters=meters,
    )
    return Played(state, events).then(moves)


def counts(cards: str) -> CardCounts:
    """A shoe of just these cards."""
    return CardCounts.of_cards(parse_cards(cards))


def card(text: str) -> Card:
    return parse_card(text)
