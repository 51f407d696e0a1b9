"""The journal: plans that wait together share a commit, and each gets its own answer or refusal."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import pytest

from cardroom.core.errors import Conflict
from cardroom.records.players import RealityChecked
from cardroom.store.database import Database
from cardroom.store.ledger import Transfer, ledger_faults
from cardroom.store.log import LogRecord
from cardroom.store.migrate import open_database
from cardroom.store.plan import Entry, Plan
from cardroom.web.clock import SystemClock
from cardroom.web.journal import Journal, RequestKey
from tests.web.conftest import finished

WAITING = 100
Done = TypeVar("Done")


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with open_database(f"sqlite:///{tmp_path / 'journal.sqlite3'}", SystemClock()) as found:
        yield found


def run(work: Coroutine[Any, Any, Done]) -> Done:
    """Run it in a thread of its own: a browser's loop may be running in this one."""
    with ThreadPoolExecutor(1) as other:
        return other.submit(asyncio.run, work).result()


def note(number: int, *moves: Transfer) -> Plan:
    noted = RealityChecked(player="ann", net_cents=number)
    return Plan([Entry(noted, moves)], {"number": number})


class Ear:
    """Somebody who hears of every record, as memory does."""

    def __init__(self, database: Database) -> None:
        self.records: list[LogRecord] = []
        database.follow(self.records.extend, after=0)

    @property
    def numbers(self) -> list[int]:
        return [record.content["net_cents"] for record in self.records]


def same(plan: Plan) -> Plan:
    return plan


def test_plans_that_wait_together_share_commits(database: Database) -> None:
    points: list[str] = []
    database.probe = points.append
    heard = Ear(database)
    journal = Journal(database)

    async def crowd() -> list[int]:
        answers = await asyncio.gather(*(journal.perform(partial(note, n)) for n in range(WAITING)))
        return [answer["number"] for answer in answers]

    assert finished(crowd()) == list(range(WAITING))
    assert [record.seq for record in heard.records] == list(range(1, WAITING + 1))
    assert points.count("committed") <= WAITING / 10


def test_a_refused_plan_harms_no_neighbour(database: Database) -> None:
    heard = Ear(database)
    journal = Journal(database)
    below_zero = note(1, Transfer("player:nobody", "house:blackjack", 100))

    async def crowd() -> list[object]:
        plans = [note(0), below_zero, note(2)]
        told = await asyncio.gather(
            *(journal.perform(partial(same, plan)) for plan in plans), return_exceptions=True
        )
        return list(told)

    first, refused, last = finished(crowd())
    assert (first, last) == ({"number": 0}, {"number": 2})
    assert isinstance(refused, Conflict)
    assert heard.numbers == [0, 2]
    with database.read() as connection:
        assert ledger_faults(connection) == []


def test_a_disk_that_fails_is_told_to_all_and_the_next_plan_is_written(database: Database) -> None:
    heard = Ear(database)
    journal = Journal(database)

    def fails(point: str) -> None:
        if point == "commit":
            raise OSError("the disk is full")

    async def crowd() -> list[object]:
        database.probe = fails
        told = await asyncio.gather(
            *(journal.perform(partial(note, n)) for n in range(3)), return_exceptions=True
        )
        database.probe = None
        return [*told, await journal.perform(lambda: note(9))]

    *failed, good = finished(crowd())
    assert all(isinstance(error, OSError) for error in failed)
    assert good == {"number": 9}
    assert heard.numbers == [9]


def test_whoever_leaves_before_the_commit_leaves_no_gap_in_memory(database: Database) -> None:
    heard = Ear(database)
    journal = Journal(database)

    async def leaves() -> None:
        task = asyncio.create_task(journal.perform(lambda: note(1), key=RequestKey("web:a:1", "d")))
        await asyncio.sleep(0)
        task.cancel()
        assert await journal.perform(lambda: note(2)) == {"number": 2}

    finished(leaves())
    assert heard.numbers == [1, 2]  # the log has both, and so has memory
