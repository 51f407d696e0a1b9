"""What the lottery's desk asks for: tickets by what people remember, large prizes that wait for approval."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import Connection, select

from cardroom.store.log import time_text
from cardroom.store.lottery import TicketRow, ticket_of_row
from cardroom.store.schema import prizes, tickets

MOST_FOUND: Final = 50
_CHOICES: Final = 11


@dataclass(frozen=True, slots=True)
class WaitingPrize:
    """A large prize somebody has asked for."""

    ticket: str
    draw: int
    terminal: str
    amount_cents: int
    approval: str


def find_tickets(
    connection: Connection,
    *,
    draw: int | None = None,
    terminal: str | None = None,
    sold_from: datetime | None = None,
    sold_until: datetime | None = None,
    choices: Mapping[int, str] | None = None,
) -> list[TicketRow]:
    """Printed tickets that fit, the earliest first; `choices` are letters by their place in a ticket's."""
    statement = select(tickets).where(tickets.c.state != "choosing")
    if draw is not None:
        statement = statement.where(tickets.c.draw == draw)
    if terminal is not None:
        statement = statement.where(tickets.c.terminal == terminal)
    if sold_from is not None:
        statement = statement.where(tickets.c.sold_at >= time_text(sold_from))
    if sold_until is not None:
        statement = statement.where(tickets.c.sold_at <= time_text(sold_until))
    if choices:
        pattern = "".join(choices.get(place, "_") for place in range(_CHOICES))
        statement = statement.where(tickets.c.choices.like(pattern))
    statement = statement.order_by(tickets.c.sold_at, tickets.c.id).limit(MOST_FOUND)
    return [ticket_of_row(row) for row in connection.execute(statement).mappings()]


def waiting_approvals(connection: Connection) -> list[WaitingPrize]:
    """The large prizes that were asked for, and are neither approved nor paid."""
    statement = (
        select(prizes.c.ticket, prizes.c.draw, tickets.c.terminal, prizes.c.amount_cents, tickets.c.approval)
        .join(tickets, tickets.c.id == prizes.c.ticket)
        .where(tickets.c.approval.in_(("asked", "declined")))
        .order_by(prizes.c.draw, prizes.c.ticket)
    )
    return [WaitingPrize(*row) for row in connection.execute(statement)]
