"""What pages and terminal show alike: the key of every action, how cards lie, what a wager is called."""

from cardroom.presentation.keys import KEYS, Key, key_of, meaning_of
from cardroom.presentation.lying import as_they_lie
from cardroom.presentation.wagers import wager_title

__all__ = ["KEYS", "Key", "as_they_lie", "key_of", "meaning_of", "wager_title"]
