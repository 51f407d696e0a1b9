"""A log that an earlier version wrote is read by everybody who reads the log of the lottery.

Every kind of record that the lottery reads is given a second version here. In the first, each field had
another name, so that whoever takes the stored text as it is finds nothing.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any, get_args

import pytest
from sqlalchemy import select

import cardroom
from cardroom.lottery import control, tracing
from cardroom.lottery.control import Control
from cardroom.lottery.draws import void_draw
from cardroom.lottery.finance.report import finance_report
from cardroom.lottery.record import draw_record
from cardroom.lottery.replay import Replay
from cardroom.lottery.reports import day_report
from cardroom.lottery.sales import Order, begin_purchase, tickets_of
from cardroom.lottery.tracing import Traces
from cardroom.lottery.verify import verify_draw
from cardroom.records import KINDS, HouseRecord, LotteryRecord, Record
from cardroom.records.floor import RoundCorrected
from cardroom.records.house import HouseFounded
from cardroom.store import lottery as rows
from cardroom.store.archive_file import open_archive
from cardroom.store.checkpoints import Checkpoints
from cardroom.store.history import was_served_by
from cardroom.store.ledger import Transfer
from cardroom.store.log import LogRecord
from cardroom.store.schema import log
from cardroom.store.sealing import sealing_limit
from tests.lottery_house import House, open_house
from tests.unit.test_store_archives import checkpoint, sealed

LOTTERY = {kind.__name__ for kind in get_args(LotteryRecord)}
CHANGED: tuple[type[Record], ...] = (*get_args(LotteryRecord | HouseRecord), RoundCorrected)
DAY = date(2025, 6, 14)


def old_name(name: str) -> str:
    return f"old_{name}"


def upgrade_from_1(plain: dict[str, Any]) -> dict[str, Any]:
    """Version 2: every field has the name that it has today."""
    return {name.removeprefix("old_"): value for name, value in plain.items()}


@pytest.fixture
def written_by_version_1(monkeypatch: pytest.MonkeyPatch) -> None:
    """This program has version 2 of the records, and the log is written as version 1 wrote it."""
    newest = Record.content

    def content(self: Record) -> dict[str, Any]:
        plain = newest(self)
        if not isinstance(self, CHANGED):
            return plain
        assert plain.pop("version") == 2
        return {old_name(name): value for name, value in plain.items()}

    for kind in CHANGED:
        monkeypatch.setattr(kind, "version", 2)
        monkeypatch.setattr(kind, "upgrade_from_1", staticmethod(upgrade_from_1), raising=False)
    monkeypatch.setattr(Record, "content", content)


@pytest.fixture
def house(sqlite_url: str, written_by_version_1: None) -> Iterator[House]:
    """Draw 1 is settled and its prize paid, draw 2 called off and one price paid back, draw 3 on sale.

    Alone in a draw a ticket of $5.00 wins $45.00: $10.00, and the least shares of $15.00 and $20.00.
    """
    with open_house(sqlite_url) as opened:
        (winner,) = opened.sell(first=1).tickets
        called_off, _ = opened.sell(2, first=2).tickets
        opened.settled(1)
        opened.pay(winner)
        void_draw(opened.lottery, 2, operators=["ann", "bob"], reason="fire")
        opened.pay(called_off)
        opened.lottery.database.write(put_right)
        yield opened


def put_right(unit: Any) -> None:
    unit.record(HouseFounded(demonstration=False))
    unit.record(
        RoundCorrected(
            round="linden-1",
            table="linden",
            game="blackjack",
            by=["ann", "bob"],
            appointed={},
            reason="a wrong card",
            before={"1a": 0},
            after={"1a": 500},
        ),
        [Transfer("house:blackjack", "player:1a", 500)],
    )


def records(house: House) -> list[LogRecord]:
    with house.lottery.database.read() as connection:
        return list(rows.records(connection))


def test_replay_control_and_tracing(house: House) -> None:
    log_of_before = records(house)
    changed = [record.content for record in log_of_before if record.kind in LOTTERY]
    assert all(name.startswith("old_") for body in changed for name in body if name != "transfers")
    assert house.lottery.control.complaints == []
    heard = Control(keeps=True).feed(log_of_before)
    assert heard.complaints == []
    assert heard.won(1)[0] == dict.fromkeys(heard.draws[1].tickets, 4500)
    traces = Traces().feed(log_of_before)
    assert traces.faults() == []
    assert sorted((one.draw, one.prize_cents, one.credit) for one in traces.tickets.values()) == [
        (1, 4500, "paid"),
        (2, 500, "paid"),
        (2, 500, "waiting"),
    ]
    replayed = Replay().of(log_of_before)
    assert (replayed.faults, len(replayed.tickets), len(replayed.claims)) == ([], 3, 2)
    assert house.faults() == ()  # the rows are those of the records, and all the rest agrees


def test_reports_of_money(house: House) -> None:
    day = day_report(house.lottery, DAY.isoformat())
    assert (day["tickets"], day["paid_cents"], day["called_off_cents"]) == (1, 4500, 1000)
    assert day["results_put_right"] == {"rounds": 1, "to_players_cents": 500, "from_players_cents": 0}
    assert (day["traced"]["tickets"], day["traced"]["faults"]) == (3, [])
    report = finance_report(house.lottery, DAY)
    (cash,) = report.section("cash").rows
    assert cash == ("2025-06-14", 3, 1500, 0, 4500, 500, 0, 1500 - 4500 - 500)
    assert report.section("corrections").rows[0][0] == "linden-1"
    assert [row[-1] for row in report.section("unclaimed").rows] == [500]


def test_published_records(house: House) -> None:
    settled = draw_record(house.lottery, 1)
    assert not verify_draw(settled).findings
    stages = ["committed", "opened", "closed", "sealed", "drawn", "settled"]
    assert sorted(json.loads(settled)["times"]) == sorted(stages)
    called_off = json.loads(draw_record(house.lottery, 2))
    assert (called_off["reason"], called_off["operators"]) == ("fire", ["ann", "bob"])


def test_sales_history_and_sealing(house: House, tmp_path: Path) -> None:
    order = Order("terminal-1", 3, 1, 3)
    purchase = begin_purchase(house.lottery, order, key=house.key())
    with house.lottery.database.read() as connection:
        again = tickets_of(house.lottery, connection, purchase.seq)
        assert [ticket.id for ticket in again] == [ticket.id for ticket in purchase.tickets]
        assert rows.drawn_at(connection, 1) is not None
        assert was_served_by(connection)
        committed = select(log.c.seq).where(log.c.kind == "DayCommitted")
        assert rows.last_seq_before_draws(connection) == connection.execute(committed).scalar_one() - 1
    database = house.lottery.database
    checkpoint(database)
    with database.read() as connection:
        limit = sealing_limit(connection, house.clock.now(), Checkpoints(database, 1).last())
    assert "draw 3 of 2025-06-14" in limit.because
    house.settled(3)
    checkpoint(database)
    (archive,) = sealed(database, tmp_path)
    assert open_archive(Path(archive.file)).rules() == {
        house.lottery.rules.rules_hash: house.lottery.rules.canonical_text()
    }
    assert not verify_draw(draw_record(house.lottery, 1)).findings
    assert house.faults() == ()


@pytest.mark.parametrize(
    ("listener", "others"),
    [(control, set()), (tracing, {RoundCorrected.__name__})],
    ids=["control", "tracing"],
)
def test_who_reads_plain_fields_lists_every_kind_of_the_lottery(listener: Any, others: set[str]) -> None:
    """They share no code with the classes; a kind that comes later has to be put into one of their lists."""
    heard, passed_over = set(listener.HEARD), set(listener.PASSED_OVER)
    assert heard | passed_over == LOTTERY | others
    assert not heard & passed_over


def test_a_kind_of_a_newer_program_is_named_by_control_and_tracing() -> None:
    newer = LogRecord(1, "2025-06-14T18:21:00.000000Z", "TicketsGiven", "{}", "")
    assert "TicketsGiven" in Control().feed([newer]).complaints[0]
    assert "TicketsGiven" in Traces().feed([newer]).faults()[0]


BY_THEIR_NAMES = {
    "engine/knockout21/__init__.py": "an event of the engine has the same name",
    "lottery/control.py": "shares no code with the classes of records",
    "lottery/tracing.py": "shares no code with the classes of records",
    "table/twentyone/__init__.py": "an event of the table has the same name",
}


def test_no_other_source_names_a_kind_by_a_text() -> None:
    source = Path(cardroom.__file__).parent
    quoted = re.compile(f"""["'](?:{"|".join(KINDS)})["']""")
    texts = ((path, path.read_text("utf-8")) for path in source.rglob("*.py"))
    found = {
        path.relative_to(source).as_posix()
        for path, text in texts
        if quoted.search(text)  # to parse all of the source takes seconds
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Constant) and node.value in KINDS
    }
    assert found == set(BY_THEIR_NAMES)
