"""What was said between a table and the floor, as pages show it."""

from __future__ import annotations

from typing import Any

from cardroom.table.floor import Floor, Statement


def said_view(said: Statement | None) -> dict[str, Any] | None:
    """Who of the floor said something, when and why."""
    return None if said is None else {"by": said.by, "at": said.at.isoformat(), "reason": said.reason}


def call_view(floor: Floor, name: str) -> dict[str, Any]:
    """What a player is told: that somebody called the floor; one's own words, and the answer to them."""
    call, answered = floor.call, floor.answered
    return {
        "open": call is not None,
        "yours": said_view(call) if call is not None and call.by == name else None,
        "answer": said_view(answered[1]) if answered is not None and answered[0].by == name else None,
    }
