"""Whoever follows the log hears of every record once, in order, whoever wrote it and whatever was lost."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import pytest
from sqlalchemy.exc import DBAPIError

from cardroom.core.errors import Conflict, Unavailable
from cardroom.records.house import LoggedOut
from cardroom.store.database import Database
from cardroom.store.log import LogRecord
from cardroom.store.lottery import head
from cardroom.store.migrate import open_database
from cardroom.store.unit import Unit
from tests.databases import HandClock


def say(name: str) -> LoggedOut:
    return LoggedOut(name=name)


class Ear:
    """Somebody who follows a log."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.seqs: list[int] = []

    def __call__(self, records: Sequence[LogRecord]) -> None:
        for logged in records:
            record, _ = logged.read()
            assert isinstance(record, LoggedOut)
            self.names.append(record.name)
            self.seqs.append(logged.seq)


def test_records_come_after_their_commit_in_order(database_url: str) -> None:
    ear = Ear()
    with open_database(database_url, HandClock()) as database:
        database.write(lambda unit: unit.record(say("before")))
        database.follow(ear, after=1)
        threads = [
            threading.Thread(target=lambda n=n: database.write(lambda unit: unit.record(say(f"{n}"))))
            for n in range(20)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert ear.seqs == list(range(2, 22))
    assert sorted(ear.names, key=int) == [str(n) for n in range(20)]


def test_what_was_refused_is_not_heard(database_url: str) -> None:
    ear = Ear()
    with open_database(database_url, HandClock()) as database:
        database.follow(ear, after=0)

        def refused(unit: Unit) -> None:
            unit.record(say("refused"))
            raise Conflict("no")

        with pytest.raises(Conflict):
            database.write(refused)
        database.write(lambda unit: unit.record(say("done")))
    assert ear.names == ["done"]


def test_records_of_another_process_are_heard_before_ones_own(database_url: str) -> None:
    ear = Ear()
    with (
        open_database(database_url, HandClock()) as database,
        open_database(database_url, HandClock()) as other,
    ):
        database.follow(ear, after=0)
        other.write(lambda unit: unit.record(say("theirs")))
        database.write(lambda unit: unit.record(say("ours")))
        other.write(lambda unit: unit.record(say("theirs again")))
        database.catch_up()
    assert ear.names == ["theirs", "ours", "theirs again"]


def break_the_next_commit(database: Database, monkeypatch: pytest.MonkeyPatch, *, done: bool) -> list[bool]:
    """The connection breaks at the next commit, which was done or not; the list says that it broke."""
    dialect = database.engine.dialect
    commit = dialect.do_commit
    lost: list[bool] = []

    def breaking(connection: Any) -> None:
        if lost:
            commit(connection)
            return
        lost.append(True)
        (commit if done else dialect.do_rollback)(connection)
        raise DBAPIError("COMMIT", {}, Exception("server closed the connection unexpectedly"))

    monkeypatch.setattr(dialect, "do_commit", breaking)
    return lost


def test_a_commit_whose_answer_was_lost_is_found_in_the_log(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connection breaks after the server committed: the request is answered as done, and done once."""
    ear = Ear()
    with open_database(database_url, HandClock()) as database:
        database.follow(ear, after=0)
        lost = break_the_next_commit(database, monkeypatch, done=True)
        record = database.write(lambda unit: unit.record(say("once")), key="k")
        assert (lost, record.seq) == ([True], 1)
        database.write(lambda unit: unit.record(say("twice")))
        with database.read() as connection:
            assert head(connection).seq == 2
    assert ear.names == ["once", "twice"]


def test_a_commit_that_failed_is_not_taken_for_done(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ear = Ear()
    with open_database(database_url, HandClock()) as database:
        database.follow(ear, after=0)
        break_the_next_commit(database, monkeypatch, done=False)
        with pytest.raises(Unavailable, match="nothing was done"):
            database.write(lambda unit: unit.record(say("lost")))
        database.write(lambda unit: unit.record(say("done")))
        with database.read() as connection:
            assert head(connection).seq == 1
    assert ear.names == ["done"]
