"""More than a year of the lottery in seconds: most of it closed, the rest with all that years bring."""

from __future__ import annotations

import pytest

from tools.lottery_years import live
from tools.lottery_years_plan import Plan

BUSY = Plan(
    days=800,
    outage_one_in=12,
    longest_outage=3,
    fault_one_in=3,
    wrong_year_one_in=4,
    zone_one_in=6,
    rules_one_in=5,
    long_outages={4: 150, 160: 180, 345: 18, 368: 160, 535: 250},
)
"""Some days of life between long outages, so that prizes expire and everything happens."""


@pytest.mark.slow
@pytest.mark.clause("KO21-4.8")
@pytest.mark.requirement("R-30", "R-31", "R-44")
def test_every_ticket_is_worth_what_its_paper_says(database_url: str) -> None:
    counts = live(database_url, 1, BUSY)
    assert counts.days >= BUSY.days
    assert min(counts.outages, counts.clock_faults, counts.zone_changes, counts.rule_changes) > 0
    assert min(counts.wrong_years, counts.expiries_corrected, counts.void_draws) > 0
    assert min(counts.paid, counts.expired, counts.altered) > 0
