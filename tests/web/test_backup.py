"""Back-ups, restores, and an older state put back: no secret that was told is ever dealt from again."""

from __future__ import annotations

import gzip
import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from cardroom.core.errors import CardroomError, Conflict, MalformedInput
from cardroom.fair.entropy import OperatingSystem
from cardroom.fair.verify import verify_records
from cardroom.lottery.claims import pay_prize
from cardroom.lottery.draws import close_sales, open_day, open_sales, perform_draw, seal_pool
from cardroom.lottery.house import Lottery
from cardroom.lottery.replay import state_faults
from cardroom.lottery.sales import Order, sell
from cardroom.lottery.schedule import wall_clock
from cardroom.lottery.vault import FileVault, vault_folder
from cardroom.rules import load_rules_as
from cardroom.rules.knockout21 import Knockout21Rules
from cardroom.store import lottery as rows
from cardroom.store.backup import restore_backup, write_backup
from cardroom.store.database import Database
from cardroom.store.ledger import ledger_faults
from cardroom.store.log import LogHead, check_chain
from cardroom.store.mark import Mark
from cardroom.store.migrate import open_database
from cardroom.store.plan import Plan
from cardroom.table.evidence import check_evidence
from cardroom.table.knockout52.running import Knockout52Table
from cardroom.table.twentyone.running import TwentyOneTable
from cardroom.web.house import House
from tests.command_line import CommandLine
from tests.databases import HandClock, Postgres, sqlite_copy
from tests.web.test_impossible_records import stake_at_linden
from tools.golden import dump
from tools.golden_evening import ANN, BEGINS, BOB, KEY, LOTTERY_CHANGES, Evening, settings_of


class Clock(HandClock):
    """A clock that is set by hand, and never back."""

    def reach(self, moment: datetime) -> None:
        self.moment = max(self.moment, moment)


@contextmanager
def evening(url: str, folder: Path, *, later: float = 0) -> Iterator[Evening]:
    """A house with secrets from the operating system and a mark, so many hours after the beginning."""
    found = Evening.__new__(Evening)
    found.clock = Clock(BEGINS + timedelta(hours=later))  # type: ignore[assignment]
    found.notations, found.prints, found._keys = {}, [], 0
    settings = replace(settings_of(url), repeatable=None, mark=folder / "mark")
    found.house = House(settings, clock=found.clock)
    rules = load_rules_as(Knockout21Rules, "knockout-21", {**LOTTERY_CHANGES, "draws.minimum_tickets": 0})
    vault = FileVault(vault_folder(url) if url.startswith("sqlite") else folder / "vault", OperatingSystem())
    found.lottery = Lottery(found.house.database, vault, rules, OperatingSystem())
    yield found
    found.house.following.keep_mark()
    found.house.database.close()


@pytest.fixture
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder of its own: a house on PostgreSQL keeps its vault in `var` there."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def cards_of_a_game(found: Evening) -> str:
    """A whole game of Knockout 52, and its proof."""
    table = found.house.tables.find(Knockout52Table, "willow")
    found.do(Plan(found.house.players.welcome(found.house.player(BOB))))
    found.do(table.place(found.house.tables.purse(BOB), {"round-1": 500}, ""))
    table.ask_for_deal(BOB, found.clock.now())
    before = table.last
    while table.last is before:
        found._step(table)
    assert table.last is not None
    return table.last.record


def commitments(found: Evening) -> dict[str, str]:
    """What the house shows at every table before the next card."""
    shown = {}
    for table in found.house.memory.tables.values():
        if isinstance(table, Knockout52Table):
            shown[table.id] = str(table.commitment)
        elif isinstance(table, TwentyOneTable):
            found._deal_out(table)
            assert table.state.shoe is not None
            shown[table.id] = table.state.shoe.committed.commitment
    return shown


def faults(database: Database) -> list[str]:
    with database.read() as connection:
        chain = [str(fault) for fault in check_chain(rows.records(connection))]
        chain += [str(fault) for fault in check_evidence(rows.records(connection)).faults]
        return [*chain, *ledger_faults(connection), *state_faults(connection)]


def retirements(database: Database) -> int:
    with database.read() as connection:
        return sum(record.kind == "SecretsRetired" for record in rows.records(connection))


def empty_database(kind: str, postgres: Postgres, sqlite_template: Path, folder: Path) -> str:
    folder.mkdir()
    return postgres.bare() if kind == "postgresql" else sqlite_copy(sqlite_template, folder)


@pytest.mark.parametrize("target", ["sqlite", "postgresql"])
def test_a_back_up_of_a_running_house_comes_back_in_either_kind(
    database_url: str, target: str, postgres: Postgres, sqlite_template: Path, in_folder: Path
) -> None:
    file = in_folder / "house.backup"
    with evening(database_url, in_folder) as found:
        cards_of_a_game(found)
        stake_at_linden(found)
        written = write_backup(found.house.database, file, found.clock.now())
        kept = dump(found.house.database)
        assert str(written.head) == str(found.house.memory.head)
        cards_of_a_game(found)  # the house goes on
    assert file.stat().st_mode & 0o777 == 0o600
    url = empty_database(target, postgres, sqlite_template, in_folder / "other")
    restored = restore_backup(file, url, HandClock(BEGINS))
    assert (restored.head, restored.rows) == (written.head, written.rows)
    with open_database(url, HandClock(BEGINS)) as database:
        lines = [line for line in dump(database).splitlines() if '"restored"' not in line]
        assert lines == kept.splitlines()


def test_a_restored_house_deals_other_cards_than_those_it_has_shown(
    database_url: str, postgres: Postgres, sqlite_template: Path, in_folder: Path
) -> None:
    """The attack: learn the secrets, put the back-up back, stake on what is to come."""
    file = in_folder / "house.backup"
    with evening(database_url, in_folder) as found:
        shown_before = commitments(found)
        stake_at_linden(found)
        ann = found.house.player(ANN)
        chips = ann.balance_cents + ann.in_play_cents
        write_backup(found.house.database, file, found.clock.now())
        told = json.loads(cards_of_a_game(found))
        linden = found.house.tables.find(TwentyOneTable, "linden")
        while linden.dealing:
            found._step(linden)
    kind = "postgresql" if database_url.startswith("postgresql") else "sqlite"
    url = empty_database(kind, postgres, sqlite_template, in_folder / "other")
    restore_backup(file, url, HandClock(BEGINS))
    with evening(url, in_folder, later=1) as again:
        house = again.house
        assert retirements(house.database) == 1
        # Unfinished rounds are settled by the stated rule: stakes go back.
        assert (house.player(ANN).balance_cents, house.player(ANN).in_play_cents) == (chips, 0)
        shown = commitments(again)
        assert shown.keys() == shown_before.keys()
        assert not set(shown.values()) & set(shown_before.values())
        proof = cards_of_a_game(again)
        anew = json.loads(proof)
        assert anew["secret"] != told["secret"]
        assert anew["cards"] != told["cards"]
        assert all(verdict.holds for verdict in verify_records(proof))
        assert faults(house.database) == []
    with evening(url, in_folder, later=2) as third:  # the mark is this log's from now on
        assert retirements(third.house.database) == 1


def test_a_file_that_is_put_back_by_hand_is_noticed(sqlite_url: str, in_folder: Path) -> None:
    """No command of ours was used: the mark beside the key tells."""
    file = Path(sqlite_url.removeprefix("sqlite:///"))
    with evening(sqlite_url, in_folder) as found:
        before = commitments(found)
    shutil.copy(file, file.with_suffix(".old"))
    with evening(sqlite_url, in_folder, later=1) as found:
        assert retirements(found.house.database) == 0  # a start alone retires nothing
        cards_of_a_game(found)
    shutil.copy(file.with_suffix(".old"), file)
    with evening(sqlite_url, in_folder, later=2) as found:
        assert retirements(found.house.database) == 1
        assert not set(commitments(found).values()) & set(before.values())
        with found.house.database.read() as connection:
            (record,) = rows.records(connection, kinds=["SecretsRetired"])
        assert "the log ends at record" in record.content["because"]


def test_another_history_of_the_same_length_is_noticed(sqlite_url: str, in_folder: Path) -> None:
    with evening(sqlite_url, in_folder) as found:
        head = found.house.memory.head
    Mark(in_folder / "mark").write(LogHead(head.seq, "0" * 64))
    with evening(sqlite_url, in_folder) as found:
        assert retirements(found.house.database) == 1
    (in_folder / "mark").unlink()
    with evening(sqlite_url, in_folder) as found:
        assert retirements(found.house.database) == 2
    (in_folder / "mark").write_text("nonsense")
    with evening(sqlite_url, in_folder) as found:
        assert retirements(found.house.database) == 3


def test_the_mark_moves_with_every_commit(sqlite_url: str, in_folder: Path) -> None:
    with evening(sqlite_url, in_folder) as found:
        for _ in range(3):
            cards_of_a_game(found)
            assert Mark(in_folder / "mark").read() == found.house.memory.head


def test_draws_after_a_restore(sqlite_url: str, sqlite_template: Path, in_folder: Path) -> None:
    """Draws without tickets get new secrets, one with tickets is called off, a closed one keeps its cards."""
    file = in_folder / "house.backup"
    with evening(sqlite_url, in_folder) as found:
        lottery, clock = found.lottery, found.clock
        day = wall_clock(lottery.rules, clock.now()).date()
        numbers, _ = open_day(lottery, day, by="ivy")
        assert len(numbers) == 3
        first = sell(lottery, Order("terminal-1", 1, 2), key="before-the-back-up")
        found.close(1)
        seal_pool(lottery, 1)
        before = {draw.number: draw for draw in _draws(lottery)}
        write_backup(found.house.database, file, clock.now())
        clock.moment = before[1].due_at
        drawn = perform_draw(lottery, 1)
        assert drawn.cards is not None
    (in_folder / "other").mkdir()
    url = sqlite_copy(sqlite_template, in_folder / "other")
    shutil.copytree(vault_folder(sqlite_url), vault_folder(url))
    restore_backup(file, url, HandClock(BEGINS))
    with evening(url, in_folder, later=1) as again:
        lottery, clock = again.lottery, again.clock
        after = {draw.number: draw for draw in _draws(lottery)}
        assert [after[number].status for number in numbers] == ["sealed", "void", before[3].status]
        assert after[3].commitment != before[3].commitment
        assert after[1].commitment == before[1].commitment
        assert faults(again.house.database) == []
        clock.moment = before[1].due_at
        assert perform_draw(lottery, 1).cards == drawn.cards  # never drawn otherwise
        refunded = next(ticket for ticket in first.tickets if ticket.draw == 2)
        paid = pay_prize(lottery, refunded.control_number, refunded.code, terminal="terminal-1", key="refund")
        assert paid.prize_cents == refunded.price_cents
        clock.moment = before[3].closes_at - timedelta(minutes=1)
        draw_of_new_secret(again)
        assert faults(again.house.database) == []


def draw_of_new_secret(found: Evening) -> None:
    """The draw that got a new secret is sold and drawn like any other."""
    lottery, clock = found.lottery, found.clock
    open_sales(lottery)
    sell(lottery, Order("terminal-1", 1, 1, 3), key="after-the-restore")
    (draw,) = [one for one in _draws(lottery) if one.number == 3]
    clock.moment = draw.closes_at
    close_sales(lottery, 3)
    seal_pool(lottery, 3)
    clock.moment = draw.due_at
    assert perform_draw(lottery, 3).status == "drawn"


def _draws(lottery: Lottery) -> list[rows.DrawRow]:
    with lottery.database.read() as connection:
        return rows.all_draws(connection)


def test_nothing_is_overwritten_and_damage_is_named(sqlite_url: str, in_folder: Path) -> None:
    file = in_folder / "house.backup"
    clock = HandClock(BEGINS)
    with evening(sqlite_url, in_folder) as found:
        write_backup(found.house.database, file, clock.now())
        with pytest.raises(Conflict, match="is there already"):
            write_backup(found.house.database, file, clock.now())
    with pytest.raises(Conflict, match="not empty"):
        restore_backup(file, sqlite_url, clock)
    target = f"sqlite:///{in_folder / 'fresh.sqlite3'}"
    lines = gzip.decompress(file.read_bytes()).splitlines(keepends=True)
    for damaged in (
        b"",
        b"no gzip",
        gzip.compress(b"".join(lines[:-1])),
        gzip.compress(b"".join([*lines[:5], *lines[6:]])),
        gzip.compress(b"".join(lines).replace(b"linden", b"lindon", 1)),
        gzip.compress(b'{"format":"something else"}\n{"rows":0}\n'),
        gzip.compress(b"".join([lines[0], b'["nosuch",[1]]\n', *lines[1:]])),
        gzip.compress(b"".join([lines[0], b"[" * 100_000 + b"\n", *lines[1:]])),
        file.read_bytes()[:-100],
    ):
        broken = in_folder / "broken.backup"
        broken.write_bytes(damaged)
        with pytest.raises(CardroomError):
            restore_backup(broken, target, clock)
        assert list(in_folder.glob("fresh*")) == []  # nothing half done
    assert restore_backup(file, target, clock).rows == len(lines) - 2


def test_a_wrong_key_is_named_and_a_missing_one_never_made(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], in_folder: Path
) -> None:
    with evening(sqlite_url, in_folder):
        pass
    with pytest.raises(MalformedInput, match="this key is not the one of this house"):
        House(replace(settings_of(sqlite_url), key=bytes(32)), clock=HandClock(BEGINS))
    cardroom = CommandLine(monkeypatch, capsys)
    key = Path(sqlite_url.removeprefix("sqlite:///")).with_name("cardroom.key")
    for command in (("serve", "--port", "0", "--database"), ("repair",)):
        said = cardroom.refused(*command, sqlite_url)
        assert f"the key file {key} is missing, and this house was opened with one before" in said
        assert not key.exists()
    key.write_text(bytes(32).hex(), "ascii")
    said = cardroom.refused("serve", "--port", "0", "--database", sqlite_url)
    assert "this key is not the one of this house" in said
    assert key.read_text("ascii") == bytes(32).hex()
    key.write_text(KEY.hex(), "ascii")
    assert cardroom("repair", sqlite_url).code == 0


def test_an_older_house_whose_key_was_not_kept_tells_a_wrong_key(sqlite_url: str, in_folder: Path) -> None:
    """The database of a version before fingerprints: the sealed secrets themselves tell."""
    with evening(sqlite_url, in_folder):
        pass
    with open_database(sqlite_url, HandClock(BEGINS)) as database, database.engine.begin() as connection:
        connection.exec_driver_sql("DELETE FROM settings WHERE name = 'key'")
    for _from_checkpoint in range(2):
        with pytest.raises(MalformedInput, match="this key is not the one of this house"):
            House(replace(settings_of(sqlite_url), key=bytes(32)), clock=HandClock(BEGINS))
        with open_database(sqlite_url, HandClock(BEGINS)) as database, database.read() as connection:
            assert rows.setting(connection, "key") is None
    with evening(sqlite_url, in_folder) as found, found.house.database.read() as connection:
        assert rows.setting(connection, "key") is not None


def test_back_up_and_restore_on_the_command_line(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], in_folder: Path
) -> None:
    cardroom = CommandLine(monkeypatch, capsys)
    with evening(sqlite_url, in_folder) as found:
        head = found.house.memory.head
    written = cardroom("backup", "house.backup", "--database", sqlite_url)
    assert (written.code, f"the log up to {head}" in written.out) == (0, True), written
    assert "the key file" in written.out
    assert "is there already" in cardroom.refused("backup", "house.backup", "--database", sqlite_url)
    assert "there is no database" in cardroom.refused("backup", "b", "--database", "sqlite:///no/such")
    assert "not empty" in cardroom.refused("restore", "house.backup", "--database", sqlite_url)
    for looks in (
        ("lottery", "verify"),
        ("lottery", "finance"),
        ("lottery", "report", "1"),
        ("operators", "list"),
    ):
        assert "there is no database" in cardroom.refused(*looks, "--database", "sqlite:///no/such")
    assert not Path("no").exists()
    other = f"sqlite:///{in_folder / 'other' / 'house.sqlite3'}"
    restored = cardroom("restore", "house.backup", "--database", other, "--json").json
    assert restored["head"] == str(head)
    # A back-up of a restored database that no server was opened on is one, too.
    assert cardroom("backup", "second.backup", "--database", other).code == 0
    third = f"sqlite:///{in_folder / 'third.sqlite3'}"
    assert cardroom("restore", "second.backup", "--database", third).code == 0
    # The lottery's own commands wait until a server has retired the secrets.
    said = cardroom.refused("lottery", "advance", "--database", other)
    assert "the database was restored from a back-up" in said
    assert "start `cardroom serve` on it once" in said


def test_the_lotterys_commands_heed_and_move_the_mark(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], in_folder: Path
) -> None:
    cardroom = CommandLine(monkeypatch, capsys)
    file = Path(sqlite_url.removeprefix("sqlite:///"))
    where = ("--database", sqlite_url)
    assert cardroom("lottery", "open-day", *where).code == 0
    shutil.copy(file, file.with_suffix(".old"))
    in_two_days = (datetime.now(UTC) + timedelta(days=2)).date().isoformat()
    assert cardroom("lottery", "open-day", in_two_days, *where).code == 0
    shutil.copy(file.with_suffix(".old"), file)
    said = cardroom.refused("lottery", "advance", *where)
    assert "and the house had come to record" in said


def test_a_vault_without_its_key_of_codes_is_never_made_anew(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], in_folder: Path
) -> None:
    """With another key no ticket that was printed could be paid."""
    with evening(sqlite_url, in_folder) as found:
        open_day(found.lottery, wall_clock(found.lottery.rules, found.clock.now()).date(), by="ivy")
        sell(found.lottery, Order("terminal-1", 1, 1), key="the-only-ticket")
    (vault_folder(sqlite_url) / "code-key").unlink()
    with pytest.raises(MalformedInput, match="has no code-key, and tickets were sold with one"):
        House(replace(settings_of(sqlite_url), lottery=True), clock=HandClock(BEGINS))
    cardroom = CommandLine(monkeypatch, capsys)
    said = cardroom.refused(
        "lottery", "advance", "--database", sqlite_url, "--vault", vault_folder(sqlite_url)
    )
    assert said.startswith("there is no mark") or "has no code-key" in said
    assert not (vault_folder(sqlite_url) / "code-key").exists()
