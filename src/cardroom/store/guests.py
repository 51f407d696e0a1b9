"""What guests wish before their first chips, outside the log: bounded in number and in age."""

from __future__ import annotations

import json
from datetime import datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, delete, func, insert, select

from cardroom.records import canonical
from cardroom.store.log import time_text
from cardroom.store.schema import guests

if TYPE_CHECKING:
    from cardroom.store.unit import Unit


def wishes_of(connection: Connection, guest: str) -> list[dict[str, Any]]:
    """A guest's wishes, as they were kept."""
    text = connection.execute(select(guests.c.wishes).where(guests.c.id == guest)).scalar()
    wishes: list[dict[str, Any]] = [] if text is None else json.loads(text)
    return wishes


def keep_wishes(
    unit: Unit, guest: str, wishes: list[dict[str, Any]], *, until: datetime, most_guests: int
) -> None:
    """Keep a guest's wishes until a moment; whose time is over goes, and where there are too many, whose
    time is over first."""
    connection = unit.connection
    connection.execute(delete(guests).where((guests.c.id == guest) | (guests.c.until < time_text(unit.now))))
    beyond = connection.execute(select(func.count()).select_from(guests)).scalar_one() + 1 - most_guests
    if beyond > 0:
        first = select(guests.c.id).order_by(guests.c.until, guests.c.id).limit(beyond)
        connection.execute(delete(guests).where(guests.c.id.in_(first)))
    row = {"id": guest, "wishes": canonical(wishes), "until": time_text(until)}
    connection.execute(insert(guests), row)
