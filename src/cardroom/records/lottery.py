"""Records of the lottery: days, draws, tickets, prizes and claims."""

from __future__ import annotations

from typing import Any

from cardroom.records.base import Record


class DayCommitted(Record, frozen=True, kw_only=True):
    """The draws of a day, each with its commitments, and the rules they are played by."""

    day: str
    rules_hash: str
    rules: str
    draws: list[tuple[int, str, str, str, str]]
    """Number, scheduled at, closes at, commitment, commitment of the opening."""
    code: str
    by: str
    zone_data: str = ""
    """The version of the time zones by which the times were reckoned."""


class LotteryRulesSet(Record, frozen=True, kw_only=True):
    """The rules of the lottery from a day on, until others are set."""

    from_day: str
    rules_hash: str
    rules: str
    by: list[str]
    reason: str = ""


class DaysWithoutDraws(Record, frozen=True, kw_only=True):
    """Nobody committed draws for these days: the house was closed, or nothing ran; the numbers go on."""

    first_day: str
    last_day: str


class DrawOpened(Record, frozen=True, kw_only=True):
    """A draw is on sale; the dealer's first cards of Game 2 are known (KO21-1.5)."""

    draw: int
    opening_seed: str
    first_cards: str


class DrawPostponed(Record, frozen=True, kw_only=True):
    """A draw happens at a later draw time (KO21-3.2)."""

    draw: int
    tickets: int
    due_at: str
    closes_at: str


class DrawClosed(Record, frozen=True, kw_only=True):
    """A draw's sales are closed; `issued` are the tickets whose buyers were still choosing (KO21-2.8)."""

    draw: int
    count: int
    total_cents: int
    issued: list[str]


class DrawSealed(Record, frozen=True, kw_only=True):
    """A draw's pool is sealed (R-17)."""

    draw: int
    root: str
    count: int
    total_cents: int


class DrawHeld(Record, frozen=True, kw_only=True):
    """A draw is stopped until two people have looked at it."""

    draw: int
    reason: str


class DrawReleased(Record, frozen=True, kw_only=True):
    """A stopped draw goes on (R-25)."""

    draw: int
    by: list[str]
    was: str
    reason: str


class DrawDrawn(Record, frozen=True, kw_only=True):
    """The cards of a draw (R-15)."""

    draw: int
    cards: str
    secret: str
    words_used: int
    words_rejected: int
    operators: list[str]
    manual: bool
    reason: str
    code: str


class DrawSettled(Record, frozen=True, kw_only=True):
    """A draw's account and prizes: ticket, cents, games."""

    draw: int
    account: dict[str, Any]
    prizes: list[tuple[str, int, str]]


class LargeWinNoted(Record, frozen=True, kw_only=True):
    """Prizes that are reported on their own: ticket, cents."""

    draw: int
    prizes: list[tuple[str, int]]


class DrawVoided(Record, frozen=True, kw_only=True):
    """Two people called a draw off; what each ticket gets back."""

    draw: int
    by: list[str]
    reason: str
    issued: list[str]
    prizes: list[tuple[str, int, str]]


class TicketsSold(Record, frozen=True, kw_only=True):
    """Tickets of one purchase, paid for in the same record."""

    terminal: str
    buyer: str
    """The account that paid."""
    state: str
    key: str
    tickets: list[dict[str, Any]]


class ChoicesSaved(Record, frozen=True, kw_only=True):
    """Choices that a buyer has made so far, kept with the purchase."""

    purchase: int
    saved: list[dict[str, str]]


class ChoicesMade(Record, frozen=True, kw_only=True):
    """The choices of a purchase (KO21-2.6)."""

    purchase: int
    made: list[dict[str, str]]
    late: list[str]
    issued: list[str]


class TicketAltered(Record, frozen=True, kw_only=True):
    """A ticket's choices were altered, once and only once (KO21-2.7)."""

    id: str
    before: str
    after: str


class TicketChecked(Record, frozen=True, kw_only=True):
    """Somebody asked what a ticket won; such a record has the log's time, which a question does not move."""

    terminal: str
    ticket: str | None
    answer: str
    asked_at: str = ""
    """What the clock showed."""
    times: int = 1
    """How often it was asked since the last such record: numbers of no ticket are counted."""


class ClaimRefused(Record, frozen=True, kw_only=True):
    """A claim that was not paid, and why."""

    terminal: str
    ticket: str | None
    answer: str


class PrizePaid(Record, frozen=True, kw_only=True):
    """A prize was paid (KO21-4.8)."""

    terminal: str
    ticket: str
    draw: int
    amount_cents: int
    payee: str
    """The account that got it."""


class PrizesExpired(Record, frozen=True, kw_only=True):
    """Prizes of a draw that nobody claimed within their year (KO21-4.8)."""

    draw: int
    tickets: list[str]


class ExpiryCorrected(Record, frozen=True, kw_only=True):
    """Prizes that were booked as expired before their time can be claimed again (KO21-4.8)."""

    draw: int
    tickets: list[str]
    by: list[str]
    reason: str


class RowsRebuilt(Record, frozen=True, kw_only=True):
    """Rows that were not what the log says were made anew from it; what was wrong with each."""

    faults: list[str]
    by: list[str]
    reason: str
