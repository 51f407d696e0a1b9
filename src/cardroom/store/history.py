"""What a database has behind it, looked at without changing anything in it."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Final, get_args

from sqlalchemy import Connection, inspect, select
from sqlalchemy.exc import DBAPIError

from cardroom.records import TableOpened
from cardroom.records.house import HouseFounded, SecondFactorSet
from cardroom.store.database import Database, explained
from cardroom.store.schema import archives, log

_SQLITE: Final = "sqlite:///"
_WITH_A_KEY: Final = (
    HouseFounded.__name__,
    SecondFactorSet.__name__,
    *(kind.__name__ for kind in get_args(TableOpened)),
)
"""Records that are written only where there is a key."""


class _NoClock:
    """Nothing is written here, so nobody asks for the time."""

    def now(self) -> datetime:
        raise AssertionError("a database that is only looked at needs no time")


def was_served(url: str) -> bool:
    """Whether a server has been open on a database: it had a key, and the log has secrets under it."""
    if url.startswith(_SQLITE) and not Path(url.removeprefix(_SQLITE)).exists():
        return False
    with Database(url, _NoClock()) as database:
        try:
            with database.read() as connection:
                return was_served_by(connection)
        except DBAPIError as error:
            raise explained(error) from error


def was_served_by(connection: Connection) -> bool:
    """Whether a server has been open on the database of a connection."""
    inspector = inspect(connection)
    if not inspector.has_table(log.name):
        return False
    if (
        inspector.has_table(archives.name)
        and connection.execute(select(archives.c.number)).first() is not None
    ):
        return True
    statement = select(log.c.seq).where(log.c.kind.in_(_WITH_A_KEY)).limit(1)
    return connection.execute(statement).first() is not None
