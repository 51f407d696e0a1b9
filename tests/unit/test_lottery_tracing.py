"""Every ticket is traced to a payment that stands, every prize to a credit; planted holes are named."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from cardroom.core.errors import Conflict
from cardroom.lottery.claims import book_expired
from cardroom.lottery.draws import void_draw
from cardroom.lottery.reports import check_log, day_report
from cardroom.lottery.sales import Order, Purchase, sell
from cardroom.lottery.tickets import PrintedTicket
from cardroom.records.house import LoggedOut
from cardroom.records.lottery import PrizePaid, TicketsSold
from cardroom.store import lottery as rows
from cardroom.store.ledger import PLAYERS, Transfer
from cardroom.store.unit import Unit
from tests.lottery_house import House, open_house

DAY = "2025-06-14"
OTHER = "wallet:other"


@pytest.fixture
def house(database_url: str) -> Iterator[House]:
    with open_house(database_url) as opened:
        yield opened


def plant(house: House, run: Callable[[Unit], Any]) -> None:
    house.lottery.database.write(run, alone=True)


def faults(house: House) -> str:
    """What the check of the books and the report of the day find; they find the same of the day's draws."""
    found = check_log(house.lottery).faults
    reported = day_report(house.lottery, DAY)["traced"]["faults"]
    assert set(reported) == set(found)
    return "\n".join(found)


def sale_of(house: House, purchase: Purchase) -> dict[str, Any]:
    with house.lottery.database.read() as connection:
        record = rows.record_at(connection, purchase.seq)
    assert record is not None
    content: dict[str, Any] = json.loads(record.body)
    return content


def sell_again(unit: Unit, content: dict[str, Any], moves: list[Transfer], **other: Any) -> str:
    """A sale like another one, with a ticket of its own, written with these movements of money."""
    entry = {**content["tickets"][0], "id": "f" * 32, "tag": "a tag of its own"}
    values = {"terminal": "terminal-1", "buyer": PLAYERS, "state": "issued", "key": "planted", **other}
    record = unit.record(TicketsSold(tickets=[entry], **values), moves)
    row = rows.ticket_of_event(
        entry, purchase=record.seq, terminal="terminal-1", sold_at=unit.at, state="issued"
    )
    rows.add_ticket(unit, row)
    return str(entry["id"])


def test_an_honest_day_has_no_hole_and_says_what_was_traced(house: House) -> None:
    first = [sell(house.lottery, Order("terminal-1", 3), key=f"a{n}") for n in range(2)]
    second = sell(house.lottery, Order("terminal-2", 2, first_draw=2), key="b")
    house.settled(1)
    void_draw(house.lottery, 2, operators=["ann", "bob"], reason="fire")
    house.pay(second.tickets[0])
    winner = next(house.winner(purchase) for purchase in first if won(house, purchase))
    house.pay(winner)
    assert faults(house) == ""
    traced = day_report(house.lottery, DAY)["traced"]
    with house.lottery.database.read() as connection:
        prizes = len(rows.prizes_of_draw(connection, 1)) + 2
    assert traced == {
        "tickets": 8,
        "with_payment": 8,
        "prizes": prizes,
        "credited": 2,
        "expired": 0,
        "players": 1,
        "faults": [],
    }
    house.outage_until("2026-06-16 10:00")
    book_expired(house.lottery)
    traced = day_report(house.lottery, DAY)["traced"]
    assert (traced["expired"], traced["faults"]) == (prizes - 2, [])
    assert check_log(house.lottery).faults == ()


def won(house: House, purchase: Purchase) -> bool:
    with house.lottery.database.read() as connection:
        return any(rows.find_prize(connection, ticket.id) for ticket in purchase.tickets)


def test_a_ticket_whose_payment_was_given_back_is_named(house: House) -> None:
    house.sell(2)
    last = house.sell(1).tickets[0]
    plant(
        house,
        lambda unit: unit.record(LoggedOut(name="refund"), [Transfer("draw:1:sales", PLAYERS, 500)]),
    )
    found = faults(house)
    assert f"ticket {last.id} of draw 1, {PLAYERS}: no payment stands for it; record" in found
    assert f"draw 1, {PLAYERS}: 3 tickets cost 1500 cents, and 1000 cents of payments stand" in found
    house.seal(1)
    with pytest.raises(Conflict, match="payments for tickets of draw 1 back"):
        house.drawn(1)  # and no card is drawn for it


@pytest.mark.parametrize(
    "moves",
    [[], [Transfer("house:result", "draw:1:sales", 500)], [Transfer(PLAYERS, "draw:1:sales", 499)]],
    ids=["no payment", "somebody else's", "too little"],
)
def test_a_ticket_without_a_payment_is_named(house: House, moves: list[Transfer]) -> None:
    content = sale_of(house, house.sell())
    plant(house, lambda unit: sell_again(unit, content, moves))
    assert f"ticket {'f' * 32} of draw 1, {PLAYERS}: no payment stands for it" in faults(house)
    with pytest.raises(Conflict, match="the control"):
        house.drawn(1)


def test_a_key_that_sold_twice_is_named(house: House) -> None:
    purchase = house.sell(key="once")
    content = sale_of(house, purchase)
    paid = [Transfer(PLAYERS, "draw:1:sales", 500)]
    plant(house, lambda unit: sell_again(unit, content, paid, key="once"))
    assert f"the key 'once' sold tickets before, in record {purchase.seq}" in faults(house)


def drawn_winner(house: House) -> tuple[PrintedTicket, int]:
    """A ticket that won, of a draw whose prizes are more than one."""
    purchases = [house.sell(3) for _ in range(2)]
    house.settled(1)
    ticket = next(house.winner(purchase) for purchase in purchases if won(house, purchase))
    with house.lottery.database.read() as connection:
        prize = rows.find_prize(connection, ticket.id)
        assert prize is not None
        assert sum(one.amount_cents for one in rows.prizes_of_draw(connection, 1)) >= 2 * prize.amount_cents
    return ticket, prize.amount_cents


def pay(unit: Unit, ticket: str, cents: int, moves: list[Transfer], *, claimed: bool) -> None:
    paid = PrizePaid(terminal="terminal-1", ticket=ticket, draw=1, amount_cents=cents, payee=PLAYERS)
    record = unit.record(paid, moves)
    if claimed:
        prize = rows.find_prize(unit.connection, ticket)
        assert prize is not None
        rows.add_claim(unit, prize, "paid", record.seq)


@pytest.mark.parametrize("target", [None, OTHER], ids=["nobody was credited", "somebody else was"])
def test_a_prize_without_a_credit_is_named(house: House, target: str | None) -> None:
    ticket, cents = drawn_winner(house)
    moves = [] if target is None else [Transfer("draw:1:prizes", target, cents)]
    plant(house, lambda unit: pay(unit, ticket.id, cents, moves, claimed=True))
    assert f"the prize of ticket {ticket.id} is paid: {cents} cents, not credited to {PLAYERS}" in faults(
        house
    )


def test_a_credit_made_twice_is_named(house: House) -> None:
    ticket, cents = drawn_winner(house)
    house.pay(ticket)
    credit = [Transfer("draw:1:prizes", PLAYERS, cents)]
    with pytest.raises(Conflict, match="refuses"):  # the database itself does not let a second claim in
        plant(house, lambda unit: pay(unit, ticket.id, cents, credit, claimed=True))
    plant(house, lambda unit: unit.record(LoggedOut(name="again"), credit))
    assert f"{PLAYERS} got {cents} cents of draw 1's prizes for no ticket (LoggedOut)" in faults(house)


def test_a_second_payment_in_the_log_is_named_by_its_ticket(house: House) -> None:
    ticket, cents = drawn_winner(house)
    house.pay(ticket)
    credit = [Transfer("draw:1:prizes", PLAYERS, cents)]
    plant(house, lambda unit: pay(unit, ticket.id, cents, credit, claimed=False))
    again = f"the prize of ticket {ticket.id} was paid before and is paid again"
    for found in (day_report(house.lottery, DAY)["traced"]["faults"], check_log(house.lottery).faults):
        assert any(again in fault for fault in found)
