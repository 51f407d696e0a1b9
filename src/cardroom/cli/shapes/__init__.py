"""The shape of every command's JSON as types, from which `cardroom schema` makes JSON Schemas."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

from cardroom.cli.output import SCHEMA_VERSION
from cardroom.core.errors import MalformedInput
from cardroom.rules.explain import nearest

SHAPES: Final[dict[str, str]] = {
    "games": "house:Games",
    "rules": "house:HouseRules",
    "bets": "house:Bets",
    "play": "house:Play",
    "odds": "figures:Odds",
    "strategy": "figures:Strategy",
    "hand": "figures:Hand",
    "simulate": "figures:Simulate",
    "protect": "study:Protect",
    "design": "design:DesignOrSearch",
    "compare": "figures:Comparison",
    "par": "figures:Par",
    "audit": "figures:Audit",
    "verify": "house:Verify",
    "fair test": "house:TestedShuffle",
    "backup": "house:Backup",
    "restore": "house:Backup",
    "archive": "house:Archive",
    "repair": "house:Repair",
    "operators list": "house:Operators",
    "lottery sell": "lottery:Tickets",
    "lottery choose": "lottery:Tickets",
    "lottery alter": "lottery:Tickets",
    "lottery reprint": "lottery:Tickets",
    "lottery reissue": "lottery:Tickets",
    "lottery check": "lottery:Check",
    "lottery proof": "lottery:Proof",
    "lottery report": "lottery:Report",
    "lottery finance": "lottery:Finance",
    "lottery lost": "lottery:LostTickets",
    "lottery approvals": "lottery:Approvals",
    "lottery rules": "lottery:RulesByDay",
    "lottery simulate-day": "lottery:Day",
}
"""The command → where the type of its JSON stands in this folder."""
_OPEN: Final = "par"
"""Its JSON also has tables that only one game has."""


def schema_of(command: str) -> dict[str, Any]:
    """The JSON Schema of what a command prints with `--json`; fields without a name in it do not occur."""
    from pydantic import TypeAdapter

    if command not in SHAPES:
        raise MalformedInput(f"no command {command!r} prints JSON{nearest(command, SHAPES)}")
    module, _, name = SHAPES[command].partition(":")
    shape = getattr(import_module(f"cardroom.cli.shapes.{module}"), name)
    schema = TypeAdapter(shape).json_schema(mode="serialization")
    if command == _OPEN:
        schema["additionalProperties"] = True
    _close(schema)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"cardroom {command} --json, version {SCHEMA_VERSION}",
        **{key: value for key, value in schema.items() if key != "title"},
    }


def _close(schema: Any) -> None:
    """Say of every object whose fields are listed that it has no others, unless it says that it has."""
    if isinstance(schema, dict):
        if "properties" in schema:
            schema.setdefault("additionalProperties", False)
        for part in schema.values():
            _close(part)
    elif isinstance(schema, list):
        for part in schema:
            _close(part)
