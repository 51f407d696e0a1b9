"""Where the money of a table is: every event's transfers booked, the sum always zero."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from cardroom.engine import twentyone
from cardroom.engine.twentyone import Transfer
from cardroom.engine.twentyone.money import HOUSE, TABLE
from cardroom.table.twentyone.events import (
    MeterOpened,
    OwnEvent,
    StakesHeld,
    StakesReleased,
    TableEvent,
)

PURSES: Final = "purses"
"""All players' chips together, which the table does not keep: what they have won here, or below zero lost."""


def transfers(event: TableEvent) -> tuple[Transfer, ...]:
    """The money that an event moves, between `house`, `table`, `player:NAME` and `meter:WAGER`."""
    match event:
        case MeterOpened(wager, cents):
            return (Transfer(HOUSE, f"meter:{wager}", cents),)
        case StakesHeld(player, cents):
            return (Transfer(f"player:{player}", TABLE, cents),)
        case StakesReleased(player, cents):
            return (Transfer(TABLE, f"player:{player}", cents),)
        case _:
            return () if isinstance(event, OwnEvent) else twentyone.transfers(event)


def booked(accounts: Mapping[str, int], events: Iterable[TableEvent]) -> Mapping[str, int]:
    """The accounts after these events."""
    after = dict(accounts)
    for event in events:
        for source, target, cents in transfers(event):
            source, target = _own(source), _own(target)
            after[source] = after.get(source, 0) - cents
            after[target] = after.get(target, 0) + cents
    return after


def _own(account: str) -> str:
    return PURSES if account.startswith("player:") else account
