"""What the log has made of a Knockout 52 table, record by record."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, assert_never

from cardroom.core.cards import Card, format_cards, parse_card, parse_cards
from cardroom.core.errors import Conflict
from cardroom.engine import knockout52 as engine
from cardroom.fair import Binding, Commitment, CommittedShoe, deal
from cardroom.fair.record import FRESH
from cardroom.fair.salts import Salts, Stage
from cardroom.fair.sealing import open_seed
from cardroom.records import FloorRecord, Knockout52Record, PlayRecord
from cardroom.records.floor import TableReleased
from cardroom.records.tables import (
    Knockout52CardDealt,
    Knockout52DealStarted,
    Knockout52GameEnded,
    Knockout52SaltRevealed,
    Knockout52ShoeCommitted,
    Knockout52WagersClosed,
    Knockout52WagersPlaced,
    TableCleared,
)
from cardroom.rules.knockout52 import Knockout52Rules
from cardroom.rules.round_head import RulesForm
from cardroom.table.floor import Floor
from cardroom.table.knockout52.finished import FinishedGame, Seated, game_identity
from cardroom.table.presence import Presence
from cardroom.table.running import USUAL, FindRules, Lookup, Style


@dataclass(slots=True)
class RecordedTable:
    """A table as its records have made it; nothing else changes it."""

    id: str
    rules: Knockout52Rules
    key: bytes
    card_seconds: float
    wager_seconds: float
    reveal_seconds: float
    owner: str | None = None
    style: Style = USUAL
    number: int = 0
    binding: Binding | None = None
    commitment: Commitment | None = None
    sealed: str = ""
    seated: dict[str, Seated] = field(default_factory=dict)
    """Player's id → who they are and what they have staked."""
    ready: set[str] = field(default_factory=set)
    deal_at: datetime | None = None
    game: engine.Game | None = None
    salts: Salts = field(default_factory=Salts)
    """What the players' browsers add to the game, by hash and, when they were asked for, as they are."""
    salts_revealed: int = 0
    salts_withheld: int = 0
    """How many of the salts that were asked for at this table were not revealed in time."""
    reveal_by: datetime | None = None
    salt: bytes = b""
    cards: tuple[Card, ...] = ()
    next_card_at: datetime | None = None
    last: FinishedGame | None = None
    enabled: bool = True
    acted: dict[str, datetime] = field(default_factory=dict)
    """When each player with wagers placed them."""
    presence: Presence = field(default_factory=lambda: Presence(0))
    floor: Floor = field(default_factory=Floor)

    @property
    def topic(self) -> str:
        return f"{self.rules.game}:{self.id}"

    @property
    def dealing(self) -> bool:
        return self.game is not None or self.revealing

    @property
    def revealing(self) -> bool:
        """Whether wagers are closed and the players' salts are asked for."""
        return self.salts.stage is Stage.ASKED

    @property
    def player_count(self) -> int:
        return len(self.seated)

    def is_playing(self, player: str) -> bool:
        return player in self.seated

    def begin_anew(self, cleared: TableCleared) -> None:
        """Go on from a record that cleared the table: the numbers of games run on."""
        self.number = cleared.rounds

    def require_key(self) -> None:
        """Refuse a key with which the secret of the committed game does not open."""
        if self.commitment is not None:
            self._shoe()

    def counts(self) -> tuple[int, int]:
        """How many games were begun so far, each with a shoe of its own."""
        return self.number, self.number

    def _shoe(self) -> CommittedShoe:
        assert self.binding is not None
        assert self.commitment is not None
        return CommittedShoe(
            self.rules, self.binding, open_seed(self.key, self.sealed, self.commitment), FRESH
        )

    def apply(self, record: PlayRecord, at: datetime) -> FinishedGame | None:
        """Take a record of this table into memory; the game that is over by it, if one is."""
        if isinstance(record, FloorRecord):
            self.floor.apply(record, at)
            if isinstance(record, TableReleased):
                self.resume(at)
            return None
        assert isinstance(record, Knockout52Record)
        self._require_possible(record)
        match record:
            case Knockout52ShoeCommitted():
                self.number = record.game
                self.binding = Binding(self.rules.game, record.rules_hash, record.shoe_id, record.deck)
                self.commitment = Commitment.parse(record.commitment)
                self.sealed = record.sealed_seed
                self.seated, self.ready, self.deal_at = {}, set(), None
                self.acted = {}
                self.salts, self.salt, self.reveal_by = Salts(), b"", None
            case Knockout52WagersPlaced():
                self._placed(record, at)
            case Knockout52WagersClosed():
                self.salts = self.salts.with_wagers_closed()
                self.deal_at = None
                self.reveal_by = at + timedelta(seconds=self.reveal_seconds)
            case Knockout52SaltRevealed():
                assert self.commitment is not None
                self.salts = self.salts.revealed(self.commitment, record.salt)
                if self.salts.all_revealed:
                    self.reveal_by = at
            case Knockout52DealStarted():
                self._started(record, at)
            case Knockout52CardDealt():
                assert self.game is not None
                self.game, _ = engine.step(self.game, parse_card(record.card))
                self.next_card_at = at + timedelta(seconds=self.card_seconds)
            case Knockout52GameEnded():
                return self._ended(record, at)
            case _:
                assert_never(record)
        return None

    def _require_possible(self, record: Knockout52Record) -> None:
        """Refuse a record that contradicts what the table is doing."""
        begins = isinstance(record, Knockout52ShoeCommitted)
        if record.game != self.number + begins:
            raise Conflict(f"a record of game {record.game}, and the table is at game {self.number}")
        in_deal = isinstance(record, Knockout52CardDealt | Knockout52GameEnded)
        if in_deal != (self.game is not None):
            raise Conflict(f"the cards of game {self.number} are {'not ' if in_deal else ''}being dealt")
        in_reveal = isinstance(record, Knockout52SaltRevealed)
        if in_reveal != self.revealing and not isinstance(record, Knockout52DealStarted):
            raise Conflict(f"the salts of game {self.number} are {'not ' if in_reveal else ''}asked for")
        if isinstance(record, Knockout52CardDealt):
            assert self.game is not None
            place = len(self.game.cards)
            if record.space != place or self.cards[place].text != record.card:
                raise Conflict(
                    f"{record.card} on space {record.space} is not the next card on the next space"
                )

    def _placed(self, record: Knockout52WagersPlaced, at: datetime) -> None:
        player = record.player
        self.acted[player] = at
        if record.stakes:
            self.seated[player] = Seated(player, record.name, record.stakes)
            if record.salt_hash:
                self.salts = self.salts.committed(player, record.salt_hash)
        else:
            self.salts = self.salts.without(player)
            self.seated.pop(player, None)
            self.acted.pop(player, None)
            self.presence.forget(player)
        self.ready.discard(player)
        if not self.seated:
            self.deal_at = None

    def _started(self, record: Knockout52DealStarted, at: datetime) -> None:
        assert self.binding is not None
        wagers = [engine.Stakes(seated.name, seated.stakes) for seated in self.seated.values()]
        self.game, _ = engine.start(self.rules, wagers)
        self.salt = bytes.fromhex(record.salt)
        self.salts, self.reveal_by = self.salts.closed(), None
        self.salts_revealed += len(self.salts.entries) - self.salts.withheld
        self.salts_withheld += self.salts.withheld
        self.cards = deal(
            self._shoe().seed, self.binding, salt=self.salt, count=self.rules.layout.spaces
        ).cards
        self.deal_at = None
        self.next_card_at = at + timedelta(seconds=self.card_seconds)

    def _ended(self, record: Knockout52GameEnded, at: datetime) -> FinishedGame:
        assert self.game is not None
        self.last = FinishedGame(
            game_identity(self.id, self.number),
            self.id,
            self.number,
            at,
            record.outcome,
            record.record,
            tuple(self.seated.values()),
            self.game,
        )
        self.game, self.cards, self.next_card_at = None, (), None
        self.floor.pace.round_ended(at)
        return self.last

    def resume(self, now: datetime) -> None:
        """Go on after the server was away; salts and waiting wagers get their time again (R-44)."""
        self.presence.resume(now)
        if self.revealing:
            wait = 0.0 if self.salts.all_revealed else self.reveal_seconds
            self.reveal_by = now + timedelta(seconds=wait)
        elif self.dealing:
            self.next_card_at = now + timedelta(seconds=self.card_seconds)
        elif self.seated:
            self.deal_at = now + timedelta(seconds=self.wager_seconds)

    def saved(self) -> dict[str, Any]:
        """Everything that the log has made of the table, as plain data."""
        binding = self.binding
        return {
            "owner": self.owner,
            "rules_hash": self.rules.rules_hash,
            "number": self.number,
            "binding": None if binding is None else [binding.rules_hash, binding.shoe_id, binding.deck],
            "commitment": None if self.commitment is None else str(self.commitment),
            "sealed": self.sealed,
            "seated": [[one.player, one.name, dict(one.stakes)] for one in self.seated.values()],
            "salts": self.salts.saved(),
            "salts_revealed": self.salts_revealed,
            "salts_withheld": self.salts_withheld,
            "acted": {player: at.isoformat() for player, at in self.acted.items()},
            "game": None if self.game is None else engine.format_game(self.game, RulesForm.APART),
            "salt": self.salt.hex(),
            "cards": format_cards(self.cards),
            "last": None if self.last is None else self.last.id,
            "floor": self.floor.saved(),
        }

    def restore(self, plain: dict[str, Any], _rules: FindRules, lookup: Lookup) -> None:
        """Make a table that was just opened the one of `saved`."""
        self.number = plain["number"]
        self.floor = Floor.restored(plain.get("floor"))
        if plain["binding"] is not None:
            self.binding = Binding(self.rules.game, *plain["binding"])
        if plain["commitment"] is not None:
            self.commitment = Commitment.parse(plain["commitment"])
        self.sealed = plain["sealed"]
        self.seated = {player: Seated(player, name, stakes) for player, name, stakes in plain["seated"]}
        self.salts = Salts.restored(plain["salts"])
        self.salts_revealed = plain["salts_revealed"]
        self.salts_withheld = plain["salts_withheld"]
        self.acted = {player: datetime.fromisoformat(at) for player, at in plain["acted"].items()}
        if plain["game"] is not None:
            self.game, _ = engine.replay(plain["game"], self.rules)
        self.salt = bytes.fromhex(plain["salt"])
        self.cards = parse_cards(plain["cards"])
        last = None if plain["last"] is None else lookup(plain["last"])
        self.last = last if isinstance(last, FinishedGame) else None
