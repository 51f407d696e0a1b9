"""A small lottery for tests: few draws a day, a clock set by hand, secrets that outlive a crash."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cardroom.core.timezones import time_zone
from cardroom.fair.entropy import Entropy, OperatingSystem, Rehearsal
from cardroom.lottery.claims import Answer, pay_prize
from cardroom.lottery.clock_care import accept_clock
from cardroom.lottery.draws import close_sales, perform_draw, seal_pool
from cardroom.lottery.house import Lottery
from cardroom.lottery.reports import check_log
from cardroom.lottery.sales import Order, Purchase, sell
from cardroom.lottery.scheduler import advance
from cardroom.lottery.settlement import settle_draw
from cardroom.lottery.tickets import PrintedTicket, SoldTicket
from cardroom.lottery.vault import FileVault, MemoryVault, Vault
from cardroom.rules import load_rules_as
from cardroom.rules.knockout21 import Knockout21Rules
from cardroom.rules.knockout21.law import Choice
from cardroom.store import lottery as rows
from cardroom.store.database import Probe
from cardroom.store.lottery import DrawRow
from cardroom.store.migrate import open_database
from tests.databases import HandClock

PACIFIC = time_zone("America/Vancouver")
FEW_DRAWS = {"draws.interval_minutes": 240}
"""Three draws a day: 11:21, 15:21, 19:21."""


def pacific(text: str) -> datetime:
    """A moment by the wall clock of the house: `2025-06-14 11:21`."""
    return datetime.fromisoformat(text).replace(tzinfo=PACIFIC).astimezone(UTC)


def house_rules(**changes: object) -> Knockout21Rules:
    """The house rules with three draws a day, and other changes (`a__b=…` is option a.b)."""
    changed = {name.replace("__", "."): value for name, value in changes.items()}
    return load_rules_as(Knockout21Rules, "knockout-21", {**FEW_DRAWS, **changed})


@dataclass
class House:
    """A lottery with its clock, and the shortest way to each stage of a draw."""

    lottery: Lottery
    clock: HandClock
    keys: int = 0

    def key(self) -> str:
        self.keys += 1
        return f"key-{self.keys}"

    def set(self, text: str) -> None:
        self.clock.moment = pacific(text)

    def outage_until(self, text: str) -> None:
        """Nothing happens until a moment, and two people say that the clock is right then."""
        self.set(text)
        accept_clock(self.lottery, operators=["ann", "bob"], reason="we were closed")

    def sell(
        self, tickets: int = 1, draws: int = 1, *, key: str | None = None, first: int | None = None
    ) -> Purchase:
        order = Order("terminal-1", tickets, draws, first)
        return sell(self.lottery, order, key=key or self.key())

    def draw(self, number: int) -> DrawRow:
        with self.lottery.database.read() as connection:
            found = rows.find_draw(connection, number)
        assert found is not None
        return found

    def close(self, number: int) -> DrawRow:
        self.clock.moment = max(self.clock.moment, self.draw(number).closes_at)
        return close_sales(self.lottery, number)

    def seal(self, number: int) -> DrawRow:
        self.close(number)
        return seal_pool(self.lottery, number)

    def drawn(self, number: int) -> DrawRow:
        self.seal(number)
        self.clock.moment = max(self.clock.moment, self.draw(number).due_at)
        return perform_draw(self.lottery, number)

    def settled(self, number: int) -> DrawRow:
        self.drawn(number)
        return settle_draw(self.lottery, number)

    def pay(self, ticket: PrintedTicket, *, key: str | None = None) -> Answer:
        return pay_prize(
            self.lottery, ticket.control_number, ticket.code, terminal="terminal-1", key=key or self.key()
        )

    def faults(self) -> tuple[str, ...]:
        return check_log(self.lottery).faults

    def winner(self, purchase: Purchase) -> PrintedTicket:
        """A ticket of a purchase that won something."""
        with self.lottery.database.read() as connection:
            return next(t for t in purchase.tickets if rows.find_prize(connection, t.id) is not None)


@contextmanager
def open_house(
    url: str,
    *,
    at: str = "2025-06-14 10:00",
    rules: Knockout21Rules | None = None,
    vault: Path | Vault | None = None,
    entropy: Entropy | None = None,
    clock: HandClock | None = None,
    probe: Probe | None = None,
    started: bool = True,
) -> Iterator[House]:
    """A lottery on a database; `started` commits the first day and opens its sales."""
    entropy = entropy or Rehearsal(7)
    clock = clock or HandClock(pacific(at))
    kept = FileVault(vault, OperatingSystem()) if isinstance(vault, Path) else vault or MemoryVault(entropy)
    with open_database(url, clock, probe=probe) as database:
        house = House(Lottery(database, kept, rules or house_rules(), entropy), clock)
        if started:
            advance(house.lottery)
        yield house


def other_choice(ticket: SoldTicket, position: int = 14) -> Choice:
    """The choice that a ticket does not have for a hand."""
    return Choice.STAND if ticket.play.choices[position] is Choice.HIT else Choice.HIT


def day_after(text: str) -> str:
    return (datetime.fromisoformat(text) + timedelta(days=1)).date().isoformat()
