"""Spots that fell to those who waited, each kept for a while."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any


class Offers:
    """Spots that fell to those who waited, and until when each is kept; time counts while wagers are open."""

    def __init__(self, seconds: float) -> None:
        self._time = timedelta(seconds=seconds)
        self._until: dict[str, datetime] = {}
        self._round_began: datetime | None = None

    def until(self, name: str) -> datetime | None:
        return self._until.get(name)

    def due_at(self) -> datetime | None:
        return min(self._until.values(), default=None)

    def over(self, now: datetime) -> list[str]:
        """Those whose time is over."""
        return [name for name, until in self._until.items() if until <= now]

    def make(self, name: str, at: datetime) -> None:
        self._until[name] = at + self._time

    def forget(self, name: str) -> None:
        self._until.pop(name, None)

    def round_began(self, at: datetime) -> None:
        self._round_began = at

    def round_ended(self, at: datetime) -> None:
        if self._round_began is not None:
            lasted = at - self._round_began
            self._until = {name: until + lasted for name, until in self._until.items()}
            self._round_began = None

    def saved(self) -> dict[str, Any]:
        """As plain data, for a checkpoint."""
        began = self._round_began
        return {
            "until": {name: until.isoformat() for name, until in self._until.items()},
            "round_began": None if began is None else began.isoformat(),
        }

    def restore(self, plain: dict[str, Any]) -> None:
        """Take what was saved."""
        self._until = {name: datetime.fromisoformat(until) for name, until in plain["until"].items()}
        began = plain["round_began"]
        self._round_began = None if began is None else datetime.fromisoformat(began)

    def resume(self, now: datetime) -> None:
        """After the server was away everybody has their whole time again."""
        for name in self._until:
            self.make(name, now)
        if self._round_began is not None:
            self._round_began = now
