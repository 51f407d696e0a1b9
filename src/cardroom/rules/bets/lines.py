"""The lines of a side bet: a name, a pattern and what it pays, odds or a part of the bet's meter."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Annotated, Final

from pydantic import (
    BeforeValidator,
    Field,
    PlainSerializer,
    PlainValidator,
    StringConstraints,
    ValidationInfo,
    WithJsonSchema,
    field_validator,
)

from cardroom.core.cards import CARDS
from cardroom.core.errors import CardroomError
from cardroom.core.odds import Odds
from cardroom.rules.bets.patterns import Part, Pattern
from cardroom.rules.bets.reached import ends
from cardroom.rules.bets.trackers import LooksAt, machine_of

_SHARE: Final = re.compile(r"(?:([0-9]{1,3}) ?% of the )?meter")


@dataclass(frozen=True, slots=True)
class MeterShare:
    """What a line takes of the bet's meter."""

    percent: int

    def __str__(self) -> str:
        return "meter" if self.percent == 100 else f"{self.percent}% of the meter"

    @property
    def words(self) -> str:
        return "the meter" if self.percent == 100 else f"{self.percent} % of the meter"


def _read_pays(value: object) -> Odds | MeterShare:
    if isinstance(value, Odds | MeterShare):
        return value
    if isinstance(value, str) and (share := _SHARE.fullmatch(value.strip())):
        percent = int(share[1] or 100)
        if not 1 <= percent <= 100:
            raise ValueError("a line takes 1 % to 100 % of the meter")
        return MeterShare(percent)
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise ValueError('pays are odds such as "3:2", "meter", or a share such as "10% of the meter"')
    try:
        return Odds.parse(value)
    except CardroomError as error:
        raise ValueError(f'{error.message}, "meter", or a share such as "10% of the meter"') from None


Pays = Annotated[
    Odds | MeterShare,
    PlainValidator(_read_pays),
    PlainSerializer(str, return_type=str),
    WithJsonSchema(
        {
            "type": "string",
            "pattern": r"^(\d+ ?(:|to) ?\d+|(\d{1,3} ?% of the )?meter)$",
            "examples": ["25:1", "meter"],
        }
    ),
]
_NAME: Final = r"^[A-Za-z0-9][A-Za-z0-9 +,'-]{0,59}$"


def _read_name(value: object) -> object:
    if isinstance(value, str) and not re.fullmatch(_NAME, value):
        raise ValueError("a name is of letters A to Z, digits, spaces and + , ' -, at most 60")
    return value


LineName = Annotated[str, BeforeValidator(_read_name), StringConstraints(pattern=_NAME)]


class Line(Part):
    """A line of a paytable: its name, the pattern that wins it, and what it pays."""

    name: LineName
    when: Pattern
    pays: Pays
    words: str = Field("", max_length=400)
    """How the rules say it, with `{}` for the pays; by default "NAME pays {}"."""

    @field_validator("words")
    @classmethod
    def _said_once(cls, words: str, info: ValidationInfo) -> str:
        return "" if words == f"{info.data.get('name')} pays {{}}" else words

    @property
    def id(self) -> str:
        """The name that programs use: `perfect_pair`."""
        return self.name.replace(" ", "_")


@lru_cache(maxsize=64)
def added_up(looks_at: tuple[LooksAt, ...], lines: tuple[Line, ...]) -> tuple[Line, ...]:
    """Where every line that is made is paid: each set of lines that some cards make together, as one line.

    It pays the sum of theirs; the best comes first. Cards make one such set at most.
    """
    machine = machine_of(looks_at, tuple(line.when for line in lines))
    exchangeable = not any(line.when.names_suits for line in lines)
    sets = {machine.holding(state) for state in ends(machine, CARDS, exchangeable=exchangeable)} - {()}
    together = {places: _as_one(lines, places) for places in sets}
    return tuple(together[places] for places in sorted(sets, key=lambda one: (-_sum(lines, one).ratio, one)))


def _as_one(lines: tuple[Line, ...], places: tuple[int, ...]) -> Line:
    """The line of cards that make these lines and no other."""
    others = tuple(line.when for place, line in enumerate(lines) if place not in places)
    when = Pattern(
        all=tuple(lines[place].when for place in places), none=Pattern(any=others) if others else None
    )
    name = " and ".join(lines[place].name for place in places)
    return Line.model_construct(name=name, when=when, pays=_sum(lines, places), words="")


def _sum(lines: tuple[Line, ...], places: tuple[int, ...]) -> Odds:
    odds = [lines[place].pays for place in places]
    ratio = sum((one.ratio for one in odds if isinstance(one, Odds)), Fraction(0))
    return Odds(ratio.numerator, ratio.denominator)
