"""How the rounds of each game are replayed from a record: one module per game, found by one line here."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Final, Protocol, cast

from cardroom.core.cards import Card
from cardroom.core.errors import Unavailable
from cardroom.rules import HouseRules


class Replay(Protocol):
    """What a game's replay module offers."""

    def deck(self, rules: HouseRules) -> str:
        """The deck that the rules deal from, as it stands in a binding."""

    def cards(self, rules: HouseRules, notation: str, before: tuple[Card, ...]) -> tuple[Card, ...]:
        """The cards that a finished round took from the shoe, in order, as the engine replays it.

        `before` are the cards of the shoe that earlier rounds took.
        """

    def is_over(self, rules: HouseRules, notation: str) -> bool:
        """Whether a round was played to its end."""

    def dealt(self, rules: HouseRules, notation: str) -> tuple[Card, ...]:
        """The cards of a round, finished or not."""

    def nets_cents(self, rules: HouseRules, notation: str) -> Mapping[str, int]:
        """What a finished round was worth to each player."""

    def stood_out(self, rules: HouseRules, notation: str, coming: tuple[Card, ...]) -> str:
        """A round that was broken off, played to its end: hands stand, and the coming cards are dealt."""


BURN: Final = "burn "
"""How the text of a burned card begins, which stands among the rounds of a shoe."""

_REPLAYS: Final = {
    "blackjack": "cardroom.fair.replay_twentyone",
    "knockout-52": "cardroom.fair.replay_knockout52",
    "players-edge-21": "cardroom.fair.replay_twentyone",
    "spanish-21": "cardroom.fair.replay_twentyone",
}


def replay_of(rules: HouseRules) -> Replay:
    """The replay module of a game."""
    module = _REPLAYS.get(rules.game)
    if module is None:
        raise Unavailable(f"rounds of {rules.game} cannot be replayed; replayed are {', '.join(_REPLAYS)}")
    return cast(Replay, import_module(module))
