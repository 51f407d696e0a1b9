"""The blackjack family by the billion: rules and strategy compiled to tables, and kernels that play them.

>>> import numpy as np
>>> from cardroom.rules import load_rules_as
>>> from cardroom.rules.twentyone import TwentyOneRules
>>> from cardroom.model.twentyone.automaton import compile_hands
>>> rules = load_rules_as(TwentyOneRules, "blackjack")
>>> always_stand = np.zeros((len(compile_hands(rules).may), 10), np.int8)
>>> result = simulate(rules, always_stand, 10_000, seed=1, strategy="always stand")
>>> result.rounds, result.estimate("primary").mean < 0
(10000, True)
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from cardroom.rules.twentyone.schema import TwentyOneRules
from cardroom.sim.batches import Spread
from cardroom.sim.result import SimulationResult
from cardroom.sim.run import Progress, Run
from cardroom.sim.twentyone.dealing import Dealing
from cardroom.sim.twentyone.job import Job
from cardroom.sim.twentyone.report import report

__all__ = ["Dealing", "Job", "report", "simulate"]


def simulate(
    rules: TwentyOneRules,
    actions: NDArray[np.int8],
    rounds: int,
    *,
    seed: int,
    strategy: str,
    dealing: Dealing | None = None,
    spots: int = 1,
    side_bets: bool = True,
    wager_cents: int | None = None,
    side_cents: int | None = None,
    spread: Spread | None = None,
    until_standard_error: float | None = None,
    checkpoint: Path | None = None,
    progress: Progress | None = None,
) -> SimulationResult:
    """Play rounds by `actions[state, up value]`; the same seed gives the same result on any `spread`."""
    job = Job.of(
        rules,
        actions,
        seed=seed,
        dealing=dealing or Dealing.fresh(),
        spots=spots,
        side_bets=side_bets,
        wager_cents=wager_cents,
        side_cents=side_cents,
    )
    run = Run(rounds, spread, until_standard_error, checkpoint, progress)
    return report(job, run.of(job), strategy)
