"""Some rounds of a game's main wager simulated and summed, so that a mean can be watched as it settles."""

from __future__ import annotations

from typing import Any, NamedTuple

from cardroom.rules.knockout52 import Knockout52Rules
from cardroom.rules.twentyone import TwentyOneRules


class Sample(NamedTuple):
    """How many rounds, the sum of their results in wagers, and the sum of the squares."""

    rounds: int
    total: float
    squares: float

    @staticmethod
    def of(estimate: Any) -> Sample:
        """The sums of a simulation's estimate."""
        total = sum(float(net) * count for net, count in estimate.tally)
        squares = sum(float(net) ** 2 * count for net, count in estimate.tally)
        return Sample(estimate.rounds, total, squares)


def twentyone_sample(rules: TwentyOneRules, rounds: int, seed: int, wager_cents: int | None) -> Sample:
    """Rounds of the blackjack family, played by the best strategy from fresh shoes."""
    from cardroom.lab.advice import solved
    from cardroom.sim.twentyone import simulate

    stake = wager_cents or int(rules.limits.min)
    actions = solved(rules, stake).strategy.action
    result = simulate(
        rules, actions, rounds, seed=seed, strategy="composition", side_bets=False, wager_cents=stake
    )
    return Sample.of(result.estimate("primary"))


def knockout_52_sample(rules: Knockout52Rules, rounds: int, seed: int, wager_cents: int | None) -> Sample:
    """Games of Knockout 52 with a wager on Round 1."""
    from cardroom.sim.knockout52 import simulate

    stake = wager_cents or int(rules.limits.min)
    return Sample.of(simulate(rules, rounds, seed=seed, stake_cents=stake).estimate("round-1"))
