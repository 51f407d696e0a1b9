"""What the solver found: expected values of the game, of hands and of actions, and the strategy."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from cardroom.core.cards import CARDS, Card, Rank, format_cards
from cardroom.core.errors import MalformedInput
from cardroom.exact.figures import ROUNDING, Outcome, WagerFigures
from cardroom.exact.twentyone.after_split import Distribution
from cardroom.exact.twentyone.distribution import NOISE, distribution, final_wager
from cardroom.exact.twentyone.measure import BLACKJACK, WHOLE
from cardroom.exact.twentyone.nodes import Floats, Nodes
from cardroom.exact.twentyone.play import spread
from cardroom.exact.twentyone.shoe import Shoe
from cardroom.exact.twentyone.solver import Solver, UpCard
from cardroom.model.twentyone.automaton import ACTIONS, NONE, START
from cardroom.model.twentyone.columns import NO_COLUMN
from cardroom.model.twentyone.strategy import Strategy
from cardroom.rules.twentyone import TwentyOneRules, law
from cardroom.rules.twentyone.law import Action

Dealer = Card | Sequence[Card]
"""The dealer's up card, or both cards where both are seen."""


@dataclass(frozen=True, slots=True)
class Part:
    """One part of the game: how often it comes, and what is expected when it does."""

    name: str
    chance: float
    expected_value: float


@dataclass(frozen=True, eq=False)
class Solution:
    """The game solved for one strategy, in double precision; values are for each unit wagered at first."""

    solver: Solver
    strategy_name: str
    table: Strategy | None
    """The strategy by state, or None where it is the best for each composition."""
    up_cards: list[UpCard]

    @property
    def rules(self) -> TwentyOneRules:
        return self.solver.automaton.rules

    @cached_property
    def expected_value(self) -> float:
        """What a player expects of the primary wager; insurance, Super Bonus and side bets are left out."""
        return sum(part.chance * part.expected_value for part in self.by_up_card)

    @cached_property
    def by_up_card(self) -> list[Part]:
        """The game by what is seen of the dealer's hand."""
        return [Part(up.seen.name, up.chance, float(self.first_two_values(up).sum())) for up in self.up_cards]

    @cached_property
    def by_first_two(self) -> list[Part]:
        """The game by the player's first two cards, suits told apart where bonuses do."""
        nodes = self.solver.nodes
        chance = np.zeros(len(nodes.state))
        value = np.zeros(len(nodes.state))
        for up in self.up_cards:
            chance += up.chance * up.played.ways[:, 0] * self.first_two_chances(up)
            value += up.chance * self.first_two_values(up)
        parts: dict[str, tuple[float, float]] = {}
        for node in np.flatnonzero(chance).tolist():
            name = hand_name(self.solver, node=node)
            before = parts.get(name, (0.0, 0.0))
            parts[name] = (before[0] + float(chance[node]), before[1] + float(value[node]))
        return [
            Part(name, chance, value / chance)
            for name, (chance, value) in sorted(parts.items(), key=lambda item: by_ranks(item[0]))
        ]

    @cached_property
    def by_first_card(self) -> list[Part]:
        """The game by the player's first card, as if it were known before the others are dealt."""
        return parts_by_first_card(self.by_first_two)

    @cached_property
    def distribution(self) -> tuple[tuple[Fraction, float], ...]:
        """(net result in wagers, probability), from the largest loss to the largest win."""
        unit = self.solver.automaton.unit
        chances: dict[int, float] = {}
        for up, against in zip(self.up_cards, self._distributions, strict=True):
            for units, chance in without_noise(against.chances).items():
                chances[units] = chances.get(units, 0.0) + up.chance * chance
        whole = sum(chances.values())
        assert abs(whole - 1.0) <= ROUNDING, f"the chances of all results add up to {whole}"
        return tuple((Fraction(units, unit), chances[units]) for units in sorted(chances))

    @cached_property
    def distribution_error(self) -> float:
        """No probability of the distribution is further from the truth; 0 where there is only rounding."""
        return sum(
            up.chance * against.error for up, against in zip(self.up_cards, self._distributions, strict=True)
        )

    @cached_property
    def _distributions(self) -> list[Distribution]:
        """The distribution against each up card."""
        with ThreadPoolExecutor() as threads:  # most of it is compiled code, which lets others run
            return [*threads.map(self._against, self.up_cards)]

    def _against(self, up: UpCard) -> Distribution:
        return distribution(self.solver, up, follow=self.table is not None)

    def by_result(self, up: UpCard) -> dict[int, float]:
        """The distribution against one up card, by result in units."""
        return without_noise(self._against(up).chances)

    def distribution_of(self, cards: Sequence[Card], up: Dealer) -> tuple[tuple[Fraction, float], ...]:
        """(net result in wagers, probability) of first two cards against an up card."""
        if len(cards) != 2:
            raise MalformedInput(f"first cards are two; {format_cards(cards) or 'none'} was given")
        node, against = self._find(cards, up)
        chances = distribution(self.solver, against, follow=self.table is not None, first_two=node).chances
        unit, whole = self.solver.automaton.unit, sum(chances.values())
        shares = without_noise({units: chance / whole for units, chance in chances.items()})
        return tuple((Fraction(units, unit), shares[units]) for units in sorted(shares))

    @cached_property
    def variance(self) -> float:
        return self._moment(2)

    @property
    def standard_deviation(self) -> float:
        return math.sqrt(self.variance)

    @property
    def skewness(self) -> float:
        return float(self._moment(3) / self.variance**1.5)

    @property
    def hit_frequency(self) -> float:
        """The chance to win anything."""
        return sum(chance for net, chance in self.distribution if net > 0)

    @cached_property
    def average_final_wager(self) -> float:
        """The mean of all that stands on a spot at the end of a round, in first wagers; exact."""
        follow = self.table is not None
        return sum(up.chance * final_wager(self.solver, up, follow=follow) for up in self.up_cards)

    def _moment(self, order: int) -> float:
        mean = self.expected_value
        return sum(chance * (float(net) - mean) ** order for net, chance in self.distribution)

    def figures(self) -> WagerFigures:
        """The primary wager as `odds --json` shows it."""
        outcomes = tuple(
            Outcome("win" if net > 0 else "lose" if net < 0 else "push", net, chance)
            for net, chance in self.distribution
        )
        return WagerFigures(
            "primary",
            outcomes,
            strategy=self.strategy_name,
            value=self.expected_value,
            probability_error=self.distribution_error or None,
        )

    def first_two_chances(self, up: UpCard) -> Floats:
        """[node]: the chance of the cards of two-card nodes in one order."""
        nodes, draw = self.solver.nodes, up.draw
        counts = self.solver.known.counts[nodes.composition[nodes.first_two]] > 0
        one, other = counts.argmax(axis=1), counts.shape[1] - 1 - counts[:, ::-1].argmax(axis=1)
        left = draw.left[other] - np.where(one == other, draw.step, 0.0)
        result = np.zeros(len(nodes.state))
        result[nodes.first_two] = draw.left[one] / draw.total * left / (draw.total - draw.step)
        return result

    def first_two_values(self, up: UpCard) -> Floats:
        """[node]: what first two cards bring, dealer's blackjacks included, times their chance."""
        nodes, states = self.solver.nodes, self.solver.states
        blackjacks = self.first_two_chances(up) - up.played.weights[nodes.composition, WHOLE]
        values = up.played.value + states.blackjack_pay[nodes.state] * blackjacks
        result: Floats = np.where(up.played.ways[:, 0] != 0.0, up.played.ways[:, 0] * values, 0.0)
        return result

    def action_values(self, cards: Sequence[Card], up: Dealer) -> dict[Action, float]:
        """What each action on a hand is expected to bring, given that the dealer has no blackjack.

        The hand's suits count where bonuses do; of the up card only the rank is looked at. Where a surrender
        comes before such a blackjack is known, it is counted in.
        """
        node, against = self._find(cards, up)
        values = self.values_at(node, against)
        return {
            action: float(values[number])
            for number, action in enumerate(ACTIONS)
            if not np.isnan(values[number])
        }

    def values_at(self, node: int, against: UpCard, of: int | None = None) -> Floats:
        """[action]: what each on the hand of a node is expected to bring (NaN where it is not allowed), or
        of another node with the same cards."""
        values = against.played.of_action[node if of is None else of]
        weights = against.played.weights[self.solver.nodes.composition[node]]
        if not self.solver.counts_looked:
            return np.asarray(values / weights[WHOLE])
        # A surrender comes before a blackjack that takes the first wager of all others.
        return np.asarray((values - weights[BLACKJACK]) / (weights[WHOLE] + weights[BLACKJACK]))

    def ended_value(self, cards: Sequence[Card], up: Dealer) -> float:
        """What a hand brings on which nothing is to be decided, given that the dealer has no blackjack."""
        node, against = self._find(cards, up)
        whole = against.played.weights[self.solver.nodes.composition[node], WHOLE]
        return float(against.played.value[node] / whole)

    def best_action(self, cards: Sequence[Card], up: Dealer) -> Action | None:
        """What the strategy does with a hand, None where nothing is to be decided."""
        node, against = self._find(cards, up)
        number = int(against.played.action[node])
        return None if number == NONE else ACTIONS[number]

    def _find(self, cards: Sequence[Card], up: Dealer) -> tuple[int, UpCard]:
        return find_node(self.solver, cards, up), self.against(up)

    def against(self, up: Dealer) -> UpCard:
        """Everything against an up card, or against both of the dealer's cards where both are seen."""
        seen = self.solver.seen_of(up)
        return next(one for one in self.up_cards if one.seen == seen)

    @cached_property
    def strategy(self) -> Strategy:
        """The strategy by state and what is seen of the dealer's hand.

        Of the best for each composition it is the summary: what most hands of a state do, by their chance.
        """
        if self.table is not None:
            return self.table
        automaton = self.solver.automaton
        basic = self.solver.best_strategy().action
        action = np.full_like(basic, NONE)
        taken: dict[int, Floats] = {}
        for up in self.up_cards:
            if up.column != NO_COLUMN:
                sums = up.chance * self._state_sums(up, chosen=True)
                taken[up.column] = taken.get(up.column, 0.0) + sums
        for column, sums in taken.items():
            decided = (automaton.may != 0) & (sums.sum(axis=1) > 0)
            action[decided, column] = sums[decided].argmax(axis=1)
        return Strategy(self.strategy_name, automaton, np.where(action == NONE, basic, action))

    def _state_sums(self, up: UpCard, *, chosen: bool) -> Floats:
        """[state, action]: over hands as they come, chances of the actions taken, or mean values."""
        nodes, states, played = self.solver.nodes, self.solver.states, up.played
        ways = played.ways.copy()
        spread(ways, states, nodes, played.action)
        weight = ways[:, 0] * played.weights[nodes.composition, WHOLE]
        result = np.zeros((len(states.may), len(ACTIONS)))
        if chosen:
            decided = played.action != NONE
            np.add.at(result, (nodes.state[decided], played.action[decided]), weight[decided])
        else:
            values = played.of_action
            if self.solver.counts_looked:  # as in `values_at`
                looked = played.weights[nodes.composition, BLACKJACK]
                values, weight = values - looked[:, None], weight + ways[:, 0] * looked
            np.add.at(result, nodes.state, ways * np.nan_to_num(values))
            total = np.zeros(len(states.may))
            np.add.at(total, nodes.state, weight)
            allowed = (states.may[:, None] >> np.arange(len(ACTIONS)) & 1).astype(bool)
            come = allowed & (total[:, None] > 0)
            result = np.where(come, result / np.where(total > 0, total, 1.0)[:, None], np.nan)
        return result

    def state_values(self, up: Card | int | UpCard) -> Floats:
        """[state, action]: mean values of actions over the hands of a state as they come."""
        return self._state_sums(self._by_value(up), chosen=False)

    def state_chances(self, up: Card | int | UpCard) -> Floats:
        """[state]: how often a decision comes to it, given the up card's value."""
        result: Floats = self._state_sums(self._by_value(up), chosen=True).sum(axis=1)
        return result

    def _by_value(self, up: Card | int | UpCard) -> UpCard:
        if isinstance(up, UpCard):
            return up
        value = up.value if isinstance(up, Card) else up
        return next(one for one in self.up_cards if self.solver.shoe.values[one.seen.up] == value)

    def close_cells(self, within: float = 0.0005) -> set[tuple[int, int]]:
        """(state, column of the strategy) where the best two actions are so close."""
        cells = set()
        for up in self.up_cards:
            values = np.sort(np.nan_to_num(self._state_sums(up, chosen=False), nan=-np.inf), axis=1)
            with np.errstate(invalid="ignore"):
                close = np.isfinite(values[:, -2]) & (values[:, -1] - values[:, -2] < within)
            cells |= {(int(s), up.column) for s in np.flatnonzero(close)}
        return cells

    def exceptions(self) -> list[tuple[str, str, Action, Action]]:
        """Compositions not played as the best strategy by totals has it: (cards, dealer, action, usual)."""
        nodes, usual = self.solver.nodes, self.solver.best_strategy()
        rows = []
        for up in self.up_cards:
            ways = up.played.ways.copy()
            spread(ways, self.solver.states, nodes, up.played.action)
            for node in np.flatnonzero(ways[:, 0]).tolist():
                own, most = int(up.played.action[node]), int(usual.action[nodes.state[node], up.column])
                if NONE not in (own, most) and own != most:
                    name = hand_name(self.solver, node=node)
                    rows.append((name, up.seen.name, ACTIONS[own], ACTIONS[most]))
        return rows


def without_noise(chances: Mapping[int, float]) -> dict[int, float]:
    """Chances that are more than rounding."""
    return {units: chance for units, chance in chances.items() if not chance <= NOISE}


def by_ranks(name: str) -> list[int]:
    """The order of hands by name: the ace first, the king last, then what is said of suits."""
    letters = [rank.letter for rank in Rank]
    return [letters.index(letter) if letter in letters else len(letters) for letter in name]


def parts_by_first_card(by_first_two: Sequence[Part]) -> list[Part]:
    """The same game by the first card alone: either of two unlike cards came first half of the time."""
    chances: dict[str, float] = {}
    values: dict[str, float] = {}
    for part in by_first_two:
        for letter in part.name[:2]:
            chances[letter] = chances.get(letter, 0.0) + part.chance / 2
            values[letter] = values.get(letter, 0.0) + part.chance / 2 * part.expected_value
    return [
        Part(letter, chance, values[letter] / chance)
        for letter, chance in sorted(chances.items(), key=lambda item: by_ranks(item[0]))
    ]


def hand_name(solver: Solver, *, node: int) -> str:
    """The hand of a node by its ranks: `A7`, `67 suited`."""
    nodes = solver.nodes
    counts = solver.known.counts[nodes.composition[node]].tolist()
    ranks = "".join(Rank(each + 1).letter * count for each, count in enumerate(counts))
    progress = solver.automaton.hands[nodes.state[node]].progress
    suits = [solver.automaton.classes.example[number].suit for number in progress]
    if len(suits) != 2 or all(solver.states.alike[nodes.state[node]]):
        return ranks
    table = solver.automaton.rules.bonus_21
    return f"{ranks} {table.named_suit if suits[0] is table.suit else 'suited'}"


def find_node(solver: Solver, cards: Sequence[Card], up: Dealer) -> int:
    """The node of real cards; refused where the shoe cannot deal them, or the hand has ended before.

    Refusals name no cards: whoever typed `TT5` knows of no suits.
    """
    shoe, nodes, automaton = solver.shoe, solver.nodes, solver.automaton
    dealer = (up,) if isinstance(up, Card) else tuple(up)
    solver.seen_of(dealer)  # refuses too few of the dealer's cards, and too many
    if not shoe.infinite:
        shoe.cards.without([*cards, *dealer])
    elif missing := [card for card in (*cards, *dealer) if shoe.cards[card] == 0]:
        raise MalformedInput(f"there is no {missing[0]} in the shoe")
    if len(cards) < 2:
        raise MalformedInput(f"a hand has two cards or more; {len(cards)} was given")
    total, _ = law.total_of(cards)
    if total > law.BLACKJACK_TOTAL:
        raise MalformedInput(f"a hand of {total} is bust")
    _refuse_without_a_hole_card(shoe, cards, dealer)
    classes = tuple(sorted(automaton.classes.of_card[card.index] for card in cards))
    node = _node_of(nodes, int(nodes.at[0, START]), classes, set())
    if node == NONE:
        raise MalformedInput("the hand takes a card after its end, in whatever order its cards come")
    return node


def _node_of(
    nodes: Nodes, node: int, classes: tuple[int, ...], tried: set[tuple[int, tuple[int, ...]]]
) -> int:
    """The node of a set of cards, by any order in which the hand does not end before its last card."""
    if not classes:
        return node
    if (node, classes) not in tried:
        tried.add((node, classes))
        for place, number in enumerate(classes):
            after = int(nodes.next[node, number])
            if after != NONE:
                parent = _node_of(nodes, after, classes[:place] + classes[place + 1 :], tried)
                if parent != NONE:
                    return parent
    return NONE


def _refuse_without_a_hole_card(shoe: Shoe, cards: Sequence[Card], dealer: Sequence[Card]) -> None:
    """Refuse a hand that leaves no hole card, or only such as make a blackjack: then nothing is decided."""
    up, *seen = dealer
    if seen:
        if law.is_blackjack(dealer):
            raise MalformedInput("the dealer's hand is a blackjack: nothing is decided")
        return
    left = list(shoe.cards.counts)
    for card in (*cards, up):
        left[card.index] -= 0 if shoe.infinite else 1
    values = {card.value for card in CARDS if left[card.index]}
    if not values:
        raise MalformedInput("the hand and the up card leave no card for the dealer")
    if {up.value, *values} == {1, 10} and len(values) == 1:
        raise MalformedInput("the dealer's up card is a blackjack with every card that is left")
