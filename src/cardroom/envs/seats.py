"""A table of the blackjack family for several learners: a PettingZoo environment, a seat for each spot."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from cardroom.core.errors import MalformedInput
from cardroom.core.extras import missing
from cardroom.engine import twentyone
from cardroom.envs.options import Observation
from cardroom.envs.twentyone import TwentyOneEnv
from cardroom.games import BLACKJACK

if TYPE_CHECKING:
    from cardroom.engine.twentyone import Round

try:
    from pettingzoo import AECEnv
except ModuleNotFoundError:
    raise missing("a table for several learners", "pettingzoo") from None


class TwentyOneSeats(AECEnv):  # type: ignore[misc, unused-ignore]
    """Players in their turn against one dealer; an episode is a round, and each is rewarded for its own spot.

    Options are those of the single environment, less its bets and `episode`. All cards on the table are seen
    by everybody; the mask is that of the seat in turn, and empty for the others.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 as PettingZoo declares it
        "name": "cardroom_twentyone_v1",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(
        self, rules: Any = BLACKJACK.id, *, seats: int = 3, render_mode: str | None = None, **options: Any
    ) -> None:
        super().__init__()
        for name in ("spots", "episode", "bet_spread", "side_bets"):
            if name in options:
                raise MalformedInput(f"{name} is not an option of a table for several learners")
        self._table: Final = TwentyOneEnv(rules, spots=seats, render_mode=render_mode, **options)
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{number}" for number in range(1, seats + 1)]
        self.agents: list[str] = []
        self.action_words: Final = self._table.action_words

    def observation_space(self, agent: str) -> Any:
        """The fields of the single environment."""
        return self._table.observation_space

    def action_space(self, agent: str) -> Any:
        """The actions of the single environment."""
        return self._table.action_space

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal the next round up to the first decision."""
        self._seen, _ = self._table.reset(seed=seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {"action_mask": self._mask(agent)} for agent in self.agents}
        self.agent_selection = self._in_turn()
        self._tell()

    def observe(self, agent: str) -> Observation:
        """What a seat sees: the hand in turn, the dealer's card, cards seen, and what it may do itself."""
        return {**self._seen, "action_mask": self._mask(agent)}

    def step(self, action: int | None) -> None:
        """Do what the seat in turn decides, and deal up to the next decision or the end of the round."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._seen, reward, over, _, info = self._table.step(np.int64(-1 if action is None else action))
        if info.get("illegal"):
            self.rewards[agent] = reward
        elif over:
            nets = dict(nets_by_spot(self._table.game))
            for number, seat in enumerate(self.possible_agents, 1):
                self.rewards[seat] = nets.get(number, 0) / self._table.wager_cents
                self.infos[seat]["net_cents"] = nets.get(number, 0)
        if over:
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self._in_turn()
        self._tell()
        self._accumulate_rewards()

    def render(self) -> str | None:
        """The table as its players see it."""
        return self._table.render()

    def close(self) -> None:
        """Nothing is held open."""

    def _in_turn(self) -> str:
        return self.possible_agents[int(self._seen["spot"])]

    def _mask(self, agent: str) -> Any:
        own = self._seen["action_mask"]
        return own if self.agents and agent == self._in_turn() else np.zeros_like(own)

    def _tell(self) -> None:
        for agent in self.agents:
            self.infos[agent]["action_mask"] = self._mask(agent)


def nets_by_spot(game: Round) -> Iterator[tuple[int, int]]:
    """What every spot won or lost in a round, in cents."""
    _, events = twentyone.replay(twentyone.RoundRecord.of(game))
    for spot in game.spots:
        own = [event for event in events if getattr(event, "spot", None) == spot.number]
        yield spot.number, sum(twentyone.net_by_wager(own).values())
