"""Who watches what: a change wakes every watcher, and a slow one gets the newest state, not a backlog."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager


class Watcher:
    """One connection's view on a topic: set when there is something newer than it has sent."""

    def __init__(self) -> None:
        self._changed = asyncio.Event()
        self._changed.set()

    def wake(self) -> None:
        self._changed.set()

    async def changes(self, *, heartbeat_seconds: float) -> AsyncIterator[bool]:
        """Yield True on every change, and False when nothing changed for a heartbeat."""
        while True:
            try:
                await asyncio.wait_for(self._changed.wait(), heartbeat_seconds)
            except TimeoutError:
                yield False
                continue
            self._changed.clear()
            yield True


class Hub:
    """Topics and their watchers."""

    def __init__(self) -> None:
        self._watchers: defaultdict[str, set[Watcher]] = defaultdict(set)

    @contextmanager
    def watching(self, topic: str) -> Iterator[Watcher]:
        """Watch a topic for as long as the block lasts."""
        watcher = Watcher()
        self._watchers[topic].add(watcher)
        try:
            yield watcher
        finally:
            self._watchers[topic].discard(watcher)
            if not self._watchers[topic]:
                del self._watchers[topic]

    def count(self, topic: str) -> int:
        return len(self._watchers.get(topic, ()))

    def publish(self, topic: str) -> None:
        """Say that a topic has changed."""
        for watcher in self._watchers.get(topic, ()):
            watcher.wake()
