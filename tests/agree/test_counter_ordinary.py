"""A counter who does nothing by the count has the rounds of the ordinary kernel, at every kind of table."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from cardroom.exact.twentyone import solve
from cardroom.protect.counts import find_count
from cardroom.protect.habits import Counter
from cardroom.protect.ramp import Ramp
from cardroom.protect.team import Team
from cardroom.rules import load_rules_as
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.rules.variants import variant_names
from cardroom.sim.twentyone import counter as kernel
from cardroom.sim.twentyone.counter_job import TOTALS
from cardroom.sim.twentyone.dealing import Dealing, new_marks, shoe_cards
from cardroom.sim.twentyone.job import Job
from cardroom.sim.twentyone.kernel import DEAD_ROUNDS, SHOES, STAKED, Room, play_rounds
from cardroom.sim.twentyone.stream import seed_key, stream_states

ROUNDS = 6000
SEED = 31
STREAMS = 4
SPOTS = 7
TABLES: dict[str, dict[str, object]] = {
    **{name: {} for name in variant_names()},
    "original wagers only": {"hole_card": "none", "dealer_blackjack_takes": "original"},
    "original wagers only, unseen": {
        "hole_card": "unseen",
        "dealer_blackjack_takes": "original",
        "double.rescue": "original",
    },
}


@pytest.mark.parametrize("name", TABLES)
def test_a_flat_counter_is_the_ordinary_kernel(name: str) -> None:
    """Half a deck dealt to its end to seven spots: shoes run out in rounds, and some rounds are dead."""
    rules = load_rules_as(
        TwentyOneRules, name if name in variant_names() else "blackjack", {"decks": 1, **TABLES[name]}
    )
    table = solve(rules, "basic").strategy
    dealing = Dealing(None, 0, rules.procedure.burn_cards)
    cards = shoe_cards(rules)[::2]
    few, plan = np.uint64(len(cards)), dealing.plan(len(cards))
    rounds = np.full(STREAMS, ROUNDS // STREAMS, np.int64)

    def streams() -> NDArray[np.uint32]:
        return stream_states(seed_key(SEED), 0, STREAMS).reshape(-1)

    job = Job.of(rules, table.action, seed=SEED, dealing=dealing, spots=SPOTS, side_bets=False)
    ordinary = job.prepared.tallies(np.zeros(job.prepared.tally_size, np.int64))
    game, marks, room = job.prepared.game._replace(cards=few, plan=plan), new_marks(STREAMS), Room.of(STREAMS)
    play_rounds(rounds, SPOTS, game, streams(), np.tile(cards, STREAMS), marks, room, ordinary)

    habits = Counter(find_count("hi-lo"), spots=SPOTS)
    counter = habits.job(rules, seed=SEED, cut_cards=0, most_units=1)
    prepared = replace(counter.prepared, game=counter.prepared.game._replace(cards=few, plan=plan))
    tally = np.zeros(kernel.BINS * kernel.SUMS + TOTALS, np.int64)
    counter.play(prepared, rounds, streams(), np.tile(cards, STREAMS), tally)

    nets, sums, parts = ordinary.nets.sum(axis=0), counter.sums(tally), counter.prepared.game.parts
    results = np.arange(nets.size) - nets.size // 2
    won, squared, staked = (
        int(sums.bins[:, what].sum()) for what in (kernel.WON, kernel.WON_SQUARED, kernel.STAKED)
    )
    assert won == parts * int(nets @ results)
    assert squared == parts**2 * int(nets @ results**2)
    assert staked == ordinary.counters[STAKED]
    assert list(sums.totals) == [ordinary.counters[SHOES], ordinary.counters[DEAD_ROUNDS]]
    assert 10 < ordinary.counters[DEAD_ROUNDS] < ROUNDS // 2


@pytest.mark.thorough
@pytest.mark.parametrize("name", TABLES)
def test_a_team_of_one_is_the_counter(name: str) -> None:
    """Insured where that is offered, on three spots, dealt to the last card."""
    rules = load_rules_as(
        TwentyOneRules, name if name in variant_names() else "blackjack", {"decks": 1, **TABLES[name]}
    )
    from_count = -1 if rules.insurance.offered else None
    habits = Counter(find_count("hi-lo"), Ramp.parse("1:3"), insurance_from=from_count, spots=3, others=1)
    counter = habits.job(rules, seed=SEED, cut_cards=0, most_units=3)
    team = Team((habits,), others=1).job(rules, seed=SEED, cut_cards=0, most_units=3)
    one = counter.sums(counter(0, ROUNDS)).bins
    assert np.array_equal(team.sums(team(0, ROUNDS)).bins[0], one)
    assert (one[:, kernel.INSURED].sum() > 0) == rules.insurance.offered
