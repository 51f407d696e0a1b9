"""The lines of a TOML file on which its keys stand, so that what is wrong can be shown where it is.

The parser of the standard library says the place of wrong syntax only. This reader is for text that the
parser has accepted: it follows keys, tables and lists, and steps over everything else.

>>> places_of('title = "Own"\\n[limits]\\nmin = 5\\n')[("limits", "min")]
3
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from cardroom.rules.explain import Path

_STRING: Final = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}|' + r"'''.*?'{3,5}|" + r'"(?:[^"\\\n]|\\.)*"|' + r"'[^'\n]*'", re.DOTALL
)
_BARE_KEY: Final = re.compile(r"[A-Za-z0-9_-]+")
_BARE_VALUE: Final = re.compile(r"[^,\]}#\n]+")
_BLANK: Final = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_SPACE: Final = re.compile(r"[ \t]*")


def places_of(text: str) -> dict[Path, int]:
    """The line of every key, table and member of a list, counted from 1."""
    return _Reader(text).read()


def line_at(places: Mapping[Path, int], path: Path) -> int:
    """The line of a key; of the nearest group around it where it is not written in the file itself."""
    for length in range(len(path), 0, -1):
        if path[:length] in places:
            return places[path[:length]]
    return 1


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.places: dict[Path, int] = {}
        self.members: dict[Path, int] = {}
        """How many tables of a list `[[…]]` have begun."""

    def read(self) -> dict[Path, int]:
        table: Path = ()
        self._skip(_BLANK)
        while self.at < len(self.text):
            table = self._header() if self.text[self.at] == "[" else self._pair(table, table)
            self._skip(_BLANK)
        return self.places

    def _skip(self, pattern: re.Pattern[str]) -> str:
        match = pattern.match(self.text, self.at)
        if match is None:
            self.at += 1  # never in text that the parser has accepted
            return ""
        self.at = match.end()
        return match[0]

    def _mark(self, path: Path, at: int) -> None:
        line = self.text.count("\n", 0, at) + 1
        for length in range(1, len(path) + 1):
            self.places.setdefault(path[:length], line)

    def _key(self) -> tuple[str, ...]:
        """A dotted key."""
        parts: list[str] = []
        while True:
            self._skip(_SPACE)
            if self.text[self.at : self.at + 1] in ("'", '"'):
                parts.append(self._skip(_STRING)[1:-1])
            else:
                parts.append(self._skip(_BARE_KEY))
            self._skip(_SPACE)
            if self.text[self.at : self.at + 1] != ".":
                return tuple(parts)
            self.at += 1

    def _header(self) -> Path:
        start, is_list = self.at, self.text.startswith("[[", self.at)
        self.at += 2 if is_list else 1
        *groups, last = self._key()
        self.at += 2 if is_list else 1
        table: Path = ()
        for part in groups:
            table = self._in_list((*table, part))
        table = (*table, last)
        if is_list:
            self.members[table] = self.members.get(table, -1) + 1
            table = self._in_list(table)
        self._mark(table, start)
        return table

    def _in_list(self, path: Path) -> Path:
        return (*path, self.members[path]) if path in self.members else path

    def _pair(self, table: Path, after: Path) -> Path:
        start = self.at
        path = (*table, *self._key())
        self._mark(path, start)
        self.at += 1  # the sign =
        self._skip(_SPACE)
        self._value(path)
        return after

    def _value(self, path: Path) -> None:
        first = self.text[self.at : self.at + 1]
        if first == "[":
            self._several(path, "]")
        elif first == "{":
            self._several(path, "}")
        elif first in ("'", '"'):
            self._skip(_STRING)
        else:
            self._skip(_BARE_VALUE)

    def _several(self, path: Path, end: str) -> None:
        """A list or an inline table."""
        self.at += 1
        number = 0
        while self.at < len(self.text):
            self._skip(_BLANK)
            if self.text[self.at : self.at + 1] == end:
                self.at += 1
                return
            if self.text[self.at : self.at + 1] == ",":
                self.at += 1
            elif end == "]":
                self._mark((*path, number), self.at)
                self._value((*path, number))
                number += 1
            else:
                self._pair(path, path)
