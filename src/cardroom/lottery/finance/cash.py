"""The lottery's money by cash: what came and went on some days, whatever draw it was for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, assert_never

from cardroom.lottery.finance.tables import Cell, Column, Section, summed
from cardroom.lottery.schedule import wall_clock
from cardroom.records.lottery import PrizePaid, TicketsSold
from cardroom.rules.knockout21 import Knockout21Rules
from cardroom.store import finance
from cardroom.store import lottery as rows
from cardroom.store.ledger import PLAYERS
from cardroom.store.log import parse_time


@dataclass(frozen=True, slots=True)
class CashMove:
    """Money that came or went at a terminal."""

    day: str
    terminal: str
    tickets: int = 0
    came: int = 0
    went: int = 0
    returned: int = 0
    in_cash: bool = True


def cash_moves(connection: Any, rules: Knockout21Rules, start: datetime, end: datetime) -> Iterator[CashMove]:
    """Every sale and every payment from a moment on and before another, by the wall clock of the house."""
    kinds = [TicketsSold.__name__, PrizePaid.__name__]
    void = {draw.number for draw in rows.draws_with_status(connection, "void")}
    for logged in finance.records_between(connection, start, end, kinds):
        record, _ = logged.read()
        assert isinstance(record, TicketsSold | PrizePaid)
        day = wall_clock(rules, parse_time(logged.at)).date().isoformat()
        match record:
            case TicketsSold(terminal=terminal, tickets=tickets):
                cents, in_cash = sum(ticket["price_cents"] for ticket in tickets), record.buyer == PLAYERS
                yield CashMove(day, terminal, len(tickets), came=cents, in_cash=in_cash)
            case PrizePaid(terminal=terminal, amount_cents=cents):
                returned = cents if record.draw in void else 0
                in_cash = record.payee == PLAYERS
                yield CashMove(day, terminal, went=cents, returned=returned, in_cash=in_cash)
            case _:
                assert_never(record)


def cash_basis(cash: Iterable[CashMove]) -> Section:
    """The table of what came and went, day by day."""
    columns = (
        Column("Day", "text"),
        Column("Tickets sold", "count"),
        Column("Came in cash"),
        Column("Came in chips"),
        Column("Prizes paid"),
        Column("Prices returned"),
        Column("Of these in chips"),
        Column("Kept"),
    )
    by_day: dict[str, list[CashMove]] = {}
    for move in cash:
        by_day.setdefault(move.day, []).append(move)
    table: tuple[tuple[Cell, ...], ...] = tuple(
        (day, *_cash_line(moves)) for day, moves in sorted(by_day.items())
    )
    notes = ("What came and went on these days by the clock of the house, whatever draw it was for.",)
    return Section("cash", "By cash", columns, table, summed(columns, table), notes)


def summed_cash(moves: Iterable[CashMove]) -> CashMove:
    """All of it together."""
    moves = list(moves)
    return CashMove(
        "",
        "",
        sum(move.tickets for move in moves),
        sum(move.came for move in moves),
        sum(move.went for move in moves),
        sum(move.returned for move in moves),
    )


def _cash_line(moves: Sequence[CashMove]) -> tuple[int, ...]:
    money = summed_cash(moves)
    chips_in = sum(move.came for move in moves if not move.in_cash)
    chips_out = sum(move.went for move in moves if not move.in_cash)
    return (
        money.tickets,
        money.came - chips_in,
        chips_in,
        money.went - money.returned,
        money.returned,
        chips_out,
        money.came - money.went,
    )
