"""A Knockout 52 table between and during games: who has staked what, what is dealt, what is due next."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Final, assert_never

from cardroom.core.cards import Card, parse_card
from cardroom.core.errors import Conflict, IllegalAction, MalformedInput
from cardroom.engine import knockout52 as engine
from cardroom.fair import Binding, Commitment, CommittedShoe, deal, fresh_seed, fresh_shoe_id
from cardroom.fair.encoding import encode
from cardroom.fair.record import FRESH
from cardroom.fair.sealing import open_seed, seal_seed
from cardroom.fair.seeds import parse_hex
from cardroom.games import KNOCKOUT_52
from cardroom.records import Knockout52Record
from cardroom.records.tables import (
    Knockout52CardDealt,
    Knockout52DealStarted,
    Knockout52GameEnded,
    Knockout52ShoeCommitted,
    Knockout52WagersPlaced,
)
from cardroom.rules import load_rules_as
from cardroom.rules.knockout52 import Knockout52Rules
from cardroom.rules.written import RulesForm
from cardroom.store.ledger import Transfer
from cardroom.web.journal import Entry, Plan
from cardroom.web.live.finished import round_name
from cardroom.web.live.floor import Presence
from cardroom.web.players.player import Player

GAME: Final = KNOCKOUT_52.id
HOUSE: Final = f"house:{GAME}"
SEATS: Final = 7
LONGEST_SALT_BYTES: Final = 32
_SALT_LABEL: Final = "cardroom/salts/1"


@dataclass(frozen=True, slots=True)
class Seated:
    """A player with wagers in the game that is open or being dealt."""

    player: str
    name: str
    stakes: Mapping[str, int]
    salt: str


@dataclass(frozen=True, slots=True)
class Finished:
    """A game that is over, with its proof."""

    id: str
    table: str
    number: int
    ended_at: datetime
    outcome: str
    record: str
    seated: tuple[Seated, ...]
    game: engine.Game

    @classmethod
    def of(cls, record: Knockout52GameEnded, at: datetime) -> Finished:
        """The game of a record, when the table has forgotten it."""
        proof = json.loads(record.record)
        game, _ = engine.replay(proof["rounds"][0], Knockout52Rules.model_validate(proof["rules"]))
        seated = tuple(
            Seated(record.players[stakes.player], stakes.player, dict(stakes.placed), "")
            for stakes in game.wagers
        )
        identity = f"{record.table}-{record.game}"
        return cls(identity, record.table, record.game, at, record.outcome, record.record, seated, game)


@dataclass(slots=True)
class Knockout52Table:
    """One table; it changes only by records of the log."""

    id: str
    rules: Knockout52Rules
    key: bytes
    card_seconds: float
    wager_seconds: float
    owner: str | None = None
    number: int = 0
    binding: Binding | None = None
    commitment: Commitment | None = None
    sealed: str = ""
    seated: dict[str, Seated] = field(default_factory=dict)
    ready: set[str] = field(default_factory=set)
    deal_at: datetime | None = None
    game: engine.Game | None = None
    salt: bytes = b""
    cards: tuple[Card, ...] = ()
    next_card_at: datetime | None = None
    last: Finished | None = None
    enabled: bool = True
    acted: dict[str, datetime] = field(default_factory=dict)
    """When each player with wagers placed them."""
    presence: Presence = field(default_factory=lambda: Presence(0))

    @property
    def topic(self) -> str:
        return f"{GAME}:{self.id}"

    @property
    def play_account(self) -> str:
        return f"play:{GAME}:{self.id}"

    @property
    def dealing(self) -> bool:
        return self.game is not None

    def due_at(self) -> datetime | None:
        """When something is to happen here by itself."""
        if self.dealing:
            return self.next_card_at
        moments = [self.deal_at, *(self._gone_at(player) for player in self.seated)]
        return min((moment for moment in moments if moment is not None), default=None)

    def _gone_at(self, player: str) -> datetime | None:
        """When a player who has no page of the table open is taken to have gone."""
        return self.presence.gone_at(player, self.acted[player])

    def came(self, player: str) -> None:
        self.presence.came(player)

    def went(self, player: str, now: datetime) -> bool:
        """A page of the table was closed; whether by somebody who plays here."""
        self.presence.went(player, now)
        plays = player in self.seated
        if not plays:
            self.presence.forget(player)
        return plays

    # Plans: what a request or the moment leads to.

    def commit_shoe(self) -> Entry:
        """Commit the house to the next game's cards, before any wager on it."""
        shoe = CommittedShoe.of(
            self.rules, shoe_id=fresh_shoe_id(), deck=str(self.rules.shoe), seed=fresh_seed()
        )
        committed = Knockout52ShoeCommitted(
            table=self.id,
            game=self.number + 1,
            shoe_id=shoe.binding.shoe_id,
            deck=shoe.binding.deck,
            rules_hash=shoe.binding.rules_hash,
            commitment=str(shoe.commitment),
            sealed_seed=seal_seed(self.key, shoe.seed, shoe.commitment),
        )
        return Entry(committed)

    def place(self, player: Player, stakes: Mapping[str, int], salt: str, now: datetime) -> Plan:
        """A player's wagers as they are to stand; what stood before is taken back (KO52-3)."""
        self._require_open()
        before = self.seated.get(player.id)
        staked = {wager: cents for wager, cents in stakes.items() if cents}
        old_cents = sum(before.stakes.values()) if before else 0
        new_cents = sum(staked.values())
        name = before.name if before else self._free_name(player.name)
        if len(parse_hex(salt, "a salt")) > LONGEST_SALT_BYTES:
            raise MalformedInput(f"a salt has at most {LONGEST_SALT_BYTES} bytes")
        if staked:
            if before is None and len(self.seated) >= SEATS:
                raise Conflict(f"all {SEATS} seats of this table are taken")
            refusal = engine.why_not_start(self.rules, [engine.Stakes(name, staked)])
            if refusal is not None:
                raise refusal.error()
            if new_cents > old_cents:
                player.require_play(new_cents - old_cents, now)
        elif before is None:
            raise IllegalAction("stake at least one of the five wagers", clause="KO52-3")
        net = new_cents - old_cents
        answer = {"stakes": staked, "chips_cents": player.chips_cents - net}
        return Plan([self._placing(Seated(player.id, name, staked, salt), net)], answer)

    def _placing(self, seated: Seated, net_cents: int) -> Entry:
        """The record of wagers as they stand now, with what they add to those before or give back."""
        placed = Knockout52WagersPlaced(
            table=self.id,
            game=self.number,
            player=seated.player,
            name=seated.name,
            stakes=dict(seated.stakes),
            salt=seated.salt,
            rules_hash=self.rules.rules_hash,
        )
        account = f"player:{seated.player}"
        move = (
            Transfer(account, self.play_account, net_cents)
            if net_cents > 0
            else Transfer(self.play_account, account, -net_cents)
        )
        return Entry(placed, [move])

    def _free_name(self, wanted: str) -> str:
        taken = {seated.name for seated in self.seated.values()}
        return next(
            name for n in range(1, SEATS + 2) if (name := f"{wanted} ({n})" if n > 1 else wanted) not in taken
        )

    def _require_open(self) -> None:
        if not self.enabled:
            raise Conflict("this table is closed by the house; no wager is taken")
        if self.dealing:
            raise IllegalAction("no wager is placed after the first card", clause="KO52-3")

    def ask_for_deal(self, player: Player, now: datetime) -> None:
        """A player wants the cards; they come when all who staked do, or after the time for wagers."""
        self._require_open()
        if player.id not in self.seated:
            raise IllegalAction("stake at least one of the five wagers first", clause="KO52-3")
        self.ready.add(player.id)
        if self.ready >= self.seated.keys():
            self.deal_at = now
        elif self.deal_at is None:
            self.deal_at = now + timedelta(seconds=self.wager_seconds)

    def hurry(self, player: Player, now: datetime) -> None:
        """The next card at once, for a player who is alone at the table."""
        if not self.dealing:
            raise Conflict("no game is being dealt")
        if list(self.seated) != [player.id]:
            raise Conflict("the dealer keeps the pace while several players are in the game")
        self.next_card_at = now

    def step(self, now: datetime) -> Plan:
        """What is due: wagers of who has gone are given back, the deal begins, or the next card comes."""
        if self.game is not None:
            return self._deal_card(self.game)
        gone = [
            seated
            for player, seated in self.seated.items()
            if (left := self._gone_at(player)) is not None and left <= now
        ]
        if gone:
            return Plan([self._placing(replace(one, stakes={}), -sum(one.stakes.values())) for one in gone])
        return self._start()

    def _start(self) -> Plan:
        salts = [parse_hex(seated.salt, "a salt") for seated in self.seated.values()]
        salt = hashlib.sha256(encode(_SALT_LABEL, *salts)).hexdigest()
        return Plan([Entry(Knockout52DealStarted(table=self.id, game=self.number, salt=salt))])

    def _deal_card(self, game: engine.Game) -> Plan:
        card = self.cards[len(game.cards)]
        after, events = engine.step(game, card)
        ids = {seated.name: seated.player for seated in self.seated.values()}
        moves: list[Transfer] = []
        for event in events:
            if isinstance(event, engine.WagerCollected):
                moves.append(Transfer(self.play_account, HOUSE, event.stake_cents))
            elif isinstance(event, engine.WagerPaid):
                account = f"player:{ids[event.player]}"
                moves.append(Transfer(self.play_account, account, event.stake_cents))
                moves.append(Transfer(HOUSE, account, event.payment_cents))
        dealt = Knockout52CardDealt(table=self.id, game=self.number, space=len(game.cards), card=card.text)
        entries = [Entry(dealt, moves)]
        if after.outcome is not None:
            shoe = self._shoe()
            record = shoe.record(
                cards=after.cards, rounds=(engine.format_game(after, RulesForm.APART),), salt=self.salt
            )
            ended = Knockout52GameEnded(
                table=self.id, game=self.number, outcome=after.outcome, record=record, players=ids
            )
            name = round_name(f"{self.id}-{self.number}")
            entries += [Entry(ended, about=[name]), self.commit_shoe()]
        return Plan(entries)

    def _shoe(self) -> CommittedShoe:
        assert self.binding is not None
        assert self.commitment is not None
        return CommittedShoe(
            self.rules, self.binding, open_seed(self.key, self.sealed, self.commitment), FRESH
        )

    # Records: what did happen.

    def apply(self, record: Knockout52Record, at: datetime) -> None:
        """Take a record of this table into memory."""
        match record:
            case Knockout52ShoeCommitted():
                self.number = record.game
                self.binding = Binding(GAME, record.rules_hash, record.shoe_id, record.deck)
                self.commitment = Commitment.parse(record.commitment)
                self.sealed = record.sealed_seed
                self.seated, self.ready, self.deal_at = {}, set(), None
                self.acted = {}
            case Knockout52WagersPlaced():
                self._placed(record, at)
            case Knockout52DealStarted():
                self._started(record, at)
            case Knockout52CardDealt():
                assert self.game is not None
                self.game, _ = engine.step(self.game, parse_card(record.card))
                self.next_card_at = at + timedelta(seconds=self.card_seconds)
            case Knockout52GameEnded():
                assert self.game is not None
                self.last = Finished(
                    f"{self.id}-{self.number}",
                    self.id,
                    self.number,
                    at,
                    record.outcome,
                    record.record,
                    tuple(self.seated.values()),
                    self.game,
                )
                self.game, self.cards, self.next_card_at = None, (), None
            case _:
                assert_never(record)

    def _placed(self, record: Knockout52WagersPlaced, at: datetime) -> None:
        player = record.player
        self.acted[player] = at
        if record.stakes:
            self.seated[player] = Seated(player, record.name, record.stakes, record.salt)
        else:
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
        self.cards = deal(
            self._shoe().seed, self.binding, salt=self.salt, count=self.rules.layout.spaces
        ).cards
        self.deal_at = None
        self.next_card_at = at + timedelta(seconds=self.card_seconds)

    def resume(self, now: datetime) -> None:
        """Go on after the server was away: dealing continues, waiting wagers get their time again (R-44)."""
        self.presence.resume(now)
        if self.dealing:
            self.next_card_at = now + timedelta(seconds=self.card_seconds)
        elif self.seated:
            self.deal_at = now + timedelta(seconds=self.wager_seconds)


def rules_with(changes: Mapping[str, object]) -> Knockout52Rules:
    """The rules of a table."""
    return load_rules_as(Knockout52Rules, GAME, changes)
