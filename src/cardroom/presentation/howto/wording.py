"""Words and rows that the pages of the blackjack family share."""

from __future__ import annotations

from typing import Final

from cardroom.presentation.howto.guide import Row, lying
from cardroom.presentation.howto.laying import Deal
from cardroom.presentation.money import chips
from cardroom.presentation.totals import total_words
from cardroom.rules.twentyone import TwentyOneRules


def capital(words: str) -> str:
    """Words as a sentence begins."""
    return f"{words[:1].upper()}{words[1:]}"


def worth(stake_cents: int, payment_cents: int) -> str:
    """What a stake wins."""
    return f"{chips(stake_cents)} wins {chips(payment_cents)}"


def clauses_behind(rules: TwentyOneRules, *groups: str) -> tuple[str, ...]:
    """The clauses behind groups of options, each once."""
    clauses = [clause for key, _, clause in rules.sentences() if key.rpartition(".")[0] in groups]
    return tuple(dict.fromkeys(clauses))


def not_in(rules: TwentyOneRules) -> str:
    """That a line cannot come."""
    return f"No cards of {rules.decks} deck{'' if rules.decks == 1 else 's'} make it."


NOT_FOUND: Final = "No hand that makes it was found among those that were tried."
"""Of a line whose hands are too many to be looked through."""


def dealer_row(cards: Deal) -> tuple[Row, ...]:
    """The dealer's cards, and what they count."""
    return (Row("Dealer", lying(cards), total_words(cards)),)
