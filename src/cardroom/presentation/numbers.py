"""Numbers to read: percentages, chances, "1 in so many", counts; the same on screens, pages and sheets."""

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
    """A share as a percentage.

    >>> percent(0.0347), percent(-0.01, 2), percent(0.01, 2, plus=True)
    ('3.4700 %', '−1.00 %', '+1.00 %')
    """
    return in_percent(100 * share, digits, plus=plus)


def some_percent(share: float, digits: int) -> str:
    """A share as a percentage, never said to be nothing where it only is very small.

    >>> some_percent(0.1, 3), some_percent(1 / 668382, 3), some_percent(0, 3)
    ('10.000 %', '< 0.001 %', '0.000 %')
    """
    least = 10.0**-digits
    return f"< {in_percent(least, digits)}" if 0 < 100 * share < least / 2 else percent(share, digits)


def in_percent(number: float, digits: int = 4, *, plus: bool = False) -> str:
    """A number that is a percentage already: `3.47` as `3.4700 %`."""
    return f"{signed(number, digits, plus=plus)} %"


def round_percent(share: float) -> str:
    """A round share, as a column is headed with it: `99.9 %`."""
    return f"{100 * share:g} %"


def live_chance(chance: Fraction) -> str:
    """A chance that moves from card to card: never said to be certain where it is only nearly so.

    >>> live_chance(Fraction(1, 3)), live_chance(Fraction(1, 3000)), live_chance(Fraction(0))
    ('33.33 %', '0.0333 %', 'lost')
    >>> live_chance(Fraction(999_999, 1_000_000)), live_chance(Fraction(1, 10**7))
    ('> 99.99 %', '< 0.0001 %')
    """
    if chance in (0, 1):
        return "won" if chance else "lost"
    digits = 2 if chance >= Fraction(1, 100) else 4
    text = percent(float(chance), digits)
    if text == percent(1, digits):
        return "> 99.99 %"
    return "< 0.0001 %" if text == percent(0, digits) else text


def counted(number: int, thing: str) -> str:
    """A number of things.

    >>> counted(1, "deck"), counted(1000, "ticket")
    ('1 deck', '1,000 tickets')
    """
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


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
    """A small number, rounded up to one digit: `2×10⁻⁹`."""
    digit, exponent = _scientific(number)
    if float(f"{digit}e{exponent}") < number:
        digit, exponent = (digit + 1, exponent) if digit < 9 else (1, exponent + 1)
    return f"{digit}×{power_of_ten(exponent)}" if digit > 1 else power_of_ten(exponent)


def _scientific(number: float) -> tuple[int, int]:
    """The nearest number of one digit: the digit, and its power of ten."""
    digit, exponent = f"{number:.0e}".split("e")
    return int(digit), int(exponent)


def one_in(probability: Fraction | float, error: float = 0.0) -> str:
    """How seldom something is, without the words `1 in`; of a probability that may be off, the digits known.

    >>> one_in(Fraction(1, 668382)), one_in(0.4), one_in(0)
    ('668,382', '2.5000', 'never')
    """
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
