"""Bets on the dealer's hand as it ends, in exact fractions.

The dealer plays the hand out whatever the players do, and what they take before says nothing about the cards
that come after, but for the cards themselves: averaged over all of them, the dealer's cards come as from a
full shoe. So the players' draws need not be looked at.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from functools import lru_cache
from math import perm
from typing import Final

from cardroom.core.cards import CARDS, Card
from cardroom.core.decks import CardCounts
from cardroom.exact.figures import NotFigured
from cardroom.rules.bets import Machine, Role
from cardroom.rules.twentyone import law

_DEALERS: Final[tuple[Role, ...]] = ("dealer_up", "dealer_hole", "dealer_draw")
_MOST_CLASSES: Final = 13
CardsOut = tuple[int, ...]
"""How many cards of each class are out of the shoe."""


@lru_cache(maxsize=64)
def dealers_hand_chances(
    machine: Machine, counts: CardCounts, *, infinite: bool, hits_soft_17: bool
) -> dict[int | None, Fraction]:
    """The chance of each line, by its place, and of none (None)."""
    return _Hands(machine, counts, infinite=infinite, hits_soft_17=hits_soft_17).chances()


class _Hands:
    """All hands of the dealer, then the player's first cards beside them; cards alike are one class."""

    def __init__(self, machine: Machine, counts: CardCounts, *, infinite: bool, hits_soft_17: bool) -> None:
        self.machine = machine
        self.infinite = infinite
        self.hits_soft_17 = hits_soft_17
        self.total = counts.total
        self.classes = card_classes(machine, [card for card in CARDS if counts[card]])
        self.left = [sum(counts[card] for card in cards) for cards in self.classes]
        self.player: list[Role] = [role for role in machine.roles if role not in _DEALERS]

    def chances(self) -> dict[int | None, Fraction]:
        counted: Counter[tuple[int | None, int]] = Counter()
        """The ways to a line with so many cards out of the shoe."""
        for drawn, ways in self._dealers_hands():
            states = [(drawn, ways)]
            for place, role in enumerate(self.player):
                open_states = []
                for (state, held), times in states:
                    decided = self.machine.decided(state, tuple(self.player[place:]))
                    if decided is None:
                        open_states.append(((state, held), times))
                    else:
                        counted[decided[0], sum(held)] += times
                states = self._with_a_card(open_states, role)
            for (state, held), times in states:
                counted[self.machine.line(state), sum(held)] += times
        chances: defaultdict[int | None, Fraction] = defaultdict(Fraction)
        for (line, cards), times in counted.items():
            chances[line] += Fraction(times, orders(self.total, cards, infinite=self.infinite))
        assert sum(chances.values()) == 1
        return dict(chances)

    def _with_a_card(
        self, states: list[tuple[tuple[int, CardsOut], int]], role: Role
    ) -> list[tuple[tuple[int, CardsOut], int]]:
        after: Counter[tuple[int, CardsOut]] = Counter()
        for (state, held), ways in states:
            for number, left in self._left(held):
                card = self.classes[number][0]
                after[self.machine.after(state, role, card), with_one(held, number)] += ways * left
        return list(after.items())

    def _left(self, held: CardsOut) -> list[tuple[int, int]]:
        """The classes of which a card can come, with how many there are."""
        if self.infinite:
            return list(enumerate(self.left))
        left = [(number, count - held[number]) for number, count in enumerate(self.left)]
        return [(number, count) for number, count in left if count > 0]

    def _dealers_hands(self) -> list[tuple[tuple[int, CardsOut], int]]:
        """Every hand the dealer may end with: the machine's state and the cards, with the ways it comes."""
        ends: Counter[tuple[int, CardsOut]] = Counter()
        hands: Counter[tuple[int, CardsOut, int, bool]] = Counter({(0, (0,) * len(self.left), 0, False): 1})
        cards = 0
        while hands:
            role = _DEALERS[min(cards, 2)]
            cards += 1
            after: Counter[tuple[int, CardsOut, int, bool]] = Counter()
            for (state, held, total, soft), ways in hands.items():
                left = self._left(held)
                if not left:
                    raise NotFigured("the shoe is too small: the dealer's hand may not come to its end")
                for number, count in left:
                    card = self.classes[number][0]
                    then = self.machine.after(state, role, card)
                    new_total, new_soft = law.add_card(total, soft, card.value)
                    taken = with_one(held, number)
                    if cards > 1 and not self._draws(new_total, soft=new_soft):
                        ends[then, taken] += ways * count
                    else:
                        after[then, taken, new_total, new_soft] += ways * count
            hands = after
        return list(ends.items())

    def _draws(self, total: int, *, soft: bool) -> bool:
        return total < 17 or (total == 17 and soft and self.hits_soft_17)


def orders(total: int, cards: int, *, infinite: bool) -> int:
    """In how many ways so many cards can come from a shoe with so many in all."""
    ways: int = total**cards if infinite else perm(total, cards)
    return ways


def with_one(held: CardsOut, number: int) -> CardsOut:
    """Cards out of the shoe with one more of a class."""
    return (*held[:number], held[number] + 1, *held[number + 1 :])


def card_classes(machine: Machine, cards: list[Card]) -> list[list[Card]]:
    """Cards that neither the machine nor the dealer's total tells apart, whatever was dealt before."""
    classes = {card.index: card.value for card in cards}
    player = [role for role in machine.roles if role not in _DEALERS]
    reached = {0}
    for role in player:
        classes, reached = with_others_apart(machine, role, cards, classes, reached)
    hands = {(state, 0, False) for state in reached}
    for dealt in range(law.BLACKJACK_TOTAL):
        role = _DEALERS[min(dealt, 2)]
        classes, _ = with_others_apart(machine, role, cards, classes, {state for state, _, _ in hands})
        if len(set(classes.values())) > _MOST_CLASSES:
            raise NotFigured(
                "a bet that asks for suits or single cards in the dealer's whole hand has too many hands "
                "to be figured exactly; it can be played and simulated"
            )
        examples = {number: CARDS[index] for index, number in classes.items()}.values()
        hands = {
            (machine.after(state, role, card), *law.add_card(total, soft, card.value))
            for state, total, soft in hands
            if dealt < 2 or total < 17 or (soft and total == 17)
            for card in examples
        }
    groups: defaultdict[int, list[Card]] = defaultdict(list)
    for card in cards:
        groups[classes[card.index]].append(card)
    return list(groups.values())


def with_others_apart(
    machine: Machine, role: Role, cards: list[Card], classes: dict[int, int], states: set[int]
) -> tuple[dict[int, int], set[int]]:
    """The classes told apart by what cards make of these states, and the states that they make."""
    reached: set[int] = set()
    for state in states:
        after = {card.index: machine.after(state, role, card) for card in cards}
        classes = _refined(classes, after)
        reached.update(after.values())
    return classes, reached


def _refined(classes: dict[int, int], after: dict[int, int]) -> dict[int, int]:
    numbers: dict[tuple[int, int], int] = {}
    return {card: numbers.setdefault((number, after[card]), len(numbers)) for card, number in classes.items()}
