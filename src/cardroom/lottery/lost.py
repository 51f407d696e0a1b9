"""A lost ticket: looked up by what its owner remembers, stopped, and printed anew by two people.

Whoever looks it up sees neither control number nor code nor prize: those are on the paper alone. A stop keeps
every print from being paid until two people print the ticket anew, which voids earlier prints, or lift it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from cardroom.core.errors import Conflict, MalformedInput
from cardroom.lottery.house import Lottery, checked_name, ticket_or_refuse, two_people
from cardroom.lottery.print_codes import print_number
from cardroom.lottery.sales import print_of
from cardroom.lottery.ticket_text import FIRST_CHOICE
from cardroom.lottery.tickets import PrintedTicket
from cardroom.records.desk import LostTicketSought, StopLifted, TicketReissued, TicketStopped
from cardroom.rules.knockout21.law import Choice
from cardroom.store import desk
from cardroom.store import lottery as rows
from cardroom.store.log import time_text
from cardroom.store.unit import Unit

LONGEST_REASON: Final = 200


@dataclass(frozen=True, slots=True)
class Remembered:
    """What the owner of a lost ticket remembers of it: a draw, or a terminal and a time, and choices."""

    draw: int | None = None
    terminal: str | None = None
    sold_from: datetime | None = None
    sold_until: datetime | None = None
    choices: Mapping[int, Choice] | None = None
    """By position from 0."""

    def __post_init__(self) -> None:
        if self.draw is None and (self.terminal is None or self.sold_from is None or self.sold_until is None):
            raise MalformedInput("say the draw, or the terminal and from when to when it was sold")

    def words(self) -> dict[str, str]:
        """What was asked, as the log keeps it."""
        return {
            name: text
            for name, text in (
                ("draw", str(self.draw) if self.draw is not None else ""),
                ("terminal", self.terminal or ""),
                ("sold_from", time_text(self.sold_from) if self.sold_from else ""),
                ("sold_until", time_text(self.sold_until) if self.sold_until else ""),
                (
                    "choices",
                    " ".join(f"{place + 1}={c.value}" for place, c in sorted((self.choices or {}).items())),
                ),
            )
            if text
        }


def look_up(lottery: Lottery, remembered: Remembered, *, by: str) -> list[rows.TicketRow]:
    """The tickets that fit what somebody remembers, 50 at most; who asked for what is in the log."""
    letters = {place - FIRST_CHOICE: choice.value for place, choice in (remembered.choices or {}).items()}

    def run(unit: Unit) -> list[rows.TicketRow]:
        tickets = desk.find_tickets(
            unit.connection,
            draw=remembered.draw,
            terminal=remembered.terminal,
            sold_from=remembered.sold_from,
            sold_until=remembered.sold_until,
            choices=letters,
        )
        unit.note(
            LostTicketSought(
                by=checked_name(by, "an operator's name"),
                asked=remembered.words(),
                found=[row.id for row in tickets],
            )
        )
        return tickets

    return lottery.database.write(run, alone=True)


def stop(lottery: Lottery, ticket: str, *, by: str, reason: str) -> None:
    """Stop a ticket: nothing is paid for any print of it; stopping twice is once."""
    reason = said(reason)

    def run(unit: Unit) -> None:
        row = _printed(unit, ticket)
        if row.stopped is None:
            unit.record(
                TicketStopped(ticket=row.id, by=checked_name(by, "an operator's name"), reason=reason)
            )
            rows.change_ticket(unit, row.id, stopped=reason)

    lottery.write(run, alone=True)


def lift_stop(lottery: Lottery, ticket: str, *, operators: Sequence[str], reason: str) -> None:
    """Let a stopped ticket be paid again: the paper was found."""
    names, reason = two_people(operators, "lifting a stop"), said(reason)

    def run(unit: Unit) -> None:
        row = _stopped(unit, ticket)
        unit.record(StopLifted(ticket=row.id, by=names, reason=reason))
        rows.change_ticket(unit, row.id, stopped=None)

    lottery.write(run, alone=True)


def reissue(lottery: Lottery, ticket: str, *, appointed: Mapping[str, str], reason: str) -> PrintedTicket:
    """Print a stopped ticket anew: its earlier prints are void from now on, and the stop is over.

    `appointed` names the two who do it, with who appointed each of them.
    """
    names, reason = two_people(list(appointed), "printing a lost ticket anew"), said(reason)

    def run(unit: Unit) -> PrintedTicket:
        row = _stopped(unit, ticket)
        if (prize := rows.find_prize(unit.connection, row.id)) is not None and prize.outcome is not None:
            raise Conflict(
                f"the prize of this ticket is {prize.outcome} already; a new print is worth nothing"
            )
        record = TicketReissued(
            ticket=row.id,
            by=names,
            appointed=dict(appointed),
            reason=reason,
            print=print_number(row) + 1,
        )
        unit.record(record)
        rows.change_ticket(unit, row.id, stopped=None, reprints=row.reprints + 1)
        return print_of(lottery, unit.connection, ticket_or_refuse(unit.connection, row.id))

    return lottery.write(run, alone=True)


def said(reason: str) -> str:
    """A reason that says something (R-47)."""
    words = " ".join(reason.split())
    if not 3 <= len(words) <= LONGEST_REASON:
        raise MalformedInput(f"say why, in 3 to {LONGEST_REASON} letters: the log keeps it")
    return words


def _printed(unit: Unit, ticket: str) -> rows.TicketRow:
    row = ticket_or_refuse(unit.connection, ticket)
    if row.state == "choosing":
        raise Conflict("this ticket is not printed yet: there is no paper to be lost")
    return row


def _stopped(unit: Unit, ticket: str) -> rows.TicketRow:
    row = _printed(unit, ticket)
    if row.stopped is None:
        raise Conflict("this ticket is not stopped; stop it first")
    return row
