"""How a ticket stands at a moment: being chosen, in its draw, on the wall, with a prize, paid, expired."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from cardroom.lottery.alteration import why_not_alter
from cardroom.lottery.schedule import claim_expired, parse_day
from cardroom.rules.knockout21 import Knockout21Rules
from cardroom.store.lottery import DrawRow, PrizeRow, TicketRow

Verdict = Literal[
    "not yet drawn",
    "no prize",
    "prize",
    "paid already",
    "expired",
    "stopped",
    "waits for approval",
    "not approved",
]
"""What a printed ticket is worth."""
Standing = Literal[
    Verdict,
    "choosing",
    "alterable",
    "being drawn",
    "price back",
]
"""A verdict, or more exactly how a ticket stands that is not drawn yet or whose draw was called off."""


def verdict_of(
    rules: Knockout21Rules, draw: DrawRow, ticket: TicketRow, prize: PrizeRow | None, at: datetime
) -> Verdict:
    """What a printed ticket is worth at a moment."""
    if ticket.stopped is not None:
        return "stopped"
    if draw.status not in {"settled", "void"}:
        return "not yet drawn"
    if prize is None:
        return "no prize"
    if prize.outcome == "paid":
        return "paid already"
    if prize.outcome is None and ticket.approval in ("asked", "declined"):
        return "waits for approval" if ticket.approval == "asked" else "not approved"
    is_late = ticket.approval is None and claim_expired(rules, parse_day(draw.day), at)
    return "expired" if prize.outcome == "expired" or is_late else "prize"


def standing_of(
    rules: Knockout21Rules,
    draw: DrawRow,
    ticket: TicketRow,
    prize: PrizeRow | None,
    at: datetime,
    *,
    withheld: bool,
) -> Standing:
    """How a ticket stands; of a draw that is withheld, since the wall has not shown all of it, nothing else
    is told than that it is being drawn."""
    verdict = verdict_of(rules, draw, ticket, prize, at)
    if verdict == "stopped":
        return verdict
    if draw.cards is not None and withheld:
        return "being drawn"
    if verdict == "not yet drawn":
        if ticket.state == "choosing" and draw.status == "open" and at < draw.closes_at:
            return "choosing"
        return "alterable" if why_not_alter(rules, draw, ticket, at) is None else verdict
    return "price back" if draw.status == "void" and verdict == "prize" else verdict
