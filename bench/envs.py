"""Steps a second of the environments beside Gymnasium's own Blackjack, all in one run.

`python -m bench.envs` plays every environment by the same simple rule, hit below 15. Reported are steps a
second with the rule, the resets and Gymnasium's own wrappers in them, as a learner meets them; for vectors
also of the steps alone, since there the rule takes as long as the step. Others' libraries take part where
they are installed.

`python -m bench.envs --gpu` plays on a GPU (the extra `cuda`): first that cards, masks and rewards are the
CPU's, step by step, then steps a second, alone and with the rule, which stays on the device.
"""

from __future__ import annotations

import argparse
import importlib.util
import random
import time
from collections.abc import Callable, Iterator
from typing import Any

import gymnasium
import numpy as np

import cardroom.envs  # noqa: F401 registers the environments

HIT_BELOW = 15
AIM_STEPS = 10e6
AIM_GPU_STEPS = 1e9


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


def rlcard_steps(seconds: float) -> float:
    """Steps a second of RLCard's blackjack, which hits by action 0."""
    import rlcard

    env = rlcard.make("blackjack", config={"seed": 1})
    state, _ = env.reset()
    begin, steps = time.perf_counter(), 0
    while time.perf_counter() - begin < seconds:
        for _ in range(100):
            state, _ = env.step(int(state["obs"][0] >= HIT_BELOW))
            steps += 1
            if env.is_over():
                state, _ = env.reset()
    return steps / (time.perf_counter() - begin)


def pyspiel_steps(seconds: float) -> float:
    """Steps a second of OpenSpiel's blackjack, which hits by action 0; the cards are drawn by its caller."""
    import pyspiel

    game, chance = pyspiel.load_game("blackjack"), random.Random(1)
    state = game.new_initial_state()
    begin, steps = time.perf_counter(), 0
    while time.perf_counter() - begin < seconds:
        for _ in range(100):
            while state.is_chance_node():
                cards, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(chance.choices(cards, weights)[0])
            if state.is_terminal():
                state = game.new_initial_state()
                continue
            state.apply_action(int(state.get_best_player_total(0) >= HIT_BELOW))
            steps += 1
    return steps / (time.perf_counter() - begin)


def envpool_steps(seconds: float) -> float:
    """Steps a second of EnvPool's blackjack, a vector of 4096 in as many threads as there are processors."""
    import envpool

    env = envpool.make("Blackjack-v1", env_type="gymnasium", num_envs=4096)
    observation, _ = env.reset()
    begin, steps = time.perf_counter(), 0
    while time.perf_counter() - begin < seconds:
        observation, *_ = env.step((observation[:, 0] < HIT_BELOW).astype(np.int32))
        steps += len(observation)
    return steps / (time.perf_counter() - begin)


OTHERS: dict[str, tuple[str, Callable[[float], float]]] = {
    "rlcard": ("RLCard", rlcard_steps),
    "pyspiel": ("OpenSpiel", pyspiel_steps),
    "envpool": ("EnvPool, a vector of 4096", envpool_steps),
}
"""By the module that is there where a library is installed."""


def others(seconds: float) -> Iterator[tuple[str, str]]:
    """The blackjack of other libraries, each with the rules that it has: to hit or to stand."""
    for module, (name, measure) in OTHERS.items():
        if importlib.util.find_spec(module) is None:
            yield name, "not installed here, left out"
            continue
        try:
            yield name, f"{measure(seconds):,.0f} steps a second"
        except Exception as error:  # noqa: BLE001 whatever another library raises, the others are measured
            yield name, f"installed, but does not run here: {error!r}"


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
    yield from others(seconds)


def same_as_on_the_cpu(steps: int, **options: Any) -> str:
    """Play both by the same random choices among what is allowed, and compare everything that is returned."""
    tables = 4096
    ours, theirs = (
        gymnasium.make_vec("cardroom/Blackjack-v1", num_envs=tables, device=device, **options)
        for device in ("cuda", "cpu")
    )
    chooser = np.random.default_rng(1)
    (on_gpu, _), (on_cpu, info) = ours.reset(seed=3), theirs.reset(seed=3)
    for _ in range(steps):
        if not all(np.array_equal(on_gpu[field].get(), on_cpu[field]) for field in on_cpu):
            return "DIFFERENT from the CPU"
        mask = info["action_mask"]
        actions = (chooser.random(mask.shape) * (mask + 1e-9)).argmax(axis=1)
        on_gpu, rewards, over, _, _ = ours.step(actions)
        on_cpu, expected, expected_over, _, info = theirs.step(actions)
        if not np.array_equal(rewards.get(), expected) or not np.array_equal(over.get(), expected_over):
            return "DIFFERENT from the CPU"
    return f"the same as on the CPU, {tables * steps:,} steps"


def on_gpu(tables: int, steps: int, **options: Any) -> tuple[float, float]:
    """Steps a second on a GPU, with the rule and without it, after some that warm up."""
    import cupy

    rule = cupy.ElementwiseKernel(
        "int64 total, int8 may_hit", "int64 action", f"action = total < {HIT_BELOW} && may_hit", "hit_below"
    )
    env = gymnasium.make_vec("cardroom/Blackjack-v1", num_envs=tables, device="cuda", **options)
    observation, _ = env.reset(seed=1)
    begin, events = 0.0, []
    for number in range(-20, steps):
        if number == 0:
            cupy.cuda.Device().synchronize()
            begin = time.perf_counter()
        actions = rule(observation["total"], observation["action_mask"][:, 1])
        before, after = cupy.cuda.Event(), cupy.cuda.Event()
        before.record()
        observation, *_ = env.step(actions)
        after.record()
        if number >= 0:
            events.append((before, after))
    cupy.cuda.Device().synchronize()
    whole = time.perf_counter() - begin
    stepping = sum(cupy.cuda.get_elapsed_time(*pair) for pair in events) / 1000
    return tables * steps / whole, tables * steps / stepping


def report_gpu(tables: int) -> Iterator[tuple[str, str]]:
    house = {"shoe": "house", "spots": 2, "side_bets": ["21+3"]}
    for words, options in (("fresh shoe", {}), ("house shoe, two spots, a side bet", house)):
        yield f"GPU, {words}", same_as_on_the_cpu(300, **options)
    for count in (tables, 1 << 20, 1 << 22):
        for words, options in (
            ("", {"illegal": "end", "copy": False}),
            (", arrays of the caller's own", {"illegal": "end"}),
            (", illegal actions raised", {"copy": False}),
            (", house shoe", {"illegal": "end", "copy": False, "shoe": "house"}),
        ):
            with_rule, alone = on_gpu(count, 300, **options)
            figure = f"{alone / 1e6:,.0f} million steps a second, {with_rule / 1e6:,.0f} with the rule"
            yield f"GPU, {count:,} tables{words}", f"{figure} (aim: {AIM_GPU_STEPS / 1e6:,.0f} on an H200)"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=65536)
    parser.add_argument("--seconds", type=float, default=3.0, help="for each figure")
    parser.add_argument("--gpu", action="store_true", help="on a GPU instead")
    asked = parser.parse_args()
    lines = report_gpu(asked.tables) if asked.gpu else report(asked.tables, asked.seconds)
    for what, figure in lines:
        print(f"{what}: {figure}", flush=True)


if __name__ == "__main__":
    main()
