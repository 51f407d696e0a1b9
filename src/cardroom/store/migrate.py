"""Opening a database: its tables are brought to the newest form first, whatever version it has."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from sqlalchemy import Connection, inspect, text

from cardroom.store.database import Clock, Database, Probe

NEWEST: Final = "0004"
"""The revision that this program works with; a test holds it against the migrations."""

_MIGRATION_LOCK: Final = 0x4B4F3232


def open_database(url: str, clock: Clock, *, probe: Probe | None = None) -> Database:
    """Open a database, and create or upgrade its tables where needed."""
    if url.startswith("sqlite:///"):
        Path(url.removeprefix("sqlite:///")).parent.mkdir(parents=True, exist_ok=True)
    database = Database(url, clock)
    with database.engine.begin() as connection:
        if not database.is_sqlite:
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _MIGRATION_LOCK})
        if _revision(connection) != NEWEST:
            _upgrade(connection)
    database.probe = probe
    return database


def _revision(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return found


def _upgrade(connection: Connection) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
