"""The blackjack family as a vector environment: many tables abreast, stepped together by compiled kernels."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, Final

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from cardroom.core.errors import Conflict, IllegalAction, MalformedInput
from cardroom.envs.legal import LegalActions, Mask
from cardroom.envs.options import STREAMS, Observation, Options, stream_number
from cardroom.games import BLACKJACK
from cardroom.model.twentyone.automaton import Automaton
from cardroom.sim.twentyone.lanes import (
    COSTS,
    ENDS,
    FIELDS,
    FIRST_BET,
    STAND,
    Shown,
)
from cardroom.sim.twentyone.steps import begin_lanes, step_lanes

_LANES_PER_THREAD: Final = 4096
"""A thread for fewer tables costs more than it brings."""

Numbers = NDArray[np.int64]


class TwentyOneVectorEnv(VectorEnv[Observation, Numbers, Any]):
    """Tables abreast; table `k` of seed `s` plays as the single environment of seed `s + k`.

    Options and fields are those of the single environment, each field with a row for every table. With
    `copy=False` the arrays that a step returns are written over by the next one.
    """

    metadata: dict[str, Any]

    def __init__(
        self,
        num_envs: int = 1,
        rules: Any = BLACKJACK.id,
        *,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        threads: int | None = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        if num_envs < 1:
            raise MalformedInput(f"{num_envs} tables are not enough; at least 1")
        if render_mode is not None:
            raise MalformedInput("a vector environment shows no pictures; render a single environment")
        self.options: Final = Options.of(rules, **options)
        self.num_envs = num_envs
        self.autoreset_mode: Final = AutoresetMode(autoreset_mode)
        self.metadata = {"render_modes": [], "autoreset_mode": self.autoreset_mode}
        self.render_mode = None
        self.automaton: Final[Automaton] = self.options.automaton
        self.action_words: Final = self.options.action_words
        self.single_action_space = LegalActions(
            len(self.action_words), first=FIRST_BET if self.options.asks_bet else STAND
        )
        self.single_observation_space = self.options.observation_space
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._copy = copy
        self._make_lanes()
        self._seeded = self._begun = False
        most = os.process_cpu_count() if hasattr(os, "process_cpu_count") else os.cpu_count()
        wanted = threads or min(most or 1, max(1, num_envs // _LANES_PER_THREAD))
        edges = np.linspace(0, num_envs, wanted + 1).astype(np.uint64)
        self._parts = list(pairwise(edges))
        self._threads = ThreadPoolExecutor(wanted - 1, "cardroom tables") if wanted > 1 else None

    def _make_lanes(self) -> None:
        self._lanes = self.options.lanes(self.num_envs, logged=False)
        self._shown = Shown.of(self.num_envs, len(self.action_words))
        self._mask_rows = np.arange(self.num_envs) * len(self.action_words)

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal on all tables, or on those of `options["reset_mask"]`, up to the first decision."""
        which = np.ones(self.num_envs, np.bool_)
        if options and "reset_mask" in options:
            which = np.asarray(options["reset_mask"])
            if which.shape != (self.num_envs,) or which.dtype != np.bool_ or not which.any():
                raise MalformedInput(f"a reset_mask is {self.num_envs} booleans, at least one of them true")
            if not self._begun and not which.all():
                raise Conflict("no round has begun; call reset for all tables first")
        self._seed(seed, which)
        self._begin(which)
        self._begun = True
        return self._observation(), self._info()

    def step(
        self, actions: Any
    ) -> tuple[Observation, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Take one step on every table."""
        numbers = np.asarray(actions)
        words = self.action_words
        if numbers.shape != (self.num_envs,) or not np.issubdtype(numbers.dtype, np.integer):
            raise MalformedInput(f"actions are {self.num_envs} whole numbers, one for each table")
        if numbers.min() < 0 or numbers.max() >= len(words):
            raise MalformedInput(f"the actions are 0 to {len(words) - 1}: {', '.join(words)}")
        if not self._begun:
            raise Conflict("no round has begun; call reset first")
        numbers = numbers.astype(np.int64, copy=False)
        shown, options = self._shown, self.options
        next_step = self.autoreset_mode is AutoresetMode.NEXT_STEP
        if options.illegal == "raise":
            self._refuse_illegal(numbers, resets=next_step)
        illegal = COSTS if options.illegal == "penalty" else ENDS
        self._on_all(
            lambda first, last: step_lanes(
                first,
                last,
                numbers,
                illegal,
                options.illegal_reward,
                next_step,
                options.tables,
                self._lanes,
                shown,
            )
        )
        over = shown.over.copy()
        rewards = shown.rewards.copy()
        truncated = np.zeros(self.num_envs, np.bool_)
        info = self._info()
        if self.autoreset_mode is AutoresetMode.SAME_STEP and over.any():
            final = {"final_obs": self._observation(copy=True), "final_info": info}
            self._begin(over)
            info = {**self._info(), **final, "_final_obs": over, "_final_info": over}
        return self._observation(), rewards, over, truncated, info

    def action_masks(self) -> Mask:
        """[table, action]: what is allowed now, as learners with masks ask for it."""
        return self._shown.mask.copy()

    def close_extras(self, **kwargs: Any) -> None:
        """Let the threads go."""
        if self._threads is not None:
            self._threads.shutdown()

    def _seed(self, seed: int | Sequence[int | None] | None, which: NDArray[np.bool_]) -> None:
        cards = self.options.cards
        if isinstance(seed, int | np.integer):
            self._np_random, self._np_random_seed = None, None
            super().reset(seed=int(seed))
            first = stream_number(int(seed))
            if which.all():
                self._lanes.seed(0, first, self.num_envs, cards, STREAMS)
            else:
                for lane in np.flatnonzero(which).tolist():
                    self._lanes.seed(lane, first + lane, 1, cards, STREAMS)
        elif seed is not None:
            if len(seed) != self.num_envs:
                raise MalformedInput(f"seeds are one number or {self.num_envs}, not {len(seed)}")
            for lane in np.flatnonzero(which).tolist():
                one = seed[lane]
                if one is not None or not self._seeded:
                    drawn = int(self.np_random.integers(1 << 62)) if one is None else stream_number(one)
                    self._lanes.seed(lane, drawn, 1, cards, STREAMS)
        elif not self._seeded:
            self._lanes.seed(0, int(self.np_random.integers(1 << 62)), self.num_envs, cards, STREAMS)
        self._seeded = True

    def _begin(self, which: NDArray[np.bool_]) -> None:
        self._on_all(
            lambda first, last: begin_lanes(first, last, which, self.options.tables, self._lanes, self._shown)
        )

    def _on_all(self, work: Callable[[np.uint64, np.uint64], Any]) -> None:
        """Let the kernel work on all tables, a part of them in each thread."""
        if self._threads is None:
            work(*self._parts[0])
            return
        waiting = [self._threads.submit(work, *part) for part in self._parts[1:]]
        work(*self._parts[0])
        for part in waiting:
            part.result()

    def _refuse_illegal(self, actions: Numbers, *, resets: bool) -> None:
        """Refuse all actions, before anything moves, if one is not allowed."""
        legal = self._shown.mask.reshape(-1).take(self._mask_rows + actions) != 0
        if resets:
            legal |= self._shown.over
        if not legal.all():
            table = int(np.argmin(legal))
            allowed = [
                word for word, may in zip(self.action_words, self._shown.mask[table], strict=True) if may
            ]
            raise IllegalAction(
                f"table {table} may not {self.action_words[actions[table]]}; "
                f"allowed: {', '.join(allowed) or 'nothing before a reset'}",
                clause="21-1.5",
            )

    def _observation(self, *, copy: bool = False) -> Observation:
        shown = self._shown
        numbers, seen, mask = shown.numbers, shown.seen, shown.mask
        if copy or self._copy:
            numbers, seen, mask = numbers.copy(), seen.copy(), mask.copy()
        return {**dict(zip(FIELDS, numbers, strict=True)), "action_mask": mask, "seen": seen}

    def _info(self) -> dict[str, Any]:
        shown = self._shown
        info: dict[str, Any] = {
            "action_mask": shown.mask.copy() if self._copy else shown.mask,
            "_action_mask": np.ones(self.num_envs, np.bool_),
        }
        if shown.ended.any():
            info |= {"net_cents": shown.nets.copy(), "_net_cents": shown.ended.copy()}
        if shown.illegal.any():
            info |= {"illegal": shown.illegal.copy(), "_illegal": np.ones(self.num_envs, np.bool_)}
        return info
