"""Who watches what: a change wakes every watcher, and a slow one gets the newest state, not a backlog."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

_AT_ONCE: Final = 32
"""So many watchers are woken together; between them whoever acts has a turn."""


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
                async with asyncio.timeout(heartbeat_seconds):
                    await self._changed.wait()
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
        _wake(list(self._watchers.get(topic, ())))


def _wake(watchers: Sequence[Watcher]) -> None:
    """Wake some now and the others in the next turns of the loop, so that a crowd holds nobody up."""
    for watcher in watchers[:_AT_ONCE]:
        watcher.wake()
    if len(watchers) > _AT_ONCE:
        asyncio.get_running_loop().call_soon(_wake, watchers[_AT_ONCE:])
