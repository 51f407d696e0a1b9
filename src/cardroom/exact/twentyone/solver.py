"""From rules and a shoe to values against every up card: the parts of the solver put together."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cardroom.core.cards import Rank
from cardroom.core.decks import CardCounts
from cardroom.core.errors import MalformedInput
from cardroom.exact.twentyone.basic import Search
from cardroom.exact.twentyone.dealer import Draw, dealer_hands, expansion
from cardroom.exact.twentyone.measure import BLACKJACK, FINALS, TWENTY_TWO, measure
from cardroom.exact.twentyone.nodes import Compositions, Floats, Ints, Nodes, compositions, unfold
from cardroom.exact.twentyone.play import SPLIT, Actions, Played, States, states_of
from cardroom.exact.twentyone.shoe import Shoe, shoe_of
from cardroom.exact.twentyone.split import Dealt, play
from cardroom.model.twentyone.automaton import BUST_TOTAL, NONE, Automaton, compile_hands
from cardroom.model.twentyone.strategy import Strategy
from cardroom.rules.twentyone import TwentyOneRules, law
from cardroom.rules.twentyone.law import BLACKJACK_TOTAL

UP_VALUES: Final = 10


@dataclass(frozen=True, eq=False)
class UpCard:
    """Everything against one up card."""

    rank: int
    chance: float
    dealt: Dealt
    played: Played

    @property
    def draw(self) -> Draw:
        return self.dealt.draw


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

    @property
    def up_ranks(self) -> list[int]:
        """The ranks that can be the up card."""
        return np.flatnonzero(self.shoe.counts).tolist()

    @cached_property
    def dealt(self) -> dict[int, Dealt]:
        """What is dealt against each up card."""
        return {up: self._dealt(up) for up in self.up_ranks}

    def _dealt(self, up: int) -> Dealt:
        draw = self._draw(up, to_22=False)
        to_22 = self._draw(up, to_22=True) if self.rules.dealer_22_pushes else None
        return Dealt(self.known, draw, measure(self.known, draw, to_22), to_22)

    def _draw(self, up: int, *, to_22: bool) -> Draw:
        left = self.shoe.counts.astype(np.float64)
        left[up] -= self.states.step
        return expansion(
            self.known,
            self.shoe.values,
            left,
            self.states.step,
            up,
            self.dealer_draws,
            self.rules.hole_card == "dealt",
            to_22,
        )

    def dealer_hands(self, up: int) -> tuple[Ints, Ints, Floats]:
        """(cards besides the up card, final, orders) of the dealer's hands, busts and blackjacks left out."""
        some = dealer_hands(self.known, self.shoe.values, up, self.dealer_draws, False)
        drawn, final, orders = some[0], some[1] + 1, some[2]
        if self.rules.dealer_22_pushes:
            more, _, of_more = dealer_hands(self.known, self.shoe.values, up, self.dealer_draws, True)
            drawn, orders = np.concatenate([drawn, more]), np.concatenate([orders, of_more])
            final = np.concatenate([final, np.full(len(more), TWENTY_TWO)])
        return drawn, final, orders

    def against(self, up_value: int) -> States:
        """The states with what may be done against an up card of this value."""
        may = self.automaton.may_against(up_value - 1)
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
        extra = {BLACKJACK: self.rules.hole_card == "none", TWENTY_TWO: self.rules.dealer_22_pushes}
        return tuple(final for final in range(FINALS) if extra.get(final, True))

    def decided(self, state: int, up: int) -> bool:
        """Whether a hand that stands is paid the same whatever a dealer with this up card ends in."""
        tied = int(self.shoe.values[up]) in law.LOOKED_UNDER
        finals = [final for final in self.finals if final != BLACKJACK or tied]
        return len({int(units) for units in self.results[state, finals]}) == 1

    @property
    def rules(self) -> TwentyOneRules:
        return self.automaton.rules

    def best_strategy(self) -> Strategy:
        """The best strategy that looks at the state of the hand only."""
        action = np.full((len(self.automaton.hands), UP_VALUES), NONE, np.int8)
        ups: dict[int, list[int]] = {}
        for up in self.up_ranks:
            ups.setdefault(int(self.shoe.values[up]), []).append(up)
        search: dict[tuple[int, bool], Search] = {}
        for value, some in ups.items():
            shares = self.shoe.counts[some] / self.shoe.counts[some].sum()
            dealt, states = [self.dealt[up] for up in some], self.against(value)
            kind = len(some), states is self.states
            if kind not in search:
                search[kind] = Search.of(states, self.nodes, self.known, len(some))
            action[:, value - 1] = search[kind].best_table(dealt, shares.tolist())
        return Strategy("basic", self.automaton, action).completed(value - 1 for value in ups)

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
        """Values against every up card by a strategy, or by the best action for each composition."""
        strategy = None if strategy is None else self.fitted(strategy)
        nothing = np.full(len(self.automaton.hands), NONE, np.int8)
        total = float(self.shoe.total)
        result = []
        for up in self.up_ranks:
            column = int(self.shoe.values[up]) - 1
            table: Actions = nothing if strategy is None else np.ascontiguousarray(strategy.action[:, column])
            dealt = self.dealt[up]
            played = play(self.against(column + 1), self.nodes, dealt, table, follow=strategy is not None)
            result.append(UpCard(up, float(self.shoe.counts[up]) / total, dealt, played))
        return result


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
        raise MalformedInput(
            f"a round may need {most} cards and the shoe has {shoe.total}: it could run out in the middle of "
            "a round; a shoe so small is solved in fractions only (--exact)"
        )
