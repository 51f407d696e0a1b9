"""Where the money of a round is: what each event moves, and the balance of any events together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from cardroom.engine.twentyone.events import (
    PRIMARY,
    BonusPaid,
    Event,
    JackpotPaid,
    MeterRaised,
    MeterReset,
    WagerAdded,
    WagerPaid,
    WagerPlaced,
    WagerReturned,
    WagerTaken,
)

HOUSE: Final = "house"
TABLE: Final = "table"
"""The chips that stand in the circles: wagers not yet decided."""


class Transfer(NamedTuple):
    """Cents that go from one account to another: `house`, `table`, `player:NAME` or `meter:WAGER`."""

    source: str
    target: str
    cents: int


def transfers(event: Event) -> tuple[Transfer, ...]:
    """The money that an event moves; nothing for one that moves none."""
    match event:
        case WagerPlaced(player=player, stake_cents=cents) | WagerAdded(player=player, added_cents=cents):
            return (Transfer(f"player:{player}", TABLE, cents),)
        case WagerTaken(stake_cents=cents):
            return (Transfer(TABLE, HOUSE, cents),)
        case WagerReturned(player=player, stake_cents=cents):
            return (Transfer(TABLE, f"player:{player}", cents),)
        case WagerPaid(player=player, stake_cents=cents, payment_cents=payment):
            return (
                Transfer(TABLE, f"player:{player}", cents),
                Transfer(HOUSE, f"player:{player}", payment),
            )
        case JackpotPaid(player=player, wager=wager, stake_cents=cents, payment_cents=payment):
            return (
                Transfer(TABLE, f"player:{player}", cents),
                Transfer(f"meter:{wager}", f"player:{player}", payment),
            )
        case BonusPaid(player=player, payment_cents=payment):
            return (Transfer(HOUSE, f"player:{player}", payment),)
        case MeterRaised(wager=wager, added_cents=cents) | MeterReset(wager=wager, seed_cents=cents):
            return (Transfer(HOUSE, f"meter:{wager}", cents),)
        case _:
            return ()


@dataclass(slots=True)
class Balance:
    """What everybody has won or lost, what still stands on the table, and how far the meters have moved."""

    players: dict[str, int] = field(default_factory=dict)
    house_cents: int = 0
    table_cents: int = 0
    meters: dict[str, int] = field(default_factory=dict)

    @property
    def total_cents(self) -> int:
        """Always 0: no money is made or lost on the way."""
        return sum(self.players.values()) + self.house_cents + self.table_cents + sum(self.meters.values())

    def book(self, account: str, cents: int) -> None:
        """Add to one account."""
        kind, _, name = account.partition(":")
        match kind:
            case "player":
                self.players[name] = self.players.get(name, 0) + cents
            case "meter":
                self.meters[name] = self.meters.get(name, 0) + cents
            case "house":
                self.house_cents += cents
            case _:
                self.table_cents += cents


def balance(events: Iterable[Event]) -> Balance:
    """The balance of the events together, from nothing."""
    result = Balance()
    for event in events:
        for source, target, cents in transfers(event):
            result.book(source, -cents)
            result.book(target, cents)
    return result


def net_by_wager(events: Iterable[Event]) -> dict[tuple[str, str], int]:
    """What each player has won or lost so far by each wager: (player, wager) → cents."""
    net: dict[tuple[str, str], int] = {}
    for event in events:
        wager: str
        match event:
            case WagerPlaced() | WagerTaken() | WagerPaid() | WagerReturned() | JackpotPaid():
                wager = event.wager
            case WagerAdded():
                wager = PRIMARY
            case BonusPaid():
                wager = event.bonus
            case _:
                continue
        won = sum(
            cents if target.startswith("player:") else -cents if source.startswith("player:") else 0
            for source, target, cents in transfers(event)
        )
        key = (event.player, wager)
        net[key] = net.get(key, 0) + won
    return net
