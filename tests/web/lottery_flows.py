"""What people and the house do with the lottery, each as one flow that may be stopped."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import date
from typing import Any

from cardroom.core.errors import Unavailable
from cardroom.lottery.claims import book_expired
from cardroom.lottery.draws import open_day
from cardroom.lottery.scheduler import advance
from tests.web.stage import ANN, Stage
from tests.web.table_flows import keyed

LOTTERY = "/api/v1/knockout-21"
OVERRIDES = {"4": "H"}


async def stubborn(work: Callable[[], Any]) -> Any:
    """What the house does by itself: tried again when the database could not."""
    try:
        return await asyncio.to_thread(work)
    except Unavailable:
        return await asyncio.to_thread(work)


async def open_lottery(stage: Stage) -> None:
    await asyncio.to_thread(advance, stage.room.lottery)
    await asyncio.to_thread(stage.room.look)


async def look(stage: Stage) -> None:
    await asyncio.to_thread(stage.room.look)


async def bought(stage: Stage) -> dict[str, Any]:
    """A purchase begun before the flow: asked for again, it is the same one."""
    found: dict[str, Any] = await keyed(stage, "POST", f"{LOTTERY}/purchases", {}, key="bought-before")
    return found


async def chosen(stage: Stage) -> None:
    """Its ticket printed, with a choice for which there is an alteration."""
    purchase = await bought(stage)
    path = f"{LOTTERY}/purchases/{purchase['purchase']}/choices"
    overrides = {purchase["tickets"][0]["id"]: {"4": "S"}}
    await keyed(stage, "POST", path, {"overrides": overrides}, key="chosen-before")


async def before_choices(stage: Stage) -> None:
    await open_lottery(stage)
    await bought(stage)


async def before_alteration(stage: Stage) -> None:
    await open_lottery(stage)
    await chosen(stage)


async def before_close(stage: Stage) -> None:
    await before_alteration(stage)
    stage.clock.moment = stage.room.window[0].closes_at


async def before_draw(stage: Stage) -> None:
    await before_close(stage)
    due = stage.room.window[0].due_at
    await open_lottery(stage)
    stage.clock.moment = due


async def before_claim(stage: Stage) -> None:
    await before_draw(stage)
    await open_lottery(stage)
    stage.clock.advance(minutes=30)  # the wall has shown it


async def buy_first(stage: Stage) -> Any:
    return await keyed(stage, "POST", f"{LOTTERY}/purchases", {})


async def buy_more(stage: Stage) -> Any:
    return await keyed(stage, "POST", f"{LOTTERY}/purchases", {"tickets_per_draw": 2, "draws": 2})


async def keep_choices(stage: Stage) -> Any:
    player = stage.house.player(ANN)
    path = f"{LOTTERY}/purchases/{player.purchases[0]}/choices"
    return await keyed(stage, "PUT", path, {"overrides": {player.tickets[0][0]: OVERRIDES}})


async def make_choices(stage: Stage) -> Any:
    player = stage.house.player(ANN)
    path = f"{LOTTERY}/purchases/{player.purchases[0]}/choices"
    return await keyed(stage, "POST", path, {"overrides": {player.tickets[0][0]: OVERRIDES}})


async def alter(stage: Stage) -> Any:
    path = f"{LOTTERY}/tickets/{own_ticket(stage)}/alteration"
    return await keyed(stage, "POST", path, {"overrides": OVERRIDES})


async def go_on(stage: Stage) -> None:
    await stubborn(lambda: advance(stage.room.lottery))


async def open_tomorrow(stage: Stage) -> None:
    day = date(2025, 6, 15)
    await stubborn(lambda: open_day(stage.room.lottery, day, by="Ann"))


async def before_expiry(stage: Stage) -> None:
    """A prize that nobody has claimed within its year."""
    await before_claim(stage)
    stage.clock.advance(days=370)


async def expire(stage: Stage) -> None:
    await stubborn(lambda: book_expired(stage.room.lottery))


async def claim(stage: Stage) -> Any:
    paid = await _bring(stage)
    assert paid["verdict"] == "prize"
    assert paid["prize_cents"] > 0
    return paid


async def ask_for_prize(stage: Stage) -> Any:
    """A ticket is brought whose prize waits for approval."""
    asked = await _bring(stage)
    assert asked["verdict"] == "waits for approval"
    return asked


async def _bring(stage: Stage) -> Any:
    ticket = await stage.done("GET", f"{LOTTERY}/tickets/{own_ticket(stage)}")
    body = {"control_number": ticket["control_number"], "code": ticket["code"]}
    return await keyed(stage, "POST", f"{LOTTERY}/claims", body)


def own_ticket(stage: Stage) -> str:
    """The player's first ticket."""
    return stage.house.player(ANN).tickets[0][0]


def own_draw(stage: Stage) -> int:
    """The draw of that ticket."""
    return stage.house.player(ANN).tickets[0][1]
