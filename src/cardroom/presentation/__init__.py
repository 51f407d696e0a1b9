"""What pages and terminal show alike: keys of actions, chips, how cards lie, what a wager is called."""

from cardroom.presentation.chips import ChipTray, chip_tray
from cardroom.presentation.keys import KEYS, Key, key_of, meaning_of
from cardroom.presentation.lying import as_they_lie
from cardroom.presentation.wagers import wager_title

__all__ = ["KEYS", "ChipTray", "Key", "as_they_lie", "chip_tray", "key_of", "meaning_of", "wager_title"]
