"""The whole distribution of a round's result, in units of the automaton.

Hands of one spot meet the same dealer and share the shoe, so they are not independent. Two hands are counted
together, over all pairs of ends and the cards that both have taken: exact. Three and four hands are combined
from the exact law of one hand, given the dealer's final and how the spot was split, and the exact correlation
of two; neglected is how far a third hand changes the correlation of two, about 10⁻⁷ in any chance with six
decks. The mean is exact in any case.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import reduce
from math import comb
from typing import Final

import numpy as np
from numba import njit

from cardroom.exact.twentyone.dealer import MADE, Draw, odds, parts_for
from cardroom.exact.twentyone.measure import BUSTS, FINALS, WHOLE, split_measure
from cardroom.exact.twentyone.nodes import Compositions, Floats, Ints
from cardroom.exact.twentyone.play import DOUBLE, HIT, RESCUE, SPLIT, SURRENDER, ended_value, spread
from cardroom.exact.twentyone.solver import Solver, UpCard
from cardroom.exact.twentyone.split import (
    hands_allowed,
    pair_chance,
    split_counts,
    split_value,
    split_ways,
)
from cardroom.rules.twentyone.automaton import NONE

Law = defaultdict[int, float]
"""Chances by result in units."""
FITTING_ROUNDS: Final = 100
"""Enough for any shoe; few are needed."""
HARDLY: Final = 1e-14
"""The chance of two ends, given the split, below which they are counted among the busts of their stakes."""
NOISE: Final = 1e-12
"""Chances below this part of the whole may be nothing but rounding."""


def distribution(solver: Solver, up: UpCard, *, follow: bool) -> Law:
    """The distribution of the result against one up card."""
    result = _without_split(solver, up)
    for rank, chance in _splits(solver, up).items():
        for units, part in _Split(solver, up, rank, follow=follow).law().items():
            result[units] += chance * part
    return result


def final_wager(solver: Solver, up: UpCard, *, follow: bool) -> float:
    """The mean of all that stands on a spot at the end of a round against one up card, in wagers."""
    states, nodes, played = solver.states, solver.nodes, up.played
    # Every ending pays its stake, and so does a bust.
    counting = states._replace(
        pay=np.repeat(states.stake[:, None], FINALS, axis=1),
        stake=-states.stake,
        surrender_pay=1.0,
        rescue_pay=states.stake,
    )
    first_wager = 1.0
    result = 0.0
    for node in nodes.first_two.tolist():
        if ways := float(played.ways[node, 0]):
            blackjack = _two_cards(solver, up, node) - played.weights[nodes.composition[node], WHOLE]
            result += ways * first_wager * float(blackjack)
    ways_to = played.ways.copy()
    spread(ways_to, states, nodes, played.action)
    for node in np.flatnonzero(ways_to[:, 0]).tolist():
        action = int(played.action[node])
        if action != SPLIT:
            s = nodes.state[node]
            gets = nodes.state[nodes.doubled[node]] if action == DOUBLE else s
            weight = played.weights[nodes.composition[node]]
            result += ways_to[node, 0] * ended_value(
                action, counting.pay[s], weight, counting.stake[gets], first_wager, counting.rescue_pay[s]
            )
    for rank, chance in _splits(solver, up).items():
        wagered = split_value(rank, counting, nodes, solver.known, up.draw, played.action, follow=follow)
        result += chance * (wagered or 0.0)
    return float(result)


def _splits(solver: Solver, up: UpCard) -> dict[int, float]:
    """The chance that a pair of a rank comes and is split, by rank."""
    result: dict[int, float] = {}
    for node in solver.nodes.first_two.tolist():
        if up.played.action[node] == SPLIT and up.played.ways[node, 0]:
            rank = int(solver.states.pair[node])
            chance = float(up.played.ways[node, 0]) * pair_chance(up.draw, rank)
            result[rank] = result.get(rank, 0.0) + chance
    return result


def _without_split(solver: Solver, up: UpCard) -> Law:
    nodes, states, played, automaton = solver.nodes, solver.states, up.played, solver.automaton
    result: Law = defaultdict(float)
    for node in nodes.first_two.tolist():
        if ways := float(played.ways[node, 0]):
            blackjack = ways * (_two_cards(solver, up, node) - played.weights[nodes.composition[node], WHOLE])
            result[int(automaton.pay[nodes.state[node], FINALS])] += float(blackjack)
    ways_to = played.ways.copy()
    spread(ways_to, states, nodes, played.action)
    for node in np.flatnonzero(ways_to[:, 0]).tolist():
        weight = ways_to[node, 0] * played.weights[nodes.composition[node]]
        _end(result, solver, node, int(played.action[node]), weight)
    return result


def _end(result: Law, solver: Solver, node: int, action: int, weight: Floats) -> None:
    """Add what ends at a node to a law."""
    automaton, nodes = solver.automaton, solver.nodes
    s = nodes.state[node]
    if action in (HIT, DOUBLE):
        gets = nodes.state[nodes.doubled[node]] if action == DOUBLE else s
        result[-int(automaton.stake[gets])] += float(weight[BUSTS])
    elif action == SURRENDER:
        result[automaton.surrender_pay] += float(weight[WHOLE])
    elif action == RESCUE:
        result[int(automaton.rescue_pay[s])] += float(weight[WHOLE])
    elif action != SPLIT:
        for final in range(FINALS):
            result[int(automaton.pay[s, final])] += float(weight[final])


def _two_cards(solver: Solver, up: UpCard, node: int) -> float:
    """The chance of the cards of a two-card node in one order."""
    draw = up.draw
    counts = solver.known.counts[solver.nodes.composition[node]]
    one, other = np.repeat(np.arange(len(draw.left)), counts).tolist()
    left = draw.left[other] - (draw.step if other == one else 0.0)
    return float(draw.left[one] / draw.total * left / (draw.total - draw.step))


@dataclass(frozen=True, slots=True)
class _Ending:
    """A way to end, or to enter a double: its results against the finals, and the stake it is at."""

    results: tuple[int, ...] | None
    """None for entering a double."""
    stake: int


class _Split:
    """The split of one pair against one up card, given the pair."""

    def __init__(self, solver: Solver, up: UpCard, rank: int, *, follow: bool) -> None:
        self.solver, self.up, self.rank = solver, up, rank
        states, nodes, self.action = solver.states, solver.nodes, up.played.action
        self.hands = hands_allowed(rank, states, nodes, self.action, follow=follow)
        self.ways = split_ways(rank, self.hands > 2, states, nodes, self.action)
        reached = np.flatnonzero(self.ways.any(axis=1))
        self.ends = [node for node in reached.tolist() if self.action[node] != HIT]
        self.kinds: dict[_Ending, int] = {}
        self.kind = np.array([self._number(node) for node in self.ends])
        draw = up.draw
        self.pairs = draw.left[rank] - 2.0 * draw.step
        self.cards = draw.total - 2.0 * draw.step
        self.chance = [1.0]
        for r in range(2 * self.hands):
            left = max(self.pairs - draw.step * r, 0.0)
            self.chance.append(self.chance[-1] * left / max(self.cards - draw.step * r, 1.0))
        self.stakes = sorted({int(solver.automaton.unit), *(kind.stake for kind in self.kinds)})
        rows = [kind.results for kind in self.kinds if kind.results is not None]
        losses = [(-stake,) * FINALS for stake in self.stakes]
        self.values = sorted({value for row in (*rows, *losses) for value in row})

    def _number(self, node: int) -> int:
        automaton, nodes = self.solver.automaton, self.solver.nodes
        s, action = nodes.state[node], self.action[node]
        if action == DOUBLE:
            ending = _Ending(None, int(automaton.stake[nodes.state[nodes.doubled[node]]]))
        elif action == RESCUE:
            ending = _Ending((int(automaton.rescue_pay[s]),) * FINALS, int(automaton.stake[s]))
        else:
            ending = _Ending(tuple(automaton.pay[s, :FINALS].tolist()), int(automaton.stake[s]))
        return self.kinds.setdefault(ending, len(self.kinds))

    def law(self) -> Law:
        """The distribution of the sum of all hands."""
        short, full = split_counts(self.hands)
        two, base = self._two_hands()
        result: Law = defaultdict(float)
        for (one, other), by_final in np.ndenumerate(two.sum(axis=2)):
            result[self.values[one] + self.values[other]] += float(by_final)
        if self.hands == 2:
            return result
        alone = two.sum(axis=1)
        comes = (alone > NOISE * base) & (base > NOISE * base.sum())
        both = comes[:, None] & comes[None]
        apart = alone[:, None] * alone[None]
        correlation = np.where(both, two * base / np.where(both, apart, 1.0), 1.0)
        for s in range(1, self.hands):
            if short[s]:
                self._add_many(result, correlation, int(short[s]), s, s + 2, s + 2)
        for b in range(self.hands):
            if full[b]:
                self._add_many(result, correlation, int(full[b]), self.hands - 2, self.hands, b)
        return result

    def _sums(self, final: int) -> Floats:
        """[value, kind]: results from kinds of endings; what enters a stake and ends no other way is a bust.

        The last kind is any hand.
        """
        place = {value: number for number, value in enumerate(self.values)}
        before = dict(zip(self.stakes[1:], self.stakes, strict=False))
        result = np.zeros((len(self.values), len(self.kinds) + 1))
        for kind, number in self.kinds.items():
            if kind.results is None:
                result[place[-kind.stake], number] += 1.0
                result[place[-before[kind.stake]], number] -= 1.0
            else:
                result[place[kind.results[final]], number] += 1.0
                result[place[-kind.stake], number] -= 1.0
        result[place[-self.stakes[0]], -1] += 1.0
        return result

    def _base(self, s: int, closed: int) -> Floats:
        """[final]: the chance that s second cards were pair cards and those of the closed hands were not."""
        extra = np.array([2 + s + t for t in range(closed + 1)])
        out = np.zeros((len(extra), WHOLE + 1))
        odds(self.up.draw, self.solver.known, 0, self.rank, extra, parts_for(self.up.draw), out)
        signs = [(-1) ** t * comb(closed, t) * self.chance[s + t] for t in range(closed + 1)]
        result: Floats = np.array(signs) @ out[:, :FINALS]
        return result

    def _one_hand(self, s: int, others_closed: int, *, closed: bool, base: Floats) -> Floats:
        """[kind, final]: how one hand ends, with so many others closed; the last kind is any hand."""
        weights = np.zeros((s + others_closed + 1, 2))
        for t in range(others_closed + 1):
            weights[s + t, : 1 if closed else 2] = (-1) ** t * comb(others_closed, t) * self.chance[s + t]
        some, place = np.unique(self.solver.nodes.composition[self.ends], return_inverse=True)
        measures = split_measure(self.solver.known, self.up.draw, self.rank, weights, some)
        ended = np.einsum("ns,nsf->nf", self.ways[self.ends], measures[place][:, :, :FINALS])
        result = np.zeros((len(self.kinds) + 1, FINALS))
        np.add.at(result, self.kind, ended)
        result[-1] = base
        return result

    def _two_hands(self) -> tuple[Floats, Floats]:
        """([value, value, final], [final]): the law of two hands that are not split again, and its sums."""
        free = self.hands == 2
        closed = 0 if free else 2
        base = self._base(0, closed)
        alone = self._one_hand(0, 0 if free else 1, closed=not free, base=base)
        known = self.solver.known
        ways = self.ways[self.ends].sum(axis=1) if free else self.ways[self.ends, 0]
        taken, ways, likely, kind = self._merged(ways)
        pairs = _pairs(
            self.solver.wide_draw(self.up.rank), known, self.rank, taken, ways, likely, kind, len(self.kinds)
        )
        joint = np.concatenate([pairs, alone[None, :-1]], axis=0)
        joint = np.concatenate([joint, alone[:, None]], axis=1)
        sums = np.stack([self._sums(final) for final in range(FINALS)], axis=2)
        return np.einsum("akf,klf,blf->abf", sums, joint, sums), base

    def _merged(self, ways: Floats) -> tuple[Ints, Floats, Floats, Ints]:
        """(cards taken, ways, about the chance, kind) of ends told apart by cards and kind, likely first."""
        nodes, known, draw = self.solver.nodes, self.solver.known, self.up.draw
        composition = nodes.composition[self.ends]
        number = len(known.size)
        places, at = np.unique(self.kind * number + composition, return_inverse=True)
        summed = np.bincount(at, ways).astype(np.float64)
        taken = known.counts[places % number].copy()
        taken[:, self.rank] -= 1
        left = draw.left.copy()
        left[self.rank] -= 2.0 * draw.step
        rate = np.maximum(left, 0.0) / self.cards
        likely = summed * np.prod(rate**taken, axis=1)
        order = np.argsort(-likely)
        return taken[order], summed[order], likely[order], places[order] // number

    def _add_many(
        self, result: Law, correlation: Floats, orders: int, s: int, hands: int, closed: int
    ) -> None:
        """Add splits into three or four hands, of which some had to get another card than a pair card."""
        base = self._base(s, closed)
        ways = [
            self._one_hand(s, closed - is_closed, closed=is_closed, base=base)
            for is_closed in [True] * closed + [False] * (hands - closed)
        ]
        values = np.array(self.values)
        sums = reduce(np.add.outer, [values] * hands)
        for final in range(FINALS):
            if base[final] <= NOISE * base.sum():
                continue
            each = [self._sums(final) @ way[:, final] / base[final] for way in ways]
            together = reduce(np.multiply.outer, each)
            for one in range(hands):
                for other in range(one):
                    shape = [1] * hands
                    shape[one] = shape[other] = len(values)
                    together = together * correlation[:, :, final].reshape(shape)
            _fit(together, each)
            chances = np.bincount((sums - sums.min()).ravel(), together.ravel())
            for units in np.flatnonzero(chances).tolist():
                result[units + int(sums.min())] += orders * float(base[final] * chances[units])


def _fit(together: Floats, each: list[Floats]) -> None:
    """Give a joint law the exact laws of its parts, by proportion."""
    for _ in range(FITTING_ROUNDS):
        worst = 0.0
        for axis, law in enumerate(each):
            now = together.sum(axis=tuple(other for other in range(len(each)) if other != axis))
            worst = max(worst, float(np.abs(now - law).max()))
            factor = np.where(now > NOISE, law / np.where(now > NOISE, now, 1.0), 1.0)
            together *= factor.reshape([-1 if other == axis else 1 for other in range(len(each))])
        if worst < NOISE:
            break


@njit(cache=True, error_model="numpy")
def _likely_pairs(keys: Ints, likely: Floats) -> tuple[Ints, Ints, Ints]:
    """(first, second, key of the cards of both) of the pairs of ends that ever come."""
    total = 0
    for i in range(len(keys)):
        for j in range(i + 1):
            if likely[i] * likely[j] < HARDLY:
                break
            total += 1
    first = np.zeros(total, np.int64)
    second = np.zeros(total, np.int64)
    both = np.zeros(total, np.int64)
    made = 0
    for i in range(len(keys)):
        for j in range(i + 1):
            if likely[i] * likely[j] < HARDLY:
                break
            first[made] = i
            second[made] = j
            both[made] = keys[i] + keys[j]
            made += 1
    return first, second, both


def _pairs(
    draw: Draw,
    known: Compositions,
    rank: int,
    taken: Ints,
    ways: Floats,
    likely: Floats,
    kind: Ints,
    kinds: int,
) -> Floats:
    """[kind, kind, final]: the law of two hands after a split, over all pairs of ends that ever come."""
    radix = np.cumprod([1, *(2 * taken.max(axis=0) + 1)[:-1]])
    first, second, both = _likely_pairs(taken @ radix, likely)
    order = np.argsort(both)
    result = np.zeros((kinds, kinds, FINALS))
    _add_pairs(result, draw, known, rank, taken, ways, kind, first[order], second[order], both[order])
    return result


@njit(cache=True, error_model="numpy")
def _add_pairs(
    result: Floats,
    draw: Draw,
    known: Compositions,
    rank: int,
    taken: Ints,
    ways: Floats,
    kind: Ints,
    first: Ints,
    second: Ints,
    both: Ints,
) -> None:
    """Add pairs of ends that come sorted by the cards of both."""
    dealer = np.zeros(FINALS)
    parts = np.zeros(draw.chance.shape[0] + 1, np.int64)
    signed = np.ones(len(parts))
    last = -1
    for at in range(len(both)):
        i, j = first[at], second[at]
        if both[at] != last:
            last = both[at]
            _two_out(draw, known, rank, taken[i] + taken[j], parts, signed, dealer)
        weight = ways[i] * ways[j]
        for final in range(FINALS):
            result[kind[i], kind[j], final] += weight * dealer[final]
            if i != j:
                result[kind[j], kind[i], final] += weight * dealer[final]


@njit(cache=True, error_model="numpy")
def _two_out(
    draw: Draw, known: Compositions, rank: int, taken: Ints, parts: Ints, signed: Floats, out: Floats
) -> None:
    """[final]: the chance that two hands after a split take these cards in one order, and of the final."""
    ranks = len(taken)
    out[:] = 0.0
    chance = 1.0
    drawn = 0
    for k in range(ranks):
        left = draw.left[k] - (2.0 * draw.step if k == rank else 0.0)
        for _ in range(taken[k]):
            chance *= max(left, 0.0) / (draw.total - draw.step * (2 + drawn))
            left -= draw.step
            drawn += 1
    if chance == 0.0:
        return
    parts[0] = 0
    signed[0] = 1.0
    made = 1
    for k in range(ranks):
        held = taken[k] + (2 if k == rank else 0)
        before = made
        for i in range(before):
            part, weight = parts[i], signed[i]
            for removed in range(held):
                part = known.plus[part, k]
                if part == NONE or draw.row[part] == NONE:
                    break
                weight *= -(held - removed)
                parts[made] = part
                signed[made] = weight
                made += 1
    cards_out = drawn + 2
    for i in range(made):
        row = draw.row[parts[i]]
        for final in range(MADE):
            out[final + 1] += signed[i] * draw.chance[row, cards_out, final]
    makes = 0.0
    for k in range(ranks):
        if draw.makes_blackjack[k]:
            makes += draw.left[k] - draw.step * (taken[k] + (2 if k == rank else 0))
    whole = 1.0 - makes / (draw.total - draw.step * cards_out) if makes > 0.0 else 1.0
    out[0] = whole
    for final in range(MADE):
        out[0] -= out[final + 1]
    out[:] *= chance
