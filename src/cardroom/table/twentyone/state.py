"""What stands at a table: people, spots, wagers, the shoe, the accounts; immutable."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal, NoReturn

from cardroom.core.cards import Card
from cardroom.core.decks import CardCounts
from cardroom.core.refusal import Refusal
from cardroom.engine.twentyone import Event, PlayerAction, Round, SpotWager
from cardroom.fair.salts import Salts
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.table.purse import Purses
from cardroom.table.twentyone.meters import Meter


class Phase(StrEnum):
    """What the table is doing."""

    CLOSED = "closed"
    SHUFFLE = "shuffle"
    """The cards are to be shuffled."""
    CUT = "cut"
    """A player may cut; wagers are open."""
    CUT_CARD = "cut card"
    """The dealer is to place the cut card."""
    WAGERS = "wagers"
    """The shoe is ready; wagers are placed."""
    SALTS = "salts"
    """Wagers on the first round of a shoe are closed; the players' salts are revealed."""
    ROUND = "round"


@dataclass(frozen=True, slots=True)
class Committed:
    """What the house showed of a shoe before its first card, and its secret, sealed."""

    shoe_id: str
    deck: str
    commitment: str
    sealed_seed: str
    origin: str


@dataclass(frozen=True, slots=True)
class Shoe:
    """A shoe in use; the order of its undealt cards is known to the dealer alone."""

    number: int
    committed: Committed
    cards: int | None
    """How many it had; None for infinitely many."""
    before: tuple[Card, ...]
    """The order before the shuffle, where the shuffle depends on it (the procedure mode)."""
    left: CardCounts
    """The undealt cards as counts."""
    washed: bool = False
    """Whether the cards were washed before this shuffle: those of a new game (PROC-1)."""
    dealt: int = 0
    cut_words: bytes = b""
    """The cut as a text, with the words of who cut: it goes into the shuffle of the fair mode."""
    salts: Salts | None = None
    """What the players' browsers add; None for a shoe that takes no salts."""
    cut: tuple[int, Literal["front", "back"]] | None = None
    ends_at: int | None = None
    """How many cards lie before the cut card."""
    to_burn: Literal["new shoe", "new dealer"] | None = None
    """Why cards are burned when the wagers of the next round have been checked (PROC-7)."""
    rack: tuple[Card, ...] = ()
    """The discards in the order in which they came to the rack (PROC-12)."""
    reshuffled: tuple[Card, ...] = ()
    """The discards of earlier rounds that a round dealt on from when the shoe ran out (21-1.13)."""
    rounds: tuple[str, ...] = ()
    """The notation of everything that took cards: rounds and burns."""
    cut_card_out: bool = False

    @property
    def salt(self) -> bytes:
        """What goes into the shuffle beside the secret: the cut, and the salts that were revealed."""
        return self.cut_words if self.salts is None else self.salts.joint(self.cut_words)


@dataclass(frozen=True, slots=True)
class TableState:
    """The whole table."""

    rules: TwentyOneRules
    phase: Phase = Phase.CLOSED
    players: tuple[str, ...] = ()
    """Everybody who sat down, in the order in which they came."""
    waiting: tuple[str, ...] = ()
    """Those of them who wait for a spot, first come first (PROC-3)."""
    owners: Mapping[int, str] = field(default_factory=dict)
    """Spot → player."""
    circles: Mapping[int, SpotWager] = field(default_factory=dict)
    """Spot → the wagers for the next round."""
    accounts: Mapping[str, int] = field(default_factory=dict)
    """Cents by account; they always sum to zero."""
    meters: Mapping[str, Meter] = field(default_factory=dict)
    pack: tuple[Card, ...] = ()
    """All cards while they are not in a shoe."""
    washed: bool = False
    shoe: Shoe | None = None
    shoes: int = 0
    rounds: int = 0
    round: Round | None = None
    """The round in play or, between rounds, the last one."""
    round_events: tuple[Event, ...] = ()
    """All that has happened in that round."""
    dealer: str = ""
    held: Mapping[str, int] = field(default_factory=dict)
    """Player → the cents in circles that have left the purse already, while salts are revealed."""
    by_clock: tuple[int, ...] = ()
    """Which inputs of the round, counted from 0, were decided by the clock for who gave no answer."""

    @property
    def takes_wagers(self) -> bool:
        """Whether there is a shoe, and wagers on its next round are open; the cut may still be to come."""
        return self.phase in (Phase.CUT, Phase.CUT_CARD, Phase.WAGERS)

    @property
    def in_round(self) -> bool:
        return self.phase is Phase.ROUND

    @property
    def wagers_closed(self) -> bool:
        """Whether a round is in play or about to begin, and no wager changes any more."""
        return self.phase in (Phase.SALTS, Phase.ROUND)

    def spots_of(self, player: str) -> tuple[int, ...]:
        """A player's spots from first base on."""
        return tuple(sorted(spot for spot, owner in self.owners.items() if owner == player))

    def staked_cents(self, player: str) -> int:
        """What a player has in circles for the next round; it stays in the purse until the round begins."""
        return sum(wager.total_cents for wager in self.circles.values() if wager.player == player)

    def free_cents(self, player: str, purses: Purses) -> int:
        """A player's chips that stand in no circle."""
        return purses(player).chips_cents - self.staked_cents(player) + self.held.get(player, 0)


@dataclass(frozen=True, slots=True)
class Awaited:
    """What the table waits for; a decision names its player, spot, hand and options."""

    kind: Literal["open", "shuffle", "cut", "cut card", "wagers", "salts", "card", "decision"]
    player: str | None = None
    spot: int | None = None
    hand: int | None = None
    options: tuple[PlayerAction, ...] = ()


def refuse(reason: str, clause: str) -> NoReturn:
    """Refuse a request with its clause."""
    raise Refusal(reason, clause).error()
