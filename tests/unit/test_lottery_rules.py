"""The lottery's rules are records with the day from which they hold, and its time zones have a version."""

from __future__ import annotations

import pytest

from cardroom.core import timezones
from cardroom.core.errors import Conflict, IllegalAction
from cardroom.lottery.clock_care import change_zone_data
from cardroom.lottery.draws import open_day
from cardroom.lottery.house import Lottery
from cardroom.lottery.house_rules import rules_by_day, set_rules
from cardroom.lottery.readiness import OtherZoneData
from cardroom.lottery.sales import Order, sell
from cardroom.lottery.schedule import parse_day
from cardroom.lottery.scheduler import advance
from cardroom.rules import load_rules_as
from cardroom.rules.knockout21 import Knockout21Rules
from cardroom.store import lottery as rows
from tests.lottery_house import House, house_rules, open_house

ONE_TICKET = house_rules(sales__tickets_per_draw=1)
TWO = ["ann", "bob"]


def another_process(house: House) -> House:
    """The same lottery opened by a program that knows the shipped rules only."""
    own = house.lottery
    shipped = load_rules_as(Knockout21Rules, "knockout-21")
    return House(Lottery(own.database, own.vault, shipped, own.entropy), house.clock)


@pytest.mark.clause("KO21-2.2")
def test_a_limit_of_one_ticket_is_one_the_next_day(database_url: str) -> None:
    with open_house(database_url, rules=ONE_TICKET) as house:
        house = another_process(house)
        for day in ("2025-06-14", "2025-06-15", "2025-06-16"):
            house.set(f"{day} 10:00")
            advance(house.lottery)
            assert house.lottery.rules == ONE_TICKET
            with pytest.raises(IllegalAction, match="holds 1 ticket per draw"):
                house.sell(2)
            assert house.sell(1).price_cents == 500
            house.set(f"{day} 20:00")
            advance(house.lottery)
        with house.lottery.database.read() as connection:
            assert {draw.rules_hash for draw in rows.all_draws(connection)} == {ONE_TICKET.rules_hash}
        assert house.faults() == ()


def test_rules_hold_from_their_day_on_for_everybody(database_url: str) -> None:
    with open_house(database_url) as house:
        shop = another_process(house)
        set_rules(house.lottery, ONE_TICKET, parse_day("2025-06-15"), by=TWO, reason="a quiet week")
        assert len(shop.sell(3).tickets) == 3
        house.set("2025-06-14 22:30")
        advance(house.lottery)
        first = house.draw(4)
        assert (first.day, first.rules_hash) == ("2025-06-15", ONE_TICKET.rules_hash)
        with pytest.raises(IllegalAction, match="holds 1 ticket per draw"):  # the draw's own limit
            sell(shop.lottery, Order("terminal-1", 3, 1, 4), key="tomorrow")
        house.set("2025-06-15 10:00")
        with pytest.raises(IllegalAction, match="holds 1 ticket per draw"):
            sell(shop.lottery, Order("terminal-1", 2), key="today")
        with house.lottery.database.read() as connection:
            assert rules_by_day(house.lottery, connection) == {
                "2025-06-14": house_rules(),
                "2025-06-15": ONE_TICKET,
            }
        assert house.faults() == ()


def test_rules_are_set_by_two_for_days_that_are_not_committed(database_url: str) -> None:
    with open_house(database_url) as house:
        with pytest.raises(IllegalAction, match="two people"):
            set_rules(house.lottery, ONE_TICKET, parse_day("2025-06-15"), by=["ann"])
        with pytest.raises(IllegalAction, match="signed by somebody"):
            set_rules(house.lottery, ONE_TICKET, parse_day("2025-06-15"), by=[])
        with pytest.raises(Conflict, match="2025-06-13 is past"):
            set_rules(house.lottery, ONE_TICKET, parse_day("2025-06-13"), by=TWO)
        with pytest.raises(Conflict, match="2025-06-14 are committed with their rules"):
            set_rules(house.lottery, ONE_TICKET, parse_day("2025-06-14"), by=TWO)
        set_rules(house.lottery, ONE_TICKET, parse_day("2025-06-15"), by=TWO)
        set_rules(house.lottery, house_rules(), parse_day("2025-06-15"), by=TWO)  # on second thoughts
        open_day(house.lottery, parse_day("2025-06-15"), by="ann")
        assert house.draw(4).rules_hash == house_rules().rules_hash
        assert house.faults() == ()


def test_the_first_rules_are_those_of_whoever_opens_the_lottery(sqlite_url: str) -> None:
    with open_house(sqlite_url, started=False) as house:
        set_rules(house.lottery, ONE_TICKET, parse_day("2025-06-14"), by=["ann"])
        advance(house.lottery)
        assert house.draw(1).rules_hash == ONE_TICKET.rules_hash
        assert house.faults() == ()


def test_a_lottery_from_before_such_records_goes_on_with_the_rules_it_has(sqlite_url: str) -> None:
    """A database without a record of rules: the last day's hold, not the shipped ones."""
    with open_house(sqlite_url, rules=ONE_TICKET) as house:
        with house.lottery.database.engine.begin() as connection:
            connection.exec_driver_sql("DELETE FROM settings")
        old = another_process(house)
        assert old.lottery.rules == ONE_TICKET
        with pytest.raises(IllegalAction, match="holds 1 ticket per draw"):
            old.sell(2)
        old.set("2025-06-14 20:00")
        advance(old.lottery)
        assert old.draw(4).rules_hash == ONE_TICKET.rules_hash


def test_hosts_with_other_time_zones_are_refused(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_house(database_url) as house:
        with house.lottery.database.read() as connection:
            (day,) = rows.records(connection, kinds=["DayCommitted"])
        ours = timezones.zone_data_version()
        assert day.content["zone_data"] == ours
        monkeypatch.setattr(timezones, "zone_data_version", lambda: "2099z")
        for act in (house.sell, lambda: advance(house.lottery)):
            with pytest.raises(OtherZoneData, match=f"tzdata 2099z, the lottery's those of {ours}"):
                act()
        with pytest.raises(IllegalAction, match="signed"):
            change_zone_data(house.lottery, by=[])
        assert change_zone_data(house.lottery, by=["ann"]) == (ours, "2099z")
        with pytest.raises(Conflict, match="already"):
            change_zone_data(house.lottery, by=["ann"])
        house.sell()
        house.settled(1)
        assert house.faults() == ()
        monkeypatch.undo()
        with pytest.raises(OtherZoneData, match="install that version here"):
            house.sell()
