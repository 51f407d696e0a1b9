"""What happens at a table between and around the rounds, in the words of the floor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from cardroom.engine import twentyone
from cardroom.table.twentyone.requests import Departure


@dataclass(frozen=True, slots=True)
class DeckInspected:
    """A deck was inspected, fanned and counted, and is complete (PROC-1)."""

    deck: int
    cards: int


@dataclass(frozen=True, slots=True)
class FloorCalled:
    """The dealer called the floor; a deck that is not in order stays out of play (PROC-1)."""

    deck: int
    why: str


@dataclass(frozen=True, slots=True)
class CardsWashed:
    """All cards were washed face down (PROC-1)."""

    cards: int


@dataclass(frozen=True, slots=True)
class TableOpened:
    """The table is open."""

    game: str
    rules_hash: str


@dataclass(frozen=True, slots=True)
class TableClosed:
    """The table is closed; its meters keep what they show."""


@dataclass(frozen=True, slots=True)
class MeterOpened:
    """The house put a meter's first amount into it (SIDE-4)."""

    wager: str
    seed_cents: int


@dataclass(frozen=True, slots=True)
class RulesChanged:
    """The house rules changed between rounds: who changed them, from which to which (R-47)."""

    who: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class PlayerSat:
    """A player came to the table."""

    player: str


@dataclass(frozen=True, slots=True)
class PlayerWaited:
    """A player waits for a spot; `place` counts the waiting list from 1 (PROC-3)."""

    player: str
    place: int


@dataclass(frozen=True, slots=True)
class PlayerLeft:
    """A player left the table, by their own word or because the house ended their stay."""

    player: str
    why: Departure = "said so"


@dataclass(frozen=True, slots=True)
class SpotTaken:
    """A spot has a player."""

    player: str
    spot: int


@dataclass(frozen=True, slots=True)
class SpotGivenUp:
    """A spot is free again: its player left it, gave it up for somebody who waits, or lost it (PROC-3)."""

    player: str
    spot: int
    why: Literal["released", "somebody waits", "left", "taken by the floor"]


@dataclass(frozen=True, slots=True)
class WagersSet:
    """A player's wagers stand in the circles of a spot and may still be changed (PROC-9)."""

    player: str
    spot: int
    stake_cents: int
    side: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class WagersCleared:
    """A player took the wagers of a spot back before the round."""

    player: str
    spot: int


@dataclass(frozen=True, slots=True)
class WagersReturned:
    """The house gave wagers of a spot back before the round: all of them, or the side wagers named."""

    player: str
    spot: int
    side: tuple[str, ...]
    returned_cents: int
    why: str


@dataclass(frozen=True, slots=True)
class StakesHeld:
    """A player's stakes left the purse when wagers closed, and are dealt whatever happens elsewhere."""

    player: str
    held_cents: int


@dataclass(frozen=True, slots=True)
class StakesReleased:
    """Stakes that were held go into their circles as the round begins."""

    player: str
    held_cents: int


@dataclass(frozen=True, slots=True)
class ClockDecided:
    """A player gave no answer in time, and the clock decided for the hand."""

    player: str
    spot: int
    action: str


@dataclass(frozen=True, slots=True)
class StubPlugged:
    """The undealt stub of the last shoe was plugged into the discards (PROC-4)."""

    stub: int
    discards: int


@dataclass(frozen=True, slots=True)
class PilesMade:
    """The cards lie in four equal piles in a square (PROC-4)."""

    cards: tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class ShoeCommitted:
    """The house holds itself to the order of the next shoe before anybody stakes on it."""

    shoe: int
    shoe_id: str
    commitment: str


@dataclass(frozen=True, slots=True)
class CardsShuffled:
    """The shuffle is done and one pile is left on the cut card (PROC-5)."""

    cards: int
    mode: Literal["fair", "procedure"]


@dataclass(frozen=True, slots=True)
class ShoeCut:
    """The cards were cut, by a player or, where none would, by the dealer (PROC-6)."""

    player: str | None
    cards_deep: int
    end: Literal["front", "back"]


@dataclass(frozen=True, slots=True)
class CutCardPlaced:
    """The dealer put the cut card in, so deep from the back; the shoe ends with its round (PROC-6)."""

    cards_deep: int
    burn: bool = True
    """Whether a card is burned; the floor may waive it (PROC-7)."""


@dataclass(frozen=True, slots=True)
class CardBurned:
    """A card went to the discard rack unseen (PROC-7)."""

    why: Literal["new shoe", "new dealer"]


@dataclass(frozen=True, slots=True)
class SaltCommitted:
    """A player's browser showed the hash of its salt."""

    player: str
    salt_hash: str


@dataclass(frozen=True, slots=True)
class SaltsAsked:
    """Wagers are closed, and so many salts are to be revealed."""

    salts: int


@dataclass(frozen=True, slots=True)
class SaltRevealed:
    """A salt was revealed."""

    player: str
    salt: str


@dataclass(frozen=True, slots=True)
class SaltsTaken:
    """So many salts are in the shoe; so many were not revealed in time."""

    revealed: int
    left_out: int


@dataclass(frozen=True, slots=True)
class DealerChanged:
    """A dealer took over the table; the floor may waive the burn (PROC-7)."""

    dealer: str
    burn: bool = True


@dataclass(frozen=True, slots=True)
class RoundStarted:
    """A round begins; rounds are counted from 1 as long as the table stands."""

    round: int


@dataclass(frozen=True, slots=True)
class CutCardCameOut:
    """The cut card came out: this round is the last of the shoe (PROC-6)."""


@dataclass(frozen=True, slots=True)
class ShoeEnded:
    """The shoe is over."""

    shoe: int
    dealt: int
    left: int


OwnEvent = (
    DeckInspected
    | FloorCalled
    | CardsWashed
    | TableOpened
    | TableClosed
    | MeterOpened
    | RulesChanged
    | PlayerSat
    | PlayerWaited
    | PlayerLeft
    | SpotTaken
    | SpotGivenUp
    | WagersSet
    | WagersCleared
    | WagersReturned
    | StakesHeld
    | StakesReleased
    | ClockDecided
    | StubPlugged
    | PilesMade
    | ShoeCommitted
    | CardsShuffled
    | ShoeCut
    | CutCardPlaced
    | CardBurned
    | SaltCommitted
    | SaltsAsked
    | SaltRevealed
    | SaltsTaken
    | DealerChanged
    | RoundStarted
    | CutCardCameOut
    | ShoeEnded
)
"""Events of the table's own."""

TableEvent = OwnEvent | twentyone.Event
"""All that happens at a table, the events of its rounds among them."""
