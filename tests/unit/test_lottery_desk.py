"""Lost tickets and large prizes: looked up, stopped, printed anew by two; paid when approved."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cardroom.core.errors import Conflict, IllegalAction, MalformedInput
from cardroom.lottery.alteration import alter
from cardroom.lottery.approval import (
    DEFAULT_CENTS,
    approval_from,
    decide,
    set_approval_from,
    waiting,
)
from cardroom.lottery.claims import Answer, book_expired, check_ticket, pay_prize
from cardroom.lottery.clock_care import accept_clock
from cardroom.lottery.lost import Remembered, lift_stop, look_up, reissue, stop
from cardroom.lottery.sales import Order, begin_purchase, reprint, sell
from cardroom.lottery.tickets import PrintedTicket
from cardroom.rules.knockout21.law import Choice
from cardroom.store import lottery as rows
from cardroom.store.ledger import PLAYERS, balance
from tests.lottery_house import House, house_rules, open_house, other_choice, pacific

TWO = {"ann": "the founding of the house", "bob": "the founding of the house"}


@pytest.fixture
def house(database_url: str) -> Iterator[House]:
    with open_house(database_url) as opened:
        yield opened


def buy(house: House, terminal: str, at: str, draw: int = 1) -> PrintedTicket:
    house.set(f"2025-06-14 {at}")
    (ticket,) = sell(house.lottery, Order(terminal, 1, 1, draw), key=house.key()).tickets
    return ticket


def check(house: House, ticket: PrintedTicket) -> str:
    answer = check_ticket(house.lottery, ticket.control_number, terminal="desk", code=ticket.code)
    return str(answer)


def ids(found: list[rows.TicketRow]) -> list[str]:
    return [row.id for row in found]


def kinds(house: House) -> list[str]:
    with house.lottery.database.read() as connection:
        return [record.kind for record in rows.records(connection)]


def test_a_lost_ticket_is_found_by_what_its_owner_remembers(house: House) -> None:
    early, late = buy(house, "north", "10:00"), buy(house, "north", "10:40")
    south, other_draw = buy(house, "south", "10:41"), buy(house, "north", "10:42", draw=2)
    begin_purchase(house.lottery, Order("north"), key="begun")  # no paper yet, so none is lost

    def found(remembered: Remembered) -> list[str]:
        return ids(look_up(house.lottery, remembered, by="ann"))

    half_past, noon = pacific("2025-06-14 10:30"), pacific("2025-06-14 12:00")
    assert found(Remembered(terminal="north", sold_from=half_past, sold_until=noon)) == [
        late.id,
        other_draw.id,
    ]
    assert found(Remembered(draw=1, terminal="south")) == [south.id]
    assert found(Remembered(draw=1, sold_until=half_past)) == [early.id]
    choices = {position: choice for position, choice in enumerate(late.play.choices) if choice is not None}
    assert late.id in found(Remembered(draw=1, choices=choices))
    first, opposite = next(iter(choices)), other_choice(late, next(iter(choices)))
    assert late.id not in found(Remembered(draw=1, choices={first: opposite}))
    for too_little in ({}, {"terminal": "north"}, {"terminal": "north", "sold_from": noon}):
        with pytest.raises(MalformedInput, match="say the draw, or the terminal and from when to when"):
            Remembered(**too_little)
    with house.lottery.database.read() as connection:
        asked = [record.content for record in rows.records(connection, kinds=["LostTicketSought"])]
    assert asked[1]["by"] == "ann"
    assert asked[1]["asked"] == {"draw": "1", "terminal": "south"}
    assert asked[1]["found"] == [south.id]


@pytest.mark.requirement("R-25", "R-28")
def test_a_stopped_ticket_is_not_paid_until_two_print_it_anew(house: House) -> None:
    lost = buy(house, "north", "10:00")
    stop(house.lottery, lost.id, by="ann", reason="lost on the bus")
    stop(house.lottery, lost.id, by="ann", reason="once more")
    assert kinds(house).count("TicketStopped") == 1
    house.settled(1)
    assert check(house, lost) == "stopped"
    assert house.pay(lost).verdict == "stopped"
    with pytest.raises(IllegalAction, match="two people"):
        reissue(house.lottery, lost.id, appointed={"ann": "x"}, reason="she told its hands")
    anew = reissue(house.lottery, lost.id, appointed=TWO, reason="she told its hands")
    assert (anew.id, anew.control_number, anew.print_number) == (lost.id, lost.control_number, 2)
    assert anew.code != lost.code
    assert reprint(house.lottery, lost.id) == anew
    assert house.pay(lost).verdict == "void print"  # whoever found the first paper gets nothing
    assert house.pay(anew).verdict == "prize"
    assert house.faults() == ()


def test_a_ticket_is_printed_anew_whatever_came_before(house: House) -> None:
    """Altered, lost, lost again: prints 1 to 4, and only the last is good."""
    ticket = buy(house, "north", "10:00")
    papers = [ticket, alter(house.lottery, ticket.control_number, {14: other_choice(ticket)}, key="alter")]
    for _ in range(2):
        stop(house.lottery, ticket.id, by="ann", reason="lost")
        papers.append(reissue(house.lottery, ticket.id, appointed=TWO, reason="lost"))
    assert [paper.print_number for paper in papers] == [1, 2, 3, 4]
    assert len({paper.code for paper in papers}) == 4
    with pytest.raises(Conflict, match="once and only once"):
        alter(house.lottery, ticket.control_number, {13: Choice.HIT}, key="again")
    house.settled(1)
    assert [check(house, paper) for paper in papers] == ["void print"] * 3 + ["prize of $45.00"]
    assert house.faults() == ()


def test_a_paper_that_was_found_is_good_again_and_a_paid_one_is_not_printed_anew(house: House) -> None:
    ticket = buy(house, "north", "10:00")
    with pytest.raises(Conflict, match="not stopped"):
        reissue(house.lottery, ticket.id, appointed=TWO, reason="lost")
    stop(house.lottery, ticket.id, by="ann", reason="lost")
    with pytest.raises(IllegalAction, match="two people"):
        lift_stop(house.lottery, ticket.id, operators=["ann", "Ann"], reason="found")
    lift_stop(house.lottery, ticket.id, operators=["ann", "bob"], reason="found in a coat")
    house.settled(1)
    assert house.pay(ticket).verdict == "prize"
    stop(house.lottery, ticket.id, by="ann", reason="lost again")
    with pytest.raises(Conflict, match="paid already"):
        reissue(house.lottery, ticket.id, appointed=TWO, reason="lost")
    with pytest.raises(Conflict, match="there is no ticket"):
        stop(house.lottery, "x", by="ann", reason="lost")
    with pytest.raises(MalformedInput, match="say why"):
        stop(house.lottery, ticket.id, by="ann", reason=" ")
    begun = begin_purchase(house.lottery, Order("north"), key="begun").tickets[0]
    with pytest.raises(Conflict, match="not printed yet"):
        stop(house.lottery, begun.id, by="ann", reason="lost")
    assert house.faults() == ()


# Large prizes. Alone in a draw a ticket wins every game (KO21-4.4), and the least shares are the rules'.


def claim(house: House, ticket: PrintedTicket, key: str) -> Answer:
    return pay_prize(house.lottery, ticket.control_number, ticket.code, terminal="desk", key=key)


def paid_out(house: House) -> int:
    """What players got, beyond the price of one ticket."""
    with house.lottery.database.read() as connection:
        return balance(connection, PLAYERS) + 500


@pytest.mark.parametrize(("least", "verdict"), [("965.00", "prize"), ("975.00", "waits for approval")])
def test_a_prize_from_1000_dollars_on_waits(database_url: str, least: str, verdict: str) -> None:
    """$10.00 and $15.00 of Games 1 and 2: $990.00 are paid at once, $1,000.00 wait."""
    with open_house(database_url, rules=house_rules(prizes__game_3__min=least)) as house:
        ticket = buy(house, "north", "10:00")
        house.settled(1)
        assert claim(house, ticket, "one").verdict == verdict
        assert paid_out(house) == (99_000 if verdict == "prize" else 0)
        assert DEFAULT_CENTS == 100_000


@pytest.fixture
def large(database_url: str) -> Iterator[tuple[House, PrintedTicket]]:
    """A ticket that won $1,025.00, and was brought."""
    with open_house(database_url, rules=house_rules(prizes__game_3__min="1000.00")) as house:
        ticket = buy(house, "north", "10:00")
        house.settled(1)
        assert check(house, ticket) == "prize of $1,025.00"
        for key in ("first", "first", "second"):
            assert str(claim(house, ticket, key)) == "waits for approval"
        assert kinds(house).count("ApprovalAsked") == 1
        assert paid_out(house) == 0
        yield house, ticket


@pytest.mark.requirement("R-50")
def test_an_approved_prize_is_paid_once(large: tuple[House, PrintedTicket]) -> None:
    house, ticket = large
    assert check(house, ticket) == "waits for approval"
    assert [(one.ticket, one.amount_cents, one.approval) for one in waiting(house.lottery)] == [
        (ticket.id, 102_500, "asked")
    ]
    decide(house.lottery, ticket.id, "approved", by="ann", reason="the paper is good")
    assert waiting(house.lottery) == []
    assert check(house, ticket) == "prize of $1,025.00"
    assert claim(house, ticket, "first").verdict == "prize"  # the key of before had no outcome yet
    assert claim(house, ticket, "first").verdict == "prize"
    assert claim(house, ticket, "other").verdict == "paid already"
    assert paid_out(house) == 102_500
    with pytest.raises(Conflict, match="approved already"):
        decide(house.lottery, ticket.id, "declined", by="ann", reason="regret")
    assert house.faults() == ()


def test_a_declined_prize_may_be_approved_later(large: tuple[House, PrintedTicket]) -> None:
    house, ticket = large
    decide(house.lottery, ticket.id, "declined", by="ann", reason="the paper is torn")
    assert check(house, ticket) == "not approved"
    assert claim(house, ticket, "third").verdict == "not approved"
    assert [one.approval for one in waiting(house.lottery)] == ["declined"]
    decide(house.lottery, ticket.id, "approved", by="bob", reason="the other half was found")
    assert claim(house, ticket, "fourth").verdict == "prize"
    assert house.faults() == ()


@pytest.mark.clause("KO21-4.8")
def test_a_prize_that_was_brought_in_time_does_not_expire_while_it_waits(
    large: tuple[House, PrintedTicket],
) -> None:
    house, ticket = large
    house.clock.advance(days=400)
    accept_clock(house.lottery, operators=["ann", "bob"], reason="a long winter")
    assert book_expired(house.lottery) == 0
    assert check(house, ticket) == "waits for approval"
    decide(house.lottery, ticket.id, "approved", by="ann", reason="the paper is good")
    assert book_expired(house.lottery) == 0
    assert claim(house, ticket, "late").verdict == "prize"
    assert house.faults() == ()


def test_the_house_says_from_which_amount_on(house: House) -> None:
    set_approval_from(house.lottery, 4_500, by="ann")
    with house.lottery.database.read() as connection:
        assert approval_from(connection) == 4_500
        (change,) = rows.records(connection, kinds=["SettingChanged"])
    assert (change.content["by"], change.content["after"]) == (["ann"], "4500")
    ticket = buy(house, "north", "10:00")
    house.settled(1)
    assert house.pay(ticket).verdict == "waits for approval"
    with pytest.raises(MalformedInput, match="between"):
        set_approval_from(house.lottery, 0, by="ann")
    with pytest.raises(Conflict, match="nobody has asked"):
        decide(house.lottery, house.sell().tickets[0].id, "approved", by="ann", reason="x y z")
    assert house.faults() == ()
