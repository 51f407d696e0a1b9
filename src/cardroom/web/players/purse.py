"""A player's chips as a table sees them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from cardroom.web.players.player import Player


@dataclass(frozen=True, slots=True)
class PlayerPurse:
    """The purse of a player at a moment: the house chips, and what limits and breaks allow."""

    player: Player
    now: datetime

    @property
    def owner(self) -> str:
        return self.player.id

    @property
    def name(self) -> str:
        return self.player.name

    @property
    def chips_cents(self) -> int:
        return self.player.chips_cents

    def admit(self, stake_cents: int) -> None:
        """Refuse a stake that the house, a break or a limit forbids, or that is more than the chips."""
        self.player.require_play(stake_cents, self.now)

    def admit_more(self, stake_cents: int) -> None:
        """Refuse to add to a wager in play what the house, a break or a limit on losses forbids."""
        self.player.require_more(stake_cents, self.now)
