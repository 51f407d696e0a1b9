"""Reports: a draw's balance, a day's, and the check of the whole log and its books."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import time, timedelta
from typing import Any, Final

from cardroom.lottery.accounts import sales_account
from cardroom.lottery.control import control_of
from cardroom.lottery.draws import pool_root
from cardroom.lottery.finance.books import corrections
from cardroom.lottery.house import Lottery, code_version, draw_or_refuse
from cardroom.lottery.replay import state_faults
from cardroom.lottery.schedule import at_wall, parse_day
from cardroom.lottery.tracing import Traces
from cardroom.records.floor import RoundCorrected
from cardroom.records.lottery import DayCommitted
from cardroom.store import finance
from cardroom.store import lottery as rows
from cardroom.store.archive_file import DamagedArchive, MissingArchive
from cardroom.store.database import Database
from cardroom.store.ledger import all_balances, balance, ledger_faults
from cardroom.store.log import LogHead, LogRecord, check_chain

_OUTCOMES: Final = (None, "paid", "expired")


def draw_report(lottery: Lottery, number: int) -> dict[str, Any]:
    """A draw's balance: what was sold, what was won, what is still to be claimed."""
    with lottery.database.read() as connection:
        return _draw_report(connection, draw_or_refuse(connection, number))


def _draw_report(connection: Any, draw: rows.DrawRow) -> dict[str, Any]:
    is_void = draw.status == "void"
    count, total = rows.count_and_total(connection, draw.number)
    prizes = rows.prizes_of_draw(connection, draw.number)
    won = [] if is_void else prizes
    by_outcome = {
        outcome: sum(prize.amount_cents for prize in won if prize.outcome == outcome) for outcome in _OUTCOMES
    }
    return {
        "draw": draw.number,
        "day": draw.day,
        "status": draw.status,
        "held": draw.held,
        "tickets": 0 if is_void else count,
        "sales_cents": 0 if is_void else total,
        "unfinished_cents": balance(connection, sales_account(draw.number)),
        "root": draw.root,
        "commitment": draw.commitment,
        "prizes_cents": sum(prize.amount_cents for prize in won),
        "paid_cents": by_outcome["paid"],
        "expired_cents": by_outcome["expired"],
        "waiting_cents": by_outcome[None],
        "called_off": _called_off(count, prizes) if is_void else None,
        "account": json.loads(draw.settlement) if draw.settlement else None,
        "balances_cents": {
            **all_balances(connection, prefix=f"draw:{draw.number}:"),
            **all_balances(connection, prefix=f"house:draw-{draw.number}-"),
        },
    }


def _called_off(tickets: int, prices: list[rows.PrizeRow]) -> dict[str, int]:
    """What a draw that was called off gives back: no sales, no prizes, the price of each ticket."""
    back = {outcome: sum(p.amount_cents for p in prices if p.outcome == outcome) for outcome in _OUTCOMES}
    return {
        "tickets": tickets,
        "returned_cents": sum(price.amount_cents for price in prices),
        "paid_back_cents": back["paid"],
        "expired_cents": back["expired"],
        "waiting_cents": back[None],
    }


def day_report(lottery: Lottery, day: str) -> dict[str, Any]:
    """A draw day: its draws and their sums; money of unfinished draws on its own (R-45)."""
    with lottery.database.read() as connection:
        draws = [_draw_report(connection, draw) for draw in rows.draws_of_day(connection, day)]
        head = rows.head(connection)
        traces = traces_of_days(connection, day, day)
        corrected = corrections(_corrections_of(lottery, connection, day))
    sums = (
        "tickets",
        "sales_cents",
        "unfinished_cents",
        "prizes_cents",
        "paid_cents",
        "expired_cents",
        "waiting_cents",
    )
    return {
        "day": day,
        "draws": len(draws),
        **{name: sum(draw[name] for draw in draws) for name in sums},
        "house_cents": sum(draw["account"]["house_cents"] for draw in draws if draw["account"]),
        "called_off": [draw["draw"] for draw in draws if draw["called_off"]],
        "called_off_cents": sum(draw["called_off"]["returned_cents"] for draw in draws if draw["called_off"]),
        "held": [draw["draw"] for draw in draws if draw["held"]],
        "traced": _traced(traces),
        "results_put_right": {
            "rounds": len(corrected.rows),
            "to_players_cents": (corrected.total or ())[-2],
            "from_players_cents": (corrected.total or ())[-1],
        },
        "log_head": str(head),
    }


def _corrections_of(lottery: Lottery, connection: Any, day: str) -> Iterable[LogRecord]:
    """The records of a day by which results of rounds at tables were put right."""
    first = parse_day(day)
    start, end = (at_wall(lottery.rules, one, time()) for one in (first, first + timedelta(days=1)))
    return finance.records_between(connection, start, end, [RoundCorrected.__name__])


def traces_of_days(connection: Any, first_day: str, last_day: str) -> Traces:
    """The tickets of the draws of some days traced to payments, and their prizes to credits."""
    draws = frozenset(draw.number for draw in rows.draws_of_days(connection, first_day, last_day))
    traces = Traces(only=draws)
    if draws:
        days = rows.records(connection, kinds=[DayCommitted.__name__])
        begins = next((logged.seq for logged in days if logged.read_as(DayCommitted).day >= first_day), 1)
        traces.feed(rows.records(connection, after=begins - 1))
    return traces


def _traced(traces: Traces) -> dict[str, Any]:
    tickets = traces.tickets.values()
    return {
        "tickets": len(tickets),
        "with_payment": sum(not ticket.unpaid for ticket in tickets),
        "prizes": sum(ticket.prize_cents is not None for ticket in tickets),
        "credited": sum(ticket.credit == "paid" for ticket in tickets),
        "expired": sum(ticket.credit == "expired" for ticket in tickets),
        "players": len({ticket.player for ticket in tickets}),
        "faults": traces.faults(),
    }


@dataclass(frozen=True, slots=True)
class LogCheck:
    """What the check of the log found; the head is for keeping elsewhere."""

    head: LogHead
    code: str
    faults: tuple[str, ...]


def check_log(lottery: Lottery, heads: Iterable[LogHead] = ()) -> LogCheck:
    """Check everything: the chain, the books, the rows, tickets to payments and credits, seals, control."""
    return check_database(lottery.database, heads)


def check_database(database: Database, heads: Iterable[LogHead] = ()) -> LogCheck:
    """The same of a database alone."""
    with database.read() as connection:
        faults = ledger_faults(connection)
        try:
            faults = [str(fault) for fault in check_chain(rows.records(connection), heads)] + faults
            if not faults:
                faults += state_faults(connection)
                faults += Traces().feed(rows.records(connection)).faults()
            if not faults:
                faults += control_faults(connection)
        except (MissingArchive, DamagedArchive) as error:
            faults.append(error.message)
        return LogCheck(rows.head(connection), code_version(), tuple(faults))


def control_faults(connection: Any) -> list[str]:
    """Where the control, having heard the whole log, differs from the books."""
    control = control_of(connection)
    faults = list(control.complaints)
    books = all_balances(connection)
    heard = {account: cents for account, cents in control.balances.items() if cents or account in books}
    faults += [
        f"{account}: the control heard {heard.get(account, 0)} cents, the books say {books.get(account, 0)}"
        for account in sorted({*heard, *books})
        if heard.get(account, 0) != books.get(account, 0)
    ]
    for draw in rows.draws_with_status(connection, "sealed", "drawn", "settled"):
        sealed = (draw.root, draw.ticket_count, draw.total_cents)
        if control.pool(draw.number) != sealed or pool_root(connection, draw.number) != sealed:
            faults.append(f"draw {draw.number}: the pool is not the one that was sealed")
        if draw.status == "settled":
            won, _ = control.won(draw.number)
            figures = {
                prize.ticket: prize.amount_cents for prize in rows.prizes_of_draw(connection, draw.number)
            }
            if won != figures:
                faults.append(f"draw {draw.number}: the prizes are not those of the control")
    return faults
