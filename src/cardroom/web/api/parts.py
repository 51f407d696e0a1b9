"""What the operations of the API share: the house, the visitor, the key of a request."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any, Final, TypeVar

from fastapi import Depends, Header, Path, Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, Field, TypeAdapter, ValidationError
from starlette.requests import HTTPConnection

from cardroom.web.house import House
from cardroom.web.journal import RequestKey
from cardroom.web.players.player import Player

Model = TypeVar("Model", bound=BaseModel)


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


class Caller:
    """Whoever waits for the answer to a request."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self.visitor: str = request.state.visitor
        self.address: str = request.state.address

    async def is_gone(self) -> bool:
        return await self._request.is_disconnected()


async def _caller(request: Request) -> Caller:
    return Caller(request)


HouseHere = Annotated[House, Depends(_house)]
Asking = Annotated[Caller, Depends(_caller)]
Visitor = Annotated[Player, Depends(_visitor)]
TableId = Annotated[str, Path(min_length=1, max_length=40, pattern="^[a-z0-9-]+$", examples=["willow"])]
Cents = Annotated[int, Field(ge=0, le=1_000_000_00)]
_KEY: Final = {"min_length": 8, "max_length": 80, "pattern": "^[A-Za-z0-9_-]+$"}
_KEY_WORDS: Final = "Your key for this request; a repeat with the same content is done once."
IdempotencyKey = Annotated[str, Header(**_KEY, description=_KEY_WORDS)]
_KEY_READER: Final = TypeAdapter(Annotated[str, Field(**_KEY)])
_KEY_HEADER: Final = "idempotency-key"


def request_key(request: Request, visitor: Player, key: str, content: dict[str, Any]) -> RequestKey:
    """The key of a request: the visitor's own, for this operation and content."""
    return RequestKey.of(visitor.id, key, f"{request.method} {request.url.path}", content)


# For an operation that very many ask for at once: it reads its request itself, which takes a fraction of the
# time, and says in its description what it reads.


def described(model: type[BaseModel]) -> dict[str, Any]:
    """The description of an operation that reads its key with `key_of` and its body with `body_of`."""
    schema = {"type": "string", "minLength": 8, "maxLength": 80, "pattern": _KEY["pattern"]}
    return {
        "parameters": [
            {
                "name": _KEY_HEADER,
                "in": "header",
                "required": True,
                "schema": schema,
                "description": _KEY_WORDS,
            }
        ],
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": model.model_json_schema()}},
        },
    }


def key_of(request: Request) -> str:
    """The request's Idempotency-Key."""
    key = request.headers.get(_KEY_HEADER)
    if key is None:
        raise RequestValidationError([{"type": "missing", "loc": ("header", _KEY_HEADER), "input": None}])
    with _told_of("header", _KEY_HEADER):
        return _KEY_READER.validate_python(key)


async def body_of(request: Request, model: type[Model]) -> Model:
    """The request's body, which is JSON."""
    body = await request.body()
    with _told_of("body"):
        return model.model_validate_json(body)


@contextmanager
def _told_of(*place: str) -> Iterator[None]:
    """Faults found in a part of a request are told as those of the whole."""
    try:
        yield
    except ValidationError as error:
        findings = [{**one, "loc": (*place, *one["loc"])} for one in error.errors(include_url=False)]
        raise RequestValidationError(findings) from None
