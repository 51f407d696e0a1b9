"""A damaged row is found before the cards are drawn, and made anew from the log."""

from __future__ import annotations

import json

import pytest
from sqlalchemy import text

from cardroom.core.errors import Conflict, IllegalAction, MalformedInput
from cardroom.lottery.control import Control
from cardroom.lottery.draws import perform_draw, release_draw, seal_pool
from cardroom.lottery.house import Lottery
from cardroom.lottery.rebuilding import rebuild_rows
from cardroom.lottery.scheduler import advance
from cardroom.store import lottery as rows
from cardroom.store.schema import tickets
from tests.lottery_house import House, open_house
from tests.unit.test_store_log import past_the_triggers

TWO = ["ann", "bob"]
COPIED = ", ".join(column.name for column in tickets.columns if column.name not in ("id", "control_tag"))
DAMAGES = {
    "choices": "UPDATE tickets SET choices = 'SSSSSSSSSSS' WHERE id = '{ticket}'",
    "terminal": "UPDATE tickets SET terminal = 'elsewhere' WHERE id = '{ticket}'",
    "sold_at": "UPDATE tickets SET sold_at = '2025-06-14T16:00:00.000000Z' WHERE id = '{ticket}'",
    "price_cents": "UPDATE tickets SET price_cents = 600 WHERE id = '{ticket}'",
    "control_tag": "UPDATE tickets SET control_tag = 'x' WHERE id = '{ticket}'",
    "the log has it": "DELETE FROM tickets WHERE id = '{ticket}'",
    "no record of the log": (
        f"INSERT INTO tickets (id, control_tag, {COPIED}) "
        f"SELECT 'forged', 'tag', {COPIED} FROM tickets WHERE id = '{{ticket}}'"
    ),
    "first_cards": "UPDATE draws SET first_cards = 'AhAhAhAhAh' WHERE number = 1",
    "due_at": "UPDATE draws SET due_at = '2025-06-14T18:22:00.000000Z' WHERE number = 1",
    "commitment": "UPDATE draws SET commitment = 'x' WHERE number = 1",
}


def damage(house: House, statement: str) -> None:
    """Change rows as only the owner of the database can; the triggers are there again afterwards."""
    database = house.lottery.database
    with database.engine.begin() as connection:
        from cardroom.store.migrate import write_triggers

        past_the_triggers(lambda sql: connection.execute(text(sql)), is_sqlite=database.is_sqlite)
        connection.execute(text(statement))
        if database.is_sqlite:
            write_triggers(connection)


@pytest.mark.slow
@pytest.mark.requirement("R-17", "R-44")
@pytest.mark.parametrize("what", DAMAGES)
def test_a_damaged_row_stops_the_seal_and_is_made_anew(database_url: str, what: str) -> None:
    with open_house(database_url) as house:
        sold = house.sell(3)
        house.close(1)
        damage(house, DAMAGES[what].format(ticket=sold.tickets[1].id))
        with pytest.raises(Conflict, match=what):
            seal_pool(house.lottery, 1)
        draw = house.draw(1)
        assert (draw.status, draw.root, draw.cards) == ("closed", None, None)
        assert what in (draw.held or "")
        assert house.faults() != ()
        faults = rebuild_rows(house.lottery, operators=TWO, reason="a bad disk")
        assert any(what in fault for fault in faults)
        assert house.faults() == ()
        with house.lottery.database.read() as connection:
            (rebuilt,) = rows.records(connection, kinds=["RowsRebuilt"])
        assert (rebuilt.content["by"], rebuilt.content["faults"]) == (TWO, faults)
        release_draw(house.lottery, 1, operators=TWO, reason="made anew")
        house.settled(1)
        assert {house.pay(ticket).verdict for ticket in sold.tickets} <= {"prize", "no prize"}
        assert house.faults() == ()


@pytest.mark.requirement("R-17")
def test_a_row_that_is_damaged_after_the_seal_stops_the_draw(database_url: str) -> None:
    with open_house(database_url) as house:
        ticket = house.sell().tickets[0]
        house.seal(1)
        damage(house, DAMAGES["terminal"].format(ticket=ticket.id))
        house.clock.moment = house.draw(1).due_at
        with pytest.raises(Conflict, match="terminal is not what the log says"):
            perform_draw(house.lottery, 1)
        assert house.draw(1).cards is None


def test_every_table_is_made_anew(database_url: str) -> None:
    with open_house(database_url) as house:
        sold = house.sell(3)
        house.settled(1)
        house.pay(house.winner(sold))
        for statement in (
            "DELETE FROM claims",
            "UPDATE prizes SET games = 'none'",
            "UPDATE settings SET value = '1999a' WHERE name = 'zone_data'",
            "INSERT INTO settings VALUES ('off:all', 'yes')",
            "UPDATE rules SET text = replace(text, '\"5.00\"', '\"4.00\"')",
        ):
            damage(house, statement)
        faults = rebuild_rows(house.lottery, operators=TWO, reason="a bad disk")
        assert {fault.split()[0] for fault in faults} == {"claims", "prizes", "settings", "rules"}
        assert house.faults() == ()
        assert house.pay(house.winner(sold)).verdict == "paid already"
        with pytest.raises(Conflict, match="append-only"):  # the triggers hold again
            house.lottery.database.write(
                lambda unit: unit.connection.exec_driver_sql("UPDATE claims SET outcome = 'expired'"),
                alone=True,
            )


def test_rules_that_were_changed_are_not_played_by(sqlite_url: str) -> None:
    with open_house(sqlite_url) as house:
        damage(house, "UPDATE rules SET text = replace(text, '\"5.00\"', '\"4.00\"')")
        own = house.lottery
        house.lottery = Lottery(own.database, own.vault, own.first_rules, own.entropy)
        for act in (house.sell, lambda: advance(house.lottery)):
            with pytest.raises(Conflict, match="was changed in the database"):
                act()
        rebuild_rows(house.lottery, operators=TWO, reason="a bad disk")
        house.sell()


def test_rows_are_made_anew_by_two_and_only_where_the_log_is_in_order(database_url: str) -> None:
    with open_house(database_url) as house:
        house.sell()
        with pytest.raises(Conflict, match="every row is what the log says"):
            rebuild_rows(house.lottery, operators=TWO, reason="to be sure")
        with pytest.raises(IllegalAction, match="two people"):
            rebuild_rows(house.lottery, operators=["ann"], reason="a bad disk")
        with pytest.raises(MalformedInput, match="reason"):
            rebuild_rows(house.lottery, operators=TWO, reason="")
        damage(house, "UPDATE log SET body = replace(body, 'terminal-1', 'terminal-2')")
        with pytest.raises(Conflict, match="the log itself is not in order"):
            rebuild_rows(house.lottery, operators=TWO, reason="a bad disk")


@pytest.mark.slow
def test_a_control_that_begins_late_hears_the_draws_that_are_not_over(database_url: str) -> None:
    """A new process reads the log from the day of the first draw that is not over, and agrees."""
    with open_house(database_url) as house:
        for day in ("2025-06-14", "2025-06-15", "2025-06-16"):
            house.set(f"{day} 10:00")
            house.sell(2, 3)
            for hour in ("11:20:30", "11:21", "15:20:30", "15:21", "19:20:30", "19:21", "22:30"):
                house.set(f"{day} {hour}")
                advance(house.lottery)
            house.sell(1, 2)  # for the next day
        own = house.lottery
        fresh = Lottery(own.database, own.vault, own.first_rules, own.entropy)
        with own.database.read() as connection:
            heard = Control()
            heard.catch_up(connection)
            assert min(heard.draws) == 10
            before = rows.last_seq_before_draws(connection)
        assert before > 30
        assert heard.complaints == []
        house.lottery = fresh
        house.settled(10)
        house.settled(11)
        assert house.faults() == ()


def test_a_control_that_was_kept_goes_on_where_it_was(database_url: str) -> None:
    with open_house(database_url) as house:
        house.sell(2, 3)
        with house.lottery.database.read() as connection:
            heard = Control()
            heard.catch_up(connection)
        kept = Control.restored(json.loads(json.dumps(heard.saved())))
        house.sell(1)
        house.close(1)
        with house.lottery.database.read() as connection:
            for control in (heard, kept):
                control.require_rows(connection, 1)
        assert kept.saved() == heard.saved()
        assert len(kept.live_rows.tickets_of(1)) == 3
