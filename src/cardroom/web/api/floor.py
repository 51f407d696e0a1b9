"""What the floor announces at a table, and what only two people together may do to a draw."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from pydantic import BaseModel, Field

from cardroom.core.errors import CardroomError
from cardroom.lottery.overrides import What
from cardroom.lottery.overrides import override_draw as override_in_lottery
from cardroom.records.house import OverrideRefused
from cardroom.rules import parse_changes
from cardroom.table.twentyone.running import TwentyOneTable
from cardroom.web.api.knockout21 import DrawNumber, lottery_of
from cardroom.web.api.operations import Credentials, Operating, Reason, record
from cardroom.web.api.parts import Asking, HouseHere, TableId
from cardroom.web.controls import controls_of
from cardroom.web.errors import Forbidden
from cardroom.web.house import House
from cardroom.web.routers import ApiRouter
from cardroom.web.security.operators import second_of
from cardroom.web.threads import desk

router = ApiRouter(prefix="/operations", tags=["operations"])


class TableRules(BaseModel):
    """Rules for the next shoe of a table; none takes an announcement back.

    They are options with their values, or texts such as `option=value`.
    """

    options: dict[
        Annotated[str, Field(max_length=80)], bool | int | float | Annotated[str, Field(max_length=80)]
    ] = Field(default_factory=dict, max_length=80, examples=[{"limits.max": "200"}])
    changes: list[Annotated[str, Field(min_length=3, max_length=120)]] = Field(
        default_factory=list, max_length=80, examples=[["limits.max=200"]]
    )
    reason: Reason


class Override(BaseModel):
    """What is to be done to a draw, why, and the second person with their own password."""

    what: What
    reason: Reason
    second: Credentials


@router.get("/tables/{table}/rules")
async def see_rules(table: TableId, login: Operating, house: HouseHere) -> dict[str, Any]:
    """The options of a table's rules as a form: what each is, what it may be, and what it is now."""
    login.require("announce")
    live_table = house.tables.find(TwentyOneTable, table)
    said = live_table.announcement
    return {
        "title": live_table.rules.title,
        "controls": controls_of(live_table.rules),
        "announced": said is not None and not said.in_force,
    }


@router.put("/tables/{table}/rules")
async def announce_rules(
    table: TableId, wanted: TableRules, login: Operating, house: HouseHere
) -> dict[str, Any]:
    """Announce rules to everybody at a table; they hold from the next shoe on, said who and why (R-47)."""
    login.require("announce")
    live_table = house.tables.find(TwentyOneTable, table)
    changes = {**parse_changes(wanted.changes), **wanted.options}
    answer = await house.tables.ask(
        live_table, lambda: live_table.announce(changes, by=login.name, reason=wanted.reason)
    )
    return dict(answer)


@router.post("/draws/{number}/override")
async def override_draw(
    number: DrawNumber, wanted: Override, login: Operating, house: HouseHere, asking: Asking
) -> dict[str, Any]:
    """Hold, release, draw by hand or call off a draw; a second operator confirms it (R-25)."""
    login.require("operate")
    lottery = lottery_of(house).lottery
    try:
        work = partial(second_person, house, login.name, wanted.second, asking.address)
        second = await house.passwords.do(work, asking.address)
        appointed = {name: house.operators.named(name).appointed_by for name in (login.name, second)}
        overridden = await desk.run(
            override_in_lottery, lottery, number, wanted.what, wanted.reason, appointed
        )
    except CardroomError as error:
        refused = OverrideRefused(
            draw=number,
            what=wanted.what,
            reason=wanted.reason,
            by=login.name,
            second=wanted.second.name,
            why=error.message,
        )
        await record(house, refused)
        raise
    return overridden.content()


class TrustedClock(BaseModel):
    """Why the time of day is right; a second person where the clock is ahead, or nobody knows what it did."""

    reason: Reason
    second: Credentials | None = None


@router.post("/clock")
async def trust_clock(
    wanted: TrustedClock, login: Operating, house: HouseHere, asking: Asking
) -> dict[str, Any]:
    """Say that the time of day is right after it jumped: sales are open again, and draws go on."""
    login.require("operate")
    people = [login.name]
    if wanted.second is not None:
        work = partial(second_person, house, login.name, wanted.second, asking.address)
        people.append(await house.passwords.do(work, asking.address))
    elif house.clock_needs_two():
        raise Forbidden("this takes two people: the clock is ahead, or nobody knows any more what it did")
    await house.trust_clock(sorted(people), wanted.reason)
    return {"by": sorted(people), "now": house.now().isoformat()}


def second_person(house: House, first: str, second: Credentials, address: str) -> str:
    """The name of an operator who is somebody else and gave their own password."""
    if second.name == first:
        raise Forbidden("this takes two people; the second one is somebody else")
    now = house.now()
    operator = house.operators.known_by(second.name, second.password, now, address, second.code)
    return second_of(house.operators, first, operator, now, house.settings.second_person_hours).name
