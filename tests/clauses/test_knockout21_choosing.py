"""Knockout 21's clauses of choosing: they belong to the purchase, and only the print makes them final."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import pytest
from reportlab.pdfbase.pdfmetrics import stringWidth

from cardroom.core.errors import Conflict, IllegalAction, MalformedInput
from cardroom.lottery.alteration import alter, alteration_open_until
from cardroom.lottery.choices import make_choices, purchase_so_far, save_choices
from cardroom.lottery.claims import check_ticket
from cardroom.lottery.sales import BegunPurchase, Order, begin_purchase, reprint, sell
from cardroom.lottery.scheduler import advance
from cardroom.lottery.ticket_print import HEIGHT, WIDTH, draw_ticket
from cardroom.lottery.tickets import PrintedTicket
from cardroom.store import lottery as rows
from cardroom.store.ledger import PLAYERS, balance
from tests.lottery_house import House, house_rules, open_house, other_choice, pacific

LAST = 14


def begun(house: House, tickets: int = 1, draws: int = 1) -> BegunPurchase:
    return begin_purchase(house.lottery, Order("terminal-1", tickets, draws), key=house.key())


def alterable(house: House, ticket: str) -> bool:
    """Whether the page would offer an alteration at this moment."""
    with house.lottery.database.read() as connection:
        return alteration_open_until(house.lottery, connection, ticket, house.clock.moment) is not None


@pytest.mark.clause("KO21-2.6")
def test_nothing_is_a_print_before_the_choices_are_final(database_url: str) -> None:
    with open_house(database_url) as house:
        purchase = begun(house)
        ticket = purchase.tickets[0]
        assert not isinstance(ticket, PrintedTicket)
        assert not hasattr(ticket, "control_number")
        assert not hasattr(ticket, "code")
        with pytest.raises(Conflict) as refusal:
            reprint(house.lottery, ticket.id)
        assert refusal.value.clause == "KO21-2.6"
        # The number that it will have finds nothing yet.
        number = house.lottery.codes.control_number(ticket.id)
        assert check_ticket(house.lottery, number, terminal="t").verdict == "not found"
        assert not alterable(house, ticket.id)
        first = make_choices(house.lottery, purchase.seq, {ticket.id: {LAST: other_choice(ticket)}}, key="c")[
            0
        ].ticket
        assert (first.print_number, first.control_number) == (1, number)
        assert reprint(house.lottery, ticket.id) == first
        assert check_ticket(house.lottery, number, terminal="t", code=first.code).verdict == "not yet drawn"
        assert alterable(house, ticket.id)
        second = alter(house.lottery, number, {LAST: other_choice(first)}, key="alter")
        assert second.print_number == 2
        assert second.code != first.code
        assert not alterable(house, ticket.id)
        assert house.faults() == ()


@pytest.mark.clause("KO21-2.6")
def test_choices_made_so_far_survive_and_become_final(database_url: str) -> None:
    with open_house(database_url) as house:
        purchase = begun(house, tickets=2)
        one, two = purchase.tickets
        wanted = {LAST: other_choice(one), 4: other_choice(one, 4)}
        kept = save_choices(house.lottery, purchase.seq, {one.id: wanted}, key="save")
        assert kept == purchase_so_far(house.lottery, purchase.seq)  # whoever comes back finds them
        assert [ticket.overrides for ticket in kept.tickets] == [(4, LAST), ()]
        assert not kept.is_finished
        # A ticket's choices are saved as a whole: what is left out is the chart's again.
        kept = save_choices(house.lottery, purchase.seq, {one.id: {4: other_choice(one, 4)}}, key="save-2")
        assert [ticket.overrides for ticket in kept.tickets] == [(4,), ()]
        # A request that comes late a second time does not bring the old choices back.
        save_choices(house.lottery, purchase.seq, {one.id: wanted}, key="save")
        assert purchase_so_far(house.lottery, purchase.seq) == kept
        printed = make_choices(house.lottery, purchase.seq, {two.id: {LAST: other_choice(two)}}, key="print")
        overrides = {chosen.ticket.id: chosen.ticket.overrides for chosen in printed}
        assert overrides == {one.id: (4,), two.id: (LAST,)}
        assert {chosen.ticket.print_number for chosen in printed} == {1}
        assert purchase_so_far(house.lottery, purchase.seq).is_finished
        for at in ("before the close", "after the close"):  # another window still shows the purchase
            if at == "after the close":
                house.close(1)
            for ask in (save_choices, make_choices):
                with pytest.raises(Conflict) as refusal:
                    ask(house.lottery, purchase.seq, {one.id: wanted}, key=house.key())
                assert refusal.value.clause == "KO21-2.7"
        assert [ticket.overrides for ticket in purchase_so_far(house.lottery, purchase.seq).tickets] == [
            (4,),
            (LAST,),
        ]
        assert house.faults() == ()


@pytest.mark.clause("KO21-2.6", "KO21-5.1")
def test_bad_choices_are_not_kept(database_url: str) -> None:
    with open_house(database_url) as house:
        purchase = begun(house)
        ticket = purchase.tickets[0]
        with pytest.raises(IllegalAction) as refusal:
            save_choices(house.lottery, purchase.seq, {ticket.id: {2: other_choice(ticket)}}, key="a")
        assert refusal.value.clause == "KO21-5.1"
        with pytest.raises(MalformedInput):
            save_choices(house.lottery, purchase.seq, {ticket.id: {15: other_choice(ticket)}}, key="b")
        for unknown in (0, purchase.seq + 1, 2**63):
            with pytest.raises(Conflict, match="no purchase"):
                save_choices(house.lottery, unknown, {}, key="c")
            with pytest.raises(Conflict, match="no purchase"):
                purchase_so_far(house.lottery, unknown)
        assert purchase_so_far(house.lottery, purchase.seq) == purchase


@pytest.mark.clause("KO21-2.8")
@pytest.mark.parametrize("moment", ["the clock", "the close"])
def test_saved_choices_time_out_with_the_close(database_url: str, moment: str) -> None:
    """Saved and not final when sales close: the ticket is issued with the charts' choices."""
    with open_house(database_url) as house:
        purchase = begun(house, draws=2)
        first, second = purchase.tickets
        wanted = {ticket.id: {LAST: other_choice(ticket)} for ticket in purchase.tickets}
        save_choices(house.lottery, purchase.seq, wanted, key="in-time")
        if moment == "the clock":  # the time has come, and nobody has closed the draw yet
            house.clock.moment = house.draw(1).closes_at
        else:
            house.close(1)
        save_choices(house.lottery, purchase.seq, {first.id: {5: other_choice(first, 5)}}, key="too-late")
        caught, free = make_choices(house.lottery, purchase.seq, {}, key="print")
        assert (caught.accepted, free.accepted) == (False, True)
        assert (caught.ticket.overrides, free.ticket.overrides) == ((), (LAST,))
        assert free.ticket.id == second.id
        house.seal(1)
        assert not alterable(house, first.id)
        assert house.faults() == ()


@pytest.mark.clause("KO21-2.8")
def test_a_buyer_who_never_comes_back_has_a_ticket_by_the_charts(database_url: str) -> None:
    """The money is taken when the purchase begins, once; what it bought is in the draw, whatever follows."""
    with open_house(database_url) as house:
        purchase = begun(house)
        ticket = purchase.tickets[0]
        save_choices(house.lottery, purchase.seq, {ticket.id: {LAST: other_choice(ticket)}}, key="save")
        with house.lottery.database.read() as connection:
            assert (balance(connection, PLAYERS), balance(connection, "draw:1:sales")) == (-500, 500)
        house.settled(1)
        printed = reprint(house.lottery, ticket.id)
        assert (printed.print_number, printed.overrides, printed.state) == (1, (), "issued")
        assert house.pay(printed).verdict == "prize"  # a lone ticket wins every game
        assert house.faults() == ()


@pytest.mark.clause("KO21-2.7")
def test_an_alteration_that_alters_nothing_does_not_use_up_the_only_one(database_url: str) -> None:
    with open_house(database_url) as house:
        ticket = house.sell().tickets[0]
        same = ticket.play.choices[LAST]
        assert same is not None
        for overrides in ({}, {LAST: same}):
            with pytest.raises(Conflict) as refusal:
                alter(house.lottery, ticket.control_number, overrides, key=house.key())
            assert refusal.value.clause == "KO21-2.7"
            assert reprint(house.lottery, ticket.id) == ticket
        assert alterable(house, ticket.id)
        altered = alter(house.lottery, ticket.control_number, {LAST: other_choice(ticket)}, key="real")
        assert altered.print_number == 2


@pytest.mark.clause("KO21-2.6")
def test_choices_made_blind_are_for_every_ticket_in_one_step(database_url: str) -> None:
    with open_house(database_url) as house:
        hit = {4: other_choice(house.sell().tickets[0], 4)}
        purchase = sell(house.lottery, Order("terminal-1", 3), key="blind", blind=hit)
        assert {ticket.play.choices[4] for ticket in purchase.tickets} == {hit[4]}
        assert {ticket.print_number for ticket in purchase.tickets} == {1}
        with house.lottery.database.read() as connection:
            kinds = [record.kind for record in rows.records(connection, after=purchase.seq - 1)]
        assert kinds == ["TicketsSold"]
        assert sell(house.lottery, Order("terminal-1", 3), key="blind", blind=hit) == purchase
        with pytest.raises(IllegalAction) as refusal:
            sell(house.lottery, Order("terminal-1"), key="game-1", blind={0: hit[4]})
        assert refusal.value.clause == "KO21-5.1"


@pytest.mark.slow
@pytest.mark.clause("KO21-2.9")
def test_a_ticket_for_the_next_available_draw_is_no_advance_purchase(database_url: str) -> None:
    """At 22:55 the next available draw is tomorrow's first: altered until its close, the two after it until
    2:00; what the page offers is what the house accepts at each moment."""
    with open_house(database_url, rules=house_rules(draws__interval_minutes=7)) as house:
        house.set("2025-06-14 22:55")
        advance(house.lottery)
        tickets = house.sell(draws=3).tickets
        assert [(ticket.day.isoformat(), f"{ticket.draw_at:%H:%M}") for ticket in tickets] == [
            ("2025-06-15", "11:21"),
            ("2025-06-15", "11:28"),
            ("2025-06-15", "11:35"),
        ]
        house.clock.moment = pacific("2025-06-15 02:00") - timedelta(microseconds=1)
        assert [alterable(house, ticket.id) for ticket in tickets] == [True, True, True]
        house.clock.moment = pacific("2025-06-15 02:00")
        assert [alterable(house, ticket.id) for ticket in tickets] == [True, False, False]
        with pytest.raises(Conflict) as refusal:
            alter(house.lottery, tickets[1].control_number, {LAST: other_choice(tickets[1])}, key=house.key())
        assert refusal.value.clause == "KO21-2.9"
        house.clock.moment = pacific("2025-06-15 11:20:30") - timedelta(microseconds=1)
        assert [alterable(house, ticket.id) for ticket in tickets] == [True, False, False]
        alter(house.lottery, tickets[0].control_number, {LAST: other_choice(tickets[0])}, key=house.key())
        assert not alterable(house, tickets[0].id)
        assert house.faults() == ()


@pytest.mark.clause("KO21-2.7", "KO21-2.8")
def test_an_alteration_is_offered_until_the_very_close(database_url: str) -> None:
    with open_house(database_url) as house:
        ticket = house.sell().tickets[0]
        house.clock.moment = house.draw(1).closes_at - timedelta(microseconds=1)
        assert alterable(house, ticket.id)
        house.clock.moment = house.draw(1).closes_at  # at the very moment, though nobody has closed it yet
        assert not alterable(house, ticket.id)


@pytest.mark.clause("KO21-2.3", "KO21-2.9")
def test_the_next_available_draw_is_sold_though_it_is_tomorrows(database_url: str) -> None:
    """A house whose last draw is early: before 22:00 tomorrow's first may be bought, not those after it."""
    with open_house(database_url, rules=house_rules(draws__last="19:21")) as house:
        house.set("2025-06-14 20:00")
        advance(house.lottery)
        ticket = house.sell().tickets[0]
        assert ticket.day.isoformat() == "2025-06-15"
        with pytest.raises(Conflict) as refusal:
            house.sell(first=ticket.draw + 1)
        assert refusal.value.clause == "KO21-2.9"
        house.set("2025-06-14 22:00")
        assert house.sell(first=ticket.draw + 1).tickets[0].draw == ticket.draw + 1


class _Paper:
    """Notes how far to the right each line of words goes, in the font of the print."""

    def __init__(self) -> None:
        self.written: list[tuple[float, str]] = []

    def text(self, x: float, y: float, size: float, words: str) -> None:
        assert y < HEIGHT
        self.written.append((x + float(stringWidth(words, "Helvetica", size)), words))

    def box(self, x: float, y: float, width: float, height: float, *, filled: bool) -> None:
        assert x + width <= WIDTH
        assert y + height <= HEIGHT

    def polygon(self, points: Sequence[tuple[float, float]], *, filled: bool) -> None:
        """A sign of a suit."""

    def disc(self, x: float, y: float, radius: float, *, filled: bool) -> None:
        """A part of one."""


@pytest.mark.clause("KO21-2.5", "KO21-2.9")
def test_the_hour_of_an_alteration_is_printed_where_it_comes_before_the_close(sqlite_url: str) -> None:
    """A house that draws at 1:00, 2:00 and 3:00: sales of the first two close before 2:00."""
    draws = {"draws__first": "01:00", "draws__last": "03:00", "draws__interval_minutes": 60}
    rules = house_rules(**draws, sales__closes="23:59")
    with open_house(sqlite_url, rules=rules, at="2025-06-14 00:30") as house:
        for hour in ("01:00", "02:00", "03:00", "23:30"):
            house.set(f"2025-06-14 {hour}")
            advance(house.lottery)
        tickets = house.sell(draws=3).tickets
        printed = [[line for line in ticket.lines() if "altered" in line] for ticket in tickets]
        assert [f"{ticket.draw_at:%d %H:%M}" for ticket in tickets] == ["15 01:00", "15 02:00", "15 03:00"]
        assert printed == [
            [],
            [],
            ["Advance ticket: may be altered until 2025-06-15 02:00 PDT"],
        ]
        paper = _Paper()
        draw_ticket(paper, tickets[2])
        assert printed[2][0] in [words for _, words in paper.written]
        assert [words for right, words in paper.written if right > WIDTH] == []  # it stays on the paper


@pytest.mark.clause("KO21-2.4")
def test_a_refusal_at_night_says_when_sales_open(sqlite_url: str) -> None:
    with open_house(sqlite_url, at="2025-06-13 22:30") as house:
        for at, opens in (("2025-06-13 23:30", "2025-06-14"), ("2025-06-14 02:00", "2025-06-14")):
            house.set(at)
            with pytest.raises(Conflict, match=f"sales open on {opens} at 06:00 PDT"):
                house.sell()
