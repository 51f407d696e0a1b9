"""Money in integer cents with its currency; never a float.

>>> Money.parse("$4.00") + Money.parse("2.50")
Money.parse('6.50 USD')
>>> format_cents(-1250)
'-12.50'
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal, get_args

from cardroom.core.errors import MalformedInput

Currency = Literal["USD", "CAD"]
CURRENCIES: Final[tuple[str, ...]] = get_args(Currency)

_AMOUNT: Final = re.compile(
    r"(-?)\s*\$?\s*(-?)(\d{1,3}(?:,\d{3}){1,4}|\d{1,13})(?:\.(\d{1,2}))?\s*(USD|CAD)?", re.IGNORECASE
)


def parse_cents(text: str | int) -> int:
    """Read an amount of dollars as cents: `4`, `4.00`, `$4.5` and `1,000.00`; an integer is whole dollars."""
    return _parse(str(text))[0]


def _parse(text: str) -> tuple[int, str | None]:
    match = _AMOUNT.fullmatch(text.strip())
    if match is None or (match[1] and match[2]):
        raise MalformedInput(f"{text!r} is not an amount of money; write dollars and cents, such as 4.00")
    cents = int(match[3].replace(",", "")) * 100 + int((match[4] or "").ljust(2, "0"))
    return (-cents if match[1] or match[2] else cents), match[5]


def format_cents(cents: int, *, symbol: bool = False) -> str:
    """Write cents as dollars that `parse_cents` reads back."""
    sign = "-" if cents < 0 else ""
    dollars, rest = divmod(abs(cents), 100)
    return f"{sign}${dollars:,}.{rest:02d}" if symbol else f"{sign}{dollars}.{rest:02d}"


@dataclass(frozen=True, slots=True, order=True)
class Money:
    """An amount in one currency; amounts of different currencies do not add."""

    cents: int
    currency: Currency = "USD"

    @classmethod
    def parse(cls, text: str, currency: Currency = "USD") -> Money:
        cents, named = _parse(text)
        if named is not None:
            currency = "USD" if named.upper() == "USD" else "CAD"
        return cls(cents, currency)

    def _same(self, other: Money) -> None:
        if self.currency != other.currency:
            raise MalformedInput(f"{self} and {other} are different currencies and do not add")

    def __add__(self, other: Money) -> Money:
        self._same(other)
        return Money(self.cents + other.cents, self.currency)

    def __sub__(self, other: Money) -> Money:
        self._same(other)
        return Money(self.cents - other.cents, self.currency)

    def __neg__(self) -> Money:
        return Money(-self.cents, self.currency)

    def __str__(self) -> str:
        return f"{format_cents(self.cents)} {self.currency}"

    def __repr__(self) -> str:
        return f"Money.parse({str(self)!r})"
