"""A table for several learners: turns go round, each seat has its own reward, and together they have all."""

from __future__ import annotations

import numpy as np
import pytest

from cardroom.core.errors import MalformedInput


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_pettingzoo_accepts_it() -> None:
    from pettingzoo.test import api_test

    from cardroom.envs.seats import TwentyOneSeats

    api_test(TwentyOneSeats("blackjack", seats=3), num_cycles=50, verbose_progress=False)


def test_rewards_of_the_seats_are_those_of_the_round() -> None:
    """The same seed and actions on the single environment with as many spots bring the same in all."""
    from cardroom.envs.seats import TwentyOneSeats
    from cardroom.envs.twentyone import TwentyOneEnv

    seats, single = TwentyOneSeats("blackjack", seats=3), TwentyOneEnv("blackjack", spots=3)
    split_or_doubled = 0
    for seed in range(40):
        seats.reset(seed=seed)
        observation, _ = single.reset(seed=seed)
        turns, reward, over = [], 0.0, False
        while not over:
            assert seats.agent_selection == f"seat_{observation['spot'] + 1}"
            seen, _, _, _, info = seats.last()
            assert np.array_equal(seen["action_mask"], observation["action_mask"])
            for other in set(seats.agents) - {seats.agent_selection}:
                assert not seats.observe(other)["action_mask"].any()
            may = np.flatnonzero(info["action_mask"])
            action = int(may[seed % len(may)]) if observation["total"] < 15 else 0
            turns.append(seats.agent_selection)
            split_or_doubled += action in (2, 3)
            seats.step(action)
            observation, reward, over, _, _ = single.step(action)
        assert set(turns) <= set(seats.possible_agents)
        assert sum(seats.rewards.values()) == pytest.approx(reward, abs=1e-12)
        assert all(seats.terminations.values())
        while seats.agents:
            seats.step(None)
    assert split_or_doubled > 5


def test_bets_are_not_asked_for() -> None:
    from cardroom.envs.seats import TwentyOneSeats

    with pytest.raises(MalformedInput, match="bet_spread is not an option of a table for several learners"):
        TwentyOneSeats("blackjack", seats=2, bet_spread=[1, 2])
