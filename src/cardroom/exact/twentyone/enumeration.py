"""The game in fractions for small shoes, by dealing every card that can come, in the order of the house.

It is the plain twin of the compiled solver, and goes further than it in one thing: it knows what happens when
the shoe runs out in the middle of a round (21-1.13).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cardroom.exact.twentyone.measure import BLACKJACK, FINALS, TWENTY_TWO
from cardroom.exact.twentyone.play import DOUBLE, HIT, RESCUE, SPLIT, STAND, SURRENDER
from cardroom.exact.twentyone.solver import DealerCards, Solver
from cardroom.model.twentyone.automaton import NONE, START
from cardroom.model.twentyone.columns import NO_COLUMN
from cardroom.rules.twentyone.law import BLACKJACK_TOTAL, LOOKED_UNDER, PUSHING_TOTAL, add_card

Counts = tuple[int, ...]
"""How many cards of each class are left."""
Law = dict[int, Fraction]
"""Chances by result in units."""
Dealer = tuple[int, bool, bool]
"""The dealer's total, whether it is soft, and whether the second card is still to come."""
GIVEN_UP: Final = -2
LOST: Final = -3
BLACKJACK_MADE: Final = -1
"""The total of a dealer whose hole card, which nobody has seen, makes a blackjack."""
DEAD: Final = FINALS
"""The final of a dealer for whom no card is left."""


@dataclass(frozen=True, slots=True, order=True)
class HandInPlay:
    """A hand in play: its node, and the classes of its first two cards, which a split sets apart."""

    node: int
    first: int = NONE
    second: int = NONE


@dataclass(frozen=True, slots=True, order=True)
class Ended:
    """A hand that waits for the dealer, or whose result is known: `units` where `state` is NONE.

    GIVEN_UP is the state of a surrender that waits to see whether the dealer has a blackjack; LOST that of a
    bust or a rescue, whose units are lost unless such a blackjack gives what was added back (21-1.26).
    """

    state: int
    units: int = 0


@dataclass(eq=False)
class Enumeration:
    """Every round against the dealer's cards that are seen, under a strategy by node."""

    solver: Solver
    seen: DealerCards
    action: NDArray[np.int8]
    played: dict[tuple[Counts, Dealer, tuple[Ended, ...], tuple[HandInPlay, ...]], Law] = field(
        default_factory=dict
    )
    finals: dict[tuple[Counts, int, bool, bool], list[Fraction]] = field(default_factory=dict)

    def by_first_two(self) -> Iterator[tuple[Fraction, int, Law]]:
        """(chance, node, distribution) for each order of the first two cards, told apart by class."""
        for chance, cards, left in self.deals():
            yield chance, cards.node, self.round_law(left, cards)

    def deals(self, only: int | None = None) -> Iterator[tuple[Fraction, HandInPlay, Counts]]:
        """(chance, cards, shoe left) for the first two cards, or for those of one node only."""
        solver = self.solver
        start = int(solver.nodes.at[0, START])
        for shoe, with_these in self._without_the_dealers():
            for first, one in self._draws(shoe):
                shoe_one = _without(shoe, first)
                for second, two in self._draws(shoe_one):
                    left = _without(shoe_one, second)
                    node = int(solver.nodes.next[int(solver.nodes.next[start, first]), second])
                    if only is None or node == only:
                        yield with_these * one * two, HandInPlay(node, first, second), left

    def round_law(self, left: Counts, hand: HandInPlay) -> Law:
        """The distribution of the result of first two cards: the hole card is dealt, then play begins."""
        solver = self.solver
        state = int(solver.nodes.state[hand.node])
        result: defaultdict[int, Fraction] = defaultdict(Fraction)
        value = int(solver.shoe.values[self.seen.up])
        if solver.column(self.seen) == NO_COLUMN:
            return {int(solver.automaton.pay[state, BLACKJACK]): Fraction(1)}
        if solver.rules.hole_card not in ("dealt", "unseen"):
            is_alone = self.seen.hole == NONE
            return self._play(left, (*solver.dealer_begins(self.seen), is_alone), (), (hand,))
        looks = solver.rules.hole_card == "dealt"
        for hole, chance in self._draws(left):
            of_hole = int(solver.shoe.values[solver.shoe.class_ranks[hole]])
            makes_blackjack = {value, of_hole} == {1, 10}
            if makes_blackjack and looks:
                result[int(solver.automaton.pay[state, BLACKJACK])] += chance
                continue
            total, soft = add_card(*add_card(0, False, value), of_hole)
            if makes_blackjack:
                total = BLACKJACK_MADE
            for units, inner in self._play(_without(left, hole), (total, soft, False), (), (hand,)).items():
                result[units] += chance * inner
        return dict(result)

    def _without_the_dealers(self) -> Iterator[tuple[Counts, Fraction]]:
        """The shoe without the dealer's cards that are seen, by the classes of these, with their chances."""
        shoes: list[tuple[Counts, Fraction]] = [(tuple(self.solver.shoe.class_counts.tolist()), Fraction(1))]
        for rank in self.seen.ranks:
            some = np.flatnonzero(self.solver.shoe.class_ranks == rank).tolist()
            shoes = [
                (_without(left, number), chance * Fraction(left[number], sum(left[each] for each in some)))
                for left, chance in shoes
                for number in some
                if left[number]
            ]
        yield from shoes

    @staticmethod
    def _draws(left: Counts) -> Iterator[tuple[int, Fraction]]:
        total = sum(left)
        for number, count in enumerate(left):
            if count:
                yield number, Fraction(count, total)

    def _play(
        self, left: Counts, dealer: Dealer, done: tuple[Ended, ...], queue: tuple[HandInPlay, ...]
    ) -> Law:
        """The distribution of the sum of all hands, from the moment when the first of the queue is to act."""
        key = (left, dealer, done, queue)
        if key not in self.played:
            self.played[key] = self._act(*key) if queue else self._settle(left, dealer, done)
        return self.played[key]

    def _act(
        self, left: Counts, dealer: Dealer, done: tuple[Ended, ...], queue: tuple[HandInPlay, ...]
    ) -> Law:
        solver, hand, rest = self.solver, queue[0], queue[1:]
        nodes, automaton = solver.nodes, solver.automaton
        node = hand.node
        if len(done) + len(queue) >= automaton.rules.split.max_hands:
            state = int(automaton.unpaired[nodes.state[node]])
            node = int(nodes.at[nodes.composition[node], state])
        state, action = int(nodes.state[node]), int(self.action[node])
        if action in (HIT, DOUBLE):
            gets = node if action == HIT else int(nodes.doubled[node])
            return self._deal_to(left, dealer, done, (HandInPlay(gets), *rest))
        if action == SPLIT:
            return self._split(left, dealer, done, queue)
        is_split = len(done) + len(queue) > 1
        if action == RESCUE:
            ended = self._lost(int(automaton.rescue_pay[state]), is_split=is_split)
        elif action == SURRENDER:
            at_once = not self.waits or automaton.surrender_blackjack_pay == automaton.surrender_pay
            ended = Ended(NONE, automaton.surrender_pay) if at_once else Ended(GIVEN_UP)
        elif self._decided(state, is_split=is_split):
            ended = Ended(NONE, int(automaton.pay[state, 0]))
        else:
            assert action in (STAND, NONE), f"no action for {automaton.hands[state]}"
            ended = Ended(state)
        return self._play(left, dealer, tuple(sorted((*done, ended))), rest)

    @property
    def waits(self) -> bool:
        """Whether a dealer's blackjack may still come when the players have played."""
        up = int(self.solver.shoe.values[self.seen.up])
        return self.solver.rules.second_card_waits and up in LOOKED_UNDER

    @property
    def is_undone(self) -> bool:
        """Whether such a blackjack takes the original wager only (21-1.26)."""
        return self.waits and self.solver.rules.original_only

    def _decided(self, state: int, *, is_split: bool) -> bool:
        """Whether a hand that stands is paid the same whatever comes."""
        if not self.is_undone:
            return self.solver.decided(state, self.seen)
        pay = self.solver.automaton.pay[state]
        return not is_split and self.solver.decided(state, self.seen) and int(pay[0]) == int(pay[BLACKJACK])

    def _lost(self, units: int, *, is_split: bool) -> Ended:
        """A hand that is bust or rescued; what was added waits where a blackjack would give it back."""
        added = is_split or units != -self.solver.automaton.unit
        return Ended(LOST if self.is_undone and added else NONE, units)

    def _deal_to(
        self, left: Counts, dealer: Dealer, done: tuple[Ended, ...], queue: tuple[HandInPlay, ...]
    ) -> Law:
        """Deal a card to the first hand of the queue."""
        if not sum(left):
            return self._dead(done, queue[1:])
        nodes, automaton = self.solver.nodes, self.solver.automaton
        result: defaultdict[int, Fraction] = defaultdict(Fraction)
        for number, chance in self._draws(left):
            after = int(nodes.next[queue[0].node, number])
            if after == NONE:
                units = -int(automaton.stake[nodes.state[queue[0].node]])
                lost = self._lost(units, is_split=len(done) + len(queue) > 1)
                law = self._play(_without(left, number), dealer, tuple(sorted((*done, lost))), queue[1:])
            else:
                law = self._play(_without(left, number), dealer, done, (HandInPlay(after), *queue[1:]))
            for units, inner in law.items():
                result[units] += chance * inner
        return dict(result)

    def _split(
        self, left: Counts, dealer: Dealer, done: tuple[Ended, ...], queue: tuple[HandInPlay, ...]
    ) -> Law:
        """Both hands get their second card at once, the old one first."""
        nodes, rest = self.solver.nodes, queue[1:]
        hands = [(number, int(nodes.split_hand[number])) for number in (queue[0].first, queue[0].second)]
        result: defaultdict[int, Fraction] = defaultdict(Fraction)
        if not sum(left):
            return self._dead(done, rest)
        for one, first_chance in self._draws(left):
            left_one = _without(left, one)
            if not sum(left_one):
                return self._dead(done, (HandInPlay(int(nodes.next[hands[0][1], one])), *rest))
            for other, second_chance in self._draws(left_one):
                pair = tuple(
                    HandInPlay(int(nodes.next[start, card]), number, card)
                    for (number, start), card in zip(hands, (one, other), strict=True)
                )
                law = self._play(_without(left_one, other), dealer, done, (*pair, *rest))
                for units, inner in law.items():
                    result[units] += first_chance * second_chance * inner
        return dict(result)

    def _dead(self, done: tuple[Ended, ...], queue: tuple[HandInPlay, ...]) -> Law:
        """No card is left: what is decided stands, all else goes back (21-1.13)."""
        automaton = self.solver.automaton
        states = [int(self.solver.nodes.state[hand.node]) for hand in queue]
        is_split = len(done) + len(queue) > 0  # and the hand that got no card
        decided = (state for state in states if self._decided(state, is_split=is_split))
        paid = sum(int(automaton.pay[state, 0]) for state in decided)
        return {paid + sum(ended.units for ended in done if ended.state == NONE): Fraction(1)}

    def _settle(self, left: Counts, dealer: Dealer, done: tuple[Ended, ...]) -> Law:
        known = sum(ended.units for ended in done if ended.state == NONE)
        waiting = [ended for ended in done if ended.state != NONE]
        if not waiting:
            return {known: Fraction(1)}
        result: defaultdict[int, Fraction] = defaultdict(Fraction)
        for final, chance in enumerate(self._finals(left, *dealer)):
            if chance and final == DEAD:
                result[known] += chance
            elif chance and final == BLACKJACK and self.is_undone:
                tied = len(done) == 1 and self._pays(waiting[0], final) == 0
                result[0 if tied else -self.solver.automaton.unit] += chance
            elif chance:
                result[known + sum(self._pays(each, final) for each in waiting)] += chance
        return dict(result)

    def _pays(self, ended: Ended, final: int) -> int:
        automaton, state = self.solver.automaton, ended.state
        if state == LOST:
            return ended.units
        if state != GIVEN_UP:
            return int(automaton.pay[state, final])
        return automaton.surrender_blackjack_pay if final == BLACKJACK else automaton.surrender_pay

    def _finals(self, left: Counts, total: int, soft: bool, alone: bool) -> list[Fraction]:
        """Chances of the dealer's finals, and of running out of cards; `alone` is a card without a second."""
        key = (left, total, soft, alone)
        if key not in self.finals:
            result = [Fraction(0)] * (DEAD + 1)
            if total == BLACKJACK_MADE:
                result[BLACKJACK] = Fraction(1)
            elif total > BLACKJACK_TOTAL:
                pushes = total == PUSHING_TOTAL and self.solver.rules.dealer_22_pushes
                result[TWENTY_TWO if pushes else 0] = Fraction(1)
            elif not self.solver.dealer_draws[total, int(soft)]:
                result[total - 16] = Fraction(1)
            elif not sum(left):
                result[DEAD] = Fraction(1)
            else:
                for number, chance in self._draws(left):
                    value = int(self.solver.shoe.values[self.solver.shoe.class_ranks[number]])
                    if alone and {value, int(self.solver.shoe.values[self.seen.up])} == {1, 10}:
                        result[BLACKJACK] += chance
                        continue
                    inner = self._finals(_without(left, number), *add_card(total, soft, value), False)
                    for final, part in enumerate(inner):
                        if part:
                            result[final] += chance * part
            self.finals[key] = result
        return self.finals[key]


def _without(left: Counts, number: int) -> Counts:
    return (*left[:number], left[number] - 1, *left[number + 1 :])
