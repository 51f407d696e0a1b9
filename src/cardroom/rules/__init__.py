"""The schema of house rules, and legality and payouts as pure functions of them."""

from cardroom.rules.base import HouseRules
from cardroom.rules.loader import (
    change_rules,
    known_game,
    load_rules,
    load_rules_as,
    parse_change,
    parse_changes,
    parse_rules,
    parse_rules_as,
    rules_model,
)

__all__ = [
    "HouseRules",
    "change_rules",
    "known_game",
    "load_rules",
    "load_rules_as",
    "parse_change",
    "parse_changes",
    "parse_rules",
    "parse_rules_as",
    "rules_model",
]
