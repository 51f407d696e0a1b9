"""Amounts as chips on the table.

>>> chips_of(3750)
((2500, 1), (500, 2), (100, 2), (50, 1))
"""

from __future__ import annotations

from typing import Final

DENOMINATIONS: Final = (50_000, 10_000, 2_500, 500, 100, 50, 25, 10, 5, 1)
"""The chips and coins of the house in cents, largest first."""

Chips = tuple[tuple[int, int], ...]
"""How many of each denomination, largest first."""


def chips_of(cents: int, *, largest_cents: int = DENOMINATIONS[0]) -> Chips:
    """An amount in as few chips as possible, none above the largest wanted."""
    chips = []
    for denomination in DENOMINATIONS:
        if denomination <= largest_cents and cents >= denomination:
            number, cents = divmod(cents, denomination)
            chips.append((denomination, number))
    return tuple(chips)


def paid_in_chips(stake_cents: int, payment_cents: int) -> Chips:
    """A payment in the denominations of its wager, and in smaller ones what they do not make up (PROC-14)."""
    return chips_of(payment_cents, largest_cents=chips_of(stake_cents)[0][0])
