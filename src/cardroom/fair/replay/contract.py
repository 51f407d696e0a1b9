"""How the rounds of each game are replayed from a record: one module per game, named in the registry."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Protocol, cast

from cardroom.core.cards import Card
from cardroom.core.errors import Unavailable
from cardroom.games import GAMES
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


def replay_of(rules: HouseRules) -> Replay:
    """The replay module of a game."""
    game = GAMES[rules.game]
    if game.replay is None:
        replayed = ", ".join(other.id for other in GAMES.values() if other.replay is not None)
        raise Unavailable(f"rounds of {game.id} cannot be replayed; replayed are {replayed}")
    return cast(Replay, game.follow("replay"))
