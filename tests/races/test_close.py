"""Nothing is sold after the close, however requests race; the twin without the lock shows it is the lock."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count

import pytest

from cardroom.core.errors import CardroomError, Conflict
from cardroom.lottery.alteration import alter
from cardroom.lottery.draws import close_sales, pool_root, seal_pool
from cardroom.lottery.house import Lottery
from cardroom.lottery.sales import Order, sell
from cardroom.store import lottery as rows
from cardroom.store.database import Database
from tests.lottery_house import House, open_house, other_choice
from tests.unit.test_store_log import past_the_triggers


@contextmanager
def second_process(house: House, *, lock: bool) -> Iterator[tuple[Lottery, threading.Event, threading.Event]]:
    """Another process on the same database, which stops between looking at a draw and writing its sale."""
    looked, go_on = threading.Event(), threading.Event()

    def pause(point: str) -> None:
        if point == ("looked" if not lock else "INSERT INTO log"):
            looked.set()
            assert go_on.wait(10)

    first = house.lottery
    with Database(first.database.url, house.clock, probe=pause, lock=lock) as database:
        yield Lottery(database, first.vault, first.rules, first.entropy), looked, go_on


def sell_into_close(other: Lottery, looked: threading.Event) -> tuple[threading.Thread, list[object]]:
    """A sale that has looked at its draw while sales were open, and writes after the close was asked for."""
    outcome: list[object] = []

    def late() -> None:
        try:
            outcome.append(sell(other, Order("terminal-2"), key="late"))
        except CardroomError as refusal:
            outcome.append(refusal)

    thread = threading.Thread(target=late)
    thread.start()
    assert looked.wait(10)
    return thread, outcome


@pytest.mark.requirement("R-16", "R-21")
def test_with_the_lock_the_close_waits_for_the_sale(database_url: str) -> None:
    with open_house(database_url) as house, second_process(house, lock=True) as (other, looked, go_on):
        house.sell(2)
        thread, outcome = sell_into_close(other, looked)
        house.clock.moment = house.draw(1).closes_at
        closing = threading.Thread(target=lambda: close_sales(house.lottery, 1))
        closing.start()
        closing.join(0.3)
        assert closing.is_alive()  # the close cannot pass a sale that is under way
        go_on.set()
        thread.join()
        closing.join()
        assert not isinstance(outcome[0], CardroomError)
        sealed = seal_pool(house.lottery, 1)
        assert sealed.ticket_count == 3  # it was sold before the close, and is in the pool
        assert house.faults() == ()


@pytest.mark.requirement("R-16")
def test_without_the_lock_the_triggers_of_the_database_still_refuse(database_url: str) -> None:
    with open_house(database_url) as house, second_process(house, lock=False) as (other, looked, go_on):
        house.sell(2)
        thread, outcome = sell_into_close(other, looked)
        house.seal(1)
        go_on.set()
        thread.join()
        assert isinstance(outcome[0], Conflict)
        with house.lottery.database.read() as connection:
            assert rows.count_and_total(connection, 1) == (2, 1000)
        assert house.faults() == ()


@pytest.mark.requirement("R-16")
def test_twin_without_lock_and_laws_a_ticket_is_sold_late(database_url: str) -> None:
    """The race is real: take both guards away and the pool changes after it was sealed."""
    with open_house(database_url) as house, second_process(house, lock=False) as (other, looked, go_on):
        house.sell(2)
        without_triggers(house)
        thread, outcome = sell_into_close(other, looked)
        # The close's own records would collide with the sale's in the chain, so the draw is closed beside it.
        with house.lottery.database.engine.begin() as connection:
            connection.exec_driver_sql("UPDATE draws SET status = 'closed' WHERE number = 1")
        with house.lottery.database.read() as connection:
            before = pool_root(connection, 1)
        go_on.set()
        thread.join()
        assert not isinstance(outcome[0], CardroomError)
        with house.lottery.database.read() as connection:
            assert pool_root(connection, 1) != before  # what must never happen, happened


def without_triggers(house: House) -> None:
    database = house.lottery.database
    with database.engine.begin() as connection:
        if database.is_sqlite:
            past_the_triggers(connection.exec_driver_sql, is_sqlite=True)
        else:
            for table in ("tickets", "draws"):
                connection.exec_driver_sql(f"ALTER TABLE {table} DISABLE TRIGGER USER")


@pytest.mark.requirement("R-16")
def test_a_rush_at_the_close(database_url: str) -> None:
    with open_house(database_url) as house:
        closes_at = house.draw(1).closes_at
        sold: list[str] = []
        refused: list[str] = []
        start, closed, one_more = threading.Barrier(9), threading.Event(), threading.Semaphore(0)

        def rush(name: str) -> None:
            start.wait()
            for turn in count():
                late = closed.is_set()
                try:
                    purchase = sell(house.lottery, Order(name, first_draw=1), key=f"{name}-{turn}")
                    assert not late, "sold after the close was answered"
                    sold.extend(ticket.id for ticket in purchase.tickets)
                    one_more.release()
                except Conflict as refusal:
                    refused.append(refusal.clause or "")
                    return

        threads = [threading.Thread(target=rush, args=(f"terminal-{n}",)) for n in range(8)]
        for thread in threads:
            thread.start()
        start.wait()
        for _ in range(8):
            assert one_more.acquire(timeout=300)
        house.clock.moment = closes_at
        close_sales(house.lottery, 1)
        closed.set()
        for thread in threads:
            thread.join()
        sealed = seal_pool(house.lottery, 1)
        with house.lottery.database.read() as connection:
            pool = list(rows.tickets_of_draw(connection, 1))
        assert {ticket.id for ticket in pool} == set(sold)
        assert all(ticket.sold_at < closes_at for ticket in pool)
        assert sealed.ticket_count == len(sold)
        assert refused == ["KO21-2.4"] * 8
        assert house.faults() == ()


@pytest.mark.requirement("R-16")
@pytest.mark.parametrize("back_seconds", [1, 3600])
def test_a_clock_put_back_reopens_nothing(database_url: str, back_seconds: int) -> None:
    with open_house(database_url) as house:
        ticket = house.sell().tickets[0]
        house.seal(1)
        house.clock.advance(seconds=-back_seconds)
        with pytest.raises(Conflict, match="closed"):
            house.sell(first=1)
        with pytest.raises(Conflict, match="closed"):
            alter(house.lottery, ticket.control_number, {14: other_choice(ticket)}, key="alter")
        assert house.faults() == ()


@pytest.mark.requirement("R-16")
def test_a_clock_put_back_before_the_close_is_done(database_url: str) -> None:
    """Another draw's sale brought the log past the close; a clock that is behind does not undo that."""
    with open_house(database_url) as house:
        house.clock.moment = house.draw(1).closes_at
        house.sell(first=2)
        house.clock.advance(minutes=-5)
        with pytest.raises(Conflict, match="closed"):
            house.sell(first=1)


@pytest.mark.requirement("R-21")
@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE tickets SET choices = 'HHHHHHHHHHH'",
        "UPDATE tickets SET hands = 'AhAh'",
        "DELETE FROM tickets",
        "UPDATE draws SET root = 'x' WHERE number = 1",
        "UPDATE draws SET status = 'open' WHERE number = 1",
        "DELETE FROM draws",
    ],
)
def test_the_database_keeps_a_sealed_pool(database_url: str, statement: str) -> None:
    from sqlalchemy.exc import IntegrityError

    with open_house(database_url) as house:
        house.sell(3)
        house.seal(1)
        with pytest.raises(IntegrityError), house.lottery.database.engine.begin() as connection:
            connection.exec_driver_sql(statement)


@pytest.mark.requirement("R-21", "R-28")
def test_a_ticket_changed_past_the_triggers_stops_the_draw(database_url: str) -> None:
    with open_house(database_url) as house:
        ticket = house.sell(3).tickets[0]
        house.drawn(1)
        flipped = "".join("H" if letter == "S" else "S" for letter in "HHHHHHHHHHH")
        with house.lottery.database.engine.begin() as connection:
            past_the_triggers(connection.exec_driver_sql, is_sqlite=house.lottery.database.is_sqlite)
            connection.exec_driver_sql(f"UPDATE tickets SET choices = '{flipped}' WHERE id = '{ticket.id}'")
        from cardroom.lottery.settlement import settle_draw

        with pytest.raises(Conflict, match="not those that were sealed"):
            settle_draw(house.lottery, 1)
        assert "not those that were sealed" in (house.draw(1).held or "")
        assert f"tickets {ticket.id}: choices is not what the log says" in house.faults()
