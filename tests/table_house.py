"""What tests of running tables share: purses with chips, and the books that are kept from plans alone."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Generic, TypeVar

from cardroom.core.errors import Conflict
from cardroom.store.plan import Plan
from cardroom.table.running import Finished, RunningTable

NOON = datetime(2025, 6, 14, 12, tzinfo=UTC)
BROUGHT_CENTS = 1_000_00

Table = TypeVar("Table", bound=RunningTable)


@dataclass
class Conduct:
    """How the tables of these tests are run."""

    key: bytes = b"k" * 32
    repeatable: int | None = None
    card_seconds: float = 1.0
    wager_seconds: float = 20.0
    decision_seconds: float = 30.0
    reveal_seconds: float = 3.0
    offer_seconds: float = 60.0
    gone_seconds: float = 120.0


@dataclass
class Chips:
    """A purse with so many chips."""

    owner: str
    chips_cents: int
    is_barred: bool = False

    @property
    def name(self) -> str:
        return self.owner.capitalize()

    def admit(self, stake_cents: int) -> None:
        if self.is_barred:
            raise Conflict("on a break")
        if stake_cents > self.chips_cents:
            raise Conflict("more than the purse holds")

    def admit_more(self, stake_cents: int) -> None:
        self.admit(stake_cents)


@dataclass
class Evening(Generic[Table]):
    """A table with the books of everybody's money."""

    table: Table
    now: datetime = NOON
    books: dict[str, int] = field(default_factory=dict)
    finished: list[Finished] = field(default_factory=list)
    barred: set[str] = field(default_factory=set)
    """Who may not play any more: on a break, or at a limit."""

    def __post_init__(self) -> None:
        first = self.table.first_plan()
        assert first is not None
        self.do(first)
        assert self.table.first_plan() is None

    def purse(self, player: str) -> Chips:
        cents = BROUGHT_CENTS + self.books.get(f"player:{player}", 0)
        return Chips(player, cents, is_barred=player in self.barred)

    def do(self, plan: Plan) -> Plan:
        """Write a plan: its money into the books, its records back to the table."""
        for entry in plan.entries:
            for move in entry.moves:
                self.books[move.source] = self.books.get(move.source, 0) - move.amount_cents
                self.books[move.target] = self.books.get(move.target, 0) + move.amount_cents
            over = self.table.apply(entry.record, self.now)  # type: ignore[arg-type]
            self.finished += [over] if over else []
        return plan

    def step(self) -> Plan:
        return self.do(self.table.step(self.purse, self.now))

    def play_out(self) -> None:
        while self.table.dealing:
            self.step()
