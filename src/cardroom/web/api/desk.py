"""Operations at the lottery's desk: lost tickets, from the look-up to a new print, and large prizes."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime
from functools import partial
from typing import Annotated, Any, Literal

from fastapi import Path
from pydantic import AwareDatetime, BaseModel, Field

from cardroom.lottery.approval import approval_from, decide, set_approval_from, waiting
from cardroom.lottery.lost import Remembered, lift_stop, look_up, reissue, stop
from cardroom.rules.knockout21.law import Choice
from cardroom.store.lottery import TicketRow
from cardroom.web.api.floor import second_person
from cardroom.web.api.knockout21 import Overrides, lottery_of
from cardroom.web.api.operations import Credentials, Operating, Reason
from cardroom.web.api.parts import Asking, HouseHere
from cardroom.web.house import House
from cardroom.web.live.lottery_view import ticket_view
from cardroom.web.routers import ApiRouter
from cardroom.web.security.operators import Login
from cardroom.web.threads import desk

router = ApiRouter(prefix="/operations", tags=["operations"])

TicketId = Annotated[str, Path(pattern="^[0-9a-f]{32}$")]


_FIRST, _LAST = (datetime(year, 1, 1, tzinfo=UTC) for year in (2000, 3000))
Moment = Annotated[AwareDatetime, Field(ge=_FIRST, le=_LAST)]


class LostTicket(BaseModel):
    """What the owner of a lost ticket remembers: the draw, or the terminal and when; choices by position."""

    draw: int | None = Field(default=None, ge=1, le=10**12)
    terminal: str | None = Field(default=None, min_length=1, max_length=64)
    sold_from: Moment | None = None
    sold_until: Moment | None = None
    choices: Overrides = Field(default_factory=dict)


class Why(BaseModel):
    """Why it is done; the log keeps it."""

    reason: Reason


class WhyOfTwo(Why):
    """Why it is done, and the second person with their own password."""

    second: Credentials


class ApprovalDecision(Why):
    """Whether a large prize may be paid."""

    decision: Literal["approved", "declined"]


class Threshold(BaseModel):
    """From which amount on a prize waits for approval."""

    cents: int = Field(ge=1, le=10**8)


@router.post("/lost-tickets")
async def find_lost(wanted: LostTicket, login: Operating, house: HouseHere) -> dict[str, Any]:
    """Tickets that fit what somebody remembers, 50 at most; neither number nor code nor prize is told."""
    login.require("operate")
    remembered = Remembered(
        wanted.draw,
        wanted.terminal or None,
        wanted.sold_from,
        wanted.sold_until,
        {int(position): Choice(letter) for position, letter in wanted.choices.items()},
    )
    lottery = lottery_of(house).lottery
    tickets = await desk.run(partial(look_up, lottery, remembered, by=login.name))
    return {"tickets": [_ticket_view(row) for row in tickets]}


def _ticket_view(row: TicketRow) -> dict[str, Any]:
    return {
        "id": row.id,
        "draw": row.draw,
        "terminal": row.terminal,
        "sold_at": row.sold_at.isoformat(),
        "stopped": row.stopped,
        "reprints": row.reprints,
    }


@router.post("/tickets/{ticket}/stop")
async def stop_ticket(ticket: TicketId, wanted: Why, login: Operating, house: HouseHere) -> dict[str, Any]:
    """Stop a ticket that was reported lost: no print of it is paid."""
    login.require("operate")
    lottery = lottery_of(house).lottery
    await desk.run(partial(stop, lottery, ticket, by=login.name, reason=wanted.reason))
    return {"id": ticket, "stopped": wanted.reason}


@router.post("/tickets/{ticket}/lift")
async def lift_ticket(
    ticket: TicketId, wanted: WhyOfTwo, login: Operating, house: HouseHere, asking: Asking
) -> dict[str, Any]:
    """Let a stopped ticket be paid again, whose paper was found; two people (R-25)."""
    people = await two_of(house, login, wanted.second, asking.address)
    lottery = lottery_of(house).lottery
    await desk.run(partial(lift_stop, lottery, ticket, operators=list(people), reason=wanted.reason))
    return {"id": ticket, "stopped": None}


@router.post("/tickets/{ticket}/reissue")
async def reissue_ticket(
    ticket: TicketId, wanted: WhyOfTwo, login: Operating, house: HouseHere, asking: Asking
) -> dict[str, Any]:
    """Print a stopped ticket anew; two people (R-25), and every earlier print of it is void."""
    people = await two_of(house, login, wanted.second, asking.address)
    lottery = lottery_of(house).lottery
    anew = await desk.run(partial(reissue, lottery, ticket, appointed=people, reason=wanted.reason))
    return ticket_view(anew)


async def two_of(house: House, login: Login, second: Credentials, address: str) -> dict[str, str]:
    """The two who do it, with who appointed each of them."""
    login.require("operate")
    other = await house.passwords.do(partial(second_person, house, login.name, second, address), address)
    return {name: house.operators.named(name).appointed_by for name in (login.name, other)}


@router.get("/approvals")
async def list_approvals(login: Operating, house: HouseHere) -> dict[str, Any]:
    """Large prizes that wait for a decision, and from which amount on they do."""
    login.require("see")
    return await desk.run(approvals_of, house)


def approvals_of(house: House) -> dict[str, Any]:
    """What waits for approval, and from which amount on."""
    lottery = lottery_of(house).lottery
    with lottery.database.read() as connection:
        cents = approval_from(connection)
    return {"from_cents": cents, "waiting": [asdict(one) for one in waiting(lottery)]}


@router.post("/approvals/{ticket}")
async def decide_approval(
    ticket: TicketId, wanted: ApprovalDecision, login: Operating, house: HouseHere
) -> dict[str, Any]:
    """Approve a large prize that was asked for, or decline it."""
    login.require("operate")
    lottery = lottery_of(house).lottery
    work = partial(decide, lottery, ticket, wanted.decision, by=login.name, reason=wanted.reason)
    await desk.run(work)
    return {"ticket": ticket, "approval": wanted.decision}


@router.put("/approval-threshold")
async def set_threshold(wanted: Threshold, login: Operating, house: HouseHere) -> dict[str, Any]:
    """Say from which amount on a prize waits for approval."""
    login.require("operate")
    lottery = lottery_of(house).lottery
    await desk.run(partial(set_approval_from, lottery, wanted.cents, by=login.name))
    return {"from_cents": wanted.cents}
