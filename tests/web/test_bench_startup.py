"""The houses that the measurement of start-ups opens: they live by today's law."""

from __future__ import annotations

from pathlib import Path

from bench.startup import fill
from cardroom.lottery.clock import SystemClock
from cardroom.store.log import check_chain
from cardroom.store.lottery import records
from cardroom.store.migrate import open_database


def test_a_house_with_a_past_is_made(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'past.sqlite3'}"
    assert fill(database, 300) >= 300
    opened = open_database(database, SystemClock())
    try:
        with opened.read() as connection:
            assert list(check_chain(records(connection))) == []
    finally:
        opened.close()
