"""What a policy is worth, exactly."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardroom.library.game import Game
from cardroom.library.numbers import Value

if TYPE_CHECKING:
    from cardroom.library.policy import StrategySource


def evaluate(policy: StrategySource, game: Game | str) -> Value:
    """What a player who follows a policy expects of each unit wagered, below zero for a loss.

    `policy` is a function `(hand, up) -> action`, a chart's file or a strategy. Every card that can come is
    weighed by its chance; nothing is simulated.
    """
    played = game if isinstance(game, Game) else Game(game)
    return Value(-played.edge(policy))
