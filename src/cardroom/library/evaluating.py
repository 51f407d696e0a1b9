"""What a policy is worth, exactly, once or again and again while it is learned."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardroom.core.errors import MalformedInput
from cardroom.library.arguments import integer
from cardroom.library.frames import Library, Rows
from cardroom.library.game import Game
from cardroom.library.numbers import Value
from cardroom.presentation.numbers import counted, signed

if TYPE_CHECKING:
    from cardroom.library.policy import StrategySource


def evaluate(policy: StrategySource, game: Game | str) -> Value:
    """What a player who follows a policy expects of each unit wagered, below zero for a loss.

    `policy` is a function `(hand, up) -> action`, a chart's file or a strategy. Every card that can come is
    weighed by its chance; nothing is simulated.
    """
    if policy is None:
        raise MalformedInput(
            "a policy is needed: a function of a hand and an up card, a chart's file or a strategy"
        )
    played = game if isinstance(game, Game) else Game(game)
    return Value(-played.edge(policy))


class Curve:
    """A training curve without noise: `curve(step, policy)` keeps the policy's exact value at that step.

    Call it from a learner's own callback, as often as you like to know.
    """

    def __init__(self, game: Game | str) -> None:
        self.game = game if isinstance(game, Game) else Game(game)
        self._points: list[tuple[int, Value]] = []

    def __call__(self, step: int, policy: StrategySource) -> Value:
        number, value = integer(step, "the step"), evaluate(policy, self.game)
        self._points.append((number, value))
        return value

    @property
    def best(self) -> Value:
        """The value of the best play there is."""
        return Value(-self.game.edge())

    def rows(self) -> Rows:
        """A line for each step: the policy's value, and how far it is behind the best."""
        best = self.best
        lines = [{"step": step, "value": value, "behind": best - value} for step, value in self._points]
        return Rows("training curve", lines)

    def to_frame(self, library: Library | None = None) -> Any:
        """A line for each step, in pandas or polars."""
        return self.rows().to_frame(library)

    def __repr__(self) -> str:
        last = f", the last {signed(self._points[-1][1], 4)}" if self._points else ""
        points = counted(len(self._points), "value")
        return f"<training curve: {points}{last}; the best is {signed(self.best, 4)}>"

    def _repr_html_(self) -> str:
        return self.rows()._repr_html_()
