"""Seeded days with crashes, lost answers and a wrong clock: what must hold is checked after every step."""

from __future__ import annotations

import pytest

from cardroom.lottery.simulate import InvariantBroken, SimulatedDay, simulate_day
from cardroom.rules.knockout21 import Knockout21Rules
from tests.lottery_house import house_rules


def rules_of(seed: int) -> Knockout21Rules:
    if seed % 3 == 0:
        return house_rules(draws__minimum_tickets=2, prizes__pool_reserve="surplus")
    return house_rules()


@pytest.mark.slow
@pytest.mark.requirement("R-16", "R-21", "R-30", "R-44", "R-48")
@pytest.mark.parametrize("seed", range(3))
def test_seeded_days(database_url: str, seed: int) -> None:
    day = simulate_day(database_url, rules_of(seed), seed=seed, buyers=25)
    assert day.checks > 25
    assert day.crashes > 0
    assert day.tickets > 0


@pytest.mark.slow
def test_the_same_seed_is_the_same_day(sqlite_url: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    other = tmp_path_factory.mktemp("again") / "day.db"
    days = [
        simulate_day(url, house_rules(), seed=11, buyers=12, check_every=1000)
        for url in (sqlite_url, f"sqlite:///{other}")
    ]
    assert days[0] == days[1]


def test_the_checks_can_fail(sqlite_url: str) -> None:
    """A payment that the books forgot is found by the next check."""
    from datetime import date

    day = SimulatedDay(sqlite_url, house_rules(), seed=1, day=date(2025, 6, 14), buyers=0)
    day.promises.paid["x"] = 500
    with pytest.raises(InvariantBroken, match="not in the books"):
        day._check()
    day.promises.paid.clear()
    day.promises.sold.add("y")
    with pytest.raises(InvariantBroken, match="is gone"):
        day._check()
    day.lottery.database.close()
