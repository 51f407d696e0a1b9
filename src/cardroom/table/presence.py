"""Who has a table's page open."""

from __future__ import annotations

from collections import Counter
from datetime import datetime, timedelta


class Presence:
    """Who has a table's page open, and since when others have not; it is no part of the log."""

    def __init__(self, seconds: float) -> None:
        self._time = timedelta(seconds=seconds)
        self._pages: Counter[str] = Counter()
        self._closed: dict[str, datetime] = {}
        self._resumed: datetime | None = None

    @property
    def anybody(self) -> bool:
        """Whether a page of the table is open."""
        return bool(self._pages)

    def is_here(self, player: str) -> bool:
        """Whether the player has a page of the table open."""
        return player in self._pages

    def came(self, player: str) -> None:
        """A page of the player's was opened."""
        self._pages[player] += 1
        self._closed.pop(player, None)

    def went(self, player: str, now: datetime) -> None:
        """A page of the player's was closed, or its connection was lost."""
        self._pages[player] -= 1
        if not self._pages[player]:
            del self._pages[player]
            self._closed[player] = now

    def forget(self, player: str) -> None:
        self._closed.pop(player, None)

    def gone_at(self, player: str, acted: datetime) -> datetime | None:
        """When somebody without a page, who acted last at a moment, has gone; None while a page is open."""
        if self._pages[player]:
            return None
        signs = (acted, self._closed.get(player), self._resumed)
        return max(sign for sign in signs if sign is not None) + self._time

    def resume(self, now: datetime) -> None:
        """After the server was away everybody has the whole time to come back."""
        self._resumed = now
