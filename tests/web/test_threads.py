"""Who waits for whom in the server's threads: nobody for the default pool, money for nobody."""

from __future__ import annotations

import asyncio
import re
import threading
from pathlib import Path

import pytest

import cardroom.web
from cardroom.web import threads
from cardroom.web.errors import TooMany
from cardroom.web.threads import Most, Threads, asked_from
from tests.web.conftest import CardRoom, finished
from tests.web.lottery_hall import API, buy, finish


def test_nothing_is_done_in_the_pool_that_everything_would_share() -> None:
    source = Path(cardroom.web.__file__).parent
    shared = re.compile(r"to_thread|run_in_executor\(\s*None")
    assert [path.name for path in source.rglob("*.py") if shared.search(path.read_text("utf-8"))] == []


def test_what_waits_is_bounded_for_an_address_and_in_all_and_the_house_itself_is_not() -> None:
    go = threading.Event()

    async def ask(pool: Threads, address: str) -> bool:
        asked_from.set(address)
        return await pool.run(go.wait)

    async def work() -> None:
        pool = Threads("a test", 1, Most(per_address=2, in_all=3))
        waiting = [asyncio.create_task(ask(pool, address)) for address in ("a", "a", "b")]
        await asyncio.sleep(0)
        for address, whose in (("a", "2 requests of your address"), ("c", "3 requests of all visitors")):
            with pytest.raises(TooMany, match=whose):
                await asyncio.create_task(ask(pool, address))
        own = asyncio.create_task(ask(pool, ""))
        await asyncio.sleep(0)
        go.set()
        assert all(await asyncio.gather(*waiting, own))
        assert await asyncio.create_task(ask(pool, "a"))

    finished(work())


def test_claims_and_checks_are_answered_while_every_reader_waits(hall: CardRoom) -> None:
    guest, other = hall.client(), hall.client()
    ticket = finish(guest, buy(guest))["tickets"][0]
    go = threading.Event()
    stuck = [threads.reading._pool.submit(go.wait) for _ in range(8)]
    stuck += [threads.desk._pool.submit(go.wait) for _ in range(8)]
    try:
        number = ticket["control_number"]
        assert (
            other.post(f"{API}/check", json={"control_number": number}).json()["verdict"] == "not yet drawn"
        )
        claim = {"control_number": number, "code": ticket["code"]}
        paid = guest.post(f"{API}/claims", json=claim, headers=guest.key(90))
        assert paid.json()["verdict"] == "not yet drawn"
    finally:
        go.set()
    assert all(one.result() for one in stuck)
