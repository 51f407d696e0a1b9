"""Numbers as a PAR sheet prints them."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Final

_LONGEST_FRACTION: Final = 26
_EXACT_ONE_IN: Final = 100_000


def percent(share: float, digits: int = 4) -> str:
    """`0.0347` as `3.4700 %`."""
    return f"{signed(100 * share, digits)} %"


def signed(number: float, digits: int) -> str:
    """A number with a true minus sign."""
    return f"{number:,.{digits}f}".replace("-", "−")


def one_in(probability: Fraction | float) -> str:
    """How seldom something is: `1 in 668,382`."""
    if not probability:
        return "never"
    number = float(1 / probability)
    return f"{number:,.0f}" if number >= _EXACT_ONE_IN else f"{number:,.{_digits(number)}f}"


def _digits(number: float) -> int:
    return max(0, 4 - math.floor(math.log10(number)))


def short_fraction(number: Fraction | float) -> str:
    """A fraction where it is short enough to read, else nothing."""
    if not isinstance(number, Fraction):
        return ""
    text = str(number)
    return text.replace("-", "−") if len(text) <= _LONGEST_FRACTION else ""


def chance(probability: Fraction | float) -> str:
    """A probability with ten significant digits, never in powers."""
    value = float(probability)
    if value in (0.0, 1.0):
        return f"{value:.0f}"
    places = min(14, max(9, 8 - math.floor(math.log10(value))))
    return f"{value:.{places}f}"
