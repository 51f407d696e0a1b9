"""The kernel of several counters and several counts beside naive ones at the engine's table.

Same cards, same counts, same wagers, same cents, round by round.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from cardroom.core.cards import CARDS, Card
from cardroom.core.decks import CardCounts
from cardroom.engine import twentyone
from cardroom.exact.twentyone import solve
from cardroom.lab.agreement import decision
from cardroom.model.twentyone.strategy import Strategy
from cardroom.protect.counts import Count, find_count, find_side_count
from cardroom.protect.deviations import named_indices, strategies
from cardroom.protect.habits import Counter, read_sides
from cardroom.protect.ramp import Ramp
from cardroom.protect.team import Team
from cardroom.rules import load_rules_as
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.sim.run import Run
from cardroom.sim.twentyone.counter import INSURED
from cardroom.sim.twentyone.team_job import TeamJob
from tests.agree.test_counter_kernel import LATE_BETS, SIDE, UNIT_CENTS, seen_as
from tests.insurance_houses import HOUSES

CUT = 75
LIST = named_indices()["illustrious"].deviations


class Told(NamedTuple):
    """A counter's round as both must tell it; a wager of 0 is a round sat out."""

    at: int
    wager: int
    money: Fraction
    cards_used: int
    insured: bool
    side_count: int


class Seat:
    """A counter as plain as can be: the cards seen so far, and fractions."""

    def __init__(self, name: str, counter: Counter, rules: TwentyOneRules, basic: Strategy) -> None:
        self.name, self.counter, self.rules = name, counter, rules
        self.bands, self.actions = strategies(basic.automaton, basic.action, counter.deviations)
        self.seated, self.wager = False, 0

    def value(self, count: Count | None, seen: Sequence[Card]) -> int:
        """A count after cards, as this counter reads it."""
        counter, whole = self.counter, list(self.rules.shoe().cards())
        used = count or counter.count
        decks = self.rules.decks
        assert decks != "infinite"
        if used.suits:
            left = [sum(card.suit == suit for card in whole) for suit in range(4)]
            for card in seen:
                left[int(card.suit)] -= 1
            running = Fraction(max(left) - min(left))
        else:
            mean = Fraction(0)
            running = Fraction(0)
            if counter.running:
                running = -Fraction(sum(used.tags[_letter(card)] for card in whole), decks) * (decks - 1)
            else:
                mean = sum((used.tags[_letter(card)] for card in whole), Fraction(0)) / len(whole)
            running += sum((used.tags[_letter(card)] - mean for card in seen), Fraction(0))
        if not counter.running:
            decks_left = Fraction(len(whole) - len(seen)) / Fraction(len(whole), decks)
            running /= seen_as(decks_left, counter.decks_known)
        match counter.rounding:
            case "floor":
                return running.__floor__()
            case "nearest":
                return (running + Fraction(1, 2)).__floor__()
            case _:
                return int(running)

    def sit(self, seen: Sequence[Card]) -> int:
        """Sit down or get up, and wager; the count that decides it."""
        counter, count = self.counter, self.value(None, seen)
        if counter.enter is None:
            self.seated = True
        else:
            leave = counter.enter if counter.leave is None else counter.leave
            self.seated = count >= (leave if self.seated else counter.enter)
        asked = counter.ramp.units(count) if self.seated else 0
        if counter.cover and asked and self.wager:
            allowed = [
                units
                for units in range(1, 100)
                if self.wager <= units * counter.cover and units <= self.wager * counter.cover
            ]
            asked = min(allowed, key=lambda units: abs(units - asked))
        self.wager = asked
        return count


def _letter(card: Card) -> str:
    return "T" if card.value == 10 else card.rank.letter


def naive_rounds(
    rules: TwentyOneRules, team: Team, basic: Strategy, shoe: Sequence[Card]
) -> Iterator[list[Told]]:
    """Every counter's round after round, at the engine's table."""
    seats = [Seat(f"counter {place}", one, rules, basic) for place, one in enumerate(team.counters)]
    seen: list[Card] = []
    used = rules.procedure.burn_cards
    while used < CUT:
        counts = [seat.sit(seen) for seat in seats]
        side_counts = [seat.value(seat.counter.side_count, seen) for seat in seats]
        wagers = [twentyone.SpotWager(at + 1, "other", UNIT_CENTS, {}) for at in range(team.others)]
        for seat, side_count in zip(seats, side_counts, strict=True):
            for spot in range(seat.counter.spots * seat.seated):
                sides = {
                    stake.wager: stake.units * UNIT_CENTS
                    for stake in seat.counter.sides
                    if spot == 0 and side_count >= stake.from_count
                }
                stake = seat.wager * UNIT_CENTS
                wagers.append(twentyone.SpotWager(len(wagers) + 1, seat.name, stake, sides))
        state, events = twentyone.start(rules, wagers, CardCounts.of_cards(shoe[used:]))
        happened, dealt, insured = list(events), list[Card](), set[str]()
        hole = None if rules.hole_card == "none" else 2 * len(wagers) + 1
        by_name = {seat.name: seat for seat in seats}
        while not isinstance(awaited := twentyone.awaits(state), twentyone.Done):
            move: Any
            if isinstance(awaited, twentyone.CardAwaited):
                move = shoe[used + len(dealt)]
                dealt.append(move)
            else:
                now = seen + [card for at, card in enumerate(dealt) if at != hole]
                player = state.spots[state.turn].player
                mine = by_name.get(player)
                if twentyone.DeclineInsurance() in awaited.options:
                    move = twentyone.DeclineInsurance()
                    if (
                        mine is not None
                        and mine.counter.insurance_from is not None
                        and mine.value(mine.counter.insurance_count, now) >= mine.counter.insurance_from
                    ):
                        move = next(one for one in awaited.options if isinstance(one, twentyone.Insure))
                        insured.add(player)
                elif mine is None:
                    move = decision(basic.automaton, basic.action, state)
                else:
                    value = mine.value(mine.counter.play_count, now)
                    row = 1 + sum(value >= band for band in mine.bands)
                    move = decision(basic.automaton, mine.actions[row], state)
            state, events = twentyone.step(state, move)
            happened += events
        seen += dealt
        used += len(dealt)
        net = twentyone.net_by_wager(happened)
        yield [
            Told(
                count,
                seat.wager,
                Fraction(sum(cents for (who, _), cents in net.items() if who == seat.name), UNIT_CENTS),
                used,
                seat.name in insured,
                side_count,
            )
            for seat, count, side_count in zip(seats, counts, side_counts, strict=True)
        ]


def by_kernel(job: TeamJob, shoe: NDArray[np.uint8], rounds: int) -> list[list[Told]]:
    """A shoe in its order: streams of zeros deal it as it lies."""
    trace = np.zeros((rounds, len(job.members), 7), np.int64)
    job.play(np.array([rounds], np.int64), np.zeros(4, np.uint32), shoe.copy(), job.empty(), trace)
    parts = job.prepared.parts
    return [
        [
            Told(int(count), int(wager), Fraction(int(money), parts), int(used), bool(insured), int(side))
            for count, wager, money, used, insured, _, side in one
        ]
        for one in trace
    ]


HI_LO, ZEN, TENS = find_count("hi-lo"), find_count("zen"), find_side_count("tens")
SPOTTER = Counter(HI_LO)
TEAMS = {
    "a spotter and a big player": Team(
        (
            SPOTTER,
            Counter(HI_LO, Ramp.parse("1:5,2:9"), LIST, insurance_from=1, enter=1, leave=0, spots=2),
        )
    ),
    "three counts, one rounded, one by cover": Team(
        (
            Counter(find_count("halves"), Ramp.parse("0:2,1:4"), decks_known="half", rounding="nearest"),
            Counter(find_count("ko"), Ramp.parse("1:3"), running=True),
            Counter(ZEN, Ramp.parse("0:3,1:9"), rounding="truncate", cover=2),
        ),
        others=1,
    ),
    "tens for insurance, another count for play": Team(
        (
            Counter(
                find_count("hi-opt-1"),
                Ramp.parse("1:4"),
                LIST,
                insurance_from=3,
                insurance_count=TENS,
                play_count=ZEN,
            ),
        )
    ),
    "suits for the side bet": Team(
        (
            Counter(
                HI_LO,
                Ramp.parse("1:2,2:5"),
                sides=read_sides(["21+3@2x1"]),
                side_count=find_side_count("suits"),
            ),
            Counter(ZEN, Ramp.parse("1:3"), sides=read_sides(["21+3@0"])),
        )
    ),
}


@pytest.mark.parametrize("game", SIDE)
@pytest.mark.parametrize("habits", TEAMS)
def test_the_kernel_is_the_naive_table_round_by_round(game: str, habits: str) -> None:
    team = TEAMS[habits]
    side = {stake.wager: SIDE[game] for one in team.counters for stake in one.sides}
    some = None if game == "blackjack" else 2  # others' tables know no such hands, or play them so anyway
    team = replace(
        team,
        counters=tuple(
            replace(
                one,
                deviations=one.deviations[:some],
                sides=tuple(replace(stake, wager=side[stake.wager]) for stake in one.sides),
            )
            for one in team.counters
        ),
    )
    limits = {"limits.max": "5000.00", "limits.side_max": "5000.00", "limits.chip": "1.00"}
    rules = load_rules_as(TwentyOneRules, game, {"decks": 2, **limits})
    random = np.random.default_rng([len(habits), len(game)])
    job = team.job(rules, cut_cards=rules.shoe().total - CUT, most_units=100)
    basic = solve(rules, "basic").strategy
    told = []
    for _ in range(4):
        shoe = random.permutation([card.index for card in rules.shoe().cards()]).astype(np.uint8)
        expected = list(naive_rounds(rules, team, basic, [CARDS[index] for index in shoe]))
        assert by_kernel(job, shoe, len(expected)) == expected
        told += expected
    if "suits" in habits:  # the two counts say different things, and both made the bet at times
        assert any(one.side_count != one.at for one, _ in told)
    if "big player" in habits:
        assert {big.wager > 0 for _, big in told} == {True, False}


def test_a_team_of_one_is_the_single_counter_sum_for_sum() -> None:
    """The kernel of a team and the faster one for a single counter: all sums of a million rounds' start."""
    rules = load_rules_as(TwentyOneRules, "blackjack")
    counter = Counter(HI_LO, Ramp.parse("0:2,2:8"), LIST, 3, read_sides(["21+3@1x2"]), enter=-1, others=2)
    single = counter.job(rules, seed=4, cut_cards=2, most_units=8)
    team = Team((counter,), others=2).job(rules, seed=4, cut_cards=2, most_units=8)
    alone, together = single.sums(single(5, 20_000)), team.sums(team(5, 20_000))
    assert np.array_equal(alone.bins, together.bins[0])
    assert np.array_equal(alone.side_lines, together.side_lines[0])
    assert np.array_equal(alone.totals, together.totals[:2])
    assert together.totals[2] == alone.bins[:, 5].sum()


@pytest.mark.clause("21-1.19")
def test_side_bets_on_a_second_card_that_comes_late() -> None:
    """Two counters with bets on it, at counts of their own, one with insurance; no hole card."""
    team = Team(
        (
            Counter(HI_LO, Ramp.parse("1:2,2:5"), insurance_from=0, sides=read_sides(["lucky-ladies@0x2"])),
            Counter(ZEN, Ramp.parse("1:3"), sides=read_sides(["long-bust@1", "ordered@-1", "21+3@0"])),
        ),
        others=1,
    )
    limits = {"limits.max": "5000.00", "limits.side_max": "5000.00", "limits.chip": "1.00"}
    rules = load_rules_as(TwentyOneRules, "blackjack", {"decks": 2, **limits, **LATE_BETS})
    random = np.random.default_rng(19)
    job = team.job(rules, cut_cards=rules.shoe().total - CUT, most_units=100)
    basic = solve(rules, "basic").strategy
    for _ in range(8):
        shoe = random.permutation([card.index for card in rules.shoe().cards()]).astype(np.uint8)
        expected = list(naive_rounds(rules, team, basic, [CARDS[index] for index in shoe]))
        assert by_kernel(job, shoe, len(expected)) == expected


@pytest.mark.parametrize("name", HOUSES)
def test_insurance_by_lines_is_the_single_counter_s_sum_for_sum(name: str) -> None:
    rules = load_rules_as(TwentyOneRules, "blackjack", HOUSES[name][0])
    counter = Counter(HI_LO, Ramp.parse("0:2,2:8"), LIST, -20, others=2)
    single = counter.job(rules, seed=4, cut_cards=2, most_units=8)
    team = Team((counter,), others=2).job(rules, seed=4, cut_cards=2, most_units=8)
    alone, together = single.sums(single(5, 20_000)), team.sums(team(5, 20_000))
    assert np.array_equal(alone.bins, together.bins[0])
    assert alone.bins[:, INSURED].sum() > 1000


def test_the_team_together_is_the_sum_of_its_counters() -> None:
    from cardroom.protect.team import TeamResult

    rules = load_rules_as(TwentyOneRules, "blackjack")
    team = TEAMS["a spotter and a big player"]
    job = team.job(rules, seed=2, most_units=9)
    result = TeamResult(job, team, Run(40_000).of(job), 400)
    trace = job.rounds_of_all(2000)
    money = trace[:, :, 2].sum(axis=1) / job.prepared.parts
    assert job.traced(2000)[:, 2].sum() == trace[:, :, 2].sum()
    assert np.isclose(result.seen.mean, sum(one.seen.mean for one in result.counters))
    assert money.std() ** 2 == pytest.approx(result.seen.variance, rel=0.3)
    assert result.hands == 40_000 + 2 * sum(row.played for row in result.counters[1].rows)
