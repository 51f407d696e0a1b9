"""What people do about time: accept a clock, put the log's time right, take new time zones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from cardroom.core import timezones
from cardroom.core.errors import Conflict, IllegalAction, MalformedInput
from cardroom.lottery.draws import call_off_far_draws
from cardroom.lottery.house import Lottery, checked_name, two_people
from cardroom.lottery.readiness import CLOCK, ZONE_DATA, latest_expected, require_ready
from cardroom.records.house import ClockAccepted, ClockPutBack, ZoneDataChanged
from cardroom.store import lottery as rows
from cardroom.store.log import parse_time, time_text
from cardroom.store.unit import Unit


@dataclass(frozen=True, slots=True)
class ClockState:
    """The clock beside the log, and what stops the lottery, if anything does."""

    now: datetime
    log_time: datetime | None
    latest: datetime | None
    """Until when the lottery goes on by itself."""
    why_not: str


def clock_state(lottery: Lottery) -> ClockState:
    """Look at the clock, the log and what was expected; nothing is written."""
    now = lottery.database.clock.now()
    with lottery.database.read() as connection:
        settings = rows.all_settings(connection)
        newest = rows.record_at(connection, rows.head(connection).seq)
        log_time = parse_time(newest.at) if newest else None
        at = max(now, log_time) if log_time else now
        try:
            require_ready(lottery, connection, settings, now=now, log_time=at)
        except Conflict as refusal:
            why_not = refusal.message
        else:
            why_not = ""
        return ClockState(now, log_time, latest_expected(lottery, connection, settings, at=at), why_not)


def accept_clock(lottery: Lottery, *, operators: Sequence[str], reason: str) -> datetime:
    """Two people say that the clock is right: there was an outage, and the lottery goes on now."""
    names = _signed(operators, "accepting a clock", reason)

    def run(unit: Unit) -> datetime:
        settings = rows.all_settings(unit.connection)
        latest = latest_expected(lottery, unit.connection, settings, at=unit.now)
        if latest is None or unit.now <= latest:
            raise Conflict("the clock shows a time that was expected; there is nothing to accept")
        unit.record(ClockAccepted(expected=time_text(latest), by=names, reason=reason))
        rows.put_setting(unit, CLOCK, time_text(unit.at))
        return unit.at

    return lottery.database.write(run, alone=True)


def put_clock_back(lottery: Lottery, *, operators: Sequence[str], reason: str) -> datetime:
    """Two people say that the clock is right, and that the log's last record has a time that is not.

    Draws of days to come that were committed by the wrong time are called off, and their tickets paid back.
    """
    names = _signed(operators, "putting the log's time back", reason)

    def run(unit: Unit) -> datetime:
        before = unit.log_time
        if before <= unit.now:
            raise Conflict("the log's last record is not ahead of the clock; there is nothing to put back")
        unit.put_time_back()
        unit.record(ClockPutBack(before=time_text(before), by=names, reason=reason))
        rows.put_setting(unit, CLOCK, time_text(unit.at))
        lottery.take_rules(unit.connection, unit.at, rows.all_settings(unit.connection))
        call_off_far_draws(lottery, unit, operators=names, reason=reason)
        return unit.at

    return lottery.database.write(run, alone=True)


def change_zone_data(lottery: Lottery, *, by: Sequence[str]) -> tuple[str, str]:
    """Reckon local times by this machine's time zones from now on; days that are committed keep theirs."""
    names = sorted({checked_name(name, "an operator's name") for name in by})
    if not names:
        raise IllegalAction("a change of time zones is signed by somebody")
    after = timezones.zone_data_version()

    def run(unit: Unit) -> tuple[str, str]:
        before = rows.setting(unit.connection, ZONE_DATA) or after
        if before == after:
            raise Conflict(f"the lottery's time zones are those of tzdata {after} already")
        unit.record(ZoneDataChanged(before=before, after=after, by=names))
        rows.put_setting(unit, ZONE_DATA, after)
        return before, after

    return lottery.database.write(run, alone=True)


def _signed(operators: Sequence[str], what: str, reason: str) -> list[str]:
    if not reason.strip():
        raise MalformedInput(f"{what} takes a reason")
    return two_people(operators, what)
