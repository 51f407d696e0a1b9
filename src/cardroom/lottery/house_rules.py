"""The lottery's rules as records, each with the day from which it holds; everybody reads them there.

A day keeps the rules with which it was committed; those that are set later hold for later days.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from cardroom.core.errors import Conflict, IllegalAction
from cardroom.lottery.house import Lottery, checked_name, two_people
from cardroom.lottery.readiness import RULES, rules_on, settings_of
from cardroom.lottery.schedule import wall_clock
from cardroom.records.lottery import LotteryRulesSet
from cardroom.rules.knockout21 import Knockout21Rules
from cardroom.store import lottery as rows
from cardroom.store.unit import Unit


def set_rules(
    lottery: Lottery, rules: Knockout21Rules, from_day: date, *, by: Sequence[str], reason: str = ""
) -> None:
    """Set the rules of a day and of all that follow it, until others are set.

    The first rules of a lottery are set by whoever opens it; others take two people.
    """
    names = sorted({checked_name(name, "an operator's name") for name in by})
    if not names:
        raise IllegalAction("a change of rules is signed by somebody")

    def run(unit: Unit) -> None:
        if from_day < wall_clock(lottery.rules, unit.at).date():
            raise Conflict(f"{from_day.isoformat()} is past; rules are set for days to come")
        day = from_day.isoformat()
        waiting = rows.last_day_not_over(unit.connection)
        if rows.draws_of_day(unit.connection, day) or (waiting is not None and day <= waiting):
            raise Conflict(
                f"the draws of {waiting or day} are committed with their rules; set others for a later day"
            )
        last = rows.find_draw(unit.connection, rows.last_draw_number(unit.connection))
        settings = settings_of(unit)
        begun = last is not None or any(name.startswith(RULES) for name in settings)
        signed = two_people(names, "a change of rules") if begun else names
        if last is not None:
            keep_rules_of_before(lottery, unit, last.day, by=signed)
        record_rules(unit, rules, from_day.isoformat(), by=signed, reason=reason)

    lottery.write(run, alone=True)
    lottery.look_at_rules()


def has_rules(lottery: Lottery) -> bool:
    """Whether the lottery has begun, so that its rules are changed by two."""
    with lottery.database.read() as connection:
        names = rows.all_settings(connection)
        return rows.last_draw_number(connection) > 0 or any(name.startswith(RULES) for name in names)


def keep_rules_of_before(lottery: Lottery, unit: Unit, day: str, *, by: Sequence[str]) -> None:
    """Set the rules that are in force from a day on, where no record says so yet."""
    settings = rows.all_settings(unit.connection)
    if not any(name.startswith(RULES) for name in settings):
        in_force = rules_on(lottery, unit.connection, date.fromisoformat(day), settings)
        record_rules(unit, in_force, day, by=by)


def record_rules(
    unit: Unit, rules: Knockout21Rules, from_day: str, *, by: Sequence[str], reason: str = ""
) -> None:
    """Write the record of rules that hold from a day on."""
    text = rules.canonical_text()
    rows.add_rules(unit, rules.rules_hash, text)
    unit.record(
        LotteryRulesSet(
            from_day=from_day, rules_hash=rules.rules_hash, rules=text, by=list(by), reason=reason
        )
    )
    rows.put_setting(unit, RULES + from_day, rules.rules_hash)


def rules_by_day(lottery: Lottery, connection: Any) -> dict[str, Knockout21Rules]:
    """All rules that were set, by the day from which they hold."""
    return {
        name.removeprefix(RULES): lottery.rules_of(connection, rules_hash)
        for name, rules_hash in rows.all_settings(connection).items()
        if name.startswith(RULES)
    }
