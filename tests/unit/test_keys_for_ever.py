"""A key has one outcome for ever: also when the record of its request was sealed long ago."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from cardroom.core.errors import Conflict
from cardroom.lottery.clock_care import accept_clock
from cardroom.lottery.sales import Order, begin_purchase, sell
from cardroom.lottery.scheduler import advance
from cardroom.store.ledger import all_balances
from tests.lottery_house import House, open_house
from tests.unit.test_store_archives import checkpoint, sealed


def books(house: House) -> dict[str, int]:
    with house.lottery.database.read() as connection:
        return all_balances(connection)


def tickets(house: House) -> int:
    with house.lottery.database.read() as connection:
        return int(connection.execute(text("SELECT COUNT(*) FROM tickets")).scalar_one())


def seal_all(house: House, folder: Path) -> None:
    checkpoint(house.lottery.database)
    assert sealed(house.lottery.database, folder)


def a_year_later(house: House, folder: Path) -> None:
    for number in (2, 3):
        house.settled(number)
    house.clock.advance(days=366)
    seal_all(house, folder)
    with house.lottery.database.read() as connection:
        assert connection.execute(text("SELECT COUNT(*) FROM requests")).scalar_one() == 0
    open_again(house)


def open_again(house: House) -> None:
    """The house was closed for a year: two people accept what the clock shows."""
    accept_clock(house.lottery, operators=["ann", "bob"], reason="closed for a year")
    advance(house.lottery)


@pytest.mark.requirement("R-34")
def test_a_purchase_of_a_year_ago_is_neither_sold_nor_charged_again(
    database_url: str, tmp_path: Path
) -> None:
    with open_house(database_url) as house:
        first = sell(house.lottery, Order("terminal-1", 2), key="the-key")
        begun = begin_purchase(house.lottery, Order("terminal-1"), key="begun")
        house.settled(1)
        winner = house.winner(first)
        paid = house.pay(winner, key="claim")
        a_year_later(house, tmp_path)
        before, count = books(house), tickets(house)
        again = sell(house.lottery, Order("terminal-1", 2), key="the-key")
        assert (again.seq, [one.id for one in again.tickets]) == (
            first.seq,
            sorted(one.id for one in first.tickets),
        )
        assert begin_purchase(house.lottery, Order("terminal-1"), key="begun").seq == begun.seq
        assert house.pay(winner, key="claim") == paid
        with pytest.raises(Conflict, match="used before, for a different request"):
            sell(house.lottery, Order("terminal-1", 3), key="the-key")
        assert (books(house), tickets(house)) == (before, count)
        sell(house.lottery, Order("terminal-1", 2), key="another-key")
        assert tickets(house) == count + 2


def test_a_spent_key_cannot_be_made_good_again(database_url: str, tmp_path: Path) -> None:
    with open_house(database_url) as house:
        house.sell(key="the-key")
        house.settled(1)
        a_year_later(house, tmp_path)
        for statement in ("DELETE FROM spent_keys", "UPDATE spent_keys SET answer = '{}'"):
            with (
                pytest.raises(DBAPIError, match="append-only"),
                house.lottery.database.engine.begin() as connection,
            ):
                connection.execute(text(statement))


def test_keys_stay_spent_from_archive_to_archive(sqlite_url: str, tmp_path: Path) -> None:
    with open_house(sqlite_url) as house:
        sold = house.sell(key="the-key")
        house.settled(1)
        a_year_later(house, tmp_path)
        later = house.sell(key="later")
        house.settled(later.tickets[0].draw)
        house.clock.advance(days=366)
        open_again(house)
        seal_all(house, tmp_path)
        assert house.sell(key="the-key").seq == sold.seq
        assert house.sell(key="later").seq == later.seq
