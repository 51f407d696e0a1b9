"""What reports of money ask for: balances at a moment, the log between two, sums by terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, func, select

from cardroom.store.archives import archived_records, sealed_head
from cardroom.store.ledger import all_balances
from cardroom.store.log import LogRecord, time_text
from cardroom.store.schema import claims, draws, log, prizes, tickets
from cardroom.store.unit import read_log


@dataclass(frozen=True, slots=True)
class TerminalSales:
    """The tickets of a draw that one terminal sold."""

    draw: int
    terminal: str
    tickets: int
    sales_cents: int


@dataclass(frozen=True, slots=True)
class WonPrize:
    """A prize, or a price to be returned; `outcome_seq` is the record by which it left the books."""

    ticket: str
    draw: int
    terminal: str
    amount_cents: int
    games: str
    outcome: str | None
    outcome_seq: int | None


def records_between(
    connection: Connection, start: datetime, end: datetime, kinds: Sequence[str]
) -> Iterator[LogRecord]:
    """Some kinds of records from a moment on and before another; archives are opened where they reach in."""
    first, last = time_text(start), time_text(end)
    sealed = sealed_head(connection)
    if sealed.seq and _at(connection, sealed.seq) >= first:
        for record in archived_records(connection, kinds=kinds):
            if first <= record.at < last:
                yield record
    statement = (
        select(log)
        .where(log.c.seq > sealed.seq, log.c.at >= first, log.c.at < last, log.c.kind.in_(kinds))
        .order_by(log.c.seq)
    )
    for row in connection.execute(statement):
        yield LogRecord(int(row.seq), row.at, row.kind, row.body, row.hash)


def _at(connection: Connection, seq: int) -> str:
    return str(connection.execute(select(log.c.at).where(log.c.seq == seq)).scalar_one())


def last_before(connection: Connection, moment: datetime) -> int:
    """The number of the last record before a moment; 0 where there is none."""
    text = time_text(moment)
    sealed = sealed_head(connection)
    if sealed.seq and _at(connection, sealed.seq) >= text:
        return max((record.seq for record in archived_records(connection) if record.at < text), default=0)
    seq = connection.execute(select(func.max(log.c.seq)).where(log.c.at < text)).scalar()
    return int(seq or 0)


def balances_at(connection: Connection, seq: int) -> dict[str, int]:
    """Every account's balance after a record, which may lie in an archive."""
    if seq >= sealed_head(connection).seq:
        return all_balances(connection, until=seq)
    books: dict[str, int] = {}
    for record in read_log(connection):
        if record.seq > seq:
            break
        for move in record.read()[1]:
            books[move.source] = books.get(move.source, 0) - move.amount_cents
            books[move.target] = books.get(move.target, 0) + move.amount_cents
    return books


def sales_by_terminal(connection: Connection, first_day: str, last_day: str) -> list[TerminalSales]:
    """The tickets of the draws of some days, by draw and terminal."""
    statement = (
        select(tickets.c.draw, tickets.c.terminal, func.count(), func.sum(tickets.c.price_cents))
        .join(draws, draws.c.number == tickets.c.draw)
        .where(draws.c.day >= first_day, draws.c.day <= last_day)
        .group_by(tickets.c.draw, tickets.c.terminal)
        .order_by(tickets.c.draw, tickets.c.terminal)
    )
    return [TerminalSales(int(d), t, int(n), int(cents)) for d, t, n, cents in connection.execute(statement)]


def prizes_of_days(connection: Connection, first_day: str, last_day: str) -> list[WonPrize]:
    """The prizes of the draws of some days, by draw and ticket."""
    return _prizes(connection, (draws.c.day >= first_day) & (draws.c.day <= last_day))


def prizes_waiting_at(connection: Connection, seq: int) -> list[WonPrize]:
    """The prizes of all days that had not left the books by a record, by draw and ticket."""
    return _prizes(connection, claims.c.seq.is_(None) | (claims.c.seq > seq))


def _prizes(connection: Connection, which: ColumnElement[bool]) -> list[WonPrize]:
    statement = (
        select(
            prizes.c.ticket,
            prizes.c.draw,
            tickets.c.terminal,
            prizes.c.amount_cents,
            prizes.c.games,
            claims.c.outcome,
            claims.c.seq,
        )
        .join(tickets, tickets.c.id == prizes.c.ticket)
        .join(draws, draws.c.number == prizes.c.draw)
        .outerjoin(claims, claims.c.ticket == prizes.c.ticket)
        .where(which)
        .order_by(prizes.c.draw, prizes.c.ticket)
    )
    return [WonPrize(*row) for row in connection.execute(statement)]
