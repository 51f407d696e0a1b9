"""Opening a database: its tables are brought to the newest form first, whatever version it has."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, inspect, text
from sqlalchemy.exc import DBAPIError

from cardroom.store.database import Clock, Database, Probe, explained
from cardroom.store.triggers import triggers_of

NEWEST: Final = "0011"
"""The revision that this program works with; a test holds it against the migrations."""

ARCHIVES_VARIABLE: Final = "CARDROOM_ARCHIVES"
"""The variable of the environment that names the folder of archives."""
_MIGRATION_LOCK: Final = 0x4B4F3232


def open_database(
    url: str, clock: Clock, *, probe: Probe | None = None, archives: Path | None = None
) -> Database:
    """Open a database, and create or upgrade its tables where needed.

    `archives` is a folder in which archive files are looked for before the place where they were written.
    """
    if url.startswith("sqlite:///"):
        Path(url.removeprefix("sqlite:///")).parent.mkdir(parents=True, exist_ok=True)
    folder = archives or os.environ.get(ARCHIVES_VARIABLE)
    database = Database(url, clock, archives=Path(folder) if folder else None)
    try:
        with database.engine.begin() as connection:
            if not database.is_sqlite:
                connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _MIGRATION_LOCK})
            if revision_of(connection) != NEWEST:
                upgrade(connection, "head")
    except DBAPIError as error:
        database.close()
        raise explained(error) from error
    database.probe = probe
    return database


def revision_of(connection: Connection) -> str | None:
    """The revision of a database's tables; None where it has none."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    revision: str | None = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return revision


def upgrade(connection: Connection, revision: str) -> None:
    """Bring the tables to a revision, and the triggers to those of today where it is the newest."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    config.attributes["connection"] = connection
    command.upgrade(config, revision)
    if revision in ("head", NEWEST):
        write_triggers(connection)


def write_triggers(connection: Connection) -> None:
    """Put the triggers of today in the place of those that the database had."""
    drop_triggers(connection)
    for statement in triggers_of(connection.dialect.name):
        connection.exec_driver_sql(statement)


def drop_triggers(connection: Connection) -> None:
    """Take the triggers away, inside a transaction that puts those of today in their place."""
    if connection.dialect.name == "sqlite":
        query = "SELECT 'TRIGGER ' || name FROM sqlite_master WHERE type = 'trigger'"
    else:
        # Up to 0.2.0 their names began with law_ and not with trigger_.
        query = (
            "SELECT 'FUNCTION ' || proname || '() CASCADE' FROM pg_proc "
            "WHERE pronamespace = current_schema()::regnamespace AND proname ~ '^(trigger|keep|law)_'"
        )
    for trigger in connection.exec_driver_sql(query).scalars().all():
        connection.exec_driver_sql(f"DROP {trigger}")
