"""The house's day: draw times, closes, sales hours, how long a ticket may be altered and a prize claimed.

All of it is on the wall clock of the rules' time zone, and comes out as moments in UTC.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from typing import Final

from cardroom.core.errors import MalformedInput
from cardroom.core.timezones import time_zone
from cardroom.rules.knockout21 import Knockout21Rules

_FIRST_YEAR: Final = 2000
_LAST_YEAR: Final = 2999
"""What lies beyond is a slip of the pen, and days before or after it could not be counted."""


def wall_clock(rules: Knockout21Rules, moment: datetime) -> datetime:
    """A moment as the wall clock of the house shows it."""
    return moment.astimezone(time_zone(rules.timezone))


def at_wall(rules: Knockout21Rules, day: date, hour: time) -> datetime:
    """The moment when the wall clock shows an hour of a day; a skipped hour is the moment of the jump.

    An hour that comes twice (the night daylight saving ends) is its first coming.
    """
    local = datetime.combine(day, time(hour.hour, hour.minute), time_zone(rules.timezone))
    moment = local.astimezone(UTC)
    if moment.astimezone(local.tzinfo).replace(tzinfo=None) == local.replace(tzinfo=None):
        return moment
    # The hour does not exist that night: read with the offset before the jump it lies after the jump.
    return _jump_before(local, moment)


def _jump_before(local: datetime, moment: datetime) -> datetime:
    """The moment at which the clock jumped over a local time."""
    low, high = moment - timedelta(days=1), moment
    zone = local.tzinfo
    before = low.astimezone(zone).utcoffset()
    while high - low > timedelta(microseconds=1):
        middle = low + (high - low) / 2
        if middle.astimezone(zone).utcoffset() == before:
            low = middle
        else:
            high = middle
    return high


def parse_day(text: str) -> date:
    """Read a draw day: `2025-06-14`."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise MalformedInput(f"{text!r} is not a day; write it like 2025-06-14") from None
    if not _FIRST_YEAR <= day.year <= _LAST_YEAR:
        raise MalformedInput(f"{text!r}: a day lies in the years {_FIRST_YEAR} to {_LAST_YEAR}")
    return day


def draw_times(rules: Knockout21Rules, day: date) -> Iterator[datetime]:
    """The times of a draw day: from the first, an interval apart, none after the last (KO21-3.1)."""
    hour = datetime.combine(day, time(rules.draws.first.hour, rules.draws.first.minute))
    last = datetime.combine(day, time(rules.draws.last.hour, rules.draws.last.minute))
    while hour <= last:
        yield at_wall(rules, day, hour.time())
        hour += timedelta(minutes=rules.draws.interval_minutes)


def close_of(rules: Knockout21Rules, draw_time: datetime) -> datetime:
    """When sales close for a draw held at a time (KO21-3.1)."""
    return draw_time - timedelta(seconds=rules.sales.close_seconds)


def next_draw_time(rules: Knockout21Rules, after: datetime) -> datetime:
    """The first draw time later than a moment (KO21-3.2)."""
    day = wall_clock(rules, after).date()
    while True:
        for moment in draw_times(rules, day):
            if moment > after:
                return moment
        day += timedelta(days=1)


def sells_at(rules: Knockout21Rules, moment: datetime) -> bool:
    """Whether tickets are sold at a moment (KO21-2.4)."""
    local = wall_clock(rules, moment).time()
    return rules.sales.opens <= local < rules.sales.closes


def next_sale(rules: Knockout21Rules, moment: datetime) -> datetime:
    """The first moment from now on at which tickets are sold (KO21-2.4)."""
    if sells_at(rules, moment):
        return moment
    day = wall_clock(rules, moment).date()
    opens = at_wall(rules, day, rules.sales.opens)
    return opens if moment < opens else at_wall(rules, day + timedelta(days=1), rules.sales.opens)


def may_buy_in_advance(rules: Knockout21Rules, moment: datetime, day: date) -> bool:
    """Whether an advance purchase may be for that day: today, or after 22:00 the next (KO21-2.9)."""
    local = wall_clock(rules, moment)
    return day <= local.date() or local.time() >= rules.sales.next_day_after


def altered_until(
    rules: Knockout21Rules, sold_at: datetime, draw_day: date, *, in_advance: bool
) -> datetime | None:
    """Until when an advance purchase for the next draw day may be altered (KO21-2.9).

    None is until its sales close (KO21-2.7), as for a ticket of the next available draw on whatever day.
    """
    sold_on = wall_clock(rules, sold_at).date()
    if not in_advance or draw_day <= sold_on:
        return None
    return at_wall(rules, sold_on + timedelta(days=1), rules.sales.next_day_altered_until)


def last_claim_day(rules: Knockout21Rules, draw_day: date) -> date:
    """The last day on which a prize is paid; a 29 February without a brother gives 28 February (KO21-4.8)."""
    year = draw_day.year + rules.claims.years
    try:
        return draw_day.replace(year=year)
    except ValueError:
        return date(year, 2, 28)


def claim_expired(rules: Knockout21Rules, draw_day: date, moment: datetime) -> bool:
    """Whether the last day for a claim is over, on the wall clock of the house."""
    return wall_clock(rules, moment).date() > last_claim_day(rules, draw_day)
