"""The JSON of `cardroom lottery`."""

from __future__ import annotations

from typing import Any, NotRequired

from typing_extensions import TypedDict

from cardroom.cli.shapes.base import Printed, Rules


class Ticket(Printed):
    """A printed ticket; `key` is what a request is asked again with."""

    id: str
    purchase: int
    draw: int
    day: str
    control_number: str
    code: str
    hands: str
    first_cards: list[str]
    overrides: list[int]
    price_cents: int
    sold_at: str
    print: int
    claim_until: str
    commitment: str
    log_head: str
    key: NotRequired[str]


Tickets = list[Ticket]


class Check(Printed):
    """What a ticket has won."""

    answer: str
    prize_cents: int
    draw: int | None


class Proof(Printed):
    """The proof that a ticket is in its draw's sealed pool."""

    draw: int
    ticket: str
    index: int
    count: int
    path: list[str]
    root: str


class Day(Printed):
    """What came of a simulated day."""

    seed: int
    steps: int
    tickets: int
    purchases: int
    refused: int
    altered: int
    paid_prizes: int
    paid_cents: int
    crashes: int
    lost_answers: int
    draws: int
    checks: int
    log_records: int


class CalledOff(TypedDict):
    """What a draw that was called off gives back."""

    tickets: int
    returned_cents: int
    paid_back_cents: int
    expired_cents: int
    waiting_cents: int


class DrawReport(Printed):
    """A draw's balance; `account` is its settlement, null before."""

    draw: int
    day: str
    status: str
    held: str | None
    tickets: int
    sales_cents: int
    unfinished_cents: int
    root: str | None
    commitment: str | None
    prizes_cents: int
    paid_cents: int
    expired_cents: int
    waiting_cents: int
    called_off: CalledOff | None
    account: dict[str, Any] | None
    balances_cents: dict[str, int]


class Traced(TypedDict):
    """Tickets traced to payments and prizes to credits, with what is missing."""

    tickets: int
    with_payment: int
    prizes: int
    credited: int
    expired: int
    players: int
    faults: list[str]


class PutRight(TypedDict):
    """Results of rounds that were put right."""

    rounds: int
    to_players_cents: int
    from_players_cents: int


class DayReport(Printed):
    """A day's balance."""

    day: str
    draws: int
    tickets: int
    sales_cents: int
    unfinished_cents: int
    prizes_cents: int
    paid_cents: int
    expired_cents: int
    waiting_cents: int
    house_cents: int
    called_off: list[int]
    called_off_cents: int
    held: list[int]
    traced: Traced
    results_put_right: PutRight
    log_head: str


Report = DrawReport | DayReport


class Column(TypedDict):
    """A column of a section; `kind` says what its cells are."""

    title: str
    kind: str


class Section(TypedDict):
    """A table of the report; amounts are in cents."""

    name: str
    title: str
    columns: list[Column]
    rows: list[list[int | str | None]]
    total: list[int | str | None] | None
    notes: list[str]


class Finance(Printed):
    """The money of a day or of several."""

    title: str
    first_day: str
    last_day: str
    terminal: str | None
    as_of: str
    log_head: str
    sections: list[Section]


class LostTicket(Printed):
    """A ticket that fits what somebody remembers."""

    id: str
    draw: int
    terminal: str
    sold_at: str
    stopped: str


LostTickets = list[LostTicket]


class WaitingPrize(TypedDict):
    """A large prize that somebody asked for."""

    ticket: str
    draw: int
    terminal: str
    amount_cents: int
    approval: str


class Approvals(Printed):
    """Large prizes that wait for an operator, and from which amount on they do."""

    from_cents: int
    waiting: list[WaitingPrize]


RulesFrom = TypedDict(
    "RulesFrom", {"schema_version": int, "from": str | None, "rules_hash": str, "rules": Rules}
)
"""The rules that hold from a day on; null is the first day."""
RulesByDay = list[RulesFrom]
