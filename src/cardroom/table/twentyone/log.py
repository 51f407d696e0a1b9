"""The log of a table: every request that was granted, a line each, chained by hashes (R-44, R-51)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from typing import Final

from cardroom.core.errors import MalformedInput
from cardroom.table.twentyone.requests import Request, parse_request, request_content

START: Final = "0" * 64
_LABEL: Final = "cardroom table log 1\n"


class TableLog:
    """Lines that only grow; each holds the hash of the one before, so that none can change, go or come."""

    def __init__(self, lines: Iterable[str] = ()) -> None:
        self.lines: list[str] = []
        self.head = START
        for line in lines:
            self._append_checked(line)

    def append(self, request: Request, at: str) -> str:
        """Add a request that was granted; returns its line."""
        body = {
            "at": at,
            "before": self.head,
            "number": len(self.lines) + 1,
            "request": request_content(request),
        }
        line = json.dumps(body, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        self._keep(line)
        return line

    def _keep(self, line: str) -> None:
        self.lines.append(line)
        self.head = hashlib.sha256((_LABEL + line).encode()).hexdigest()

    def _append_checked(self, line: str) -> None:
        number = len(self.lines) + 1
        try:
            body = json.loads(line)
            fits = body["before"] == self.head and body["number"] == number
        except (ValueError, KeyError, TypeError):
            raise MalformedInput(f"line {number} of the log is not a line of a table's log") from None
        if not fits:
            raise MalformedInput(f"line {number} of the log does not follow from the line before it")
        self._keep(line)

    def requests(self) -> Iterator[Request]:
        """The requests in their order."""
        for line in self.lines:
            yield parse_request(json.loads(line)["request"])
