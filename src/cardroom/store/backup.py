"""Back-ups: one moment of a database in a file of our own, for either kind of database.

The file is gzip-compressed text, a line of canonical JSON each: first a header (format, revision of the
tables, head of the log, the tables and their columns), then every row as `[table, values]`, at last the
number of rows and the SHA-256 of all lines before it. All rows are read in one transaction that sees one
moment, so a server may go on meanwhile. A restore goes into an empty database, in one transaction, or not
at all.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, MetaData, Table, delete, insert, inspect, select
from sqlalchemy.exc import DBAPIError

from cardroom.core.errors import Conflict, MalformedInput, Unavailable
from cardroom.records import canonical
from cardroom.store.archives import sealed_head
from cardroom.store.database import Clock, Database, explained
from cardroom.store.ledger import ledger_faults
from cardroom.store.log import LogHead, LogRecord, check_chain, time_text
from cardroom.store.mark import RESTORED, head_of
from cardroom.store.migrate import NEWEST, drop_triggers, revision_of, upgrade
from cardroom.store.schema import log, metadata, settings

FORMAT: Final = "cardroom backup 1"
_PRIVATE: Final = 0o600
_ROWS_AT_ONCE: Final = 500
_LEVEL: Final = 6


@dataclass(frozen=True, slots=True)
class Backup:
    """What a back-up holds."""

    path: Path
    head: LogHead
    revision: str
    made_at: str
    rows: int
    archives: tuple[str, ...]
    """The files of archives without which the log is not whole; they are not in the back-up."""


class _Lines:
    """Lines of a back-up, counted and hashed as they are written or read."""

    def __init__(self) -> None:
        self.rows = 0
        self._hash = hashlib.sha256()

    def take(self, line: bytes) -> bytes:
        self._hash.update(line)
        return line

    @property
    def hash(self) -> str:
        return self._hash.hexdigest()


def write_backup(database: Database, path: Path, now: datetime) -> Backup:
    """Write a database as it is at this moment; a file that is there is never overwritten."""
    if path.exists():
        raise Conflict(f"{path} is there already; a back-up never overwrites a file")
    draft = path.with_name(f".{path.name}.draft")
    try:
        draft.unlink(missing_ok=True)
        with (
            os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _PRIVATE), "wb") as file,
            database.read() as connection,
        ):
            summary = _write(connection, file, path, now)
            file.flush()
            os.fsync(file.fileno())
        os.link(draft, path)  # fails where somebody else has just written one
    except FileExistsError:
        raise Conflict(f"{path} is there already; a back-up never overwrites a file") from None
    except OSError as error:
        raise Unavailable(f"cannot write {path}: {error.strerror}") from None
    finally:
        draft.unlink(missing_ok=True)
    return summary


def _write(connection: Connection, file: Any, path: Path, now: datetime) -> Backup:
    tables = list(metadata.sorted_tables)
    head, lines = head_of(connection), _Lines()
    archives = tuple(connection.execute(select(metadata.tables["archives"].c.file)).scalars())
    header = {
        "format": FORMAT,
        "revision": NEWEST,
        "head": str(head),
        "made_at": time_text(now),
        "archives": list(archives),
        "tables": [[table.name, [column.name for column in table.columns]] for table in tables],
    }
    with gzip.GzipFile("", "wb", _LEVEL, file, mtime=0) as out:
        out.write(lines.take(_line(header)))
        for table in tables:
            statement = select(table).order_by(*table.primary_key).execution_options(yield_per=_ROWS_AT_ONCE)
            for row in connection.execute(statement):
                lines.rows += 1
                out.write(lines.take(_line([table.name, list(row)])))
        out.write(_line({"rows": lines.rows, "hash": lines.hash}))
    return Backup(path, head, NEWEST, time_text(now), lines.rows, archives)


def _line(plain: object) -> bytes:
    return canonical(plain).encode() + b"\n"


def restore_backup(path: Path, url: str, clock: Clock) -> Backup:
    """Bring a back-up into an empty database of either kind; all of it, or nothing.

    The house opens on it only after it has retired every secret that was not told yet.
    """
    file = Path(url.removeprefix("sqlite:///")) if url.startswith("sqlite:///") else None
    is_new = file is not None and not file.exists()
    if file is not None:
        file.parent.mkdir(parents=True, exist_ok=True)
    try:
        with Database(url, clock) as database, database.engine.begin() as connection:
            return _restore(connection, path)
    except BaseException as error:
        if file is not None and is_new:
            for ending in ("", "-wal", "-shm", "-journal"):
                file.with_name(file.name + ending).unlink(missing_ok=True)
        if isinstance(error, DBAPIError):
            raise explained(error) from error
        raise


def _restore(connection: Connection, path: Path) -> Backup:
    _require_empty(connection)
    lines = _read(path)
    header = _header(path, next(lines, None))
    revision = str(header["revision"])
    if revision > NEWEST:
        raise Unavailable(f"{path} was made by a newer program; restore it with that one")
    if revision_of(connection) is None:
        upgrade(connection, revision)
    elif revision_of(connection) != revision:
        raise Conflict("the database has tables of another version; restore into one without any tables")
    drop_triggers(connection)
    rows = _insert(connection, dict(header["tables"]), lines)
    connection.execute(
        delete(settings).where(settings.c.name == RESTORED)
    )  # of a restore that was not opened
    connection.execute(insert(settings), {"name": RESTORED, "value": header["head"]})
    upgrade(connection, "head")
    head = head_of(connection)
    faults = _faults(connection)
    if str(head) != header["head"] or faults:
        raise Unavailable(f"{path} is not whole: {faults[0] if faults else 'its log has another head'}")
    return Backup(path, head, revision, header["made_at"], rows, tuple(header["archives"]))


def _require_empty(connection: Connection) -> None:
    here = inspect(connection).get_table_names()
    for name in here:
        if name == "alembic_version":
            continue
        table = Table(name, MetaData(), autoload_with=connection)
        if connection.execute(select(table).limit(1)).first() is not None:
            raise Conflict(
                f"the database is not empty (its table {name} has rows); a restore never overwrites: "
                "name an empty one with --database"
            )


def _insert(connection: Connection, columns: dict[str, list[str]], lines: Iterator[Any]) -> int:
    """Write all rows, as many at once as belong to one table."""
    tables = {name: Table(name, MetaData(), autoload_with=connection) for name in columns}
    waiting: list[dict[str, Any]] = []
    current, count = "", 0
    for line in lines:
        name, values = _row(line, columns)
        if (name != current or len(waiting) >= _ROWS_AT_ONCE) and waiting:
            connection.execute(insert(tables[current]), waiting)
            waiting = []
        current = name
        waiting.append(dict(zip(columns[name], values, strict=True)))
        count += 1
    if waiting:
        connection.execute(insert(tables[current]), waiting)
    return count


def _row(line: Any, columns: dict[str, list[str]]) -> tuple[str, list[Any]]:
    """The table and the values of a line; refused where there is no such table, or it has other columns."""
    match line:
        case [str(name), [*values]] if name in columns and len(values) == len(columns[name]):
            return name, values
        case _:
            raise MalformedInput("the back-up holds a row that fits none of its tables")


def _faults(connection: Connection) -> list[str]:
    start = sealed_head(connection)
    statement = select(log).where(log.c.seq > start.seq).order_by(log.c.seq)
    records = (
        LogRecord(int(row.seq), row.at, row.kind, row.body, row.hash) for row in connection.execute(statement)
    )
    return [*(str(fault) for fault in check_chain(records, start=start)), *ledger_faults(connection)]


def _header(path: Path, plain: Any) -> dict[str, Any]:
    if not isinstance(plain, dict) or plain.get("format") != FORMAT:
        raise MalformedInput(f"{path} is no back-up of a card room")
    return plain


def _read(path: Path) -> Iterator[Any]:
    """The header and the rows of a back-up; refused where its end is missing or a line was changed."""
    lines, last = _Lines(), b""
    try:
        with gzip.open(path, "rb") as file:
            for line in file:
                if last:
                    yield json.loads(lines.take(last))
                    lines.rows += 1
                last = line
            end = json.loads(last) if last else None
    except (OSError, EOFError, zlib.error, ValueError, RecursionError) as error:
        raise MalformedInput(f"cannot read the back-up {path}: {error}") from None
    if end != {"rows": lines.rows - 1, "hash": lines.hash}:
        raise MalformedInput(f"the back-up {path} was changed, or its end is missing")
