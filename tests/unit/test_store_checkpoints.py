"""Checkpoints hold parts by name, and one that is damaged or not of this log is not taken for good."""

from __future__ import annotations

import pytest

from cardroom.records.house import LoggedOut
from cardroom.store.checkpoints import Checkpoints, DamagedCheckpoint
from cardroom.store.log import LogHead
from cardroom.store.lottery import head
from cardroom.store.migrate import open_database
from tests.databases import HandClock


def test_parts_are_kept_changed_and_taken_away(database_url: str) -> None:
    with open_database(database_url, HandClock()) as database:
        database.write(lambda unit: unit.record(LoggedOut(name="Ann")))
        with database.read() as connection:
            first = head(connection)
        checkpoints = Checkpoints(database, version=3)
        assert checkpoints.last() is None
        checkpoints.save(first, {"player:1": {"chips": 5}, "player:2": {"chips": 7}, "house": {"open": True}})
        database.write(lambda unit: unit.record(LoggedOut(name="Bob")))
        with database.read() as connection:
            second = head(connection)
        checkpoints.save(second, {"player:1": {"chips": 6}, "player:2": None})
        last = checkpoints.last()
        assert last is not None
        assert last.head == second
        assert checkpoints.part("player:1") == {"chips": 6}
        assert checkpoints.part("player:2") is None
        assert dict(checkpoints.parts("player:")) == {"player:1": {"chips": 6}}
        assert checkpoints.part("house") == {"open": True}
        checkpoints.discard()
        assert checkpoints.last() is None
        assert checkpoints.part("house") is None


def test_one_of_another_version_is_no_checkpoint(database_url: str) -> None:
    with open_database(database_url, HandClock()) as database:
        record = database.write(lambda unit: unit.record(LoggedOut(name="Ann")))
        Checkpoints(database, version=1).save(LogHead(record.seq, record.hash), {"house": {}})
        assert Checkpoints(database, version=1).last() is not None
        assert Checkpoints(database, version=2).last() is None


def test_one_of_another_log_is_no_checkpoint(database_url: str) -> None:
    with open_database(database_url, HandClock()) as database:
        database.write(lambda unit: unit.record(LoggedOut(name="Ann")))
        checkpoints = Checkpoints(database, version=1)
        checkpoints.save(LogHead(1, "f" * 64), {"house": {}})
        assert checkpoints.last() is None
        checkpoints.save(LogHead(9, "f" * 64), {"house": {}})
        assert checkpoints.last() is None


def test_a_damaged_part_is_named(database_url: str) -> None:
    with open_database(database_url, HandClock()) as database:
        record = database.write(lambda unit: unit.record(LoggedOut(name="Ann")))
        checkpoints = Checkpoints(database, version=1)
        checkpoints.save(LogHead(record.seq, record.hash), {"player:1": {"chips": 5}})
        with database.engine.begin() as connection:
            connection.exec_driver_sql("UPDATE parts SET body = '{\"chips\":500}'")
        with pytest.raises(DamagedCheckpoint, match="player:1"):
            checkpoints.part("player:1")
        with pytest.raises(DamagedCheckpoint, match="player:1"):
            list(checkpoints.parts("player:"))


def test_a_part_that_is_missing_makes_no_checkpoint(database_url: str) -> None:
    with open_database(database_url, HandClock()) as database:
        record = database.write(lambda unit: unit.record(LoggedOut(name="Ann")))
        head_now, checkpoints = LogHead(record.seq, record.hash), Checkpoints(database, version=1)
        checkpoints.save_part("control", {"alone": True})
        many = {f"player:{number}": {"chips": number} for number in range(1_200)}
        checkpoints.save(head_now, many)
        checkpoints.save(head_now, {**many, "player:7": None, "nobody": None, "house": {}})
        checkpoints.save_part("control", {"alone": True})
        checkpoints.save_part("other", {})
        assert checkpoints.last() is not None  # 1,202 are there, and all are known of
        with database.engine.begin() as connection:
            connection.exec_driver_sql("DELETE FROM parts WHERE name = 'player:8'")
        checkpoints.save(head_now, {"player:9": {"chips": 10}})
        assert checkpoints.last() is None
        assert checkpoints.why_not() == "1201 parts are there, and it was saved with 1202"
