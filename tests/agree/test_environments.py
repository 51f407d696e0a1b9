"""Environments stepped by compiled tables, held against the engine on the same streams, step by step."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from cardroom.envs.twentyone import TwentyOneEnv
from cardroom.envs.vector import TwentyOneVectorEnv
from cardroom.rules import load_rules, load_rules_as
from cardroom.rules.bets import MeterShare
from cardroom.rules.twentyone import TwentyOneRules
from tests.engine_environment import EngineEnvironment

FAMILY = ("blackjack", "spanish-21", "players-edge-21")
TABLES: list[dict[str, Any]] = [
    {},
    {"shoe": "house"},
    {"spots": 3, "shoe": "house"},
    {"shoe": "house", "episode": "shoe", "bet_spread": [1, 3, 8]},
]


WIDE_LIMITS: dict[str, object] = {"limits.max": "500.00"}
"""Room for a bet spread, and for the large Super Bonus."""


def without_meter(game: str) -> list[str]:
    """Side bets of a game that pay by odds."""
    rules = load_rules_as(TwentyOneRules, game)
    return [
        name
        for name in rules.offered_side_bets
        if not any(
            isinstance(rules.side_bets[name].pays(line), MeterShare)
            for line in rules.side_bets[name].line_ids
        )
    ]


def assert_same_play(env: TwentyOneEnv, twin: EngineEnvironment, steps: int, seed: int) -> set[str]:
    """Play both by the same random choices; the words of the actions that were taken."""
    chooser = np.random.default_rng(seed)
    taken: set[str] = set()
    seen, info = env.reset(seed=seed)
    expected, mask = twin.reset(seed)
    for _ in range(steps):
        assert info["action_mask"].tolist() == mask
        assert {**seen, "seen": seen["seen"].tolist(), "action_mask": None} == {
            **expected,
            "action_mask": None,
        }
        action = int(chooser.choice(np.flatnonzero(mask)))
        taken.add(env.action_words[action])
        seen, reward, over, _, info = env.step(action)
        expected, expected_reward, expected_over, mask = twin.step(action)
        assert (reward, over) == (expected_reward, expected_over)
        assert {**seen, "seen": seen["seen"].tolist(), "action_mask": None} == {
            **expected,
            "action_mask": None,
        }
        if over:
            seen, info = env.reset()
            expected, mask = twin.reset()
    return taken


@pytest.mark.parametrize("game", FAMILY)
@pytest.mark.parametrize("table", TABLES, ids=str)
def test_the_environment_plays_as_the_engine(game: str, table: dict[str, Any]) -> None:
    rules = load_rules(game, WIDE_LIMITS)
    taken = assert_same_play(TwentyOneEnv(rules, **table), EngineEnvironment(rules, **table), 1200, seed=11)
    assert {"stand", "hit", "double", "split", "insure"} <= taken


@pytest.mark.parametrize("game", FAMILY)
def test_side_bets_are_settled_as_by_the_engine(game: str) -> None:
    side_bets = without_meter(game)[:4]
    table: dict[str, Any] = {"side_bets": side_bets, "spots": 2, "shoe": "house"}
    taken = assert_same_play(TwentyOneEnv(game, **table), EngineEnvironment(game, **table), 400, seed=4)
    assert [name for name in side_bets if not any(name in word for word in taken)] == []


@pytest.mark.clause("21-1.13")
@pytest.mark.parametrize("shoe", ["fresh", "house"])
def test_shoes_that_run_out_are_dealt_on_or_the_round_is_void_as_by_the_engine(shoe: str) -> None:
    rules = load_rules("players-edge-21", {"decks": 1})
    table: dict[str, Any] = {"spots": 7, "shoe": shoe}
    env, twin = TwentyOneEnv(rules, **table), EngineEnvironment(rules, **table)
    assert_same_play(env, twin, 1500, seed=2)


@pytest.mark.parametrize(
    "changes", [{"charlie": 5}, {"dealer_22_pushes": True}, {"split.max_hands": 2}], ids=str
)
def test_options_of_the_house_are_played_as_by_the_engine(changes: dict[str, object]) -> None:
    rules = load_rules("blackjack", changes)
    assert_same_play(TwentyOneEnv(rules), EngineEnvironment(rules), 800, seed=6)


def test_infinite_decks_are_dealt_as_by_the_engine() -> None:
    rules = load_rules("blackjack", {"decks": "infinite"})
    assert_same_play(TwentyOneEnv(rules), EngineEnvironment(rules), 600, seed=3)


@pytest.mark.parametrize(
    ("game", "table"),
    [
        ("blackjack", {}),
        ("spanish-21", {"shoe": "house", "spots": 2}),
        ("players-edge-21", {"shoe": "house", "episode": "shoe", "bet_spread": [1, 2]}),
    ],
    ids=str,
)
@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_a_vector_of_tables_plays_as_single_environments(
    game: str, table: dict[str, Any], mode: AutoresetMode
) -> None:
    """Table k of seed s is the single environment of seed s + k, whatever else is in the vector."""
    tables, steps, seed = 7, 150, 40
    rules = load_rules(game, WIDE_LIMITS)
    vector = TwentyOneVectorEnv(tables, rules, autoreset_mode=mode, threads=2, **table)
    singles = [TwentyOneEnv(rules, **table) for _ in range(tables)]
    chooser = np.random.default_rng(1)
    seen, info = vector.reset(seed=seed)
    over = np.zeros(tables, np.bool_)
    expected = [env.reset(seed=seed + number)[0] for number, env in enumerate(singles)]
    ended = 0
    for _ in range(steps):
        assert_rows(seen, expected)
        assert np.array_equal(info["action_mask"], vector.action_masks())
        masks = vector.action_masks()
        actions = np.array([chooser.choice(np.flatnonzero(row)) if row.any() else 0 for row in masks])
        was_over = over
        seen, rewards, over, truncated, info = vector.step(actions)
        assert not truncated.any()
        for number, env in enumerate(singles):
            if mode is AutoresetMode.NEXT_STEP and was_over[number]:
                expected[number], _ = env.reset()
                assert (rewards[number], over[number]) == (0.0, False)
                continue
            expected[number], reward, single_over, _, own = env.step(actions[number])
            assert (rewards[number], over[number]) == (reward, single_over)
            if "net_cents" in own:
                assert info["_net_cents" if mode is AutoresetMode.NEXT_STEP else "_action_mask"][number]
            if single_over and mode is AutoresetMode.SAME_STEP:
                assert info["_final_obs"][number]
                assert info["final_obs"]["total"][number] == expected[number]["total"]
                expected[number], _ = env.reset()
            ended += single_over
    assert ended > (3 if table.get("episode") == "shoe" else 100)
    vector.close()


def assert_rows(seen: dict[str, Any], expected: list[dict[str, Any]]) -> None:
    for number, single in enumerate(expected):
        for name, value in single.items():
            assert np.array_equal(seen[name][number], value), (number, name)
