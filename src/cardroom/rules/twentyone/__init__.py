"""The blackjack family: its house rules and the law of its hands."""

from cardroom.rules.twentyone.schema import CLAUSES, TwentyOneRules

__all__ = ["CLAUSES", "TwentyOneRules"]
