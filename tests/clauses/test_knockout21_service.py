"""Knockout 21's clauses of buying, the draw day and claims, on a running lottery."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from cardroom.core.errors import Conflict, IllegalAction, MalformedInput
from cardroom.lottery.alteration import alter
from cardroom.lottery.choices import make_choices
from cardroom.lottery.claims import book_expired, check_ticket
from cardroom.lottery.draws import close_sales, perform_draw, seal_pool
from cardroom.lottery.sales import Order, begin_purchase, sell
from cardroom.lottery.scheduler import advance
from cardroom.rules.knockout21.law import Choice
from cardroom.store import lottery as rows
from cardroom.store.ledger import PLAYERS, UNCLAIMED, balance
from tests.lottery_house import House, house_rules, open_house, other_choice, pacific

HIT, STAND = Choice.HIT, Choice.STAND
LAST = 14


def players_paid(house: House) -> int:
    with house.lottery.database.read() as connection:
        return -balance(connection, PLAYERS)


def refused(
    house: House, clause: str, *, tickets_per_draw: int = 1, draws: int = 1, first_draw: int | None = None
) -> None:
    """An order is refused with its clause, takes no money and leaves no trace."""
    before = players_paid(house)
    with house.lottery.database.read() as connection:
        head = rows.head(connection)
    with pytest.raises((Conflict, IllegalAction)) as refusal:
        sell(house.lottery, Order("terminal-1", tickets_per_draw, draws, first_draw), key=house.key())
    assert refusal.value.clause == clause
    assert players_paid(house) == before
    with house.lottery.database.read() as connection:
        assert rows.head(connection) == head


@pytest.mark.clause("KO21-2.1")
def test_a_ticket_costs_five_dollars_for_one_draw(database_url: str) -> None:
    with open_house(database_url) as house:
        purchase = house.sell()
        assert [(ticket.price_cents, ticket.draw) for ticket in purchase.tickets] == [(500, 1)]
        assert players_paid(house) == 500
        with house.lottery.database.read() as connection:
            assert balance(connection, "draw:1:sales") == 500


@pytest.mark.clause("KO21-2.2")
@pytest.mark.requirement("R-33", "R-35")
def test_at_most_three_tickets_for_at_most_three_draws(database_url: str) -> None:
    with open_house(database_url) as house:
        purchase = house.sell(3, 3)
        assert sorted(ticket.draw for ticket in purchase.tickets) == [1, 1, 1, 2, 2, 2, 3, 3, 3]
        assert players_paid(house) == 4500
        for tickets, draws in ((4, 1), (10, 1), (0, 1), (-1, 1), (1, 4), (1, 0)):
            refused(house, "KO21-2.2", tickets_per_draw=tickets, draws=draws)


@pytest.mark.clause("KO21-2.3")
def test_the_next_draw_or_either_of_the_two_after_it(database_url: str) -> None:
    rules = house_rules(draws__interval_minutes=60)
    with open_house(database_url, rules=rules) as house:
        assert house.sell().tickets[0].draw == 1
        assert house.sell(first=3).tickets[0].draw == 3
        refused(house, "KO21-2.3", first_draw=4)
        refused(house, "KO21-2.3", first_draw=3, draws=2)
        house.close(1)
        assert house.sell().tickets[0].draw == 2
        assert house.sell(first=4).tickets[0].draw == 4


@pytest.mark.slow
@pytest.mark.clause("KO21-2.4")
@pytest.mark.parametrize(
    ("at", "sells"),
    [("05:59:59", False), ("06:00:00", True), ("22:59:59", True), ("23:00:00", False), ("02:00:00", False)],
)
def test_sales_hours(database_url: str, at: str, sells: bool) -> None:
    with open_house(database_url, at="2025-06-13 22:30") as house:
        house.set(f"2025-06-14 {at}")
        advance(house.lottery)
        if sells:
            assert house.sell().price_cents == 500
        else:
            refused(house, "KO21-2.4")


@pytest.mark.clause("KO21-2.4")
def test_no_sale_for_a_draw_that_has_closed(database_url: str) -> None:
    with open_house(database_url) as house:
        house.set("2025-06-14 11:20:29")
        assert house.sell(first=1).tickets[0].draw == 1
        house.set("2025-06-14 11:20:30")
        refused(house, "KO21-2.4", first_draw=1)  # at the very moment, whether or not the close has been done
        house.close(1)
        refused(house, "KO21-2.4", first_draw=1)
        assert house.sell().tickets[0].draw == 2


@pytest.mark.clause("KO21-2.5")
@pytest.mark.requirement("R-26")
def test_what_a_ticket_shows(database_url: str) -> None:
    with open_house(database_url) as house:
        purchase = begin_purchase(house.lottery, Order("terminal-9"), key="begin")
        advice = purchase.tickets[0].play.choices[LAST]
        other = STAND if advice is HIT else HIT
        ticket = make_choices(house.lottery, purchase.seq, {purchase.tickets[0].id: {LAST: other}}, key="c")[
            0
        ].ticket
        first_cards = house.draw(1).first_cards or ""
        shown = ticket.text()
        for words in (
            "Knockout 21",
            "Draw 1, 2025-06-14, 11:21 PDT",
            f"Hands {ticket.play}",
            f"Dealer's first cards of Game 2 {' '.join(first_cards[i : i + 2] for i in range(0, 10, 2))}",
            "Price $5.00",
            "Sold 2025-06-14 10:00:00 PDT at terminal terminal-9",
            "Claim until 2026-06-14",
            f"Control number {ticket.control_number}",
            f"Code {ticket.code}",
            f"Log {purchase.seq}:",
        ):
            assert words in shown
        assert ticket.overrides == (LAST,)
        assert len(ticket.play.hands) == 15
        assert sum(choice is not None for choice in ticket.play.choices) == 11


@pytest.mark.clause("KO21-2.6", "KO21-5.1")
def test_a_choice_for_game_1_is_refused_with_its_clause(database_url: str) -> None:
    with open_house(database_url) as house:
        purchase = begin_purchase(house.lottery, Order("terminal-1"), key="begin")
        with pytest.raises(IllegalAction) as refusal:
            make_choices(house.lottery, purchase.seq, {purchase.tickets[0].id: {2: HIT}}, key="c")
        assert refusal.value.clause == "KO21-5.1"
        with pytest.raises(MalformedInput):
            make_choices(house.lottery, purchase.seq, {purchase.tickets[0].id: {15: HIT}}, key="c")
        assert make_choices(house.lottery, purchase.seq, {}, key="c")[0].ticket.overrides == ()


@pytest.mark.clause("KO21-2.7")
@pytest.mark.requirement("R-32")
def test_altered_once_and_only_once(database_url: str) -> None:
    with open_house(database_url) as house:
        original = house.sell().tickets[0]
        other = STAND if original.play.choices[LAST] is HIT else HIT
        altered = alter(house.lottery, original.control_number, {LAST: other}, key="first")
        assert altered.play.choices[LAST] is other
        assert altered.play.hands == original.play.hands
        assert altered.control_number == original.control_number
        for key in ("second", "third"):
            with pytest.raises(Conflict) as refusal:
                alter(house.lottery, original.control_number, {LAST: HIT}, key=key)
            assert refusal.value.clause == "KO21-2.7"
        assert alter(house.lottery, original.control_number, {LAST: other}, key="first") == altered  # a retry
        # The original print is void, the altered one is good.
        checked = [
            check_ticket(house.lottery, one.control_number, terminal="t", code=one.code).verdict
            for one in (original, altered)
        ]
        assert checked == ["void print", "not yet drawn"]


@pytest.mark.clause("KO21-2.7")
def test_a_ticket_still_being_chosen_is_not_altered(database_url: str) -> None:
    with open_house(database_url) as house:
        ticket = begin_purchase(house.lottery, Order("terminal-1"), key="begin").tickets[0]
        number = house.lottery.codes.control_number(ticket.id)  # nobody has it yet
        with pytest.raises(Conflict, match="still choosing"):
            alter(house.lottery, number, {LAST: HIT}, key="alter")


@pytest.mark.clause("KO21-2.8")
def test_a_purchase_caught_by_the_close_gets_the_charts_choices(database_url: str) -> None:
    with open_house(database_url) as house:
        purchase = begin_purchase(house.lottery, Order("terminal-1", 1, 2), key="begin")
        first, second = purchase.tickets
        wanted = {
            ticket.id: {LAST: STAND if ticket.play.choices[LAST] is HIT else HIT}
            for ticket in purchase.tickets
        }
        house.close(1)
        caught, free = make_choices(house.lottery, purchase.seq, wanted, key="choices")
        assert not caught.accepted
        assert caught.ticket.overrides == ()
        assert caught.ticket.play == first.play
        assert free.accepted
        assert free.ticket.overrides == (LAST,)
        assert free.ticket.id == second.id
        assert make_choices(house.lottery, purchase.seq, wanted, key="choices") == (caught, free)
        assert seal_pool(house.lottery, 1).ticket_count == 1  # it is in the draw
        assert house.faults() == ()


@pytest.mark.clause("KO21-2.8")
def test_choices_that_come_at_the_close_before_it_is_done(database_url: str) -> None:
    with open_house(database_url) as house:
        purchase = begin_purchase(house.lottery, Order("terminal-1"), key="begin")
        house.clock.moment = house.draw(1).closes_at
        wanted = {purchase.tickets[0].id: {LAST: HIT, 13: STAND}}
        assert not make_choices(house.lottery, purchase.seq, wanted, key="choices")[0].accepted
        house.seal(1)
        assert house.faults() == ()


@pytest.mark.clause("KO21-2.8")
def test_an_alteration_caught_by_the_close_keeps_the_original(database_url: str) -> None:
    with open_house(database_url) as house:
        ticket = house.sell().tickets[0]
        house.clock.moment = house.draw(1).closes_at
        for done in (False, True):
            if done:
                close_sales(house.lottery, 1)
            with pytest.raises(Conflict) as refusal:
                alter(house.lottery, ticket.control_number, {LAST: HIT}, key=f"alter-{done}")
            assert refusal.value.clause == "KO21-2.8"
        with house.lottery.database.read() as connection:
            row = rows.find_ticket(connection, ticket_id=ticket.id)
        assert row is not None
        assert (row.state, row.choices) == ("issued", "".join(c.value for c in ticket.play.choices if c))


@pytest.mark.clause("KO21-2.9")
@pytest.mark.parametrize(
    ("sold", "deadline"),
    [
        ("2025-06-14 22:30", "2025-06-15 02:00"),
        ("2025-03-08 22:30", "2025-03-09 03:00"),  # the clocks jump from 2:00 to 3:00 at that moment
        ("2025-11-01 22:30", "2025-11-02 02:00"),  # the hour before it comes twice
    ],
)
def test_an_advance_ticket_for_the_next_day_may_be_altered_until_two(
    database_url: str, sold: str, deadline: str
) -> None:
    rules = house_rules(draws__interval_minutes=680)  # 11:21 and 22:41
    with open_house(database_url, rules=rules, at=f"{sold[:10]} 21:00") as house:
        refused(house, "KO21-2.9", first_draw=3)
        house.set(sold)
        in_time, late = (house.sell(first=3).tickets[0] for _ in range(2))
        assert in_time.day == date.fromisoformat(sold[:10]) + timedelta(days=1)
        house.clock.moment = pacific(deadline) - timedelta(microseconds=1)
        alter(house.lottery, in_time.control_number, {LAST: other_choice(in_time)}, key="in-time")
        house.clock.moment = pacific(deadline)
        with pytest.raises(Conflict) as refusal:
            alter(house.lottery, late.control_number, {LAST: HIT}, key="late")
        assert refusal.value.clause == "KO21-2.9"


@pytest.mark.clause("KO21-2.10")
def test_a_ticket_cannot_be_cancelled(database_url: str) -> None:
    with open_house(database_url) as house:
        house.sell()
        from sqlalchemy.exc import IntegrityError

        with (
            pytest.raises(IntegrityError, match=r"KO21-2\.10"),
            house.lottery.database.engine.begin() as connection,
        ):
            connection.exec_driver_sql("DELETE FROM tickets")


@pytest.mark.clause("KO21-2.11")
def test_a_ticket_takes_part_only_in_its_own_draw(database_url: str) -> None:
    with open_house(database_url) as house:
        purchase = house.sell(1, 3)
        for number in (1, 2, 3):
            house.settled(number)
            assert house.draw(number).ticket_count == 1
            with house.lottery.database.read() as connection:
                assert [prize.ticket for prize in rows.prizes_of_draw(connection, number)] == [
                    ticket.id for ticket in purchase.tickets if ticket.draw == number
                ]  # a lone ticket wins every game
        refused(house, "KO21-2.11", first_draw=9_999)


@pytest.mark.clause("KO21-3.1")
def test_a_draw_day(database_url: str) -> None:
    with open_house(database_url, rules=house_rules(draws__interval_minutes=7)) as house:
        with house.lottery.database.read() as connection:
            day = rows.draws_of_day(connection, "2025-06-14")
        assert [draw.number for draw in day] == list(range(1, 101))
        assert day[0].scheduled_at == pacific("2025-06-14 11:21")
        assert day[1].scheduled_at == pacific("2025-06-14 11:28")
        assert day[-1].scheduled_at == pacific("2025-06-14 22:54")
        assert all(draw.scheduled_at - draw.closes_at == timedelta(seconds=30) for draw in day)
        assert {draw.rules_hash for draw in day} == {house.lottery.rules.rules_hash}


@pytest.mark.clause("KO21-3.1")
@pytest.mark.requirement("R-24")
def test_numbers_run_on_without_gaps(database_url: str) -> None:
    with open_house(database_url) as house:
        for day in ("2025-06-14", "2025-06-15", "2025-06-16"):
            house.set(f"{day} 22:55")
            advance(house.lottery)
        with house.lottery.database.read() as connection:
            draws = rows.all_draws(connection)
        assert [draw.number for draw in draws] == list(range(1, len(draws) + 1))
        assert [draw.day for draw in draws[:4]] == ["2025-06-14"] * 3 + ["2025-06-15"]


@pytest.mark.clause("KO21-3.2")
@pytest.mark.requirement("R-22")
def test_a_missed_draw_happens_at_the_next_draw_time(database_url: str) -> None:
    with open_house(database_url) as house:
        ticket = house.sell().tickets[0]
        house.seal(1)
        house.set("2025-06-14 11:25")  # nobody was there at 11:21
        with pytest.raises(Conflict) as refusal:
            perform_draw(house.lottery, 1)
        assert refusal.value.clause == "KO21-3.2"
        house.set("2025-06-14 15:21")
        done = advance(house.lottery)
        assert "settled draw 1" in done
        assert "settled draw 2" in done
        answer = check_ticket(house.lottery, ticket.control_number, terminal="t")
        assert (answer.verdict, answer.draw) == ("prize", 1)
        assert house.faults() == ()


@pytest.mark.clause("KO21-3.2")
def test_the_last_draw_of_a_day_missed_happens_the_next_day(database_url: str) -> None:
    with open_house(database_url) as house:
        house.sell(first=3)
        house.set("2025-06-14 23:00")
        advance(house.lottery)
        assert house.draw(3).status == "sealed"
        house.set("2025-06-15 11:21")
        advance(house.lottery)
        assert house.draw(3).status == "settled"
        assert house.draw(3).day == "2025-06-14"


@pytest.mark.clause("KO21-3.2")
def test_too_few_tickets_put_a_draw_off_and_its_sales_stay_open(database_url: str) -> None:
    with open_house(database_url, rules=house_rules(draws__minimum_tickets=2)) as house:
        begun = begin_purchase(house.lottery, Order("terminal-1", first_draw=1), key="begin")
        assert house.close(1).status == "open"
        chosen = make_choices(house.lottery, begun.seq, {begun.tickets[0].id: {LAST: HIT}}, key="choose")
        assert chosen[0].accepted  # sales have not closed, so neither has the choosing
        assert house.draw(1).due_at == pacific("2025-06-14 15:21")
        assert house.sell(first=1).tickets[0].draw == 1
        assert house.close(1).status == "closed"
        assert house.settled(1).ticket_count == 2
        assert house.faults() == ()


@pytest.mark.clause("KO21-4.8")
@pytest.mark.requirement("R-31")
@pytest.mark.parametrize(
    ("day", "last_day", "day_after"),
    [
        ("2025-06-14", "2026-06-14", "2026-06-15"),
        ("2024-02-29", "2025-02-28", "2025-03-01"),
        ("2023-03-01", "2024-03-01", "2024-03-02"),
        ("2025-03-09", "2026-03-09", "2026-03-10"),  # a day of 23 hours
        ("2025-11-02", "2026-11-02", "2026-11-03"),  # a day of 25 hours
    ],
)
def test_a_prize_is_paid_for_a_year_to_the_local_day(
    database_url: str, day: str, last_day: str, day_after: str
) -> None:
    with open_house(database_url, at=f"{day} 10:00") as house:
        first, second = (house.sell().tickets[0] for _ in range(2))
        house.settled(1)
        with house.lottery.database.read() as connection:
            won = {prize.ticket: prize.amount_cents for prize in rows.prizes_of_draw(connection, 1)}
        winners = [ticket for ticket in (first, second) if ticket.id in won]
        assert winners
        house.outage_until(f"{last_day} 23:59:59")
        assert book_expired(house.lottery) == 0
        if len(winners) == 2:
            assert house.pay(winners.pop()).verdict == "prize"
        house.set(f"{day_after} 00:00:00")
        assert check_ticket(house.lottery, winners[0].control_number, terminal="t").verdict == "expired"
        assert house.pay(winners[0]).verdict == "expired"
        assert book_expired(house.lottery) == 1
        assert book_expired(house.lottery) == 0
        assert house.pay(winners[0]).verdict == "expired"
        with house.lottery.database.read() as connection:
            assert balance(connection, UNCLAIMED) == won[winners[0].id]
            assert balance(connection, "draw:1:prizes") == 0
        assert house.faults() == ()


@pytest.mark.clause("KO21-4.8")
def test_a_prize_is_paid_once_and_as_awarded(database_url: str) -> None:
    with open_house(database_url) as house:
        ticket = house.sell().tickets[0]
        house.settled(1)
        paid = house.pay(ticket)
        # A lone ticket wins all three games: $10, and two pools of $1 raised to the least share (KO21-4.4).
        assert (paid.verdict, paid.prize_cents) == ("prize", 1000 + 1500 + 2000)
        assert house.pay(ticket).verdict == "paid already"
