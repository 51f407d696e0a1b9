"""The log as text, for whoever checks it elsewhere: a line that says what it is, and one for each record."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Final

from cardroom.core.errors import MalformedInput
from cardroom.records import canonical
from cardroom.store.log import EMPTY, LogHead, LogRecord

FORMAT: Final = "cardroom log 1"
_FIELDS: Final = {"seq": int, "at": str, "kind": str, "body": str, "hash": str}


def log_lines(records: Iterable[LogRecord], *, start: LogHead = EMPTY) -> Iterator[str]:
    """The lines of a log that goes on from a head."""
    yield canonical({"format": FORMAT, "start": str(start)})
    for record in records:
        yield canonical({name: getattr(record, name) for name in _FIELDS})


def parse_log(text: str) -> tuple[LogHead, list[LogRecord]]:
    """The head that a log goes on from, and its records."""
    lines = text.splitlines()
    try:
        header = json.loads(lines[0])
        start = LogHead.parse(header["start"])
        if header["format"] != FORMAT:
            raise MalformedInput(f"line 1: this is {header['format']!r}, not {FORMAT!r}")
    except (ValueError, RecursionError, KeyError, TypeError, IndexError):
        raise MalformedInput(f"line 1 does not say that this is a {FORMAT!r}") from None
    return start, [_record(number, line) for number, line in enumerate(lines[1:], 2)]


def _record(number: int, line: str) -> LogRecord:
    try:
        plain = json.loads(line)
        if set(plain) != set(_FIELDS) or not all(type(plain[name]) is kind for name, kind in _FIELDS.items()):
            raise TypeError
        return LogRecord(**plain)
    except (ValueError, RecursionError, TypeError):
        raise MalformedInput(f"line {number} is not a record of a log") from None
