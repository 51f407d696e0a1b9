"""What the floor and two people together may do: announce a table's rules, and override a draw."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import BaseModel, Field

from cardroom.rules import parse_changes
from cardroom.web.api.operations import Operating
from cardroom.web.api.parts import HouseHere, TableId

router = APIRouter(prefix="/operations", tags=["operations"])


class TableRules(BaseModel):
    """Rules for the next shoe of a table, each as `option=value`; none takes an announcement back."""

    changes: list[Annotated[str, Field(min_length=3, max_length=120)]] = Field(
        max_length=80, examples=[["limits.max=200"]]
    )
    reason: str = Field(default="", max_length=200)


@router.put("/tables/{table}/rules")
async def announce_rules(
    table: TableId, wanted: TableRules, login: Operating, house: HouseHere
) -> dict[str, Any]:
    """Announce rules to everybody at a table; they hold from the next shoe on, said who and why (R-47)."""
    login.require("announce")
    found, changes = house.table(table), parse_changes(wanted.changes)
    answer = await house.at_table(found, lambda: found.announce(changes, by=login.name, reason=wanted.reason))
    return dict(answer)
