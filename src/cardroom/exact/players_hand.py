"""Bets on the player's hand as it ends, in exact fractions, for a player who keeps to the basic strategy.

Every first hand that the strategy leads to is dealt card by card. Other hands of a split take cards that
nobody looks at; averaged over all of them the first hand's cards come as from a full shoe. Where the dealer
looks for a blackjack, a hand that is played says that the hole card does not make one.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.core.cards import CARDS, Card
from cardroom.core.decks import CardCounts
from cardroom.core.errors import MalformedInput
from cardroom.exact.dealers_hand import CardsOut, orders, with_one, with_others_apart
from cardroom.exact.figures import NotFigured
from cardroom.exact.twentyone import solve
from cardroom.exact.twentyone.solver import MayRunOut
from cardroom.model.twentyone.automaton import ACTIONS, START, compile_hands
from cardroom.rules import parse_rules_as
from cardroom.rules.bets import Machine, Role
from cardroom.rules.bets.trackers import PLAYERS_HAND
from cardroom.rules.twentyone import TwentyOneRules, law
from cardroom.rules.twentyone.law import Action

_MOST_CLASSES: Final = 13
_FIRST, _SECOND, _DRAWN = PLAYERS_HAND


class _Hand(NamedTuple):
    """A first hand in play: what the law and the bet remember of it."""

    state: int
    """Of the automaton."""
    hands: int
    """How many hands there are on the spot."""
    first: int
    """The class of its first card."""
    machine: int
    """The state of the bet's machine."""
    held: CardsOut
    """The cards out of the shoe, class by class."""


def players_hand_chances(
    rules: TwentyOneRules, machine: Machine, counts: CardCounts, *, infinite: bool
) -> dict[int | None, Fraction]:
    """The chance of each line, by its place, and of none (None)."""
    if not set(machine.roles) <= {*PLAYERS_HAND, "dealer_up"}:
        raise NotFigured(
            "a bet on the player's whole hand that looks at more of the dealer's than the up card has no "
            "exact figures; it can be played and simulated"
        )
    if rules.hole_card == "shown":
        raise NotFigured(
            "a bet on the player's whole hand has no exact figures where both dealer's cards are seen; it "
            "can be played and simulated"
        )
    plain = rules.model_copy(update={"side_bets": {}})
    return _chances(plain.canonical_text(), machine, counts, infinite=infinite)


@lru_cache(maxsize=32)
def _chances(
    canonical_text: str, machine: Machine, counts: CardCounts, *, infinite: bool
) -> dict[int | None, Fraction]:
    rules = parse_rules_as(TwentyOneRules, canonical_text)
    hands = _Hands(
        rules, machine, counts, infinite=infinite
    )  # refuses too many hands before the game is solved
    # With infinitely many decks the rules say so; a shoe given by its cards is solved as it is.
    try:
        basic = solve(rules, "basic", shoe=None if infinite else counts).strategy
    except MayRunOut:
        raise NotFigured(
            "a bet on the player's whole hand has no exact figures from a shoe that could run out in the "
            "middle of a round"
        ) from None
    return hands.chances(basic.action)


class _Hands:
    """All first hands of a player; cards alike are one class."""

    def __init__(
        self, rules: TwentyOneRules, machine: Machine, counts: CardCounts, *, infinite: bool
    ) -> None:
        self.rules, self.machine, self.infinite = rules, machine, infinite
        self.automaton = compile_hands(rules)
        self.total = counts.total
        self.classes = _classes(
            machine, self.automaton.classes.of_card, [card for card in CARDS if counts[card]]
        )
        self.left = [sum(counts[card] for card in cards) for cards in self.classes]
        self.cards = [cards[0] for cards in self.classes]
        self.counted: Counter[tuple[int | None, int]] = Counter()
        """The ways to a line with so many cards out of the shoe."""

    def chances(self, actions: NDArray[np.int8]) -> dict[int | None, Fraction]:
        """Of a player who acts so, by the hand's state and the up card."""
        self.actions = actions
        nothing: CardsOut = (0,) * len(self.classes)
        for up, ways in self._left(nothing):
            hands: Counter[_Hand] = Counter()
            for first, times in self._left(with_one(nothing, up)):
                out = with_one(with_one(nothing, up), first)
                for second, again in self._left(out):
                    hands[self._dealt(up, first, second, with_one(out, second))] += ways * times * again
            self._play(up, hands)
        chances: defaultdict[int | None, Fraction] = defaultdict(Fraction)
        for (line, cards), times in self.counted.items():
            chances[line] += Fraction(times, orders(self.total, cards, infinite=self.infinite))
        assert sum(chances.values()) == 1
        return dict(chances)

    def _dealt(self, up: int, first: int, second: int, held: CardsOut) -> _Hand:
        next_state = self.automaton.next
        state = int(next_state[next_state[START, self.cards[first].index], self.cards[second].index])
        return _Hand(state, 1, first, self._two(up, first, second), held)

    def _two(self, up: int, first: int, second: int) -> int:
        """The machine's state of the up card and a hand's first two cards."""
        state = self._after(0, "dealer_up", self.cards[up])
        return self._after(self._after(state, _FIRST, self.cards[first]), _SECOND, self.cards[second])

    def _after(self, state: int, role: Role, card: Card) -> int:
        return self.machine.after(state, role, card) if role in self.machine.roles else state

    def _left(self, held: CardsOut) -> list[tuple[int, int]]:
        """The classes of which a card can come, with how many there are."""
        if self.infinite:
            return list(enumerate(self.left))
        left = [(number, count - held[number]) for number, count in enumerate(self.left)]
        left = [(number, count) for number, count in left if count > 0]
        if not left:
            raise MalformedInput("the shoe is too small: the player's hand may not come to its end")
        return left

    def _play(self, up: int, hands: Counter[_Hand]) -> None:
        """Play all first hands against an up card to their ends."""
        shown = self.cards[up]
        looks = self.rules.hole_card == "dealt" and law.dealer_looks(shown)
        makes_blackjack = [looks and law.is_blackjack((shown, card)) for card in self.cards]
        if looks:
            for hand, ways in hands.items():
                hidden = sum(left for number, left in self._left(hand.held) if makes_blackjack[number])
                self._count(hand, ways * hidden, hole=True)
        while hands:
            after: Counter[_Hand] = Counter()
            for hand, ways in hands.items():
                if (drawing := self._drawing(hand, up)) is None:
                    others = [left for number, left in self._left(hand.held) if not makes_blackjack[number]]
                    self._count(hand, ways * (sum(others) if looks else 1), hole=looks)
                    continue
                for number, left in self._left(hand.held):
                    after[self._with_card(hand, drawing, up, number)] += ways * left
            hands = after

    def _count(self, hand: _Hand, ways: int, *, hole: bool) -> None:
        self.counted[self.machine.line(hand.machine), sum(hand.held) + hole] += ways

    def _drawing(self, hand: _Hand, up: int) -> Action | None:
        """What the strategy does that brings a card; None where the hand ends as it is."""
        automaton = self.automaton
        room = hand.hands < self.rules.split.max_hands
        state = hand.state if room else int(automaton.unpaired[hand.state])
        if not automaton.may[state]:
            return None
        action = ACTIONS[int(self.actions[state, self.cards[up].value - 1])]
        return action if action in (Action.HIT, Action.DOUBLE, Action.SPLIT) else None

    def _with_card(self, hand: _Hand, action: Action, up: int, number: int) -> _Hand:
        automaton, card = self.automaton, self.cards[number]
        held = with_one(hand.held, number)
        if action is Action.SPLIT:
            state = int(automaton.next[automaton.split_hand[self.cards[hand.first].index], card.index])
            return _Hand(state, hand.hands + 1, hand.first, self._two(up, hand.first, number), held)
        state = int(automaton.doubled[hand.state]) if action is Action.DOUBLE else hand.state
        machine = self._after(hand.machine, _DRAWN, card)
        return _Hand(int(automaton.next[state, card.index]), hand.hands, 0, machine, held)


def _classes(machine: Machine, of_card: tuple[int, ...], cards: list[Card]) -> list[list[Card]]:
    """Cards that neither the bet nor the law of a player's hand tells apart, whatever was dealt before."""
    classes = {card.index: 100 * of_card[card.index] + card.value for card in cards}
    states = {0}
    for role in ("dealer_up", _FIRST, _SECOND):
        if role in machine.roles:
            classes, states = with_others_apart(machine, role, cards, classes, states)
    hands = {(state, 2) for state in states}
    met = set(hands)
    while hands:
        classes, _ = with_others_apart(machine, _DRAWN, cards, classes, {state for state, _ in hands})
        if len(set(classes.values())) > _MOST_CLASSES:
            raise NotFigured(
                "a bet that asks for suits or single cards in the player's whole hand, or stands beside "
                "bonuses that do, has too many hands to be figured exactly; it can be played and simulated"
            )
        examples = {number: CARDS[index] for index, number in classes.items()}.values()
        hands = {
            (machine.after(state, _DRAWN, card), hard + card.value)
            for state, hard in hands
            if hard <= law.BLACKJACK_TOTAL
            for card in examples
        } - met
        met |= hands
    groups: defaultdict[int, list[Card]] = defaultdict(list)
    for card in cards:
        groups[classes[card.index]].append(card)
    return list(groups.values())
