"""A table watched by a WebSocket: its whole view after every change, whatever the game."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime
from typing import Any, Final, TypeVar

from fastapi import WebSocket
from pydantic_core import to_json
from starlette.websockets import WebSocketDisconnect

from cardroom.core.errors import CardroomError
from cardroom.table.running import RunningTable, came, went
from cardroom.web.api.parts import house_of
from cardroom.web.house import House
from cardroom.web.players.player import Player

HEARTBEAT_SECONDS: Final = 20.0
_NOT_THERE: Final = 1008
"""What a WebSocket is told that asks for a table that is not there."""

Table = TypeVar("Table", bound=RunningTable)
View = Callable[[Table, Player, datetime], dict[str, Any]]


async def watch(socket: WebSocket, find: Callable[[House], Table], view: View[Table]) -> None:
    """Send a visitor the table as they may see it, now and after every change, until they leave."""
    house = house_of(socket)
    try:
        table = find(house)
    except CardroomError:
        await socket.close(_NOT_THERE)
        return
    await socket.accept()
    visitor: str = socket.state.visitor
    came(table, visitor)
    sender = asyncio.create_task(_send_changes(house, table, socket, view))
    try:
        while True:
            await socket.receive_text()
    except WebSocketDisconnect:
        pass
    finally:
        sender.cancel()
        if went(table, visitor, house.now()):
            house.tables.wake(table)


async def _send_changes(house: House, table: Table, socket: WebSocket, view: View[Table]) -> None:
    with house.hub.watching(table.topic) as watcher:
        async for _changed in watcher.changes(heartbeat_seconds=HEARTBEAT_SECONDS):
            picture = view(table, house.player(socket.state.visitor), house.now())
            await socket.send_text(to_json(picture).decode())
