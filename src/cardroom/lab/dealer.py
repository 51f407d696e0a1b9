"""How the dealer's hand ends before anybody has looked or played, by a plain recursion over the shoe."""

from __future__ import annotations

from typing import Final

from cardroom.core.cards import CARDS, RANK_LETTERS, Rank
from cardroom.core.decks import CardCounts
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.rules.twentyone.law import BLACKJACK_TOTAL, add_card, dealer_draws, total_of

Finals = dict[str, float]
"""Chances of `bust`, `17` … `21` and `blackjack`."""


FINALS: Final = ("17", "18", "19", "20", "21", "blackjack", "bust")
OUT_OF_CARDS: Final = "out of cards"
"""How a hand of the dealer's ends for which a small shoe has no card."""


def dealer_finals(rules: TwentyOneRules) -> Finals:
    """The chances of the dealer's final totals from a full shoe, a blackjack apart from other 21s."""
    return _Dealer(rules, None).finals()


def dealer_finals_by_up_card(rules: TwentyOneRules, shoe: CardCounts | None = None) -> dict[str, Finals]:
    """The same for each up card by its letter, `T` for the ten-valued ones; from a shoe if one is given."""
    dealer = _Dealer(rules, shoe)
    return {
        RANK_LETTERS[value - 1]: dealer.finals(value)
        for value in range(Rank.ACE, Rank.TEN + 1)
        if dealer.counts[value - 1]
    }


class _Dealer:
    def __init__(self, rules: TwentyOneRules, shoe: CardCounts | None) -> None:
        by_rank = (shoe or rules.shoe()).by_rank()
        self.rules = rules
        self.counts = (*by_rank[:9], sum(by_rank[9:]))
        self.step = 0 if rules.decks == "infinite" and shoe is None else 1
        self.known: dict[tuple[tuple[int, ...], int, bool, int], Finals] = {}

    def finals(self, up: int | None = None) -> Finals:
        if up is None:
            return self._ends(self.counts, 0, soft=False, cards=0)
        total, soft = total_of((CARDS[up - 1],))
        return self._ends(self._without(self.counts, up), total, soft=soft, cards=1)

    def _without(self, left: tuple[int, ...], value: int) -> tuple[int, ...]:
        return (*left[: value - 1], left[value - 1] - self.step, *left[value:])

    def _ends(self, left: tuple[int, ...], total: int, *, soft: bool, cards: int) -> Finals:
        if cards >= 2 and not dealer_draws(self.rules, total, soft=soft):
            if total > BLACKJACK_TOTAL:
                return {"bust": 1.0}
            return {"blackjack" if total == BLACKJACK_TOTAL and cards == 2 else str(total): 1.0}
        key = (left, total, soft, cards)
        if key not in self.known:
            self.known[key] = self._drawn(left, total, soft=soft, cards=cards)
        return self.known[key]

    def _drawn(self, left: tuple[int, ...], total: int, *, soft: bool, cards: int) -> Finals:
        whole = sum(left)
        if not whole:
            return {OUT_OF_CARDS: 1.0}
        result: Finals = {}
        for value in range(Rank.ACE, Rank.TEN + 1):
            if number := left[value - 1]:
                made, still_soft = add_card(total, soft, value)
                then = self._ends(self._without(left, value), made, soft=still_soft, cards=min(cards + 1, 3))
                for final, chance in then.items():
                    result[final] = result.get(final, 0.0) + chance * number / whole
        return result
