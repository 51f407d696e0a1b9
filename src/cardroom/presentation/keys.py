"""One key for every action, the same at every game, on every page and in the terminal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Key:
    """A key and the one thing that it does; `words` say it to people."""

    action: str
    key: str
    words: str
    on_pages: bool = True
    """Whether pages have it too, or the terminal alone."""
    in_terminal: bool = True
    """Whether the terminal has it too, or pages alone: it has no chips to be moved about."""


KEYS: Final[tuple[Key, ...]] = (
    Key("hit", "h", "hit"),
    Key("stand", "s", "stand"),
    Key("double", "d", "double"),
    Key("split", "p", "split"),
    Key("surrender", "u", "surrender"),
    Key("rescue", "r", "rescue"),
    Key("insure", "i", "insurance"),
    Key("no insurance", "n", "no insurance"),
    Key("even money", "e", "even money"),
    Key("advice", "v", "advice"),
    Key("deal", " ", "deal, or the next card"),
    Key("repeat", "a", "the last wagers again", in_terminal=False),
    Key("clear", "c", "clear the wagers", in_terminal=False),
    Key("take back", "-", "chips are taken back instead of put down", in_terminal=False),
    Key("smaller chip", "z", "a smaller chip", in_terminal=False),
    Key("larger chip", "x", "a larger chip", in_terminal=False),
    Key("spot", "m", "the menu of a spot", in_terminal=False),
    Key("keys", "?", "all keys"),
    Key("bet", "b", "bet", on_pages=False),
    Key("chances", "o", "odds: the chances now", on_pages=False),
    Key("go on", "g", "go on by itself", on_pages=False),
    Key("finish", "f", "finish: the rest at once", on_pages=False),
    Key("coach", "k", "coach: advice at every decision", on_pages=False),
    Key("warnings", "w", "warnings: a question before a blunder", on_pages=False),
    Key("history", "y", "history: your rounds", on_pages=False),
    Key("say", ":", "say it in words", on_pages=False),
    Key("leave", "q", "leave", on_pages=False),
)
"""No key does two things and nothing has two keys, whatever the game."""

_BY_ACTION: Final = {entry.action: entry.key for entry in KEYS}
_BY_KEY: Final = {entry.key: entry.action for entry in KEYS}


def key_of(action: object) -> str:
    """The key of an action in the words of the engine; empty where it has none.

    >>> key_of("surrender"), key_of("insure 2.50"), key_of("double face down")
    ('u', 'i', '')
    """
    words = str(action)
    return _BY_ACTION.get("insure" if words.startswith("insure") else words, "")


def meaning_of(key: str) -> str | None:
    """What a key does, at whichever game; None where it does nothing.

    >>> meaning_of("U"), meaning_of("j")
    ('surrender', None)
    """
    return _BY_KEY.get(key.lower())
