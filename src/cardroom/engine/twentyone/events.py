"""Everything that can happen in a round, in the words of the floor; a hidden card is never in an event."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from cardroom.core.cards import Card
from cardroom.core.odds import Odds
from cardroom.engine.twentyone.actions import PlayerAction
from cardroom.engine.twentyone.chips import Chips, paid_in_chips

PRIMARY = "primary"
INSURANCE = "insurance"
SUPER_BONUS = "super-bonus"
ENVY = "envy"


@dataclass(frozen=True, slots=True)
class WagerPlaced:
    """A stake stands in its circle: the primary wager, a side wager or insurance (PROC-9, 21-1.7)."""

    spot: int
    player: str
    wager: str
    stake_cents: int


@dataclass(frozen=True, slots=True)
class WagersChecked:
    """The dealer has checked all wagers; none changes after this (PROC-9)."""

    total_cents: int


@dataclass(frozen=True, slots=True)
class MeterRaised:
    """The house put its part of a progressive wager into the meter (SIDE-4)."""

    wager: str
    added_cents: int
    meter_cents: int


@dataclass(frozen=True, slots=True)
class CardDealt:
    """A card was laid down; `spot` is None for the dealer's own, `card` is None while it lies face down.

    `position` 1 is the first card, each further one lies to the left of the last (PROC-17); a double card and
    the last card of a split ace lie `sideways` (PROC-13).
    """

    spot: int | None
    hand: int
    position: int
    card: Card | None
    sideways: bool = False


@dataclass(frozen=True, slots=True)
class ThirdCardDealt:
    """A card was laid beside a spot's hands, for a side wager on the player's third card alone (SIDE-8)."""

    spot: int
    card: Card


@dataclass(frozen=True, slots=True)
class CardTurned:
    """A card of the dealer's was turned up (PROC-8)."""

    position: int
    card: Card


@dataclass(frozen=True, slots=True)
class InsuranceOpened:
    """The dealer offers insurance, from first to third base (PROC-10)."""


@dataclass(frozen=True, slots=True)
class InsuranceClosed:
    """Insurance is closed (PROC-10)."""


@dataclass(frozen=True, slots=True)
class DealerLooked:
    """The dealer looked whether the hole card makes a blackjack, and saw no more than that (PROC-16)."""

    blackjack: bool


@dataclass(frozen=True, slots=True)
class ActionTaken:
    """A player decided."""

    spot: int
    player: str
    hand: int
    action: PlayerAction


@dataclass(frozen=True, slots=True)
class WagerAdded:
    """A player added a wager: with the new hand of a split, or beside the original of a double (PROC-13)."""

    spot: int
    player: str
    hand: int
    added_cents: int
    stands: Literal["with its hand", "beside the original"]


@dataclass(frozen=True, slots=True)
class WagerTaken:
    """A losing stake went to the house."""

    spot: int
    player: str
    wager: str
    hand: int
    stake_cents: int
    why: str


@dataclass(frozen=True, slots=True)
class WagerPaid:
    """A winning stake was paid beside it and goes back with the payment (PROC-14)."""

    spot: int
    player: str
    wager: str
    hand: int
    stake_cents: int
    payment_cents: int
    odds: Odds
    why: str

    @property
    def chips(self) -> Chips:
        """The payment in the denominations of the wager (PROC-14)."""
        return paid_in_chips(self.stake_cents, self.payment_cents)


@dataclass(frozen=True, slots=True)
class WagerReturned:
    """A stake went back to its player without payment."""

    spot: int
    player: str
    wager: str
    hand: int
    stake_cents: int
    why: str


@dataclass(frozen=True, slots=True)
class JackpotPaid:
    """A progressive wager won its meter, and its stake went back (SIDE-4)."""

    spot: int
    player: str
    wager: str
    stake_cents: int
    payment_cents: int


@dataclass(frozen=True, slots=True)
class MeterReset:
    """The house put the seed into a meter that was won (SIDE-4)."""

    wager: str
    seed_cents: int


@dataclass(frozen=True, slots=True)
class BonusPaid:
    """The house paid a fixed sum: the Super Bonus, or envy to another player (PE21-13, PE21-13.1)."""

    spot: int
    player: str
    bonus: str
    payment_cents: int


@dataclass(frozen=True, slots=True)
class CardsPickedUp:
    """The cards of a hand went to the discard rack; `spot` is None for the dealer's (PROC-12, PROC-16)."""

    spot: int | None
    hand: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class ShoeRanOut:
    """A card is wanted and the shoe has none (21-1.13)."""


@dataclass(frozen=True, slots=True)
class DiscardsShuffled:
    """The discards of earlier rounds were shuffled, and the round goes on from them (21-1.13)."""

    cards: int


@dataclass(frozen=True, slots=True)
class RoundVoided:
    """No card is left anywhere: wagers not yet decided go back (21-1.13)."""


@dataclass(frozen=True, slots=True)
class RoundEnded:
    """The round is over, and all its money has moved."""


Event = (
    WagerPlaced
    | WagersChecked
    | MeterRaised
    | CardDealt
    | ThirdCardDealt
    | CardTurned
    | InsuranceOpened
    | InsuranceClosed
    | DealerLooked
    | ActionTaken
    | WagerAdded
    | WagerTaken
    | WagerPaid
    | WagerReturned
    | JackpotPaid
    | MeterReset
    | BonusPaid
    | CardsPickedUp
    | ShoeRanOut
    | DiscardsShuffled
    | RoundVoided
    | RoundEnded
)
