"""Why something is not allowed: words and a clause."""

from __future__ import annotations

from dataclasses import dataclass

from cardroom.core.errors import IllegalAction


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why an action is not allowed, in words, and the clause that forbids it."""

    reason: str
    clause: str

    def __str__(self) -> str:
        return f"{self.reason} ({self.clause})"

    def error(self) -> IllegalAction:
        """The refusal as an error to raise."""
        return IllegalAction(self.reason, clause=self.clause)
