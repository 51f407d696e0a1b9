"""A side bet on given cards from a shoe without one card, or two: all of them from one count, in fractions.

A draw from the shoe without a card is a draw from the full shoe that does not use it. So the ways of a line
without a card are its ways less those that use that very card; and without two cards, less those that use
either, plus those that use both.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from math import prod

from cardroom.core.cards import CARDS, Card, Rank
from cardroom.core.decks import CardCounts
from cardroom.core.errors import MalformedInput
from cardroom.exact.sidebets import suits_are_alike, tell_draws
from cardroom.rules.bets import SideBet
from cardroom.rules.twentyone import TwentyOneRules


@dataclass(slots=True)
class _Sums:
    """Of draws that are decided by so many cards: how many, and how many of each rank those cards hold."""

    draws: int = 0
    held: Counter[int] = field(default_factory=Counter)
    """By rank or card: draws times how many of it they hold."""
    pairs: Counter[tuple[int, int]] = field(default_factory=Counter)
    """By two of them in order: draws times ordered pairs of cards that they hold."""


class Further:
    """Cards that are dealt after a bet is decided: how likely one or two of those left are among them."""

    def __init__(self, cards: int, left: int) -> None:
        self.one = Fraction(cards, left) if cards else Fraction(0)
        self.two = self.one * Fraction(cards - 1, left - 1) if cards > 1 else Fraction(0)


Uses = Callable[[_Sums, Further], Fraction]


class Removals:
    """The value of a side bet from the shoe without some of its cards.

    Cards are told apart by rank where the bet names no suits and the shoe has as many of each, else one by
    one.
    """

    def __init__(self, rules: TwentyOneRules, wager: str, shoe: CardCounts) -> None:
        bet: SideBet = rules.side_bets[wager]
        if bet.on_dealers_hand:
            raise MalformedInput(f"{wager} is decided by the dealer's whole hand, not by given cards")
        if bet.on_players_hand:
            raise MalformedInput(f"{wager} is decided by the player's whole hand, not by given cards")
        self._by_rank = bet.any_suits and suits_are_alike(shoe)
        self._shoe = shoe
        self._roles = len(bet.machine.roles)
        self._nets: dict[int | None, Fraction] = {None: Fraction(-1)}
        for place, line in enumerate(bet.line_ids):
            self._nets[place] = rules.line_net(wager, line)
        self._sums: defaultdict[tuple[int | None, int], _Sums] = defaultdict(_Sums)
        tell_draws(
            bet.machine, shoe, self._add, infinite=False, any_order=bet.any_order, any_suits=bet.any_suits
        )
        self._whole = self._total(lambda sums, _further: Fraction(sums.draws))
        self._with_one: dict[int, Fraction] = {}

    def _key(self, card: Card) -> int:
        return int(card.rank) if self._by_rank else card.index

    def _keys(self, rank: Rank) -> list[int]:
        """The rank, or where cards are told apart all of it that the shoe has."""
        return [int(rank)] if self._by_rank else [card.index for card in CARDS if card.rank == rank]

    def _number(self, key: int) -> int:
        return self._shoe.of_rank(Rank(key)) if self._by_rank else self._shoe[CARDS[key]]

    def _add(self, place: int | None, cards: tuple[Card, ...], times: int) -> None:
        sums = self._sums[place, len(cards)]
        held = Counter(map(self._key, cards))
        sums.draws += times
        for one, number in held.items():
            sums.held[one] += times * number
            for other, more in held.items():
                sums.pairs[one, other] += times * (number * more if one != other else number * (number - 1))

    def _total(self, uses: Uses) -> Fraction:
        """Over all draws, the net result of each times what `uses` counts in it."""
        return sum(
            (
                self._nets[place] * uses(sums, Further(self._roles - dealt, self._shoe.total - dealt))
                for (place, dealt), sums in self._sums.items()
            ),
            Fraction(0),
        )

    def _draws_of(self, removed: int) -> int:
        total = self._shoe.total - removed
        return prod(range(total - self._roles + 1, total + 1))

    @property
    def full(self) -> Fraction:
        """The value from the full shoe."""
        return self._whole / self._draws_of(0)

    def _using(self, key: int) -> Fraction:
        """The net results of all draws that use one very card."""
        if key not in self._with_one:
            number = self._number(key)

            def uses(sums: _Sums, further: Further) -> Fraction:
                held = sums.held[key]
                return held + further.one * (number * sums.draws - held)

            self._with_one[key] = self._total(uses) / number
        return self._with_one[key]

    def without(self, card: Card) -> Fraction:
        """The value from the shoe without a card."""
        return (self._whole - self._using(self._key(card))) / self._draws_of(1)

    def without_two(self, one: Rank, other: Rank) -> Fraction:
        """The value from the shoe without a card of each of two ranks, every such pair as likely."""
        pairs, both = 0, Fraction(0)
        for first in self._keys(one):
            for second in self._keys(other):
                pairs += self._number(first) * (self._number(second) - (first == second))
                both += self._using_two(first, second)
        if pairs <= 0:
            raise MalformedInput(f"the shoe has no two cards of {one.letter} and {other.letter}")
        using = self._using_rank(one) + self._using_rank(other) - both / pairs
        return (self._whole - using) / self._draws_of(2)

    def _using_rank(self, rank: Rank) -> Fraction:
        """The net results of all draws that use one very card, each card of a rank as likely."""
        keys = [key for key in self._keys(rank) if self._number(key)]
        return sum((self._number(key) * self._using(key) for key in keys), Fraction(0)) / self._shoe.of_rank(
            rank
        )

    def _using_two(self, first: int, second: int) -> Fraction:
        """The net results of all draws that use two very cards, summed over all such pairs of cards."""
        numbers = self._number(first), self._number(second)

        def uses(sums: _Sums, further: Further) -> Fraction:
            a, b, both = sums.held[first], sums.held[second], sums.pairs[first, second]
            if first == second:
                # Held twice, held and dealt later, dealt later twice; squares of what is held from the pairs.
                square = both + a
                free = numbers[0] * a - square
                free_pairs = numbers[0] * (numbers[0] - 1) * sums.draws - (2 * numbers[0] - 1) * a + square
                return both + 2 * further.one * free + further.two * free_pairs
            later = numbers[1] * a - both, numbers[0] * b - both
            neither = numbers[0] * numbers[1] * sums.draws - numbers[1] * a - numbers[0] * b + both
            return both + further.one * sum(later) + further.two * neither

        return self._total(uses)
