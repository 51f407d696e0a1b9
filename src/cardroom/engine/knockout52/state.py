"""What stands on a Knockout 52 table, and everything that can happen there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from cardroom.core.cards import Card
from cardroom.core.decks import CardCounts
from cardroom.rules.knockout52 import WAGERS, Knockout52Rules


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Stakes:
    """One player's wagers, in the order of the circles on the layout.

    >>> Stakes("Ann", {"all-the-way": 100, "round-1": 500})
    Stakes('Ann', {'round-1': 500, 'all-the-way': 100})
    """

    player: str
    placed: tuple[tuple[str, int], ...]

    def __init__(self, player: str, stakes: Mapping[str, int]) -> None:
        object.__setattr__(self, "player", player)
        object.__setattr__(self, "placed", tuple(sorted(stakes.items(), key=_circle)))

    @property
    def stakes(self) -> dict[str, int]:
        """Wager id → stake in cents."""
        return dict(self.placed)

    @property
    def total_cents(self) -> int:
        return sum(cents for _, cents in self.placed)

    def __repr__(self) -> str:
        return f"Stakes({self.player!r}, {self.stakes!r})"


def _circle(placed: tuple[str, int]) -> tuple[int, str]:
    wager = placed[0]
    return (WAGERS.index(wager) if wager in WAGERS else len(WAGERS), wager)


@dataclass(frozen=True, slots=True)
class Game:
    """The state of a game: the rules, the wagers, the cards on the layout; never the undealt order."""

    rules: Knockout52Rules
    wagers: tuple[Stakes, ...]
    cards: tuple[Card, ...]
    marker: str
    """The circle in which the dealer marker stands, by the id of its wager (KO52-9)."""
    outcome: str | None
    """The wager that won; None while the game runs."""

    @property
    def undealt(self) -> CardCounts:
        """How many of each card are still to come, in whatever order."""
        return self.rules.shoe.without(self.cards)


@dataclass(frozen=True, slots=True)
class PlaceWager:
    """A player asks to add a wager."""

    player: str
    wager: str
    stake_cents: int


@dataclass(frozen=True, slots=True)
class WagerPlaced:
    """A stake stands in its circle (KO52-3)."""

    player: str
    wager: str
    stake_cents: int


@dataclass(frozen=True, slots=True)
class MarkerMoved:
    """The dealer marker was put in the circle of the round in play (KO52-9)."""

    circle: str


@dataclass(frozen=True, slots=True)
class CardDealt:
    """A card was laid on its space, counted from 0, in its row, counted from 1 (KO52-6)."""

    space: int
    row: int
    card: Card
    match: bool


@dataclass(frozen=True, slots=True)
class WagerCollected:
    """A losing stake went to the house (KO52-7, KO52-8)."""

    player: str
    wager: str
    stake_cents: int


@dataclass(frozen=True, slots=True)
class WagerPaid:
    """A winning stake was returned and paid its odds besides (KO52-5)."""

    player: str
    wager: str
    stake_cents: int
    payment_cents: int


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The game is over; `outcome` is the wager that won, whether or not anybody had it."""

    outcome: str


Event = WagerPlaced | MarkerMoved | CardDealt | WagerCollected | WagerPaid | GameEnded


@dataclass(frozen=True, slots=True)
class View:
    """What a seat may know: all of the table, since every card and chip lies open."""

    seat: int
    own: Stakes
    wagers: tuple[Stakes, ...]
    cards: tuple[Card, ...]
    marker: str
    outcome: str | None
    cards_left: int
