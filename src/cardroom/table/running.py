"""What a running table is to whoever runs it, whatever is played there.

A table changes only by records of the log. What a player asks for, or the moment brings, is a plan: entries
for the log with the money that moves. The records of a plan come back to `apply` when they are written.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar, Final, Literal, NamedTuple, Protocol

from cardroom.core.errors import MalformedInput
from cardroom.games import GAMES
from cardroom.records import AnyRecord, PlayRecord
from cardroom.records.base import Record
from cardroom.records.tables import TableCleared
from cardroom.rules import HouseRules
from cardroom.store.plan import Entry, Plan
from cardroom.table.floor import Floor
from cardroom.table.presence import Presence
from cardroom.table.purse import Purses

Adviser = Callable[[Any], Awaitable[Mapping[str, Any]]]
"""What each option is worth to the hand in turn of a round."""
Speed = Literal["slow", "usual", "fast"]
"""How fast a player wants a table of their own to be dealt."""


class Pace(NamedTuple):
    """What a speed makes of the house's own times."""

    cards: float
    decisions: float


PACES: Final[Mapping[Speed, Pace]] = {
    "slow": Pace(cards=2.0, decisions=3.0),
    "usual": Pace(cards=1.0, decisions=1.0),
    "fast": Pace(cards=0.3, decisions=0.5),
}


@dataclass(frozen=True, slots=True)
class Style:
    """How a player wants a table of their own beside its rules: with whom, and how fast."""

    computers: int = 0
    """How many computer players sit there."""
    speed: Speed = "usual"

    @classmethod
    def of(cls, computers: int, speed: str) -> Style:
        """The style of a record or a checkpoint."""
        for known in PACES:
            if known == speed and computers >= 0:
                return cls(computers, known)
        raise MalformedInput(f"{computers} computer players at speed {speed!r}: no table is run so")


USUAL: Final = Style()

FindRules = Callable[[str], HouseRules]
"""The rules of a hash."""


class Conduct(Protocol):
    """How the house runs its tables: at what pace, and with which key it seals the secrets of its shoes."""

    @property
    def key(self) -> bytes: ...
    @property
    def repeatable(self) -> int | None: ...
    @property
    def card_seconds(self) -> float: ...
    @property
    def wager_seconds(self) -> float: ...
    @property
    def decision_seconds(self) -> float: ...
    @property
    def reveal_seconds(self) -> float: ...
    @property
    def offer_seconds(self) -> float: ...
    @property
    def gone_seconds(self) -> float: ...


@dataclass(frozen=True, slots=True)
class Result:
    """What a finished round came to for one player."""

    player: str
    stake_cents: int
    net_cents: int


class Finished(Protocol):
    """A round or game that is over."""

    is_judged: ClassVar[bool]
    """Whether there were decisions, which a coach can judge."""

    @property
    def id(self) -> str: ...
    @property
    def table(self) -> str: ...
    @property
    def number(self) -> int: ...
    @property
    def game_id(self) -> str: ...
    @property
    def ended_at(self) -> datetime: ...

    def results(self) -> Iterable[Result]:
        """What each of its players staked and won."""


Lookup = Callable[[str], "Finished | None"]
"""A finished round or game by its id."""


class RunningTable(Protocol):
    """A table that is in use."""

    called: ClassVar[str]
    """What such a table is called, where one is not found."""

    id: str
    owner: str | None
    """The player whose own table it is; None for one of the house."""
    style: Style
    enabled: bool
    floor: Floor
    """What the floor has said of it: while it is frozen nothing is due, and nobody plays."""
    presence: Presence
    salts_revealed: int
    salts_withheld: int
    """How many of the players' salts that were asked for here came in time, and how many did not."""

    @property
    def rules(self) -> HouseRules: ...
    @property
    def last(self) -> Finished | None: ...
    @property
    def topic(self) -> str: ...
    @property
    def dealing(self) -> bool: ...
    @property
    def player_count(self) -> int: ...

    @classmethod
    def private_rules(cls, game: str, options: Mapping[str, object]) -> HouseRules:
        """The rules of a player's own table; an option that is not allowed is refused."""

    @classmethod
    def opening(cls, table: str, rules: HouseRules, owner: str | None, style: Style = USUAL) -> Entry:
        """The record of a new table; a style that the game's tables cannot have is refused."""

    @classmethod
    def opened(
        cls, table: str, rules: HouseRules, owner: str | None, conduct: Conduct, style: Style = USUAL
    ) -> RunningTable:
        """The table of such a record."""

    @classmethod
    def finished(cls, record: AnyRecord, at: datetime, rules: FindRules) -> Finished | None:
        """The round or game at a table of this kind that is over by a record; None of any other record."""

    @classmethod
    def won(cls, record: Record) -> tuple[str, Mapping[str, int]] | None:
        """The round that is over by a record of such a table, and what each player won or lost by it.

        None of any other record, and where the record does not say so: its proof tells what is wrong.
        """

    @classmethod
    def counted(cls, record: AnyRecord, rounds: int, shoes: int) -> tuple[int, int]:
        """How many rounds and shoes were begun, by a record of this kind of table and those before it."""

    def first_plan(self) -> Plan | None:
        """What a table does before anything else; None once it has."""

    def begin_anew(self, cleared: TableCleared) -> None:
        """Go on from a record that cleared the table: numbers run on, meters show what they showed."""

    def require_key(self) -> None:
        """Refuse a key with which the secret of the shoe in use does not open."""

    def counts(self) -> tuple[int, int]:
        """How many rounds or games, and how many shoes, were begun so far."""

    def closing(self) -> Plan:
        """What is to be done before the table is closed for good: secrets that played are revealed."""

    def due_at(self) -> datetime | None:
        """When something is to happen here by itself."""

    async def think(self, adviser: Adviser) -> None:
        """Let the computer player who is to decide think; nothing where a person is, or nobody."""

    def stakers(self) -> Iterable[str]:
        """The players, by id, whose purses the next step may look at: those with wagers that stand."""

    def step(self, purses: Purses, now: datetime) -> Plan:
        """What is due; purses are found by the ids of their owners."""

    def apply(self, record: PlayRecord, at: datetime) -> Finished | None:
        """Take a record of this table into memory; the round that is over by it, if one is."""

    def is_playing(self, player: str) -> bool:
        """Whether a player, by id, has a place here."""

    def resume(self, now: datetime) -> None:
        """Go on after the server was away (R-44)."""

    def saved(self) -> dict[str, Any]:
        """Everything that the log has made of the table, as plain data, for a checkpoint."""

    def restore(self, plain: dict[str, Any], rules: FindRules, lookup: Lookup) -> None:
        """Make a table that was just opened the one of `saved`."""


def came(table: RunningTable, player: str) -> None:
    """A page of the table was opened."""
    table.presence.came(player)


def went(table: RunningTable, player: str, now: datetime) -> bool:
    """A page of the table was closed; whether by somebody who plays here."""
    table.presence.went(player, now)
    plays = table.is_playing(player)
    if not plays:
        table.presence.forget(player)
    return plays


def round_name(round_id: str) -> str:
    """The name by which the log knows a finished round or game."""
    return f"round:{round_id}"


def play_account(game: str, table: str) -> str:
    """The account of the money in rounds at a table that are not over."""
    return f"play:{game}:{table}"


def bank_account(game: str, *, private: bool) -> str:
    """Who pays and collects at a table: the house, or at a player's own table a bank beside its books.

    Whoever opens a table chooses its odds; so nothing that happens there moves the house's own account.
    """
    return f"outside:private-{game}" if private else f"house:{game}"


def player_account(player: str) -> str:
    """A player's account."""
    return f"player:{player}"


def table_class(game: str) -> type[RunningTable]:
    """The class of a game's tables; refused where the game is not played at one."""
    model: type[RunningTable] = GAMES.find(game).follow("table")
    return model


def table_classes() -> list[type[RunningTable]]:
    """The classes of all games' tables, each once."""
    return list(dict.fromkeys(table_class(game.id) for game in GAMES.values() if game.table is not None))


def finished_by(record: AnyRecord, at: datetime, rules: FindRules) -> Finished | None:
    """The round or game that is over by a record, whatever was played; None of any other record."""
    candidates = (kind.finished(record, at, rules) for kind in table_classes())
    return next((finished for finished in candidates if finished is not None), None)


def won_by(record: Record) -> tuple[str, Mapping[str, int]] | None:
    """The round that is over by a record, whatever was played, and what each player won or lost by it."""
    candidates = (kind.won(record) for kind in table_classes())
    return next((won for won in candidates if won is not None), None)
