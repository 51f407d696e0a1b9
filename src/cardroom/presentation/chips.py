"""The chips that a player finds before them on a page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

_CHIPS_CENTS: Final = (1_00, 5_00, 25_00, 100_00)
_FIRST_CHIP_CENTS: Final = 5_00
_BESIDE_CENTS: Final = (2_00, 3_00)
"""For side bets, where the primary wager has one size only."""


@dataclass(frozen=True, slots=True)
class ChipTray:
    """The chips in the order in which they lie, and the one that is in hand at first."""

    chips_cents: tuple[int, ...]
    first_cents: int


def chip_tray(least_cents: int, most_cents: int) -> ChipTray:
    """The chips of a table by its limits.

    >>> chip_tray(5_00, 500_00).chips_cents
    (100, 500, 2500, 10000)
    >>> chip_tray(1_00, 1_00)
    ChipTray(chips_cents=(100, 200, 300), first_cents=100)
    """
    if least_cents == most_cents:
        return ChipTray((least_cents, *_BESIDE_CENTS), least_cents)
    return ChipTray(_CHIPS_CENTS, _FIRST_CHIP_CENTS)
