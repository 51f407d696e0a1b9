"""Where the money of a table is: every event's transfers booked, the sum always zero."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from cardroom.engine import twentyone
from cardroom.engine.twentyone import Transfer
from cardroom.table.twentyone.events import ChipsBought, ChipsCashed, MeterOpened, OwnEvent, TableEvent

CASHIER: Final = "cashier"
"""Where chips come from and go to; its balance is the money that players brought, with the sign turned."""


def transfers(event: TableEvent) -> tuple[Transfer, ...]:
    """The money that an event moves, between `cashier`, `house`, `table`, `player:NAME` and `meter:WAGER`."""
    match event:
        case ChipsBought(player, cents):
            return (Transfer(CASHIER, f"player:{player}", cents),)
        case ChipsCashed(player, cents):
            return (Transfer(f"player:{player}", CASHIER, cents),)
        case MeterOpened(wager, cents):
            return (Transfer("house", f"meter:{wager}", cents),)
        case _:
            return () if isinstance(event, OwnEvent) else twentyone.transfers(event)


def booked(accounts: Mapping[str, int], events: Iterable[TableEvent]) -> Mapping[str, int]:
    """The accounts after these events."""
    after = dict(accounts)
    for event in events:
        for source, target, cents in transfers(event):
            after[source] = after.get(source, 0) - cents
            after[target] = after.get(target, 0) + cents
    return after
