"""The visitor: chips, time, results, limits, breaks."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated, Any, Literal

from fastapi import Query, Request
from pydantic import BaseModel, Field

from cardroom.store.plan import Plan
from cardroom.web.api.parts import HouseHere, IdempotencyKey, Visitor, request_key
from cardroom.web.house import House
from cardroom.web.players.limits import LIMIT_KINDS, PERIODS, LimitKind, Period, in_force, waiting_limit
from cardroom.web.players.player import Player
from cardroom.web.routers import ApiRouter

router = ApiRouter(tags=["session"])


class Chips(BaseModel):
    """House chips to take from the cage."""

    cents: int = Field(ge=100, le=1_000_00, multiple_of=100, examples=[50_000])


class Name(BaseModel):
    """What the others at the table call the player."""

    name: str = Field(min_length=1, max_length=24, examples=["Ann"])


class Limit(BaseModel):
    """A limit of the player's own: cents for loss and deposit, minutes for time; null for none."""

    kind: LimitKind
    period: Period
    value: int | None = Field(default=None, ge=0, le=10_000_000_00)


class Break(BaseModel):
    """A break from play; it cannot be ended early."""

    hours: int = Field(ge=1, le=5 * 365 * 24)


class RealityCheck(BaseModel):
    """How often the player is told how long they have played."""

    minutes: Literal[15, 30, 60]


def session_view(house: House, player: Player) -> dict[str, Any]:
    """What a player may know about themselves."""
    now = house.now()
    return {
        "name": player.name,
        "chips_cents": player.chips_cents,
        "session_minutes": player.session_minutes(now),
        "session_net_cents": player.session_net_cents,
        "in_play_cents": player.in_play_cents,
        "reality_check": player.reality_check_due(now),
        "reality_minutes": player.reality_minutes,
        "break_until": player.break_until.isoformat() if player.break_until else None,
        "limits": [
            {
                "kind": kind,
                "period": period,
                "value": in_force(player.limits, kind, period, now),
                "waiting": None if waiting is None else {"from": waiting[0].isoformat(), "value": waiting[1]},
            }
            for kind in LIMIT_KINDS
            for period in PERIODS
            for waiting in [waiting_limit(player.limits, kind, period, now)]
        ],
        "now": now.isoformat(),
    }


@router.get("/session")
async def get_session(request: Request, house: HouseHere, visitor: Visitor) -> dict[str, Any]:
    """Who you are, and the token that your changing requests must carry."""
    return {**session_view(house, visitor), "csrf": request.state.csrf}


@router.post("/session/chips")
async def take_chips(
    request: Request, chips: Chips, house: HouseHere, visitor: Visitor, idempotency_key: IdempotencyKey
) -> dict[str, Any]:
    """Take house chips; they cost nothing and are worth nothing."""
    key = request_key(request, visitor, idempotency_key, chips.model_dump())
    async with house.lock(visitor.account):
        await house.journal.perform(
            lambda: house.players.take_chips(house.player(visitor.id), chips.cents, house.now()), key=key
        )
    return session_view(house, house.player(visitor.id))


@router.put("/session/name")
async def set_name(name: Name, house: HouseHere, visitor: Visitor) -> dict[str, Any]:
    """Choose the name that others see."""
    player = await house.change_player(visitor.id, lambda player: house.players.rename(player, name.name))
    return session_view(house, player)


@router.put("/session/limits")
async def set_limit(limit: Limit, house: HouseHere, visitor: Visitor) -> dict[str, Any]:
    """Set a limit: a tighter one holds at once, a looser one after 24 hours."""

    def plan(player: Player) -> Plan:
        return house.players.set_limit(player, limit.kind, limit.period, limit.value, house.now())

    return session_view(house, await house.change_player(visitor.id, plan))


@router.post("/session/break")
async def take_break(pause: Break, house: HouseHere, visitor: Visitor) -> dict[str, Any]:
    """Take a break or exclude yourself; nobody can end it early."""
    until = house.now() + timedelta(hours=pause.hours)

    def plan(player: Player) -> Plan:
        return house.players.take_break(player, until, house.now())

    return session_view(house, await house.change_player(visitor.id, plan))


@router.put("/session/reality-check")
async def set_reality_check(check: RealityCheck, house: HouseHere, visitor: Visitor) -> dict[str, Any]:
    """Choose how often you are told how long you have played."""

    def plan(player: Player) -> Plan:
        return house.players.set_reality_minutes(player, check.minutes)

    return session_view(house, await house.change_player(visitor.id, plan))


@router.post("/session/reality-check")
async def acknowledge(house: HouseHere, visitor: Visitor) -> dict[str, Any]:
    """Say that you have read how long you have played, and go on; who has not played has nothing to read."""
    return session_view(house, await house.change_player(visitor.id, house.players.acknowledge))


@router.get("/session/history")
async def get_history(
    house: HouseHere, visitor: Visitor, game: Annotated[str | None, Query(max_length=40)] = None
) -> dict[str, Any]:
    """Your finished rounds, the newest first."""
    lines = [
        {
            "id": line.id,
            "game": line.game,
            "at": line.at.isoformat(),
            "stake_cents": line.stake_cents,
            "net_cents": line.net_cents,
            "balance_cents": line.balance_cents,
            "corrected": line.corrected,
        }
        for line in reversed(visitor.history)
        if game is None or line.game == game
    ]
    return {"rounds": lines}
