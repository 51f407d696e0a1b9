"""What the two classes of strategies look at: the words of a chart's cell, or the cards themselves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

from cardroom.core.cards import CARDS, Card
from cardroom.engine.twentyone.state import Hand
from cardroom.model.twentyone.automaton import NUMBER_OF
from cardroom.rules.twentyone import TwentyOneRules, law
from cardroom.rules.twentyone.law import Action
from tests.every_strategy import Needs, both, by_preference

RANKS_IN_A_SUIT = 13
IS_SPLIT, IS_NOT_SPLIT = 1, 2


class ChartCells:
    """The cells of `basic`: the total (hard, soft or a pair that may be split), the dealer's card, the
    doubles taken, and, where bonuses make it matter, the number of cards and the bonus still possible.

    Whether a pair is split depends on its rank and the dealer's card, and on nothing else.
    """

    def __init__(self, rules: TwentyOneRules) -> None:
        self.rules = rules
        self.bonuses = cache(self._bonuses)

    def decide(
        self, hand: Hand, hands: int, up: Card, options: tuple[Action, ...]
    ) -> Iterable[tuple[Action, Needs]]:
        """Every action that the cell of a hand may choose."""
        bonuses = () if hand.doubles else self.bonuses(tuple(sorted(hand.cards)), hand.from_split)
        if Action.SPLIT not in options:
            yield from by_preference((up.value, *law.total_of(hand.cards), hand.doubles, bonuses), options)
            return
        pair = pair_of(self.rules, hand)
        yield Action.SPLIT, frozenset({((up.value, "split", pair), IS_SPLIT)})
        not_split: Needs = frozenset({((up.value, "split", pair), IS_NOT_SPLIT)})
        others = [action for action in options if action is not Action.SPLIT]
        for action, needs in by_preference((up.value, "pair", pair, bonuses), others):
            together = both(not_split, needs)
            assert together is not None
            yield action, together

    def _bonuses(self, cards: tuple[Card, ...], from_split: bool) -> object:
        """Every 21 that may still come of cards and pays more than even money, and what it pays."""
        if not self.rules.bonus_21.rates:
            return ()
        found = set()
        for more in _further_cards(law.BLACKJACK_TOTAL - sum(card.value for card in cards), len(cards)):
            hand = (*cards, *more)
            if law.total_of(hand)[0] == law.BLACKJACK_TOTAL:
                odds = law.win_odds(self.rules, hand, doubles=0, from_split=from_split)
                if odds != law.EVEN_MONEY:
                    found.add((more, odds))
        return frozenset(found)


def pair_of(rules: TwentyOneRules, hand: Hand) -> int:
    """The rank of a pair, one for all ten-valued cards where they pair."""
    return min(hand.cards[0].rank, 10) if rules.split.unlike_tens else int(hand.cards[0].rank)


@cache
def _further_cards(points: int, held: int) -> Sequence[tuple[Card, ...]]:
    """Cards of at most so many points; suits are tried only where three cards may be a bonus by suit."""
    found: list[tuple[Card, ...]] = []

    def go(cards: tuple[Card, ...], highest: int, left: int) -> None:
        found.append(cards)
        suits = range(4) if held + len(cards) < 3 else (len(cards) % 4,)
        for value in range(1, min(highest, left) + 1):
            for suit in suits:
                go((*cards, CARDS[RANKS_IN_A_SUIT * suit + value - 1]), value, left - value)

    go((), 10, points)
    return found


def by_composition(
    hand: Hand, hands: int, up: Card, options: tuple[Action, ...]
) -> Iterable[tuple[Action, Needs]]:
    """The cells of `composition` where nothing is split: the cards of the hand, and the dealer's card."""
    cell = (up.value, tuple(sorted(hand.cards)), hand.doubles)
    for action in options:
        yield action, frozenset({(cell, 1 << NUMBER_OF[action])})
