"""Draws for those who operate: one draw with its balance, and what draws are expected to bring."""

from __future__ import annotations

from typing import Any, Final

from cardroom.lottery.house import draw_or_refuse
from cardroom.lottery.reports import draw_report
from cardroom.rules.knockout21 import Knockout21Rules
from cardroom.store import lottery as rows
from cardroom.web.api.knockout21 import DrawNumber, lottery_of
from cardroom.web.api.operations import Operating
from cardroom.web.api.parts import HouseHere
from cardroom.web.figures import draw_so_far_of
from cardroom.web.house import House
from cardroom.web.routers import ApiRouter
from cardroom.web.threads import desk

router = ApiRouter(prefix="/operations", tags=["operations"])
_NOT_DRAWN: Final = ("open", "closed", "sealed")


@router.get("/expected")
async def expect_draws(login: Operating, house: HouseHere) -> dict[str, Any]:
    """What each draw that is not drawn yet is expected to bring at the tickets sold so far."""
    login.require("see")
    draws = [draw.number for draw in lottery_of(house).window]
    expected = [{"draw": number, "expected": await expected_of(house, number)} for number in draws]
    return {"draws": [one for one in expected if one["expected"] is not None]}


@router.get("/draws/{number}")
async def see_draw(number: DrawNumber, login: Operating, house: HouseHere) -> dict[str, Any]:
    """A draw's balance, and while it is not drawn what it is expected to bring."""
    login.require("see")
    return {**await draw_of(house, number), "expected": await expected_of(house, number)}


async def draw_of(house: House, number: int) -> dict[str, Any]:
    """A draw's balance with its times."""
    lottery = lottery_of(house).lottery

    def read() -> dict[str, Any]:
        with lottery.database.read() as connection:
            draw = draw_or_refuse(connection, number)
        times = {"closes_at": draw.closes_at.isoformat(), "draw_at": draw.due_at.isoformat()}
        return {**draw_report(lottery, number), **times}

    return await desk.run(read)


async def expected_of(house: House, number: int) -> dict[str, Any] | None:
    """What a draw is expected to bring; None without a ticket, with very many, and once it is drawn."""
    from cardroom.lab.few_tickets import MOST_TICKETS_SO_FAR

    lottery = lottery_of(house).lottery

    def read() -> tuple[int, Knockout21Rules]:
        with lottery.database.read() as connection:
            draw = draw_or_refuse(connection, number)
            tickets, _ = rows.count_and_total(connection, number)
            is_waiting = draw.status in _NOT_DRAWN
            return tickets if is_waiting else 0, lottery.rules_of(connection, draw.rules_hash)

    tickets, rules = await desk.run(read)
    return await draw_so_far_of(rules, tickets) if 0 < tickets <= MOST_TICKETS_SO_FAR else None
