"""A database opened for work: one writer at a time, many requests in one commit, readers beside it.

Whoever asks for a write joins a queue. The first of the queue leads: it takes everybody who waits along, runs
their requests one after another in one transaction, wakes them after its commit, and hands the lead to the
next. So the cost of making data durable is shared, and there is no thread to look after.
"""

from __future__ import annotations

import contextlib
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Final, Generic, Protocol, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event, select, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, NoSuchModuleError
from sqlalchemy.pool import QueuePool

from cardroom.core.errors import CardroomError, Conflict, MalformedInput, Unavailable
from cardroom.store.archives import FOLDER
from cardroom.store.ledger import KnownBalances
from cardroom.store.log import LogRecord
from cardroom.store.schema import log
from cardroom.store.unit import Unit, read_log

Answer = TypeVar("Answer")
Follower = Callable[[Sequence[LogRecord]], None]
"""Called with the records of the log in their order, each once, after they are durable."""
Probe = Callable[[str], None]
"""Called before every statement and around every commit of a write; tests let it fail."""

LARGEST_BATCH: Final = 64
_BUSY_SECONDS: Final = 30
_WRITER_LOCK: Final = 0x4B4F3231  # the number of PostgreSQL's advisory lock
_READERS: Final = 8
_QUESTIONS_AFTER_A_LOST_ANSWER: Final = 20
_SECONDS_BETWEEN_QUESTIONS: Final = 0.25
_SECONDS_BETWEEN_LOOKS: Final = 0.01
_CLOSED: Final = "the database is closed; try again when it is open"


class Clock(Protocol):
    """Where the time comes from."""

    def now(self) -> datetime: ...


class _Job(Generic[Answer]):
    """A request in the queue, and what came of it."""

    def __init__(self, run: Callable[[Unit], Answer], key: str | None, *, alone: bool) -> None:
        self.run = run
        self.key = key
        self.alone = alone
        self.done = False
        self.leads = False
        self.wake = threading.Event()
        self.answers: list[Answer] = []
        self.error: BaseException | None = None

    def finish(self) -> None:
        self.done = True
        self.wake.set()

    def fail(self, error: BaseException) -> None:
        self.error = error
        self.finish()


class DatabaseTrouble(Unavailable):
    """The database did not do what was asked; its own words may name files and sockets of this machine."""


class Database:
    """SQLite or PostgreSQL behind one door."""

    def __init__(
        self,
        url: str,
        clock: Clock,
        *,
        probe: Probe | None = None,
        lock: bool = True,
        synchronous: str = "FULL",
        archives: Path | None = None,
    ) -> None:
        self.clock = clock
        self.probe = probe
        self.url = url
        self._lock = lock
        self._gate = threading.Lock()
        self._led = False
        self._queue: list[_Job[Any]] = []
        self._closed = False
        self._readers = 0
        self._follower: Follower | None = None
        self._followed = 0
        self._known = KnownBalances()
        writer, reader = _engines(url, synchronous)
        self.engine = writer.execution_options(**{FOLDER: archives})
        self._reader = reader.execution_options(**{FOLDER: archives})
        event.listen(self.engine, "before_cursor_execute", self._before_statement)

    @property
    def is_sqlite(self) -> bool:
        return self.engine.dialect.name == "sqlite"

    def _before_statement(self, _c: Any, _k: Any, statement: str, *_rest: Any) -> None:
        if self.probe is not None:
            self.probe(" ".join(statement.split()[:3]))

    def _reach(self, point: str) -> None:
        if self.probe is not None:
            self.probe(point)

    def close(self) -> None:
        """Let go of all connections once nobody reads or writes any more; later ones are refused at once."""
        with self._gate:
            self._closed = True
        deadline = time.monotonic() + _BUSY_SECONDS
        while (self._led or self._readers) and time.monotonic() < deadline:
            time.sleep(_SECONDS_BETWEEN_LOOKS)
        self.engine.dispose()
        self._reader.dispose()

    def __enter__(self) -> Database:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    @contextlib.contextmanager
    def read(self) -> Iterator[Connection]:
        """A connection that sees one moment of the database and cannot change it."""
        with self._gate:
            if self._closed:
                raise Unavailable(_CLOSED)
            self._readers += 1
        try:
            with self._reader.connect() as connection, connection.begin():
                yield connection
        except DBAPIError as error:
            raise explained(error) from error
        finally:
            with self._gate:
                self._readers -= 1

    def follow(self, follower: Follower, *, after: int) -> None:
        """Tell somebody of every record after one, whoever writes it, in the log's order.

        Records of this process are told right after their commit; those of others (a command beside the
        server, or a commit whose answer was lost) before the next transaction, or when `catch_up` asks.
        """
        self._follower, self._followed = follower, after

    def catch_up(self) -> None:
        """Tell the follower of records that others have written; also when nothing is to be written here."""
        self.write(lambda _unit: None, alone=True)

    def write(self, run: Callable[[Unit], Answer], *, key: str | None = None, alone: bool = False) -> Answer:
        """Run a request inside a transaction and answer when it is durable.

        `run` may be run a second time, when a neighbour in the same commit fails: it must have no effect but
        through its unit. `alone` is for a request that reads what its neighbours may be writing.
        """
        job = _Job(run, key, alone=alone)
        self._join([job])
        if not job.leads:
            job.wake.wait()
        if job.leads:
            self._lead(job)
        if job.error is not None:
            raise job.error
        return job.answers[0]

    def write_all(
        self, works: Sequence[tuple[Callable[[Unit], Answer], str | None]]
    ) -> list[Answer | BaseException]:
        """Run several requests, each with its key, as `write` would for each in a thread of its own.

        What comes of each stands in its place: its answer, or why it was refused.
        """
        jobs = [_Job(run, key, alone=False) for run, key in works]
        try:
            self._join(jobs)
        except Unavailable as closed:
            return [closed] * len(jobs)
        for job in jobs:
            while not job.done:
                if not job.leads:
                    job.wake.wait()
                    continue
                job.leads = False
                job.wake.clear()
                with contextlib.suppress(Exception):  # those whom it broke are told
                    self._lead(job)
        return [job.answers[0] if job.error is None else job.error for job in jobs]

    def _join(self, jobs: Sequence[_Job[Any]]) -> None:
        """Join the queue; whoever finds nobody leading leads. Nobody joins once the database closes."""
        with self._gate:
            if self._closed:
                raise Unavailable(_CLOSED)
            self._queue += jobs
            jobs[0].leads = not self._led
            self._led = True

    def _lead(self, own: _Job[Any]) -> None:
        """Commit batches until one's own request is done; then the next in the queue leads."""
        try:
            while not own.done:
                self._commit(self._next_batch())
        finally:
            with self._gate:
                self._led = bool(self._queue)
                if self._queue:
                    self._queue[0].leads = True
                    self._queue[0].wake.set()

    def _next_batch(self) -> list[_Job[Any]]:
        with self._gate:
            size = 0
            for job in self._queue[:LARGEST_BATCH]:
                if job.alone and size:
                    break
                size += 1
                if job.alone:
                    break
            batch, self._queue = self._queue[:size], self._queue[size:]
        return batch

    def _commit(self, batch: list[_Job[Any]]) -> None:
        try:
            self._transaction(batch)
        except IntegrityError as error:
            if len(batch) == 1:
                batch[0].fail(Conflict(f"the database refuses it: {_first_line(error)}"))
                return
            # One of several was refused by the database itself: each gets a transaction of its own.
            for job in batch:
                self._commit([job])
        except (CardroomError, DBAPIError) as error:
            for job in batch:
                job.fail(explained(error) if isinstance(error, DBAPIError) else error)
        except BaseException as error:
            for job in batch:
                job.fail(error)
            raise

    def _transaction(self, batch: list[_Job[Any]]) -> None:
        for job in batch:
            job.error, job.answers = None, []
        if self._lock:
            unit: Unit | None = None
            try:
                with self.engine.begin() as connection:
                    if not self.is_sqlite:
                        lock = {"lock": _WRITER_LOCK}
                        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), lock)
                    unit = self._run(connection, batch)
                    unit.write(connection)
                    self._reach("commit")
            except DBAPIError as error:
                # The answer to a commit can be lost when the commit was not: the log itself says.
                if isinstance(error, IntegrityError) or unit is None or not self._is_in_log(unit):
                    raise
            self._known.keep(unit.head.hash, unit.moved)
            self._reach("committed")
            self._tell(unit.records)
        else:
            # The twin without the lock: it looks first and writes later. Only tests open a database so.
            with self._reader.connect() as connection:
                unit = self._run(connection, batch)
            self._reach("looked")
            with self.engine.begin() as connection:
                unit.write(connection)
            self._reach("committed")
        for job in batch:
            job.finish()

    def _is_in_log(self, unit: Unit) -> bool:
        """Whether the records of a transaction are in the log, after its commit ended with an error."""
        if not unit.records:
            return False
        last = unit.records[-1]
        for _ in range(_QUESTIONS_AFTER_A_LOST_ANSWER):
            try:
                with self.engine.connect() as connection:
                    statement = select(log.c.hash).where(log.c.seq == last.seq)
                    return connection.execute(statement).scalar() == last.hash
            except DBAPIError:
                time.sleep(_SECONDS_BETWEEN_QUESTIONS)
        raise DatabaseTrouble(
            "the database does not say whether it was done; look in the log before you try again"
        )

    def _tell(self, records: Sequence[LogRecord]) -> None:
        if self._follower is not None and records:
            self._followed = records[-1].seq
            self._follower(records)

    def _run(self, connection: Connection, batch: list[_Job[Any]]) -> Unit:
        unit = Unit(connection, self.clock.now(), self._known if self._lock else None)
        if self._follower is not None and unit.head.seq > self._followed:
            self._tell(list(read_log(connection, after=self._followed)))
        unit.expect([job.key for job in batch if job.key is not None])
        for job in batch:
            mark = unit.mark()
            try:
                job.answers = [job.run(unit)]
            except CardroomError as refusal:
                if job.alone:
                    raise
                unit.back_to(mark)
                job.error = refusal
        return unit


def _engines(url: str, synchronous: str) -> tuple[Engine, Engine]:
    """The writer's engine and the readers'."""
    try:
        parsed = make_url(url)
        if parsed.drivername in ("postgresql", "postgres"):
            parsed = parsed.set(drivername="postgresql+psycopg")
        if parsed.get_backend_name() == "postgresql":
            writer = create_engine(parsed, pool_size=1, max_overflow=0, pool_pre_ping=True)
            reader = create_engine(
                parsed, pool_size=_READERS, isolation_level="REPEATABLE READ", pool_pre_ping=True
            )
            return writer, reader
        if parsed.get_backend_name() != "sqlite":
            raise MalformedInput(f"a database is sqlite:///FILE or postgresql://…, not {parsed.drivername}")
        if not parsed.database or parsed.database == ":memory:":
            raise MalformedInput("a database of a service is a file: write sqlite:///FILE")
        options = {"check_same_thread": False, "timeout": _BUSY_SECONDS}
        writer = create_engine(parsed, poolclass=QueuePool, pool_size=1, max_overflow=0, connect_args=options)
        # Kept open: a new connection reads the whole schema first, six times the work of a usual question.
        reader = create_engine(
            parsed, poolclass=QueuePool, pool_size=_READERS, max_overflow=-1, connect_args=options
        )
    except (ArgumentError, NoSuchModuleError, ModuleNotFoundError) as error:
        raise MalformedInput(f"{url!r} is not the address of a database: {error}") from None
    event.listen(writer, "connect", _sqlite_setup(f"PRAGMA synchronous={synchronous}"))
    event.listen(reader, "connect", _sqlite_setup("PRAGMA query_only=ON"))
    event.listen(writer, "begin", lambda connection: connection.exec_driver_sql("BEGIN IMMEDIATE"))
    event.listen(reader, "begin", lambda connection: connection.exec_driver_sql("BEGIN"))
    return writer, reader


def _sqlite_setup(own: str) -> Callable[[sqlite3.Connection, object], None]:
    def setup(connection: sqlite3.Connection, _record: object) -> None:
        connection.isolation_level = None  # BEGIN and COMMIT are ours, not the driver's
        for pragma in ("PRAGMA journal_mode=WAL", "PRAGMA foreign_keys=ON", own):
            connection.execute(pragma)

    return setup


def _first_line(error: DBAPIError) -> str:
    return str(error.orig).splitlines()[0] if error.orig is not None else str(error).splitlines()[0]


def explained(error: DBAPIError) -> Unavailable:
    """An error of the database in one line."""
    reason = _first_line(error)
    return DatabaseTrouble(f"the database could not do it ({reason}); nothing was done")
