"""One server at a time on a database: a lock that ends with the process that holds it, however it ends."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from sqlalchemy import NullPool, create_engine, make_url, text

from cardroom.core.errors import Unavailable

_SERVER_LOCK: Final = 0x4B4F3233
_SQLITE: Final = "sqlite:///"
_TAKEN: Final = (
    "another server is running on this database; stop it first, or give this one a database of its own"
)


@contextmanager
def only_server(url: str) -> Iterator[None]:
    """Be the only server on a database for as long as the block lasts; refused where there is one already."""
    if url.startswith(_SQLITE):
        with _file_locked(Path(f"{url.removeprefix(_SQLITE)}.server")):
            yield
    else:
        with _database_locked(url):
            yield


@contextmanager
def _file_locked(path: Path) -> Iterator[None]:
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Unavailable(_TAKEN) from None
        yield
    finally:
        os.close(descriptor)


@contextmanager
def _database_locked(url: str) -> Iterator[None]:
    parsed = make_url(url)
    if parsed.drivername in ("postgresql", "postgres"):
        parsed = parsed.set(drivername="postgresql+psycopg")
    engine = create_engine(parsed, poolclass=NullPool, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        if not connection.execute(
            text("SELECT pg_try_advisory_lock(:lock)"), {"lock": _SERVER_LOCK}
        ).scalar():
            raise Unavailable(_TAKEN)
        yield
