"""Operations: what a lottery needs over the years: rules by day, time zones, rows made anew, expiries."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import Annotated, Any

from pydantic import Field

from cardroom.core import timezones
from cardroom.lottery.claims import correct_expiry
from cardroom.lottery.clock_care import change_zone_data
from cardroom.lottery.house_rules import rules_by_day, set_rules
from cardroom.lottery.readiness import ZONE_DATA
from cardroom.lottery.rebuilding import rebuild_rows
from cardroom.lottery.schedule import parse_day, wall_clock
from cardroom.rules import change_rules
from cardroom.rules.knockout21 import Knockout21Rules
from cardroom.store import lottery as rows
from cardroom.web.api.desk import WhyOfTwo, two_of
from cardroom.web.api.knockout21 import DrawNumber, lottery_of
from cardroom.web.api.operations import Operating
from cardroom.web.api.parts import Asking, HouseHere
from cardroom.web.controls import controls_of
from cardroom.web.house import House
from cardroom.web.routers import ApiRouter
from cardroom.web.threads import desk

router = ApiRouter(prefix="/operations/lottery", tags=["operations"])


class RulesFromDay(WhyOfTwo):
    """Options that change from a day on, why, and the second person."""

    from_day: str = Field(max_length=10, examples=["2025-06-14"])
    options: dict[
        Annotated[str, Field(max_length=80)], bool | int | float | Annotated[str, Field(max_length=80)]
    ] = Field(min_length=1, max_length=80, examples=[{"price": "10"}])


def newest_rules(house: House) -> Knockout21Rules:
    """The rules that hold from the latest day for which some were set."""
    lottery = lottery_of(house).lottery
    with lottery.database.read() as connection:
        by_day = rules_by_day(lottery, connection)
    return by_day[max(by_day)] if by_day else lottery.rules


def care_of(house: House) -> dict[str, Any]:
    """The rules by their days, the first day that may have others, and whose time zones are in use."""
    lottery = lottery_of(house).lottery
    with lottery.database.read() as connection:
        by_day = rules_by_day(lottery, connection) or {"": lottery.rules}
        in_use = rows.setting(connection, ZONE_DATA)
        committed = rows.last_day_not_over(connection)
    today = wall_clock(lottery.rules, house.now()).date()
    first = today if committed is None else max(today, parse_day(committed) + timedelta(days=1))
    here = timezones.zone_data_version()
    return {
        "rules": [
            {"from_day": day or None, "rules_hash": one.rules_hash, "changes": _changes(before, one)}
            for (day, one), before in zip(
                sorted(by_day.items()), [None, *(one for _, one in sorted(by_day.items()))], strict=False
            )
        ],
        "first_day": first.isoformat(),
        "zones": {"in_use": in_use or here, "here": here},
    }


def _changes(before: Knockout21Rules | None, now: Knockout21Rules) -> list[dict[str, Any]]:
    """What is new in rules, each option in words with its clause; in the first ones nothing is."""
    if before is None:
        return []
    changed = now.differences(before)
    return [
        {"key": key, "words": words, "clause": clause}
        for key, words, clause in now.sentences()
        if key in changed
    ]


@router.get("")
async def see_care(login: Operating, house: HouseHere) -> dict[str, Any]:
    """The lottery's rules by day and its time zones, with the newest rules as a form."""
    login.require("see")
    state = await desk.run(care_of, house)
    return {**state, "controls": controls_of(await desk.run(newest_rules, house))}


@router.put("/rules")
async def put_rules(
    wanted: RulesFromDay, login: Operating, house: HouseHere, asking: Asking
) -> dict[str, Any]:
    """Set the rules of a day and of all that follow it; two people (R-25)."""
    people = await two_of(house, login, wanted.second, asking.address)
    lottery, day = lottery_of(house).lottery, parse_day(wanted.from_day)
    rules = change_rules(await desk.run(newest_rules, house), dict(wanted.options))
    work = partial(set_rules, lottery, rules, day, by=list(people), reason=wanted.reason)
    await desk.run(work)
    return {"from_day": day.isoformat(), "rules_hash": rules.rules_hash}


@router.post("/zones")
async def take_zones(login: Operating, house: HouseHere) -> dict[str, Any]:
    """Reckon local times by this machine's time zones from now on; committed days keep their times."""
    login.require("operate")
    lottery = lottery_of(house).lottery
    before, after = await desk.run(partial(change_zone_data, lottery, by=[login.name]))
    return {"before": before, "after": after}


@router.post("/rebuild")
async def make_rows_anew(
    wanted: WhyOfTwo, login: Operating, house: HouseHere, asking: Asking
) -> dict[str, Any]:
    """Make rows anew from the log where they are not what it says; two people (R-25)."""
    people = await two_of(house, login, wanted.second, asking.address)
    lottery = lottery_of(house).lottery
    work = partial(rebuild_rows, lottery, operators=list(people), reason=wanted.reason)
    return {"faults": await desk.run(work)}


@router.post("/draws/{number}/correct-expiry")
async def take_expiry_back(
    number: DrawNumber, wanted: WhyOfTwo, login: Operating, house: HouseHere, asking: Asking
) -> dict[str, Any]:
    """Let prizes be claimed again that were booked as expired before their time; two people (R-25)."""
    people = await two_of(house, login, wanted.second, asking.address)
    lottery = lottery_of(house).lottery
    work = partial(correct_expiry, lottery, number, operators=list(people), reason=wanted.reason)
    return {"draw": number, "prizes": await desk.run(work)}
