"""What operator, auditor and finance read: the lottery's money of some days, counted in two ways.

By draws: what belongs to the draws of these days, whenever the money moved. By cash: what came and went on
these days, whatever draw it was for. With it the trial balance, what is owed, prizes that wait with their
last day, and how each pool came out. One report is made here; it is shown as a page, text, CSV and PDF.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from typing import Any, Final

from cardroom.core.errors import MalformedInput
from cardroom.lottery.finance.books import corrections, liability, trial_balance
from cardroom.lottery.finance.cash import cash_basis, cash_moves, summed_cash
from cardroom.lottery.finance.tables import Cell, Column, Section, summed
from cardroom.lottery.house import Lottery
from cardroom.lottery.reports import traces_of_days
from cardroom.lottery.schedule import at_wall, last_claim_day, parse_day, wall_clock
from cardroom.records.floor import RoundCorrected
from cardroom.records.lottery import DrawSettled, DrawVoided
from cardroom.store import finance
from cardroom.store import lottery as rows

LONGEST_RANGE: Final = timedelta(days=366)


@dataclass(frozen=True, slots=True)
class FinanceReport:
    """The lottery's money of some days."""

    title: str
    first_day: date
    last_day: date
    terminal: str | None
    as_of: datetime
    """Up to when balances are counted: the end of the last day, or now."""
    log_head: str
    sections: tuple[Section, ...]

    def section(self, name: str) -> Section:
        """A table by its name."""
        return next(section for section in self.sections if section.name == name)


@dataclass
class _DrawFigures:
    """A draw's money by draw basis, of all terminals or of one."""

    draw: rows.DrawRow
    account: dict[str, Any] | None
    tickets: int = 0
    sold_cents: int = 0
    won_cents: int = 0
    by_outcome: dict[str | None, int] = field(default_factory=dict)

    @property
    def is_void(self) -> bool:
        return self.draw.status == "void"

    @property
    def is_settled(self) -> bool:
        return self.account is not None


def finance_report(
    lottery: Lottery, first_day: date, last_day: date | None = None, *, terminal: str | None = None
) -> FinanceReport:
    """The report of some days, by the wall clock of the house; of all terminals or of one."""
    last_day = last_day or first_day
    if last_day < first_day:
        raise MalformedInput(f"{last_day} is before {first_day}; write the first day first")
    if last_day - first_day >= LONGEST_RANGE:
        raise MalformedInput("a report is of a year at most")
    rules = lottery.rules
    start = at_wall(rules, first_day, time())
    now = lottery.database.clock.now() + timedelta(microseconds=1)  # what happens at this very moment, too
    end = min(at_wall(rules, last_day + timedelta(days=1), time()), now)
    with lottery.database.read() as connection:
        maker = _Maker(lottery, connection, first_day, last_day, start, end, terminal)
        sections = tuple(maker.sections())
        head = str(rows.head(connection))
    days = first_day.isoformat() if first_day == last_day else f"{first_day} to {last_day}"
    of = f", terminal {terminal}" if terminal else ""
    return FinanceReport(
        f"{rules.title}: money of {days}{of}", first_day, last_day, terminal, end, head, sections
    )


class _Maker:
    """Makes the tables of one report."""

    def __init__(
        self,
        lottery: Lottery,
        connection: Any,
        first_day: date,
        last_day: date,
        start: datetime,
        end: datetime,
        terminal: str | None,
    ) -> None:
        self._lottery, self._connection = lottery, connection
        self._first, self._last = first_day.isoformat(), last_day.isoformat()
        self._start, self._end = start, end
        self._terminal = terminal
        self._seq = finance.last_before(connection, end)
        self._books = finance.balances_at(connection, self._seq)
        self._draws = self._draw_figures()
        self._cash = [
            move for move in cash_moves(connection, lottery.rules, start, end) if self._is_here(move.terminal)
        ]

    def _is_here(self, terminal: str) -> bool:
        return self._terminal is None or terminal == self._terminal

    # By draws.

    def _draw_figures(self) -> dict[int, _DrawFigures]:
        by_draw = {}
        for draw in rows.draws_of_days(self._connection, self._first, self._last):
            account = json.loads(draw.settlement) if draw.settlement else None
            by_draw[draw.number] = _DrawFigures(draw, account)
        for sold in finance.sales_by_terminal(self._connection, self._first, self._last):
            if self._is_here(sold.terminal):
                by_draw[sold.draw].tickets += sold.tickets
                by_draw[sold.draw].sold_cents += sold.sales_cents
        for prize in finance.prizes_of_days(self._connection, self._first, self._last):
            if self._is_here(prize.terminal):
                figures = by_draw[prize.draw]
                figures.won_cents += prize.amount_cents
                before = figures.by_outcome.get(prize.outcome, 0)
                figures.by_outcome[prize.outcome] = before + prize.amount_cents
        return by_draw

    def sections(self) -> Iterator[Section]:
        yield self._summary()
        yield self._draw_basis()
        yield cash_basis(self._cash)
        yield self._terminals()
        if self._terminal is None:
            yield self._pools()
            yield self._result()
        yield from self._unclaimed()
        if self._terminal is None:
            void = {draw.number for draw in rows.draws_with_status(self._connection, "void")}
            yield liability(self._books, void)
            yield trial_balance(self._books)
            between = (self._connection, self._start, self._end)
            if corrected := list(finance.records_between(*between, [RoundCorrected.__name__])):
                yield corrections(corrected)
        yield self._control()

    def _settled(self) -> list[_DrawFigures]:
        return [one for one in self._draws.values() if one.is_settled]

    def _summary(self) -> Section:
        settled = self._settled()
        sales, won = sum(one.sold_cents for one in settled), sum(one.won_cents for one in settled)
        money = summed_cash(self._cash)
        lines: list[tuple[str, int]] = [
            ("Sales of settled draws", sales),
            ("Prizes won in them", won),
            ("Sales less prizes", sales - won),
            ("Sales of draws that are not settled", sum(one.sold_cents for one in self._unsettled())),
            ("Prices of draws that were called off", sum(one.sold_cents for one in self._void())),
            ("Money that came in on these days", money.came),
            ("Money that went out on these days", money.went),
            ("Money kept of these days", money.came - money.went),
        ]
        return Section("summary", "At a glance", (Column("", "text"), Column("Amount")), tuple(lines))

    def _unsettled(self) -> list[_DrawFigures]:
        return [one for one in self._draws.values() if not one.is_settled and not one.is_void]

    def _void(self) -> list[_DrawFigures]:
        return [one for one in self._draws.values() if one.is_void]

    def _draw_basis(self) -> Section:
        by_day = self._first != self._last
        columns = (
            Column("Day" if by_day else "Draw", "text"),
            Column("Tickets", "count"),
            Column("Sales"),
            Column("Prizes"),
            Column("Sales less prizes"),
            Column("Paid"),
            Column("Expired"),
            Column("Waiting"),
            Column("Not settled"),
            Column("To be returned"),
        )
        lines: dict[str, list[int]] = {}
        empty = 0
        for one in self._draws.values():
            if not one.tickets:
                empty += 1
                continue
            words = "" if one.is_settled else ", called off" if one.is_void else ", not settled"
            name = one.draw.day if by_day else f"{one.draw.number}{words}"
            line = lines.setdefault(name, [0] * (len(columns) - 1))
            for place, amount in enumerate(_draw_line(one)):
                line[place] += amount
        table: tuple[tuple[Cell, ...], ...] = tuple((name, *line) for name, line in lines.items())
        notes = [
            "What belongs to the draws of these days, whenever it was sold, paid or expired.",
            "A draw that was called off has neither sales nor prizes: each ticket's price is returned.",
        ]
        if empty:
            notes.append(f"Draws without a ticket: {empty}.")
        return Section("draws", "By draws", columns, table, summed(columns, table), tuple(notes))

    # By cash.

    def _terminals(self) -> Section:
        columns = (
            Column("Terminal", "text"),
            Column("Tickets sold", "count"),
            Column("Came in"),
            Column("Prizes paid"),
            Column("Prices returned"),
            Column("Kept"),
            Column("Sales by draws"),
            Column("Prizes by draws"),
        )
        lines: dict[str, list[int]] = {}

        def line_of(terminal: str) -> list[int]:
            return lines.setdefault(terminal, [0] * (len(columns) - 1))

        for move in self._cash:
            amounts = (
                move.tickets,
                move.came,
                move.went - move.returned,
                move.returned,
                move.came - move.went,
            )
            line = line_of(move.terminal)
            for place, amount in enumerate(amounts):
                line[place] += amount
        for sold in finance.sales_by_terminal(self._connection, self._first, self._last):
            if self._is_here(sold.terminal) and self._draws[sold.draw].is_settled:
                line_of(sold.terminal)[-2] += sold.sales_cents
        for prize in finance.prizes_of_days(self._connection, self._first, self._last):
            if self._is_here(prize.terminal) and self._draws[prize.draw].is_settled:
                line_of(prize.terminal)[-1] += prize.amount_cents
        table: tuple[tuple[Cell, ...], ...] = tuple((name, *line) for name, line in sorted(lines.items()))
        notes = (
            "By cash: where tickets were paid for and prizes paid out.",
            "By draws: settled draws of these days, at the terminal that sold the ticket.",
        )
        return Section("terminals", "By terminal", columns, table, summed(columns, table), notes)

    # Pools.

    def _games(self) -> dict[int, dict[str, int]]:
        sums = {game: dict.fromkeys(_GAME_SUMS, 0) for game in (1, 2, 3)}
        for one in self._settled():
            for game in (one.account or {})["games"]:
                own = sums[game["game"]]
                own["winners"] += game["winners"]
                own["paid"] += game["winners"] * game["prize_cents"]
                for name in ("pool", "rounding", "added", "left"):
                    own[name] += game[f"{name}_cents"]
        return sums

    def _pools(self) -> Section:
        columns = (
            Column("Game", "text"),
            Column("Winners", "count"),
            Column("Pools"),
            Column("Subsidy"),
            Column("Prizes"),
            Column("Surplus"),
            Column("Rounding"),
        )
        games = self._games()
        table = tuple(
            (
                f"Game {game}",
                own["winners"],
                own["pool"],
                own["added"],
                own["paid"],
                own["left"],
                own["rounding"],
            )
            for game, own in games.items()
        )
        notes = (
            "Pool + subsidy = prizes + surplus + rounding, in each line and to the cent (KO21-4.7).",
            "Subsidy: what the least share adds, because the pool divided among its winners gives less.",
            "Game 1 has no pool: all of its prizes are added.",
            "Surplus: what the greatest share leaves of a pool.",
            "Rounding: what is left of a pool when an equal share is rounded down to the coin.",
        )
        return Section("pools", "Pools", columns, table, summed(columns, table), notes)

    def _result(self) -> Section:
        games = self._games()
        accounts = [one.account or {} for one in self._settled()]
        sales = sum(account["sales_cents"] for account in accounts)
        into = sum(account["reserve_in_cents"] for account in accounts)
        out = sum(account["reserve_out_cents"] for account in accounts)
        shared = [games[2], games[3]]
        lines = [
            ("Sales of settled draws", sales),
            ("less the pools of Games 2 and 3", -sum(game["pool"] for game in shared)),
            ("less the prizes of Game 1", -games[1]["paid"]),
            ("less the subsidy of least shares", -sum(game["added"] for game in shared)),
            ("plus the surplus of greatest shares", sum(game["left"] for game in shared)),
            ("plus rounding", sum(game["rounding"] for game in shared)),
            ("less what went into the reserve of pools", -into),
            ("plus what the reserve of pools paid", out),
        ]
        total = ("What the house keeps", sum(cents for _, cents in lines))
        note = (
            "Below zero the house puts money in: with few tickets the least shares cost more than was sold."
        )
        columns = (Column("", "text"), Column("Amount"))
        return Section("result", "The house's result, explained", columns, tuple(lines), total, (note,))

    # What is owed.

    def _waiting(self) -> list[tuple[finance.WonPrize, rows.DrawRow, date]]:
        """Every prize that waited at the moment of the report, of whatever day, with its last day."""
        later = set(self._ended_later())
        draws: dict[int, tuple[rows.DrawRow, date]] = {}
        prizes = []
        for prize in finance.prizes_waiting_at(self._connection, self._seq):
            if prize.draw in later or not self._is_here(prize.terminal):
                continue
            if prize.draw not in draws:
                draw = rows.find_draw(self._connection, prize.draw)
                assert draw is not None
                rules = self._lottery.rules_of(self._connection, draw.rules_hash)
                draws[prize.draw] = (draw, last_claim_day(rules, parse_day(draw.day)))
            prizes.append((prize, *draws[prize.draw]))
        return sorted(prizes, key=lambda one: (one[2], one[0].draw, one[0].ticket))

    def _ended_later(self) -> Iterator[int]:
        """The draws that were settled or called off after the moment of the report."""
        kinds = [DrawSettled.__name__, DrawVoided.__name__]
        for logged in rows.records(self._connection, after=self._seq, kinds=kinds):
            record, _ = logged.read()
            assert isinstance(record, DrawSettled | DrawVoided)
            yield record.draw

    def _unclaimed(self) -> Iterator[Section]:
        waiting = self._waiting()
        today = wall_clock(self._lottery.rules, self._end - timedelta(microseconds=1)).date()
        by_day: dict[date, list[int]] = {}
        for prize, _, until in waiting:
            by_day.setdefault(until, []).append(prize.amount_cents)
        columns = (
            Column("Claim until", "text"),
            Column("Days left", "count"),
            Column("Prizes", "count"),
            Column("Amount"),
        )
        table = tuple(
            (until.isoformat(), (until - today).days, len(amounts), sum(amounts))
            for until, amounts in sorted(by_day.items())
        )
        total = ("In all", None, len(waiting), sum(prize.amount_cents for prize, *_ in waiting))
        note = "Prizes and prices to be returned of all days, which nobody has claimed yet (KO21-4.8)."
        yield Section("expiry", "Unclaimed prizes by their last day", columns, table, total, (note,))
        listed = (
            Column("Ticket", "text"),
            Column("Draw", "text"),
            Column("Day", "text"),
            Column("Sold at", "text"),
            Column("Games", "text"),
            Column("Claim until", "text"),
            Column("Amount"),
        )
        lines = tuple(
            (
                prize.ticket,
                str(prize.draw),
                draw.day,
                prize.terminal,
                prize.games,
                until.isoformat(),
                prize.amount_cents,
            )
            for prize, draw, until in waiting
        )
        yield Section("unclaimed", "Unclaimed prizes", listed, lines, summed(listed, lines))

    def _control(self) -> Section:
        traces = traces_of_days(self._connection, self._first, self._last)
        tickets = list(traces.tickets.values())
        lines: list[tuple[Cell, ...]] = [
            ("Tickets", len(tickets)),
            ("with a payment that stands", sum(not one.unpaid for one in tickets)),
            ("Prizes", sum(one.prize_cents is not None for one in tickets)),
            ("credited", sum(one.credit == "paid" for one in tickets)),
            ("expired", sum(one.credit == "expired" for one in tickets)),
            ("waiting", sum(one.prize_cents is not None and one.credit == "waiting" for one in tickets)),
        ]
        faults = traces.faults()
        notes = tuple(faults) or ("Every ticket has a payment that stands, and every prize its credit.",)
        columns = (Column("", "text"), Column("Number", "count"))
        return Section(
            "control", "Tickets traced to payments, prizes to credits", columns, tuple(lines), None, notes
        )


def _draw_line(one: _DrawFigures) -> tuple[int, ...]:
    """A draw's line: of one that is not settled, or was called off, only what it cost."""
    if one.is_void:
        return (0, 0, 0, 0, 0, 0, 0, 0, one.sold_cents)
    if not one.is_settled:
        return (one.tickets, 0, 0, 0, 0, 0, 0, one.sold_cents, 0)
    paid, expired, waiting = (one.by_outcome.get(outcome, 0) for outcome in ("paid", "expired", None))
    kept = one.sold_cents - one.won_cents
    return (one.tickets, one.sold_cents, one.won_cents, kept, paid, expired, waiting, 0, 0)


_GAME_SUMS: Final = ("winners", "paid", "pool", "rounding", "added", "left")
