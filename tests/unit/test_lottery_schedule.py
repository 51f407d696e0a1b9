"""The house's day on the Pacific wall clock: daylight saving, leap days, the night's two o'clock."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from pathlib import Path
from zoneinfo import ZoneInfo, reset_tzpath

import pytest

from cardroom.core.errors import MalformedInput
from cardroom.core.timezones import time_zone
from cardroom.lottery.clock import SystemClock
from cardroom.lottery.schedule import (
    altered_until,
    at_wall,
    claim_expired,
    draw_times,
    last_claim_day,
    may_buy_in_advance,
    next_draw_time,
    next_sale,
    parse_day,
    sells_at,
    wall_clock,
)
from tests.lottery_house import house_rules, pacific

RULES = house_rules(draws__interval_minutes=7)


@pytest.mark.clause("KO21-3.1")
@pytest.mark.parametrize(
    ("day", "first_utc"),
    [
        (date(2025, 6, 14), datetime(2025, 6, 14, 18, 21, tzinfo=UTC)),
        (date(2025, 1, 14), datetime(2025, 1, 14, 19, 21, tzinfo=UTC)),
        (date(2025, 3, 9), datetime(2025, 3, 9, 18, 21, tzinfo=UTC)),  # the clocks jumped that night
        (date(2025, 11, 2), datetime(2025, 11, 2, 19, 21, tzinfo=UTC)),
        (date(2024, 2, 29), datetime(2024, 2, 29, 19, 21, tzinfo=UTC)),
    ],
)
def test_draw_times_are_on_the_wall_clock(day: date, first_utc: datetime) -> None:
    times = list(draw_times(RULES, day))
    assert times[0] == first_utc
    assert len(times) == 100
    assert {later - earlier for earlier, later in pairwise(times)} == {timedelta(minutes=7)}
    assert wall_clock(RULES, times[-1]).time() == time(22, 54)


@pytest.mark.parametrize(
    ("day", "hour", "utc"),
    [
        (date(2025, 3, 9), time(2, 0), "10:00"),  # 2:00 does not exist: the moment of the jump
        (date(2025, 3, 9), time(2, 30), "10:00"),
        (date(2025, 3, 9), time(3, 0), "10:00"),
        (date(2025, 3, 9), time(1, 59), "09:59"),
        (date(2025, 11, 2), time(1, 30), "08:30"),  # 1:30 comes twice: the first
        (date(2025, 11, 2), time(2, 0), "10:00"),
    ],
)
def test_hours_that_are_skipped_or_come_twice(day: date, hour: time, utc: str) -> None:
    assert f"{at_wall(RULES, day, hour):%H:%M}" == utc


@pytest.mark.clause("KO21-3.2")
def test_the_next_draw_time() -> None:
    assert next_draw_time(RULES, pacific("2025-06-14 11:21")) == pacific("2025-06-14 11:28")
    assert next_draw_time(RULES, pacific("2025-06-14 11:20")) == pacific("2025-06-14 11:21")
    assert next_draw_time(RULES, pacific("2025-06-14 22:54")) == pacific("2025-06-15 11:21")


@pytest.mark.clause("KO21-2.4")
def test_sales_hours_on_the_night_the_clocks_change() -> None:
    for day in ("2025-03-09", "2025-11-02"):
        assert not sells_at(RULES, pacific(f"{day} 06:00") - timedelta(microseconds=1))
        assert sells_at(RULES, pacific(f"{day} 06:00"))
        assert not sells_at(RULES, pacific(f"{day} 23:00"))


@pytest.mark.clause("KO21-2.9")
def test_the_next_draw_day_is_sold_from_ten_and_altered_until_two() -> None:
    tomorrow = date(2025, 6, 15)
    assert not may_buy_in_advance(RULES, pacific("2025-06-14 21:59:59"), tomorrow)
    assert may_buy_in_advance(RULES, pacific("2025-06-14 22:00"), tomorrow)
    assert may_buy_in_advance(RULES, pacific("2025-06-14 10:00"), date(2025, 6, 14))
    sold = pacific("2025-06-14 22:30")
    assert altered_until(RULES, sold, tomorrow, in_advance=True) == pacific("2025-06-15 02:00")
    assert altered_until(RULES, sold, tomorrow, in_advance=False) is None
    assert altered_until(RULES, sold, date(2025, 6, 14), in_advance=True) is None


@pytest.mark.clause("KO21-2.4")
@pytest.mark.parametrize(
    ("at", "opens"),
    [
        ("2025-06-14 05:59", "2025-06-14 06:00"),
        ("2025-06-14 06:00", "2025-06-14 06:00"),
        ("2025-06-14 22:59", "2025-06-14 22:59"),
        ("2025-06-14 23:00", "2025-06-15 06:00"),
        ("2025-03-08 23:30", "2025-03-09 06:00"),  # an hour of that night is skipped
    ],
)
def test_when_sales_open_next(at: str, opens: str) -> None:
    assert next_sale(RULES, pacific(at)) == pacific(opens)


@pytest.mark.clause("KO21-4.8")
@pytest.mark.requirement("R-31")
def test_the_last_day_of_a_claim() -> None:
    assert last_claim_day(RULES, date(2025, 6, 14)) == date(2026, 6, 14)
    assert last_claim_day(RULES, date(2024, 2, 29)) == date(2025, 2, 28)
    assert last_claim_day(house_rules(claims__years=4), date(2024, 2, 29)) == date(2028, 2, 29)
    assert not claim_expired(RULES, date(2025, 6, 14), pacific("2026-06-14 23:59:59"))
    assert claim_expired(RULES, date(2025, 6, 14), pacific("2026-06-15 00:00"))


def test_days_are_read_and_refused() -> None:
    assert parse_day("2025-06-14") == date(2025, 6, 14)
    with pytest.raises(MalformedInput, match="2025-06-14"):
        parse_day("14 June")


def test_the_machines_clock_is_in_utc() -> None:
    assert SystemClock().now().tzinfo is UTC


@pytest.mark.clause("KO21-3.1")
def test_the_wall_clock_is_not_what_the_machine_has_in_its_files(tmp_path: Path) -> None:
    """Here a machine on which Vancouver has the time of Adelaide: the house does not ask it."""
    from importlib.resources import files

    wrong = tmp_path / "America" / "Vancouver"
    wrong.parent.mkdir()
    wrong.write_bytes(files("tzdata").joinpath("zoneinfo", "Australia", "Adelaide").read_bytes())
    moment = datetime(2025, 6, 14, 19, 0, tzinfo=UTC)
    try:
        reset_tzpath([str(tmp_path)])
        ZoneInfo.clear_cache()
        time_zone.cache_clear()
        assert moment.astimezone(ZoneInfo("America/Vancouver")).hour == 4
        assert wall_clock(RULES, moment).hour == 12
    finally:
        reset_tzpath()
        ZoneInfo.clear_cache()


@pytest.mark.parametrize(
    "name", ["", "Mars/Olympus", "../tzdata", "America", "America//Vancouver", "/etc/localtime"]
)
def test_what_is_no_time_zone_is_refused(name: str) -> None:
    with pytest.raises(MalformedInput, match="not the name of a time zone"):
        time_zone(name)
