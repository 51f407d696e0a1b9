"""Records of the lottery's desk: lost tickets and large prizes."""

from __future__ import annotations

from cardroom.records.base import Record


class LostTicketSought(Record, frozen=True, kw_only=True):
    """An operator looked for a ticket by what its owner remembers."""

    by: str
    asked: dict[str, str]
    found: list[str]


class TicketStopped(Record, frozen=True, kw_only=True):
    """An operator stopped a ticket that was reported lost: no print of it is paid."""

    ticket: str
    by: str
    reason: str


class StopLifted(Record, frozen=True, kw_only=True):
    """Two people let a stopped ticket be paid again: the paper was found."""

    ticket: str
    by: list[str]
    reason: str


class TicketReissued(Record, frozen=True, kw_only=True):
    """Two people printed a lost ticket anew: the earlier prints are void, and the stop is over."""

    ticket: str
    by: list[str]
    appointed: dict[str, str]
    """Who had appointed each of the two."""
    reason: str
    print: int


class ApprovalAsked(Record, frozen=True, kw_only=True):
    """Somebody brought a ticket with a large prize, which waits for an operator's approval."""

    ticket: str
    draw: int
    amount_cents: int
    terminal: str
    payee: str


class PrizeApproved(Record, frozen=True, kw_only=True):
    """An operator approved a large prize: it may be paid."""

    ticket: str
    by: str
    reason: str


class PrizeDeclined(Record, frozen=True, kw_only=True):
    """An operator did not approve a large prize, and said why."""

    ticket: str
    by: str
    reason: str
