"""How a thing is said, once: titles, keys, chips, how cards lie; money, numbers, totals and sentences."""

from cardroom.presentation.card_order import as_they_lie
from cardroom.presentation.chips import ChipTray, chip_tray
from cardroom.presentation.keys import KEYS, Key, key_of, meaning_of
from cardroom.presentation.wagers import line_title, wager_title

__all__ = [
    "KEYS",
    "ChipTray",
    "Key",
    "as_they_lie",
    "chip_tray",
    "key_of",
    "line_title",
    "meaning_of",
    "wager_title",
]
