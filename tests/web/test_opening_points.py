"""A house that was ever open can always be opened again: stopped at every point of its opening itself.

The first start, a start in the middle of rounds, the start on a restored back-up, and a repair: the machine
stops at each statement, before each COMMIT and after it, and each COMMIT ends with an error of the line, done
or not. Then the house is opened, and what players own is what they owned. `CARDROOM_WRITE_POINTS=all` (`make
write-points`) tries every point on both databases; without it, one in three and the two sides of each commit.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from cardroom.core.errors import CardroomError
from cardroom.lottery.replay import state_faults
from cardroom.store.backup import restore_backup, write_backup
from cardroom.store.database import Database
from cardroom.store.ledger import all_balances, ledger_faults
from cardroom.store.log import check_chain
from cardroom.store.lottery import records
from cardroom.store.migrate import open_database
from cardroom.web.house import House
from cardroom.web.repairing import Repair
from cardroom.web.settings import Settings
from tests.databases import HandClock, Postgres, Snapshot, sqlite_copy
from tests.web.stage import MachineStopsError
from tests.web.test_backup import commitments, evening
from tests.web.test_impossible_records import (
    BOTH,
    appoint_two,
    card_again,
    stake_at_linden,
    stake_at_willow,
    write_past_the_house,
)
from tests.web.write_points import COMMITTED
from tools.golden_evening import ANN, BEGINS, BOB, settings_of

ALL = os.environ.get("CARDROOM_WRITE_POINTS") == "all"
LATER = BEGINS + timedelta(hours=30)
DOCS = Path(__file__).resolve().parents[2] / "docs" / "security.md"


def settings(url: str, folder: Path) -> Settings:
    return replace(settings_of(url), repeatable=None, mark=folder / "mark")


def opened(url: str, folder: Path) -> None:
    """Open the house, and let it go as a killed one does."""
    House(settings(url, folder), clock=HandClock(LATER)).database.close()


def repaired(url: str, folder: Path) -> None:
    with open_database(url, HandClock(LATER)) as database:
        repair = Repair(database, settings(url, folder))
        if repair.memory.broken:
            repair.clear(list(repair.memory.broken), BOTH, "a test")
    opened(url, folder)


def nothing(_url: str, _folder: Path, _fresh: Callable[[], str]) -> str | None:
    return None


def rounds_in_play(url: str, folder: Path, _fresh: Callable[[], str]) -> str | None:
    with evening(url, folder) as found:
        stake_at_linden(found)
        stake_at_willow(found)
    return None


def restored(url: str, folder: Path, fresh: Callable[[], str]) -> str | None:
    file = folder / "house.backup"
    with evening(url, folder) as found:
        commitments(found)
        stake_at_linden(found)
        stake_at_willow(found)
        write_backup(found.house.database, file, found.clock.now())
    target = fresh()
    restore_backup(file, target, HandClock(BEGINS))
    return target


def broken(url: str, folder: Path, _fresh: Callable[[], str]) -> str | None:
    with evening(url, folder) as found:
        appoint_two(found)
        stake_at_linden(found)
        willow = stake_at_willow(found)
        write_past_the_house(url, card_again(willow))
    return None


@dataclass(frozen=True, slots=True)
class Opening:
    """A way in which a house comes to be open: what it finds, and what is done."""

    name: str
    prepare: Callable[[str, Path, Callable[[], str]], str | None]
    act: Callable[[str, Path], None] = opened


OPENINGS = [
    Opening("the first start", nothing),
    Opening("a start in the middle of rounds", rounds_in_play),
    Opening("a start on a restored back-up", restored),
    Opening("a repair", broken, repaired),
]


@contextmanager
def probed(monkeypatch: pytest.MonkeyPatch, touch: Callable[[Database], None]) -> Iterator[None]:
    """Every database that is opened meanwhile is touched, and closed in the end."""
    found: list[Database] = []

    def reached(database: Database) -> Database:
        touch(database)
        found.append(database)
        return database

    with monkeypatch.context() as patch:
        for place in ("cardroom.store.migrate.open_database", f"{__name__}.open_database"):
            patch.setattr(place, lambda *args, **options: reached(open_database_as_it_is(*args, **options)))
        yield
    for database in found:
        database.probe = None
        database.close()


open_database_as_it_is = open_database


def points_of(act: Callable[[], None], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    points: list[str] = []

    def touch(database: Database) -> None:
        database.probe = points.append

    with probed(monkeypatch, touch):
        act()
    return points


def stopped(act: Callable[[], None], monkeypatch: pytest.MonkeyPatch, point: int) -> None:
    """The machine stops at a point: nothing is done after it."""
    reached = 0

    def stop(_what: str) -> None:
        nonlocal reached
        reached += 1
        if reached > point:
            raise MachineStopsError

    def touch(database: Database) -> None:
        database.probe = stop

    with probed(monkeypatch, touch), pytest.raises(MachineStopsError):
        act()


def commit_lost(act: Callable[[], None], monkeypatch: pytest.MonkeyPatch, number: int, *, done: bool) -> None:
    """A COMMIT ends with an error of the line; the house may open all the same, or say that it cannot."""
    count = 0

    def touch(database: Database) -> None:
        dialect: Any = database.engine.dialect
        whole = dialect.do_commit

        def commit(connection: Any) -> None:
            nonlocal count
            count += 1
            if count - 1 != number:
                whole(connection)
                return
            if done:
                whole(connection)
            raise dialect.loaded_dbapi.OperationalError("the line to the database broke")

        dialect.do_commit = commit

    with probed(monkeypatch, touch), suppress(CardroomError):
        act()


def owned(url: str) -> dict[str, int]:
    """What players own, their open stakes with it: the check of balances."""
    with open_database_as_it_is(url, HandClock(LATER)) as database, database.read() as connection:
        found = all_balances(connection)
        assert sum(found.values()) == 0
        faults = [str(fault) for fault in check_chain(records(connection))]
        assert [*faults, *ledger_faults(connection), *state_faults(connection)] == []
    return {account: cents for account, cents in found.items() if account.startswith(("player:", "play:"))}


def seen(url: str, folder: Path) -> None:
    """The house opens, every table is there, and a player's page shows what the ledger has."""
    house = House(settings(url, folder), clock=HandClock(LATER))
    try:
        assert (house.memory.broken, house.memory.oddities) == ({}, [])
        books = owned(url)
        for player in (ANN, BOB):
            assert house.player(player).balance_cents == books.get(f"player:{player}", 0)
        assert all(table.first_plan() is None for table in house.memory.tables.values())
    finally:
        house.database.close()


@pytest.mark.requirement("R-15", "R-44", "R-48")
@pytest.mark.parametrize("opening", OPENINGS, ids=lambda opening: opening.name)
def test_opened_again_after_a_stop_at_every_point(
    opening: Opening,
    database_url: str,
    request: pytest.FixtureRequest,
    sqlite_template: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    is_sqlite = database_url.startswith("sqlite")

    def fresh() -> str:
        if is_sqlite:
            (tmp_path / "fresh").mkdir()
            return sqlite_copy(sqlite_template, tmp_path / "fresh")
        postgres: Postgres = request.getfixturevalue("postgres")
        return postgres.new()

    url = opening.prepare(database_url, tmp_path, fresh) or database_url
    snapshot, mark = Snapshot(url), tmp_path / "mark"
    kept = mark.read_bytes() if mark.exists() else None

    def back() -> None:
        snapshot.restore()
        mark.unlink(missing_ok=True)
        if kept is not None:
            mark.write_bytes(kept)

    def act() -> None:
        opening.act(url, tmp_path)

    points = points_of(act, monkeypatch)
    reference = owned(url)
    ends = [place for place, point in enumerate(points) if point == COMMITTED]
    chosen = {place - more for place in ends for more in (1, 0)}
    if ALL or is_sqlite:  # on PostgreSQL, where a new start takes longer, the two sides of each commit
        chosen |= {*range(0, len(points), 1 if ALL else 3)}
    for point in sorted(chosen):
        back()
        stopped(act, monkeypatch, point)
        act()
        seen(url, tmp_path)
        assert owned(url) == reference, f"{opening.name}, stopped at {points[point]} ({point})"
    lost = 0
    for number in range(len(ends)):
        for done in (True, False):
            back()
            commit_lost(act, monkeypatch, number, done=done)
            act()
            seen(url, tmp_path)
            assert owned(url) == reference, f"{opening.name}, COMMIT {number + 1} lost"
            lost += 1
    print(f"{opening.name}: {len(ends)} commits, {len(points)} points, {len(chosen)} stops, {lost} lost")
    if is_sqlite:
        line = f"| {opening.name} | {len(ends)} | {len(points)} |"
        assert line in DOCS.read_text("utf-8"), f"docs/security.md should say {line}"


def test_the_document_names_every_opening_and_adds_up() -> None:
    text = DOCS.read_text("utf-8")
    table = [re.search(rf"^\| {one.name} \| (\d+) \| (\d+) \|$", text, re.MULTILINE) for one in OPENINGS]
    commits, points = (sum(int(row[column]) for row in table if row is not None) for column in (1, 2))
    tried = f"{points} and {2 * commits}"
    assert f"| {len(OPENINGS)} openings, below | {tried} | {tried} |" in text
