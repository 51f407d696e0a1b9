"""After an outage: what was left is done, days without draws are told, and all of it is over soon."""

from __future__ import annotations

import pytest

from cardroom.lottery import draws, schedule
from cardroom.lottery.scheduler import advance
from cardroom.store import lottery as rows
from tests.lottery_house import open_house, pacific


@pytest.mark.clause("KO21-3.2")
@pytest.mark.parametrize("gap_days", [7, 365])
def test_the_next_draw_time_is_found_without_counting_all_before_it(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch, gap_days: int
) -> None:
    """As many draw times are looked at after a year as after a week: those of one day."""
    looked_at = 0
    times = schedule.draw_times

    def counted(*args: object) -> object:
        nonlocal looked_at
        looked_at += 1
        return times(*args)  # type: ignore[arg-type]

    with open_house(sqlite_url) as house:
        house.sell(1)
        sealed = house.seal(1)
        monkeypatch.setattr(schedule, "draw_times", counted)
        at = sealed.due_at.replace(year=2026) if gap_days == 365 else pacific("2025-06-21 11:21:30")
        assert draws.is_due(house.lottery, sealed, at)
        assert not draws.is_due(house.lottery, sealed, at.replace(minute=at.minute + 5))
        assert looked_at <= 4


def test_an_outage_of_a_year_is_over_in_one_advance(sqlite_url: str) -> None:
    with open_house(sqlite_url) as house:
        sold = house.sell(2)
        house.outage_until("2026-06-01 11:21:10")
        done = advance(house.lottery)
        assert "settled draw 1" in done
        assert house.draw(1).status == "settled"
        with house.lottery.database.read() as connection:
            (passed,) = rows.records(connection, kinds=["DaysWithoutDraws"])
        assert passed.content == {"first_day": "2025-06-15", "last_day": "2026-05-31"}
        advance(house.lottery)
        house.set("2026-06-01 20:00")
        advance(house.lottery)
        house.set("2026-06-02 11:21:10")
        advance(house.lottery)
        with house.lottery.database.read() as connection:
            assert len(list(rows.records(connection, kinds=["DaysWithoutDraws"]))) == 1
        assert sold.tickets[0].draw == 1
        assert house.faults() == ()
