"""Sales: what may be bought now, and a purchase paid for in one step. Nothing after the close.

The money is taken when a purchase begins: from then on its tickets are in their draws, with the charts'
choices. `choosing` keeps and finishes the choices of a purchase that was begun, `alteration` alters a print.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from cardroom.core.cards import format_cards, parse_cards
from cardroom.core.errors import Conflict, IllegalAction, MalformedInput
from cardroom.engine.knockout21.ticket import Ticket
from cardroom.fair.draw import ticket_cards
from cardroom.lottery.accounts import sales_account
from cardroom.lottery.codes import KEY_BYTES, new_ticket_id
from cardroom.lottery.funds import CASH, Funds
from cardroom.lottery.house import (
    Lottery,
    checked_name,
    draw_or_refuse,
    request_digest,
    switched_off,
    ticket_or_refuse,
)
from cardroom.lottery.readiness import make_ready
from cardroom.lottery.schedule import (
    altered_until,
    may_buy_in_advance,
    next_sale,
    parse_day,
    sells_at,
    wall_clock,
)
from cardroom.lottery.ticket_text import choices_text
from cardroom.lottery.tickets import PrintedTicket, SoldTicket, printed, unprinted
from cardroom.records.lottery import TicketsSold
from cardroom.rules.knockout21 import POSITIONS, Knockout21Rules
from cardroom.rules.knockout21.law import CARD_BYTES, Choice
from cardroom.store import lottery as rows
from cardroom.store.ledger import Transfer
from cardroom.store.log import LogHead, time_text
from cardroom.store.unit import Unit, answers_to

Overrides = Mapping[int, Choice]
"""Choices that differ from what the ticket has, by position from 0."""


@dataclass(frozen=True, slots=True)
class Order:
    """What a buyer asks for: so many tickets for each of some consecutive draws."""

    terminal: str
    tickets_per_draw: int = 1
    draws: int = 1
    first_draw: int | None = None
    """The number of the first of them; None is the next available draw."""


@dataclass(frozen=True, slots=True)
class Purchase:
    """A transaction whose tickets are printed."""

    seq: int
    tickets: tuple[PrintedTicket, ...]

    @property
    def price_cents(self) -> int:
        return sum(ticket.price_cents for ticket in self.tickets)


@dataclass(frozen=True, slots=True)
class BegunPurchase:
    """A transaction that is paid for and whose buyer chooses; a ticket that the close caught is printed."""

    seq: int
    tickets: tuple[SoldTicket, ...]

    @property
    def is_finished(self) -> bool:
        """Whether nothing is left to be chosen."""
        return all(isinstance(ticket, PrintedTicket) for ticket in self.tickets)


def sell(
    lottery: Lottery, order: Order, *, key: str, blind: Overrides | None = None, payer: Funds = CASH
) -> Purchase:
    """Sell printed tickets in one step; a retry with the same key sells nothing more.

    The choices are the charts', but for those that a buyer makes blind, for every ticket alike, before there
    are hands.
    """
    seq, tickets = _purchase(lottery, order, key, state="issued", blind=blind or {}, payer=payer)
    return Purchase(seq, tuple(ticket for ticket in tickets if isinstance(ticket, PrintedTicket)))


def begin_purchase(lottery: Lottery, order: Order, *, key: str, payer: Funds = CASH) -> BegunPurchase:
    """Sell tickets whose buyer still chooses; they are in the draw from now on (KO21-2.6, KO21-2.8)."""
    return BegunPurchase(*_purchase(lottery, order, key, state="choosing", blind={}, payer=payer))


def _purchase(
    lottery: Lottery, order: Order, key: str, *, state: str, blind: Overrides, payer: Funds
) -> tuple[int, tuple[SoldTicket, ...]]:
    sale = Sale(lottery, order, key, state, payer, blind)
    return sale.tickets(lottery.database.write(sale.run, key=key))  # it makes the lottery ready itself


Written = int | tuple[LogHead, "list[_Sold]"]
"""What a sale has come to once it is written: the number of the one made before, or what is new."""


class Sale:
    """A purchase on its way: `run` is its part of a transaction, `tickets` what the buyer gets after that.

    Whoever writes many sales in one commit runs each of them, and makes their tickets afterwards.
    """

    def __init__(
        self,
        lottery: Lottery,
        order: Order,
        key: str,
        state: str = "choosing",
        payer: Funds = CASH,
        blind: Overrides | None = None,
    ) -> None:
        self.key = checked_name(key, "the key of a request")
        self._order = order
        self._lottery, self._payer = lottery, payer
        self._state, self._blind = state, blind or {}
        content = {
            "terminal": checked_name(order.terminal, "the name of a terminal"),
            "tickets_per_draw": order.tickets_per_draw,
            "draws": order.draws,
            "first_draw": order.first_draw,
            "state": state,
            "payer": payer.account,
        }
        if blind:
            content["blind"] = overrides_text(blind)
        self._digest = request_digest(content)

    def run(self, unit: Unit) -> Written:
        """Chips, sale, tickets and log, in the transaction of a unit; all of it or a refusal."""
        answer = unit.answered(self.key, self._digest)
        if answer is not None:
            return int(answer["seq"])
        make_ready(self._lottery, unit)
        order, payer = self._order, self._payer
        chosen = _draws_to_sell(self._lottery, unit, order)
        new = [
            ticket
            for draw, rules, until in chosen
            for ticket in _new_tickets(self._lottery, draw, rules, until, order.tickets_per_draw, self._blind)
        ]
        moves = [
            Transfer(
                payer.account,
                sales_account(draw.number),
                rules.ticket_price_cents * order.tickets_per_draw,
            )
            for draw, rules, _ in chosen
        ]
        payer.admit(unit, sum(move.amount_cents for move in moves))
        entries = [ticket.entry for ticket in new]
        sale = TicketsSold(
            terminal=order.terminal, buyer=payer.account, state=self._state, key=self.key, tickets=entries
        )
        record = unit.record(sale, moves)
        unit.answer(self.key, self._digest, {"seq": record.seq})
        sold = []
        for ticket in new:
            row = rows.ticket_of_event(
                ticket.entry,
                purchase=record.seq,
                terminal=order.terminal,
                sold_at=unit.at,
                state=self._state,
            )
            rows.add_ticket(unit, row)
            sold.append(_Sold(ticket, row))
        return LogHead(record.seq, record.hash), sold

    def tickets(self, written: Written) -> tuple[int, tuple[SoldTicket, ...]]:
        """The number of the purchase and its tickets, made outside the writer's lock: others wait for it."""
        if isinstance(written, int):
            with self._lottery.database.read() as connection:
                return written, tickets_of(self._lottery, connection, written)
        head, sold = written
        return head.seq, tuple(
            unprinted(one.new.rules, one.new.draw, one.row, play=one.new.play)
            if self._state == "choosing"
            else printed(
                self._lottery.codes,
                one.new.rules,
                one.new.draw,
                one.row,
                log_head=str(head),
                play=one.new.play,
            )
            for one in sold
        )


@dataclass(frozen=True, slots=True)
class _New:
    """A ticket about to be sold: its draw, its play and what the log will say of it."""

    draw: rows.DrawRow
    rules: Knockout21Rules
    play: Ticket
    entry: dict[str, Any]


@dataclass(frozen=True, slots=True)
class _Sold:
    new: _New
    row: rows.TicketRow


def _new_tickets(
    lottery: Lottery,
    draw: rows.DrawRow,
    rules: Knockout21Rules,
    until: datetime | None,
    count: int,
    blind: Overrides,
) -> Iterator[_New]:
    codes = lottery.codes
    first_cards = parse_cards(draw.first_cards or "")
    cards = ticket_cards(lottery.entropy.take(KEY_BYTES), CARD_BYTES * count)
    for start in range(0, len(cards), CARD_BYTES):
        own = cards[start : start + CARD_BYTES]
        play = overridden(Ticket.basic(tuple(zip(own[0::2], own[1::2], strict=True)), first_cards), blind)
        ticket_id = new_ticket_id(lottery.entropy)
        entry = {
            "id": ticket_id,
            "draw": draw.number,
            "tag": codes.tag(codes.control_number(ticket_id)),
            "hands": format_cards(own),
            "choices": choices_text(play),
            "price_cents": rules.ticket_price_cents,
            "alter_until": time_text(until) if until else None,
        }
        yield _New(draw, rules, play, entry)


def overridden(play: Ticket, overrides: Overrides) -> Ticket:
    """A ticket with some other choices; one for a hand that has none is refused with its clause."""
    for place, choice in overrides.items():
        if not 0 <= place < POSITIONS:
            raise MalformedInput(
                f"a choice is hit or stand for a hand from 1 to {POSITIONS}", clause="KO21-1.4"
            )
        play = play.choose(place, choice)
    return play


def overrides_text(overrides: Overrides) -> dict[str, str]:
    """Choices as they stand in the digest of a request."""
    return {str(place): choice.value for place, choice in sorted(overrides.items())}


_ForSale = tuple[rows.DrawRow, Knockout21Rules, datetime | None]
"""A draw, its rules, and until when its tickets may be altered where that is not until the close."""


def _draws_to_sell(lottery: Lottery, unit: Unit, order: Order) -> list[_ForSale]:
    """The draws an order is for, each open and in reach; refused with the clause otherwise."""
    rules = lottery.rules
    for count, most, what in (
        (order.tickets_per_draw, rules.sales.tickets_per_draw, "ticket{s} per draw"),
        (order.draws, rules.sales.draws_per_transaction, "consecutive draw{s}"),
    ):
        _require_count(count, most, what)
    scopes = ("all", "clock", f"game:{rules.game}", f"terminal:{order.terminal}")
    if off := switched_off(unit, *scopes):
        raise Conflict(f"sales are switched off ({off}); nothing was taken")
    if not sells_at(rules, unit.at):
        opens = wall_clock(rules, next_sale(rules, unit.at))
        raise Conflict(
            f"tickets are sold from {rules.sales.opens} to {rules.sales.closes}; "
            f"sales open on {opens:%Y-%m-%d at %H:%M %Z}; nothing was taken",
            clause="KO21-2.4",
        )
    window = open_window(lottery, unit)
    first = order.first_draw if order.first_draw is not None else (window[0].number if window else 0)
    # A draw that was called off is passed over: consecutive draws are those that are held.
    wanted = [draw for draw in window if draw.number >= first][: order.draws]
    if not wanted or wanted[0].number != first:
        raise _why_not_in_reach(unit, first, window)
    if len(wanted) < order.draws:
        raise _why_not_in_reach(unit, wanted[-1].number + 1, window)
    choices: list[_ForSale] = []
    for draw in wanted:
        number = draw.number
        if off := switched_off(unit, f"draw:{number}"):
            raise Conflict(f"sales are switched off ({off}); nothing was taken")
        if draw not in offered(rules, window, unit.at):
            raise Conflict(
                f"draw {number} is on {draw.day}: advance tickets for the next draw day are sold after "
                f"{rules.sales.next_day_after}",
                clause="KO21-2.9",
            )
        own = lottery.rules_of(unit.connection, draw.rules_hash)
        _require_count(order.tickets_per_draw, own.sales.tickets_per_draw, "ticket{s} per draw")
        in_advance = draw is not window[0]
        until = altered_until(own, unit.at, parse_day(draw.day), in_advance=in_advance)
        choices.append((draw, own, until))
    return choices


def _require_count(count: int, most: int, what: str) -> None:
    if not 1 <= count <= most:
        allowed = "1" if most == 1 else f"1 to {most}"
        words = what.replace("{s}", "" if most == 1 else "s")
        raise IllegalAction(f"one transaction holds {allowed} {words}, not {count}", clause="KO21-2.2")


def open_window(lottery: Lottery, unit: Unit) -> list[rows.DrawRow]:
    """The draws in reach: the next available one and those in advance (KO21-2.3)."""

    def load() -> list[rows.DrawRow]:
        size = 1 + lottery.rules.sales.advance_draws
        return rows.draws_still_to_close(unit.connection, unit.at, "open", limit=size)

    window: list[rows.DrawRow] = unit.remember("window", load)
    return window


def offered(rules: Knockout21Rules, window: Sequence[rows.DrawRow], at: datetime) -> list[rows.DrawRow]:
    """Those draws in reach for which a ticket may be bought at a moment: none outside sales hours (KO21-2.4),
    and in advance none of the next draw day before 22:00 (KO21-2.9)."""
    if not sells_at(rules, at):
        return []
    return [
        draw for draw in window if draw is window[0] or may_buy_in_advance(rules, at, parse_day(draw.day))
    ]


def _why_not_in_reach(unit: Unit, number: int, window: Sequence[rows.DrawRow]) -> Conflict:
    if number == 0:
        return Conflict("no draw is open for sale", clause="KO21-2.4")
    draw = draw_or_refuse(unit.connection, number)
    if draw.status == "void":
        words = f"draw {number} was called off and its sales are closed; nothing was taken"
        return Conflict(words, clause="KO21-2.4")
    if draw.status != "committed" and (draw.status != "open" or unit.at >= draw.closes_at):
        return Conflict(f"sales of draw {number} have closed; nothing was taken", clause="KO21-2.4")
    on_sale = ", ".join(str(one.number) for one in window) or "none"
    return Conflict(f"draw {number} is not on sale yet; on sale: {on_sale}", clause="KO21-2.3")


def tickets_of(lottery: Lottery, connection: Any, seq: int) -> tuple[SoldTicket, ...]:
    """The tickets of a purchase as they stand, in the order of their sale; none without a purchase."""
    tickets = rows.tickets_of_purchase(connection, seq)
    logged = rows.record_at(connection, seq)
    if logged is not None and logged.kind == TicketsSold.__name__:  # else it is sealed, its draws are over
        sale = logged.read_as(TicketsSold)
        place = {entry["id"]: index for index, entry in enumerate(sale.tickets)}
        tickets.sort(key=lambda row: place[row.id])
    return tuple(ticket_as_it_stands(lottery, connection, row) for row in tickets)


def ticket_as_it_stands(lottery: Lottery, connection: Any, row: rows.TicketRow) -> SoldTicket:
    """A ticket: its print, or what there is of it while its buyer chooses."""
    if row.state != "choosing":
        return print_of(lottery, connection, row)
    draw = draw_or_refuse(connection, row.draw)
    return unprinted(lottery.rules_of(connection, draw.rules_hash), draw, row)


def print_of(lottery: Lottery, connection: Any, row: rows.TicketRow) -> PrintedTicket:
    """The print in force of a ticket; refused while its buyer chooses."""
    draw = draw_or_refuse(connection, row.draw)
    record = rows.record_at(connection, row.purchase)
    head = str(LogHead(record.seq, record.hash)) if record else ""
    return printed(lottery.codes, lottery.rules_of(connection, draw.rules_hash), draw, row, log_head=head)


def reprint(lottery: Lottery, ticket_id: str) -> PrintedTicket:
    """A ticket again, as it stands, with the same codes: a failed print is simply repeated (R-34)."""
    with lottery.database.read() as connection:
        return print_of(lottery, connection, ticket_or_refuse(connection, ticket_id))


def purchase_of_key(lottery: Lottery, key: str) -> tuple[SoldTicket, ...]:
    """The tickets of the purchase that a key was used for, as they stand: whoever has the key bought them."""
    with lottery.database.read() as connection:
        answers = answers_to(connection, [key])
        seq = json.loads(answers[key][1]).get("seq", 0) if key in answers else 0
        tickets = tickets_of(lottery, connection, int(seq))
    if not tickets:
        raise Conflict("no tickets were bought with this key")
    return tickets
