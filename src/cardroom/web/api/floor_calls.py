"""A player at a table calls the floor."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from cardroom.core.errors import Conflict
from cardroom.records.floor import FloorCalled
from cardroom.web.api.operations import Reason
from cardroom.web.api.parts import HouseHere, TableId, Visitor
from cardroom.web.live.calls_view import call_view
from cardroom.web.routers import ApiRouter

router = ApiRouter(prefix="/floor", tags=["floor"])


class Call(BaseModel):
    """Why somebody who plays wants the floor to come."""

    reason: Reason


@router.post("/{table}/call")
async def call_to_table(table: TableId, call: Call, house: HouseHere, visitor: Visitor) -> dict[str, Any]:
    """Call the floor to a table whose page you have open; one call at a time, until the floor answers it."""
    live_table = house.tables.get(table)
    if not live_table.presence.is_here(visitor.id):
        raise Conflict("the floor is called from the table: open its page first")
    said = FloorCalled(table=table, by=visitor.name, reason=call.reason)
    await house.tables.ask(live_table, lambda: live_table.floor.plan(said, house.now()), by_floor=True)
    return {"call": call_view(live_table.floor, visitor.name)}
