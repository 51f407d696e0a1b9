"""Knockout 52 as an environment: the one decision is which wagers to make, then the game deals itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import gymnasium
import numpy as np
from gymnasium import spaces

from cardroom.core.cards import Card
from cardroom.core.errors import Conflict, MalformedInput
from cardroom.engine import knockout52
from cardroom.engine.contract import CardAwaited
from cardroom.engine.knockout52 import Game, Stakes
from cardroom.games import KNOCKOUT_52
from cardroom.presentation.money import dollars
from cardroom.rules import HouseRules, load_rules_as
from cardroom.rules.knockout52 import WAGERS, Knockout52Rules

_PLAYER: Final = "player"
WAGER_SETS: Final[tuple[tuple[str, ...], ...]] = tuple(
    tuple(wager for place, wager in enumerate(WAGERS) if number >> place & 1)
    for number in range(1, 1 << len(WAGERS))
)
"""The wagers of each action: bit k of the action's number plus 1 stands for the k-th circle."""


class Knockout52Env(gymnasium.Env[np.int64, np.int64]):
    """A game is an episode of one step: a set of wagers, all of one stake, and then cards to the end.

    Every action is allowed. The observation is the number of cards on the layout: 0 before the game.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 4}  # noqa: RUF012 as Gymnasium declares it

    def __init__(
        self,
        rules: HouseRules | str | Path = KNOCKOUT_52.id,
        *,
        wager_cents: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        if not isinstance(rules, HouseRules):
            rules = load_rules_as(Knockout52Rules, rules)
        if not isinstance(rules, Knockout52Rules):
            raise MalformedInput(f"{rules.game} is not {KNOCKOUT_52.id}")
        self.rules: Final = rules
        self.wager_cents: Final = int(rules.limits.min) if wager_cents is None else wager_cents
        self.render_mode = render_mode
        refusal = knockout52.why_not_start(rules, [self._stakes(0)])
        if refusal is not None:
            raise refusal.error()
        self.action_space = spaces.Discrete(len(WAGER_SETS))
        self.observation_space = spaces.Discrete(rules.layout.spaces + 1)
        self._cards: list[Card] = []
        self._awaits_wagers = False
        self._game: Game | None = None

    def _stakes(self, action: int) -> Stakes:
        return Stakes(_PLAYER, dict.fromkeys(WAGER_SETS[action], self.wager_cents))

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.int64, dict[str, Any]]:
        """Shuffle; the wagers come next."""
        super().reset(seed=seed)
        shoe = self.rules.shoe.cards()
        order = self.np_random.permutation(len(shoe))[: self.rules.layout.spaces]
        self._cards = [shoe[place] for place in order.tolist()]
        self._awaits_wagers = True
        self._game = None
        return np.int64(0), {}

    def step(self, action: np.int64 | int) -> tuple[np.int64, float, bool, bool, dict[str, Any]]:
        """Place the wagers of an action and deal until a match, or until every space is filled."""
        if not self.action_space.contains(action):
            raise MalformedInput(f"{action!r} is not an action; the actions are 0 to {len(WAGER_SETS) - 1}")
        if not self._awaits_wagers:
            raise Conflict("the game is over, or has not begun; call reset first")
        game, _ = knockout52.start(self.rules, [self._stakes(int(action))])
        while isinstance(knockout52.awaits(game), CardAwaited):
            game, _ = knockout52.step(game, self._cards[len(game.cards)])
        self._game = game
        self._awaits_wagers = False
        net_cents = knockout52.net_cents(game)[_PLAYER]
        info = {"outcome": game.outcome, "net_cents": net_cents}
        return np.int64(len(game.cards)), net_cents / self.wager_cents, True, False, info

    def render(self) -> str | None:
        """The layout, row by row, and what was won."""
        if self.render_mode != "ansi":
            return None
        if self._game is None:
            return self.rules.title
        game, ranks = self._game, self.rules.layout.ranks
        rows = [
            " ".join(card.pretty for card in game.cards[first : first + ranks])
            for first in range(0, len(game.cards), ranks)
        ]
        net = dollars(knockout52.net_cents(game)[_PLAYER])
        return "\n".join([self.rules.title, *rows, f"{game.outcome} wins; net: {net}"])
