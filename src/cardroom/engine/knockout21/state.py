"""A Knockout 21 draw while its cards come out, and everything that can happen in it."""

from __future__ import annotations

from dataclasses import dataclass

from cardroom.core.cards import Card
from cardroom.core.errors import MalformedInput
from cardroom.engine.knockout21.draw import Draw, Position
from cardroom.engine.knockout21.settlement import HandResult, Settlement
from cardroom.engine.knockout21.ticket import Ticket
from cardroom.rules.knockout21 import GAME_OF_POSITION, HANDS_OF_GAME, POSITIONS, Game, Knockout21Rules
from cardroom.rules.knockout21.accounts import DrawAccount
from cardroom.rules.knockout21.law import Choice


@dataclass(frozen=True, slots=True)
class Pool:
    """What is fixed when sales close: the tickets, the dealer's first cards of Game 2, the pool reserve."""

    tickets: tuple[Ticket, ...]
    first_cards: tuple[Card, ...]
    reserve_cents: int = 0

    def __post_init__(self) -> None:
        if len(self.first_cards) != len(HANDS_OF_GAME[2]):
            raise MalformedInput(
                f"Game 2 has {len(HANDS_OF_GAME[2])} dealer's first cards, not {len(self.first_cards)}",
                clause="KO21-1.5",
            )


@dataclass(frozen=True, slots=True)
class DrawState:
    """A draw so far; the cards to come are nowhere in it."""

    rules: Knockout21Rules
    pool: Pool
    finished: tuple[Position, ...]
    hit: Card | None
    """The hit card of the position in play, once shown."""
    dealer: tuple[Card, ...]
    """The dealer's cards so far in the position in play; in Game 2 the first lies there from the start."""
    hands: tuple[HandResult, ...]
    settlement: Settlement | None

    @property
    def position(self) -> int:
        """The position in play; 15 once the draw is over."""
        return len(self.finished)

    @property
    def active(self) -> tuple[int, ...]:
        """The tickets in the hand in play (KO21-4.5: all of them on a game's first hand)."""
        if self.position == POSITIONS:
            return ()
        if self.position == HANDS_OF_GAME[GAME_OF_POSITION[self.position]][0]:
            return tuple(range(len(self.pool.tickets)))
        return self.hands[-1].staying

    @property
    def draw(self) -> Draw:
        """All cards, once the draw is over."""
        return Draw(self.finished)


@dataclass(frozen=True, slots=True)
class Choose:
    """The holder of a ticket asks to change a choice."""

    ticket: int
    position: int
    choice: Choice


@dataclass(frozen=True, slots=True)
class DrawStarted:
    """The pool is closed, and the first cards of Game 2 are on view."""

    tickets: int
    first_cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class HitCardShown:
    """The hit card of a position, counted from 0, was shown."""

    position: int
    card: Card


@dataclass(frozen=True, slots=True)
class DealerCardDealt:
    """The dealer took a card; `total` is what the dealer's hand counts with it."""

    position: int
    card: Card
    total: int


@dataclass(frozen=True, slots=True)
class HandPlayed:
    """A hand is decided for everybody in it."""

    position: int
    dealer_total: int
    dealer_busted: bool
    lucky_losers: bool
    staying: int


@dataclass(frozen=True, slots=True)
class GameWon:
    """A game is over; each of its winners wins the prize."""

    game: Game
    winners: int
    prize_cents: int


@dataclass(frozen=True, slots=True)
class DrawSettled:
    """The draw is over, and all its money is accounted for."""

    account: DrawAccount


Event = DrawStarted | HitCardShown | DealerCardDealt | HandPlayed | GameWon | DrawSettled


@dataclass(frozen=True, slots=True)
class DrawView:
    """What the holder of a ticket may know: the open cards, how many are in, and the own ticket only."""

    seat: int
    ticket: Ticket
    first_cards: tuple[Card, ...]
    finished: tuple[Position, ...]
    hit: Card | None
    dealer: tuple[Card, ...]
    still_in: bool
    """Whether this ticket is in the hand in play."""
    tickets_in: int
    games_won: tuple[Game, ...]
    """The games this ticket has won so far."""
