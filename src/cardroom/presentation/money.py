"""Amounts of money to read, with a true minus sign; `core.money` writes those that are parsed again."""

from __future__ import annotations

from cardroom.core.money import format_cents


def dollars(cents: float, *, plus: bool = False) -> str:
    """An amount to the cent; with `plus`, what is won carries a plus sign.

    >>> dollars(1_234_50), dollars(-40_00), dollars(2_50, plus=True), dollars(0, plus=True), dollars(-0.3)
    ('$1,234.50', '−$40.00', '+$2.50', '$0.00', '$0.00')
    """
    return _with_sign(format_cents(abs(round(cents)), symbol=True), round(cents), plus=plus)


def chips(cents: int, *, plus: bool = False) -> str:
    """An amount in chips: whole dollars without cents.

    >>> chips(5_00), chips(1_234_50), chips(-5_00), chips(2_50, plus=True)
    ('$5', '$1,234.50', '−$5', '+$2.50')
    """
    return _with_sign(format_cents(abs(cents), symbol=True).removesuffix(".00"), cents, plus=plus)


def average(cents: float, *, plus: bool = False) -> str:
    """An amount on average: dollars from one dollar on, cents below, tenths below ten of them.

    >>> average(172.667), average(-17.4), average(2.25, plus=True), average(0.01)
    ('$1.73', '−17¢', '+2.2¢', '0¢')
    """
    amount = abs(cents)
    if round(amount, 1) == 0:
        return "0¢"
    if round(amount) >= 100:
        text = dollars(amount)
    else:
        text = f"{amount:.0f}¢" if round(amount, 1) >= 10 else f"{amount:.1f}¢"
    return _with_sign(text, cents, plus=plus)


def expected(cents: float) -> str:
    """An expected amount, to a hundredth of a cent.

    >>> expected(-1.1), expected(123_456.789), expected(-0.001)
    ('−$0.0110', '$1,234.5679', '$0.0000')
    """
    rounded = round(cents / 100, 4)
    return _with_sign(f"${abs(rounded):,.4f}", rounded, plus=False)


def _with_sign(text: str, cents: float, *, plus: bool) -> str:
    if cents < 0:
        return f"−{text}"
    return f"+{text}" if plus and cents > 0 else text
