"""A printed ticket altered: once and only once, before its sales close (KO21-2.7)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from cardroom.core.errors import Conflict
from cardroom.lottery.codes import parse_control_number
from cardroom.lottery.house import Lottery, checked_name, draw_or_refuse, request_digest
from cardroom.lottery.sales import Overrides, overridden, overrides_text, print_of
from cardroom.lottery.schedule import wall_clock
from cardroom.lottery.ticket_text import choices_text, play_of
from cardroom.lottery.tickets import PrintedTicket
from cardroom.records.lottery import TicketAltered
from cardroom.rules.knockout21 import Knockout21Rules
from cardroom.store import lottery as rows
from cardroom.store.unit import Unit


def alterable_until(draw: rows.DrawRow, row: rows.TicketRow) -> datetime:
    """The moment from which a ticket can no longer be altered: its close, or 2:00 before it (KO21-2.9)."""
    return draw.closes_at if row.alter_until is None else min(draw.closes_at, row.alter_until)


def why_not_alter(
    rules: Knockout21Rules, draw: rows.DrawRow, row: rows.TicketRow, at: datetime
) -> Conflict | None:
    """Why a ticket cannot be altered at a moment, with the clause; None when it can."""
    if row.state == "altered":
        return Conflict("this ticket was altered before; once and only once", clause="KO21-2.7")
    if row.state == "choosing":
        return Conflict("this ticket is not printed yet: its buyer is still choosing", clause="KO21-2.7")
    if draw.status != "open" or at >= draw.closes_at:
        return Conflict(
            f"sales of draw {draw.number} have closed; the ticket keeps its choices", clause="KO21-2.8"
        )
    if at >= alterable_until(draw, row):
        until = wall_clock(rules, alterable_until(draw, row))
        return Conflict(
            f"this advance ticket for the next draw day could be altered until {until:%H:%M}",
            clause="KO21-2.9",
        )
    return None


def alteration_open_until(lottery: Lottery, connection: Any, ticket_id: str, at: datetime) -> datetime | None:
    """Until when a ticket can be altered, as things stand at a moment; None when it cannot."""
    row = rows.find_ticket(connection, ticket_id=ticket_id)
    if row is None:
        return None
    draw = draw_or_refuse(connection, row.draw)
    rules = lottery.rules_of(connection, draw.rules_hash)
    return None if why_not_alter(rules, draw, row, at) else alterable_until(draw, row)


def alter(lottery: Lottery, control_number: str, overrides: Overrides, *, key: str) -> PrintedTicket:
    """Change the choices of a ticket, once and only once; what changes nothing is no alteration."""
    checked_name(key, "the key of a request")
    number = parse_control_number(control_number)
    tag = lottery.codes.tag(number)
    digest = request_digest({"alter": tag, "overrides": overrides_text(overrides)})

    def run(unit: Unit) -> PrintedTicket:
        answer = unit.answered(key, digest)
        row = rows.find_ticket(unit.connection, control_tag=tag)
        if row is None:
            raise Conflict("no ticket has this control number")
        if answer is not None:
            return print_of(lottery, unit.connection, row)
        draw = draw_or_refuse(unit.connection, row.draw)
        rules = lottery.rules_of(unit.connection, draw.rules_hash)
        if (refusal := why_not_alter(rules, draw, row, unit.at)) is not None:
            raise refusal
        after = choices_text(overridden(play_of(row.hands, row.choices), overrides))
        if after == row.choices:
            raise Conflict(
                "the ticket has these choices already; nothing was altered, and it may still be altered once",
                clause="KO21-2.7",
            )
        record = unit.record(TicketAltered(id=row.id, before=row.choices, after=after))
        unit.answer(key, digest, {"seq": record.seq})
        rows.change_ticket(unit, row.id, choices=after, state="altered")
        changed = rows.find_ticket(unit.connection, ticket_id=row.id)
        assert changed is not None
        return print_of(lottery, unit.connection, changed)

    return lottery.write(run, key=key, alone=True)
