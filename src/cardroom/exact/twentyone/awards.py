"""Where the return of the primary wager comes from: every way a hand ends, how often, and what it adds.

The mean of a round is the sum over its hands, also over those of a split that share a shoe and a dealer; so
the awards below add up to the expected value of the game.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import cycle
from typing import Any, Final

import numpy as np

from cardroom.core.cards import CARDS, Card, Rank, Suit
from cardroom.exact.twentyone.distribution import NOISE
from cardroom.exact.twentyone.measure import BLACKJACK as BLACKJACK_FINAL
from cardroom.exact.twentyone.measure import BUSTS, WHOLE
from cardroom.exact.twentyone.nodes import Floats, Ints
from cardroom.exact.twentyone.play import DOUBLE, HIT, RESCUE, SPLIT, SURRENDER, spread
from cardroom.exact.twentyone.solution import Solution
from cardroom.exact.twentyone.solver import UpCard
from cardroom.exact.twentyone.split import hands_allowed, split_ways
from cardroom.model.twentyone.automaton import DEALER_TOTALS
from cardroom.rules.twentyone import law

BLACKJACK: Final = "blackjack"
WIN: Final = "win"
PUSH: Final = "push"
LOWER: Final = "lower total"
TIE: Final = "tie"
"""Lost, where the house takes ties."""
BUST: Final = "bust"
DEALERS_BLACKJACK: Final = "dealer's blackjack"
SURRENDERED: Final = "surrender"
RESCUED: Final = "rescue"
BONUSES: Final = (
    "five_cards",
    "six_cards",
    "seven_cards",
    *(
        f"{cards}_{kind}"
        for cards in ("six_seven_eight", "three_sevens")
        for kind in ("mixed", "suited", "named")
    ),
)
_ORDER: Final = (
    BLACKJACK,
    *BONUSES,
    WIN,
    PUSH,
    SURRENDERED,
    RESCUED,
    LOWER,
    TIE,
    BUST,
    DEALERS_BLACKJACK,
)
_OR: Final = " or "


@dataclass(frozen=True, slots=True)
class Award:
    """One way for a hand to end."""

    ending: str
    """`blackjack`, a line of the bonus table, `win`, `push`, …; lines that pay alike are joined by `or`."""
    doubles: int
    net: Fraction
    """What the hand wins, or below zero loses, in first wagers."""
    hands: float
    """How many hands of a round end so, on average: a chance, but for the hands of a split."""

    @property
    def returns(self) -> float:
        """What it adds to the expected value."""
        return self.hands * float(self.net)

    def to_json(self) -> dict[str, Any]:
        return {
            "ending": self.ending,
            "doubles": self.doubles,
            "net": str(self.net),
            "hands_per_round": self.hands,
            "one_in": 1 / self.hands,
            "return": self.returns,
        }


def awards(solution: Solution) -> tuple[Award, ...]:
    """All ways for a hand to end, wins first; their returns add up to the expected value."""
    return _Endings(solution).awards()


class _Endings:
    def __init__(self, solution: Solution) -> None:
        self.solution = solution
        self.solver = solution.solver
        self.follow = solution.table is not None
        automaton, nodes = self.solver.automaton, self.solver.nodes
        self.doubles = np.array([hand.doubles for hand in automaton.hands])
        self.total = np.array([hand.total for hand in automaton.hands])
        self.composition, self.state = nodes.composition, nodes.state
        self.hands: defaultdict[tuple[str, int, int], float] = defaultdict(float)
        """(ending, doubles, units) → hands a round."""

    def awards(self) -> tuple[Award, ...]:
        for up in self.solution.up_cards:
            self._first_dealt(up)
            self._after_splits(up)
        unit = self.solver.automaton.unit
        lines = [
            Award(ending, doubles, Fraction(units, unit), hands)
            for (ending, doubles, units), hands in self.hands.items()
            if hands > NOISE
        ]
        return tuple(
            sorted(lines, key=lambda each: (_ORDER.index(each.ending.split(_OR)[0]), each.doubles, each.net))
        )

    def _first_dealt(self, up: UpCard) -> None:
        played, automaton, nodes = up.played, self.solver.automaton, self.solver.nodes
        looked = self.solution.first_two_chances(up) - played.weights[self.composition, WHOLE]
        for node in np.flatnonzero(played.ways[:, 0]).tolist():
            units = int(automaton.pay[self.state[node], BLACKJACK_FINAL])
            ending = BLACKJACK if units > 0 else PUSH if units == 0 else DEALERS_BLACKJACK
            if self.solver.counts_looked and played.action[node] == SURRENDER:
                ending, units = SURRENDERED, automaton.surrender_pay
            self.hands[ending, 0, units] += up.chance * float(played.ways[node, 0] * looked[node])
        ways = played.ways.copy()
        spread(ways, self.solver.states, nodes, played.action)
        reached = np.flatnonzero((ways[:, 0] != 0.0) & (played.action != SPLIT))
        weights = up.chance * ways[reached] * played.weights[self.composition[reached]]
        self._add(up, reached, weights, from_split=False)

    def _after_splits(self, up: UpCard) -> None:
        states, nodes, action = self.solver.states, self.solver.nodes, up.played.action
        split = np.flatnonzero((up.played.ways[:, 0] != 0.0) & (action == SPLIT))
        for rank in np.unique(states.pair[split]).tolist():
            ways_to_split = up.played.ways[split[states.pair[split] == rank], 0].sum()
            chance = float(ways_to_split) * up.dealt.pair_chance(rank)
            most = hands_allowed(rank, states, nodes, action, follow=self.follow)
            ways = split_ways(rank, states, nodes, action, resplit=most > 2)
            reached = np.flatnonzero(ways.any(axis=1))
            some, place = np.unique(self.composition[reached], return_inverse=True)
            measures = up.dealt.after_split(rank, most, some)[place]
            weights = up.chance * chance * np.einsum("nk,nkc->nc", ways[reached], measures)
            self._add(up, reached, weights, from_split=True)

    def _add(self, up: UpCard, reached: Ints, weights: Floats, *, from_split: bool) -> None:
        """Add the hands that end at nodes, by the weights of the dealer's finals."""
        automaton, nodes = self.solver.automaton, self.solver.nodes
        if self.solver.counts_looked:
            weights = weights.copy()
            weights[:, BLACKJACK_FINAL] = 0.0  # no hand that is played meets it
        action = up.played.action[reached]
        state = self.state[reached]
        draws = (action == HIT) | (action == DOUBLE)
        gets = np.where(action == DOUBLE, self.state[nodes.doubled[reached]], state)
        self._count(BUST, gets[draws], -automaton.stake[gets[draws]], weights[draws, BUSTS])
        for given_up, name, pay in (
            (SURRENDER, SURRENDERED, np.full(len(automaton.pay), automaton.surrender_pay)),
            (RESCUE, RESCUED, automaton.rescue_pay),
        ):
            some = action == given_up
            to_blackjack = weights[some, BLACKJACK_FINAL] if given_up == SURRENDER else 0.0
            self._count(name, state[some], pay[state[some]], weights[some, WHOLE] - to_blackjack)
        surrendered = action == SURRENDER
        late = np.full(int(surrendered.sum()), automaton.surrender_blackjack_pay)
        ending = SURRENDERED if automaton.rules.surrender in law.EARLY else DEALERS_BLACKJACK
        self._count(ending, state[surrendered], late, weights[surrendered, BLACKJACK_FINAL])
        stands = ~draws & (action != SPLIT) & (action != SURRENDER) & (action != RESCUE)
        special = self._special_wins[from_split]
        named = np.isin(reached, special.nodes)
        for final in self.solver.finals:
            pay = automaton.pay[state, final]
            won = stands & (pay > 0)
            self._count(WIN, state[won & ~named], pay[won & ~named], weights[won & ~named, final])
            for at in np.flatnonzero(won & named).tolist():
                ending = special.names[int(reached[at])]
                self.hands[ending, 0, int(pay[at])] += float(weights[at, final])
            lost = DEALERS_BLACKJACK if final == BLACKJACK_FINAL else LOWER
            tied = self.total[state] == DEALER_TOTALS[final]
            if lost is DEALERS_BLACKJACK:
                tied[:] = False
            ends = ((PUSH, pay == 0), (lost, (pay < 0) & ~tied), (TIE, (pay < 0) & tied))
            for name, some in ((name, stands & of_them) for name, of_them in ends):
                self._count(name, state[some], pay[some], weights[some, final])

    def _count(self, ending: str, state: Ints, units: Any, weights: Floats) -> None:
        for doubles, won in {*zip(self.doubles[state].tolist(), units.tolist(), strict=True)}:
            some = (self.doubles[state] == doubles) & (units == won)
            self.hands[ending, doubles, int(won)] += float(weights[some].sum())

    @cached_property
    def _special_wins(self) -> dict[bool, _Special]:
        return {from_split: self._specials(from_split=from_split) for from_split in (False, True)}

    def _specials(self, *, from_split: bool) -> _Special:
        """The nodes that win by a name of their own: blackjacks, and the lines of the bonus table."""
        names: dict[int, str] = {}
        has_21 = (self.total[self.state] == law.BLACKJACK_TOTAL) & (self.doubles[self.state] == 0)
        for node in np.flatnonzero(has_21).tolist():
            name = self._name(node, from_split=from_split)
            if name is not None:
                names[node] = name
        return _Special(np.array([*names], np.int64), names)

    def _name(self, node: int, *, from_split: bool) -> str | None:
        rules, counts = self.solver.automaton.rules, self.solver.known.counts[self.composition[node]]
        ranks = [Rank(rank + 1) for rank, count in enumerate(counts.tolist()) for _ in range(count)]
        rate = self.solver.automaton.hands[self.state[node]].rate
        lines = []
        for cards in _in_suits(ranks, rules.bonus_21.suit):
            if law.is_blackjack(cards, from_split=from_split):
                return BLACKJACK
            bonus = law.bonus_21(rules, cards, doubles=0, from_split=from_split)
            if bonus and rate and bonus[1].ratio == rate.ratio and bonus[0] not in lines:
                lines.append(bonus[0])
        return _OR.join(lines) or None


@dataclass(frozen=True, slots=True)
class _Special:
    nodes: Ints
    names: dict[int, str]


def _in_suits(ranks: list[Rank], named: Suit) -> Iterator[list[Card]]:
    """The cards of mixed suits, of one suit, and of the named one."""
    other = next(suit for suit in Suit if suit is not named)
    for suits in ((other, named), (other,), (named,)):
        yield [CARDS[len(Rank) * suit + rank - 1] for rank, suit in zip(ranks, cycle(suits), strict=False)]
