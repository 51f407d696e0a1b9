"""Counters at every table on the GPU, their kernels compiled for the CPU: numba's sums, number for number."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from cardroom import Game
from cardroom.core.errors import MalformedInput
from cardroom.lab.rule_sets import DOUBLE_EXPOSURE
from cardroom.protect.counts import find_count, find_side_count
from cardroom.protect.deviations import named_indices
from cardroom.protect.habits import Counter, read_sides
from cardroom.protect.ramp import Ramp
from cardroom.protect.team import Team
from cardroom.rules import load_rules_as
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.sim.twentyone import counter
from cardroom.sim.twentyone.counted_cuda import require_no_dead_round
from cardroom.sim.twentyone.counter_job import CounterJob
from cardroom.sim.twentyone.team_job import SeatJob
from tests.agree.test_rounds_cuda import BATCH, ROUNDS, SEED, by_gpu
from tests.bets_by_place import BY_PLACE
from tests.cuda_on_the_cpu import COMPILER, HostCupy
from tests.insurance_houses import LINES

pytestmark = [
    pytest.mark.skipif(COMPILER is None, reason="this machine has no C++ compiler"),
    pytest.mark.usefixtures("on_the_host"),
]

RAMP = Ramp.parse("0:2,1:5,2:12")
LIST = named_indices()["illustrious"].deviations
HI_LO = find_count("hi-lo")
NO_HOLE = {"hole_card": "none"}
UNSEEN = {"hole_card": "unseen"}
ORIGINAL = {"dealer_blackjack_takes": "original"}
WHOLE = {f"side_bets.{name}.offered": True for name in ("push-22", "bust-it", "buster-blackjack")}
"""Side bets on the dealer's whole hand."""

FLAT = Counter(HI_LO, RAMP)
DEVIATES = Counter(HI_LO, RAMP, LIST, insurance_from=1)
CROWD = replace(DEVIATES, others=3, decks_known="half")
TWO = Counter(
    find_count("ko"), RAMP, spots=2, others=1, cover=2, running=True, rounding="nearest", insurance_from=-3
)
WONGS = Counter(find_count("zen"), RAMP, enter=1, leave=-1, others=1, rounding="truncate")

# game, what is changed, the counter's habits, cards behind the cut card
TABLES: dict[str, tuple[str, dict[str, Any], Counter, int | None]] = {
    "no hole card": ("blackjack", NO_HOLE, DEVIATES, None),
    "no hole card, early surrender, two decks to the end": (
        "blackjack",
        {**NO_HOLE, "surrender": "early", "decks": 2},
        CROWD,
        2,
    ),
    "no hole card, original wagers only": ("blackjack", {**NO_HOLE, **ORIGINAL}, TWO, None),
    "no hole card, own lines of insurance": (
        "blackjack",
        {**NO_HOLE, "insurance.lines": LINES},
        replace(DEVIATES, insurance_from=-20),
        None,
    ),
    "an unseen hole card, on the dealer's hand": (
        "blackjack",
        {**UNSEEN, **WHOLE},
        replace(CROWD, insurance_from=-20, sides=read_sides(["21+3@1", "push-22@0x3", "bust-it@-1x2"])),
        None,
    ),
    "an unseen hole card": ("blackjack", {**UNSEEN, "surrender": "late"}, CROWD, None),
    "an unseen hole card, original wagers only": (
        "blackjack",
        {**UNSEEN, **ORIGINAL, "surrender": "early", "decks": 2},
        TWO,
        2,
    ),
    "both cards face up": ("blackjack", DOUBLE_EXPOSURE, replace(FLAT, others=1), None),
    "both cards face up, two spots": (
        "blackjack",
        {**DOUBLE_EXPOSURE, "decks": 2},
        replace(TWO, insurance_from=None),
        2,
    ),
    "Spanish 21, no hole card": (
        "spanish-21",
        {**NO_HOLE, **ORIGINAL, "double.rescue": "original"},
        replace(DEVIATES, deviations=LIST[:2], others=2),
        None,
    ),
    "Spanish 21, both cards face up": (
        "spanish-21",
        {**DOUBLE_EXPOSURE, "surrender": "late", "decks": 1},
        FLAT,
        4,
    ),
    "Player's Edge 21, an unseen hole card": (
        "players-edge-21",
        UNSEEN,
        replace(WONGS, insurance_from=0, sides=read_sides(["match-up@2x2"])),
        None,
    ),
    "on the dealer's hand": (
        "blackjack",
        WHOLE,
        replace(WONGS, sides=read_sides(["push-22@1", "buster-blackjack@3x2", "21+3@0", "bust-it@2"])),
        None,
    ),
    "on the dealer's hand, two spots": (
        "blackjack",
        {**WHOLE, **BY_PLACE, "decks": 2},
        replace(TWO, sides=read_sides(["push-22@-2", "ordered@0x2"])),
        2,
    ),
    "on the dealer's hand, both cards face up": (
        "blackjack",
        {**DOUBLE_EXPOSURE, **WHOLE},
        replace(FLAT, sides=read_sides(["push-22@0"])),
        None,
    ),
}


@pytest.mark.parametrize("name", TABLES)
def test_the_gpu_source_counts_at_every_table_as_the_cpu(name: str, host_cupy: HostCupy) -> None:
    game, changes, player, cut_cards = TABLES[name]
    rules = load_rules_as(TwentyOneRules, game, changes)
    job = player.job(rules, seed=SEED, cut_cards=cut_cards, most_units=12)
    sums = same_sums(job, host_cupy)
    bins = sums.bins.sum(axis=0)
    assert bool(bins[counter.INSURED]) == (player.insurance_from is not None)
    assert (bins[counter.PLAYED] < bins[counter.SEEN]) == (player.enter is not None)
    assert bool(sums.side_lines.sum()) == bool(player.sides)
    assert all((lines[1:] > 0).any() for lines in sums.side_lines)  # every bet was won at times


def same_sums(job: CounterJob, host_cupy: HostCupy) -> Any:
    tally = job(BATCH, ROUNDS)
    assert np.array_equal(by_gpu(job), tally)
    assert host_cupy.launched[-1] == "count_rounds"
    return job.sums(tally)


KO, ZEN, HALVES = find_count("ko"), find_count("zen"), find_count("halves")
TENS, ACES, SUITS = (find_side_count(name) for name in ("tens", "aces", "suits"))
BIG = replace(DEVIATES, enter=1, leave=0, spots=2)
ROUNDED = Counter(HALVES, RAMP, decks_known="half", rounding="nearest")
RUNNING = Counter(KO, RAMP, LIST[:3], running=True, cover=3, insurance_from=1)

# game, what is changed, the counters, others at the table, cards behind the cut card
TEAMS: dict[str, tuple[str, dict[str, Any], tuple[Counter, ...], int, int | None]] = {
    "a spotter and a big player": ("blackjack", {}, (FLAT, BIG), 0, None),
    "three counts, rounded, running, by cover": (
        "blackjack",
        {"decks": 2},
        (ROUNDED, RUNNING, replace(WONGS, others=0)),
        1,
        2,
    ),
    "tens for insurance, another count for play": (
        "blackjack",
        {},
        (replace(DEVIATES, count=find_count("hi-opt-1"), insurance_count=TENS, play_count=ZEN),),
        0,
        None,
    ),
    "suits for a side bet, alone": (
        "blackjack",
        {},
        (replace(FLAT, sides=read_sides(["21+3@2x2"]), side_count=SUITS),),
        2,
        None,
    ),
    "suits, aces and running counts": (
        "blackjack",
        {**WHOLE, **BY_PLACE, "decks": 2},
        (
            replace(FLAT, sides=read_sides(["21+3@1", "push-22@3x2"]), side_count=SUITS, rounding="truncate"),
            replace(RUNNING, sides=read_sides(["ordered@0x2"]), side_count=ACES, insurance_count=TENS),
            replace(BIG, sides=read_sides(["21+3@-1", "bust-it@1"]), play_count=HALVES),
        ),
        1,
        2,
    ),
    "seven counters": ("blackjack", {}, (FLAT, DEVIATES, ROUNDED, RUNNING, FLAT, DEVIATES, ROUNDED), 0, None),
    "Spanish 21": (
        "spanish-21",
        {"decks": 2},
        (
            replace(DEVIATES, deviations=LIST[:2]),
            Counter(ZEN, RAMP, enter=2, sides=read_sides(["match-the-dealer@1"])),
        ),
        1,
        2,
    ),
    "Player's Edge 21, own lines of insurance": (
        "players-edge-21",
        {"insurance.lines": LINES},
        (
            replace(FLAT, insurance_from=-20, insurance_count=TENS, spots=2),
            replace(FLAT, cover=2, sides=read_sides(["match-up@0x2"])),
        ),
        0,
        None,
    ),
    "no hole card, original wagers only": (
        "blackjack",
        {**NO_HOLE, **ORIGINAL, "decks": 2},
        (replace(DEVIATES, insurance_from=-1, insurance_count=TENS), replace(BIG, insurance_from=-20)),
        1,
        2,
    ),
    "an unseen hole card, on the dealer's hand": (
        "blackjack",
        {**UNSEEN, **WHOLE, "surrender": "early"},
        (
            replace(DEVIATES, insurance_from=-20, play_count=ZEN),
            replace(FLAT, sides=read_sides(["push-22@0x3", "buster-blackjack@1"]), enter=-1),
        ),
        2,
        None,
    ),
    "both cards face up": (
        "blackjack",
        {**DOUBLE_EXPOSURE, **WHOLE},
        (FLAT, replace(FLAT, count=ZEN, cover=2, sides=read_sides(["push-22@0"]), side_count=TENS)),
        0,
        None,
    ),
}


@pytest.mark.parametrize("name", TEAMS)
def test_the_gpu_source_plays_teams_as_the_cpu(name: str, host_cupy: HostCupy) -> None:
    game, changes, players, others, cut_cards = TEAMS[name]
    rules = load_rules_as(TwentyOneRules, game, changes)
    job = Team(players, others).job(rules, seed=SEED, cut_cards=cut_cards, most_units=12)
    tally = job(BATCH, ROUNDS)
    assert np.array_equal(by_gpu(job), tally)
    assert host_cupy.launched[-1] == "count_team"
    sums = job.sums(tally)
    for player, bins, lines in zip(players, sums.bins.sum(axis=1), sums.side_lines, strict=True):
        assert bool(bins[counter.INSURED]) == (player.insurance_from is not None)
        assert (bins[counter.PLAYED] < bins[counter.SEEN]) == (player.enter is not None)
        won = {bet for bet, row in zip(job.prepared.bets, lines, strict=True) if row[1:].any()}
        assert won == {stake.wager for stake in player.sides}  # every bet was won at times
    assert sums.totals[1] == 0
    assert (sums.totals[2:] != 0).all()


def test_one_counter_of_a_team_is_read_from_the_table(host_cupy: HostCupy) -> None:
    """A second count is kept at a table of one, and the whole table is played and handed over."""
    rules = load_rules_as(TwentyOneRules, "blackjack")
    seat = replace(DEVIATES, insurance_count=TENS).seat(rules, seed=SEED, most_units=12)
    assert isinstance(seat, SeatJob)
    assert np.array_equal(by_gpu(seat), seat(BATCH, ROUNDS))
    assert host_cupy.launched[-1] == "count_team"


def test_a_team_of_one_is_the_single_counter_on_the_gpu(host_cupy: HostCupy) -> None:
    rules = load_rules_as(TwentyOneRules, "blackjack")
    player = replace(TWO, sides=read_sides(["21+3@0x2"]))
    single = player.job(rules, seed=SEED, most_units=12)
    team = Team((player,), player.others).job(rules, seed=SEED, most_units=12)
    alone, together = single.sums(by_gpu(single)), team.sums(by_gpu(team))
    assert np.array_equal(alone.bins, together.bins[0])
    assert np.array_equal(alone.side_lines, together.side_lines[0])
    assert host_cupy.launched[-2:] == ["count_rounds", "count_team"]


def test_the_library_plays_teams_and_second_counts_by_either() -> None:
    game = Game("blackjack")
    team = ["count=hi-lo", "count=zen ramp=1:4,2:12 enter=2 insurance-from=1 insurance-count=tens"]
    by_gpu_and_cpu = [game.team(ROUNDS, team, backend=backend) for backend in ("cuda", "cpu")]
    assert len({str(one.to_dict()) for one in by_gpu_and_cpu}) == 1
    alone = [
        game.counter(ROUNDS, "hi-lo", "1:5", insurance_from=3, insurance_count="tens", backend=backend)
        for backend in ("cuda", "cpu")
    ]
    assert len({one.win_per_100_seen for one in alone}) == 1


def test_what_is_too_large_for_the_gpu_is_refused_and_never_played_as_something_else() -> None:
    """A thousandth of a point has more parts than 32 bits hold."""
    odd = replace(HI_LO, tags={**HI_LO.tags, "7": Fraction(1, 1_000_003)})
    rules = load_rules_as(TwentyOneRules, "blackjack")
    for job in (
        Counter(odd, RAMP).job(rules, most_units=12),
        Team((FLAT, Counter(odd, RAMP))).job(rules, most_units=12),
    ):
        with pytest.raises(MalformedInput, match="too many parts for the GPU; use the backend cpu"):
            by_gpu(job)


def test_a_round_that_uses_up_its_shoe_is_refused() -> None:
    """Nothing is left to deal on from: the CPU counts such a round as dead (21-1.13)."""
    with pytest.raises(MalformedInput, match="with no discards; use the backend cpu"):
        require_no_dead_round({"shoes": 9, "ran_out": 1})
