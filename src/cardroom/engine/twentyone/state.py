"""What stands on the table of a blackjack game during a round."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from cardroom.core.cards import Card
from cardroom.core.decks import CardCounts
from cardroom.engine.contract import DecisionAwaited
from cardroom.engine.twentyone.actions import Input, PlayerAction
from cardroom.rules.twentyone import TwentyOneRules


@dataclass(frozen=True, slots=True, init=False, repr=False)
class SpotWager:
    """What a player stakes on a spot before the cards: the primary wager and any side wagers.

    >>> SpotWager(1, "Ann", 1000, {"match-up": 500, "match-down": 200})
    SpotWager(1, 'Ann', 1000, {'match-down': 200, 'match-up': 500})
    """

    spot: int
    player: str
    stake_cents: int
    side: tuple[tuple[str, int], ...]

    def __init__(
        self, spot: int, player: str, stake_cents: int, side: Mapping[str, int] | None = None
    ) -> None:
        placed = tuple(sorted(side.items())) if side else ()
        object.__setattr__(self, "spot", spot)
        object.__setattr__(self, "player", player)
        object.__setattr__(self, "stake_cents", stake_cents)
        object.__setattr__(self, "side", placed)

    def in_order(self, rules: TwentyOneRules) -> tuple[tuple[str, int], ...]:
        """The side wagers in the order of the table's own layout: a bet after the one it needs."""
        placed = dict(self.side)
        return tuple((wager, placed[wager]) for wager in rules.side_bets if wager in placed)

    @property
    def total_cents(self) -> int:
        return self.stake_cents + sum(cents for _, cents in self.side)

    def __repr__(self) -> str:
        side = f", {dict(self.side)!r}" if self.side else ""
        return f"SpotWager({self.spot}, {self.player!r}, {self.stake_cents}{side})"


class Status(StrEnum):
    """How a hand stands."""

    LIVE = "live"
    """Still to be played, or waiting for a card."""
    STOOD = "stood"
    """Played out; it waits for the dealer's hand."""
    GIVEN_UP = "given up"
    """Surrendered, or rescued; it waits to see whether the dealer has a blackjack (21-1.19, 21-1.26)."""
    BUST = "bust"
    """Bust; it waits to see whether a dealer's blackjack gives wagers back (21-1.26)."""
    WON = "won"
    LOST = "lost"
    PUSHED = "pushed"
    SURRENDERED = "surrendered"
    RESCUED = "rescued"
    VOID = "void"


OPEN: Final = (Status.LIVE, Status.STOOD, Status.GIVEN_UP, Status.BUST)
"""The states of a hand whose wager is not yet decided."""


@dataclass(frozen=True, slots=True)
class Hand:
    """One hand of a spot, its cards from right to left, and the whole wager on it."""

    cards: tuple[Card, ...]
    stake_cents: int
    status: Status = Status.LIVE
    doubles: int = 0
    from_split: bool = False
    sideways: int = 0
    """How many cards lie sideways; they are always the last ones (PROC-13)."""
    picked_up: bool = False

    @property
    def is_open(self) -> bool:
        return self.status in OPEN

    def closed(self, status: Status) -> Hand:
        """The hand with its wager decided; spelled out, since this is done for every hand."""
        return Hand(
            self.cards,
            self.stake_cents,
            status,
            self.doubles,
            self.from_split,
            self.sideways,
            self.picked_up,
        )


@dataclass(frozen=True, slots=True)
class Spot:
    """A spot in play: whose it is, its hands from first to last, and the wagers beside them."""

    number: int
    player: str
    stake_cents: int
    """The original wager."""
    side: tuple[tuple[str, int], ...]
    """The side wagers not yet decided."""
    hands: tuple[Hand, ...]
    first_two: tuple[Card, ...] = ()
    insurance_cents: int = 0
    third: Card | None = None
    """The card after the first two, of the first hand; noted where a side wager may ask for it (SIDE-8)."""
    third_lies_beside: bool = False
    """Whether it was dealt for a side wager alone, and is in no hand."""

    def with_hands(self, hands: tuple[Hand, ...]) -> Spot:
        """The spot with other hands; spelled out, since this is done several times a round."""
        return Spot(
            self.number,
            self.player,
            self.stake_cents,
            self.side,
            hands,
            self.first_two,
            self.insurance_cents,
            self.third,
            self.third_lies_beside,
        )

    @property
    def on_table_cents(self) -> int:
        """All of its wagers that are not yet decided."""
        hands = sum(hand.stake_cents for hand in self.hands if hand.is_open)
        return hands + self.insurance_cents + sum(cents for _, cents in self.side)


class Phase(StrEnum):
    """Where the round is."""

    DEAL = "deal"
    INSURANCE = "insurance"
    PLAY = "play"
    DEALER = "dealer"
    OVER = "over"


Place = tuple[int, int] | None
"""Where a card will lie: the places of a spot and of its hand, counted from 0, or None for the dealer."""
BESIDE: Final = -1
"""In the place of the hand: beside all hands of the spot, for a side wager (SIDE-8)."""


@dataclass(frozen=True, slots=True)
class Opening:
    """What a round starts from; with the inputs it makes the whole round."""

    rules: TwentyOneRules
    wagers: tuple[SpotWager, ...]
    shoe: CardCounts
    """The undealt cards at the start, as counts; their order is nowhere in a state."""
    discards: CardCounts
    """The discards of earlier rounds, dealt from when the shoe runs out (21-1.13)."""
    meters: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Round:
    """The state of a round."""

    opening: Opening
    inputs: tuple[Input, ...]
    """All that was dealt and decided so far, in order."""
    stretches: tuple[tuple[int, str], ...]
    """The stretches of play in one place: which input was its first, and where, such as `spot 3 hand 2`."""
    phase: Phase
    spots: tuple[Spot, ...]
    dealer: tuple[Card, ...]
    turned: int
    """How many of the dealer's cards lie face up, from the first."""
    looked: bool
    """Whether the dealer has looked at the hole card."""
    to_deal: tuple[Place, ...]
    """Where the next cards go."""
    turn: int
    """The place of the spot whose turn it is, counted from 0."""
    hand: int
    """The place of the hand whose turn it is, counted from 0."""
    options: tuple[PlayerAction, ...]
    """What the player whose turn it is may do; empty when no decision is awaited."""
    source: CardCounts
    """The cards that are being dealt from, as they were when it began: the shoe, or the discards."""
    dealt: tuple[Card, ...]
    """The cards dealt from `source` so far."""
    left: int
    """How many cards `source` still has."""
    discards: CardCounts
    meters: tuple[tuple[str, int], ...]

    @property
    def rules(self) -> TwentyOneRules:
        return self.opening.rules

    @property
    def undealt(self) -> CardCounts:
        """How many of each card are still to come, in whatever order."""
        if self.opening.rules.decks == "infinite":
            return self.source
        return self.source.without(self.dealt)

    @property
    def up(self) -> Card | None:
        """The dealer's up card, once it is turned."""
        return self.dealer[0] if self.turned else None

    @property
    def on_table_cents(self) -> int:
        """All wagers that are not yet decided."""
        return sum(spot.on_table_cents for spot in self.spots)


@dataclass(frozen=True, slots=True)
class Turn(DecisionAwaited[PlayerAction]):
    """A player is to decide: `seat` is the number of the spot, `hand` counts its hands from 1."""

    player: str
    hand: int


@dataclass(frozen=True, slots=True)
class View:
    """What a seat may know: all that lies open; None in place of a card that lies face down."""

    seat: int
    spots: tuple[Spot, ...]
    dealer: tuple[Card | None, ...]
    phase: Phase
    looked: bool
    turn: int | None
    """The number of the spot whose turn it is."""
    hand: int | None
    """The hand whose turn it is, counted from 1."""
    options: tuple[PlayerAction, ...]
    """What this seat may do now."""
    cards_left: int
    meters: tuple[tuple[str, int], ...]
