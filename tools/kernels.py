"""Compile the kernels once, before the many processes of the tests ask for them at the same time.

A process that needs a kernel and finds none compiles it, even while others do, and a server that a test stops
meanwhile has compiled in vain. Kernels that are there are only loaded, which takes a few seconds.
"""

from __future__ import annotations

import subprocess
import sys

import numpy as np

from cardroom.rules import load_rules_as
from cardroom.rules.knockout21 import Knockout21Rules
from cardroom.rules.knockout52 import Knockout52Rules
from cardroom.rules.twentyone import TwentyOneRules

ROUNDS = 10_000


def compile_solver() -> None:
    """Exact values: of a whole shoe, of small ones, of the lottery; and a counter, who asks for them."""
    from cardroom.exact.knockout21.chain import EXACT_TICKETS, winners
    from cardroom.exact.twentyone import parse_shoe, solve
    from cardroom.protect.counts import find_count
    from cardroom.protect.habits import Counter
    from cardroom.protect.team import Team

    blackjack = load_rules_as(TwentyOneRules, "blackjack")
    for strategy in ("composition", "basic"):
        assert solve(blackjack, strategy).distribution
    for hands, shoe in ((2, "6:6,7:4,8:5,T:2"), (3, "T:7,9:6,8:6")):
        rules = load_rules_as(TwentyOneRules, "blackjack", {"split.max_hands": hands})
        assert solve(rules, shoe=parse_shoe(shoe)).distribution
    lottery = load_rules_as(Knockout21Rules, "knockout-21")
    for tickets in (100, EXACT_TICKETS + 1):
        assert winners(lottery, 1, tickets).mean > 0
    counter = Counter(find_count("hi-lo"))
    # Kernels of counters are compiled once for tables with a look, and once for all others.
    for rules in (blackjack, load_rules_as(TwentyOneRules, "blackjack", {"hole_card": "none"})):
        counter.job(rules, most_units=1)(0, ROUNDS)
        Team((counter, counter)).job(rules, most_units=1)(0, ROUNDS)


def compile_simulations() -> None:
    """Rounds of the blackjack family in every way they are played, the environments, and the other games."""
    from cardroom.envs.vector import TwentyOneVectorEnv
    from cardroom.model.twentyone.automaton import compile_hands
    from cardroom.sim import knockout52
    from cardroom.sim.knockout21.settlement import simulate_winners
    from cardroom.sim.twentyone import simulate
    from cardroom.sim.twentyone.cut_card import cut_card_effect
    from cardroom.sim.twentyone.joint import correlations
    from cardroom.sim.twentyone.spots import LEAST_ROUNDS, two_spots

    rules = load_rules_as(TwentyOneRules, "blackjack")
    always_stand = np.zeros((len(compile_hands(rules).may), 10), np.int8)
    for spots in (1, 2):
        simulate(rules, always_stand, ROUNDS, seed=1, strategy="always stand", spots=spots)
    two_spots(rules, always_stand, LEAST_ROUNDS, seed=1)
    correlations(rules, always_stand, ROUNDS, seed=1)
    cut_card_effect(rules, always_stand, 0.0, 1_000, seed=1)
    tables = TwentyOneVectorEnv(2)
    tables.reset(seed=1)
    tables.step(np.zeros(2, np.int64))
    tables.close()
    knockout52.simulate(load_rules_as(Knockout52Rules, "knockout-52"), ROUNDS, seed=1)
    simulate_winners(load_rules_as(Knockout21Rules, "knockout-21"), 100, 2, seed=1)


def main(arguments: list[str]) -> int:
    """Compile everything, half of it in a process beside this one."""
    if arguments == ["simulations"]:
        compile_simulations()
        return 0
    beside = subprocess.Popen([sys.executable, "-m", "tools.kernels", "simulations"])
    compile_solver()
    return beside.wait()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
