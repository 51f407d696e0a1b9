"""The primary wager and the Super Bonus together, by one strategy that is the best for their sum.

The Super Bonus is for the first three cards, so that the only hands it changes are those of two cards that a
third one may make win, such as two suited sevens against a 7: they are hit where the chance of that card is
worth more than what the primary wager loses by it.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from cardroom.core.cards import Rank
from cardroom.core.decks import CardCounts
from cardroom.core.errors import MalformedInput
from cardroom.exact.twentyone import solve
from cardroom.exact.twentyone.measure import WHOLE
from cardroom.exact.twentyone.play import HIT
from cardroom.exact.twentyone.solution import Solution, hand_name
from cardroom.exact.twentyone.solver import UpCard
from cardroom.model.twentyone.automaton import ACTIONS
from cardroom.model.twentyone.strategy import Strategy
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.rules.twentyone.law import Action


@dataclass(frozen=True, slots=True)
class Changed:
    """A hand that is hit for the Super Bonus, and what is best for the primary wager alone."""

    cards: str
    up_card: str
    instead_of: Action


@dataclass(frozen=True, slots=True)
class Total:
    """A wager of one size; values are for each unit of it."""

    rules: TwentyOneRules
    strategy: str
    wager_cents: int
    pays_cents: int
    """What a Super Bonus pays on this wager."""
    primary_value: float
    """What the primary wager alone brings under this strategy."""
    chance: float
    """Of the Super Bonus in a round."""
    changed: tuple[Changed, ...]
    """The hands that are not played as for the primary wager alone."""

    @property
    def super_bonus_value(self) -> float:
        return self.chance * self.pays_cents / self.wager_cents

    def envy_value(self, players: int) -> float:
        """What the Super Bonuses of the other players bring, who play alike (PE21-13.1).

        Every other player wins one as often: where they sit does not matter from a fresh shoe.
        """
        return (players - 1) * self.chance * int(self.rules.super_bonus.envy) / self.wager_cents

    def value(self, players: int = 1) -> float:
        return self.primary_value + self.super_bonus_value + self.envy_value(players)

    def changed_by_up_card(self) -> dict[str, list[Changed]]:
        """The hands that are not played as for the primary wager alone, by the up card."""
        by_up: dict[str, list[Changed]] = {}
        for hand in self.changed:
            by_up.setdefault(hand.up_card, []).append(hand)
        return by_up

    def to_json(self) -> dict[str, Any]:
        return {
            "method": "exact",
            "strategy": self.strategy,
            "wager_cents": self.wager_cents,
            "primary_expected_value": self.primary_value,
            "super_bonus": {
                "probability": self.chance,
                "pays": str(Fraction(self.pays_cents, self.wager_cents)),
                "expected_value": self.super_bonus_value,
            },
            "hit_for_the_super_bonus": [
                {"cards": hand.cards, "up_card": hand.up_card, "instead_of": hand.instead_of.value}
                for hand in self.changed
            ],
            "by_players": [
                {
                    "players": players,
                    "envy_expected_value": self.envy_value(players),
                    "expected_value": self.value(players),
                    "house_edge_percent": -100 * self.value(players),
                }
                for players in range(1, self.rules.procedure.spots + 1)
            ],
        }


def solve_total(
    rules: TwentyOneRules,
    strategy: str | Strategy = "composition",
    *,
    wager_cents: int,
    shoe: CardCounts | None = None,
) -> Total:
    """Solve the game for both at a wager; a strategy made from a chart is followed as it is."""
    refuse_without_super_bonus(rules)
    return total_of(solve(rules, strategy, shoe=shoe, wager_cents=wager_cents), wager_cents, strategy)


def refuse_without_super_bonus(rules: TwentyOneRules) -> None:
    if not rules.super_bonus.offered:
        raise MalformedInput("a total is the primary wager with the Super Bonus; this table has none")


def total_of(solution: Solution, wager_cents: int, strategy: str | Strategy) -> Total:
    """The same from the primary wager as it was solved at that wager."""
    rules = solution.rules
    pays = rules.super_bonus.pays_on(wager_cents)
    against = {rank for line in rules.super_bonus.lines for rank in line.against}
    value, chance, changed = solution.expected_value, 0.0, []
    for up in solution.up_cards:
        rank = Rank(solution.solver.shoe.values[up.seen.up])
        if rank not in against:
            continue
        played = up.played
        for node in np.flatnonzero(played.ways[:, 0]).tolist():
            third = _third_card(solution, up, rank, node)
            if not third:
                continue
            ways = up.chance * float(played.ways[node, 0])
            hit, now = float(played.of_action[node, HIT]), float(played.value[node])
            hits = bool(played.action[node] == HIT)
            # Of a split the value is that over all suits of the pair: a 7-7-7 of one suit after a split,
            # where it is paid, makes it differ by some 10⁻⁵ of a wager, in 1 of 10,000 rounds.
            if not hits and isinstance(strategy, str) and hit + third * pays / wager_cents > now:
                value += ways * (hit - now)
                name, alone = hand_name(solution.solver, node=node), ACTIONS[int(played.action[node])]
                changed.append(Changed(name, rank.letter, alone))
                hits = True
            chance += ways * third if hits else 0.0
    unique = tuple(dict.fromkeys(changed))
    return Total(rules, solution.strategy_name, wager_cents, pays, value, chance, unique)


def _third_card(solution: Solution, up: UpCard, rank: Rank, node: int) -> float:
    """The measure of the Super Bonus if a hand is hit: the chance of its cards and of the third one."""
    states, nodes, automaton = solution.solver.states, solution.solver.nodes, solution.solver.automaton
    won = automaton.super_bonus[:, rank - 1]
    result = 0.0
    if won[nodes.state[node]]:
        return result  # by now
    for at in range(int(states.move_start[node]), int(states.move_start[node + 1])):
        after = int(states.move_to[at])
        if won[nodes.state[after]]:
            result += float(states.move_share[at] * up.played.weights[nodes.composition[after], WHOLE])
    return result
