"""Numbers as a PAR sheet prints them."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import Final

_LONGEST_FRACTION: Final = 26
_EXACT_ONE_IN: Final = 100_000
_RAISED: Final = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_MINUS: Final = re.compile(r"(?<!\w)-(?=\d)")


def percent(share: float, digits: int = 4, *, plus: bool = False) -> str:
    """`0.0347` as `3.4700 %`."""
    return f"{signed(100 * share, digits, plus=plus)} %"


def signed(number: float, digits: int, *, plus: bool = False) -> str:
    """A number with a true minus sign, and a plus sign where asked for; what rounds to 0 has neither."""
    text = f"{number:z,.{digits}f}".replace("-", "−")
    return f"+{text}" if plus and round(number, digits) > 0 else text


def true_minus(text: str) -> str:
    """A text whose negative numbers have a true minus sign: `by -0.4 % (PE21-9)` is `by −0.4 % (PE21-9)`."""
    return _MINUS.sub("−", text)


def power_of_ten(exponent: int) -> str:
    """`10⁻¹³`."""
    return f"10{str(exponent).translate(_RAISED)}"


def bound(number: float) -> str:
    """A small number, rounded up to one digit: `2·10⁻⁹`."""
    digit, exponent = _scientific(number)
    if float(f"{digit}e{exponent}") < number:
        digit, exponent = (digit + 1, exponent) if digit < 9 else (1, exponent + 1)
    return f"{digit}·{power_of_ten(exponent)}" if digit > 1 else power_of_ten(exponent)


def _scientific(number: float) -> tuple[int, int]:
    """The nearest number of one digit: the digit, and its power of ten."""
    digit, exponent = f"{number:.0e}".split("e")
    return int(digit), int(exponent)


def one_in(probability: Fraction | float, error: float = 0.0) -> str:
    """How seldom something is: `1 in 668,382`; of a probability that may be off, the digits known."""
    if not probability:
        return "never"
    number = float(1 / probability)
    if error:
        if probability <= error:
            return ""
        known = math.floor(math.log10(float(probability) / error))
        if not known:
            return f"about {power_of_ten(round(math.log10(number)))}"
        number = float(f"{number:.{known}e}")
    return f"{number:,.0f}" if number >= _EXACT_ONE_IN else f"{number:,.{_digits(number)}f}"


def _digits(number: float) -> int:
    return max(0, 4 - math.floor(math.log10(number)))


def short_fraction(number: Fraction | float) -> str:
    """A fraction where it is short enough to read, else nothing."""
    if not isinstance(number, Fraction):
        return ""
    text = str(number)
    return text.replace("-", "−") if len(text) <= _LONGEST_FRACTION else ""


def chance(probability: Fraction | float, error: float = 0.0) -> str:
    """A probability with ten significant digits, never in powers; one that may be off, to its error."""
    value = float(probability)
    if value in (0.0, 1.0):
        return f"{value:.0f}"
    if value <= error:
        return f"< {bound(error)}"
    places = min(14, max(9, 8 - math.floor(math.log10(value))))
    if error:
        places = min(places, -_scientific(error)[1])
    return f"{value:.{places}f}"
