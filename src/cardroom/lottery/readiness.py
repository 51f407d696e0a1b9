"""What must hold before the lottery does anything: this machine's time zones, its clock, the rules in force.

The lottery knows when it has something to do next. If the clock shows a time long after that, either it is
wrong or nobody ran the lottery; if it shows a time long before the log's last record, one of the two is
wrong. Nothing is sold, closed, drawn, paid or booked then before two people have said which (`clock_care`).
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from cardroom.core import timezones
from cardroom.core.errors import Conflict
from cardroom.lottery.schedule import wall_clock
from cardroom.store import lottery as rows
from cardroom.store.log import parse_time, time_text
from cardroom.store.unit import Unit

if TYPE_CHECKING:
    from cardroom.lottery.house import Lottery
    from cardroom.rules.knockout21 import Knockout21Rules

LONGEST_DELAY: Final = timedelta(hours=12)
"""So long after it had something to do the lottery goes on by itself; later two people look at the clock."""
MOST_BEHIND: Final = timedelta(hours=1)
"""While the clock is behind the log, time stands still; when it is so far behind, two people look at it."""
CLOCK: Final = "clock"
"""The setting that holds the time that two people have said to be right."""
ZONE_DATA: Final = "zone_data"
"""The setting that holds the version of the time zones by which the lottery's days are reckoned."""
RULES: Final = "rules:"
"""Followed by a day, the setting that holds the hash of the rules from that day on."""

Settings = Mapping[str, str]


class ClockJumped(Conflict):
    """The time is long after what the lottery expected, and nobody has said yet that it is right."""


class OtherZoneData(Conflict):
    """This machine reckons local times by other data than the lottery's."""


def make_ready(lottery: Lottery, unit: Unit) -> None:
    """Refuse what may not be done now, and take the rules in force: once in a transaction, for all in it."""

    def look() -> bool:
        settings = settings_of(unit)
        require_ready(lottery, unit.connection, settings, now=unit.now, log_time=unit.at)
        lottery.take_rules(unit.connection, unit.at, settings)
        return True

    unit.remember(("ready", id(lottery)), look)


def settings_of(unit: Unit) -> Settings:
    """Every setting, read once in a transaction."""
    settings: Settings = unit.remember("settings", lambda: rows.all_settings(unit.connection))
    return settings


def require_ready(
    lottery: Lottery, connection: Any, settings: Settings, *, now: datetime, log_time: datetime
) -> None:
    """Refuse to go on with other time zones than the lottery's, or at a time that nobody expected."""
    own = timezones.zone_data_version()
    known = settings.get(ZONE_DATA, own)
    if known != own:
        raise OtherZoneData(
            f"this machine's time zones are those of tzdata {own}, the lottery's those of {known}: install "
            "that version here, or, once every machine has the new one, take it with: cardroom lottery zones"
        )
    if log_time - now > MOST_BEHIND:
        raise ClockJumped(
            f"the log's last record is at {_shown(log_time)}, and the clock is at "
            f"{_shown(now)}; set the clock, or two people put the log's time right: cardroom lottery clock"
        )
    latest = latest_expected(lottery, connection, settings, at=log_time)
    if latest is not None and log_time > latest:
        raise ClockJumped(
            f"the clock is at {_shown(now)}, and the lottery was to go on by {_shown(latest)}; "
            "set the clock, or two people accept its time: cardroom lottery clock"
        )


def _shown(moment: datetime) -> str:
    return time_text(moment)[:16].replace("T", " ") + " UTC"


def latest_expected(
    lottery: Lottery, connection: Any, settings: Settings, *, at: datetime
) -> datetime | None:
    """Until when the lottery goes on by itself: 12 hours after its next duty; None before it began.

    A day may be opened late, even when its first draws are over: they have waited since then only.
    """
    if lottery.skips_past:  # a demonstration begins where it is
        return None
    expected = rows.next_close(connection)
    if expected is None:
        last = rows.find_draw(connection, rows.last_draw_number(connection))
        if last is None:
            return None
        expected = last.scheduled_at + timedelta(days=1)
    accepted = settings.get(CLOCK)
    if accepted is not None:
        expected = max(expected, parse_time(accepted))
    if at > expected + LONGEST_DELAY:
        expected = max(expected, rows.day_committed_at(connection) or expected)
    return expected + LONGEST_DELAY


def rules_on(lottery: Lottery, connection: Any, day: date, settings: Settings) -> Knockout21Rules:
    """The rules of a draw day: those set for the last day up to it; else those of the last day committed."""
    set_days = [name.removeprefix(RULES) for name in settings if name.startswith(RULES)]
    in_force = max((one for one in set_days if one <= day.isoformat()), default=None)
    if in_force is not None:
        return lottery.rules_of(connection, settings[RULES + in_force])
    last = rows.find_draw(connection, rows.last_draw_number(connection))
    return lottery.first_rules if last is None else lottery.rules_of(connection, last.rules_hash)


def rules_at(lottery: Lottery, connection: Any, moment: datetime, settings: Settings) -> Knockout21Rules:
    """The rules of the day that the house's wall clock shows at a moment."""
    return rules_on(lottery, connection, wall_clock(lottery.rules, moment).date(), settings)
