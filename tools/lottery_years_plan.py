"""What years of the lottery bring, and what came of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

from cardroom.lottery.tickets import PrintedTicket


class Wrong(AssertionError):
    """Something that must hold does not: a defect, with the seed and the day that show it."""


@dataclass
class Plan:
    """What the years bring, as chances in a day: one in so many."""

    days: int = 1096
    outage_one_in: int = 45
    longest_outage: int = 20
    fault_one_in: int = 20
    wrong_year_one_in: int = 150
    zone_one_in: int = 200
    rules_one_in: int = 60
    long_outages: dict[int, int] = field(default_factory=lambda: {400: 130})
    """Outages that are planned: on which day, for how many."""


@dataclass
class Counts:
    """What came of it."""

    seed: int
    days: int = 0
    outages: int = 0
    days_closed: int = 0
    clock_faults: int = 0
    wrong_years: int = 0
    zone_changes: int = 0
    rule_changes: int = 0
    refused_by_clock: int = 0
    draws: int = 0
    void_draws: int = 0
    tickets: int = 0
    altered: int = 0
    paid: int = 0
    paid_cents: int = 0
    expired: int = 0
    no_prize: int = 0
    expiries_corrected: int = 0
    log_records: int = 0
    seconds: float = 0.0


@dataclass
class Clock:
    """The true time, and how far the machine's clock is from it."""

    moment: datetime
    skew: timedelta = timedelta()

    def now(self) -> datetime:
        return self.moment + self.skew


@dataclass
class Held:
    """A ticket in somebody's pocket: its paper, and when they think of claiming it."""

    ticket: PrintedTicket
    claim_on: date | None
    at_midnight: bool = False
    paid: bool = False
