"""The counting kernel beside a naive counter at the engine's table: same cards, counts, wagers, cents."""

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
from cardroom.protect.counts import find_count
from cardroom.protect.deviations import named_indices, strategies
from cardroom.protect.habits import Counter, read_sides
from cardroom.protect.ramp import Ramp
from cardroom.rules import load_rules_as
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.rules.variants import variant_names
from cardroom.sim.twentyone.counter import BINS, SUMS, TRACE
from cardroom.sim.twentyone.counter_job import TOTALS, CounterJob
from cardroom.sim.twentyone.sides import MOST_LINES
from tests.bets_by_place import BY_PLACE
from tests.insurance_houses import HOUSES

UNIT_CENTS = 2000
RAMP = Ramp.parse("1:2,2:5,3:9")
ME = "counter"


class Told(NamedTuple):
    """A round as both must tell it."""

    at: int
    """The count before the round."""
    wager: int
    money: Fraction
    """In units."""
    cards_used: int
    insured: bool
    running: Fraction


class Naive:
    """A counter at the engine's table, as plain as can be: fractions, lists, and no table of numbers."""

    def __init__(
        self, rules: TwentyOneRules, counter: Counter, basic: Strategy, shoe: Sequence[Card]
    ) -> None:
        self.rules, self.counter, self.shoe = rules, counter, shoe
        self.automaton = basic.automaton
        self.bands, self.actions = strategies(self.automaton, basic.action, counter.deviations)
        self.tags = self._tags()
        self.seen: list[Card] = []
        self.seated = False
        self.last = 0
        self.rounds = 0

    def _tags(self) -> dict[str, Fraction]:
        tags = dict(self.counter.count.tags)
        if not self.counter.running:  # centred over the whole shoe
            whole = [tags["T" if card.value == 10 else card.rank.letter] for card in self.shoe]
            tags = {letter: tag - sum(whole) / Fraction(len(whole)) for letter, tag in tags.items()}
        return tags

    @property
    def running(self) -> Fraction:
        decks = self.rules.decks
        assert decks != "infinite"
        start = Fraction(0)
        if self.counter.running:
            whole = sum(self.counter.count.tags[_letter(card)] for card in self.shoe)
            start = -Fraction(whole, decks) * (decks - 1)
        return start + sum((self.tags[_letter(card)] for card in self.seen), Fraction(0))

    def count(self) -> int:
        value = self.running
        if not self.counter.running:
            assert self.rules.decks != "infinite"
            decks = Fraction(len(self.shoe) - len(self.seen)) / Fraction(len(self.shoe), self.rules.decks)
            value /= seen_as(decks, self.counter.decks_known)
        match self.counter.rounding:
            case "floor":
                return value.__floor__()
            case "nearest":
                return (value + Fraction(1, 2)).__floor__()
            case _:
                return int(value)

    def play(self, cut: int) -> Iterator[Told]:
        used = self.rules.procedure.burn_cards
        while used < cut:
            count = self.count()
            counter = self.counter
            if counter.enter is not None:
                self.seated = count >= ((counter.leave if self.seated else counter.enter) or 0)
            else:
                self.seated = True
            self.last = self._wager(count)
            used, money, insured = self._round(used, count)
            self.rounds += 1
            if self.seated:
                yield Told(count, self.last, money, used, insured, self.running)

    def _wager(self, count: int) -> int:
        """By the ramp, with cover never far from the last wager."""
        asked = RAMP.units(count) if self.seated else 0
        times = self.counter.cover
        if times is None or not asked or not self.last:
            return asked
        allowed = [
            units for units in range(1, 100) if self.last <= units * times and units <= self.last * times
        ]
        return min(allowed, key=lambda units: abs(units - asked))

    def _round(self, used: int, count: int) -> tuple[int, Fraction, bool]:
        counter, rules = self.counter, self.rules
        sides = {
            stake.wager: rules.side_bets[stake.wager].fixed_stake_cents or stake.units * UNIT_CENTS
            for stake in counter.sides
            if count >= stake.from_count
        }
        wagers = [
            twentyone.SpotWager(spot + 1, f"other {spot}", UNIT_CENTS, {}) for spot in range(counter.others)
        ]
        if self.seated:
            for spot in range(counter.spots):
                stake = self.last * UNIT_CENTS
                place = counter.others + spot + 1
                wagers.append(twentyone.SpotWager(place, ME, stake, sides if spot == 0 else {}))
        state, events = twentyone.start(rules, wagers, CardCounts.of_cards(self.shoe[used:]))
        happened = list(events)
        dealt: list[Card] = []
        # The last of the first cards, where there is one that nobody sees before the end.
        hole = 2 * len(wagers) + 1 if rules.hole_card in ("dealt", "unseen") else None
        insured = False

        def seen_so_far() -> list[Card]:
            return [card for at, card in enumerate(dealt) if at != hole]

        before = list(self.seen)
        while not isinstance(awaited := twentyone.awaits(state), twentyone.Done):
            move: Any
            if isinstance(awaited, twentyone.CardAwaited):
                move = self.shoe[used + len(dealt)]
                dealt.append(move)
            else:
                self.seen = before + seen_so_far()
                mine = state.spots[state.turn].player == ME
                if twentyone.DeclineInsurance() in awaited.options:
                    move = twentyone.DeclineInsurance()
                    if mine and counter.insurance_from is not None and self.count() >= counter.insurance_from:
                        move = next(one for one in awaited.options if isinstance(one, twentyone.Insure))
                        insured = True
                else:
                    band = sum(self.count() >= band for band in self.bands)
                    move = decision(self.automaton, self.actions[1 + band if mine else 0], state)
            state, events = twentyone.step(state, move)
            happened += events
        self.seen = before + dealt
        net = twentyone.net_by_wager(happened)
        won = sum(cents for (player, _), cents in net.items() if player == ME)
        return used + len(dealt), Fraction(won, UNIT_CENTS), insured


def seen_as(decks: Fraction, known: str) -> Fraction:
    """Decks left, as a counter takes them for: to the nearest part of a deck, and one part at least."""
    if known == "exact":
        return decks
    part = {"quarter": Fraction(1, 4), "half": Fraction(1, 2), "whole": Fraction(1)}[known]
    return max(1, int(decks / part + Fraction(1, 2))) * part


def _letter(card: Card) -> str:
    return "T" if card.value == 10 else card.rank.letter


def by_kernel(job: CounterJob, shoe: NDArray[np.uint8], rounds: int) -> list[Told]:
    """A shoe in its order: streams of zeros deal it as it lies."""
    prepared = job.prepared
    trace = np.zeros((rounds, len(TRACE)), np.int64)
    tally = np.zeros(BINS * SUMS + len(job.sides) * MOST_LINES + TOTALS, np.int64)
    one = np.array([rounds], np.int64)
    job.play(prepared, one, np.zeros(4, np.uint32), shoe.copy(), tally, trace)
    return [
        Told(
            int(count),
            int(wager),
            Fraction(int(money), prepared.parts),
            int(place),
            bool(insured),
            Fraction(int(running), prepared.running_parts),
        )
        for count, wager, money, place, insured, running in trace
    ]


ILLUSTRIOUS = named_indices()["illustrious"]
COUNTERS = {
    "ramp, indices, insurance": Counter(
        find_count("hi-lo"), RAMP, ILLUSTRIOUS.deviations, insurance_from=1, others=1
    ),
    "two spots, half decks, nearest": Counter(
        find_count("halves"), RAMP, spots=2, decks_known="half", rounding="nearest", insurance_from=0
    ),
    "enters and leaves": Counter(find_count("zen"), RAMP, enter=1, leave=-1, others=2, rounding="truncate"),
    "running, unbalanced": Counter(find_count("ko"), RAMP, running=True, others=1),
    "never more than twice the last": Counter(find_count("hi-lo"), RAMP, cover=2),
    "side bets at their count": Counter(find_count("hi-lo"), RAMP, sides=read_sides(["21+3@0x2"])),
}
LONG_BUST: dict[str, Any] = {
    "title": "Long Bust",
    "looks_at": ["player_1", "dealer_hand"],
    "lines": [
        {"name": "five cards", "when": {"of": "dealer", "bust": True, "number": {"min": 5}}, "pays": "12:1"},
        {"name": "bust", "when": {"of": "dealer", "bust": True}, "pays": "2:1"},
    ],
}
LIMITS = {"limits.max": "5000.00", "limits.side_max": "5000.00", "limits.chip": "1.00"}
SIDE = {"blackjack": "21+3", "spanish-21": "match-the-dealer", "players-edge-21": "match-up"}


@pytest.mark.parametrize("game", SIDE)
@pytest.mark.parametrize("habits", COUNTERS)
def test_the_kernel_is_the_naive_counter_round_by_round(game: str, habits: str) -> None:
    counter = COUNTERS[habits]
    if counter.sides:
        counter = replace(counter, sides=read_sides([f"{SIDE[game]}@0"]))
    if game != "blackjack":  # others' tables know no such hands, or play them so by basic strategy
        counter = replace(counter, deviations=counter.deviations[:2])
    rules = load_rules_as(TwentyOneRules, game, {"decks": 2, **LIMITS})
    as_the_naive_counter(rules, counter, np.random.default_rng([len(habits), len(game)]))


LATE_BETS: dict[str, Any] = {
    "hole_card": "none",
    **{f"side_bets.{name}.offered": True for name in ("lucky-ladies", "match-up", "match-down")},
    "side_bets.long-bust": LONG_BUST,
    **BY_PLACE,
}
"""No hole card, and bets on the second card by a table of three, of four, and by machines."""
NO_LOOK = {
    "european-blackjack": {},
    "pontoon": {},
    "a hole card that nobody sees": {"hole_card": "unseen", "surrender": "late"},
    "original wagers only": {"hole_card": "none", "dealer_blackjack_takes": "original"},
    "original wagers only, unseen": {
        "hole_card": "unseen",
        "dealer_blackjack_takes": "original",
        "double.rescue": "original",
    },
    "early surrender": {"hole_card": "none", "surrender": "early-not-ace"},
}
"""Tables where nobody looks before the play (21-1.19, 21-1.20, 21-1.26)."""


@pytest.mark.parametrize("name", NO_LOOK)
def test_tables_without_a_look(name: str) -> None:
    """Two spots after another's, every ace insured from a count of −3 on: the second card comes for it."""
    counter = Counter(
        find_count("hi-lo"), RAMP, ILLUSTRIOUS.deviations[:2], insurance_from=-3, others=1, spots=2
    )
    game = name if name in variant_names() else "blackjack"
    rules = load_rules_as(TwentyOneRules, game, {"decks": 2, **LIMITS, **NO_LOOK[name]})
    told = as_the_naive_counter(rules, counter, np.random.default_rng(21), shoes=12)
    assert sum(one.insured for one in told) > 2


@pytest.mark.clause("21-1.19")
@pytest.mark.parametrize(
    ("sides", "insured"),
    [
        (["lucky-ladies@-1x2"], None),  # the second card alone, and by a table of four cards
        (["long-bust@0"], -3),  # a whole hand, beside insurance
        (["match-up@-20", "match-down@1"], 0),  # a table of three, not always made
        (["ordered@-1", "21+3@2"], None),  # by a machine, card by card
    ],
    ids=str,
)
def test_side_bets_on_a_second_card_that_comes_late(sides: list[str], insured: int | None) -> None:
    """The dealer takes it for a side bet alone, and plays on for one on the whole hand."""
    counter = Counter(
        find_count("hi-lo"), RAMP, insurance_from=insured, others=1, spots=2, sides=read_sides(sides)
    )
    rules = load_rules_as(TwentyOneRules, "blackjack", {"decks": 2, **LIMITS, **LATE_BETS})
    as_the_naive_counter(rules, counter, np.random.default_rng([19, len(sides)]), shoes=12)


@pytest.mark.parametrize("others", [0, 2])
def test_both_dealers_cards_seen(others: int) -> None:
    """Double Exposure: the second card is counted before anybody plays."""
    counter = Counter(find_count("zen"), RAMP, others=others, decks_known="half")
    rules = load_rules_as(TwentyOneRules, "double-exposure", {"decks": 2, **LIMITS})
    as_the_naive_counter(rules, counter, np.random.default_rng(22), shoes=12)


BY_STAKE: dict[str, Any] = {
    "side_bets.one-dollar": {
        "title": "One Dollar",
        "looks_at": ["player_1", "player_2"],
        "lines": [{"name": "pair", "when": {"same": ["rank"]}, "pays": "11:1"}],
        "fixed_stake": "1.00",
    },
    "side_bets.larger": {
        "title": "Larger",
        "looks_at": ["player_1", "player_2"],
        "lines": [{"name": "suited", "when": {"same": ["suit"]}, "pays": "2:1"}],
        "larger_wagers": [{"from": "25.00", "pays": {"suited": "5:2"}}],
    },
}


def test_side_bets_that_are_paid_by_their_stake() -> None:
    """One takes a dollar where the unit is twenty; two units on the other, forty dollars, are paid more."""
    counter = Counter(find_count("hi-lo"), RAMP, sides=read_sides(["one-dollar@-9", "larger@-1x2"]))
    rules = load_rules_as(
        TwentyOneRules, "blackjack", {"decks": 2, **LIMITS, "limits.min": "20.00", **BY_STAKE}
    )
    as_the_naive_counter(rules, counter, np.random.default_rng(24), shoes=6)


def test_super_fun_21() -> None:
    counter = Counter(find_count("hi-lo"), RAMP, insurance_from=0, spots=2)
    rules = load_rules_as(TwentyOneRules, "super-fun-21", {"decks": 2, **LIMITS})
    as_the_naive_counter(rules, counter, np.random.default_rng(23))


@pytest.mark.parametrize("name", HOUSES)
def test_insurance_by_lines_of_the_house_s_own(name: str) -> None:
    """Every ace is insured, on two spots; the engine's table pays by its own lines."""
    counter = Counter(find_count("hi-lo"), RAMP, spots=2, insurance_from=-20)
    rules = load_rules_as(TwentyOneRules, "blackjack", {"decks": 1, **LIMITS, **HOUSES[name][0]})
    told = as_the_naive_counter(rules, counter, np.random.default_rng(16), shoes=25, cut=35)
    assert sum(one.insured for one in told) > 5


def as_the_naive_counter(
    rules: TwentyOneRules, counter: Counter, random: np.random.Generator, shoes: int = 4, cut: int = 75
) -> list[Told]:
    """The kernel's rounds, which are the naive counter's."""
    told: list[Told] = []
    job = counter.job(rules, cut_cards=rules.shoe().total - cut, most_units=100)
    basic = solve(rules, "basic").strategy
    for _ in range(shoes):
        shoe = random.permutation([card.index for card in rules.shoe().cards()]).astype(np.uint8)
        naive = Naive(rules, counter, basic, [CARDS[index] for index in shoe])
        expected = list(naive.play(cut))
        rounds = naive.rounds
        assert by_kernel(job, shoe, rounds)[: len(expected)] == expected
        told += expected
    assert len(told) > 5
    return told
