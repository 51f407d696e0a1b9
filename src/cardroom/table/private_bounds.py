"""What the rules of a player's own table may promise: stakes and payments that the books can hold.

House chips cost nothing, so whoever opens a table may set any odds; but books are kept in whole cents of 64
bits, and browsers count to 2^53.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from pydantic import BaseModel

from cardroom.core.errors import MalformedInput
from cardroom.core.odds import Odds
from cardroom.presentation.money import dollars
from cardroom.rules import HouseRules, load_rules
from cardroom.rules.bets import Line, shelf_names
from cardroom.rules.bets.bonus import BonusLine
from cardroom.rules.options import Cents
from cardroom.rules.twentyone import TwentyOneRules

MOST_ODDS: Final = 1_000
MOST_CENTS: Final = 1_000_000
"""The largest stake and the largest stated payment: $10,000."""


def require_payable(rules: HouseRules) -> None:
    """Refuse odds and amounts that no table of a player's own may have.

    The game's own are allowed, and those of bets as they are on the shelf.
    """
    shipped = set(_options(load_rules(rules.game, _from_the_shelf(rules)), ""))
    for name, value in _options(rules, ""):
        if (name, value) in shipped:
            continue
        if isinstance(value, Odds) and value.ratio > MOST_ODDS:
            raise MalformedInput(f"{name} = {value}: a table of your own pays at most {MOST_ODDS}:1")
        if isinstance(value, Cents) and int(value) > MOST_CENTS:
            shown, most = dollars(int(value)), dollars(MOST_CENTS)
            raise MalformedInput(f"{name} = {shown}: an amount at a table of your own is at most {most}")


def _from_the_shelf(rules: HouseRules) -> dict[str, object]:
    """The options that put on the table what these rules have from the shelf."""
    bets = rules.side_bets if isinstance(rules, TwentyOneRules) else {}
    return {f"side_bets.{name}.offered": True for name in bets if name in shelf_names()}


def _options(value: Any, name: str) -> Iterator[tuple[str, Odds | Cents]]:
    """Every amount and all odds of the rules, by the option's whole name."""
    if isinstance(value, Line | BonusLine):
        yield from _options(value.pays, f"{name.removesuffix('.lines')}.{value.id}")
    elif isinstance(value, BaseModel):
        for field in type(value).model_fields:
            yield from _options(getattr(value, field), f"{name}.{field}".lstrip("."))
    elif isinstance(value, dict):
        for key, one in value.items():
            yield from _options(one, f"{name}.{key}".lstrip("."))
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _options(one, name)
    elif isinstance(value, Odds | Cents):
        yield name, value
