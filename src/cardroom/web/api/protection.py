"""Game protection in the lab: what a player could gain under any house rules who watches the cards."""

from __future__ import annotations

from functools import partial
from typing import Any

from cardroom.web.api.lab import HouseOptions
from cardroom.web.api.parts import Asking
from cardroom.web.figures import sheets
from cardroom.web.routers import ApiRouter

router = ApiRouter(prefix="/lab", tags=["lab"])


@router.post("/protection")
async def protection(wanted: HouseOptions, asking: Asking) -> dict[str, Any]:
    """Effects of removal, counts, a counter, and the report for the house, as tables and plots."""
    from cardroom.lab.protection import protection_view

    rules = wanted.rules()
    return await sheets.get(("protection", rules.rules_hash), partial(protection_view, rules), asking)
