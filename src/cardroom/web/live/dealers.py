"""The dealers: each does what is due at its table when it is due, and nothing while nothing is."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from datetime import datetime
from functools import partial
from typing import Final
from weakref import WeakValueDictionary

from cardroom.core.errors import CardroomError
from cardroom.store.plan import Plan
from cardroom.table.running import RunningTable, player_account
from cardroom.web.journal import Journal
from cardroom.web.live.hub import Hub

logger = logging.getLogger("cardroom.web")
_SECONDS_AFTER_A_FAULT: Final = 1.0
"""A dealer who could not do what is due tries again after so long."""


class Dealers:
    """One task for each table at which something is due."""

    def __init__(self, hub: Hub, now: Callable[[], datetime]) -> None:
        self._hub = hub
        self._now = now
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._tasks: dict[str, asyncio.Task[None]] = {}
        """Those who have something to do, by the topic of their table."""
        self._wakes: dict[str, asyncio.Event] = {}
        self._closed = False

    def lock(self, name: str) -> asyncio.Lock:
        """The lock of whatever has a name; it is there for as long as anybody holds it or waits for it."""
        return self._locks.setdefault(name, asyncio.Lock())

    def wake(
        self,
        table: RunningTable,
        journal: Journal,
        plan: Callable[[], Plan],
        think: Callable[[], Awaitable[None]],
        is_there: Callable[[], bool],
    ) -> None:
        """Tell everybody that the table changed, and its dealer that something may be due.

        `think` lets a computer player decide, and `is_there` says whether the house still has the table.
        """
        self._hub.publish(table.topic)
        dealer = self._tasks.get(table.topic)
        if dealer is not None and not dealer.done():
            self._wakes[table.topic].set()
        elif table.due_at() is not None and not self._closed:
            wake = self._wakes[table.topic] = asyncio.Event()
            dealing = self._deal(table, wake, journal, plan, think, is_there)
            dealer = self._tasks[table.topic] = asyncio.create_task(dealing)
            dealer.add_done_callback(partial(self._has_ended, table.topic))

    def _has_ended(self, topic: str, dealer: asyncio.Task[None]) -> None:
        """A dealer has nothing more to do; a table that is gone leaves nothing behind."""
        if self._tasks.get(topic) is dealer:
            del self._tasks[topic], self._wakes[topic]

    async def _deal(
        self,
        table: RunningTable,
        wake: asyncio.Event,
        journal: Journal,
        plan: Callable[[], Plan],
        think: Callable[[], Awaitable[None]],
        is_there: Callable[[], bool],
    ) -> None:
        while is_there() and (due := table.due_at()) is not None:
            wake.clear()
            wait = (due - self._now()).total_seconds()
            if wait > 0:
                # Not wait_for, which may swallow the cancellation of a dealer when the house closes.
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(wait):
                        await wake.wait()
                continue
            await think()
            try:
                await self._step(table, journal, plan, is_there)
            except CardroomError as error:
                logger.error("%s waits: %s", table.topic, error.message)
                await asyncio.sleep(_SECONDS_AFTER_A_FAULT)
            except Exception:  # one mistake must not leave a table without a dealer for good
                logger.exception("%s waits, and its dealer will try again", table.topic)
                await asyncio.sleep(_SECONDS_AFTER_A_FAULT)

    async def _step(
        self, table: RunningTable, journal: Journal, plan: Callable[[], Plan], is_there: Callable[[], bool]
    ) -> None:
        """Do what is due, with the purses that it may look at held; nothing where they are others by then.

        Purses are held before the table, in their order, as by whoever asks for something: so a purse is
        looked at and changed by one table, one purchase, one request at a time.
        """
        async with contextlib.AsyncExitStack() as held:
            stakers = set(table.stakers())
            for account in sorted(map(player_account, stakers)):
                await held.enter_async_context(self.lock(account))
            await held.enter_async_context(self.lock(table.topic))
            is_due = is_there() and (due := table.due_at()) is not None and due <= self._now()
            if not is_due or set(table.stakers()) != stakers:
                return
            await journal.perform(plan)
        self._hub.publish(table.topic)

    async def close(self) -> None:
        """Stop; what was dealt is in the log."""
        self._closed = True
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
