"""The GPU's simulations, their kernels compiled for the CPU: the sums of numba's, number for number."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from cardroom.lab.rule_sets import DOUBLE_EXPOSURE, EACH_OPTION, Changed, words
from cardroom.model.twentyone.automaton import compile_hands
from cardroom.protect.counts import find_count
from cardroom.protect.deviations import named_indices
from cardroom.protect.habits import Counter, read_sides
from cardroom.protect.ramp import Ramp
from cardroom.rules import load_rules_as
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.rules.variants import variant_names
from cardroom.sim.batches import threads
from cardroom.sim.run import Run
from cardroom.sim.twentyone import counter, kernel, stream
from cardroom.sim.twentyone import cuda as cuda_module
from cardroom.sim.twentyone import job as job_module
from cardroom.sim.twentyone.counter_cuda import gpu_of
from cardroom.sim.twentyone.counter_job import CounterJob
from cardroom.sim.twentyone.cuda import cuda, kernel_source
from cardroom.sim.twentyone.dealing import Dealing
from cardroom.sim.twentyone.dice import dice, random_actions
from cardroom.sim.twentyone.flat import flatten
from cardroom.sim.twentyone.job import Job
from cardroom.sim.twentyone.sides import MOST_LINES
from cardroom.sim.twentyone.stream import ROUNDS_PER_STREAM
from tests.bets_by_place import BY_PLACE
from tests.cuda_on_the_cpu import COMPILER, MULTIPROCESSORS, HostCupy
from tests.insurance_houses import HOUSES, LINES, SUITED_ALONE
from tests.thorough import one_in

ROUNDS = 6 * ROUNDS_PER_STREAM + 1000
"""Of seven streams, the last a short one."""
BATCH = 5
SEED = 2026

pytestmark = [
    pytest.mark.skipif(COMPILER is None, reason="this machine has no C++ compiler"),
    pytest.mark.usefixtures("on_the_host"),
]


def by_gpu(job: Any, rounds: int = ROUNDS) -> Any:
    """The tally of one batch, by all that a simulation on a GPU runs."""
    ((played, tally),) = cuda()(job, [(BATCH, rounds)])
    assert played == rounds
    return tally


def job_of(
    game: str, changes: dict[str, Any], dealing: Dealing | None = None, wager_cents: int | None = None
) -> Job:
    """A game with all its side bets, played by a strategy that the dice made."""
    rules = load_rules_as(TwentyOneRules, game, changes)
    actions = random_actions(compile_hands(rules, wager_cents), dice(9))
    how = Dealing.house(rules) if dealing is None else dealing
    return Job.of(rules, actions, seed=SEED, dealing=how, wager_cents=wager_cents)


FRESH = Dealing.fresh()
TO_THE_END = Dealing(None, 2, 1)
"""Two cards are left at the cut: shoes run out in the middle of rounds."""
NO_HOLE = {"hole_card": "none"}
ORIGINAL = {"dealer_blackjack_takes": "original"}
SIDES = {f"side_bets.{name}.offered": True for name in ("perfect-pairs", "in-bet", "sweet-16-hearts")}
CHIPS = {"blackjack_pays": "6:5", "rounding": "chip", "surrender": "late"}

CASES: dict[str, tuple[str, dict[str, Any], Dealing | None, int | None]] = {
    "blackjack": ("blackjack", {}, FRESH, None),
    "side bets on three and four cards": ("blackjack", SIDES, None, None),
    "side bets by where four cards lie": ("blackjack", {**SIDES, **BY_PLACE}, FRESH, None),
    "blackjack, infinite decks": ("blackjack", {"decks": "infinite"}, FRESH, None),
    "blackjack in chips": ("blackjack", CHIPS, FRESH, 400),
    "no hole card": ("blackjack", {**NO_HOLE, "surrender": "early", "decks": 2}, TO_THE_END, None),
    "an unseen hole card": (
        "blackjack",
        {"hole_card": "unseen", "surrender": "early", **ORIGINAL},
        FRESH,
        None,
    ),
    "both cards face up": ("blackjack", DOUBLE_EXPOSURE, FRESH, None),
    "insurance by own lines": ("blackjack", {"insurance.lines": LINES}, None, None),
    "insurance of one suit alone": ("blackjack", SUITED_ALONE, FRESH, None),
    "no insurance, a Charlie": (
        "blackjack",
        {"insurance.offered": False, "charlie": 5, "dealer_22_pushes": True},
        FRESH,
        None,
    ),
    "Spanish 21": ("spanish-21", {}, None, None),
    "Spanish 21, shoes that run out": ("spanish-21", {"decks": 2}, TO_THE_END, None),
    "Spanish 21, no hole card": (
        "spanish-21",
        {**NO_HOLE, **ORIGINAL, "double.rescue": "original"},
        Dealing(4, None, 0),
        None,
    ),
    "Spanish 21, both cards face up": (
        "spanish-21",
        {**DOUBLE_EXPOSURE, "surrender": "late", "decks": 1},
        FRESH,
        None,
    ),
    "Player's Edge 21": ("players-edge-21", {}, None, None),
    "Player's Edge 21, no hole card": ("players-edge-21", NO_HOLE, None, None),
    "no hole card, infinite decks, bets by where four cards lie": (
        "blackjack",
        {**NO_HOLE, **SIDES, **BY_PLACE, "decks": "infinite"},
        FRESH,
        None,
    ),
    "no hole card, original wagers, shoes that run out": (
        "players-edge-21",
        {**NO_HOLE, **ORIGINAL, "decks": 2, "double.rescue": "original"},
        TO_THE_END,
        None,
    ),
    "Player's Edge 21, infinite decks": (
        "players-edge-21",
        {"decks": "infinite", "insurance.lines": LINES},
        FRESH,
        None,
    ),
    "Player's Edge 21 under its caps": ("players-edge-21", {}, FRESH, 50_000),
    "Super Fun 21": ("super-fun-21", {}, None, None),
}


@pytest.mark.parametrize("name", CASES)
def test_the_gpu_source_plays_rounds_as_the_cpu(name: str, host_cupy: HostCupy) -> None:
    """All side bets are made, so that these are counted, too."""
    job = job_of(*CASES[name])
    tally = by_gpu(job)
    assert np.array_equal(tally, job(BATCH, ROUNDS))
    assert host_cupy.launched[-1] == "play"
    tallies = job.prepared.tallies(tally)
    assert tallies.nets.sum() == ROUNDS
    assert (tallies.side_lines.sum(axis=1) == ROUNDS).all()
    game = job.prepared.game
    if game.looks:
        lines = np.unique(game.insured[game.insured > 0]).astype(np.int64)
        assert (tallies.counters[kernel.ACES_UP + lines] > 0).all()


@pytest.mark.parametrize(
    "changed", one_in(12, [*EACH_OPTION, *((name, {}) for name in variant_names())]), ids=words
)
def test_the_gpu_source_plays_every_option_as_the_cpu(changed: Changed) -> None:
    """The rule sets of `bench/gpu_options.py`."""
    job = replace(job_of(*changed, FRESH), side_bets=False)
    assert np.array_equal(by_gpu(job), job(BATCH, ROUNDS))


RAMP = Ramp.parse("0:2,1:5,2:12")
ILLUSTRIOUS = named_indices()["illustrious"]
HI_LO = find_count("hi-lo")
DEVIATES = Counter(HI_LO, RAMP, ILLUSTRIOUS.deviations, ILLUSTRIOUS.insurance)
HABITS: dict[str, Counter] = {
    "ramp": Counter(HI_LO, RAMP),
    "deviations and insurance": DEVIATES,
    "three others at the table, half decks": replace(DEVIATES, others=3, decks_known="half"),
    "enters and leaves, truncate, a side bet": Counter(
        find_count("zen"),
        RAMP,
        enter=1,
        leave=-1,
        others=1,
        rounding="truncate",
        sides=read_sides(["21+3@2x2"]),
    ),
    "two spots, cover, running count": Counter(
        find_count("ko"), RAMP, spots=2, cover=2, running=True, rounding="nearest", insurance_from=0
    ),
}
SIDE = {"blackjack": "21+3", "spanish-21": "match-the-dealer", "players-edge-21": "match-up"}


def counter_job(game: str, habits: str, changes: dict[str, Any], cut_cards: int | None = None) -> CounterJob:
    player = HABITS[habits]
    if player.sides:
        player = replace(player, sides=read_sides([f"{SIDE[game]}@2x2"]))
    if game != "blackjack":  # others' tables know no such hands, or play them so by basic strategy
        player = replace(player, deviations=player.deviations[:2])
    rules = load_rules_as(TwentyOneRules, game, changes)
    return player.job(rules, seed=SEED, cut_cards=cut_cards, most_units=12)


@pytest.mark.parametrize(
    ("game", "habits", "changes", "cut_cards"),
    [
        *(("blackjack", habits, {}, None) for habits in HABITS),
        ("spanish-21", "deviations and insurance", {}, 2),
        ("spanish-21", "enters and leaves, truncate, a side bet", {}, None),
        ("players-edge-21", "three others at the table, half decks", {"decks": 2}, 2),
        ("players-edge-21", "enters and leaves, truncate, a side bet", {}, None),
        ("players-edge-21", "two spots, cover, running count", {}, None),
    ],
)
def test_the_gpu_source_counts_as_the_cpu(
    game: str, habits: str, changes: dict[str, Any], cut_cards: int | None, host_cupy: HostCupy
) -> None:
    job = counter_job(game, habits, changes, cut_cards)
    same_sums(job, host_cupy)
    bins = job.sums(job(BATCH, ROUNDS)).bins.sum(axis=0)
    assert bool(bins[counter.INSURED]) == (HABITS[habits].insurance_from is not None)
    assert (bins[counter.PLAYED] < bins[counter.SEEN]) == (HABITS[habits].enter is not None)
    assert bool(job.sums(job(BATCH, ROUNDS)).side_lines.sum()) == bool(job.sides)


@pytest.mark.parametrize("name", HOUSES)
def test_insurance_of_a_counter_by_lines_of_the_house_s_own(name: str, host_cupy: HostCupy) -> None:
    """Taken whenever an ace is up, so that every line is met."""
    job = replace(counter_job("blackjack", "ramp", HOUSES[name][0]), insure_from=-20)
    same_sums(job, host_cupy)


def test_a_counter_s_bet_by_where_four_cards_lie(host_cupy: HostCupy) -> None:
    rules = load_rules_as(TwentyOneRules, "blackjack", BY_PLACE)
    player = replace(HABITS["ramp"], sides=read_sides(["ordered@0x2", "21+3@1x1"]))
    job = player.job(rules, seed=SEED, most_units=12)
    same_sums(job, host_cupy)
    assert (job.sums(job(BATCH, ROUNDS)).side_lines[1, 1:4] > 0).all()


def same_sums(job: CounterJob, host_cupy: HostCupy) -> None:
    assert np.array_equal(by_gpu(job), job(BATCH, ROUNDS))
    assert host_cupy.launched[-1] == "count_rounds"


@pytest.mark.parametrize("counts", [False, True])
def test_threads_of_all_blocks_play_one_stream_after_another(
    counts: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Streams are short here, on the CPU as well, so that there are more of them than threads."""
    monkeypatch.setattr(stream, "ROUNDS_PER_STREAM", 32)
    monkeypatch.setattr(job_module, "ROUNDS_PER_STREAM", 32)
    job = counter_job("blackjack", "ramp", {}) if counts else job_of("blackjack", {}, FRESH)
    gpu = gpu_of(job) if counts else cuda_module._gpu(job)
    assert gpu.blocks == MULTIPROCESSORS > 1
    rounds = 32 * (2 * gpu.blocks * gpu.threads + 45) - 5
    assert np.array_equal(by_gpu(job, rounds), job(BATCH, rounds))


def test_many_batches_are_one_launch(host_cupy: HostCupy) -> None:
    """A whole simulation as `bench/gpu.py` holds it to the CPU's, a batch and a part of the next."""
    job = job_of("blackjack", {}, FRESH)
    before = len(host_cupy.launched)
    rounds = job.rounds_per_batch + ROUNDS
    assert np.array_equal(Run(rounds, cuda()).of(job).tally, Run(rounds, threads(1)).of(job).tally)
    assert len(host_cupy.launched) == before + 1


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("if (blockIdx.x + threadIdx.x == 40) return;", "some wait for threads that never come"),
        ("if (threadIdx.x == 40) byte_at(base + SIZE);", "thread 40: outside of the shared memory"),
        ("if (threadIdx.x == 40) short_at(base + 1);", "thread 40: shared memory at an odd address"),
        ("((u8 *)shared)[SIZE] = 0;", "something was written behind the shared memory"),
    ],
)
def test_what_a_device_would_not_forgive_is_found(line: str, why: str) -> None:
    """The proof above is one only if the device of these tests is no more patient than a GPU."""
    job = job_of("blackjack", {"decks": "infinite"}, FRESH)
    prepared = job.prepared
    flat = flatten(prepared.game, prepared.cards, prepared.results, MOST_LINES)
    size = cuda_module._fit(flat)[1]
    source = kernel_source().replace(
        "    u32 begun = 0;\n", f"    {line.replace('SIZE', str(size))}\n    u32 begun = 0;\n"
    )
    gpu = cuda_module.Gpu(flat, source)
    with pytest.raises(AssertionError, match=why):
        gpu.play(np.uint64(1), 0, 1, 10, 10)
