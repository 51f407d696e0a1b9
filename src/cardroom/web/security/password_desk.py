"""Passwords are checked one after another, since each takes time and memory; nobody else waits for them."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from cardroom.web.errors import TooMany

MOST_WAITING: Final = 16
MOST_WAITING_PER_ADDRESS: Final = 3
_RETRY_SECONDS: Final = 5
_NICENESS: Final = 10

Answer = TypeVar("Answer")


class PasswordDesk:
    """A thread of its own, and a bounded queue before it."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "passwords", initializer=_stand_back)
        self._waiting: Counter[str] = Counter()

    async def do(self, work: Callable[[], Answer], address: str) -> Answer:
        """Check or hash a password for somebody at an address."""
        if self._waiting[address] >= MOST_WAITING_PER_ADDRESS or self._waiting.total() >= MOST_WAITING:
            raise TooMany("many passwords are being checked just now", retry_seconds=_RETRY_SECONDS)
        self._waiting[address] += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, work)
        finally:
            self._waiting[address] -= 1
            if not self._waiting[address]:
                del self._waiting[address]

    def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)


def _stand_back() -> None:
    """Let this thread wait for others; Linux alone knows a niceness of threads."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICENESS)
