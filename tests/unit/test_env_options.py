"""Environments in vectors, with bets, and with answers to actions that are not allowed."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from cardroom.core.cards import parse_cards
from cardroom.core.errors import Conflict, IllegalAction, MalformedInput
from cardroom.envs.twentyone import TwentyOneEnv
from cardroom.envs.vector import TwentyOneVectorEnv
from cardroom.rules import load_rules, load_rules_as
from cardroom.rules.twentyone import TwentyOneRules
from tests.stacked_environment import Stacked

STAND, HIT, DOUBLE, SPLIT, SURRENDER, RESCUE = range(6)


class TestIllegalActions:
    """What an action does that is not allowed, by option."""

    HARD_17 = "Tc 6s 7d Kh"

    def stacked(self, illegal: str) -> Stacked:
        env = Stacked("blackjack", illegal=illegal, illegal_reward=-0.25)
        env.first = parse_cards(self.HARD_17)
        env.reset(seed=1)
        return env

    def test_it_raises_unless_told_otherwise(self) -> None:
        with pytest.raises(IllegalAction):
            self.stacked("raise").step(SPLIT)

    def test_it_ends_the_episode(self) -> None:
        env = self.stacked("end")
        _, reward, over, truncated, info = env.step(SPLIT)
        assert (reward, over, truncated, info["illegal"]) == (-0.25, True, False, True)
        assert "net_cents" not in info
        assert not env.action_masks().any()
        _, info = env.reset()
        assert info["action_mask"].any()

    def test_it_costs_a_penalty_and_nothing_moves(self) -> None:
        env = self.stacked("penalty")
        before = env.game
        seen, reward, over, _, info = env.step(SPLIT)
        assert (seen["total"], reward, over, info["illegal"]) == (17, -0.25, False, True)
        assert env.game is before
        _, reward, over, _, info = env.step(STAND)  # the dealer turns 16 and draws from ordered spades
        assert over
        assert "illegal" not in info

    @pytest.mark.parametrize("illegal", ["end", "penalty"])
    def test_tables_of_a_vector_answer_each_for_itself(self, illegal: str) -> None:
        env = TwentyOneVectorEnv(64, "blackjack", illegal=illegal, illegal_reward=-0.25)
        seen, _ = env.reset(seed=1)
        rescues = np.full(64, RESCUE)
        after, rewards, over, _, info = env.step(rescues)
        assert (rewards == -0.25).all()
        assert info["illegal"].all()
        assert over.all() == (illegal == "end")
        assert np.array_equal(after["total"], seen["total"])

    def test_a_vector_refuses_all_before_anything_moves(self) -> None:
        env = TwentyOneVectorEnv(64, "blackjack")
        env.reset(seed=1)
        masks = env.action_masks()
        with pytest.raises(IllegalAction, match="table 0 may not rescue"):
            env.step(np.full(64, RESCUE))
        assert np.array_equal(env.action_masks(), masks)


class TestVector:
    def test_gymnasium_makes_it(self) -> None:
        env = gymnasium.make_vec("cardroom/Spanish21-v1", num_envs=9)
        assert isinstance(env.unwrapped, TwentyOneVectorEnv)
        seen, info = env.reset(seed=3)
        assert seen in env.observation_space
        assert info["action_mask"].shape == (9, 8)
        seen, rewards, over, truncated, _ = env.step(np.zeros(9, np.int64))
        assert seen in env.observation_space
        assert (rewards.shape, over.dtype, truncated.dtype) == ((9,), np.bool_, np.bool_)
        env.close()

    def test_tables_that_wait_are_begun_by_a_mask(self) -> None:
        env = TwentyOneVectorEnv(32, "blackjack", autoreset_mode="Disabled")
        env.reset(seed=2)
        _, _, over, _, info = env.step(np.zeros(32, np.int64))
        assert over.any()
        assert np.array_equal(info["_net_cents"], over)
        standing = env.action_masks()[~over]
        env.reset(options={"reset_mask": over})
        assert np.array_equal(env.action_masks()[~over], standing)
        assert env.action_masks()[over].any(axis=1).all()

    def test_seeds_may_be_given_one_by_one(self) -> None:
        env, other = TwentyOneVectorEnv(4), TwentyOneVectorEnv(4)
        seen, _ = env.reset(seed=10)
        same, _ = other.reset(seed=[10, 11, 12, 13])
        assert all(np.array_equal(seen[name], same[name]) for name in seen)

    def test_copies_are_kept_and_views_are_not(self) -> None:
        kept = TwentyOneVectorEnv(16)
        seen, _ = kept.reset(seed=5)
        before = seen["up"].copy()
        kept.reset(seed=6)
        assert np.array_equal(seen["up"], before)
        reused = TwentyOneVectorEnv(16, copy=False)
        seen, _ = reused.reset(seed=5)
        again, _ = reused.reset(seed=6)
        assert np.shares_memory(seen["up"], again["up"])

    def test_what_cannot_be_is_refused(self) -> None:
        with pytest.raises(MalformedInput, match="at least 1"):
            TwentyOneVectorEnv(0)
        env = TwentyOneVectorEnv(3)
        with pytest.raises(Conflict, match="reset first"):
            env.step(np.zeros(3, np.int64))
        env.reset(seed=1)
        for actions in ([0, 0], [0.5, 0, 0], [0, 0, 8]):
            with pytest.raises(MalformedInput, match="actions"):
                env.step(np.array(actions))
        with pytest.raises(MalformedInput, match="reset_mask"):
            env.reset(options={"reset_mask": np.zeros(3, np.bool_)})
        with pytest.raises(MalformedInput, match="seeds"):
            env.reset(seed=[1])


class TestBetting:
    def test_bets_are_the_last_actions(self) -> None:
        env = TwentyOneEnv(
            load_rules("spanish-21", {"limits.max": "100.00"}),
            bet_spread=[1, 4],
            side_bets=["match-the-dealer"],
        )
        assert env.action_words[8:] == (
            "bet 1",
            "bet 1 with match-the-dealer",
            "bet 4",
            "bet 4 with match-the-dealer",
        )
        seen, info = env.reset(seed=1)
        assert info["action_mask"].tolist() == [0] * 8 + [1] * 4
        assert (seen["cards"], seen["up"], seen["seen"].sum()) == (0, 0, 0)
        with pytest.raises(IllegalAction, match="the bets come first"):
            env.step(STAND)
        with pytest.raises(Conflict, match="bets come first"):
            _ = env.game
        seen, *_ = env.step(10)
        assert (seen["bet"], seen["cards"]) == (2, 2)
        assert env.game.spots[0].stake_cents == 4 * env.wager_cents
        with pytest.raises(IllegalAction, match="PROC-9"):
            env.step(8)

    def test_checked_by_gymnasium(self) -> None:
        rules = load_rules("blackjack", {"limits.max": "100.00"})
        check_env(
            TwentyOneEnv(rules, bet_spread=[1, 2], shoe="house", episode="shoe"), skip_render_check=True
        )

    def test_what_cannot_be_is_refused(self) -> None:
        with pytest.raises(IllegalAction, match="off the limits"):
            TwentyOneEnv("blackjack", bet_spread=[1, 2])
        with pytest.raises(MalformedInput, match="not on offer"):
            TwentyOneEnv("blackjack", side_bets=["nothing"])
        with pytest.raises(MalformedInput, match="multiples"):
            TwentyOneEnv("blackjack", bet_spread=[0])
        with pytest.raises(MalformedInput, match="an episode is a shoe only"):
            TwentyOneEnv("blackjack", episode="shoe")
        with pytest.raises(MalformedInput, match="raise or end or penalty"):
            TwentyOneEnv("blackjack", illegal="ignore")

    def test_a_bet_that_pays_from_a_meter_is_refused(self) -> None:
        rules = load_rules_as(TwentyOneRules, "blackjack")
        metered = [name for name in rules.offered_side_bets if rules.side_bets[name].meter_seed is not None]
        for name in metered:
            needs = rules.side_bets[name].needs
            with pytest.raises(MalformedInput, match="meter"):
                TwentyOneEnv(rules, side_bets=[name] if needs is None else [needs, name])
