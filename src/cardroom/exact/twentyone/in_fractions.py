"""The solver in fractions for small shoes: the same definitions as the compiled one, written plainly."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

import numpy as np

from cardroom.core.cards import Card
from cardroom.exact.figures import Outcome, WagerFigures
from cardroom.exact.twentyone.enumeration import DEAD, Enumeration, Law
from cardroom.exact.twentyone.measure import BLACKJACK, FINALS, TWENTY_TWO
from cardroom.exact.twentyone.play import (
    ACTION_COUNT,
    DOUBLE,
    HIT,
    RESCUE,
    SPLIT,
    STAND,
    SURRENDER,
    Actions,
)
from cardroom.exact.twentyone.solution import Dealer, by_ranks, find_node, hand_name
from cardroom.exact.twentyone.solver import DealerCards, Solver
from cardroom.model.twentyone.automaton import ACTIONS, NONE
from cardroom.model.twentyone.columns import NO_COLUMN
from cardroom.model.twentyone.strategy import Strategy
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.rules.twentyone.law import BLACKJACK_TOTAL, PUSHING_TOTAL, Action, add_card

RanksLeft = tuple[int, ...]
"""How many cards of each rank are left, the hole card among them."""
Values = dict[int, Fraction]
"""By the number of the action."""


@dataclass(eq=False)
class Hands:
    """The value of every hand against the dealer's cards seen, its own out of the shoe and no others.

    Values are joint with the dealer having no blackjack: the hole card is a card like any other until it is
    looked at. When no card is left, what is undecided goes back and is worth nothing (21-1.13).
    """

    solver: Solver
    seen: DealerCards
    table: Actions | None
    """[state]: the strategy to follow, or None to do what is best for each composition."""
    values: dict[int, Values] = field(default_factory=dict)
    finals: dict[tuple[RanksLeft, int, bool, bool], list[Fraction]] = field(default_factory=dict)

    def left(self, composition: int) -> RanksLeft:
        """The cards left by rank, besides those seen of the dealer's and a composition."""
        return self._left[composition]

    @cached_property
    def _left(self) -> list[RanksLeft]:
        unseen = self.solver.shoe.counts.astype(np.int64)
        for rank in self.seen.ranks:
            unseen[rank] -= 1
        return [tuple(row) for row in (unseen - self.solver.known.counts).tolist()]

    def action(self, node: int) -> int:
        """What the strategy does at a node, splits not considered."""
        if self.table is not None:
            return int(self.table[self.solver.nodes.state[node]])
        values = self.of_actions(node)
        return max(values, key=lambda action: (values[action], -action)) if values else NONE

    def value(self, node: int) -> Fraction:
        """The value of a hand under the strategy."""
        state = int(self.solver.nodes.state[node])
        if self.solver.automaton.may[state] == 0:
            return self.stood(node)
        return self.of_actions(node)[self.action(node)]

    def of_actions(self, node: int) -> Values:
        """The value of each action but a split; empty where nothing is to be decided."""
        if node not in self.values:
            automaton, nodes = self.solver.automaton, self.solver.nodes
            state, unit = int(nodes.state[node]), self.solver.automaton.unit
            whole = self.no_blackjack(self.left(int(nodes.composition[node])))
            may = int(automaton.may_against(self.solver.column(self.seen))[state])
            worth = {
                STAND: lambda: self.stood(node),
                HIT: lambda: self.drawn(node),
                DOUBLE: lambda: self.drawn(int(nodes.doubled[node])),
                SURRENDER: lambda: self.surrendered(node, whole),
                RESCUE: lambda: Fraction(int(automaton.rescue_pay[state]), unit) * whole,
            }
            self.values[node] = {a: worth[a]() for a in range(ACTION_COUNT) if may >> a & 1 and a in worth}
        return self.values[node]

    def stood(self, node: int) -> Fraction:
        """The value of a hand that gets no more cards."""
        automaton, nodes = self.solver.automaton, self.solver.nodes
        state, left = int(nodes.state[node]), self.left(int(nodes.composition[node]))
        pay = [Fraction(int(units), automaton.unit) for units in automaton.pay[state, :FINALS]]
        if self.solver.decided(state, self.seen):
            return pay[0] * self.no_blackjack(left)
        finals = self.dealer(left, *self.solver.dealer_begins(self.seen), self.seen.hole == NONE)
        return sum((pay[final] * finals[final] for final in range(FINALS) if finals[final]), Fraction(0))

    def surrendered(self, node: int, whole: Fraction) -> Fraction:
        """What a surrender comes to: less where the dealer's second card may still make a blackjack.

        Where hands that are played lose the first wager to that, how much more than these it is worth.
        """
        automaton = self.solver.automaton
        made = self.makes_blackjack(self.left(int(self.solver.nodes.composition[node])))
        pay, to_blackjack = automaton.surrender_pay, automaton.surrender_blackjack_pay
        if self.solver.rules.original_only:
            return Fraction(pay, automaton.unit) * whole + made * Fraction(
                to_blackjack + automaton.unit, automaton.unit
            )
        more = 0 if self.looks else made * (to_blackjack - pay)
        return Fraction(pay + more, automaton.unit) * whole

    @property
    def looks(self) -> bool:
        """Whether no hand that is played meets a dealer's blackjack that is not seen."""
        return self.seen.hole == NONE and self.solver.looks

    @property
    def has_hole(self) -> bool:
        """Whether the last card is the dealer's, which nobody sees."""
        return self.solver.rules.hole_card in ("dealt", "unseen")

    def drawn(self, node: int) -> Fraction:
        """The value of a hand that gets one more card."""
        solver, nodes = self.solver, self.solver.nodes
        state, left = int(nodes.state[node]), self.left(int(nodes.composition[node]))
        total = sum(left)
        if total <= int(self.has_hole):
            return Fraction(0)
        stake = Fraction(int(solver.automaton.stake[state]), solver.automaton.unit)
        result = Fraction(0)
        for number, rank in enumerate(solver.shoe.class_ranks.tolist()):
            chance = Fraction(left[rank], total) * self.share(state, number, rank)
            if chance > 0:
                after = int(nodes.next[node, number])
                result += chance * (
                    self.value(after) if after != NONE else -stake * self.no_blackjack(_less(left, rank))
                )
        return result

    def share(self, state: int, number: int, rank: int) -> Fraction:
        """The chance that a card of a rank is of a class, given the cards of the rank in the hand."""
        shoe, held = self.solver.shoe, self.solver.states.held[state]
        same = np.flatnonzero(shoe.class_ranks == rank)
        if self.solver.states.alike[state, rank]:
            return Fraction(int(number == same[0]))  # any class stands for all of them
        left = int(shoe.counts[rank] - held[same].sum())
        return Fraction(int(shoe.class_counts[number] - held[number]), left) if left > 0 else Fraction(0)

    def no_blackjack(self, left: RanksLeft) -> Fraction:
        """The chance that the look finds no blackjack; where nobody looks, 1."""
        return 1 - self.makes_blackjack(left) if self.looks else Fraction(1)

    def makes_blackjack(self, left: RanksLeft) -> Fraction:
        """The chance that a second card of the dealer's that is not seen makes a blackjack."""
        up = int(self.solver.shoe.values[self.seen.up])
        if self.seen.hole != NONE:
            return Fraction(0)
        makes = [
            n
            for n, value in zip(left, self.solver.shoe.values.tolist(), strict=True)
            if {up, value} == {1, 10}
        ]
        return Fraction(sum(makes), sum(left)) if sum(left) else Fraction(0)

    def dealer(self, left: RanksLeft, total: int, soft: bool, hole: bool) -> list[Fraction]:
        """Chances of the finals, joint with no look that ends the round; `hole` before the second card."""
        key = (left, total, soft, hole)
        if key not in self.finals:
            result = [Fraction(0)] * (DEAD + 1)
            if total > BLACKJACK_TOTAL:
                pushes = total == PUSHING_TOTAL and self.solver.rules.dealer_22_pushes
                result[TWENTY_TWO if pushes else 0] = Fraction(1)
            elif not hole and not self.solver.dealer_draws[total, int(soft)]:
                result[total - 16] = Fraction(1)
            elif not sum(left):
                result[DEAD] = Fraction(1)
            else:
                up = int(self.solver.shoe.values[self.seen.up])
                for rank, value in enumerate(self.solver.shoe.values.tolist()):
                    if not left[rank]:
                        continue
                    comes = Fraction(left[rank], sum(left))
                    if hole and {up, value} == {1, 10}:
                        if not self.looks:
                            result[BLACKJACK] += comes
                        continue
                    inner = self.dealer(_less(left, rank), *add_card(total, soft, value), False)
                    for final, chance in enumerate(inner):
                        if chance:
                            result[final] += comes * chance
            self.finals[key] = result
        return self.finals[key]


def _less(left: RanksLeft, rank: int) -> RanksLeft:
    return (*left[:rank], left[rank] - 1, *left[rank + 1 :])


@dataclass(frozen=True, slots=True)
class ExactPart:
    """One part of the game: how often it comes, and what is expected when it does, in fractions."""

    name: str
    chance: Fraction
    expected_value: Fraction


@dataclass(frozen=True, eq=False)
class ExactSolution:
    """The game solved in fractions for one strategy."""

    solver: Solver
    strategy_name: str
    table: Strategy | None

    @property
    def rules(self) -> TwentyOneRules:
        return self.solver.automaton.rules

    @cached_property
    def hands(self) -> dict[DealerCards, Hands]:
        """The hands against all that can be seen of the dealer's."""
        return {seen: Hands(self.solver, seen, self._column(seen)) for seen in self.solver.chances}

    def _column(self, seen: DealerCards) -> Actions | None:
        return None if self.table is None else self.table.action[:, self.solver.column(seen)]

    @cached_property
    def rounds(self) -> dict[DealerCards, list[tuple[Fraction, int, Law]]]:
        """For all that can be seen: (chance, node, distribution) of first two cards."""
        return {
            seen: list(Enumeration(self.solver, seen, self.actions[seen]).by_first_two())
            for seen in self.hands
        }

    @cached_property
    def actions(self) -> dict[DealerCards, Actions]:
        """[node]: what the strategy does against all that can be seen of the dealer's hand."""
        return {seen: self._actions(seen) for seen in self.hands}

    def _actions(self, up: DealerCards) -> Actions:
        nodes, states = self.solver.nodes, self.solver.states
        hands = self.hands[up]
        action = np.full(len(nodes.state), NONE, np.int8)
        if self.solver.column(up) == NO_COLUMN:
            return action
        pairs = []
        for node in range(len(nodes.state) - 1, -1, -1):
            if states.may[nodes.state[node]] == 0:
                continue
            left = hands.left(int(nodes.composition[node]))
            if min(left) < 0 or sum(left) < int(hands.has_hole):
                continue
            action[node] = hands.action(node)
            if self.table is None and states.pair[node] != NONE:
                pairs.append(node)
        first_two = set(nodes.first_two.tolist())
        others = {node: int(action[node]) for node in pairs}
        action[pairs] = SPLIT  # also a pair after a split, where there is room
        by_rank: dict[int, list[int]] = {}
        for node in first_two & set(pairs):
            by_rank.setdefault(int(states.pair[node]), []).append(node)
        for some in by_rank.values():
            worth = [
                sum(self._worth_of_first(up, node, kind, action) for node, kind in played)
                for played in ([(node, SPLIT) for node in some], [(node, others[node]) for node in some])
            ]
            if worth[0] <= worth[1]:
                action[some] = [others[node] for node in some]
        return action

    def _worth_of_first(self, up: DealerCards, node: int, kind: int, action: Actions) -> Fraction:
        """What first two cards are worth when they are played so."""
        changed = action.copy()
        changed[node] = kind
        enumeration = Enumeration(self.solver, up, changed)
        worth = Fraction(0)
        for chance, cards, left in enumeration.deals(node):
            worth += chance * _mean(enumeration.round_law(left, cards))
        return worth

    @cached_property
    def by_up_card(self) -> list[ExactPart]:
        """The game by what is seen of the dealer's hand."""
        chances, unit = self.solver.chances, self.solver.automaton.unit
        return [
            ExactPart(
                seen.name,
                chances[seen],
                sum((chance * _mean(law) for chance, _, law in rounds), Fraction(0)) / unit,
            )
            for seen, rounds in self.rounds.items()
        ]

    @cached_property
    def by_first_two(self) -> list[ExactPart]:
        """The game by the player's first two cards, suits told apart where bonuses do."""
        parts: dict[str, tuple[Fraction, Fraction]] = {}
        for part, rounds in zip(self.by_up_card, self.rounds.values(), strict=True):
            for chance, node, law in rounds:
                name = hand_name(self.solver, node=node)
                before = parts.get(name, (Fraction(0), Fraction(0)))
                comes = part.chance * chance
                parts[name] = (before[0] + comes, before[1] + comes * _mean(law))
        unit = self.solver.automaton.unit
        return [
            ExactPart(name, chance, value / chance / unit)
            for name, (chance, value) in sorted(parts.items(), key=lambda item: by_ranks(item[0]))
        ]

    @cached_property
    def distribution(self) -> tuple[tuple[Fraction, Fraction], ...]:
        """(net result in wagers, probability), from the largest loss to the largest win."""
        chances: defaultdict[int, Fraction] = defaultdict(Fraction)
        for part, rounds in zip(self.by_up_card, self.rounds.values(), strict=True):
            for chance, _, law in rounds:
                for units, inner in law.items():
                    chances[units] += part.chance * chance * inner
        assert sum(chances.values()) == 1, "the chances of all results do not add up to 1"
        unit = self.solver.automaton.unit
        return tuple((Fraction(units, unit), chances[units]) for units in sorted(chances) if chances[units])

    @property
    def expected_value(self) -> Fraction:
        return sum((part.chance * part.expected_value for part in self.by_up_card), Fraction(0))

    def figures(self) -> WagerFigures:
        """The primary wager as `odds --json` shows it, in fractions."""
        outcomes = tuple(
            Outcome("win" if net > 0 else "lose" if net < 0 else "push", net, chance)
            for net, chance in self.distribution
        )
        return WagerFigures("primary", outcomes, strategy=self.strategy_name)

    def action_values(self, cards: Sequence[Card], up: Dealer) -> dict[Action, Fraction]:
        """What each action on a hand is expected to bring, given that the dealer has no blackjack.

        Where a surrender comes before such a blackjack is known, it is counted in.
        """
        node, seen = find_node(self.solver, cards, up), self.solver.seen_of(up)
        hands = self.hands[seen]
        whole = hands.no_blackjack(hands.left(int(self.solver.nodes.composition[node])))
        values = {ACTIONS[action]: value / whole for action, value in hands.of_actions(node).items()}
        if self.solver.states.may[self.solver.nodes.state[node]] >> SPLIT & 1 and len(cards) == 2:
            values[Action.SPLIT] = self._split_worth(seen, node, whole)
        if self.solver.counts_looked:
            return {action: value * whole - (1 - whole) for action, value in values.items()}
        return values

    def ended_value(self, cards: Sequence[Card], up: Dealer) -> Fraction:
        """What a hand brings on which nothing is to be decided, given that the dealer has no blackjack."""
        node, seen = find_node(self.solver, cards, up), self.solver.seen_of(up)
        hands = self.hands[seen]
        return hands.stood(node) / hands.no_blackjack(hands.left(int(self.solver.nodes.composition[node])))

    def _split_worth(self, up: DealerCards, node: int, whole: Fraction) -> Fraction:
        """A split, given the pair and no blackjack."""
        automaton, nodes = self.solver.automaton, self.solver.nodes
        deals = list(Enumeration(self.solver, up, self.actions[up]).deals(node))
        comes = sum((chance for chance, _, _ in deals), Fraction(0))
        lost = int(automaton.pay[nodes.state[node], BLACKJACK]) * (1 - whole)
        worth = self._worth_of_first(up, node, SPLIT, self.actions[up]) / comes
        return (worth - lost) / whole / automaton.unit

    def best_action(self, cards: Sequence[Card], up: Dealer) -> Action | None:
        """What the strategy does with a hand, None where nothing is to be decided."""
        number = int(self.actions[self.solver.seen_of(up)][find_node(self.solver, cards, up)])
        return None if number == NONE else ACTIONS[number]


def _mean(law: Law) -> Fraction:
    return sum((units * chance for units, chance in law.items()), Fraction(0))
