"""Records of tables: what was granted, rounds, games and shoes that are over, what the coach judged."""

from __future__ import annotations

from typing import Any, ClassVar

import msgspec

from cardroom.games import KNOCKOUT_52
from cardroom.records.base import Record


class TwentyOneTableOpened(Record, frozen=True, kw_only=True):
    """A table of the blackjack family, its rules by their hash; `owner` is None for one of the house."""

    table: str
    game: str
    rules_hash: str
    owner: str | None
    computers: int = 0
    """How many computer players sit at a player's own table."""
    speed: str = "usual"
    """How fast it is dealt."""


class TableRequestGranted(Record, frozen=True, kw_only=True):
    """Something that somebody asked of a table was done; who sits down is named by their id."""

    table: str
    request: dict[str, Any]
    player: str | None = None
    by: str = ""
    """Who of the house did it; empty where a player asked for it, or the dealer did what was due."""
    reason: str = ""


class TableRulesAnnounced(Record, frozen=True, kw_only=True):
    """The house announced rules for a table's next shoe (R-47)."""

    table: str
    by: str
    reason: str
    changes: dict[str, Any]
    before: dict[str, Any]
    after: dict[str, Any]
    rules_before: str
    rules_after: str
    rules: str
    """The canonical text of the rules announced."""
    words: list[list[str]]
    needs_opening: bool


class TwentyOneRoundEnded(Record, frozen=True, kw_only=True):
    """A round of the blackjack family is over: its text, its rules by their hash, and what came of it."""

    round: str
    table: str
    game: str
    number: int
    shoe: int
    rules_hash: str
    notation: str
    players: dict[str, str]
    net_cents: dict[str, int]
    staked_cents: dict[str, int]
    dealer: str = ""
    """The dealer whom the floor has put on the table; empty where it has put nobody."""
    by_clock: list[int] = msgspec.field(default_factory=list)
    """Which inputs of the round, counted from 0, the clock decided for who gave no answer in time."""


class TwentyOneShoeEnded(Record, frozen=True, kw_only=True):
    """A shoe is over, its secret revealed."""

    table: str
    shoe: int
    proof: str


class RoundJudged(Record, frozen=True, kw_only=True):
    """The coach's books of every player of a round, after it."""

    round: str
    table: str
    books: dict[str, dict[str, float]]


class Knockout52TableOpened(Record, frozen=True, kw_only=True):
    """A Knockout 52 table, with its rules by their hash; all are dealt at the usual pace, to people."""

    game: ClassVar[str] = KNOCKOUT_52.id
    computers: ClassVar[int] = 0
    speed: ClassVar[str] = "usual"

    table: str
    rules_hash: str
    owner: str | None


class TableClosed(Record, frozen=True, kw_only=True):
    """A player's own table was closed, since nobody had been there for long."""

    table: str


class TableCleared(Record, frozen=True, kw_only=True):
    """A table begins anew: every stake of an unfinished round went back, and its shoe is never dealt again.

    It is written after a record that cannot have happened, and after a back-up was restored.
    """

    table: str
    game: str
    rules_hash: str
    owner: str | None
    because: str
    by: list[str]
    rounds: int
    """Rounds or games that were begun so far: the next one has the next number."""
    shoes: int
    meters: dict[str, int] = msgspec.field(default_factory=dict)
    """What progressive meters showed, in cents, so that they go on from there."""
    impossible: int = 0
    """The number of the record that cannot have happened; 0 where there was none."""
    appointed: dict[str, str] = msgspec.field(default_factory=dict)
    """Who had appointed each of those who did it."""
    computers: int = 0
    speed: str = "usual"


class Knockout52ShoeCommitted(Record, frozen=True, kw_only=True):
    """The house committed itself to the cards of the next game."""

    table: str
    game: int
    shoe_id: str
    deck: str
    rules_hash: str
    commitment: str
    sealed_seed: str


class Knockout52WagersPlaced(Record, frozen=True, kw_only=True):
    """A player's wagers as they stand now (KO52-3), with the hash of their salt for the game, if any."""

    version: ClassVar[int] = 2

    table: str
    game: int
    player: str
    name: str
    stakes: dict[str, int]
    salt_hash: str = ""
    rules_hash: str
    returned: str = ""
    """Why the house gave the wagers back; empty for a player's own word."""

    @staticmethod
    def upgrade_from_1(plain: dict[str, Any]) -> dict[str, Any]:
        """A salt that was sent in the clear binds nobody; the deal's record has what was made of it."""
        return {name: value for name, value in plain.items() if name != "salt"}


class Knockout52WagersClosed(Record, frozen=True, kw_only=True):
    """No more wagers on a game: the salts whose hashes were given are asked for."""

    table: str
    game: int


class Knockout52SaltRevealed(Record, frozen=True, kw_only=True):
    """A salt whose hash was given with a wager."""

    table: str
    game: int
    salt: str


class Knockout52DealStarted(Record, frozen=True, kw_only=True):
    """The deal begins; `salt` is made of all salts that were revealed, and empty where there was none."""

    table: str
    game: int
    salt: str


class Knockout52CardDealt(Record, frozen=True, kw_only=True):
    """A card came onto its space (KO52-6)."""

    table: str
    game: int
    space: int
    card: str


class Knockout52GameEnded(Record, frozen=True, kw_only=True):
    """A game is over, its secret revealed."""

    table: str
    game: int
    outcome: str
    record: str
    players: dict[str, str]
