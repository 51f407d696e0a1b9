"""The size of a wager as people give it, held against the table's limits and chips."""

from __future__ import annotations

from operator import attrgetter
from typing import Protocol, runtime_checkable

from cardroom.core.errors import MalformedInput
from cardroom.core.money import parse_cents
from cardroom.games import GAMES
from cardroom.presentation.money import dollars
from cardroom.rules.base import HouseRules
from cardroom.rules.options import Cents
from cardroom.rules.twentyone import TwentyOneRules


class Limits(Protocol):
    """What may be staked."""

    min: int
    max: int
    chip: int


@runtime_checkable
class RulesWithLimits(Protocol):
    """Rules that leave the size of a wager to the player."""

    limits: Limits


def read_wager(text: str | None, rules: HouseRules, name: str = "--wager") -> int | None:
    """The wager in cents; None where none was given, and the table's minimum is meant.

    Where a ticket has one price, nothing else is its wager.
    """
    if text is None:
        return None
    game = GAMES[rules.game]
    if game.price_option:
        price: Cents = attrgetter(game.price_option)(rules)
        if parse_cents(text) != price:
            raise MalformedInput(
                f"{name} {text} is not allowed; a {rules.title} ticket costs {price} ({game.price_option})"
            )
        return int(price)
    if not isinstance(rules, RulesWithLimits):
        raise MalformedInput(f"{name} {text} is not allowed; {rules.title} has no choice of wager")
    limits = rules.limits
    allowed = int(limits.min), int(limits.max), int(limits.chip)
    return _within(text, name, allowed, game.limit_clauses)


def read_side_wager(text: str | None, rules: HouseRules, name: str = "--side-wager") -> int | None:
    """The stake of each side bet in cents; None where none was given, and the smallest is meant."""
    if text is None:
        return None
    if not isinstance(rules, TwentyOneRules) or not rules.offered_side_bets:
        raise MalformedInput(f"{name} {text} is not allowed; there are no side bets at this table")
    limits = rules.limits
    allowed = int(limits.side_min), int(limits.side_max), int(limits.chip)
    return _within(text, name, allowed, (rules.clause("side_limits"), "21-1.14"))


def _within(text: str, name: str, allowed: tuple[int, int, int], clauses: tuple[str, str]) -> int:
    cents = parse_cents(text)
    least, most, chip = allowed
    if not least <= cents <= most:
        limits = " to ".join(dollars(limit) for limit in (least, most))
        raise MalformedInput(f"{name} {text} is not allowed; allowed: {limits}", clause=clauses[0])
    if cents % chip:
        smallest = dollars(chip)
        raise MalformedInput(
            f"{name} {text} is not in whole chips; the smallest chip is {smallest}", clause=clauses[1]
        )
    return cents
