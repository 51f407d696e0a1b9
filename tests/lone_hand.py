"""One hand against the dealer with no cards out but its own, played in every way there is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from functools import cache

from cardroom.core.cards import Card
from cardroom.core.decks import CardCounts
from cardroom.rules.twentyone import TwentyOneRules, law
from cardroom.rules.twentyone.law import Action, Outcome
from tests.every_strategy import ALWAYS, Worth, add, best_of_all

Cards = tuple[Card, ...]


def in_order(cards: Cards, from_split: bool) -> Cards:
    """The cards of a hand in one order for all; a split hand is known by its first card."""
    return (*cards[:1], *sorted(cards[1:])) if from_split else tuple(sorted(cards))


class LoneHand:
    """The hands of a shoe against an up card, from real cards and the law, nothing split.

    The hole card is dealt before the hand is played, makes no blackjack, and is seen by no strategy. When no
    card is left what is undecided goes back (21-1.13).
    """

    def __init__(self, rules: TwentyOneRules, shoe: CardCounts, up: Card) -> None:
        self.rules, self.shoe, self.up = rules, shoe, up
        self.zone = cache(self._zone)
        self.ahead = cache(self._ahead)
        self.dealer = cache(self._dealer)

    def _zone(self, cards: Cards, doubles: int, from_split: bool) -> Action:
        """The action after which the best way to play on is worth most; of equals the first offered."""
        return max(self.values(cards, doubles, from_split).items(), key=lambda item: item[1])[0]

    def values(self, cards: Cards, doubles: int, from_split: bool) -> dict[Action, Fraction]:
        """For each action the most that any strategy by composition can be worth after it."""
        return {
            action: best_of_all(self._over_hole_cards(cards, doubles, from_split, action))
            for action in self._options(cards, doubles, from_split)
        }

    def _options(self, cards: Cards, doubles: int, from_split: bool) -> tuple[Action, ...]:
        facts = law.facts(
            self.rules, cards, doubles=doubles, from_split=from_split, hands=self.rules.split.max_hands
        )
        return law.options(self.rules, facts)

    def _over_hole_cards(self, cards: Cards, doubles: int, from_split: bool, action: Action) -> Worth:
        worth: Worth = {}
        for hole, chance in self._next((self.up, *cards)):
            if not law.is_blackjack((self.up, hole)):
                add(worth, self._acted(hole, cards, doubles, from_split, action), chance)
        return worth

    def _next(self, out: Iterable[Card]) -> list[tuple[Card, Fraction]]:
        """The cards that may come next, with their chances."""
        left = Counter(self.shoe.without(out).cards())
        return [(card, Fraction(number, left.total())) for card, number in left.items()]

    def _ahead(self, hole: Card, cards: Cards, doubles: int, from_split: bool) -> Worth:
        """What a hand is worth from here on, for all ways to play it."""
        if law.total_of(cards)[0] > law.BLACKJACK_TOTAL:
            return {ALWAYS: -self._stake(doubles)}
        options = self._options(cards, doubles, from_split)
        if not options:
            return {ALWAYS: self._stood(hole, cards, doubles, from_split)}
        worth: Worth = {}
        for number, action in enumerate(options):
            chosen = frozenset({((cards, doubles), 1 << number)})
            add(worth, self._acted(hole, cards, doubles, from_split, action), Fraction(1), chosen)
        return worth

    def _acted(self, hole: Card, cards: Cards, doubles: int, from_split: bool, action: Action) -> Worth:
        match action:
            case Action.STAND:
                return {ALWAYS: self._stood(hole, cards, doubles, from_split)}
            case Action.SURRENDER:
                return {ALWAYS: Fraction(-1, 2)}
            case Action.RESCUE:
                return {ALWAYS: Fraction(-law.rescue_loses(self.rules, 1, doubles))}
            case _:
                return self._drawn(hole, cards, doubles + (action is Action.DOUBLE), from_split)

    def _drawn(self, hole: Card, cards: Cards, doubles: int, from_split: bool) -> Worth:
        worth: Worth = {ALWAYS: Fraction(0)}
        for card, chance in self._next((self.up, hole, *cards)):
            after = in_order((*cards, card), from_split)
            add(worth, self.ahead(hole, after, doubles, from_split), chance)
        return worth

    def _stake(self, doubles: int) -> Fraction:
        return Fraction(2**doubles)

    def _stood(self, hole: Card, cards: Cards, doubles: int, from_split: bool) -> Fraction:
        total, stake = law.total_of(cards)[0], self._stake(doubles)
        won = stake * law.win_odds(self.rules, cards, doubles=doubles, from_split=from_split).ratio
        if total == law.BLACKJACK_TOTAL and self.rules.player_21_always_wins:
            return won
        pays = {Outcome.WIN: won, Outcome.PUSH: Fraction(0), Outcome.LOSE: -stake}
        finals = self.dealer((self.up, hole), tuple(sorted(cards)))
        return sum(
            (
                chance * pays[law.outcome(self.rules, total, final, blackjack=False, dealer_blackjack=False)]
                for final, chance in finals.items()
            ),
            Fraction(0),
        )

    def _dealer(self, held: Cards, out: Cards) -> dict[int, Fraction]:
        """The dealer's totals with their chances; the chance to run out of cards is left out."""
        total, soft = law.total_of(held)
        if total > law.BLACKJACK_TOTAL or not law.dealer_draws(self.rules, total, soft=soft):
            return {total: Fraction(1)}
        result: dict[int, Fraction] = {}
        for card, chance in self._next((*held, *out)):
            for final, inner in self.dealer(tuple(sorted((*held, card))), out).items():
                result[final] = result.get(final, Fraction(0)) + chance * inner
        return result
