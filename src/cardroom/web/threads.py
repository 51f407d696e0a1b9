"""The server's threads, by what is done there: money never waits for a reader, nor the draws for anybody.

Nothing is done in the event loop's default pool, which everything would share. What strangers may ask for
is bounded for each address and in all; beyond that the answer is a time to ask again.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial
from typing import Final, ParamSpec, TypeVar

from cardroom.web.errors import TooMany

Inputs = ParamSpec("Inputs")
Answer = TypeVar("Answer")

asked_from: ContextVar[str] = ContextVar("asked_from", default="")
"""The address of the request that is being answered; empty for what the house does by itself."""


@dataclass(frozen=True, slots=True)
class Most:
    """How many may wait at once."""

    per_address: int
    in_all: int


class Threads:
    """A few threads for one kind of work."""

    def __init__(self, name: str, number: int, most: Most | None = None) -> None:
        self._name = name
        self._pool = ThreadPoolExecutor(number, f"cardroom {name}")
        self._most = most
        self._waiting: Counter[str] = Counter()

    async def run(self, work: Callable[Inputs, Answer], *args: Inputs.args, **named: Inputs.kwargs) -> Answer:
        """Do something there and wait for it; refused where too much of one address waits already."""
        address = asked_from.get()
        self._check(address)
        self._waiting[address] += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pool, partial(work, *args, **named))
        finally:
            self._waiting[address] -= 1
            if not self._waiting[address]:
                del self._waiting[address]

    def _check(self, address: str) -> None:
        if self._most is None or not address:
            return
        if self._waiting[address] >= self._most.per_address:
            raise TooMany(f"{self._waiting[address]} requests of your address wait for {self._name} already")
        if self._waiting.total() >= self._most.in_all:
            raise TooMany(f"{self._waiting.total()} requests of all visitors wait for {self._name} already")


money: Final = Threads("money", 2)
"""Tickets, choices, alterations, prizes: what moves money outside the journal's own thread."""
lottery: Final = Threads("draws", 1)
"""What is due in the lottery, when it is due."""
upkeep: Final = Threads("upkeep", 2)
"""The clock, checkpoints, what others wrote into the log."""
desk: Final = Threads("the desk", 4)
"""What people of the house ask for and do, who have logged in."""
reading: Final = Threads("the books", 4, Most(per_address=32, in_all=256))
"""What visitors look up: tickets, rounds, shoes. A few milliseconds each."""
whole_draws: Final = Threads("records of draws", 1, Most(per_address=4, in_all=16))
"""The record of a whole draw, with all of its tickets."""
