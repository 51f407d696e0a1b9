"""The event log: any change to it is found and named, and the database itself refuses to change it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from cardroom.core.errors import MalformedInput
from cardroom.records.house import LoggedOut
from cardroom.store.log import GENESIS, LogHead, LogRecord, chained, check_chain, parse_time, time_text
from cardroom.store.lottery import head, records
from cardroom.store.migrate import open_database
from cardroom.store.unit import Unit
from tests.databases import HandClock


def log_of(length: int) -> list[LogRecord]:
    found: list[LogRecord] = []
    for seq in range(1, length + 1):
        previous = found[-1].hash if found else GENESIS
        at = f"2025-06-14T18:21:0{seq}.000000Z"
        found.append(chained(previous, seq, at, "TicketsSold", f'{{"ticket":{seq}}}'))
    return found


def faults(log: list[LogRecord], *heads: LogHead) -> list[int]:
    return [fault.seq for fault in check_chain(log, heads)]


def test_a_log_in_order_has_no_faults() -> None:
    log = log_of(5)
    assert faults(log, LogHead(3, log[2].hash)) == []


@pytest.mark.requirement("R-51")
@pytest.mark.parametrize("name", ["at", "kind", "body", "hash"])
def test_a_changed_record_is_named(name: str) -> None:
    log = log_of(5)
    values = {field: getattr(log[2], field) for field in ("seq", "at", "kind", "body", "hash")}
    log[2] = LogRecord(**{**values, name: values[name] + "x"})
    assert faults(log)[0] == 3


@pytest.mark.requirement("R-51")
def test_a_deleted_inserted_or_moved_record_is_named() -> None:
    log = log_of(5)
    assert faults(log[:2] + log[3:])[0] == 4  # record 3 is missing before it
    assert "record 3 is missing" in str(next(check_chain(log[:2] + log[3:])))
    forged = chained(log[1].hash, 3, log[1].at, "TicketsSold", "{}")
    assert faults([*log[:2], forged, *log[2:]])[0] == 3
    assert faults([log[0], log[2], log[1], log[3]])[0] == 3


@pytest.mark.requirement("R-51", "R-52")
def test_only_a_head_from_outside_shows_that_the_tail_was_cut_off() -> None:
    log = log_of(5)
    assert faults(log[:4]) == []
    assert faults(log[:4], LogHead(5, log[4].hash)) == [5]


@pytest.mark.requirement("R-52")
def test_a_log_written_anew_does_not_fit_a_head_from_outside() -> None:
    log = log_of(3)
    anew = [chained(GENESIS, 1, log[0].at, "TicketsSold", '{"ticket":7}')]
    assert faults(anew) == []
    assert faults(anew, LogHead(1, log[0].hash)) == [1]


def test_time_never_runs_back_in_the_log() -> None:
    first = chained(GENESIS, 1, "2025-06-14T18:21:05.000000Z", "X", "{}")
    second = chained(first.hash, 2, "2025-06-14T18:21:04.000000Z", "X", "{}")
    assert faults([first, second]) == [2]


def test_texts_parse_back() -> None:
    moment = datetime(2025, 6, 14, 18, 21, 0, 5, tzinfo=UTC)
    assert parse_time(time_text(moment)) == moment
    assert LogHead.parse(str(LogHead(7, "a" * 64))) == LogHead(7, "a" * 64)
    with pytest.raises(MalformedInput, match="SEQ:HASH"):
        LogHead.parse("7")


@pytest.mark.requirement("R-51")
@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE log SET body = '{}'",
        "DELETE FROM log",
        "UPDATE transfers SET amount_cents = 1",
        "DELETE FROM balances",
        "DELETE FROM requests",
    ],
)
def test_the_database_refuses_to_change_what_is_written(database_url: str, statement: str) -> None:
    from cardroom.store.ledger import PLAYERS, Transfer

    with open_database(database_url, HandClock()) as database:

        def write(unit: Unit) -> None:
            unit.record(LoggedOut(name="Ann"), [Transfer(PLAYERS, "draw:1:sales", 500)])
            unit.answer("key", "digest", {})

        database.write(write)
        with pytest.raises(IntegrityError, match="append-only"), database.engine.begin() as connection:
            connection.execute(text(statement))


@pytest.mark.requirement("R-51")
def test_a_byte_flipped_in_the_file_is_named(database_url: str) -> None:
    """Somebody with the database in hand, past its triggers, changes one record."""
    with open_database(database_url, HandClock()) as database:
        for _ in range(4):
            database.write(lambda unit: unit.record(LoggedOut(name=f"Ann {unit.head.seq}")))
        with database.engine.begin() as connection:
            past_the_triggers(connection.exec_driver_sql, is_sqlite=database.is_sqlite)
            connection.exec_driver_sql("UPDATE log SET body = '{\"ticket\":9}' WHERE seq = 3")
        with database.read() as connection:
            assert [fault.seq for fault in check_chain(records(connection))] == [3]
            assert head(connection).seq == 4


def past_the_triggers(run: Callable[[str], object], *, is_sqlite: bool) -> None:
    """Take the triggers of the database away for what follows, as only its owner can."""
    if not is_sqlite:
        run("SET LOCAL session_replication_role = replica")
        return
    from cardroom.store.triggers import sqlite_triggers

    for statement in sqlite_triggers():
        run(f"DROP TRIGGER {statement.split()[2]}")
