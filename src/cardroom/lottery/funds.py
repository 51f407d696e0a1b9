"""Where the money of a ticket comes from and where a prize goes: cash at a terminal, or a player's chips."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

from cardroom.store.ledger import PLAYERS
from cardroom.store.unit import Unit


class Funds(Protocol):
    """An account that pays for tickets or takes prizes, inside the transaction of the sale or the claim."""

    @property
    def account(self) -> str: ...

    def admit(self, unit: Unit, cents: int) -> None:
        """Refuse what its owner may not pay, and record what must come before the money moves."""


@dataclass(frozen=True, slots=True)
class Cash:
    """Money from a pocket and back into it."""

    account: str = PLAYERS

    def admit(self, unit: Unit, cents: int) -> None:
        """Cash is always good."""


CASH: Final = Cash()
