"""The ledger: everything sums to zero, and no guarded account goes below zero, whoever asks."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from sqlalchemy import insert
from sqlalchemy.exc import IntegrityError

from cardroom.core.errors import CardroomError, Conflict
from cardroom.records.house import LoggedOut
from cardroom.store.ledger import (
    HOUSE,
    PLAYERS,
    Transfer,
    all_balances,
    balance,
    is_guarded,
    ledger_faults,
)
from cardroom.store.migrate import open_database
from cardroom.store.schema import balances, transfers
from cardroom.store.unit import Unit
from tests.databases import HandClock
from tests.unit.test_store_log import past_the_triggers

WALLET = "wallet:ann"


def move(source: str, target: str, cents: int) -> Callable[[Unit], int]:
    def run(unit: Unit) -> int:
        return unit.record(LoggedOut(name="Ann"), [Transfer(source, target, cents)]).seq

    return run


@pytest.mark.requirement("R-48")
def test_every_account_together_is_zero(database_url: str) -> None:
    with open_database(database_url, HandClock()) as database:
        database.write(move(PLAYERS, WALLET, 500))
        database.write(move(WALLET, HOUSE, 300))
        with database.read() as connection:
            assert all_balances(connection) == {HOUSE: 300, PLAYERS: -500, WALLET: 200}
            assert all_balances(connection, prefix="wallet:") == {WALLET: 200}
            assert balance(connection, WALLET) == 200
            assert balance(connection, WALLET, before=2) == 500
            assert ledger_faults(connection) == []


@pytest.mark.requirement("R-43")
def test_a_guarded_account_cannot_go_below_zero(database_url: str) -> None:
    with open_database(database_url, HandClock()) as database:
        database.write(move(PLAYERS, WALLET, 500))
        with pytest.raises(Conflict, match="not_negative"):
            database.write(move(WALLET, PLAYERS, 501))
        with database.read() as connection:
            assert all_balances(connection) == {PLAYERS: -500, WALLET: 500}
        database.write(move(WALLET, PLAYERS, 500))
        with database.engine.begin() as connection, pytest.raises(IntegrityError):
            connection.execute(insert(balances).values(account=WALLET, step=9, seq=1, balance_cents=-1))


@pytest.mark.requirement("R-43", "R-48")
def test_what_another_program_moved_is_seen(database_url: str) -> None:
    """A writer remembers balances only for as long as nobody else has written."""
    with open_database(database_url, HandClock()) as one, open_database(database_url, HandClock()) as other:
        one.write(move(PLAYERS, WALLET, 500))
        other.write(move(WALLET, HOUSE, 300))
        with pytest.raises(Conflict, match="not_negative"):
            one.write(move(WALLET, HOUSE, 300))
        one.write(move(WALLET, HOUSE, 150))
        with pytest.raises(Conflict, match="not_negative"):
            other.write(move(WALLET, HOUSE, 51))
        other.write(move(WALLET, HOUSE, 50))
        with one.read() as connection:
            assert all_balances(connection) == {HOUSE: 500, PLAYERS: -500, WALLET: 0}
            assert ledger_faults(connection) == []


@pytest.mark.requirement("R-43")
def test_many_at_once_cannot_spend_the_same_money(database_url: str) -> None:
    with open_database(database_url, HandClock()) as database:
        database.write(move(PLAYERS, WALLET, 1000))
        refused: list[CardroomError] = []

        def spend() -> None:
            try:
                database.write(move(WALLET, HOUSE, 300))
            except Conflict as error:
                refused.append(error)

        threads = [threading.Thread(target=spend) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        with database.read() as connection:
            assert balance(connection, WALLET) == 100
            assert ledger_faults(connection) == []
        assert len(refused) == 5


@pytest.mark.parametrize(("source", "target", "cents"), [(WALLET, WALLET, 5), (PLAYERS, WALLET, -5)])
def test_a_movement_has_two_accounts_and_an_amount(
    database_url: str, source: str, target: str, cents: int
) -> None:
    with open_database(database_url, HandClock()) as database, pytest.raises(Conflict):
        database.write(move(source, target, cents))


def test_a_movement_changed_past_the_triggers_is_found(database_url: str) -> None:
    with open_database(database_url, HandClock()) as database:
        database.write(move(PLAYERS, WALLET, 500))
        with database.engine.begin() as connection:
            past_the_triggers(connection.exec_driver_sql, is_sqlite=database.is_sqlite)
            connection.execute(transfers.update().values(amount_cents=400))
        with database.read() as connection:
            assert ledger_faults(connection) == [f"{WALLET}: it moved 400 cents, but its balance is 500"]


def test_only_the_outside_and_the_house_may_be_below_zero() -> None:
    assert [is_guarded(name) for name in (PLAYERS, HOUSE, WALLET, "draw:1:prizes")] == [
        False,
        False,
        True,
        True,
    ]
