"""What people of the house do, alone and in twos, each as one flow that may be stopped."""

from __future__ import annotations

import asyncio

from cardroom.lottery.claims import book_expired
from cardroom.lottery.clock_care import put_clock_back
from tests.web.lottery_flows import (
    ask_for_prize,
    before_alteration,
    before_claim,
    before_draw,
    before_expiry,
    look,
    own_draw,
    own_ticket,
)
from tests.web.stage import ANN, Stage
from tests.web.table_flows import dealt, stand, unkeyed, wagered

API = "/api/v1/operations"
PASSWORD = "a password of the tests"
FIRST_PASSWORD = "somebody else's password"
TWO = {"reason": "a test", "second": {"name": "max", "password": PASSWORD}}


# Who is there.


async def log_in(stage: Stage) -> None:
    """The operator logs in after every start, the first time with a password that is changed at once."""
    first, login = stage.house.first_password, f"{API}/login"
    if first is not None:
        stage.house.first_password = None
        await stage.done("POST", login, {"name": "operator", "password": first})
        await stage.done("PUT", f"{API}/password", {"old": first, "new": PASSWORD})
    await stage.done("POST", login, {"name": "operator", "password": PASSWORD})


async def appoint(stage: Stage) -> None:
    """Flo of the floor, and Liz and Max, who may operate; none appointed another, Liz signed for Max."""
    signed: dict[str, object] = {"second": {"name": "liz", "password": PASSWORD}}
    for name, role in {"flo": "floor", "liz": "operator", "max": "operator"}.items():
        await log_in(stage)
        body = {"name": name, "role": role, "password": FIRST_PASSWORD, **(signed if name == "max" else {})}
        await stage.done("PUT", f"{API}/operators", body)
        await stage.done("POST", f"{API}/login", {"name": name, "password": FIRST_PASSWORD})
        await stage.done("PUT", f"{API}/password", {"old": FIRST_PASSWORD, "new": PASSWORD})


async def flo_logs_in(stage: Stage) -> None:
    """Flo logs in after every start, once she is appointed."""
    await stage.ask("POST", f"{API}/login", {"name": "flo", "password": PASSWORD})


async def liz_logs_in(stage: Stage) -> None:
    """Liz logs in after every start, once she is appointed; the lottery has looked at its draws."""
    await look(stage)
    await stage.ask("POST", f"{API}/login", {"name": "liz", "password": PASSWORD})


# The floor.


async def before_correction(stage: Stage) -> None:
    """A round that is over, and people of the house."""
    await dealt(stage)
    await stand(stage)
    await appoint(stage)


async def correct(stage: Stage) -> None:
    """The first round at Linden is put right to a result that its cards cannot have had."""
    await unkeyed(stage, "POST", f"{API}/floor/rounds/linden-1/correction", {"net_cents": {ANN: -25}, **TWO})


async def before_release(stage: Stage) -> None:
    await wagered(stage)
    await appoint(stage)


async def take_spot(stage: Stage) -> None:
    """The floor takes a spot with its wager from a player, who leaves with the last one."""
    await unkeyed(stage, "POST", f"{API}/floor/tables/linden/spots/1/release", {"reason": "a test"})


# Draws, by two people.


async def before_override(stage: Stage) -> None:
    await before_alteration(stage)
    await appoint(stage)


async def before_draw_by_hand(stage: Stage) -> None:
    await before_draw(stage)
    await appoint(stage)


async def _override(stage: Stage, what: str) -> None:
    await unkeyed(stage, "POST", f"{API}/draws/{own_draw(stage)}/override", {"what": what, **TWO})


async def call_off(stage: Stage) -> None:
    await _override(stage, "void")


async def hold(stage: Stage) -> None:
    await _override(stage, "hold")


async def held(stage: Stage) -> None:
    await before_override(stage)
    await liz_logs_in(stage)
    await hold(stage)


async def release(stage: Stage) -> None:
    await _override(stage, "release")


async def draw_by_hand(stage: Stage) -> None:
    await _override(stage, "draw")


# Prizes.


async def before_large_prize(stage: Stage) -> None:
    """A prize that was won, where every prize waits for approval."""
    await before_claim(stage)
    await appoint(stage)
    await liz_logs_in(stage)
    await stage.done("PUT", f"{API}/approval-threshold", {"cents": 1})


async def before_approval(stage: Stage) -> None:
    await before_large_prize(stage)
    await ask_for_prize(stage)


async def approve(stage: Stage) -> None:
    body = {"decision": "approved", "reason": "a test"}
    await unkeyed(stage, "POST", f"{API}/approvals/{own_ticket(stage)}", body)


async def approved(stage: Stage) -> None:
    await before_approval(stage)
    await approve(stage)


async def expired_too_soon(stage: Stage) -> None:
    """A prize that was booked as expired by a clock that was a year ahead, and is right again."""
    await before_expiry(stage)
    await asyncio.to_thread(book_expired, stage.room.lottery)
    stage.clock.advance(days=-370)
    people = ["Ann", "Bob"]
    await asyncio.to_thread(put_clock_back, stage.room.lottery, operators=people, reason="a wrong clock")
    await appoint(stage)


async def take_expiry_back(stage: Stage) -> None:
    await unkeyed(stage, "POST", f"{API}/lottery/draws/{own_draw(stage)}/correct-expiry", TWO)


# Lost tickets.


async def stop_ticket(stage: Stage) -> None:
    await unkeyed(stage, "POST", f"{API}/tickets/{own_ticket(stage)}/stop", {"reason": "a test"})


async def stopped(stage: Stage) -> None:
    await before_override(stage)
    await liz_logs_in(stage)
    await stop_ticket(stage)


async def let_go(stage: Stage) -> None:
    await unkeyed(stage, "POST", f"{API}/tickets/{own_ticket(stage)}/lift", TWO)


async def print_anew(stage: Stage) -> None:
    await unkeyed(stage, "POST", f"{API}/tickets/{own_ticket(stage)}/reissue", TWO)


# Switches.


async def switch(stage: Stage, *, off: bool) -> None:
    body = {"what": "game:knockout-21", "off": off, "reason": "a test"}
    await unkeyed(stage, "POST", f"{API}/switches", body)


async def switch_off(stage: Stage) -> None:
    await switch(stage, off=True)


async def switch_on(stage: Stage) -> None:
    await switch(stage, off=False)
