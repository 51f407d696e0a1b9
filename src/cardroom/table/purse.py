"""Where a player's chips are: a table asks for them when it needs them, and never keeps any itself."""

from __future__ import annotations

from typing import Protocol


class Purse(Protocol):
    """The chips of one player, who may play at several tables at once."""

    @property
    def owner(self) -> str:
        """The player's id."""

    @property
    def name(self) -> str:
        """What the player is called."""

    @property
    def chips_cents(self) -> int:
        """All chips of the player that are in no round."""

    def admit(self, stake_cents: int) -> None:
        """Refuse a stake that its owner may not make: for want of chips, or by a limit or a break."""
