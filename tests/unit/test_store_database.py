"""Opening, migrating and writing: one commit for many requests, and no request harms its neighbour."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import event
from sqlalchemy.exc import DBAPIError

from cardroom.core.errors import Conflict, MalformedInput, Unavailable
from cardroom.records.house import LoggedOut
from cardroom.store.ledger import PLAYERS, Transfer
from cardroom.store.lottery import head, records
from cardroom.store.migrate import NEWEST, open_database, write_triggers
from cardroom.store.schema import metadata
from cardroom.store.unit import Unit
from tests.databases import HandClock, Postgres


def note(unit: Unit) -> int:
    return unit.record(LoggedOut(name="Ann")).seq


@pytest.mark.slow
def test_the_migrations_make_the_schema(database_url: str) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    with open_database(database_url, HandClock()) as database, database.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []


def test_the_newest_revision_is_the_one_opened() -> None:
    from alembic.script import ScriptDirectory

    import cardroom.store

    folder = Path(cardroom.store.__file__).parent / "migrations"
    assert ScriptDirectory(str(folder)).get_current_head() == NEWEST


def test_triggers_under_their_names_of_0_2_0_make_way_for_those_of_today(postgres: Postgres) -> None:
    names = "SELECT proname FROM pg_proc WHERE pronamespace = current_schema()::regnamespace"
    with open_database(postgres.new(), HandClock()) as database, database.engine.begin() as connection:
        today = set(connection.exec_driver_sql(names).scalars())
        for name in today:
            old = name.replace("trigger_", "law_")
            if old != name:
                connection.exec_driver_sql(f"ALTER FUNCTION {name}() RENAME TO {old}")
        assert "law_1_tickets" in set(connection.exec_driver_sql(names).scalars())
        write_triggers(connection)
        assert set(connection.exec_driver_sql(names).scalars()) == today


def test_sqlite_is_opened_durably(sqlite_url: str) -> None:
    with open_database(sqlite_url, HandClock()) as database, database.engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2  # FULL
        assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1


def test_a_reader_cannot_write(sqlite_url: str) -> None:
    database = open_database(sqlite_url, HandClock())
    with database, pytest.raises(Unavailable, match="readonly"), database.read() as connection:
        connection.exec_driver_sql("DELETE FROM settings")


def test_readers_keep_their_connections_and_each_sees_what_is_new(database_url: str) -> None:
    opened: list[object] = []
    with open_database(database_url, HandClock()) as database:
        event.listen(database._reader, "connect", lambda connection, _record: opened.append(connection))
        seen = []
        for _ in range(3):
            database.write(note)
            with database.read() as one, database.read() as other:
                seen.append((head(one).seq, head(other).seq))
        begin = seen[0][0]
        assert seen == [(begin + number, begin + number) for number in range(3)]
        assert 1 <= len(opened) <= 2  # one was opened when the house began


@pytest.mark.parametrize(
    "url", ["", "nonsense", "mysql://host/x", "sqlite://", "sqlite:///:memory:", "oracle://x"]
)
def test_other_addresses_are_refused(url: str) -> None:
    with pytest.raises(MalformedInput):
        open_database(url, HandClock())


def test_requests_that_wait_share_a_commit(database_url: str) -> None:
    commits: list[str] = []
    leading, let_go = threading.Event(), threading.Event()
    with open_database(database_url, HandClock()) as database:

        def slow(unit: Unit) -> int:
            leading.set()
            assert let_go.wait(10)
            return note(unit)

        answers: list[int] = []
        threads = [threading.Thread(target=lambda: answers.append(database.write(slow)))]
        threads[0].start()
        assert leading.wait(10)
        database.probe = lambda point: commits.append(point) if point == "commit" else None
        threads += [threading.Thread(target=lambda: answers.append(database.write(note))) for _ in range(10)]
        for thread in threads[1:]:
            thread.start()
        while len(database._queue) < 10:
            pass
        let_go.set()
        for thread in threads:
            thread.join()
        assert sorted(answers) == list(range(1, 12))
        assert len(commits) == 2  # the leader's own, and one for the ten who waited


def test_one_bad_request_in_a_batch_fails_alone(database_url: str) -> None:
    leading, let_go = threading.Event(), threading.Event()
    with open_database(database_url, HandClock()) as database:

        def slow(unit: Unit) -> int:
            leading.set()
            assert let_go.wait(10)
            return note(unit)

        def bad(unit: Unit) -> int:
            return unit.record(LoggedOut(name="Bad"), [Transfer("wallet:x", PLAYERS, 1)]).seq

        def refused(unit: Unit) -> int:
            note(unit)
            raise Conflict("no")

        answers: list[object] = []

        def ask(request: Callable[[Unit], int]) -> None:
            try:
                answers.append(database.write(request))
            except Conflict as error:
                answers.append(error.message)

        threads = [threading.Thread(target=ask, args=(one,)) for one in (slow, note, bad, note, refused)]
        threads[0].start()
        assert leading.wait(10)
        for thread in threads[1:]:
            thread.start()
        while len(database._queue) < 4:
            pass
        let_go.set()
        for thread in threads:
            thread.join()
        assert sorted(answer for answer in answers if isinstance(answer, int)) == [1, 2, 3]
        assert sum(isinstance(answer, str) and "not_negative" in answer for answer in answers) == 1
        assert "no" in answers
        with database.read() as connection:
            assert [record.content["name"] for record in records(connection)] == ["Ann"] * 3


def test_a_used_key_with_another_request_is_refused(database_url: str) -> None:
    with open_database(database_url, HandClock()) as database:

        def ask(digest: str) -> Callable[[Unit], object]:
            def run(unit: Unit) -> object:
                told = unit.answered("key", digest)
                if told is None:
                    note(unit)
                    unit.answer("key", digest, {"seq": unit.head.seq})
                return told

            return run

        assert database.write(ask("a"), key="key") is None
        assert database.write(ask("a"), key="key") == {"seq": 1}
        with pytest.raises(Conflict, match="different request"):
            database.write(ask("b"), key="key")


def test_a_clock_put_back_does_not_put_the_log_back(database_url: str) -> None:
    clock = HandClock()
    with open_database(database_url, clock) as database:
        database.write(note)
        clock.advance(hours=-1)
        database.write(note)
        with database.read() as connection:
            first, second = records(connection)
        assert second.at == first.at


def test_a_full_disk_refuses_and_loses_nothing(sqlite_url: str) -> None:
    with open_database(sqlite_url, HandClock()) as database:
        database.write(note)
        with database.engine.connect() as connection:
            pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
            connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")

        def large(unit: Unit) -> None:
            unit.record(LoggedOut(name="x" * 100_000))

        with pytest.raises(Unavailable, match="full"):
            database.write(large)
        with database.read() as connection:
            assert head(connection).seq == 1
        with database.engine.connect() as connection:
            connection.exec_driver_sql("PRAGMA max_page_count = 1000000")
        database.write(large)
        with database.read() as connection:
            assert head(connection).seq == 2


def test_a_database_that_says_its_disk_is_full(database_url: str) -> None:
    """PostgreSQL's own error for it, raised where the server would raise it."""
    import psycopg.errors

    with open_database(database_url, HandClock()) as database:

        def full(point: str) -> None:
            if point == "commit":
                raise DBAPIError("COMMIT", {}, psycopg.errors.DiskFull("could not extend file"))

        database.probe = full
        with pytest.raises(Unavailable, match="could not extend file"):
            database.write(note)
        database.probe = None
        assert database.write(note) == 1


@pytest.mark.slow
def test_a_restarted_server_is_found_again(own_postgres: Postgres) -> None:
    with open_database(own_postgres.new(), HandClock()) as database:
        database.write(note)
        own_postgres.restart()
        assert database.write(note) == 2
        with database.read() as connection:
            assert head(connection).seq == 2


@pytest.mark.slow
def test_a_connection_cut_inside_a_request(own_postgres: Postgres) -> None:
    with open_database(own_postgres.new(), HandClock()) as database:

        def cut(unit: Unit) -> None:
            note(unit)
            own_postgres.restart()

        with pytest.raises(Unavailable, match="nothing was done"):
            database.write(cut)
        assert database.write(note) == 1


def test_a_closed_database_is_left_alone_by_everybody(sqlite_url: str) -> None:
    database = open_database(sqlite_url, HandClock())
    file = Path(sqlite_url.removeprefix("sqlite:///"))
    database.write(note)
    database.close()
    before = file.stat().st_mtime_ns
    with pytest.raises(Unavailable, match="closed"):
        database.write(note)
    with pytest.raises(Unavailable, match="closed"), database.read():
        pass
    (refused, too) = database.write_all([(note, None), (note, None)])
    assert isinstance(refused, Unavailable)
    assert isinstance(too, Unavailable)
    assert file.stat().st_mtime_ns == before
    assert [*file.parent.glob(f"{file.name}-*")] == []  # nobody has opened it again


def test_who_reads_is_waited_for_when_the_database_closes(sqlite_url: str) -> None:
    database = open_database(sqlite_url, HandClock())
    reading, go_on = threading.Event(), threading.Event()
    seen: list[int] = []

    def read() -> None:
        with database.read() as connection:
            reading.set()
            go_on.wait()
            seen.append(head(connection).seq)

    reader = threading.Thread(target=read)
    reader.start()
    reading.wait()
    closer = threading.Thread(target=database.close)
    closer.start()
    go_on.set()
    reader.join()
    closer.join()
    assert seen == [0]
