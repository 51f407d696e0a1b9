"""The blackjack family: its house rules and the law of its hands."""

from cardroom.rules.twentyone.schema import TwentyOneRules

__all__ = ["TwentyOneRules"]
