"""The choices of a purchase that was begun: kept as they are made, and final with the print.

They belong to the purchase. Whoever comes back to it finds them; sales that close before it is printed end it
with the charts' choices (KO21-2.8).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cardroom.core.errors import Conflict
from cardroom.lottery.house import LARGEST_NUMBER, Lottery, checked_name, draw_or_refuse, request_digest
from cardroom.lottery.sales import (
    BegunPurchase,
    Overrides,
    overridden,
    overrides_text,
    tickets_of,
)
from cardroom.lottery.ticket_text import choices_text, play_of
from cardroom.lottery.tickets import PrintedTicket
from cardroom.records.lottery import ChoicesMade, ChoicesSaved
from cardroom.store import lottery as rows
from cardroom.store.archives import sealed_head
from cardroom.store.unit import Unit

OverridesByTicket = Mapping[str, Overrides]
"""Choices by the id of their ticket."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """What came of the choices of a purchase: a ticket caught by the close keeps the charts' (KO21-2.8)."""

    ticket: PrintedTicket
    accepted: bool


def purchase_so_far(lottery: Lottery, seq: int) -> BegunPurchase:
    """A purchase as it stands, with the choices made so far."""
    with lottery.database.read() as connection:
        tickets = tickets_of(lottery, connection, seq) if 0 < seq <= LARGEST_NUMBER else ()
    if not tickets:
        raise Conflict(f"there is no purchase {seq}")
    return BegunPurchase(seq, tickets)


def save_choices(lottery: Lottery, seq: int, overrides: OverridesByTicket, *, key: str) -> BegunPurchase:
    """Keep the choices made so far, without a print: for each ticket named, all that are not the charts'.

    Choices for a ticket whose sales have closed are not accepted (KO21-2.8).
    """
    digest = _digest("save", seq, overrides, key)

    def run(unit: Unit) -> None:
        if unit.answered(key, digest) is not None:
            return
        saved = [
            {"id": row.id, "choices": choices_text(overridden(play_of(row.hands, row.choices), own))}
            for row in _tickets_to_choose(unit, seq, overrides)
            if (own := overrides.get(row.id)) is not None and _is_open(unit, row)
        ]
        if not saved:
            return
        record = unit.record(ChoicesSaved(purchase=seq, saved=saved))
        unit.answer(key, digest, {"seq": record.seq})
        for entry in saved:
            rows.change_ticket(unit, entry["id"], draft_choices=entry["choices"])

    lottery.write(run, key=key, alone=True)
    return purchase_so_far(lottery, seq)


def make_choices(lottery: Lottery, seq: int, overrides: OverridesByTicket, *, key: str) -> tuple[Chosen, ...]:
    """Finish a purchase and print it, with the choices kept so far and those given (KO21-2.6, KO21-2.8)."""
    digest = _digest("", seq, overrides, key)

    def run(unit: Unit) -> tuple[Chosen, ...]:
        answer = unit.answered(key, digest)
        if answer is not None:
            return _chosen(lottery, unit, seq, set(answer["late"]))
        made, late, issued = [], [], []
        for row in _tickets_to_choose(unit, seq, overrides):
            play = overridden(play_of(row.hands, row.draft_choices or row.choices), overrides.get(row.id, {}))
            if _is_open(unit, row):
                made.append({"id": row.id, "choices": choices_text(play)})
                continue
            late.append(row.id)
            if row.state == "choosing":  # its close has come and is not done yet
                issued.append(row.id)
        choices = ChoicesMade(purchase=seq, made=made, late=late, issued=issued)
        record = unit.record(choices, about=[_name_of(seq)])
        unit.answer(key, digest, {"seq": record.seq, "late": late})
        for entry in made:
            rows.change_ticket(
                unit, entry["id"], choices=entry["choices"], state="issued", draft_choices=None
            )
        for ticket_id in issued:
            rows.change_ticket(unit, ticket_id, state="issued", draft_choices=None)
        return _chosen(lottery, unit, seq, set(late))

    return lottery.write(run, key=key, alone=True)


def _digest(what: str, seq: int, overrides: OverridesByTicket, key: str) -> str:
    checked_name(key, "the key of a request")
    content: dict[str, Any] = {
        "purchase": seq,
        "overrides": {ticket: overrides_text(own) for ticket, own in overrides.items()},
    }
    return request_digest({**content, "what": what} if what else content)


def _tickets_to_choose(unit: Unit, seq: int, overrides: OverridesByTicket) -> list[rows.TicketRow]:
    """The tickets of a purchase that is not printed; those that the close has caught are among them."""
    tickets = rows.tickets_of_purchase(unit.connection, seq) if 0 < seq <= LARGEST_NUMBER else []
    if not tickets:
        raise Conflict(f"there is no purchase {seq}")
    unknown = set(overrides) - {row.id for row in tickets}
    if unknown:
        raise Conflict(f"ticket {min(unknown)[:40]!r} is not of purchase {seq}")
    is_printed = any(row.state != "choosing" and _is_open(unit, row) for row in tickets)
    is_over = seq <= sealed_head(unit.connection).seq
    if is_printed or is_over or rows.newest_about(unit.connection, _name_of(seq)) is not None:
        raise Conflict(
            f"purchase {seq} is final; a printed ticket may be altered once, before sales close",
            clause="KO21-2.7",
        )
    return tickets


def _name_of(seq: int) -> str:
    """The name by which the log's record of a finished purchase is found."""
    return f"purchase:{seq}"


def _is_open(unit: Unit, row: rows.TicketRow) -> bool:
    draw = draw_or_refuse(unit.connection, row.draw)
    return draw.status == "open" and unit.at < draw.closes_at


def _chosen(lottery: Lottery, unit: Unit, seq: int, late: set[str]) -> tuple[Chosen, ...]:
    printed = tickets_of(lottery, unit.connection, seq)
    return tuple(
        Chosen(ticket, ticket.id not in late) for ticket in printed if isinstance(ticket, PrintedTicket)
    )
