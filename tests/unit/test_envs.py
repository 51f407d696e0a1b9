"""The Gymnasium environments: the convention, the law behind the masks, the money, the chances."""

from __future__ import annotations

import doctest
import importlib
import math
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from cardroom.core.cards import parse_cards
from cardroom.core.errors import Conflict, IllegalAction, MalformedInput, Unavailable
from cardroom.engine import twentyone
from cardroom.envs import environments, register
from cardroom.envs.knockout52 import WAGER_SETS, Knockout52Env
from cardroom.envs.options import ACTION_WORDS
from cardroom.envs.twentyone import TwentyOneEnv
from cardroom.exact.knockout52 import chances
from cardroom.exact.twentyone import solve
from cardroom.rules import load_rules, load_rules_as
from cardroom.rules.knockout52 import WAGERS, Knockout52Rules
from cardroom.rules.twentyone import TwentyOneRules
from tests.stacked_environment import Stacked
from tools.readme import blocks

ROOT = Path(__file__).resolve().parents[2]
DOCS = (ROOT / "docs" / "envs.md").read_text("utf-8")
FAMILY = ("blackjack", "spanish-21", "players-edge-21")
TABLES: list[dict[str, Any]] = [
    {"spots": spots, "shoe": shoe} for spots in (1, 3) for shoe in ("fresh", "house")
]
STAND, HIT, DOUBLE, SPLIT, SURRENDER, RESCUE = range(6)
INSURE, EVEN_MONEY = 6, 7


def stacked(
    game: str, cards: str, changes: dict[str, object] | None = None
) -> tuple[Stacked, dict[str, Any]]:
    """An environment after the deal of a spot's and the dealer's cards, in the order of dealing."""
    env = Stacked(load_rules(game, changes))
    env.first = parse_cards(cards)
    observation, _ = env.reset(seed=1)
    return env, observation


def allowed(env: TwentyOneEnv) -> list[str]:
    return [word for word, legal in zip(ACTION_WORDS, env.action_space.legal, strict=True) if legal]


def random_rounds(
    env: TwentyOneEnv, rounds: int, seed: int
) -> Iterator[tuple[dict[str, Any], float, dict[str, Any]]]:
    """The last observation, reward and info of rounds in which every choice is drawn from what is allowed."""
    env.action_space.seed(seed)
    for number in range(rounds):
        observation, info = env.reset(seed=seed if number == 0 else None)
        assert observation in env.observation_space
        assert info["action_mask"].any()
        terminated, steps = False, 0
        reward = 0.0
        while not terminated:
            assert reward == 0.0, "all is paid at the end of the round"
            observation, reward, terminated, truncated, info = env.step(env.action_space.sample())
            assert observation in env.observation_space
            assert not truncated
            assert info["action_mask"].any() != terminated
            assert np.array_equal(info["action_mask"], observation["action_mask"])
            steps += 1
            assert steps < 200
        yield observation, reward, info


@pytest.mark.parametrize("name", environments())
def test_the_environments_follow_gymnasium(name: str) -> None:
    check_env(gymnasium.make(name).unwrapped)


@pytest.mark.parametrize("game", FAMILY)
@pytest.mark.parametrize("table", TABLES, ids=str)
def test_other_tables_follow_gymnasium(game: str, table: dict[str, Any]) -> None:
    name = next(name for name, (_, own) in environments().items() if own == game)
    check_env(gymnasium.make(name, **table).unwrapped)


def test_registering_again_changes_nothing() -> None:
    before = dict(gymnasium.registry)
    register()
    assert dict(gymnasium.registry) == before
    assert set(environments()) <= set(before)


def test_without_gymnasium_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gymnasium", None)
    with pytest.raises(Unavailable, match=r"pip install 'cardroom-lab\[gym\]'"):
        register()


@pytest.mark.slow
@pytest.mark.parametrize("game", FAMILY)
def test_random_rounds_end_and_their_money_is_the_engines(game: str) -> None:
    env = TwentyOneEnv(game)
    for number, (_, reward, info) in enumerate(random_rounds(env, 2000, seed=5)):
        assert reward * env.wager_cents == info["net_cents"]
        if number % 40 == 0:
            _, events = twentyone.replay(twentyone.RoundRecord.of(env.game))
            assert twentyone.balance(events).players == {"player": info["net_cents"]}


@pytest.mark.parametrize("game", FAMILY)
def test_masks_are_what_the_engine_allows(game: str) -> None:
    """Every action that is masked is refused with a clause, and nothing moves; every other is taken."""
    env = TwentyOneEnv(game, spots=2)
    env.action_space.seed(3)
    refused: set[str] = set()
    taken: set[str] = set()
    for number in range(150):
        env.reset(seed=3 if number == 0 else None)
        terminated = env.game.phase is twentyone.Phase.OVER
        while not terminated:
            before = env.game
            for action in np.flatnonzero(env.action_space.legal == 0):
                with pytest.raises(IllegalAction) as refusal:
                    env.step(action)
                assert refusal.value.clause
                assert env.game is before
                refused.add(ACTION_WORDS[action])
            choice = env.action_space.sample()
            taken.add(ACTION_WORDS[choice])
            *_, terminated, _, _ = env.step(choice)
    assert refused == set(ACTION_WORDS) - {"stand"}
    assert {"stand", "hit", "double", "split", "insure"} <= taken


@pytest.mark.clause("PE21-10", "PE21-8", "PE21-9")
def test_masks_of_hands_by_hand() -> None:
    env, seen = stacked("players-edge-21", "8c 6h 8d 9h 3s 2s 2h")
    assert allowed(env) == ["stand", "hit", "double", "split", "surrender"]
    assert (seen["total"], seen["soft"], seen["pair"], seen["cards"], seen["up"]) == (16, 0, 8, 2, 6)
    seen, *_ = env.step(SPLIT)
    assert allowed(env) == ["stand", "hit", "double"]
    assert (seen["total"], seen["from_split"], seen["hand"], seen["hands"]) == (11, 1, 0, 2)
    seen, *_ = env.step(DOUBLE)
    assert allowed(env) == ["stand", "double", "rescue"]
    assert (seen["total"], seen["doubles"], seen["cards"]) == (13, 1, 3)
    assert seen["seen"].tolist() == [0, 2, 1, 0, 0, 1, 0, 2, 0, 0]
    seen, reward, terminated, *_ = env.step(RESCUE)
    assert (seen["hand"], seen["total"], reward, terminated) == (1, 10, 0.0, False)


@pytest.mark.clause("21-1.7", "BJ-2")
def test_insurance_is_answered_first() -> None:
    env, seen = stacked("blackjack", "Tc As 9d Kh")
    assert allowed(env) == ["stand", "insure"]
    assert seen["up"] == 1
    with pytest.raises(IllegalAction, match="PROC-10"):
        env.step(HIT)
    _, reward, terminated, _, info = env.step(INSURE)
    assert (reward, terminated, info["net_cents"]) == (0.0, True, 0)  # one wager lost, half a wager paid 2:1
    env, _ = stacked("blackjack", "Tc As 9d Kh")
    assert env.action_masks().tolist() == [1, 0, 0, 0, 0, 0, 1, 0]
    assert env.step(STAND)[1:3] == (-1.0, True)
    env, _ = stacked("blackjack", "Tc As Ad 5h")
    assert allowed(env) == ["stand", "insure", "even money"]
    assert env.step(EVEN_MONEY)[1:3] == (1.0, True)


def test_a_round_over_with_the_deal_is_ended_by_standing() -> None:
    env, seen = stacked("spanish-21", "Ac 6s Kd Kh")
    assert (allowed(env), seen["total"], seen["soft"]) == (["stand"], 21, 1)
    with pytest.raises(IllegalAction, match="the round is over"):
        env.step(HIT)
    _, reward, terminated, _, info = env.step(STAND)
    assert (reward, terminated, info["net_cents"]) == (1.5, True, 600)
    with pytest.raises(IllegalAction, match="the round is over"):
        env.step(STAND)


def test_the_reward_counts_every_wager_of_the_round() -> None:
    env, _ = stacked("blackjack", "5c 6s 6d Th Tc 9s")
    _, reward, terminated, _, info = env.step(DOUBLE)
    assert (reward, terminated, info["net_cents"]) == (2.0, True, 800)  # 21 on a doubled hand; 25 busts


@pytest.mark.slow
@pytest.mark.parametrize("game", FAMILY)
@pytest.mark.parametrize("shoe", ["fresh", "house"])
def test_runs_are_repeatable_by_seed(game: str, shoe: Any) -> None:
    def run(seed: int) -> list[tuple[float, tuple[int, ...], str]]:
        env = TwentyOneEnv(game, shoe=shoe, render_mode="ansi")
        return [
            (reward, tuple(last["seen"]), str(env.render()))
            for last, reward, _ in random_rounds(env, 60, seed)
        ]

    assert run(8) == run(8)
    assert run(8) != run(9)


@pytest.mark.clause("PROC-6", "PROC-7")
def test_the_house_deals_on_until_the_cut_card_comes_out() -> None:
    """Six decks, one card burned, 1.5 to 2.5 decks behind the cut card."""
    env = TwentyOneEnv("blackjack", shoe="house")
    left = 0
    ends: list[int] = []
    for last, _, _ in random_rounds(env, 200, seed=4):
        opening = env.game.opening
        assert opening.shoe.total + opening.discards.total == 312
        if opening.shoe.total == 311:
            ends.append(left)
        else:
            assert opening.shoe.total == left
        left = env.game.undealt.total
        assert last["seen"].sum() == 311 - left
    assert len(ends) > 3
    assert all(104 - 30 < end < 104 for end in ends[1:])


@pytest.mark.clause("21-1.13")
def test_a_shoe_that_runs_out_is_dealt_on_from_its_discards() -> None:
    env = TwentyOneEnv(load_rules("players-edge-21", {"decks": 1}), spots=7, shoe="house")
    ran_out = 0
    for _ in random_rounds(env, 60, seed=2):
        ran_out += env.game.source is not env.game.opening.shoe
    assert ran_out > 0


def test_infinite_decks() -> None:
    env = TwentyOneEnv(load_rules("blackjack", {"decks": "infinite"}), shoe="house")
    assert len(list(random_rounds(env, 200, seed=2))) == 200


@pytest.mark.slow
@pytest.mark.parametrize("game", FAMILY)
def test_the_solvers_strategy_earns_its_exact_value(game: str) -> None:
    """The Super Bonus is no part of the solver's value, so the rules leave it out here."""
    rules = load_rules_as(TwentyOneRules, game, {"super_bonus.offered": False})
    solution = solve(rules, "basic")
    table, env, rounds = solution.strategy.action, TwentyOneEnv(rules), 8_000
    assert solution.strategy.automaton is env.automaton
    rewards = np.zeros(rounds)
    for number in range(rounds):
        seen, info = env.reset(seed=21 if number == 0 else None)
        terminated = False
        while not terminated:
            asked = info["action_mask"][INSURE] or env.game.phase is twentyone.Phase.OVER
            action = STAND if asked else table[seen["state"], seen["up"] - 1]
            seen, rewards[number], terminated, _, info = env.step(int(action))
    error = rewards.std() / math.sqrt(rounds)
    assert abs(rewards.mean() - solution.expected_value) < 4 * error
    assert 0.9 < rewards.std() / solution.standard_deviation < 1.1


def test_tables_that_cannot_be_are_refused() -> None:
    with pytest.raises(IllegalAction, match="off the limits"):
        TwentyOneEnv("blackjack", wager_cents=100)
    with pytest.raises(IllegalAction, match="no spot 8"):
        TwentyOneEnv("blackjack", spots=8)
    with pytest.raises(MalformedInput, match="no shoe"):
        TwentyOneEnv("blackjack", shoe="empty")
    with pytest.raises(MalformedInput, match="knockout-52"):
        TwentyOneEnv(load_rules("knockout-52"))
    with pytest.raises(MalformedInput, match="not an action"):
        stacked("blackjack", "Tc 6s 9d Kh")[0].step(8)
    with pytest.raises(Conflict, match="reset first"):
        TwentyOneEnv("blackjack").step(STAND)


def test_the_table_is_shown_without_the_hole_card() -> None:
    env = Stacked("blackjack", render_mode="ansi")
    env.first = parse_cards("Tc 6s 7d Kh")
    env.reset(seed=1)
    assert env.render() == (
        "Blackjack\ndealer: 6♠ ??\nspot 1 hand 1: 10♣ 7♦ (17), $4.00, live; stand, hit, double?"
    )


class TestKnockout52:
    def test_actions_are_the_sets_of_wagers(self) -> None:
        assert WAGER_SETS[0] == ("round-1",)
        assert WAGER_SETS[15] == ("all-the-way",)
        assert WAGER_SETS[30] == WAGERS
        assert len(set(WAGER_SETS)) == 31

    @pytest.mark.parametrize("action", [0, 15, 18, 30])
    def test_rewards_have_the_exact_mean(self, action: int) -> None:
        rules, games = load_rules_as(Knockout52Rules, "knockout-52"), 3000
        exact: dict[Fraction, Fraction] = {}
        for outcome, chance in chances(rules).items():
            net = sum(
                (
                    rules.odds_of(wager).ratio if wager == outcome else Fraction(-1)
                    for wager in WAGER_SETS[action]
                ),
                Fraction(0),
            )
            exact[net] = exact.get(net, Fraction(0)) + chance
        assert sum(exact.values()) == 1
        mean = float(sum(net * chance for net, chance in exact.items()))
        variance = float(sum(net * net * chance for net, chance in exact.items())) - mean**2
        env = Knockout52Env()
        rewards = []
        for number in range(games):
            env.reset(seed=52 if number == 0 else None)
            cards, reward, terminated, _, info = env.step(action)
            assert terminated
            assert Fraction(reward) in exact
            assert (cards - 1) // 13 == WAGERS.index(info["outcome"]) or info["outcome"] == "all-the-way"
            rewards.append(reward)
        assert abs(np.mean(rewards) - mean) < 4 * math.sqrt(variance / games)

    @pytest.mark.slow
    def test_runs_are_repeatable_by_seed(self) -> None:
        def run(seed: int) -> list[str | None]:
            env = Knockout52Env(render_mode="ansi")
            shown = []
            for number in range(20):
                env.reset(seed=seed if number == 0 else None)
                env.step(30)
                shown.append(env.render())
            return shown

        assert run(1) == run(1)
        assert run(1) != run(2)

    def test_a_game_has_one_step(self) -> None:
        env = Knockout52Env()
        with pytest.raises(Conflict, match="reset first"):
            env.step(0)
        env.reset(seed=1)
        with pytest.raises(MalformedInput, match="0 to 30"):
            env.step(31)
        env.step(0)
        with pytest.raises(Conflict, match="reset first"):
            env.step(0)

    def test_wrong_rules_and_stakes_are_refused(self) -> None:
        with pytest.raises(MalformedInput, match="not knockout-52"):
            Knockout52Env(load_rules("blackjack"))
        with pytest.raises(IllegalAction, match="KO52-3"):
            Knockout52Env(wager_cents=1)


def test_the_page_names_every_field_and_action() -> None:
    env = TwentyOneEnv("blackjack")
    space = env.observation_space
    assert isinstance(space, gymnasium.spaces.Dict)
    assert [name for name in space if f"| `{name}` |" not in DOCS] == []
    numbered = list(enumerate(ACTION_WORDS))
    assert [word for number, word in numbered if f"| {number} | {word} |" not in DOCS] == []
    assert [name for name in environments() if f"`{name}`" not in DOCS] == []


def test_the_example_of_the_page_runs() -> None:
    block, of_seats = blocks("python", DOCS)
    test = doctest.DocTestParser().get_doctest(block, {}, "envs.md", "envs.md", 0)
    report: list[str] = []
    results = doctest.DocTestRunner().run(test, out=report.append)
    assert results.attempted > 5
    assert results.failed == 0, "".join(report)
    names: dict[str, Any] = {}
    exec(of_seats, names)
    assert set(names["env"].terminations.values()) <= {True}


def test_the_entry_point_for_gymnasium_is_there() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    (target,) = project["project"]["entry-points"]["gymnasium.envs"].values()
    module, _, name = target.partition(":")
    assert getattr(importlib.import_module(module), name) is register


@pytest.mark.slow
def test_gymnasium_imports_the_environments_by_their_prefix() -> None:
    """Gymnasium has loaded no plugins since 1.0: who has not imported cardroom.envs names it before."""
    program = (
        "import gymnasium\n"
        "env = gymnasium.make('cardroom.envs:cardroom/Blackjack-v1')\n"
        "vector = gymnasium.make_vec('cardroom.envs:cardroom/Blackjack-v1', num_envs=3)\n"
        "print(env.spec.id, vector.num_envs)\n"
    )
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert answer.stdout.split() == ["cardroom/Blackjack-v1", "3"]
