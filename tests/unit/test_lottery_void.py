"""A draw that was called off: sales go on around it, it is no sale and no prize, and it has a record."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from cardroom.core.errors import Conflict
from cardroom.fair.record import canonical, seal
from cardroom.lottery.draws import void_draw
from cardroom.lottery.record import draw_record
from cardroom.lottery.reports import day_report, draw_report
from cardroom.lottery.sales import Order, sell
from cardroom.lottery.scheduler import advance
from cardroom.lottery.verify import verify_draw
from tests.lottery_house import House, house_rules, open_house

DAY = "2025-06-14"


@pytest.fixture
def house(database_url: str) -> Iterator[House]:
    with open_house(database_url, rules=house_rules(draws__interval_minutes=60)) as opened:
        yield opened


def call_off(house: House, number: int) -> None:
    void_draw(house.lottery, number, operators=["ann", "bob"], reason="the hall has no power")


@pytest.mark.clause("KO21-2.2", "KO21-3.4")
def test_three_consecutive_draws_pass_over_one_that_was_called_off(house: House) -> None:
    call_off(house, 2)
    sold = sell(house.lottery, Order("terminal-1", 1, 3), key="three")
    assert [ticket.draw for ticket in sold.tickets] == [1, 3, 4]
    assert [ticket.draw for ticket in house.sell(1, 2, first=3).tickets] == [3, 4]
    with pytest.raises(Conflict, match="draw 2 was called off and its sales are closed; nothing") as refusal:
        house.sell(first=2)
    assert refusal.value.clause == "KO21-2.4"
    with pytest.raises(Conflict, match="draw 5 is not on sale yet"):
        house.sell(1, 3, first=3)
    assert house.faults() == ()


def test_the_first_draw_in_the_window_may_be_the_one_called_off(house: House) -> None:
    call_off(house, 1)
    assert [ticket.draw for ticket in house.sell(2, 3).tickets] == [2, 2, 3, 3, 4, 4]
    advance(house.lottery)
    assert house.faults() == ()


@pytest.mark.requirement("R-45")
def test_it_is_reported_neither_as_sales_nor_as_prizes(house: House) -> None:
    called_off, *_ = house.sell(2, first=2).tickets
    house.sell(1)
    call_off(house, 2)
    house.pay(called_off)
    report = draw_report(house.lottery, 2)
    for name in ("tickets", "sales_cents", "prizes_cents", "paid_cents", "waiting_cents", "expired_cents"):
        assert report[name] == 0
    assert report["called_off"] == {
        "tickets": 2,
        "returned_cents": 1000,
        "paid_back_cents": 500,
        "expired_cents": 0,
        "waiting_cents": 500,
    }
    day = day_report(house.lottery, DAY)
    assert (day["tickets"], day["sales_cents"], day["prizes_cents"]) == (1, 500, 0)
    assert (day["called_off"], day["called_off_cents"]) == ([2], 1000)


@pytest.mark.requirement("R-25")
@pytest.mark.parametrize("stage", ["committed", "open", "sealed"])
def test_it_has_a_record_that_a_stranger_checks(house: House, stage: str) -> None:
    number = {"committed": 5, "open": 2, "sealed": 1}[stage]
    if stage != "committed":
        house.sell(2, first=number)
    if stage == "sealed":
        house.seal(number)
    call_off(house, number)
    text = draw_record(house.lottery, number)
    assert verify_draw(text).holds
    plain = json.loads(text)
    assert plain["operators"] == ["ann", "bob"]
    assert plain["reason"] == "the hall has no power"
    assert [cents for _, cents in plain["returned"]] == [500] * (0 if stage == "committed" else 2)
    assert "secret" not in plain
    assert verify_draw(text.replace("no power", "no powder")).findings


@pytest.mark.slow
@pytest.mark.parametrize(
    ("field", "value", "where"),
    [
        ("operators", ["ann", "Ann"], "operators"),
        ("returned", [], "returned"),
        ("total_cents", 500, "total_cents"),
        ("times", {}, "times"),
        ("first_cards", "AhAhAhAhAh", "first_cards"),
    ],
)
def test_a_record_made_up_is_found_out(house: House, field: str, value: object, where: str) -> None:
    """Sealed anew by whoever made it up: what it says does not fit together."""
    house.sell(2, first=2)
    call_off(house, 2)
    plain = json.loads(draw_record(house.lottery, 2))
    plain[field] = value
    plain["seals"][field] = seal(field, value)
    verdict = verify_draw(canonical(plain) + "\n")
    assert [finding.where for finding in verdict.findings] == [where]
