"""What the operations of the API share: the house, the visitor, the key of a request."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Depends, Header, Path, Request
from pydantic import Field
from starlette.requests import HTTPConnection

from cardroom.web.house import House
from cardroom.web.journal import RequestKey
from cardroom.web.players.player import Player


def house_of(connection: HTTPConnection) -> House:
    """The house of the application."""
    house: House = connection.app.state.house
    return house


def visitor_of(connection: HTTPConnection) -> Player:
    """The player of the visitor's cookie."""
    return house_of(connection).player(connection.state.visitor)


# Coroutines, though they wait for nothing: plain functions would be run in a thread each.
async def _house(connection: HTTPConnection) -> House:
    return house_of(connection)


async def _visitor(connection: HTTPConnection) -> Player:
    return visitor_of(connection)


HouseHere = Annotated[House, Depends(_house)]
Visitor = Annotated[Player, Depends(_visitor)]
TableId = Annotated[str, Path(min_length=1, max_length=40, pattern="^[a-z0-9-]+$", examples=["willow"])]
Cents = Annotated[int, Field(ge=0, le=1_000_000_00)]
IdempotencyKey = Annotated[
    str,
    Header(
        min_length=8,
        max_length=80,
        pattern="^[A-Za-z0-9_-]+$",
        description="Your key for this request; a repeat with the same content is done once.",
    ),
]


def request_key(request: Request, visitor: Player, key: str, content: dict[str, Any]) -> RequestKey:
    """The key of a request: the visitor's own, for this operation and content."""
    return RequestKey.of(visitor.id, key, f"{request.method} {request.url.path}", content)
