"""A Knockout 52 table between and during games: who has staked what, what is dealt, what is due next."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import ClassVar, Final

from cardroom.core.errors import CardroomError, Conflict, IllegalAction, MalformedInput
from cardroom.engine import knockout52 as engine
from cardroom.fair import CommittedShoe, fresh_seed, fresh_shoe_id
from cardroom.fair.sealing import seal_seed
from cardroom.records import AnyRecord
from cardroom.records.base import Record
from cardroom.records.tables import (
    Knockout52CardDealt,
    Knockout52DealStarted,
    Knockout52GameEnded,
    Knockout52SaltRevealed,
    Knockout52ShoeCommitted,
    Knockout52TableOpened,
    Knockout52WagersClosed,
    Knockout52WagersPlaced,
)
from cardroom.rules import HouseRules, load_rules_as
from cardroom.rules.knockout52 import Knockout52Rules
from cardroom.rules.round_head import RulesForm
from cardroom.store.ledger import Transfer
from cardroom.store.plan import Entry, Plan
from cardroom.table.knockout52.finished import FinishedGame, Seated, game_identity
from cardroom.table.knockout52.recorded import RecordedTable
from cardroom.table.payable import OF_A_PLAYER, require_payable
from cardroom.table.presence import Presence
from cardroom.table.purse import Purse, Purses, admits
from cardroom.table.running import (
    USUAL,
    Adviser,
    Conduct,
    FindRules,
    Style,
    bank_account,
    play_account,
    player_account,
    round_name,
)

SEATS: Final = 7
_NO_TIME: Final = datetime.min.replace(tzinfo=UTC)
"""The time of a game of which only the result is asked for."""


@dataclass(slots=True)
class Knockout52Table(RecordedTable):
    """One table: what the log has made of it, and what people and the moment lead to."""

    called: ClassVar[str] = "Knockout 52 table"

    @classmethod
    def finished(cls, record: AnyRecord, at: datetime, _rules: FindRules) -> FinishedGame | None:
        """The game that is over by a record; None of any other record."""
        return FinishedGame.of(record, at) if isinstance(record, Knockout52GameEnded) else None

    @classmethod
    def won(cls, record: Record) -> tuple[str, Mapping[str, int]] | None:
        """The game that is over by a record, and what each player won or lost by it."""
        if isinstance(record, Knockout52GameEnded):
            with suppress(CardroomError, KeyError, TypeError, ValueError):
                game = FinishedGame.of(record, _NO_TIME)
                return game.id, {result.player: result.net_cents for result in game.results()}
        return None

    @classmethod
    def counted(cls, record: AnyRecord, rounds: int, shoes: int) -> tuple[int, int]:
        """How many games were begun: each begins with its shoe."""
        return (max(rounds, record.game) if isinstance(record, Knockout52ShoeCommitted) else rounds), shoes

    @classmethod
    def private_rules(cls, game: str, options: Mapping[str, object]) -> Knockout52Rules:
        """The rules of a player's own table; an option that is not allowed is refused."""
        rules = load_rules_as(Knockout52Rules, game, options)
        require_payable(rules, OF_A_PLAYER)
        return rules

    @classmethod
    def opening(cls, table: str, rules: HouseRules, owner: str | None, style: Style = USUAL) -> Entry:
        """The record of a new table; all are dealt at the house's pace, to people."""
        if style != USUAL:
            raise MalformedInput("a Knockout 52 table is dealt at the house's pace, without computer players")
        record = Knockout52TableOpened(table=table, rules_hash=rules.rules_hash, owner=owner)
        return Entry(record, rules=rules)

    @classmethod
    def opened(
        cls, table: str, rules: HouseRules, owner: str | None, conduct: Conduct, _style: Style = USUAL
    ) -> Knockout52Table:
        """The table of such a record."""
        assert isinstance(rules, Knockout52Rules)
        return cls(
            table,
            rules,
            conduct.key,
            conduct.card_seconds,
            conduct.wager_seconds,
            conduct.reveal_seconds,
            owner=owner,
            presence=Presence(conduct.gone_seconds),
        )

    @property
    def _play_account(self) -> str:
        return play_account(self.rules.game, self.id)

    def due_at(self) -> datetime | None:
        """When something is to happen here by itself."""
        if self.floor.frozen is not None:
            return None
        if self.dealing:
            return self.reveal_by if self.revealing else self.next_card_at
        moments = [self.deal_at, *(self._gone_at(player) for player in self.seated)]
        return min((moment for moment in moments if moment is not None), default=None)

    def _gone_at(self, player: str) -> datetime | None:
        """When a player who has no page of the table open is taken to have gone."""
        return self.presence.gone_at(player, self.acted[player])

    # Plans: what a request or the moment leads to.

    def first_plan(self) -> Plan | None:
        """The first shoe; None once there is one."""
        return Plan([self._commit_shoe()]) if self.commitment is None else None

    def closing(self) -> Plan:
        """Wagers that still stand go back; of the shoe that is committed no card was seen."""
        if self.dealing:
            raise Conflict("a game is being dealt; the table is closed when it is over")
        seats = self.seated.values()
        return Plan([self._returning(seat, "the table closes") for seat in seats])

    def _returning(self, seated: Seated, why: str) -> Entry:
        """The house gives a player's wagers back, and says why."""
        return self._placing(replace(seated, stakes={}), -seated.stake_cents, returned=why)

    def _commit_shoe(self) -> Entry:
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

    def place(self, purse: Purse, stakes: Mapping[str, int], salt_hash: str = "") -> Plan:
        """A player's wagers as they are to stand; what stood before goes back to the purse (KO52-3).

        With the first wager on a game may come the hash of a salt.
        """
        self._require_open()
        before = self.seated.get(purse.owner)
        staked = {wager: cents for wager, cents in stakes.items() if cents}
        name = before.name if before else self._free_name(purse.name)
        added_cents = sum(staked.values()) - (before.stake_cents if before else 0)
        if staked:
            if before is None and len(self.seated) >= SEATS:
                raise Conflict(f"all {SEATS} seats of this table are taken")
            refusal = engine.why_not_start(self.rules, [engine.Stakes(name, staked)])
            if refusal is not None:
                raise refusal.error()
            if added_cents > 0:
                purse.admit(added_cents)
        elif before is None:
            raise IllegalAction("stake at least one of the five wagers", clause="KO52-3")
        salts = self.salts.committed(purse.owner, salt_hash) if salt_hash and staked else self.salts
        own = salts.of(purse.owner) if staked else None
        answer = {"stakes": staked, "chips_cents": purse.chips_cents - added_cents}
        seated = Seated(purse.owner, name, staked)
        return Plan([self._placing(seated, added_cents, own.hash if own else "")], answer)

    def _placing(self, seated: Seated, added_cents: int, salt_hash: str = "", *, returned: str = "") -> Entry:
        """The record of wagers as they stand now, with what they take from the purse or give back."""
        placed = Knockout52WagersPlaced(
            table=self.id,
            game=self.number,
            player=seated.player,
            name=seated.name,
            stakes=dict(seated.stakes),
            salt_hash=salt_hash,
            rules_hash=self.rules.rules_hash,
            returned=returned,
        )
        account = player_account(seated.player)
        move = (
            Transfer(account, self._play_account, added_cents)
            if added_cents > 0
            else Transfer(self._play_account, account, -added_cents)
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
        if self.revealing:
            raise IllegalAction("no more wagers: the players' salts are revealed", clause="KO52-3")
        if self.dealing:
            raise IllegalAction("no wager is placed after the first card", clause="KO52-3")

    def ask_for_deal(self, player: str, now: datetime) -> None:
        """A player wants the cards, or while they are dealt and nobody else plays, the next one at once."""
        if self.dealing:
            self._hurry(player, now)
            return
        self._require_open()
        if player not in self.seated:
            raise IllegalAction("stake at least one of the five wagers first", clause="KO52-3")
        self.ready.add(player)
        if self.ready >= self.seated.keys():
            self.deal_at = now
        elif self.deal_at is None:
            self.deal_at = now + timedelta(seconds=self.wager_seconds)

    def _hurry(self, player: str, now: datetime) -> None:
        if self.revealing:
            return
        if list(self.seated) != [player]:
            raise Conflict("the dealer keeps the pace while several players are in the game")
        self.next_card_at = now

    async def think(self, _adviser: Adviser) -> None:
        """Nobody decides anything in a game."""

    def stakers(self) -> set[str]:
        """Everybody who has a wager on the layout before the first card."""
        return set(self.seated) if self.game is None else set()

    def step(self, purses: Purses, now: datetime) -> Plan:
        """What is due: wagers of who has gone, or may not play, are given back; the deal or the next card."""
        if self.game is not None:
            return self._deal_card(self.game)
        if self.revealing:
            return self._start()
        gone = [
            seated
            for player, seated in self.seated.items()
            if ((left := self._gone_at(player)) is not None and left <= now) or not admits(purses(player), 0)
        ]
        if gone:
            return Plan([self._returning(one, "gone, or not allowed to play any more") for one in gone])
        if self.salts.entries:
            return Plan([Entry(Knockout52WagersClosed(table=self.id, game=self.number))])
        return self._start()

    def reveal(self, salt: str) -> Plan:
        """Whoever knows a salt that was asked for reveals it; a second time nothing is written."""
        assert self.commitment is not None
        if any(one.salt == salt for one in self.salts.entries):
            return Plan([])
        self.salts.revealed(self.commitment, salt)
        return Plan([Entry(Knockout52SaltRevealed(table=self.id, game=self.number, salt=salt))])

    def _start(self) -> Plan:
        salt = self.salts.joint().hex()
        return Plan([Entry(Knockout52DealStarted(table=self.id, game=self.number, salt=salt))])

    def _deal_card(self, game: engine.Game) -> Plan:
        card = self.cards[len(game.cards)]
        after, events = engine.step(game, card)
        ids = {seated.name: seated.player for seated in self.seated.values()}
        bank = bank_account(self.rules.game, private=self.owner is not None)
        moves: list[Transfer] = []
        for event in events:
            if isinstance(event, engine.WagerCollected):
                moves.append(Transfer(self._play_account, bank, event.stake_cents))
            elif isinstance(event, engine.WagerPaid):
                account = player_account(ids[event.player])
                moves.append(Transfer(self._play_account, account, event.stake_cents))
                moves.append(Transfer(bank, account, event.payment_cents))
        dealt = Knockout52CardDealt(table=self.id, game=self.number, space=len(game.cards), card=card.text)
        entries = [Entry(dealt, moves)]
        if after.outcome is not None:
            record = self._record(after)
            ended = Knockout52GameEnded(
                table=self.id, game=self.number, outcome=after.outcome, record=record, players=ids
            )
            name = round_name(game_identity(self.id, self.number))
            entries += [Entry(ended, about=[name]), self._commit_shoe()]
        return Plan(entries)

    def _record(self, game: engine.Game) -> str:
        """The proof of a finished game; one that began before there were hashes has its salt alone."""
        rounds = (engine.format_game(game, RulesForm.APART),)
        if self.salt != self.salts.joint():
            return self._shoe().record(cards=game.cards, rounds=rounds, salt=self.salt)
        return self._shoe().record(cards=game.cards, rounds=rounds, salts=self.salts)
