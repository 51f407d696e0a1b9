"""Knockout 21's emergency: a draw out of its time, or called off, by two people."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cardroom.core.errors import CardroomError, Conflict
from cardroom.lottery.alteration import alter
from cardroom.lottery.claims import check_ticket
from cardroom.lottery.draws import perform_draw, void_draw
from cardroom.lottery.sales import Order, begin_purchase, reprint
from cardroom.lottery.scheduler import advance
from cardroom.lottery.settlement import settle_draw
from cardroom.store import lottery as rows
from cardroom.store.ledger import PLAYERS, balance
from tests.lottery_house import House, open_house, other_choice

Act = Callable[[House, list[str], str], object]


def draw_early(house: House, people: list[str], reason: str) -> object:
    return perform_draw(house.lottery, 1, operators=people, manual=True, reason=reason)


def call_off(house: House, people: list[str], reason: str) -> object:
    return void_draw(house.lottery, 1, operators=people, reason=reason)


@pytest.mark.clause("KO21-3.4")
@pytest.mark.requirement("R-25")
@pytest.mark.parametrize("act", [draw_early, call_off])
def test_an_emergency_takes_two_people_and_a_reason(database_url: str, act: Act) -> None:
    with open_house(database_url) as house:
        house.sell()
        house.seal(1)
        for people, reason in (
            ([], "fire"),
            (["ann"], "fire"),
            (["ann", "ann"], "fire"),
            (["ann", "bob"], ""),
            (["ann", "bob"], " "),
        ):
            with pytest.raises(CardroomError) as refusal:
                act(house, people, reason)
            assert refusal.value.clause == "KO21-3.4"
            assert house.draw(1).status == "sealed"
        act(house, ["bob", "ann"], "fire")
        with house.lottery.database.read() as connection:
            (record,) = rows.records(connection, kinds=["DrawDrawn", "DrawVoided"])
        signed = record.content.get("operators") or record.content["by"]
        assert (signed, record.content["reason"]) == (["ann", "bob"], "fire")
        assert house.faults() == ()


@pytest.mark.clause("KO21-3.4", "KO21-3.2")
def test_a_draw_drawn_early_counts_and_is_not_drawn_again(database_url: str) -> None:
    with open_house(database_url) as house:
        ticket = house.sell().tickets[0]
        with pytest.raises(Conflict, match="only a sealed pool"):  # not while tickets are sold
            draw_early(house, ["ann", "bob"], "fire")
        house.seal(1)
        assert house.clock.moment < house.draw(1).due_at
        with pytest.raises(Conflict) as refusal:  # by the schedule it is not due
            perform_draw(house.lottery, 1)
        assert refusal.value.clause == "KO21-3.1"
        draw_early(house, ["ann", "bob"], "fire")
        cards = house.draw(1).cards
        settle_draw(house.lottery, 1)
        house.clock.moment = house.draw(1).due_at
        advance(house.lottery)
        assert perform_draw(house.lottery, 1).cards == cards
        with pytest.raises(Conflict) as refusal:
            call_off(house, ["ann", "bob"], "regret")
        assert refusal.value.clause == "KO21-3.4"
        assert house.pay(ticket).prize_cents == 1000 + 1500 + 2000  # a lone ticket wins every game
        assert house.faults() == ()


@pytest.mark.clause("KO21-3.4")
def test_tickets_of_a_draw_called_off_get_their_price_back_once(database_url: str) -> None:
    with open_house(database_url) as house:
        purchase = house.sell(draws=2)
        first, second = purchase.tickets
        choosing = begin_purchase(house.lottery, Order("terminal-2"), key="begin")
        call_off(house, ["ann", "bob"], "fire")
        with pytest.raises(Conflict) as refusal:
            alter(house.lottery, first.control_number, {14: other_choice(first)}, key="alter")
        assert refusal.value.clause == "KO21-2.8"
        with pytest.raises(Conflict) as refusal:
            house.sell(first=1)
        assert refusal.value.clause == "KO21-2.4"
        unfinished = reprint(house.lottery, choosing.tickets[0].id)  # it was paid for: it has a print now
        for ticket in (first, unfinished):
            assert (house.pay(ticket).prize_cents, house.pay(ticket).verdict) == (500, "paid already")
        with house.lottery.database.read() as connection:
            assert balance(connection, PLAYERS) == -500
            assert balance(connection, "draw:1:sales") == 0
        # It takes part in no draw; the ticket of the other draw is as it was.
        for number in (2, 3):
            house.settled(number)
        assert house.draw(2).ticket_count == 1
        assert house.draw(1).cards is None
        assert check_ticket(house.lottery, second.control_number, terminal="t").verdict == "prize"
        assert house.faults() == ()


@pytest.mark.clause("KO21-3.4", "KO21-4.8")
def test_the_price_of_a_draw_called_off_is_claimed_within_a_year(database_url: str) -> None:
    with open_house(database_url) as house:
        ticket = house.sell().tickets[0]
        call_off(house, ["ann", "bob"], "fire")
        house.outage_until("2026-06-15 10:00")
        assert house.pay(ticket).verdict == "expired"
