"""Large prizes: from a stated amount on, a prize is paid once an operator has approved it."""

from __future__ import annotations

from typing import Any, Final, Literal

from cardroom.core.errors import Conflict, MalformedInput
from cardroom.lottery.house import Lottery, checked_name, ticket_or_refuse
from cardroom.lottery.lost import said
from cardroom.records.desk import ApprovalAsked, PrizeApproved, PrizeDeclined
from cardroom.store import desk
from cardroom.store import lottery as rows
from cardroom.store.unit import Unit

DEFAULT_CENTS: Final = 1_000_00
"""From this amount on a prize waits for approval, unless the house has said otherwise."""
_SETTING: Final = "approval_from_cents"
LARGEST_CENTS: Final = 1_000_000_00
Decision = Literal["approved", "declined"]


def approval_from(connection: Any) -> int:
    """The amount in cents from which a prize waits for approval."""
    cents = rows.setting(connection, _SETTING)
    return DEFAULT_CENTS if cents is None else int(cents)


def set_approval_from(lottery: Lottery, cents: int, *, by: str) -> None:
    """Say from which amount on prizes wait for approval; it holds for claims from now on."""
    if not 1 <= cents <= LARGEST_CENTS:
        raise MalformedInput("prizes wait for approval from an amount between $0.01 and $1,000,000.00")
    lottery.write(
        lambda unit: rows.change_setting(unit, _SETTING, str(cents), by=[checked_name(by, "a name")]),
        alone=True,
    )


def needs_approval(unit: Unit, row: rows.TicketRow, prize: rows.PrizeRow) -> bool:
    """Whether a prize cannot be paid yet."""
    return row.approval != "approved" and prize.amount_cents >= approval_from(unit.connection)


def ask_for_approval(
    unit: Unit, row: rows.TicketRow, prize: rows.PrizeRow, *, terminal: str, payee: str
) -> None:
    """Somebody brought the ticket: say so to the operators, once."""
    if row.approval is None:
        unit.record(
            ApprovalAsked(
                ticket=row.id, draw=row.draw, amount_cents=prize.amount_cents, terminal=terminal, payee=payee
            )
        )
        rows.change_ticket(unit, row.id, approval="asked")


def decide(lottery: Lottery, ticket: str, decision: Decision, *, by: str, reason: str) -> None:
    """Approve a large prize that was asked for, or not; what was declined may be approved later."""
    name, reason = checked_name(by, "an operator's name"), said(reason)

    def run(unit: Unit) -> None:
        row = ticket_or_refuse(unit.connection, ticket)
        prize = rows.find_prize(unit.connection, row.id)
        if row.approval is None or prize is None:
            raise Conflict("nobody has asked for a prize of this ticket that needs an approval")
        if row.approval == "approved":
            raise Conflict("this prize is approved already")
        kind = PrizeApproved if decision == "approved" else PrizeDeclined
        unit.record(kind(ticket=row.id, by=name, reason=reason))
        rows.change_ticket(unit, row.id, approval=decision)

    lottery.write(run, alone=True)


def waiting(lottery: Lottery) -> list[desk.WaitingPrize]:
    """The large prizes that wait for a decision, and those that were declined."""
    with lottery.database.read() as connection:
        return desk.waiting_approvals(connection)
