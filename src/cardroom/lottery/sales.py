"""Sales: a purchase begun, its choices made, a ticket altered once; nothing after the close."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from cardroom.core.cards import format_cards, parse_cards
from cardroom.core.errors import Conflict, IllegalAction, MalformedInput
from cardroom.engine.knockout21.ticket import Ticket
from cardroom.fair.draw import ticket_cards
from cardroom.lottery.accounts import sales_account
from cardroom.lottery.codes import KEY_BYTES, new_ticket_id, parse_control_number
from cardroom.lottery.house import (
    LARGEST_NUMBER,
    Lottery,
    checked_name,
    draw_or_refuse,
    request_digest,
    switched_off,
    ticket_or_refuse,
)
from cardroom.lottery.plays import choices_text, play_of
from cardroom.lottery.schedule import altered_until, may_sell_day, parse_day, sells_at
from cardroom.lottery.tickets import PrintedTicket, printed
from cardroom.rules.knockout21 import POSITIONS, Knockout21Rules
from cardroom.rules.knockout21_law import CARD_BYTES, Choice
from cardroom.store import lottery as rows
from cardroom.store.ledger import PLAYERS, Transfer
from cardroom.store.log import LogHead, time_text
from cardroom.store.unit import Unit

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
    """A transaction as it was sold."""

    seq: int
    tickets: tuple[PrintedTicket, ...]

    @property
    def price_cents(self) -> int:
        return sum(ticket.price_cents for ticket in self.tickets)


@dataclass(frozen=True, slots=True)
class Chosen:
    """What came of the choices of a purchase: a ticket caught by the close keeps the charts' (KO21-2.8)."""

    ticket: PrintedTicket
    accepted: bool


def sell(lottery: Lottery, order: Order, *, key: str) -> Purchase:
    """Sell tickets with the charts' choices, in one step; a retry with the same key sells nothing more."""
    return _purchase(lottery, order, key, state="issued")


def begin_purchase(lottery: Lottery, order: Order, *, key: str) -> Purchase:
    """Sell tickets whose buyer still chooses; they are in the draw from now on (KO21-2.6, KO21-2.8)."""
    return _purchase(lottery, order, key, state="choosing")


def _purchase(lottery: Lottery, order: Order, key: str, *, state: str) -> Purchase:
    checked_name(key, "the key of a request")
    checked_name(order.terminal, "the name of a terminal")
    codes = lottery.codes
    content = {
        "terminal": order.terminal,
        "tickets_per_draw": order.tickets_per_draw,
        "draws": order.draws,
        "first_draw": order.first_draw,
        "state": state,
    }
    digest = request_digest(content)

    def run(unit: Unit) -> Purchase | tuple[LogHead, list[_Sold]]:
        told = unit.answered(key, digest)
        if told is not None:
            return _purchase_of(lottery, unit, told["seq"])
        chosen = _draws_to_sell(lottery, unit, order)
        new = [
            ticket
            for draw, rules in chosen
            for ticket in _new_tickets(lottery, draw, rules, unit.at, order.tickets_per_draw)
        ]
        moves = [
            Transfer(PLAYERS, sales_account(draw.number), rules.ticket_price_cents * order.tickets_per_draw)
            for draw, rules in chosen
        ]
        entries = [ticket.entry for ticket in new]
        body = {"terminal": order.terminal, "state": state, "key": key, "tickets": entries}
        record = unit.record("TicketsSold", body, moves)
        unit.answer(key, digest, {"seq": record.seq})
        sold = []
        for ticket in new:
            row = rows.ticket_of_event(
                ticket.entry, purchase=record.seq, terminal=order.terminal, sold_at=unit.at, state=state
            )
            rows.add_ticket(unit, row)
            sold.append(_Sold(ticket, row))
        return LogHead(record.seq, record.hash), sold

    answer = lottery.database.write(run, key=key)
    if isinstance(answer, Purchase):
        return answer
    # What is printed is made after the commit, outside the writer's lock: others are waiting for it.
    head, sold = answer
    tickets = (
        printed(codes, one.new.rules, one.new.draw, one.row, log_head=str(head), play=one.new.play)
        for one in sold
    )
    return Purchase(head.seq, tuple(tickets))


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
    lottery: Lottery, draw: rows.DrawRow, rules: Knockout21Rules, at: datetime, count: int
) -> Iterator[_New]:
    codes = lottery.codes
    until = altered_until(rules, at, parse_day(draw.day))
    first_cards = parse_cards(draw.first_cards or "")
    cards = ticket_cards(lottery.entropy.take(KEY_BYTES), CARD_BYTES * count)
    for start in range(0, len(cards), CARD_BYTES):
        own = cards[start : start + CARD_BYTES]
        play = Ticket.basic(tuple(zip(own[0::2], own[1::2], strict=True)), first_cards)
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


def _draws_to_sell(lottery: Lottery, unit: Unit, order: Order) -> list[tuple[rows.DrawRow, Knockout21Rules]]:
    """The draws an order is for, each open and in reach; refused with the clause otherwise."""
    rules = lottery.rules
    for count, most, what in (
        (order.tickets_per_draw, rules.sales.tickets_per_draw, "tickets per draw"),
        (order.draws, rules.sales.draws_per_transaction, "consecutive draws"),
    ):
        if not 1 <= count <= most:
            raise IllegalAction(f"one transaction holds 1 to {most} {what}, not {count}", clause="KO21-2.2")
    scopes = ("all", f"game:{rules.game}", f"terminal:{order.terminal}")
    if off := switched_off(unit, *scopes):
        raise Conflict(f"sales are switched off ({off}); nothing was taken")
    if not sells_at(rules, unit.at):
        raise Conflict(
            f"tickets are sold from {rules.sales.opens} to {rules.sales.closes}; nothing was taken",
            clause="KO21-2.4",
        )
    window = open_window(lottery, unit)
    first = order.first_draw if order.first_draw is not None else (window[0].number if window else 0)
    in_reach = {draw.number: draw for draw in window}
    found = []
    for number in range(first, first + order.draws):
        if number not in in_reach:
            raise _why_not_in_reach(lottery, unit, number, window)
        draw = in_reach[number]
        own = lottery.rules_of(unit.connection, draw.rules_hash)
        if off := switched_off(unit, f"draw:{number}"):
            raise Conflict(f"sales are switched off ({off}); nothing was taken")
        if not may_sell_day(own, unit.at, parse_day(draw.day)):
            raise Conflict(
                f"draw {number} is on {draw.day}: tickets for the next draw day are sold after "
                f"{own.sales.next_day_after}",
                clause="KO21-2.9",
            )
        found.append((draw, own))
    return found


def open_window(lottery: Lottery, unit: Unit) -> list[rows.DrawRow]:
    """The draws that may be bought now: the next available one and those in advance (KO21-2.3)."""

    def load() -> list[rows.DrawRow]:
        waiting = rows.draws_with_status(
            unit.connection, "open", limit=2 * (1 + lottery.rules.sales.advance_draws)
        )
        return [draw for draw in waiting if unit.at < draw.closes_at][: 1 + lottery.rules.sales.advance_draws]

    found: list[rows.DrawRow] = unit.remember("window", load)
    return found


def _why_not_in_reach(lottery: Lottery, unit: Unit, number: int, window: Sequence[rows.DrawRow]) -> Conflict:
    if number == 0:
        return Conflict("no draw is open for sale", clause="KO21-2.4")
    draw = draw_or_refuse(unit.connection, number)
    if draw.status != "committed" and (draw.status != "open" or unit.at >= draw.closes_at):
        return Conflict(f"sales of draw {number} have closed; nothing was taken", clause="KO21-2.4")
    on_sale = ", ".join(str(one.number) for one in window) or "none"
    return Conflict(f"draw {number} is not on sale yet; on sale: {on_sale}", clause="KO21-2.3")


def _purchase_of(lottery: Lottery, unit: Unit, seq: int) -> Purchase:
    record = rows.record_at(unit.connection, seq)
    if record is None:
        raise Conflict(f"record {seq} of the log is missing")
    head = str(LogHead(record.seq, record.hash))
    found = rows.tickets_of_purchase(unit.connection, seq)
    order = {entry["id"]: place for place, entry in enumerate(record.content["tickets"])}
    found.sort(key=lambda row: order[row.id])
    return Purchase(seq, tuple(_printed(lottery, unit.connection, row, head) for row in found))


def _printed(
    lottery: Lottery, connection: Any, row: rows.TicketRow, head: str | None = None
) -> PrintedTicket:
    draw = draw_or_refuse(connection, row.draw)
    if head is None:
        record = rows.record_at(connection, row.purchase)
        head = str(LogHead(record.seq, record.hash)) if record else ""
    return printed(lottery.codes, lottery.rules_of(connection, draw.rules_hash), draw, row, log_head=head)


def reprint(lottery: Lottery, ticket_id: str) -> PrintedTicket:
    """A ticket again, as it stands, with the same codes: a failed print is simply repeated (R-34)."""
    with lottery.database.read() as connection:
        return _printed(lottery, connection, ticket_or_refuse(connection, ticket_id))


def make_choices(
    lottery: Lottery, seq: int, overrides: Mapping[str, Overrides], *, key: str
) -> tuple[Chosen, ...]:
    """Finish a purchase: its tickets' overrides by id, all else by the charts (KO21-2.6, KO21-2.8)."""
    checked_name(key, "the key of a request")
    content = {
        "purchase": seq,
        "overrides": {
            ticket: {str(place): choice.value for place, choice in sorted(own.items())}
            for ticket, own in overrides.items()
        },
    }
    digest = request_digest(content)

    def run(unit: Unit) -> tuple[Chosen, ...]:
        told = unit.answered(key, digest)
        found = rows.tickets_of_purchase(unit.connection, seq) if 0 < seq <= LARGEST_NUMBER else []
        if told is not None:
            late = set(told["late"])
            return tuple(Chosen(_printed(lottery, unit.connection, row), row.id not in late) for row in found)
        if not found:
            raise Conflict(f"there is no purchase {seq}")
        unknown = set(overrides) - {row.id for row in found}
        if unknown:
            raise Conflict(f"ticket {min(unknown)[:40]!r} is not of purchase {seq}")
        made, late_ids, issued = [], [], []
        for row in found:
            draw = draw_or_refuse(unit.connection, row.draw)
            play = _overridden(row, overrides.get(row.id, {}))
            if row.state == "choosing" and _open_at(draw, unit.at):
                made.append({"id": row.id, "choices": choices_text(play)})
            elif row.state == "choosing" or _caught(draw, unit.at):
                late_ids.append(row.id)
                if row.state == "choosing" and draw.status == "open":
                    issued.append(row.id)
            else:
                raise Conflict(
                    "the choices of this purchase were made; a ticket can still be altered once",
                    clause="KO21-2.7",
                )
        record = unit.record(
            "ChoicesMade", {"purchase": seq, "made": made, "late": late_ids, "issued": issued}
        )
        unit.answer(key, digest, {"seq": record.seq, "late": late_ids})
        for entry in made:
            rows.change_ticket(unit, entry["id"], choices=entry["choices"], state="issued")
        for ticket_id in issued:
            rows.change_ticket(unit, ticket_id, state="issued")
        after = rows.tickets_of_purchase(unit.connection, seq)
        return tuple(Chosen(_printed(lottery, unit.connection, row), row.id not in late_ids) for row in after)

    return lottery.database.write(run, key=key, alone=True)


def _open_at(draw: rows.DrawRow, at: datetime) -> bool:
    return draw.status == "open" and at < draw.closes_at


def _caught(draw: rows.DrawRow, at: datetime) -> bool:
    return not _open_at(draw, at)


def _overridden(row: rows.TicketRow, overrides: Overrides) -> Ticket:
    play = play_of(row.hands, row.choices)
    for place, choice in overrides.items():
        if not 0 <= place < POSITIONS:
            raise MalformedInput(
                f"a choice is hit or stand for a hand from 1 to {POSITIONS}", clause="KO21-1.4"
            )
        play = play.choose(place, choice)
    return play


def alter(lottery: Lottery, control_number: str, overrides: Overrides, *, key: str) -> PrintedTicket:
    """Change the choices of a ticket, once and only once, before its sales close (KO21-2.7)."""
    checked_name(key, "the key of a request")
    number = parse_control_number(control_number)
    tag = lottery.codes.tag(number)
    content = {
        "alter": tag,
        "overrides": {str(place): choice.value for place, choice in sorted(overrides.items())},
    }
    digest = request_digest(content)

    def run(unit: Unit) -> PrintedTicket:
        told = unit.answered(key, digest)
        row = rows.find_ticket(unit.connection, control_tag=tag)
        if row is None:
            raise Conflict("no ticket has this control number")
        if told is not None:
            return _printed(lottery, unit.connection, row)
        draw = draw_or_refuse(unit.connection, row.draw)
        rules = lottery.rules_of(unit.connection, draw.rules_hash)
        if row.state == "altered":
            raise Conflict("this ticket was altered before; once and only once", clause="KO21-2.7")
        if row.state == "choosing":
            raise Conflict("this ticket is not printed yet: its buyer is still choosing", clause="KO21-2.7")
        if not _open_at(draw, unit.at):
            raise Conflict(
                f"sales of draw {draw.number} have closed; the ticket keeps its choices", clause="KO21-2.8"
            )
        if row.alter_until is not None and unit.at >= row.alter_until:
            raise Conflict(
                f"a ticket for the next draw day may be altered until {rules.sales.next_day_altered_until}",
                clause="KO21-2.9",
            )
        after = choices_text(_overridden(row, overrides))
        record = unit.record("TicketAltered", {"id": row.id, "before": row.choices, "after": after})
        unit.answer(key, digest, {"seq": record.seq})
        rows.change_ticket(unit, row.id, choices=after, state="altered")
        changed = rows.find_ticket(unit.connection, ticket_id=row.id)
        assert changed is not None
        return _printed(lottery, unit.connection, changed)

    return lottery.database.write(run, key=key, alone=True)
