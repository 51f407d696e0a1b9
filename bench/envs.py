"""Steps a second of the environments beside Gymnasium's own Blackjack, all in one run.

`python -m bench.envs` plays every environment by the same simple rule, hit below 15. Reported are steps a
second with the rule, the resets and Gymnasium's own wrappers in them, as a learner meets them; for vectors
also of the steps alone, since there the rule takes as long as the step. Others' libraries take part where
they are installed.
"""

from __future__ import annotations

import argparse
import importlib.util
import time
from collections.abc import Callable, Iterator
from typing import Any

import gymnasium
import numpy as np

import cardroom.envs  # noqa: F401 registers the environments

HIT_BELOW = 15
AIM_STEPS = 10e6
OTHERS = ("envpool", "pyspiel", "rlcard")


def single(name: str, total: Callable[[Any], int], seconds: float, **options: Any) -> float:
    """Steps a second of a single environment."""
    env = gymnasium.make(name, **options)
    observation, _ = env.reset(seed=1)
    begin, steps = time.perf_counter(), 0
    while time.perf_counter() - begin < seconds:
        for _ in range(100):
            observation, _, over, _, _ = env.step(
                int(may_hit(observation) and total(observation) < HIT_BELOW)
            )
            steps += 1
            if over:
                observation, _ = env.reset()
    return steps / (time.perf_counter() - begin)


def may_hit(observation: Any) -> bool:
    return not isinstance(observation, dict) or bool(observation["action_mask"][1])


def vector(tables: int, seconds: float, **options: Any) -> tuple[float, float]:
    """Steps a second of a vector, with the rule and without it."""
    env = gymnasium.make_vec("cardroom/Blackjack-v1", num_envs=tables, **options)
    observation, info = env.reset(seed=1)
    begin, steps, stepping = time.perf_counter(), 0, 0.0
    while time.perf_counter() - begin < seconds:
        actions = ((observation["total"] < HIT_BELOW) & (info["action_mask"][:, 1] == 1)).astype(np.int64)
        before = time.perf_counter()
        observation, _, _, _, info = env.step(actions)
        stepping += time.perf_counter() - before
        steps += tables
    env.close()
    return steps / (time.perf_counter() - begin), steps / stepping


def synchronous(tables: int, seconds: float) -> float:
    """Steps a second of Gymnasium's own Blackjack in its own vector."""
    env = gymnasium.make_vec("Blackjack-v1", num_envs=tables, vectorization_mode="sync")
    observation, _ = env.reset(seed=1)
    begin, steps = time.perf_counter(), 0
    while time.perf_counter() - begin < seconds:
        observation, *_ = env.step((observation[0] < HIT_BELOW).astype(np.int64))
        steps += tables
    env.close()
    return steps / (time.perf_counter() - begin)


def report(tables: int, seconds: float) -> Iterator[tuple[str, str]]:
    single("cardroom/Blackjack-v1", lambda seen: int(seen["total"]), 0)  # compiles
    vector(2, 0.01)
    theirs = single("Blackjack-v1", lambda seen: int(seen[0]), seconds)
    ours = single("cardroom/Blackjack-v1", lambda seen: int(seen["total"]), seconds)
    yield "Gymnasium's Blackjack-v1", f"{theirs:,.0f} steps a second"
    yield "cardroom/Blackjack-v1", f"{ours:,.0f} steps a second, {ours / theirs:.1f} times as many (aim: 1)"
    yield "Gymnasium's, a vector of 64", f"{synchronous(64, seconds):,.0f} steps a second"
    for what, options in (("", {}), (", copy=False", {"copy": False}), (", house shoe", {"shoe": "house"})):
        with_rule, alone = vector(tables, seconds, **options)
        figure = f"{alone / 1e6:.1f} million steps a second, {with_rule / 1e6:.1f} with the rule"
        yield f"cardroom, a vector of {tables}{what}", f"{figure} (aim: {AIM_STEPS / 1e6:.0f} on two cores)"
    for name in OTHERS:
        if importlib.util.find_spec(name) is None:
            yield name, "not installed here, left out"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=65536)
    parser.add_argument("--seconds", type=float, default=3.0, help="for each figure")
    asked = parser.parse_args()
    for what, figure in report(asked.tables, asked.seconds):
        print(f"{what}: {figure}", flush=True)


if __name__ == "__main__":
    main()
