"""The GPU's environment, its kernels compiled for the CPU: the same cards, masks and cents as numba's."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest

from cardroom.core.errors import IllegalAction, MalformedInput, Unavailable
from cardroom.envs.vector import TwentyOneVectorEnv
from cardroom.envs.vector_cuda import TwentyOneCudaVectorEnv, vector_environment
from cardroom.rules import load_rules
from tests.cuda_on_the_cpu import COMPILER, HostCupy

COUNT = 96
STEPS = 250

pytestmark = pytest.mark.skipif(COMPILER is None, reason="this machine has no C++ compiler")

CASES: list[tuple[str, dict[str, object], dict[str, Any]]] = [
    ("blackjack", {}, {}),
    ("spanish-21", {}, {"spots": 3, "shoe": "house", "autoreset_mode": "SameStep"}),
    (
        "players-edge-21",
        {"limits.max": "500.00"},
        {"shoe": "house", "episode": "shoe", "bet_spread": [1, 3, 8]},
    ),
    (
        "blackjack",
        {"side_bets.bust-it.offered": True},
        {"side_bets": ["21+3", "match-the-dealer", "bust-it"], "spots": 2, "shoe": "house"},
    ),
    ("players-edge-21", {"decks": 1}, {"spots": 7, "shoe": "house"}),
    ("blackjack", {"decks": "infinite"}, {"illegal": "penalty"}),
    ("blackjack", {"split.max_hands": 2}, {"illegal": "end", "autoreset_mode": "Disabled"}),
]


@pytest.fixture(autouse=True)
def on_the_host(host_cupy: HostCupy, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cupy", host_cupy)


def assert_same(ours: Any, theirs: Any) -> None:
    """Compare what two environments returned; the GPU's has more in its info."""
    for one, other in zip(ours[:-1], theirs[:-1], strict=True):
        if isinstance(one, dict):
            assert one.keys() == other.keys()
            for field in one:
                np.testing.assert_array_equal(one[field], other[field], field)
        else:
            np.testing.assert_array_equal(one, other)
    for field, expected in theirs[-1].items():
        if field == "final_obs":
            some = theirs[-1]["_final_obs"]
            for name in expected:
                np.testing.assert_array_equal(ours[-1][field][name][some], expected[name][some], name)
        elif field != "final_info":
            np.testing.assert_array_equal(ours[-1][field], expected, field)


@pytest.mark.parametrize(("game", "changes", "table"), CASES, ids=str)
def test_the_gpu_source_plays_as_the_cpu(
    game: str, changes: dict[str, object], table: dict[str, Any]
) -> None:
    rules = load_rules(game, changes)
    expected = TwentyOneVectorEnv(COUNT, rules, **table)
    env = vector_environment(COUNT, rules, device="cuda", **table)
    assert isinstance(env, TwentyOneCudaVectorEnv)
    assert_same(env.reset(seed=5), expected.reset(seed=5))
    chooser = np.random.default_rng(9)
    taken = np.zeros(len(env.action_words), np.int64)
    may_err = table.get("illegal", "raise") != "raise"
    for _ in range(STEPS):
        masks = expected.action_masks().astype(float) + 1e-9
        wishes = chooser.random(masks.shape) * masks
        actions = wishes.argmax(axis=1)
        if may_err:
            wrong = chooser.random(COUNT) < 0.02
            actions[wrong] = chooser.integers(0, masks.shape[1], wrong.sum())
        taken += np.bincount(actions, minlength=len(taken))
        returned = env.step(actions), expected.step(actions)
        assert_same(*returned)
        over = returned[1][2]
        if table.get("autoreset_mode") == "Disabled" and over.any():
            again = {"reset_mask": over.copy()}
            assert_same(env.reset(options=again), expected.reset(options=again))
    env.close()
    expected.close()
    assert (taken[: 4 if "bet_spread" not in table and "side_bets" not in table else 0] > 0).all()


def test_a_wrong_action_is_refused_before_anything_moves() -> None:
    env = vector_environment(4, "blackjack", device="cuda")
    observation, info = env.reset(seed=1)
    before = {field: array.copy() for field, array in observation.items()}
    table = int(np.argmin(info["action_mask"][:, 7]))
    actions = np.zeros(4, np.int64)
    actions[table] = 7
    with pytest.raises(IllegalAction, match=f"table {table} may not even money; allowed: stand"):
        env.step(actions)
    actions[table] = 99
    with pytest.raises(MalformedInput, match="the actions are 0 to 7"):
        env.step(actions)
    for field, array in env._observation().items():
        np.testing.assert_array_equal(array, before[field])


def test_an_unknown_device_is_named() -> None:
    with pytest.raises(MalformedInput, match="no device 'tpu'; it is cpu or cuda"):
        vector_environment(1, device="tpu")
    with pytest.raises(MalformedInput, match="threads are for tables on the processor"):
        vector_environment(1, device="cuda", threads=2)


def test_without_a_gpu_the_line_to_install_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cupy", None)
    with pytest.raises(Unavailable, match=r"no CuPy here; install the extra: pip install .*cuda"):
        vector_environment(1, device="cuda")
