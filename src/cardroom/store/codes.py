"""Codes that change with time are good once, in whatever process they are used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import delete, insert, select

from cardroom.store.schema import used_codes

if TYPE_CHECKING:
    from cardroom.store.database import Database
    from cardroom.store.unit import Unit


def last_step(database: Database, name: str) -> int:
    """The step of the last code that somebody used; -1 where they used none."""
    with database.read() as connection:
        step = connection.execute(select(used_codes.c.step).where(used_codes.c.name == name)).scalar()
    return -1 if step is None else int(step)


def use_code(database: Database, name: str, step: int) -> bool:
    """Use the code of a step; False where it, or a later one, was used before."""

    def run(unit: Unit) -> bool:
        last = unit.connection.execute(select(used_codes.c.step).where(used_codes.c.name == name)).scalar()
        if last is not None and int(last) >= step:
            return False
        unit.connection.execute(delete(used_codes).where(used_codes.c.name == name))
        unit.connection.execute(insert(used_codes), {"name": name, "step": step})
        return True

    return database.write(run, alone=True)
