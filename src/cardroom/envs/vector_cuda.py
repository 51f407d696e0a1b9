"""The vector environment on a GPU: arrays of CuPy in and out, the same cards and rewards as on the CPU."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode

from cardroom.core.errors import Conflict, IllegalAction, MalformedInput
from cardroom.envs.options import Observation
from cardroom.envs.vector import TwentyOneVectorEnv
from cardroom.games import BLACKJACK
from cardroom.sim.twentyone.lanes import FIELDS
from cardroom.sim.twentyone.steps_cuda import DeviceLanes


def vector_environment(
    num_envs: int = 1, rules: Any = BLACKJACK.id, *, device: str = "cpu", **options: Any
) -> TwentyOneVectorEnv:
    """Tables abreast on the processor, `device="cpu"`, or on a GPU, `device="cuda"`."""
    if device == "cpu":
        return TwentyOneVectorEnv(num_envs, rules, **options)
    if device == "cuda":
        return TwentyOneCudaVectorEnv(num_envs, rules, **options)
    raise MalformedInput(f"there is no device {device!r}; it is cpu or cuda")


class TwentyOneCudaVectorEnv(TwentyOneVectorEnv):
    """Tables abreast in the memory of a GPU; nothing comes to the host unless somebody looks at it.

    Actions are an array on the device, of CuPy or of anything that speaks DLPack, such as PyTorch. With
    `illegal="raise"` every step waits for the device, to say which action was wrong; with `"end"` and
    `"penalty"` steps are only queued, and an action outside the space counts as one that is not allowed.
    """

    def __init__(self, num_envs: int = 1, rules: Any = BLACKJACK.id, **options: Any) -> None:
        if options.pop("threads", None) is not None:
            raise MalformedInput("threads are for tables on the processor; leave them out on a GPU")
        super().__init__(num_envs, rules, threads=1, **options)

    def _make_lanes(self) -> None:
        options = self.options
        self._device = DeviceLanes(
            options.tables, options.cards, self.num_envs, len(self.action_words), options.illegal_reward
        )
        self._lanes: Any = self._device
        self._nowhere = self._device.cupy.zeros(self.num_envs, np.bool_)
        self._everywhere = self._device.cupy.ones(self.num_envs, np.bool_)
        self._shown_now = _observation(self._device.shown)

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal on all tables, or on those of `options["reset_mask"]`, up to the first decision."""
        choices = dict(options or {})
        if hasattr(choices.get("reset_mask"), "get"):  # an array on the device
            choices["reset_mask"] = choices["reset_mask"].get()
        return super().reset(seed=seed, options=choices)

    def step(self, actions: Any) -> tuple[Observation, Any, Any, Any, dict[str, Any]]:
        """Take one step on every table."""
        cupy, device, options = self._device.cupy, self._device, self.options
        numbers = actions if isinstance(actions, cupy.ndarray) else self._from_dlpack(actions)
        if numbers.shape != (self.num_envs,) or numbers.dtype.kind not in "iu":
            raise MalformedInput(f"actions are {self.num_envs} whole numbers, one for each table")
        if not self._begun:
            raise Conflict("no round has begun; call reset first")
        numbers = cupy.ascontiguousarray(numbers, dtype=cupy.int64)
        next_step = self.autoreset_mode is AutoresetMode.NEXT_STEP
        if options.illegal == "raise":
            table = device.first_illegal(numbers, resets=next_step)
            if table is not None:
                raise self._refusal(table, int(numbers[table]))
        device.step(numbers, costs=options.illegal == "penalty", begins_again=next_step)
        shown = self._now()
        final: dict[str, Any] = {}
        if self.autoreset_mode is AutoresetMode.SAME_STEP:
            last = device.copy()
            over = last["over"]
            final = {"final_obs": _observation(last), "final_info": _info(last, over)}
            final |= {"_final_obs": over, "_final_info": over}
            device.begin(over)
            shown = {**self._now(), **{name: last[name] for name in ("rewards", "over", "ended", "nets")}}
        truncated = self._nowhere.copy() if self._copy else self._nowhere
        info = _info(shown, self._everywhere) | final
        seen = _observation(shown) if self._copy else dict(self._shown_now)
        return seen, shown["rewards"], shown["over"], truncated, info

    def action_masks(self) -> Any:
        """[table, action]: what is allowed now, as an array on the device."""
        return self._device.shown["mask"].copy()

    def _from_dlpack(self, actions: Any) -> Any:
        cupy = self._device.cupy
        on_device = hasattr(actions, "__dlpack__") and not isinstance(actions, np.ndarray)
        return cupy.from_dlpack(actions) if on_device else cupy.asarray(actions)

    def _now(self) -> dict[str, Any]:
        return self._device.copy() if self._copy else self._device.shown

    def _begin(self, which: Any) -> None:
        self._device.begin(self._device.cupy.asarray(which))

    def _refusal(self, table: int, action: int) -> Exception:
        words, mask = self.action_words, self._device.shown["mask"][table].tolist()
        if not 0 <= action < len(words):
            return MalformedInput(f"the actions are 0 to {len(words) - 1}: {', '.join(words)}")
        allowed = ", ".join(word for word, may in zip(words, mask, strict=True) if may)
        return IllegalAction(
            f"table {table} may not {words[action]}; allowed: {allowed or 'nothing before a reset'}",
            clause="21-1.5",
        )

    def _observation(self, *, copy: bool = False) -> Observation:
        return _observation(self._device.copy() if copy or self._copy else self._device.shown)

    def _info(self) -> dict[str, Any]:
        return _info(self._now(), self._everywhere)


def _observation(shown: dict[str, Any]) -> Observation:
    fields = dict(zip(FIELDS, shown["numbers"], strict=True))
    return {**fields, "action_mask": shown["mask"], "seen": shown["seen"]}


def _info(shown: dict[str, Any], everywhere: Any) -> dict[str, Any]:
    """As on the CPU, but every entry at every step: only the device knows whether there is anything in it."""
    return {
        "action_mask": shown["mask"],
        "_action_mask": everywhere,
        "net_cents": shown["nets"],
        "_net_cents": shown["ended"],
        "illegal": shown["illegal"],
        "_illegal": everywhere,
    }
