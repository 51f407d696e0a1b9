"""`cardroom archive` and `cardroom verify` of archives, as they are typed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from cardroom.store import lottery as rows
from cardroom.store.checkpoints import Checkpoints
from cardroom.store.log import LogHead
from cardroom.store.migrate import open_database
from cardroom.store.sealing import seal
from cardroom.web.memory import VERSION
from tests.command_line import CommandLine
from tests.databases import HandClock
from tests.unit.test_store_archives import six_records


@pytest.fixture
def cardroom(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


@pytest.fixture
def old_house(sqlite_url: str) -> str:
    """A house of June 2025 with six records and a checkpoint."""
    with open_database(sqlite_url, HandClock()) as database:
        six_records(database)
        with database.read() as connection:
            Checkpoints(database, VERSION).save(rows.head(connection), {})
    return sqlite_url


def test_sealed_once_and_verified(cardroom: CommandLine, old_house: str, tmp_path: Path) -> None:
    folder = tmp_path / "archives"
    answer = cardroom("archive", folder, "--database", old_house)
    assert answer.code == 0, answer
    path = folder / "000001.cardroom"
    assert f"archive 1: records 1 to 5 in {path}" in answer.out
    assert "sealed up to record 5: the last checkpoint stays" in answer.out
    again = cardroom("archive", folder, "--database", old_house)
    assert again.out.startswith("nothing to seal")
    assert [one.name for one in folder.iterdir()] == ["000001.cardroom"]
    alone = cardroom("verify", path)
    assert (alone.code, "records 1 to 5: all in order" in alone.out) == (0, True)
    both = cardroom("verify", "archive", path, "--database", old_house)
    assert (both.code, "the database goes on from these archives" in both.out) == (0, True)
    told = cardroom("verify", path, "--json", "--database", old_house).json
    assert told["holds"]
    assert told["archives"][0]["start"] == "0:" + "0" * 64
    assert LogHead.parse(told["archives"][0]["end"]).seq == 5


def test_a_damaged_archive_is_named_in_one_line(
    cardroom: CommandLine, old_house: str, tmp_path: Path
) -> None:
    cardroom("archive", tmp_path, "--database", old_house)
    path = tmp_path / "000001.cardroom"
    whole = path.read_bytes()
    for data in (whole[:-3], whole[:40], b"", whole[:-3] + b"xyz", b"\xff" * 50):
        path.write_bytes(data)
        answer = cardroom("verify", path)
        assert answer.code == 1
        (line,) = answer.out.splitlines()
        assert line.startswith("000001.cardroom is damaged")
    path.unlink()
    assert cardroom("verify", "archive", path).code == 1


def test_files_out_of_order_and_of_another_house(
    cardroom: CommandLine, tmp_path: Path, old_house: str
) -> None:
    with open_database(old_house, HandClock()) as database:
        from cardroom.store.sealing import InUse, Limit

        for last in (2, 4, 5):
            assert len(list(seal(database, tmp_path, Limit(last, ""), InUse()))) == 1
    first, second, third = sorted(tmp_path.glob("*.cardroom"))
    assert cardroom("verify", third, first, second, "--database", old_house).code == 0
    gap = cardroom("verify", first, third)
    assert gap.code == 1
    assert "000003.cardroom: archive 2 is missing before it" in gap.out
    later = cardroom("verify", second, third)
    assert later.code == 0
    assert "the archives before it, up to 1, were not given" in later.out
    missing = cardroom("verify", first, second, "--database", old_house)
    assert missing.code == 1
    assert "database: archive 3 was not given" in missing.out


def test_what_cannot_be_asked(cardroom: CommandLine, old_house: str, tmp_path: Path) -> None:
    archive = ("archive", tmp_path / "a", "--database", old_house)
    assert "not both" in cardroom.refused(*archive, "--before", "2025-01-01", "--keep-days", "3")
    assert "'June'" in cardroom.refused(*archive, "--before", "June")
    today = datetime.now(UTC).date() + timedelta(days=1)
    assert "last 24 hours" in cardroom.refused(*archive, "--before", str(today))
    assert "no database" in cardroom.refused("archive", tmp_path, "--database", f"sqlite:///{tmp_path}/none")
    (tmp_path / "file").write_text("")
    assert "not a folder" in cardroom.refused("archive", tmp_path / "file", "--database", old_house)
    assert not (tmp_path / "a").exists()
    record = tmp_path / "record.jsonl"
    record.write_text("{}")
    assert "--database is for archives" in cardroom.refused("verify", record, "--database", old_house)


@pytest.mark.slow
def test_a_database_that_is_not_there(cardroom: CommandLine, old_house: str, tmp_path: Path) -> None:
    """Nothing is made where a database was only misspelt, and no traceback is shown."""
    cardroom("archive", tmp_path, "--database", old_house)
    path = tmp_path / "000001.cardroom"
    none = tmp_path / "none.sqlite3"
    assert "there is no database" in cardroom.refused("verify", path, "--database", f"sqlite:///{none}")
    assert not none.exists()
    none.write_text("my letters, which are no database")
    nowhere = f"postgresql:///x?host={tmp_path}/nowhere"
    for url, why in ((f"sqlite:///{none}", "not a database"), (nowhere, "the database could not do it")):
        assert why in cardroom.refused("archive", tmp_path, "--database", url)
        assert why in cardroom.refused("verify", path, "--database", url)
        assert why in cardroom.refused("lottery", "verify", "--database", url)


def test_days_to_keep(cardroom: CommandLine, old_house: str, tmp_path: Path) -> None:
    """The records are of 2025-06-14, 12:00 UTC."""
    archive = ("archive", tmp_path, "--database", old_house, "--json")
    assert cardroom(*archive, "--before", "2025-06-14").json["archives"] == []
    assert cardroom(*archive, "--keep-days", "30000").json["archives"] == []
    assert [one["last"] for one in cardroom(*archive, "--before", "2025-06-15").json["archives"]] == [5]
