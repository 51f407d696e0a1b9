"""A clock that runs ahead: nothing moves before two people look at it, and what it did is put right."""

from __future__ import annotations

from datetime import timedelta

import pytest

from cardroom.core.errors import Conflict, IllegalAction, MalformedInput
from cardroom.lottery.claims import book_expired, check_ticket, correct_expiry
from cardroom.lottery.clock_care import accept_clock, clock_state, put_clock_back
from cardroom.lottery.draws import open_day
from cardroom.lottery.readiness import LONGEST_DELAY, ClockJumped
from cardroom.lottery.schedule import parse_day
from cardroom.lottery.scheduler import advance
from cardroom.records.house import LoggedOut
from cardroom.store import lottery as rows
from cardroom.store.ledger import UNCLAIMED, balance
from tests.lottery_house import House, open_house, pacific

TWO = ["ann", "bob"]


def log(house: House) -> list[str]:
    with house.lottery.database.read() as connection:
        return [record.kind for record in rows.records(connection)]


@pytest.mark.requirement("R-29")
def test_a_question_does_not_move_the_log(database_url: str) -> None:
    with open_house(database_url) as house:
        house.set("2026-06-20 10:00")
        answer = check_ticket(house.lottery, "34679-34679A-34679-34679A", terminal="t")
        assert answer.verdict == "not found"
        with house.lottery.database.read() as connection:
            (asked,) = rows.records(connection, kinds=["TicketChecked"])
        assert asked.at == "2025-06-14T17:00:00.000000Z"
        assert asked.content["asked_at"] == "2026-06-20T17:00:00.000000Z"
        house.set("2025-06-14 10:01")
        assert house.sell().tickets[0].draw == 1
        assert house.faults() == ()


def test_a_question_in_one_commit_with_a_refused_sale_does_not_move_it_either(sqlite_url: str) -> None:
    with open_house(sqlite_url) as house:
        house.set("2025-06-14 10:05")

        from cardroom.lottery.sales import Order, Sale
        from cardroom.records.lottery import TicketChecked
        from cardroom.store.unit import Unit

        def ask(unit: Unit) -> str:
            return unit.note(TicketChecked(terminal="t", ticket="", answer="not found")).at

        refused = Sale(house.lottery, Order("t", 99), "refused")
        asked, _ = house.lottery.database.write_all([(ask, None), (refused.run, "refused")])
        assert asked == "2025-06-14T17:00:00.000000Z"
        _, asked = house.lottery.database.write_all([(refused.run, "refused"), (ask, None)])
        assert asked == "2025-06-14T17:00:00.000000Z"
        sold = Sale(house.lottery, Order("t"), "sold")
        _, asked = house.lottery.database.write_all([(sold.run, "sold"), (ask, None)])
        assert asked == "2025-06-14T17:05:00.000000Z"
        assert house.faults() == ()


def test_nothing_is_done_a_year_ahead_and_all_goes_on_when_the_clock_is_right(database_url: str) -> None:
    with open_house(database_url) as house:
        sold = house.sell(3)
        house.settled(1)
        winner = house.winner(sold)
        before = log(house)
        house.set("2026-07-01 10:00")
        for act in (
            lambda: advance(house.lottery),
            house.sell,
            lambda: book_expired(house.lottery),
            lambda: house.pay(winner),
            lambda: open_day(house.lottery, parse_day("2026-07-01"), by="ann"),
        ):
            with pytest.raises(ClockJumped, match="set the clock, or two people accept its time"):
                act()
        assert log(house) == before
        house.set("2025-06-14 12:00")
        house.sell()
        assert house.pay(winner).verdict == "prize"
        assert house.faults() == ()


def test_what_the_lottery_waits_for_is_its_next_duty_and_twelve_hours(sqlite_url: str) -> None:
    with open_house(sqlite_url) as house:
        assert timedelta(hours=12) == LONGEST_DELAY
        house.set("2025-06-14 23:20:30")  # sales of draw 1 were to close at 11:20:30
        assert clock_state(house.lottery).why_not == ""
        house.clock.advance(microseconds=1)
        assert "the lottery was to go on by 2025-06-15 06:20 UTC" in clock_state(house.lottery).why_not
        house.set("2025-06-14 23:20:30")
        advance(house.lottery)
        assert clock_state(house.lottery).latest == pacific("2025-06-15 23:20:30")


def test_two_people_accept_a_clock_after_an_outage(database_url: str) -> None:
    with open_house(database_url) as house:
        house.sell()
        house.set("2025-06-20 11:21:10")
        with pytest.raises(IllegalAction, match="two people"):
            accept_clock(house.lottery, operators=["ann", "ann"], reason="a flood")
        with pytest.raises(MalformedInput, match="reason"):
            accept_clock(house.lottery, operators=TWO, reason=" ")
        accept_clock(house.lottery, operators=TWO, reason="a flood")
        with pytest.raises(Conflict, match="nothing to accept"):
            accept_clock(house.lottery, operators=TWO, reason="a flood")
        assert "settled draw 1" in advance(house.lottery)
        with house.lottery.database.read() as connection:
            (accepted,) = rows.records(connection, kinds=["ClockAccepted"])
        assert accepted.content["by"] == TWO
        assert accepted.content["expected"] == "2025-06-15T06:20:30.000000Z"
        house.sell()
        assert house.faults() == ()


@pytest.mark.slow
def test_a_time_that_was_accepted_wrongly_is_put_right_and_so_is_what_it_booked(database_url: str) -> None:
    with open_house(database_url) as house:
        sold = house.sell(3)
        house.settled(1)
        winner = house.winner(sold)
        house.outage_until("2026-07-01 10:00")  # nobody looked at a calendar
        advance(house.lottery)
        assert house.pay(winner).verdict == "expired"
        with house.lottery.database.read() as connection:
            prizes = {prize.ticket: prize.amount_cents for prize in rows.prizes_of_draw(connection, 1)}
            assert balance(connection, UNCLAIMED) == sum(prizes.values())
        house.set("2025-06-14 12:00")
        with pytest.raises(ClockJumped, match="the log's last record"):
            house.sell()
        with pytest.raises(IllegalAction, match="two people"):
            put_clock_back(house.lottery, operators=["ann"], reason="it is 2025")
        put_clock_back(house.lottery, operators=TWO, reason="it is 2025")
        with pytest.raises(Conflict, match="nothing to put back"):
            put_clock_back(house.lottery, operators=TWO, reason="it is 2025")
        assert house.faults() == ()
        advance(house.lottery)
        ticket = house.sell().tickets[0]
        assert ticket.sold_at == pacific("2025-06-14 12:00")
        assert ticket.draw_at == pacific("2025-06-15 11:21")  # today's were held by the wrong clock
        with pytest.raises(IllegalAction, match="two people"):
            correct_expiry(house.lottery, 1, operators=["ann", "ann"], reason="a wrong clock")
        assert correct_expiry(house.lottery, 1, operators=TWO, reason="a wrong clock") == len(prizes)
        with pytest.raises(Conflict, match="no prize of draw 1 is booked as expired"):
            correct_expiry(house.lottery, 1, operators=TWO, reason="a wrong clock")
        assert check_ticket(house.lottery, winner.control_number, terminal="t").verdict == "prize"
        answer = house.pay(winner)
        assert (answer.verdict, answer.prize_cents) == ("prize", prizes[winner.id])
        with house.lottery.database.read() as connection:
            assert balance(connection, UNCLAIMED) == 0
            assert balance(connection, "draw:1:prizes") == sum(prizes.values()) - prizes[winner.id]
        house.settled(ticket.draw)
        assert house.pay(ticket).verdict == "prize"  # alone in its draw
        assert house.faults() == ()


@pytest.mark.clause("KO21-4.8")
def test_a_prize_that_expired_in_its_time_stays_so_and_one_paid_too(database_url: str) -> None:
    with open_house(database_url) as house:
        sold = house.sell(3)
        house.settled(1)
        house.pay(house.winner(sold))
        house.outage_until("2026-06-15 10:00")
        book_expired(house.lottery)
        with pytest.raises(Conflict, match="could be claimed until 2026-06-14"):
            correct_expiry(house.lottery, 1, operators=TWO, reason="please")
        with pytest.raises(Conflict, match="claims is append-only"):
            house.lottery.database.write(
                lambda unit: unit.connection.exec_driver_sql("DELETE FROM claims"), alone=True
            )


def test_a_log_that_others_moved_ahead_is_noticed(database_url: str) -> None:
    """Tables write into the same log: with the clock wrong they carry its time ahead."""
    with open_house(database_url) as house:
        house.set("2026-07-01 10:00")
        house.lottery.database.write(lambda unit: unit.record(LoggedOut(name="ann")))
        with pytest.raises(ClockJumped, match="the clock is at 2026-07-01"):
            advance(house.lottery)
        house.set("2025-06-14 11:00")
        with pytest.raises(ClockJumped, match="the log's last record is at 2026-07-01"):
            advance(house.lottery)
        with pytest.raises(Conflict, match="nothing to accept"):
            accept_clock(house.lottery, operators=TWO, reason="wrong button")
        put_clock_back(house.lottery, operators=TWO, reason="the clock was wrong")
        house.sell()
        assert house.faults() == ()


@pytest.mark.clause("KO21-3.1")
def test_a_day_far_away_is_not_opened(sqlite_url: str) -> None:
    """It would leave no day between, for good."""
    with open_house(sqlite_url) as house:
        with pytest.raises(Conflict, match="more than 31 days from now"):
            open_day(house.lottery, parse_day("2052-06-15"), by="ann")
        open_day(house.lottery, parse_day("2025-07-15"), by="ann")


def test_a_day_that_is_opened_late_in_the_evening_goes_on_by_itself(sqlite_url: str) -> None:
    """Its first draws were over before they were there: nobody has missed them for twelve hours."""
    with open_house(sqlite_url, at="2025-06-14 23:59", started=False) as house:
        open_day(house.lottery, parse_day("2025-06-14"), by="ann")
        house.clock.advance(minutes=30)
        assert clock_state(house.lottery).why_not == ""
        advance(house.lottery)
        open_day(house.lottery, parse_day("2025-06-16"), by="ann")
        assert house.faults() == ()
