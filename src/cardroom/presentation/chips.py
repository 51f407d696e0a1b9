"""The chips that a player finds before them on a page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

_CHIPS_CENTS: Final = (1_00, 5_00, 25_00, 100_00)
_FIRST_CHIP_CENTS: Final = 5_00


@dataclass(frozen=True, slots=True)
class ChipTray:
    """The chips in the order in which they lie, and the one that is in hand at first."""

    chips_cents: tuple[int, ...]
    first_cents: int


def chip_tray(least_cents: int, most_cents: int) -> ChipTray:
    """The chips of a table by its limits: those of the house of which a wager can be built.

    >>> chip_tray(5_00, 500_00)
    ChipTray(chips_cents=(100, 500, 2500, 10000), first_cents=500)
    >>> chip_tray(4_00, 4_00)
    ChipTray(chips_cents=(100,), first_cents=100)
    """
    chips = tuple(cents for cents in _CHIPS_CENTS if cents <= most_cents) or _CHIPS_CENTS[:1]
    return ChipTray(chips, min(_FIRST_CHIP_CENTS, chips[-1]))
