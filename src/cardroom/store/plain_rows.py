"""The lottery's rows as plain data: held against what the log says they must be, and made anew from it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import Connection, Select, Table, delete, select, update

from cardroom.store.migrate import drop_triggers, write_triggers
from cardroom.store.schema import claims, draws, prizes, rules, settings, tickets
from cardroom.store.unit import Unit

PROJECTIONS = (draws, tickets, prizes, claims, settings)
"""The tables that the log must be able to give back, each after those that it refers to."""
Plain = dict[Any, dict[str, Any]]
"""Rows as the database has them, by their key."""


def snapshot(connection: Connection) -> Mapping[str, Plain]:
    """All rows that the log must be able to give back, by table."""
    return {table.name: _plain_rows(connection, table, select(table)) for table in PROJECTIONS}


def plain_draw(connection: Connection, number: int) -> Plain:
    """A draw's row as the database has it."""
    return _plain_rows(connection, draws, select(draws).where(draws.c.number == number))


def plain_tickets(connection: Connection, draw: int) -> Plain:
    """The rows of a draw's tickets as the database has them."""
    return _plain_rows(connection, tickets, select(tickets).where(tickets.c.draw == draw))


def kept_rules(connection: Connection, hashes: Iterable[str]) -> Plain:
    """The texts of some rules as the database has them."""
    return _plain_rows(connection, rules, select(rules).where(rules.c.hash.in_(list(hashes))))


def _plain_rows(connection: Connection, table: Table, statement: Select[Any]) -> Plain:
    (key,) = table.primary_key
    return {row[key.name]: dict(row) for row in connection.execute(statement).mappings()}


def rebuild(unit: Unit, expected: Mapping[str, Plain]) -> None:
    """Make rows what they must be, inside the transaction, past the triggers that forbid it to all others."""
    connection = unit.connection
    drop_triggers(connection)
    for table in reversed(PROJECTIONS):
        (key,) = table.primary_key
        for number in [*_plain_rows(connection, table, select(table))]:
            if number not in expected[table.name]:
                connection.execute(delete(table).where(key == number))
    for table in (rules, *PROJECTIONS):
        (key,) = table.primary_key
        found_rows = _plain_rows(connection, table, select(table))
        for name, row in expected[table.name].items():
            if name not in found_rows:
                connection.execute(table.insert(), row)
            elif any(found_rows[name][column] != value for column, value in row.items()):
                connection.execute(update(table).where(key == name).values(**row))
    write_triggers(connection)
