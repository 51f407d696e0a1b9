"""What a side bet is: a posted table of pays, and one pure function from the cards to a line of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

from cardroom.core.cards import Card
from cardroom.core.odds import Odds
from cardroom.games import BLACKJACK, PLAYERS_EDGE_21, SPANISH_21
from cardroom.rules.options import Options, option

Role = Literal["first", "second", "up", "hole"]
"""The cards a side bet may look at: the player's first two, the dealer's up card and hole card."""

_OFFERED_BY: Final = {BLACKJACK.id: "BJ-7", SPANISH_21.id: "S21-9", PLAYERS_EDGE_21.id: "PE21-2"}


class PayTable(Options):
    """The posted pays of one side bet; each subclass adds its lines, best first, as odds."""

    offered: bool = option(("on offer", "not on offer"), _OFFERED_BY, default=True)

    def odds(self, line: str) -> Odds:
        """What a line pays."""
        odds: Odds = getattr(self, line)
        return odds


@dataclass(frozen=True, slots=True)
class SideBet:
    """One side bet of the blackjack family: data, and `line`, the law of it."""

    wager: str
    title: str
    clause: str
    table: type[PayTable]
    looks_at: tuple[Role, ...]
    line: Callable[..., str | None]
    """The line that the cards make, best first, or None when the wager loses; one card argument per role."""
    stake: Literal["limits", "at_most_primary", "fixed"] = "limits"
    fixed_stake_cents: int = 0
    needs: str | None = None
    """Another side wager that must stand on the same hand (SIDE-3)."""
    progressive_line: str | None = None
    """The line that pays the meter instead of odds (SIDE-4)."""
    any_order: bool = False
    """The order of the cards does not matter to `line`; if true, counting is faster."""
    any_suits: bool = False
    """Exchanging suits does not matter to `line`: it names no suit and no colour. Counting is then faster."""
    note: str = ""
    """What must be said wherever the pays are shown."""

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines that pay, best first."""
        posted = (name for name, field in self.table.model_fields.items() if field.annotation is Odds)
        return (*([self.progressive_line] if self.progressive_line else []), *posted)

    def decide(self, cards: dict[Role, Card]) -> str | None:
        """The line that these cards make."""
        return self.line(*(cards[role] for role in self.looks_at))
