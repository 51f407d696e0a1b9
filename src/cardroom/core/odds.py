"""Odds as the layout prints them, `3:2` or `1 to 2`, and what a stake is paid at them.

>>> Odds.parse("3 to 2").ratio
Fraction(3, 2)
>>> payment(500, Odds.parse("3:2"))
750
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal

from cardroom.core.errors import MalformedInput

Rounding = Literal["cents", "chip"]
"""What happens to a payment that does not come out even (KO52-11): paid to the cent, or down to the chip."""

_ODDS: Final = re.compile(r"([0-9]{1,9})\s*(?::|/|to)\s*([0-9]{1,9})|([0-9]{1,9})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Odds:
    """What a winning stake is paid besides being returned: `pays` for every `stake`, kept as printed."""

    pays: int
    stake: int = 1

    @classmethod
    def parse(cls, text: str | int) -> Odds:
        match = _ODDS.fullmatch(str(text).strip())
        if match is None or (match[2] and int(match[2]) == 0):
            raise MalformedInput(f"{str(text)[:40]!r} is not odds; write them like 3:2 or 1 to 2")
        return cls(int(match[3])) if match[3] else cls(int(match[1]), int(match[2]))

    @property
    def ratio(self) -> Fraction:
        return Fraction(self.pays, self.stake)

    def __str__(self) -> str:
        return f"{self.pays}:{self.stake}"

    @property
    def words(self) -> str:
        """As a layout prints it: `3 to 2`."""
        return f"{self.pays} to {self.stake}"


def payment(
    stake_cents: int, odds: Odds | Fraction, *, rounding: Rounding = "cents", chip_cents: int = 100
) -> int:
    """Cents paid on a stake besides its return; what does not come out even is paid down."""
    ratio = odds.ratio if isinstance(odds, Odds) else odds
    cents = stake_cents * ratio.numerator // ratio.denominator
    return cents if rounding == "cents" else cents - cents % chip_cents
