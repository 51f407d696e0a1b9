"""Old records are sealed into archives: the log stays one, the books balance, and nothing is half done."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from cardroom.core.errors import Conflict, Unavailable
from cardroom.lottery.clock_care import put_clock_back
from cardroom.lottery.draws import void_draw
from cardroom.lottery.record import draw_record
from cardroom.lottery.reports import check_log
from cardroom.lottery.sales import reprint, tickets_of
from cardroom.lottery.scheduler import advance
from cardroom.lottery.verify import verify_draw
from cardroom.records.house import LoggedOut
from cardroom.store import lottery as rows
from cardroom.store import sealing
from cardroom.store.archive_check import check_against, check_archives
from cardroom.store.archive_file import DamagedArchive, MissingArchive, open_archive
from cardroom.store.archives import ArchiveRow, all_archives
from cardroom.store.checkpoints import Checkpoints
from cardroom.store.database import Database
from cardroom.store.ledger import PLAYERS, Transfer, all_balances, ledger_faults
from cardroom.store.log import LogRecord, check_chain
from cardroom.store.migrate import open_database
from cardroom.store.sealing import InUse, seal, sealing_limit
from cardroom.store.unit import read_log
from tests.databases import HandClock, Snapshot
from tests.lottery_house import House, open_house

NOTHING = InUse()


def write(
    database: Database, name: str, moves: list[Transfer] | None = None, about: tuple[str, ...] = ()
) -> None:
    database.write(lambda unit: unit.record(LoggedOut(name=name), moves or [], about))


def checkpoint(database: Database) -> None:
    with database.read() as connection:
        head = rows.head(connection)
    Checkpoints(database, 1).save(head, {"house": {}})


def sealed(
    database: Database, folder: Path, in_use: InUse = NOTHING, *, days: float = 0, last: int | None = None
) -> list[ArchiveRow]:
    """Seal all that may be sealed, but for the records of some days, or what comes after one."""
    before = database.clock.now() - timedelta(days=days) + timedelta(microseconds=1)
    with database.read() as connection:
        limit = sealing_limit(connection, before, Checkpoints(database, 1).last())
    if last is not None:
        limit = sealing.Limit(min(last, limit.seq), "the test says so")
    return list(seal(database, folder, limit, in_use))


def whole_log(database: Database) -> list[LogRecord]:
    with database.read() as connection:
        return list(rows.records(connection))


def live(database: Database) -> list[tuple[int, str]]:
    with database.engine.connect() as connection:
        found = connection.execute(text("SELECT seq, kind FROM log ORDER BY seq"))
        return [(int(seq), kind) for seq, kind in found]


def six_records(database: Database) -> None:
    """Six records with money: 500 come in, 200 of them go on, the rest goes out again, 70 come back."""
    write(database, "1", [Transfer(PLAYERS, "wallet:a", 500)], ("round:linden-1", "coach:ann:linden"))
    write(database, "2", [Transfer("wallet:a", "wallet:b", 200)], ("round:linden-2",))
    write(database, "3", [Transfer("wallet:a", PLAYERS, 300)], ("coach:ann:linden", "coach:bob:linden"))
    write(database, "4", [Transfer("wallet:b", "house:result", 50)], ("round:alder-1",))
    write(database, "5", [], ("coach:ann:linden",))
    write(database, "6", [Transfer(PLAYERS, "wallet:a", 70)])


@pytest.fixture
def six(database_url: str) -> Iterator[Database]:
    with open_database(database_url, HandClock()) as database:
        six_records(database)
        checkpoint(database)
        yield database


@pytest.mark.requirement("R-51")
def test_the_log_stays_one(six: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sealing, "LARGEST_ARCHIVE", 2)
    before = whole_log(six)
    written = sealed(six, tmp_path / "archives")
    assert [(row.number, row.start.seq + 1, row.end.seq) for row in written] == [
        (1, 1, 2),
        (2, 3, 4),
        (3, 5, 5),
    ]
    assert whole_log(six) == before
    with six.read() as connection:
        assert list(rows.records(connection, after=3)) == before[3:]
        assert list(rows.records(connection, kinds=["LoggedIn"])) == []
        assert [record.seq for record in read_log(connection, naming="wallet:b")] == [2, 4]
        assert list(read_log(connection, naming="wallet:b", or_kinds=["LoggedOut"])) == before
        assert list(check_chain(rows.records(connection))) == []
        assert all_archives(connection) == written
    write(six, "7")
    assert [record.seq for record in whole_log(six)] == [1, 2, 3, 4, 5, 6, 7]
    assert sealed(six, tmp_path / "archives") == []  # the checkpoint is where it was


def test_what_is_left_is_what_is_in_use(six: Database, tmp_path: Path) -> None:
    """By hand: 2 and 4 are heads of balances, 3 and 5 hold the newest books, 1 nobody needs."""
    sealed(six, tmp_path, InUse(names=["round:alder-1"], prefixes=["coach:"]))
    # Record 3: Bob's books. Record 4: named. Record 5: Ann's books, and the last. 2: no account ends there.
    assert live(six) == [(3, "LoggedOut"), (4, "LoggedOut"), (5, "LoggedOut"), (6, "LoggedOut")]
    with six.read() as connection:
        for name, seq in (("coach:ann:linden", 5), ("coach:bob:linden", 3), ("round:alder-1", 4)):
            found = rows.newest_about(connection, name)
            assert found is not None
            assert found.seq == seq
    write(six, "7", [], ("coach:bob:linden",))
    checkpoint(six)
    sealed(six, tmp_path)
    assert live(six) == [(4, ""), (6, ""), (7, "LoggedOut")]  # the balance of b, that of a and the last


def test_the_books_balance(six: Database, tmp_path: Path) -> None:
    with six.read() as connection:
        before = all_balances(connection)
    assert before == {PLAYERS: -270, "wallet:a": 70, "wallet:b": 150, "house:result": 50}
    sealed(six, tmp_path)
    with six.read() as connection:
        assert all_balances(connection) == before
        assert ledger_faults(connection) == []
        assert all_balances(connection, until=5) == {PLAYERS: -200, "wallet:b": 150, "house:result": 50}
    with pytest.raises(Conflict, match="refuses"):
        write(six, "7", [Transfer("wallet:b", PLAYERS, 151)])
    write(six, "8", [Transfer("wallet:b", PLAYERS, 150), Transfer("wallet:a", PLAYERS, 70)])
    with six.read() as connection:
        assert all_balances(connection) == {PLAYERS: -50, "wallet:a": 0, "wallet:b": 0, "house:result": 50}
        assert ledger_faults(connection) == []


def test_a_name_is_found_in_its_archive(
    six: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sealing, "LARGEST_ARCHIVE", 2)
    sealed(six, tmp_path)
    (tmp_path / "000002.cardroom").unlink()  # only the archive that has the name is opened
    with six.read() as connection:
        found = rows.newest_about(connection, "round:linden-2")
        assert found is not None
        assert found.content["name"] == "2"
        for unknown in (
            "round:linden-3",
            "round:linden-0",
            "round:linden",
            "round:rowan-1",
            "round:linden-" + "9" * 40,
        ):
            assert rows.newest_about(connection, unknown) is None
        with pytest.raises(MissingArchive, match=r"records 3 to 4 lie in archive 2 \(000002.cardroom\)"):
            rows.newest_about(connection, "round:alder-1")
        with pytest.raises(MissingArchive, match="archive 2"):
            list(rows.records(connection))


def test_archives_may_lie_in_another_folder(six: Database, tmp_path: Path) -> None:
    sealed(six, tmp_path / "old")
    (tmp_path / "old").rename(tmp_path / "new")
    with open_database(six.url, HandClock(), archives=tmp_path / "new") as moved:
        assert [record.seq for record in whole_log(moved)] == [1, 2, 3, 4, 5, 6]


@pytest.mark.slow
@pytest.mark.requirement("R-51")
@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM log WHERE seq = 6",
        "UPDATE log SET kind = '', body = '' WHERE seq = 6",
        "UPDATE log SET kind = 'LoggedIn', body = '{}' WHERE seq = 5",
        "UPDATE log SET kind = '', body = '', hash = 'x' WHERE seq = 5",
        "UPDATE transfers SET amount_cents = 1",
        "DELETE FROM transfers WHERE seq = 6",
        "DELETE FROM balances",
        "DELETE FROM balances WHERE account = 'wallet:b'",
        "DELETE FROM requests",
        "DELETE FROM archives",
        "UPDATE archives SET last_seq = 6",
        "DELETE FROM sealed_names",
        "INSERT INTO archives VALUES (3, 6, 6, '', (SELECT hash FROM log WHERE seq = 6), '', '')",
        "INSERT INTO archives VALUES (2, 7, 7, '', '', '', '')",
        "INSERT INTO archives VALUES (2, 6, 6, '', 'x', '', '')",
        "INSERT INTO archives VALUES (2, 6, 6, '', (SELECT hash FROM log WHERE seq = 6), '', '')",
    ],
)
def test_the_database_lets_only_go_what_an_archive_holds(
    six: Database, tmp_path: Path, statement: str
) -> None:
    sealed(six, tmp_path)
    six.write(lambda unit: unit.answer("key", "digest", {}))
    with pytest.raises(IntegrityError, match=r"append-only|goes on"), six.engine.begin() as connection:
        connection.execute(text(statement))


def test_before_the_first_archive_nothing_may_go(six: Database) -> None:
    with pytest.raises(IntegrityError, match="append-only"), six.engine.begin() as connection:
        connection.execute(text("DELETE FROM log WHERE seq = 1"))


def test_without_a_checkpoint_nothing_is_sealed(database_url: str, tmp_path: Path) -> None:
    with open_database(database_url, HandClock()) as database:
        six_records(database)
        assert sealed(database, tmp_path) == []
        with database.read() as connection:
            assert "no checkpoint" in sealing_limit(connection, database.clock.now(), None).because


def test_young_records_stay(database_url: str, tmp_path: Path) -> None:
    clock = HandClock()
    with open_database(database_url, clock) as database:
        write(database, "1")
        clock.advance(days=3)
        write(database, "2")
        write(database, "3")
        checkpoint(database)
        assert sealed(database, tmp_path, days=4) == []
        assert [row.end.seq for row in sealed(database, tmp_path, days=2)] == [1]
        assert sealed(database, tmp_path, days=2) == []


def test_a_damaged_log_is_not_sealed(six: Database, tmp_path: Path) -> None:
    from tests.unit.test_store_log import past_the_triggers

    with six.engine.begin() as connection:
        past_the_triggers(connection.exec_driver_sql, is_sqlite=six.is_sqlite)
        connection.exec_driver_sql("UPDATE log SET body = '{}' WHERE seq = 3")
    with pytest.raises(Conflict, match="nothing was sealed: record 3"):
        sealed(six, tmp_path)
    assert list(tmp_path.glob("*.cardroom")) == []


def test_a_file_of_another_house_is_not_touched(six: Database, tmp_path: Path) -> None:
    (tmp_path / "000001.cardroom").write_text("my letters")
    with pytest.raises(Conflict, match="nothing was sealed"):
        sealed(six, tmp_path)
    assert (tmp_path / "000001.cardroom").read_text() == "my letters"
    (tmp_path / "000001.cardroom").unlink()
    sealed(six, tmp_path, last=3)
    write(six, "7")
    checkpoint(six)
    (tmp_path / "000001.cardroom").rename(tmp_path / "000002.cardroom")
    with pytest.raises(Conflict, match="another database"):
        sealed(six, tmp_path)


@pytest.mark.slow
@pytest.mark.requirement("R-44")
def test_killed_at_any_point_either_all_or_nothing(database_url: str, tmp_path: Path) -> None:
    """Every statement of a sealing, its commit and the writing of its file, one after another."""
    with open_database(database_url, HandClock()) as database:
        six_records(database)
        checkpoint(database)
        before = whole_log(database)
        with database.read() as connection:
            books = all_balances(connection)
    snapshot = Snapshot(database_url)
    points = killed_at = 0
    while True:
        points += 1
        snapshot.restore()
        folder = tmp_path / f"at-{points}"

        def probe(_what: str, seen: list[int] = [], last: int = points) -> None:  # noqa: B006
            seen.append(1)
            if len(seen) == last:
                raise KeyboardInterrupt

        with open_database(database_url, HandClock()) as database:
            limit = sealing.Limit(5, "")
            database.probe = probe
            try:
                done = list(seal(database, folder, limit, NOTHING))
            except KeyboardInterrupt:
                done = None
            database.probe = None
            if done is not None:
                break
            killed_at += 1
            assert whole_log(database) == before
            with database.read() as connection:
                registered = all_archives(connection)
                assert all_balances(connection) == books
                assert ledger_faults(connection) == []
            assert len(live(database)) == 6 if not registered else len(live(database)) < 6
            again = sealed(database, folder)
            assert len(again) + len(registered) == 1
            assert whole_log(database) == before
    assert killed_at > 12


def test_a_file_cut_off_while_it_is_written_is_no_archive(
    six: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise OSError(28, "No space left on device")

    before = whole_log(six)
    with monkeypatch.context() as broken:
        broken.setattr("os.fsync", fails)
        with pytest.raises(Unavailable, match="No space"):
            sealed(six, tmp_path)
    assert list(tmp_path.glob("*.cardroom")) == []
    assert whole_log(six) == before
    assert len(sealed(six, tmp_path)) == 1


def changed_at(path: Path, place: int) -> None:
    data = bytearray(path.read_bytes())
    data[place] ^= 1
    path.write_bytes(data)


@pytest.mark.slow
@pytest.mark.requirement("R-51")
def test_any_changed_byte_of_an_archive_is_named(sqlite_url: str, tmp_path: Path) -> None:
    with open_database(sqlite_url, HandClock()) as database:
        six_records(database)
        checkpoint(database)
        sealed(database, tmp_path)
        path = tmp_path / "000001.cardroom"
        with database.read() as connection:
            assert check_against(connection, check_archives([path])) == []
        whole = path.read_bytes()
        for place in range(len(whole)):
            changed_at(path, place)
            (verdict,) = check_archives([path])
            with database.read() as connection:
                told = check_against(connection, [verdict])
            assert verdict.findings or told, place
            path.write_bytes(whole)
        path.write_bytes(whole[:-1])
        assert "bytes" in check_archives([path])[0].findings[0]
        with (
            database.read() as connection,
            pytest.raises(DamagedArchive, match=r"000001.cardroom is damaged"),
        ):
            list(rows.records(connection))


def test_archives_are_chained(six: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sealing, "LARGEST_ARCHIVE", 2)
    sealed(six, tmp_path)
    paths = sorted(tmp_path.glob("*.cardroom"))
    headers = [open_archive(path).header for path in paths]
    assert [header.previous for header in headers] == ["0" * 64, headers[0].hash, headers[1].hash]
    assert [header.start for header in headers][1:] == [header.end for header in headers][:-1]
    with six.read() as connection:
        verdicts = check_archives(list(reversed(paths)))
        assert [verdict.findings for verdict in verdicts] == [(), (), ()]
        assert check_against(connection, verdicts) == []
        assert check_against(connection, verdicts[:2]) == ["archive 3 was not given"]
    gap = check_archives([paths[0], paths[2]])
    assert gap[1].findings == ("archive 2 is missing before it",)


def test_money_that_was_carried_wrong_is_named(six: Database, tmp_path: Path) -> None:
    from tests.unit.test_store_log import past_the_triggers

    sealed(six, tmp_path)
    with six.engine.begin() as connection:
        past_the_triggers(connection.exec_driver_sql, is_sqlite=six.is_sqlite)
        connection.exec_driver_sql("UPDATE transfers SET amount_cents = 149 WHERE target = 'wallet:b'")
        connection.exec_driver_sql("UPDATE balances SET balance_cents = 149 WHERE account = 'wallet:b'")
    with six.read() as connection:
        faults = check_against(connection, check_archives([tmp_path / "000001.cardroom"]))
    assert "wallet:b: the archives leave 150 cents, the database has 149" in faults


@contextmanager
def lottery_day(url: str) -> Iterator[House]:
    """A day of three draws, all settled, and the next day open."""
    with open_house(url) as house:
        for number in (1, 2, 3):
            house.sell(3, first=number)
            house.settled(number)
        house.set("2025-06-15 10:00")
        advance(house.lottery)
        house.sell(2)
        checkpoint(house.lottery.database)
        yield house


@pytest.mark.slow
def test_the_lottery_goes_on(database_url: str, tmp_path: Path) -> None:
    """Tickets of sealed records are printed and paid, and later draws controlled and settled."""
    with lottery_day(database_url) as house:
        database = house.lottery.database
        record = draw_record(house.lottery, 2)
        with database.read() as connection:
            first = min(entry.seq for entry in rows.records(connection, kinds=["TicketsSold"]))
            tickets = tickets_of(house.lottery, connection, first)
            winners = {prize.ticket for prize in rows.prizes_of_draw(connection, 1)}
        prints = {ticket.id: reprint(house.lottery, ticket.id) for ticket in tickets}
        (row,) = sealed(database, tmp_path)
        with database.read() as connection:
            kinds = [entry.kind for entry in rows.records(connection, after=row.end.seq)]
            assert kinds[0] == "DayCommitted"  # of the day that is open
            assert "DrawSettled" not in kinds
            assert {ticket.id for ticket in tickets_of(house.lottery, connection, first)} == set(prints)
        assert {ticket: reprint(house.lottery, ticket) for ticket in prints} == prints
        assert check_log(house.lottery).faults == ()
        assert verify_draw(draw_record(house.lottery, 2)).holds
        assert without_head(draw_record(house.lottery, 2)) == without_head(record)
        for ticket in prints.values():
            answer = house.pay(ticket)
            assert answer.verdict == ("prize" if ticket.id in winners else "no prize")
        with open_house(
            database_url, at="2025-06-15 11:00", clock=house.clock, vault=house.lottery.vault
        ) as later:
            later.settled(4)  # by a control that begins after the archive
            assert later.faults() == ()
        (tmp_path / "000001.cardroom").unlink()
        (fault,) = check_log(house.lottery).faults
        assert "lie in archive 1" in fault


def without_head(record: str) -> dict[str, Any]:
    plain: dict[str, Any] = json.loads(record)
    for name in ("log_head", "seals"):
        plain.pop(name)
    return plain


def test_records_of_a_wrong_year_are_sealed_with_those_of_the_day_that_put_it_right(
    database_url: str, tmp_path: Path
) -> None:
    with open_house(database_url) as house:
        house.outage_until("2026-07-01 10:00")
        house.set("2025-06-14 11:00")
        put_clock_back(house.lottery, operators=["ann", "bob"], reason="it is 2025")
        for number in (1, 2, 3):
            void_draw(house.lottery, number, operators=["ann", "bob"], reason="fire")
        database = house.lottery.database
        house.set("2025-06-20 11:00")
        database.write(lambda unit: unit.record(LoggedOut(name="ann")))
        checkpoint(database)
        with database.read() as connection:
            (put_back,) = rows.records(connection, kinds=["ClockPutBack"])
        (archive,) = sealed(database, tmp_path, days=2)
        assert archive.end.seq > put_back.seq
        assert check_log(house.lottery).faults == ()


def test_a_draw_that_is_not_over_stays(database_url: str, tmp_path: Path) -> None:
    with open_house(database_url) as house:
        house.sell(2)
        house.settled(1)
        database = house.lottery.database
        checkpoint(database)
        with database.read() as connection:
            limit = sealing_limit(connection, house.clock.now(), Checkpoints(database, 1).last())
        assert "draw 2 of 2025-06-14 is not over" in limit.because
        (archive,) = sealed(database, tmp_path)
        assert archive.end.seq == 1  # the rules, which came before the day
