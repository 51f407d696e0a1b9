"""From rules and a shoe to values against every up card: the parts of the solver put together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations_with_replacement
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.core.cards import Card, Rank
from cardroom.core.decks import CardCounts
from cardroom.core.errors import MalformedInput
from cardroom.exact.twentyone import beside
from cardroom.exact.twentyone.basic import Search
from cardroom.exact.twentyone.dealer import Draw, dealer_hands, expansion, not_under
from cardroom.exact.twentyone.measure import BLACKJACK, FINALS, TWENTY_TWO, measure
from cardroom.exact.twentyone.nodes import Compositions, Floats, Ints, Nodes, compositions, unfold
from cardroom.exact.twentyone.play import SPLIT, Actions, Played, States, states_of
from cardroom.exact.twentyone.shoe import Shoe, shoe_of
from cardroom.exact.twentyone.split import Dealt, nobody_plays, play
from cardroom.model.twentyone.automaton import BUST_TOTAL, NONE, Automaton, compile_hands
from cardroom.model.twentyone.columns import NO_COLUMN, columns_of
from cardroom.model.twentyone.strategy import Strategy
from cardroom.rules.twentyone import TwentyOneRules, law
from cardroom.rules.twentyone.law import BLACKJACK_TOTAL


class DealerCards(NamedTuple):
    """The ranks of the dealer's cards that are seen before anybody plays."""

    up: int
    hole: int = NONE
    """Where both lie face up; of the two, the up card is then the lower one."""

    @property
    def ranks(self) -> tuple[int, ...]:
        return (self.up,) if self.hole == NONE else (self.up, self.hole)

    @property
    def name(self) -> str:
        """By the letters of the ranks: `7`, or `7T`."""
        return "".join(Rank(rank + 1).letter for rank in self.ranks)


@dataclass(frozen=True, eq=False)
class UpCard:
    """Everything against one up card, or both of the dealer's cards."""

    seen: DealerCards
    column: int
    """Of a strategy's table; NO_COLUMN for a blackjack that is seen."""
    chance: float
    dealt: Dealt
    played: Played

    @property
    def draw(self) -> Draw:
        return self.dealt.draw


class MayRunOut(MalformedInput):
    """A shoe that a round could use up: it is solved in fractions only."""


@dataclass(frozen=True, eq=False)
class Solver:
    """The tables of a house's rules and a shoe, ready to be solved for any strategy."""

    automaton: Automaton
    shoe: Shoe
    known: Compositions
    nodes: Nodes
    states: States
    dealer_draws: NDArray[np.bool_]

    @classmethod
    def of(
        cls,
        rules: TwentyOneRules,
        cards: CardCounts | None = None,
        wager_cents: int | None = None,
        *,
        may_run_out: bool = False,
    ) -> Solver:
        beside.begin()
        automaton = compile_hands(rules, wager_cents)
        shoe = shoe_of(rules, automaton.classes, cards)
        if not may_run_out:
            refuse_if_it_may_run_out(rules, shoe)
        draws = [
            [law.dealer_draws(rules, total, soft=soft) for soft in (False, True)]
            for total in range(BUST_TOTAL + 1)
        ]
        nodes, known = unfold(automaton, shoe), compositions(tuple(shoe.values.tolist()))
        return cls(
            automaton=automaton,
            shoe=shoe,
            known=known,
            nodes=nodes,
            states=states_of(automaton, shoe, nodes, known),
            dealer_draws=np.array(draws),
        )

    @cached_property
    def chances(self) -> dict[DealerCards, Fraction]:
        """All that can be seen of the dealer's hand, with its chance."""
        counts, total = self.shoe.counts.tolist(), self.shoe.total
        ranks = np.flatnonzero(self.shoe.counts).tolist()
        if self.rules.hole_card != "shown":
            return {DealerCards(up): Fraction(counts[up], total) for up in ranks}
        step = 0 if self.shoe.infinite else 1
        orders = total * (total - step)
        ways = {
            DealerCards(one, other): counts[one]
            * (counts[other] - step if one == other else 2 * counts[other])
            for one, other in combinations_with_replacement(ranks, 2)
        }
        return {seen: Fraction(number, orders) for seen, number in ways.items() if number}

    def seen_of(self, cards: Card | Sequence[Card]) -> DealerCards:
        """What is seen when these cards of the dealer's lie face up."""
        some = (cards,) if isinstance(cards, Card) else cards
        needed = columns_of(self.rules).cards
        if len(some) != needed:
            raise MalformedInput(
                "both of the dealer's cards are seen at this table; give both"
                if needed > 1
                else "one of the dealer's cards is seen at this table; give that one"
            )
        return DealerCards(*sorted(self.shoe.rank_of(card) for card in some))

    def column(self, seen: DealerCards) -> int:
        """The column of a strategy's table; NO_COLUMN for a blackjack that is seen."""
        return columns_of(self.rules).place(*(int(self.shoe.values[rank]) for rank in seen.ranks))

    def dealer_begins(self, seen: DealerCards) -> tuple[int, bool]:
        """The total and softness of the dealer's cards that are seen."""
        total, soft = 0, False
        for rank in seen.ranks:
            total, soft = law.add_card(total, soft, int(self.shoe.values[rank]))
        return total, soft

    @cached_property
    def dealt(self) -> dict[DealerCards, Dealt]:
        """What is dealt against all that can be seen of the dealer's hand."""
        return {seen: self._dealt(seen) for seen in self.chances}

    def dealt_without_a_look(self, seen: DealerCards) -> Dealt:
        """The same with a dealer's blackjack among what hands that are played meet."""
        return self._dealt(seen, looks=False)

    def _dealt(self, seen: DealerCards, known_not: Sequence[int] = (), *, looks: bool | None = None) -> Dealt:
        draw, to_22 = self._draw(seen, known_not, to_22=False), None
        if self.rules.dealer_22_pushes:
            to_22 = self._draw(seen, known_not, to_22=True)
        if looks is not None:
            draw = draw._replace(looks=looks)
            to_22 = None if to_22 is None else to_22._replace(looks=looks)
        return Dealt(self.known, draw, measure(self.known, draw, to_22), to_22)

    def _draw(self, seen: DealerCards, known_not: Sequence[int], *, to_22: bool) -> Draw:
        ranks = np.array(seen.ranks)
        under = not_under(self.shoe.values, ranks)
        under[list(known_not)] = 1
        left = self.shoe.counts.astype(np.float64)
        for rank in seen.ranks:
            left[rank] -= self.states.step
        return expansion(
            self.known,
            self.shoe.values,
            left,
            self.states.step,
            ranks,
            under,
            self.dealer_draws,
            looks=self.looks,
            counts_looked=self.counts_looked,
            to_22=to_22,
        )

    def dealer_hands(self, seen: DealerCards) -> tuple[Ints, Ints, Floats]:
        """(cards besides those seen, final, orders) of the dealer's hands, busts and blackjacks left out."""
        ranks = np.array(seen.ranks)
        under = not_under(self.shoe.values, ranks)
        some = dealer_hands(self.known, self.shoe.values, ranks, under, self.dealer_draws, to_22=False)
        drawn, final, orders = some[0], some[1] + 1, some[2]
        if self.rules.dealer_22_pushes:
            more, _, of_more = dealer_hands(
                self.known, self.shoe.values, ranks, under, self.dealer_draws, to_22=True
            )
            drawn, orders = np.concatenate([drawn, more]), np.concatenate([orders, of_more])
            final = np.concatenate([final, np.full(len(more), TWENTY_TWO)])
        return drawn, final, orders

    def against(self, column: int) -> States:
        """The states with what may be done against what a column stands for."""
        may = self.automaton.may_against(column)
        return self.states if may is self.automaton.may else self.states._replace(may=may.astype(np.int64))

    @cached_property
    def results(self) -> Ints:
        """[state, final]: what a hand that stands wins, in units; finals it never meets pay as a bust."""
        result = self.automaton.pay.astype(np.int64)
        none = [final for final in range(FINALS) if final not in self.finals]
        result[:, none] = result[:, :1]
        return result

    @cached_property
    def finals(self) -> tuple[int, ...]:
        """The finals that a hand which stands may meet: a blackjack only where nobody looks for it first."""
        extra = {BLACKJACK: not self.looks, TWENTY_TWO: self.rules.dealer_22_pushes}
        return tuple(final for final in range(FINALS) if extra.get(final, True))

    @property
    def looks(self) -> bool:
        """Whether no hand that is played meets a dealer's blackjack: it is known before, or undoes the play.

        Where it takes the original wagers only (21-1.26), a round comes to what it would after a look.
        """
        return not self.rules.second_card_waits or self.rules.original_only

    @property
    def counts_looked(self) -> bool:
        """Whether a surrender is done by then, so that it matters how often there is such a blackjack."""
        return self.rules.original_only and self.rules.surrender in law.EARLY

    def decided(self, state: int, seen: DealerCards) -> bool:
        """Whether a hand that stands is paid the same whatever a dealer with these cards ends in."""
        tied = int(self.shoe.values[seen.up]) in law.LOOKED_UNDER
        finals = [final for final in self.finals if final != BLACKJACK or tied]
        return len({int(units) for units in self.results[state, finals]}) == 1

    @property
    def rules(self) -> TwentyOneRules:
        return self.automaton.rules

    def best_strategy(self) -> Strategy:
        """The best strategy that looks at the state of the hand only."""
        action = np.full((len(self.automaton.hands), len(columns_of(self.rules))), NONE, np.int8)
        alike: dict[int, list[DealerCards]] = {}
        for seen in self.chances:
            if (column := self.column(seen)) != NO_COLUMN:
                alike.setdefault(column, []).append(seen)
        search: dict[tuple[int, bool], Search] = {}
        for column, some in alike.items():
            whole = sum(self.chances[seen] for seen in some)
            shares = [float(self.chances[seen] / whole) for seen in some]
            dealt, states = [self.dealt[seen] for seen in some], self.against(column)
            kind = len(some), states is self.states
            if kind not in search:
                search[kind] = Search.of(states, self.nodes, self.known, len(some))
            action[:, column] = search[kind].best_table(dealt, shares)
        return Strategy("basic", self.automaton, action).completed(alike)

    def fitted(self, strategy: Strategy) -> Strategy:
        """A strategy for these tables: as it is where hands have the same numbers, else by its chart."""
        if strategy.automaton is not self.automaton:
            if strategy.automaton.numbered == self.automaton.numbered:
                strategy = Strategy(strategy.name, self.automaton, strategy.action)
            else:
                strategy = strategy.chart().strategy(self.automaton, self.shoe.cards)
        strategy = strategy.complete(self.shoe.cards)
        self._refuse_splits_by_suit(strategy)
        return strategy

    def _refuse_splits_by_suit(self, strategy: Strategy) -> None:
        """Split values are over all pairs of a rank, so a pair must be split whatever its suits, or never."""
        pairs: dict[tuple[int, bool], set[int]] = {}
        for state, hand in enumerate(self.automaton.hands):
            if self.automaton.may[state] >> SPLIT & 1:
                pairs.setdefault((hand.pair, hand.from_split), set()).add(state)
        for (pair, _), some in pairs.items():
            splits = strategy.action[sorted(some)] == SPLIT
            if (splits.any(axis=0) != splits.all(axis=0)).any():
                raise MalformedInput(
                    f"the strategy splits a pair of {Rank(pair).letter} by suits; it must split all or none"
                )

    def play(self, strategy: Strategy | None) -> list[UpCard]:
        """Values against all that can be seen by a strategy, or by the best action for each composition."""
        strategy = None if strategy is None else self.fitted(strategy)
        dealt_against = self.dealt
        beside.wait()
        nothing = np.full(len(self.automaton.hands), NONE, np.int8)
        result = []
        for seen, chance in self.chances.items():
            column, dealt = self.column(seen), dealt_against[seen]
            if column == NO_COLUMN:
                played = nobody_plays(self.states, self.nodes, dealt)
            else:
                table: Actions = (
                    nothing if strategy is None else np.ascontiguousarray(strategy.action[:, column])
                )
                played = play(self.against(column), self.nodes, dealt, table, follow=strategy is not None)
            result.append(UpCard(seen, column, float(chance), dealt, played))
        return result

    def knowing(self, seen: DealerCards, known_not: Sequence[int]) -> UpCard:
        """The best play against an up card by a player who knows ranks that the hole card is not.

        The measure of a hand (`measure`) is the chance that the hole card is none of them, nor a blackjack's.
        """
        dealt, column = self._dealt(seen, known_not), self.column(seen)
        nothing = np.full(len(self.automaton.hands), NONE, np.int8)
        played = play(self.against(column), self.nodes, dealt, nothing, follow=False)
        return UpCard(seen, column, float(self.chances[seen]), dealt, played)


def refuse_if_it_may_run_out(rules: TwentyOneRules, shoe: Shoe) -> None:
    """A round must not be able to use up the shoe: hands are valued as if it could not.

    All hands together hold at most 21 points each and a card more, the dealer at most 16 and a card more.
    """
    if shoe.infinite:
        return
    hands = rules.split.max_hands
    points = hands * BLACKJACK_TOTAL + law.BLACKJACK_TOTAL
    most = hands + 1
    for value, count in sorted(zip(shoe.values.tolist(), shoe.counts.tolist(), strict=True)):
        fit = min(count, points // value)
        most += fit
        points -= fit * value
    if shoe.total < most:
        raise MayRunOut(
            f"a round may need {most} cards and the shoe has {shoe.total}: it could run out in the middle of "
            "a round; a shoe so small is solved in fractions only (`cardroom odds --exact`)"
        )
