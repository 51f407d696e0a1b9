"""The report of money against a day made by hand: every cent is from the rules, not from the program.

A ticket costs $5.00 (KO21-2.1). Alone in a draw it wins every game, as a Lucky Loser if need be (KO21-4.4):
$10.00 of Game 1, and of Games 2 and 3 the least share, $15.00 and $20.00, since their pools are 20 % of
$5.00, $1.00 each (KO21-4.6, KO21-4.7). So it wins $45.00: the least shares add $14.00 and $19.00, and the
house keeps −$40.00.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from cardroom.core.errors import MalformedInput
from cardroom.lottery.draws import void_draw
from cardroom.lottery.finance.report import FinanceReport, finance_report
from cardroom.lottery.finance.show import as_csv, as_data, as_pdf, as_text
from cardroom.lottery.sales import Order, sell
from cardroom.lottery.scheduler import advance
from cardroom.lottery.tickets import PrintedTicket
from cardroom.records.house import LoggedOut
from cardroom.store import lottery as rows
from cardroom.store.ledger import PLAYERS, Transfer
from tests.lottery_house import House, house_rules, open_house
from tests.unit.test_store_archives import checkpoint, sealed

DAY, NEXT = date(2025, 6, 14), date(2025, 6, 15)


def buy(house: House, terminal: str, draw: int, tickets: int = 1) -> tuple[PrintedTicket, ...]:
    return sell(house.lottery, Order(terminal, tickets, 1, draw), key=house.key()).tickets


@pytest.fixture
def house(database_url: str) -> Iterator[House]:
    """Draws 1 and 2 with a ticket each, draw 3 called off with two, and a ticket for the next day's draw 4.

    North sells the tickets of draws 1 and 3, south those of 2 and 4. The prize of draw 1 and one price of
    draw 3 are paid the same day, the prize of draw 2 the day after, the other price of draw 3 never.
    """
    with open_house(database_url) as opened:
        (first,) = buy(opened, "north", 1)
        (second,) = buy(opened, "south", 2)
        called_off, _ = buy(opened, "north", 3, 2)
        opened.settled(1)
        opened.pay(first)
        void_draw(opened.lottery, 3, operators=["ann", "bob"], reason="fire")
        opened.pay(called_off)
        opened.settled(2)
        opened.set("2025-06-14 22:30")
        advance(opened.lottery)
        buy(opened, "south", 4)
        opened.set("2025-06-15 09:00")
        opened.pay(second)
        yield opened


def lines(report: FinanceReport, name: str) -> dict[object, tuple[object, ...]]:
    return {row[0]: row[1:] for row in report.section(name).rows}


@pytest.mark.requirement("R-45")
def test_by_draws(house: House) -> None:
    report = finance_report(house.lottery, DAY)
    draws = report.section("draws")
    assert [column.title for column in draws.columns] == [
        "Draw",
        "Tickets",
        "Sales",
        "Prizes",
        "Sales less prizes",
        "Paid",
        "Expired",
        "Waiting",
        "Not settled",
        "To be returned",
    ]
    assert draws.rows == (
        ("1", 1, 500, 4500, -4000, 4500, 0, 0, 0, 0),
        ("2", 1, 500, 4500, -4000, 4500, 0, 0, 0, 0),
        ("3, called off", 0, 0, 0, 0, 0, 0, 0, 0, 1000),
    )
    assert draws.total == ("In all", 2, 1000, 9000, -8000, 9000, 0, 0, 0, 1000)
    both = finance_report(house.lottery, DAY, NEXT).section("draws")
    assert both.rows == (
        ("2025-06-14", 2, 1000, 9000, -8000, 9000, 0, 0, 0, 1000),
        ("2025-06-15", 1, 0, 0, 0, 0, 0, 0, 500, 0),
    )


@pytest.mark.requirement("R-45")
def test_by_cash_and_by_terminal(house: House) -> None:
    report = finance_report(house.lottery, DAY)
    # Five tickets came in, $25.00; out went the prize of draw 1 and one price of draw 3.
    assert report.section("cash").rows == (("2025-06-14", 5, 2500, 0, 4500, 500, 0, 2500 - 5000),)
    # The house's desk pays prizes at terminal-1, whoever sold the ticket.
    assert lines(report, "terminals") == {
        "north": (3, 1500, 0, 0, 1500, 500, 4500),
        "south": (2, 1000, 0, 0, 1000, 500, 4500),
        "terminal-1": (0, 0, 4500, 500, -5000, 0, 0),
    }
    assert report.section("terminals").total == ("In all", 5, 2500, 4500, 500, -2500, 1000, 9000)
    later = finance_report(house.lottery, NEXT)
    assert later.section("cash").rows == (("2025-06-15", 0, 0, 0, 4500, 0, 0, -4500),)
    south = finance_report(house.lottery, DAY, terminal="south")
    assert lines(south, "terminals") == {"south": (2, 1000, 0, 0, 1000, 500, 4500)}
    assert south.section("draws").rows == (("2", 1, 500, 4500, -4000, 4500, 0, 0, 0, 0),)
    assert {section.name for section in south.sections} == {
        "summary",
        "draws",
        "cash",
        "terminals",
        "expiry",
        "unclaimed",
        "control",
    }


@pytest.mark.clause("KO21-4.7")
def test_pools_surplus_subsidy_and_rounding(house: House) -> None:
    report = finance_report(house.lottery, DAY)
    assert report.section("pools").rows == (
        ("Game 1", 2, 0, 2000, 2000, 0, 0),
        ("Game 2", 2, 200, 2800, 3000, 0, 0),
        ("Game 3", 2, 200, 3800, 4000, 0, 0),
    )
    result = report.section("result")
    assert [cents for _, cents in result.rows] == [1000, -400, -2000, -6600, 0, 0, 0, 0]
    assert result.total == ("What the house keeps", -8000)


@pytest.mark.clause("KO21-4.7")
@pytest.mark.parametrize(("reserve", "kept"), [("none", 350), ("surplus", 350 - 62)])
def test_what_rounding_and_the_greatest_share_leave(database_url: str, reserve: str, kept: int) -> None:
    """Game 2: 20.5 % of $5.00 is $1.02 to the cent below; a share is $1.00, 2¢ are left by rounding.

    Game 3: a pool of $1.00 and a greatest share of $0.40: 60¢ are left. Game 1 pays $0.10. The house keeps
    $5.00 − $0.10 − $1.00 − $0.40 = $3.50, and with a reserve 62¢ less.
    """
    rules = house_rules(
        prizes__game_1="0.10",
        prizes__game_2__pool_percent="20.5",
        prizes__game_2__min="0.05",
        prizes__game_3__min="0.05",
        prizes__game_3__max="0.40",
        prizes__pool_reserve=reserve,
    )
    with open_house(database_url, rules=rules) as house:
        buy(house, "north", 1)
        house.settled(1)
        report = finance_report(house.lottery, DAY)
    assert report.section("pools").rows == (
        ("Game 1", 1, 0, 10, 10, 0, 0),
        ("Game 2", 1, 102, 0, 100, 0, 2),
        ("Game 3", 1, 100, 0, 40, 60, 0),
    )
    assert report.section("result").total == ("What the house keeps", kept)
    assert lines(report, "liability")["Reserve of pools"] == (62 if reserve == "surplus" else 0,)


@pytest.mark.clause("KO21-4.8")
def test_what_is_owed_and_what_waits(house: House) -> None:
    report = finance_report(house.lottery, DAY)
    # At the end of the day: the ticket of draw 4, the prize of draw 2 and one price of draw 3.
    assert report.section("liability").rows == (
        ("Tickets of draws that are not settled", 500),
        ("Prizes that nobody has claimed", 4500),
        ("Prices of draws that were called off", 500),
        ("Reserve of pools", 0),
        ("Chips of players and wagers under way", 0),
    )
    assert report.section("liability").total == ("In all", 5500)
    assert report.section("expiry").rows == (("2026-06-14", 365, 2, 5000),)
    assert [row[1:] for row in report.section("unclaimed").rows] == [
        ("2", "2025-06-14", "south", "1,2,3", "2026-06-14", 4500),
        ("3", "2025-06-14", "north", "void", "2026-06-14", 500),
    ]
    # The day after, the prize of draw 2 is paid.
    later = finance_report(house.lottery, NEXT)
    assert later.section("liability").total == ("In all", 1000)
    assert later.section("expiry").rows == (("2026-06-14", 364, 1, 500),)


def test_the_trial_balance_is_in_balance(house: House) -> None:
    report = finance_report(house.lottery, DAY)
    assert lines(report, "balance") == {
        # Five tickets came in, $50.00 went out: players are ahead by $25.00.
        "Cash from and to players": (0, 2500),
        # $3.00 of each of two draws, less its prizes of Game 1: $3.00 − $10.00.
        "House: result": (1400, 0),
        "House: limits of shares": (6600, 0),
        "Draws: sales that are not settled": (0, 500),
        "Draws: prizes that wait": (0, 5000),
    }
    assert report.section("balance").total == ("In all", 8000, 8000)


@pytest.mark.slow
def test_a_day_that_lies_in_an_archive_is_reported_the_same(house: House, tmp_path: Path) -> None:
    days = [(DAY, DAY), (NEXT, NEXT), (DAY, NEXT), (date(2025, 6, 13), date(2025, 6, 13))]
    before = [finance_report(house.lottery, *some).sections for some in days]
    checkpoint(house.lottery.database)
    (archive,) = sealed(house.lottery.database, tmp_path)
    with house.lottery.database.read() as connection:
        kinds = [record.kind for record in rows.records(connection, after=archive.end.seq)]
    assert "DrawSettled" not in kinds  # those of the day are sealed
    assert [finance_report(house.lottery, *some).sections for some in days] == before


def test_holes_stand_in_the_report(house: House) -> None:
    assert finance_report(house.lottery, DAY).section("control").rows == (
        ("Tickets", 4),
        ("with a payment that stands", 4),
        ("Prizes", 4),
        ("credited", 3),
        ("expired", 0),
        ("waiting", 1),
    )
    credit = [Transfer("draw:3:prizes", PLAYERS, 500)]
    house.lottery.database.write(lambda unit: unit.record(LoggedOut(name="x"), credit))
    (note,) = finance_report(house.lottery, DAY).section("control").notes
    assert "500 cents of draw 3's prizes for no ticket" in note


def test_all_ways_to_show_it_say_the_same(house: House) -> None:
    report = finance_report(house.lottery, DAY)
    words = as_text(report)
    assert words.startswith("Knockout 21: money of 2025-06-14\n")
    assert re.search(r"^  1 +1 +\$5\.00 +\$45\.00 +−\$40\.00 +\$45\.00", words, re.MULTILINE)
    rows = [row for row in csv.reader(io.StringIO(as_csv(report))) if row[0] == "draws"]
    assert rows[1] == ["draws", "1", "1", "5.00", "45.00", "-40.00", "45.00", "0.00", "0.00", "0.00", "0.00"]
    data = {section["name"]: section for section in as_data(report)["sections"]}
    assert data["draws"]["rows"][0] == ["1", 1, 500, 4500, -4000, 4500, 0, 0, 0, 0]
    paper = as_pdf(report)
    assert paper.startswith(b"%PDF-")
    assert paper == as_pdf(report)


def test_days_that_make_no_sense_are_refused(house: House) -> None:
    with pytest.raises(MalformedInput, match="first day first"):
        finance_report(house.lottery, NEXT, DAY)
    with pytest.raises(MalformedInput, match="a year at most"):
        finance_report(house.lottery, DAY, date(2026, 6, 15))
    empty = finance_report(house.lottery, date(2025, 6, 13))
    assert empty.section("draws").rows == ()
    assert "nothing" in as_text(empty)
