"""What every wager is worth before each round of shoes that are dealt: the most that can be known of them.

Side bets and insurance are counted exactly. The primary wager by the best play for each shoe takes a solution
of its own; so some rounds are solved, a straight line in the effects of removal is laid through them, and
what is won with that line is put right by what the solved rounds show.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cardroom.core.cards import CARDS, Rank
from cardroom.core.decks import CardCounts
from cardroom.core.errors import MalformedInput
from cardroom.exact.twentyone import solve
from cardroom.protect.effects import INSURANCE, PRIMARY, RE_OPTIMISED, effects_of, value_of
from cardroom.protect.paths import Paths
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.sim.shoe_draws import ShoeDraws
from cardroom.sim.twentyone.insurance import insurance_nets, insured_lines
from cardroom.sim.twentyone.insurance import line_nets as insurance_line_nets
from cardroom.sim.twentyone.side_ways import can_count, side_ways
from cardroom.sim.twentyone.sides import line_nets, nets_on_stake

Floats = NDArray[np.float64]
Progress = Callable[[int, int], None]


@dataclass(frozen=True, eq=False)
class Worth:
    """A wager before each round, for a unit of its own stake."""

    wager: str
    value: Floats
    """[round]; 0 in rounds in which the wager cannot be made."""
    variance: Floats
    """[round]"""
    solved: NDArray[np.int64]
    """Rounds in which the value was found by a solution, where the others are by the straight line."""
    solutions: Floats
    """The values of those rounds."""
    before: Floats | None = None
    """[round]: of insurance, which is asked for later: what it adds on average before the deal."""

    def put_right(self, rounds: NDArray[np.bool_]) -> tuple[float, float]:
        """What is won more with the true values than with the line, for each of these rounds; its error."""
        inside = rounds[self.solved]
        if inside.sum() < 2:
            return 0.0, 0.0
        more = np.maximum(self.solutions, 0)[inside] - np.maximum(self.value[self.solved], 0)[inside]
        return float(more.mean()), float(more.std(ddof=1) / math.sqrt(len(more)))


_NONE = np.zeros(0, np.int64)


def exactly(wager: str, value: Floats, variance: Floats) -> Worth:
    """A wager whose value is known in every round."""
    return Worth(wager, value, variance, _NONE, np.zeros(0))


def _ways(paths: Paths, wager: str) -> NDArray[np.int64]:
    """[round, line]; bets with the same lines are counted once."""
    machine = paths.rules.side_bets[wager].machine
    if machine not in paths.counted:
        paths.counted[machine] = side_ways(paths.rules, wager, paths.left)
    return paths.counted[machine]


def side_worth(
    paths: Paths, wager: str, meter_cents: int | None = None, *, stake_cents: int | None = None
) -> Worth:
    """A side bet on cards that are always dealt, counted in every round; on the least stake unless told."""
    rules = paths.rules
    ways = _ways(paths, wager)
    exact = line_nets(rules, wager, None) if stake_cents is None else nets_on_stake(rules, wager, stake_cents)
    nets = [float(net) for net in exact]
    bet = rules.side_bets[wager]
    if meter_cents is not None and bet.progressive_line is not None:
        place = 1 + bet.line_ids.index(bet.progressive_line)
        nets[place] = float(rules.line_net(wager, bet.progressive_line, meter_cents=meter_cents))
    chances = ways / ways.sum(axis=1, keepdims=True)
    value = chances @ np.array(nets)
    return exactly(wager, value, chances @ np.square(nets) - value**2)


def break_even_meters(paths: Paths, wager: str) -> Floats:
    """[round]: cents on the meter at which a progressive side bet is fair; infinite where none wins."""
    rules = paths.rules
    bet = rules.side_bets[wager]
    assert bet.progressive_line is not None
    ways = _ways(paths, wager).astype(float)
    nets = np.array([float(net) for net in line_nets(rules, wager, None)])
    place = 1 + bet.line_ids.index(bet.progressive_line)
    nets[place] = 0.0
    with np.errstate(divide="ignore"):
        return np.asarray(-(ways @ nets) / ways[:, place] * bet.fixed_stake_cents)


def insurance_worth(paths: Paths) -> Worth:
    """Insurance in rounds with an ace up, with the player's two cards and the up card seen."""
    rules = paths.rules
    value, variance = np.zeros(len(paths.place)), np.zeros(len(paths.place))
    lines = insured_lines(rules)
    nets = [float(net) for net in insurance_line_nets(rules, None)]
    aces = np.array([card.rank is Rank.ACE for card in CARDS])
    # The first cards of one spot: the player's, the up card, the player's second, the hole card.
    firsts = paths.cards[paths.shoe[:, None], paths.place[:, None] + np.arange(3)]
    for place in np.flatnonzero(aces[firsts[:, 1]]).tolist():
        left = paths.left[place] - np.bincount(firsts[place], minlength=52)
        unseen, row = left.sum(), lines[CARDS[firsts[place, 1]].suit]
        mean = square = 0.0
        paid, lost = (left * (row > 0)).sum() / unseen, 1.0
        for line in range(len(nets) - 1, 0, -1):  # the last one, number 1, is what the others leave
            chance = paid if line == 1 else (left * (row == line)).sum() / unseen
            paid, lost = paid - chance, lost - chance
            mean += chance * nets[line]
            square += chance * nets[line] ** 2
        value[place] = mean - lost
        variance[place] = square + lost - value[place] ** 2
    return replace(exactly(INSURANCE, value, variance), before=insurance_before(paths))


def insurance_before(paths: Paths) -> Floats:
    """[round]: what a unit of insurance adds before the cards are dealt, taken wherever that pays."""
    rules = paths.rules
    unseen = paths.unseen.astype(float)
    pairs = (unseen - 1) * (unseen - 2) / 2
    result = np.zeros(len(unseen))
    for ace, nets in zip(
        (card for card in CARDS if card.rank is Rank.ACE), insurance_nets(rules), strict=True
    ):
        # Cards under the ace that are paid alike are one kind; the hand is of one kind, or of two.
        alike = {net: [card.index for card in CARDS if nets[card.index] == net] for net in nets}
        left = {net: paths.left[:, cards].sum(axis=1).astype(float) for net, cards in alike.items()}
        left[Fraction(-1)] = left.get(Fraction(-1), np.zeros(len(unseen))) - 1  # the ace itself is up
        whole = sum((float(net) * number for net, number in left.items()), np.zeros(len(unseen)))
        for one, other in combinations_with_replacement(left, 2):
            ways = left[one] * (left[one] - 1) / 2 if one == other else left[one] * left[other]
            value = (whole - float(one) - float(other)) / (unseen - 3)
            chance = paths.left[:, ace.index] / unseen * ways / pairs
            result += chance * np.maximum(value, 0)
    return result


def primary_worth(paths: Paths, solved: int, seed: int, progress: Progress | None = None) -> Worth:
    """The primary wager by the best play for each shoe: some rounds solved, the others by a straight line.

    With `progress` somebody looks on: Ctrl-C then ends it early, with the rounds that were solved until then.
    """
    rules = paths.rules
    effects = effects_of(rules)
    full = rules.shoe()
    by_card = np.array([float(effects.by_card.get(card, 0)) for card in CARDS])
    counts = np.array(full.counts)
    by_card = np.where(counts > 0, by_card - (by_card @ counts) / full.total, 0.0)
    linear = -(full.total - 1) * (paths.left @ by_card) / paths.unseen
    draws = ShoeDraws(seed)
    chosen = np.array([draws.number(0, len(paths.place)) for _ in range(solved)])
    solutions = np.array(_solved(rules, paths.left[chosen], progress))
    chosen = chosen[: len(solutions)]  # fewer where somebody interrupted
    can_be = ~np.isnan(solutions)  # a shoe that may run out in the middle of a round cannot be solved
    if can_be.sum() < _LEAST_SOLVED:
        raise MalformedInput("too few rounds of this shoe can be solved: it is dealt too deep; cut more off")
    chosen, solutions = chosen[can_be], solutions[can_be]
    terms = np.column_stack([np.ones(len(linear)), linear, 1 / paths.unseen - 1 / full.total])
    line, *_ = np.linalg.lstsq(terms[chosen], solutions, rcond=None)
    variance = float(solve(rules, "basic").variance)
    return Worth(PRIMARY, terms @ line, np.full(len(linear), variance), chosen, solutions)


_LEAST_SOLVED: Final = 4


def _solved(rules: TwentyOneRules, left: NDArray[np.int64], progress: Progress | None) -> list[float]:
    """The value of each shoe, not a number where it cannot be solved."""
    worth, _ = value_of(rules, PRIMARY, RE_OPTIMISED)

    def value(counts: NDArray[np.int64]) -> float:
        try:
            return float(worth(CardCounts(tuple(int(number) for number in counts))))
        except MalformedInput:
            return math.nan

    solutions: list[float] = []
    with ThreadPoolExecutor() as threads:
        try:
            for done, one in enumerate(threads.map(value, left), 1):
                solutions.append(one)
                if progress is not None:
                    progress(done, len(left))
        except KeyboardInterrupt:
            threads.shutdown(wait=False, cancel_futures=True)
            if progress is None or len(solutions) < _LEAST_SOLVED:
                raise
    return solutions


def super_bonus_worth(paths: Paths, wager_cents: int) -> Floats:
    """[round]: what the Super Bonus adds for a unit of a wager of that size, to one who hits for it."""
    from cardroom.rules.twentyone import law

    rules = paths.rules
    left, unseen = paths.left.astype(float), paths.unseen.astype(float)
    ways = np.zeros(len(left))
    for held, ranks in law.super_bonus_hands(rules).items():
        own = np.full(len(left), float(len(law.drawn_orders(held))))
        for place, card in enumerate(held):
            own *= np.maximum(left[:, card.index] - held[:place].count(card), 0)
        ups = [card.index for card in CARDS if card.rank in ranks]
        ways += own * np.maximum(left[:, ups].sum(axis=1) - sum(card.rank in ranks for card in held), 0)
    chance = ways / (unseen * (unseen - 1) * (unseen - 2) * (unseen - 3))
    return np.asarray(chance * float(Fraction(rules.super_bonus.pays_on(wager_cents), wager_cents)))


def countable_sides(rules: TwentyOneRules) -> list[str]:
    """The side bets on offer that are counted in every round."""
    return [wager for wager in rules.offered_side_bets if can_count(rules, wager)]
