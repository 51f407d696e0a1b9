"""Computations that visitors ask for: once, in turn, within bounds, and only while somebody waits."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial, wraps
from typing import Any, cast

import pytest

from cardroom.core.errors import Unavailable
from cardroom.web.computations import Bounds, Computations, GivenUp
from cardroom.web.errors import TooMany
from cardroom.web.worker import Worker
from tests.web.conftest import finished


def in_loop(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """A test that runs in an event loop of its own."""

    @wraps(test)
    def run(**fixtures: Any) -> None:
        finished(test(**fixtures))

    return run


class HandWorker:
    """A worker in a thread, which waits at each work until it is let on, and can be broken off there."""

    def __init__(self) -> None:
        self.thread = ThreadPoolExecutor(1)
        self.done: list[str] = []
        self.broken_off = 0
        self._go = threading.Semaphore(0)
        self._broken = False

    def run(self, work: Callable[[], str]) -> str:
        self._go.acquire()
        if self._broken:
            self._broken = False
            raise Unavailable("a computation was broken off; ask again")
        self.done.append(work())
        return self.done[-1]

    def let_on(self, number: int = 1) -> None:
        self._go.release(number)

    def break_off(self) -> None:
        self.broken_off += 1
        self._broken = True
        self._go.release()


@dataclass
class Visitor:
    visitor: str = "a"
    address: str = "192.0.2.1"
    gone: bool = False
    looks: int = field(default=0)

    async def is_gone(self) -> bool:
        self.looks += 1
        return self.gone


def computations(worker: HandWorker, bounds: Bounds | None = None) -> Computations:
    return Computations(cast(Worker, worker), bounds)


async def _until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(300):
        while not condition():
            await asyncio.sleep(0.001)


@in_loop
async def test_what_two_ask_for_is_computed_once_and_kept() -> None:
    worker = HandWorker()
    desk = computations(worker)
    both = [asyncio.create_task(desk.get(("x",), partial(str, 21), Visitor(name))) for name in "ab"]
    await asyncio.sleep(0)
    assert desk.known(("x",)) is None
    worker.let_on()
    assert await asyncio.gather(*both) == ["21", "21"]
    assert await desk.get(("x",), partial(str, 22)) == "21" == desk.known(("x",))
    assert worker.done == ["21"]


@in_loop
async def test_addresses_take_turns_and_the_house_comes_first() -> None:
    worker = HandWorker()
    desk = computations(worker)
    tasks = [
        asyncio.create_task(desk.get((name,), partial(str, name), Visitor(address=name[0])))
        for name in ("a1", "a2", "a3", "b1", "b2")
    ]
    await asyncio.sleep(0)
    tasks.append(asyncio.create_task(desk.get(("house",), partial(str, "house"))))
    await asyncio.sleep(0)
    worker.let_on(6)
    await asyncio.gather(*tasks)
    assert worker.done == ["a1", "house", "b1", "a2", "b2", "a3"]  # a1 had begun when the house asked


@in_loop
async def test_what_waits_is_bounded_for_a_visitor_for_an_address_and_in_all() -> None:
    worker = HandWorker()
    desk = computations(worker, Bounds(in_all=4, per_address=3, per_visitor=2))
    people = [Visitor("a"), Visitor("a"), Visitor("b"), Visitor("c", "192.0.2.2")]
    tasks = [
        asyncio.create_task(desk.get((number,), partial(str, number), visitor))
        for number, visitor in enumerate(people[:2])
    ]
    await asyncio.sleep(0)
    with pytest.raises(TooMany, match="2 computations of yours"):
        await desk.get((9,), partial(str, 9), Visitor("a"))
    tasks.append(asyncio.create_task(desk.get((2,), partial(str, 2), people[2])))
    await asyncio.sleep(0)
    with pytest.raises(TooMany, match="3 computations of your address") as refusal:
        await desk.get((9,), partial(str, 9), Visitor("c"))
    assert refusal.value.retry_seconds >= 1
    tasks.append(asyncio.create_task(desk.get((3,), partial(str, 3), people[3])))
    await asyncio.sleep(0)
    with pytest.raises(TooMany, match="4 computations of all visitors"):
        await desk.get((9,), partial(str, 9), Visitor("d", "192.0.2.3"))
    worker.let_on(4)
    assert await asyncio.gather(*tasks) == ["0", "1", "2", "3"]
    worker.let_on()
    assert await desk.get((9,), partial(str, 9), Visitor("a")) == "9"


@in_loop
async def test_what_nobody_waits_for_is_not_begun() -> None:
    worker = HandWorker()
    desk = computations(worker)
    first = asyncio.create_task(desk.get(("first",), partial(str, "first"), Visitor()))
    await asyncio.sleep(0)
    leaver = Visitor("b")
    left = asyncio.create_task(desk.get(("left",), partial(str, "left"), leaver))
    await asyncio.sleep(0)
    leaver.gone = True
    with pytest.raises(GivenUp):
        await left
    worker.let_on(2)
    await first
    assert await desk.get(("after",), partial(str, "after"), Visitor()) == "after"
    assert worker.done == ["first", "after"]


@in_loop
async def test_what_runs_for_nobody_is_broken_off_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardroom.web.computations._SECONDS_TO_FINISH", 0.01)
    worker = HandWorker()
    desk = computations(worker)
    leaver = Visitor()
    left = asyncio.create_task(desk.get(("left",), partial(str, "left"), leaver))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    leaver.gone = True
    with pytest.raises(GivenUp):
        await left
    await _until(lambda: worker.broken_off == 1)
    worker.let_on()
    assert await desk.get(("next",), partial(str, "next"), Visitor()) == "next"
    assert worker.done == ["next"]


@in_loop
async def test_who_is_broken_off_by_mistake_is_tried_again() -> None:
    worker = HandWorker()
    desk = computations(worker)
    wanted = asyncio.create_task(desk.get(("x",), partial(str, "x"), Visitor()))
    await asyncio.sleep(0)
    worker.break_off()
    worker.let_on()
    assert await wanted == "x"


@in_loop
async def test_a_fault_reaches_all_who_wait_and_is_not_kept() -> None:
    worker = HandWorker()
    desk = computations(worker)
    worker.let_on(3)

    def divide(by: int) -> Any:
        return str(1 // by)

    with pytest.raises(ZeroDivisionError):
        await desk.get(("x",), partial(divide, 0), Visitor())
    assert await desk.get(("x",), partial(divide, 1), Visitor()) == "1"
