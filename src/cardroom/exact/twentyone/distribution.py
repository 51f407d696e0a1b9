"""The whole distribution of a round's result, in units of the automaton.

Hands of one spot meet the same dealer and share the shoe, so they are not independent. Out of a small shoe
they are counted whole (`whole`), out of a larger one by projected polynomials (`joint`). What these leave out
is less than what their last degree changed, and that is the bound of the error which goes with the figures.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from cardroom.exact.figures import ROUNDING
from cardroom.exact.twentyone.joint import SharedShoe, combined
from cardroom.exact.twentyone.measure import BLACKJACK, BUSTS, FINALS, WHOLE
from cardroom.exact.twentyone.nodes import Floats, Ints
from cardroom.exact.twentyone.play import (
    DOUBLE,
    HIT,
    RESCUE,
    SPLIT,
    SURRENDER,
    Actions,
    ended_sum,
    spread,
)
from cardroom.exact.twentyone.solver import Solver, UpCard
from cardroom.exact.twentyone.split import hands_allowed, split_counts, split_value, split_ways
from cardroom.exact.twentyone.whole import DealerHands, SmallShoe, Terms, is_small

Law = defaultdict[int, float]
"""Chances by result in units."""
NOISE: Final = 1e-14
"""Chances below this may be nothing but rounding."""
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


def distribution(solver: Solver, up: UpCard, *, follow: bool, first_two: int | None = None) -> Distribution:
    """The distribution of the result against one up card, or the part of it with some first two cards."""
    ways = up.played.ways.copy()
    if first_two is not None:
        ways[np.arange(len(ways)) != first_two] = 0.0
    result = _without_split(solver, up, ways)
    error = 0.0
    small_shoe = _small_shoe(solver, up)
    for rank, chance in _splits(solver, up, ways).items():
        split = _Split(solver, up, rank, follow=follow).spread(small_shoe)
        error += chance * split.error
        for units, part in split.chances.items():
            result[units] += chance * part
    come = sum(ways[node, 0] * _two_cards(solver, up, node) for node in solver.nodes.first_two.tolist())
    whole = sum(result.values())
    assert abs(whole - come) <= ROUNDING, f"chances add up to {whole} in place of {come}"
    return Distribution(result, error)


def _small_shoe(solver: Solver, up: UpCard) -> SmallShoe:
    """The shoe without the up card, for hands that are counted whole."""
    drawn, final, orders = solver.dealer_hands(up.seen)
    cards = solver.known.counts[drawn]
    come = (cards <= up.draw.left).all(axis=1)
    hands = DealerHands(
        cards[come],
        cards[come].sum(axis=1),
        final[come],
        orders[come],
        up.draw.makes_blackjack,
        up.draw.looks,
    )
    return SmallShoe(up.draw.left.astype(np.int64), hands, FINALS)


def final_wager(solver: Solver, up: UpCard, *, follow: bool) -> float:
    """The mean of all that stands on a spot at the end of a round against one up card, in wagers."""
    states, nodes, played = solver.states, solver.nodes, up.played
    # Every ending pays its stake, and so does a bust.
    counting = states._replace(
        pay=np.repeat(states.stake[:, None], FINALS, axis=1),
        stake=-states.stake,
        surrender_pay=1.0,
        surrender_loses=0.0,
        rescue_pay=states.stake,
    )
    # Wagers that a blackjack gives back (21-1.26) stand there, too.
    dealt = solver.dealt_without_a_look(up.seen) if solver.rules.original_only else up.dealt
    all_weights = dealt.weights if solver.rules.original_only else played.weights
    first_wager = 1.0
    result = 0.0
    for node in nodes.first_two.tolist():
        if ways := float(played.ways[node, 0]):
            blackjack = _two_cards(solver, up, node) - all_weights[nodes.composition[node], WHOLE]
            result += ways * first_wager * float(blackjack)
    ways_to = played.ways.copy()
    spread(ways_to, states, nodes, played.action)
    reached = np.flatnonzero((ways_to[:, 0] != 0.0) & (played.action != SPLIT))
    weights = all_weights[:, None]
    result += ended_sum(reached, nodes.composition[reached], ways_to, weights, counting, nodes, played.action)
    for rank, chance in _splits(solver, up, played.ways).items():
        wagered = split_value(rank, counting, nodes, dealt, played.action, follow=follow)
        result += chance * (wagered or 0.0)
    return float(result)


def _splits(solver: Solver, up: UpCard, ways: Floats) -> dict[int, float]:
    """The chance that a pair of a rank comes and is split, by rank."""
    result: dict[int, float] = {}
    for node in solver.nodes.first_two.tolist():
        rank = int(solver.states.pair[node])
        if up.played.action[node] == SPLIT and ways[node, 0] and up.dealt.can_split(rank):
            result[rank] = result.get(rank, 0.0) + float(ways[node, 0]) * up.dealt.pair_chance(rank)
    return result


def _without_split(solver: Solver, up: UpCard, ways: Floats) -> Law:
    nodes, states, played, automaton = solver.nodes, solver.states, up.played, solver.automaton
    result: Law = defaultdict(float)
    for node in nodes.first_two.tolist():
        if orders := float(ways[node, 0]):
            blackjack = orders * (
                _two_cards(solver, up, node) - played.weights[nodes.composition[node], WHOLE]
            )
            early = solver.counts_looked and played.action[node] == SURRENDER
            lost = int(automaton.pay[nodes.state[node], BLACKJACK])
            result[automaton.surrender_pay if early else lost] += float(blackjack)
    ways_to = ways.copy()
    spread(ways_to, states, nodes, played.action)
    reached = np.flatnonzero(ways_to[:, 0])
    weight = ways_to[reached, :1] * played.weights[nodes.composition[reached]]
    units, chances = _ends_of(solver, reached, played.action[reached], weight)
    sums, place = np.unique(units, return_inverse=True)
    for number, chance in zip(sums.tolist(), np.bincount(place.ravel(), chances).tolist(), strict=True):
        result[number] += chance
    return result


def _ends_of(solver: Solver, at: Ints, action: Actions, weight: Floats) -> tuple[Ints, Floats]:
    """(results, their chances) of all that ends at some nodes, whose measures are weighed."""
    automaton, nodes = solver.automaton, solver.nodes
    if solver.counts_looked:
        weight = weight.copy()
        weight[:, BLACKJACK] = 0.0  # no hand that is played meets it
    state = nodes.state[at]
    drawing, giving_up, rescuing = (action == HIT) | (action == DOUBLE), action == SURRENDER, action == RESCUE
    standing = ~(drawing | giving_up | rescuing | (action == SPLIT))
    doubled = nodes.state[nodes.doubled[at]]
    gets = np.where(action == DOUBLE, doubled, state)[drawing]
    units = [
        -automaton.stake[gets],
        np.full(int(giving_up.sum()), automaton.surrender_pay),
        np.full(int(giving_up.sum()), automaton.surrender_blackjack_pay),
        automaton.rescue_pay[state[rescuing]],
        solver.results[state[standing]].ravel(),
    ]
    chances = [
        weight[drawing, BUSTS],
        weight[giving_up, WHOLE] - weight[giving_up, BLACKJACK],
        weight[giving_up, BLACKJACK],
        weight[rescuing, WHOLE],
        weight[standing, :FINALS].ravel(),
    ]
    return np.concatenate(units).astype(np.int64), np.concatenate(chances)


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
        law, coarser = (self._law(_Sharing(self, longest, less).law) for less in (0, 1))
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

    def sums(self, final: int) -> Floats:
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


class _Sharing:
    """Hands after a split and the dealer out of the shoe that the pair has left, by projected polynomials."""

    def __init__(self, split: _Split, longest: int, less: int) -> None:
        draw = split.up.draw
        left = draw.left.copy()
        left[split.rank] -= 2.0 * draw.step
        self.split, self.shoe = split, SharedShoe(left, draw.step, longest, less)
        self.finals: dict[int, Floats] = {}
        self.results: dict[tuple[int, Spot], tuple[list[int], Floats]] = {}
        self.sums: dict[tuple[int, int], tuple[list[int], Ints]] = {}
        self.times_finals: dict[tuple[int, int, Spot], Floats] = {}

    def law(self, hands: Spot) -> Law:
        """The distribution of the sum of hands, times the chance that they are made, in one order."""
        result: Law = defaultdict(float)
        pair_cards = len(hands) - 2
        for final in self.split.solver.finals:
            some, one = self._sum_times_final(final, hands[::2], pair_cards)
            others, other = self._sum(final, hands[1::2])
            sums, place = self._added(hands[::2], some, hands[1::2], others)
            chances = np.bincount(place.ravel(), (one @ other.T).ravel())
            for units, chance in zip(sums, chances.tolist(), strict=True):
                result[units] += chance
        return result

    def _added(
        self, hands: Spot, values: list[int], more_hands: Spot, others: list[int]
    ) -> tuple[list[int], Ints]:
        """(sums, [value, other]: which of them): what results of hands come to together."""
        key = len(hands), len(more_hands)
        if key not in self.sums:
            sums, place = np.unique(np.add.outer(values, others), return_inverse=True)
            self.sums[key] = sums.tolist(), place.reshape(len(values), len(others))
        return self.sums[key]

    def _sum_times_final(self, final: int, hands: Spot, pair_cards: int) -> tuple[list[int], Floats]:
        """(results, moments) of the sum of hands against a final, times the chance of the final."""
        values, projected = self._sum(final, hands)
        key = final, pair_cards, hands
        if key not in self.times_finals:
            self.times_finals[key] = self.shoe.times(projected, self._finals(pair_cards)[final])
        return values, self.times_finals[key]

    def _sum(self, final: int, hands: Spot) -> tuple[list[int], Floats]:
        """(results, projected polynomials) of the sum of hands against a final."""
        key = final, hands
        if key not in self.results:
            values = self.split.values
            moments = combined(self.split.sums(final), self._ends(hands[0]))
            if len(hands) == 1:
                self.results[key] = values, self.shoe.projected(moments)
            else:
                others, projected = self._sum(final, hands[1:])
                sums, place = self._added(hands[:1], values, hands[1:], others)
                self.results[key] = sums, self.shoe.products(moments, projected, place, len(sums))
        return self.results[key]

    def _ends(self, is_open: bool) -> Floats:
        """[kind, monomial]: the moments of a hand's ends, and of any hand: a closed one gets no pair card."""
        ends: Floats = self._all_ends[int(is_open)]
        return ends

    @cached_property
    def _all_ends(self) -> Floats:
        """[closed or open, kind, monomial]."""
        split, kinds = self.split, len(self.split.kinds)
        taken = np.concatenate([split.taken, np.zeros((2, split.taken.shape[1]), np.int64)])
        taken[-1, split.rank] = 1
        ways = np.array([[*split.ways[CLOSED], 1.0, -1.0], [*split.ways[OPEN], 1.0, 0.0]])
        kind = np.concatenate([split.kind, [kinds, kinds]])
        return self.shoe.moments(taken, ways, kind, kinds + 1)

    def _finals(self, pair_cards: int) -> Floats:
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
            self.finals[pair_cards] = result
        return self.finals[pair_cards]
