"""How the dealer's hand ends before anybody has looked or played, by a plain recursion over the shoe."""

from __future__ import annotations

from functools import cache

from cardroom.core.cards import Rank
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.rules.twentyone.law import BLACKJACK_TOTAL, add_card, dealer_draws

Finals = dict[str, float]
"""Chances of `bust`, `17` … `21` and `blackjack`."""


def dealer_finals(rules: TwentyOneRules) -> Finals:
    """The chances of the dealer's final totals from a full shoe, a blackjack apart from other 21s."""
    by_rank = rules.shoe().by_rank()
    counts = (*by_rank[:9], sum(by_rank[9:]))
    step = 0 if rules.decks == "infinite" else 1

    @cache
    def ends(left: tuple[int, ...], worth: tuple[int, bool], cards: int) -> Finals:
        total, soft = worth
        if cards >= 2 and not dealer_draws(rules, total, soft=soft):
            if total > BLACKJACK_TOTAL:
                return {"bust": 1.0}
            return {"blackjack" if total == BLACKJACK_TOTAL and cards == 2 else str(total): 1.0}
        whole = sum(left)
        result: Finals = {}
        for value in range(Rank.ACE, Rank.TEN + 1):
            number = left[value - 1]
            if not number:
                continue
            after = (*left[: value - 1], number - step, *left[value:])
            for final, chance in ends(after, add_card(total, soft, value), min(cards + 1, 3)).items():
                result[final] = result.get(final, 0.0) + chance * number / whole
        return result

    return ends(counts, (0, False), 0)
