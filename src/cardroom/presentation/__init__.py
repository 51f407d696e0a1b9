"""What pages and terminal show alike: the key of every action, and how cards lie."""

from cardroom.presentation.keys import KEYS, Key, key_of, meaning_of
from cardroom.presentation.lying import as_they_lie

__all__ = ["KEYS", "Key", "as_they_lie", "key_of", "meaning_of"]
