"""The distribution of all hands of a split together, against one up card.

They are counted whole where the shoe is small (`whole`), else projected on polynomials of two degrees
(`joint`): what the last degree changed is the bound of the error.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from cardroom.exact.twentyone.joint import SharedShoe
from cardroom.exact.twentyone.measure import BLACKJACK, FINALS
from cardroom.exact.twentyone.moments import combined
from cardroom.exact.twentyone.nodes import Floats, Ints
from cardroom.exact.twentyone.play import DOUBLE, HIT, RESCUE, SURRENDER
from cardroom.exact.twentyone.solver import Solver, UpCard
from cardroom.exact.twentyone.split import hands_allowed, split_counts, split_ways
from cardroom.exact.twentyone.whole import SmallShoe, Terms, is_small

Law = defaultdict[int, float]
"""Chances by result in units."""
CLOSED: Final = False
"""A hand after a split whose second card was no pair card …"""
OPEN: Final = True
"""… and one that may have got any."""
Spot = tuple[bool, ...]
"""Hands after a split, closed or open."""


@dataclass(frozen=True, slots=True)
class Distribution:
    """How often each result comes, by result in units."""

    chances: Law
    error: float
    """No chance is further from the truth, but for rounding."""


@dataclass(frozen=True, slots=True)
class _Ending:
    """A way to end, or to enter a double: its results against the finals, and the stake it is at."""

    results: tuple[int, ...] | None
    """None for entering a double."""
    stake: int


class Split:
    """The split of one pair against one up card, given the pair."""

    def __init__(self, solver: Solver, up: UpCard, rank: int, *, follow: bool) -> None:
        self.solver, self.up, self.rank, self.action = solver, up, rank, up.played.action
        states, nodes = solver.states, solver.nodes
        self.hands = hands_allowed(rank, states, nodes, self.action, follow=follow)
        ways = split_ways(rank, states, nodes, self.action, resplit=self.hands > 2)
        reached = np.flatnonzero(ways.any(axis=1))
        ends = reached[self.action[reached] != HIT]
        self.ways = {CLOSED: ways[ends, 0].copy(), OPEN: ways[ends].sum(axis=1)}
        self.taken = solver.known.counts[nodes.composition[ends]].copy()
        """[end, rank]: cards besides the pair card that a hand begins with."""
        self.taken[:, rank] -= 1
        self.kinds, self.kind = self._endings(ends)
        self.stakes = sorted({int(solver.automaton.unit), *(kind.stake for kind in self.kinds)})
        rows = [kind.results for kind in self.kinds if kind.results is not None]
        losses = [(-stake,) * FINALS for stake in self.stakes]
        self.values = sorted({value for row in (*rows, *losses) for value in row})
        self.listed: dict[bool, Terms] = {}

    def _endings(self, ends: Ints) -> tuple[dict[_Ending, int], Ints]:
        """The ways to end at some nodes with their numbers, and which of them each node has."""
        automaton, nodes = self.solver.automaton, self.solver.nodes
        state, action = nodes.state[ends], self.action[ends]
        enters, rescued, surrendered = action == DOUBLE, action == RESCUE, action == SURRENDER
        stake = np.where(enters, automaton.stake[nodes.state[nodes.doubled[ends]]], automaton.stake[state])
        results = np.where(rescued[:, None], automaton.rescue_pay[state][:, None], self.solver.results[state])
        results[surrendered] = automaton.surrender_pay
        if BLACKJACK in self.solver.finals:
            results[surrendered, BLACKJACK] = automaton.surrender_blackjack_pay
        results[enters] = 0
        lines, number = np.unique(np.column_stack([enters, stake, results]), axis=0, return_inverse=True)
        endings = {
            _Ending(None if enter else tuple(values), of): place
            for place, (enter, of, *values) in enumerate(lines.tolist())
        }
        return endings, number.ravel()

    def spread(self, small_shoe: SmallShoe) -> Distribution:
        """The distribution of the sum of all hands: counted whole where the shoe is small, else projected."""
        left = small_shoe.left
        may_be_small = self.up.draw.step and is_small(left, self.hands, 1)
        if may_be_small and is_small(left, self.hands, len(self.terms(OPEN).kind)):
            return Distribution(self._law(lambda hands: self._counted(small_shoe, hands)), 0.0)
        longest = int(max(self.taken[(self.taken <= left).all(axis=1)].sum(axis=1).max(), 0))
        longest = max(longest, int(small_shoe.dealer.size.max(initial=0)) + self.hands - 2)
        sharing = _Sharing(self, longest)
        law, coarser = (self._law(_Projected(sharing, less).law) for less in (0, 1))
        return Distribution(law, max(abs(law[units] - coarser[units]) for units in law))

    def _law(self, of_hands: Callable[[Spot], Mapping[int, float]]) -> Law:
        """All ways to split the pair, from the law of so many hands in one order."""
        result: Law = defaultdict(float)
        short, full = split_counts(self.hands)
        spots = [(int(short[s]), (CLOSED,) * (s + 2)) for s in range(self.hands - 1)]
        spots += [(int(full[b]), (CLOSED,) * b + (OPEN,) * (self.hands - b)) for b in range(self.hands)]
        for orders, hands in spots:
            if orders:
                for units, chance in of_hands(hands).items():
                    result[units] += orders * chance
        return result

    def _counted(self, shoe: SmallShoe, hands: Spot) -> dict[int, float]:
        return shoe.law(self.rank, [self.terms(each) for each in hands], len(hands) - 2)

    def terms(self, is_open: bool) -> Terms:
        """What a hand may take, and what it comes to; what enters a stake and ends no other way is a bust."""
        if is_open not in self.listed:
            self.listed[is_open] = self._terms(is_open=is_open)
        return self.listed[is_open]

    def _terms(self, *, is_open: bool) -> Terms:
        before = dict(zip(self.stakes[1:], self.stakes, strict=False))
        rows: dict[tuple[int, ...], int] = {}

        def row(results: tuple[int, ...]) -> int:
            return rows.setdefault(results, len(rows))

        def bust(stake: int) -> int:
            return row((-stake,) * FINALS)

        counts: defaultdict[tuple[tuple[int, ...], int], float] = defaultdict(float)
        nothing = (0,) * len(self.up.draw.left)
        counts[nothing, bust(self.stakes[0])] = 1.0
        if not is_open:
            pair_card = tuple(int(rank == self.rank) for rank in range(len(nothing)))
            counts[pair_card, bust(self.stakes[0])] = -1.0
        kinds = list(self.kinds)
        for number in np.flatnonzero(self.ways[is_open]).tolist():
            ending, ways = kinds[self.kind[number]], float(self.ways[is_open][number])
            taken = tuple(self.taken[number].tolist())
            enters = ending.results is None
            stake = before[ending.stake] if enters else ending.stake
            results = (-ending.stake,) * FINALS if ending.results is None else ending.results
            counts[taken, row(results)] += ways
            counts[taken, bust(stake)] -= ways
        fits = {
            key: ways
            for key, ways in counts.items()
            if ways and all(map(int.__le__, key[0], self.up.draw.left.astype(int).tolist()))
        }
        return Terms(
            np.array([taken for taken, _ in fits], np.int64),
            np.array([kind for _, kind in fits], np.int64),
            np.array(list(fits.values())),
            np.array(list(rows), np.int64),
        )

    def sums(self) -> Floats:
        """[final, value, kind]: results from kinds of endings, the last of which is any hand.

        What enters a stake and ends no other way is a bust.
        """
        place = {value: number for number, value in enumerate(self.values)}
        before = dict(zip(self.stakes[1:], self.stakes, strict=False))
        finals = self.solver.finals
        result = np.zeros((len(finals), len(self.values), len(self.kinds) + 1))
        every = np.arange(len(finals))
        for kind, number in self.kinds.items():
            lost = place[-kind.stake]
            if kind.results is None:
                result[:, lost, number] += 1.0
                result[:, place[-before[kind.stake]], number] -= 1.0
            else:
                result[every, [place[kind.results[final]] for final in finals], number] += 1.0
                result[:, lost, number] -= 1.0
        result[:, place[-self.stakes[0]], -1] += 1.0
        return result


class _Sharing:
    """Hands after a split and the dealer out of the shoe that the pair has left, by polynomials."""

    def __init__(self, split: Split, longest: int) -> None:
        draw = split.up.draw
        left = draw.left.copy()
        left[split.rank] -= 2.0 * draw.step
        self.split, self.shoe = split, SharedShoe(left, draw.step, longest)
        self.finals: dict[int, Floats] = {}
        closed, opened = self._ends()
        sums = split.sums()
        self.results = {CLOSED: combined(sums, closed), OPEN: combined(sums, opened)}
        """[final, value, monomial]: the moments of a hand's results; a closed one gets no pair card."""

    def _ends(self) -> Floats:
        """[closed or open, kind, monomial]: the moments of a hand's ends, and of any hand."""
        split, kinds = self.split, len(self.split.kinds)
        taken = np.concatenate([split.taken, np.zeros((2, split.taken.shape[1]), np.int64)])
        taken[-1, split.rank] = 1
        ways = np.array([[*split.ways[CLOSED], 1.0, -1.0], [*split.ways[OPEN], 1.0, 0.0]])
        kind = np.concatenate([split.kind, [kinds, kinds]])
        return self.shoe.moments(taken, ways, kind, kinds + 1)

    def of_finals(self, pair_cards: int) -> Floats:
        """[final, monomial]: the dealer's finals without a blackjack, after more pair cards."""
        if pair_cards not in self.finals:
            solver, up = self.split.solver, self.split.up
            drawn, final, ways = solver.dealer_hands(up.seen)
            ranks, makes = len(solver.shoe.values), up.draw.makes_blackjack
            # All that is not 17 … 21, a blackjack or a 22 that pushes is a bust.
            taken = np.concatenate([solver.known.counts[drawn], np.diag(makes)])
            taken = np.concatenate([taken, np.zeros((1, ranks), np.int64)])
            taken[:, self.split.rank] += pair_cards
            ways = np.concatenate([ways, -makes if up.draw.looks else makes, [1.0]])
            of_blackjack = np.full(ranks, 0 if up.draw.looks else BLACKJACK)
            final = np.concatenate([final, of_blackjack, [0]])
            result = self.shoe.moments(taken, ways[None], final, FINALS)[0]
            result[0] -= result[1:].sum(axis=0)
            self.finals[pair_cards] = np.ascontiguousarray(result[list(solver.finals)])
        return self.finals[pair_cards]


class _Projected:
    """The same, projected on polynomials of the highest degree, or of one less."""

    def __init__(self, sharing: _Sharing, less: int) -> None:
        self.sharing, self.shoe, self.values = sharing, sharing.shoe, sharing.split.values
        self.size = self.shoe.size(less)
        self.results: dict[Spot, tuple[list[int], Floats]] = {}
        self.sums: dict[tuple[int, int], tuple[list[int], Ints]] = {}
        self.times_finals: dict[tuple[int, Spot], Floats] = {}

    def law(self, hands: Spot) -> Law:
        """The distribution of the sum of hands, times the chance that they are made, in one order."""
        some, one = self._sum_times_finals(hands[::2], len(hands) - 2)
        others, other = self._sum(hands[1::2])
        sums, place = self._added(hands[::2], some, hands[1::2], others)
        chances = np.bincount(place.ravel(), (one @ other.transpose(0, 2, 1)).sum(axis=0).ravel())
        return defaultdict(float, zip(sums, chances.tolist(), strict=True))

    def _added(
        self, hands: Spot, values: list[int], more_hands: Spot, others: list[int]
    ) -> tuple[list[int], Ints]:
        """(sums, [value, other]: which of them): what results of hands come to together."""
        key = len(hands), len(more_hands)
        if key not in self.sums:
            sums, place = np.unique(np.add.outer(values, others), return_inverse=True)
            self.sums[key] = sums.tolist(), place.reshape(len(values), len(others))
        return self.sums[key]

    def _sum_times_finals(self, hands: Spot, pair_cards: int) -> tuple[list[int], Floats]:
        """(results, [final, result, of the basis]): moments of sums of hands times chances of finals."""
        values, projected = self._sum(hands)
        key = pair_cards, hands
        if key not in self.times_finals:
            self.times_finals[key] = self.shoe.times(projected, self.sharing.of_finals(pair_cards))
        return values, self.times_finals[key]

    def _sum(self, hands: Spot) -> tuple[list[int], Floats]:
        """(results, [final, result, of the basis]): projections of the sum of hands against each final."""
        if hands not in self.results:
            moments = self.sharing.results[hands[0]]
            if len(hands) == 1:
                self.results[hands] = self.values, self.shoe.projected(moments, self.size)
            else:
                self._multiply(hands[0], len(hands) - 1)
        return self.results[hands]

    def _multiply(self, hand: bool, others: int) -> None:
        """Add a hand to all that may come after it, in one call: its moments serve for all."""
        closed = range(others + 1) if hand == CLOSED else (0,)
        after: list[Spot] = [(CLOSED,) * some + (OPEN,) * (others - some) for some in closed]
        projected = [self._sum(spot) for spot in after]
        values = projected[0][0]
        sums, place = self._added((hand,), self.values, after[0], values)
        places = np.concatenate([place + number * len(sums) for number in range(len(after))], axis=1)
        made = self.shoe.products(
            self.sharing.results[hand],
            np.concatenate([each for _, each in projected], axis=1),
            places,
            len(after) * len(sums),
        )
        for spot, results in zip(after, np.split(made, len(after), axis=1), strict=True):
            self.results[hand, *spot] = sums, np.ascontiguousarray(results)
