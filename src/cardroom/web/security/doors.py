"""Operations behind a door of their own: an address or a port that the public does not reach."""

from __future__ import annotations

from typing import Final

from starlette.types import ASGIApp, Receive, Scope, Send

from cardroom.core.errors import MalformedInput

OPERATIONS: Final = ("/operations", "/api/v1/operations")
_ANYWHERE: Final = frozenset({"0.0.0.0", "::"})
_LARGEST_PORT: Final = 65535
Address = tuple[str, int]
"""A host and a port to listen at."""


def parse_address(text: str) -> Address:
    """Read where operations listen: `127.0.0.1:2122`, `[::1]:2122`, or a port of this machine.

    >>> parse_address("127.0.0.1:2122"), parse_address("[::1]:2122"), parse_address("2122")
    (('127.0.0.1', 2122), ('::1', 2122), ('127.0.0.1', 2122))
    """
    host, _, port = text.rpartition(":")
    if not (port.isascii() and port.isdecimal() and int(port) <= _LARGEST_PORT):
        raise MalformedInput(f"{text[:80]!r} is no address and port; write it like 127.0.0.1:2122")
    return host.removeprefix("[").removesuffix("]") or "127.0.0.1", int(port)


def is_of_operations(path: str) -> bool:
    """Whether an address of the server is one of operations."""
    return any(path == prefix or path.startswith(f"{prefix}/") for prefix in OPERATIONS)


def is_open_here(door: Address | None, scope: Scope) -> bool:
    """Whether a request came in where operations answer; without a door of their own that is anywhere."""
    if door is None:
        return True
    host, port = door
    came_to = scope.get("server") or ("", None)
    return bool(came_to[1] == port and (host in _ANYWHERE or came_to[0] == host))


class OperationsDoor:
    """Passes requests of operations that came in by the door for them; elsewhere nothing is there."""

    def __init__(self, app: ASGIApp, *, door: Address) -> None:
        self._app = app
        self._door = door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_for_operations = scope["type"] in ("http", "websocket") and is_of_operations(scope["path"])
        if is_for_operations and not is_open_here(self._door, scope):
            # Answered like any address at which there is nothing.
            path = scope["path"].replace("/operations", "/nothing", 1)
            scope = {**scope, "path": path, "raw_path": path.encode()}
        await self._app(scope, receive, send)
