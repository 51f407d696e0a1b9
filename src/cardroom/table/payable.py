"""What the rules of a table may promise: stakes and payments that the books can hold.

House chips cost nothing, so whoever opens a table may set any odds, and the floor may slip when it announces
some; but books are kept in whole cents of 64 bits, and browsers count to 2^53.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much a table may promise: odds to one, and any stake or stated payment."""

    whose: str
    odds: int
    cents: int


OF_A_PLAYER: Final = Bounds("a table of your own", 1_000, 10_000_00)
OF_THE_HOUSE: Final = Bounds("a table of the house", 10_000, 100_000_00)


def require_payable(rules: HouseRules, bounds: Bounds) -> None:
    """Refuse odds and amounts that no such table may have.

    The game's own are allowed, and those of bets as they are on the shelf.
    """
    shipped = set(_options(load_rules(rules.game, _from_the_shelf(rules)), ""))
    for name, value in _options(rules, ""):
        if (name, value) in shipped:
            continue
        if isinstance(value, Odds) and value.ratio > bounds.odds:
            raise MalformedInput(f"{name} = {value}: {bounds.whose} pays at most {bounds.odds}:1")
        if isinstance(value, Cents) and int(value) > bounds.cents:
            shown, most = dollars(int(value)), dollars(bounds.cents)
            raise MalformedInput(f"{name} = {shown}: an amount at {bounds.whose} is at most {most}")


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
