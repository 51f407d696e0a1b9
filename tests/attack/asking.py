"""What an attacker asks for: addresses, people, and requests that were answered."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from tests.web.stage import Answer

LOTTERY = "/api/v1/knockout-21"
KNOCKOUT_52 = "/api/v1/knockout-52/tables/willow"
PLAYERS = ("0a" * 16, "0b" * 16, "0c" * 16)
TABLES = ("linden", "rowan")
OPERATORS = ("ann.operator", "bob.operator")
PASSWORD = "a password of the tests"
CREDENTIALS = {"name": OPERATORS[0], "password": PASSWORD}


@dataclass(frozen=True, slots=True)
class Asked:
    """A request that was done under a key, and its answer."""

    player: str
    method: str
    path: str
    body: Any
    key: str
    answer: Any


def salt_of(player: str, commitment: str) -> str:
    """A player's salt for a shoe, as their browser remembers it."""
    return hashlib.sha256(f"{player} {commitment}".encode()).hexdigest()


def chips_of(answer: Answer) -> tuple[int, int]:
    """A player's chips in the purse and in play, by an answer about their session."""
    return answer.body["chips_cents"], answer.body["in_play_cents"]


async def appoint_operators(done: Callable[..., Awaitable[Any]], first: str | None) -> None:
    """Two operators besides the first one, each with a password of their own, by requests that are done."""

    async def enters(name: str, given: str | None) -> None:
        body = {"name": name, "password": given}
        if (await done("POST", "/api/v1/operations/login", body))["choose_password"]:
            await done("PUT", "/api/v1/operations/password", {"old": given, "new": PASSWORD})

    await enters("operator", first)
    signed: dict[str, object] = {}
    for name in OPERATORS:
        await enters("operator", PASSWORD)
        body = {"name": name, "role": "operator", "password": f"first of {name}", **signed}
        await done("PUT", "/api/v1/operations/operators", body)
        await enters(name, f"first of {name}")
        signed = {"second": {"name": name, "password": PASSWORD}}
