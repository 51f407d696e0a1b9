"""A running table of the blackjack family: who plays where, what is due next, the clock of decisions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, ClassVar, Final

from cardroom.core.errors import Conflict, IllegalAction, MalformedInput
from cardroom.engine import twentyone as engine
from cardroom.fair.salts import Stage
from cardroom.records.tables import (
    TableRequestGranted,
    TwentyOneTableOpened,
)
from cardroom.rules import HouseRules, change_rules
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.store.plan import Entry, Plan
from cardroom.table.presence import Presence
from cardroom.table.private_bounds import require_payable
from cardroom.table.purse import Purse, Purses, admits, granted
from cardroom.table.running import Conduct
from cardroom.table.twentyone import (
    Act,
    ChangeRules,
    ClearWagers,
    Close,
    CloseSalts,
    CloseWagers,
    CommitSalt,
    CutShoe,
    DealCard,
    FairDealer,
    Leave,
    Open,
    Phase,
    PlaceCutCard,
    PlaceWagers,
    ReleaseSpot,
    Request,
    RevealSalt,
    ShoeEnded,
    Sit,
    StartRound,
    TakeSpot,
    Wait,
    awaits,
    dealer_cut_range,
    empty_table,
    player_cut_range,
)
from cardroom.table.twentyone.announcement import Announcement, announced
from cardroom.table.twentyone.finished import ended, shoe_ended
from cardroom.table.twentyone.house_rules import rules_of, without_meters
from cardroom.table.twentyone.meters import seeds
from cardroom.table.twentyone.moves import moves
from cardroom.table.twentyone.offers import Offers
from cardroom.table.twentyone.recorded import RecordedTable
from cardroom.table.twentyone.requests import request_content

AWAY: Final = timedelta(minutes=5)
"""A player who has done nothing for so long gives their spots up before the next deal."""
MOST_WAITING: Final = 20
_ANSWER: Final = {True: "no insurance", False: "stand"}
"""What is said for a player who does not answer in time: no insurance, and then the hand stands."""


@dataclass(slots=True)
class TwentyOneTable(RecordedTable):
    """One table: what the log has made of it, and what people and the moment lead to."""

    called: ClassVar[str] = "table"

    @classmethod
    def private_rules(cls, game: str, options: Mapping[str, object]) -> TwentyOneRules:
        """The rules of a player's own table; an option that is not allowed is refused."""
        rules = rules_of(game, options)
        if rules.game != game:
            raise MalformedInput(f"a table of {game} cannot be one of {rules.game}; name that game itself")
        require_payable(rules)
        return change_rules(rules, without_meters(rules, options))

    @classmethod
    def opening(cls, table: str, rules: HouseRules, owner: str | None) -> Entry:
        """The record of a new table."""
        record = TwentyOneTableOpened(table=table, game=rules.game, rules_hash=rules.rules_hash, owner=owner)
        return Entry(record, rules=rules)

    @classmethod
    def opened(cls, table: str, rules: HouseRules, owner: str | None, conduct: Conduct) -> TwentyOneTable:
        """The table of such a record."""
        assert isinstance(rules, TwentyOneRules)
        return cls(
            table,
            empty_table(rules),
            FairDealer(conduct.key, repeatable=conduct.repeatable),
            conduct.card_seconds,
            conduct.wager_seconds,
            conduct.decision_seconds,
            conduct.reveal_seconds,
            owner=owner,
            offers=Offers(conduct.offer_seconds),
            presence=Presence(conduct.gone_seconds),
        )

    def due_at(self) -> datetime | None:
        """When something is to happen here by itself."""
        if self.floor.frozen is not None:
            return None
        return self.due if self.state.wagers_closed else min(self._due_between_rounds(), default=None)

    def _due_between_rounds(self) -> list[datetime]:
        if self.state.phase is Phase.CLOSED:  # the floor brings decks that are in order
            return []
        moments = [self.deal_at, self.offers.due_at()]
        if self.state.waiting or self._announced is not None:
            moments += [self.acted[name] + AWAY for name in self._without_wagers()]
        if self._announced is not None and not self.state.players:
            moments.append(self._announced.at)
        moments += [self._gone_at(name) for name in self.state.players]
        return [moment for moment in moments if moment is not None]

    @property
    def _announced(self) -> Announcement | None:
        """Rules that are announced and not in force yet."""
        return None if self.announcement is None or self.announcement.in_force else self.announcement

    def _without_wagers(self) -> list[str]:
        """Those who sit on spots, or came to, and have staked nothing."""
        staked = {wager.player for wager in self.state.circles.values()}
        return [name for name in self.state.players if name not in staked and name not in self.state.waiting]

    def _idle(self, now: datetime) -> list[str]:
        return [name for name in self._without_wagers() if self.acted.get(name, now) <= now - AWAY]

    def _gone_at(self, name: str) -> datetime | None:
        """When a player who has no page of the table open is taken to have gone."""
        acted = self.acted.get(name)
        return None if acted is None else self.presence.gone_at(self.names[name], acted)

    def _gone(self, now: datetime) -> list[str]:
        found = [(name, self._gone_at(name)) for name in self.state.players]
        return [name for name, gone in found if gone is not None and gone <= now]

    # Plans.

    def _plan(
        self,
        requests: Sequence[tuple[Request, str | None]],
        purses: Purses = granted,
        answer: Mapping[str, Any] | None = None,
        *,
        by: str = "",
        reason: str = "",
    ) -> Plan:
        """Entries for requests, one after another, with the money that each moves; refused as a whole.

        `purses` are found by names at the table; requests that need no chips ask none. `by` is who of the
        house asks, and `reason` why.
        """
        state, entries = self.state, []
        names = dict(self.names)
        for request, player in requests:
            if isinstance(request, Sit) and player is not None:
                names[request.player] = player
            rules = state.rules
            state, events = self.stepped(state, request, purses)
            granted = TableRequestGranted(
                table=self.id, request=request_content(request), player=player, by=by, reason=reason
            )
            changed = state.rules if isinstance(request, ChangeRules) else None
            paid = moves(events, names, self.game, self.id)
            entries.append(Entry(granted, paid, rules=changed))
            if any(isinstance(event, engine.RoundEnded) for event in events):
                entries.append(ended(self.id, state, names))
            if any(isinstance(event, ShoeEnded) for event in events):
                assert state.shoe is not None
                entries.append(shoe_ended(self.id, state.shoes, self.dealer.record(rules, state.shoe)))
        return Plan(entries, answer or {})

    def by_hand(self, requests: Sequence[Request], *, by: str, reason: str) -> Plan:
        """What somebody of the house does at the table, with their name and their reason."""
        return self._plan([(request, None) for request in requests], by=by, reason=reason)

    def first_plan(self) -> Plan | None:
        """Open the table; None once it was."""
        return None if self.steps else self._plan([(Open(meters=self.meters_to_open()), None)])

    def meters_to_open(self) -> dict[str, int]:
        """What meters showed before the table was cleared, as long as it has not opened since."""
        if self.state.meters:
            return {}
        return {wager: cents for wager, cents in self.carried_meters.items() if wager in seeds(self.rules)}

    def shoe(self) -> Plan:
        """Commit to a shuffle, cut and place the cut card: before the next wagers, which bring salts."""
        rules = self.rules
        shuffle = self.dealer.commit(rules, self.state.shoes + 1)
        shuffle = replace(shuffle, takes_salts=self.dealer.takes_salts)
        requests: list[Request] = [shuffle]
        if rules.decks != "infinite":
            # Nobody is asked for a cut here, so it is the house's.
            requests.append(CutShoe(None, player_cut_range(rules).middle))
            requests.append(PlaceCutCard(dealer_cut_range(rules).middle))
        return self._plan([(request, None) for request in requests])

    def renew(self, player: str) -> Plan:
        """End the shoe now, so that its secret is revealed; at a table of one's own."""
        if self.owner != player:
            raise Conflict("a new shoe is for the owner of a private table to ask for")
        leaving = [(Leave(name), None) for name in self.state.players]
        return self._plan([*leaving, (Close(), None), (Open(), None)])

    def closing(self) -> Plan:
        """Everybody leaves, and the secret of the shoe is revealed."""
        return self._plan([*((Leave(name), None) for name in self.state.players), (Close(), None)])

    def place(
        self, purse: Purse, spot: int, stake_cents: int, side: Mapping[str, int], salt_hash: str = ""
    ) -> Plan:
        """A player's wagers on a spot as they are to stand; who is new sits down and takes the spot.

        With the first wager from a shoe may come the hash of a salt.
        """
        if not self.enabled:
            raise Conflict("this table is closed by the house; no wager is taken")
        name = self.name_of(purse.owner)
        requests: list[tuple[Request, str | None]] = []
        if name is None:
            name = self._free_name(purse.name)
            requests.append((Sit(name), purse.owner))
        wanted = {wager: cents for wager, cents in side.items() if cents}
        total = stake_cents + sum(wanted.values())
        if self.state.owners.get(spot) != name:
            requests.append((TakeSpot(name, spot), None))
        if total == 0:
            if spot not in self.state.circles:
                raise IllegalAction("no wager stands on this spot", clause="PROC-9")
            requests.append((ClearWagers(name, spot), None))
        else:
            requests.append((PlaceWagers(name, spot, stake_cents, wanted), None))
        if salt_hash and total and not self._has_given(name, salt_hash):
            requests.append((CommitSalt(name, salt_hash), None))
        return self._plan(
            requests, lambda _name: purse, {"spot": spot, "stake_cents": stake_cents, "side": wanted}
        )

    def _has_given(self, name: str, salt_hash: str) -> bool:
        shoe = self.state.shoe
        own = None if shoe is None or shoe.salts is None else shoe.salts.of(name)
        return own is not None and own.hash == salt_hash

    def reveal(self, salt: str) -> Plan:
        """Whoever knows a salt that was asked for reveals it; a second time nothing is written."""
        shoe = self.state.shoe
        if shoe is not None and shoe.salts is not None and any(one.salt == salt for one in shoe.salts.given):
            return Plan([])
        return self._plan([(RevealSalt(salt), None)])

    def _free_name(self, wanted: str) -> str:
        taken = set(self.state.players)
        number = 1
        while (name := wanted if number == 1 else f"{wanted} ({number})") in taken:
            number += 1
        return name

    def leave(self, player: str) -> Plan:
        """A player leaves the table."""
        name = self.name_of(player)
        if name is None:
            raise Conflict("you are not at this table")
        return self._plan([(Leave(name), None)])

    def release(self, player: str, spot: int) -> Plan:
        """A player gives a spot up, and leaves with the last one."""
        name = self.name_of(player)
        if name is None:
            raise Conflict("you are not at this table")
        last = self.state.spots_of(name) == (spot,)
        return self._plan([(Leave(name) if last else ReleaseSpot(name, spot), None)])

    def wait(self, purse: Purse) -> Plan:
        """A player comes on the waiting list of a full table (PROC-3)."""
        if not self.enabled:
            raise Conflict("this table is closed by the house; nobody waits for it")
        if len(self.state.waiting) >= MOST_WAITING:
            raise Conflict(f"{MOST_WAITING} players wait already; look at another table")
        name = self.name_of(purse.owner)
        if name is not None:
            return self._plan([(Wait(name), None)])
        name = self._free_name(purse.name)
        return self._plan([(Sit(name), purse.owner), (Wait(name), None)])

    def announce(self, changes: Mapping[str, object], *, by: str, reason: str) -> Plan:
        """The house announces rules for the next shoe; none takes back what was announced (R-47)."""
        if not changes and self._announced is None:
            raise Conflict("no change of the rules is announced")
        record = announced(self.id, self.rules, changes, by, reason)
        answer = {"before": record.before, "after": record.after, "needs_opening": record.needs_opening}
        return Plan([Entry(record)], answer)

    def _change_rules(self, announcement: Announcement) -> Plan:
        """Put announced rules into force; who has staked gets the wagers back and sees the rules first."""
        change: list[Request] = [ChangeRules(announcement.by, announcement.rules)]
        if self.state.phase is not Phase.SHUFFLE or announcement.needs_opening:
            change = [Close(), *change, Open()]
        back = [ClearWagers(wager.player, spot) for spot, wager in self.state.circles.items()]
        return self._plan([(request, None) for request in (*back, *change)])

    def ask_for_deal(self, player: str, now: datetime) -> None:
        """A player wants the cards; they come when all who staked do, or after the time for wagers."""
        if not self.enabled:
            raise Conflict("this table is closed by the house; nothing is dealt")
        if self.state.wagers_closed:
            raise Conflict("a round is in play")
        name = self.name_of(player)
        staked = {wager.player for wager in self.state.circles.values()}
        if name is None or name not in staked:
            raise IllegalAction("place a wager first", clause="PROC-9")
        self.ready.add(name)
        if self.ready >= staked:
            self.deal_at = now
        elif self.deal_at is None:
            self.deal_at = now + timedelta(seconds=self.wager_seconds)

    def act(self, purse: Purse, spot: int, action: str, at_step: int) -> Plan:
        """What a player says in turn; an answer to an earlier question is refused."""
        name = self.name_of(purse.owner)
        if name is None:
            raise Conflict("you are not at this table")
        if at_step != self.steps:
            raise Conflict("the table has moved on since this was decided; look again")
        if isinstance(engine.parse_action(action), engine.DoubleFaceDown):
            raise IllegalAction("no double card is dealt face down", clause="S21-6")
        return self._plan([(Act(name, spot, action), purse.owner)], lambda _name: purse)

    def step(self, purses: Purses, now: datetime) -> Plan:
        """What is due: a new shoe, the end of the salts, the deal, a card, an answer for who gave none."""
        if self.state.phase is Phase.SALTS:
            return self._start(purses, now)
        if not self.state.in_round:
            return self._between_rounds(purses, now)
        awaited = awaits(self.state)
        if awaited.kind == "card":
            return self._plan([(DealCard(), None)])
        assert awaited.player is not None
        assert awaited.spot is not None
        assert self.state.round is not None
        answer = _ANSWER[self.state.round.phase is engine.Phase.INSURANCE]
        return self._plan([(Act(awaited.player, awaited.spot, answer), None)])

    def _between_rounds(self, purses: Purses, now: datetime) -> Plan:
        coming, over = self._announced, self.state.phase is Phase.SHUFFLE
        if coming is not None and (not self.state.players or (over and not coming.needs_opening)):
            return self._change_rules(coming)
        if over:
            return self.shoe()
        gone = list(dict.fromkeys([*self.offers.over(now), *self._gone(now)]))
        if self.state.waiting or coming is not None:
            gone += [name for name in self._idle(now) if name not in gone]
        if gone:
            return self._plan([(Leave(name), None) for name in gone])
        return self._start(purses, now)

    def _start(self, purses: Purses, now: datetime) -> Plan:
        """Begin the round; a wager that may not be made any more is taken back first.

        Its chips may have gone elsewhere, a limit may be reached by then, or a break may have begun.
        Before the first round of a shoe the salts whose hashes were given are asked for.
        """
        staked = {wager.player for wager in self.state.circles.values()}
        short = {
            name for name in staked if not admits(purses(self.names[name]), self.state.staked_cents(name))
        }
        requests: list[Request] = [CloseSalts()] if self.state.phase is Phase.SALTS else []
        requests += [
            ClearWagers(wager.player, spot)
            for spot, wager in sorted(self.state.circles.items())
            if wager.player in short
        ]
        idle = self._idle(now)
        requests += [Leave(name) for name in idle]
        if staked > short:
            requests.append(CloseWagers() if self._asks_for_salts(without=idle) else StartRound())
        if not requests:
            raise Conflict("no wager stands")
        return self._plan([(request, None) for request in requests], lambda name: purses(self.names[name]))

    def _asks_for_salts(self, *, without: Sequence[str]) -> bool:
        """Whether hashes of salts were given that are not asked for yet, by others than those who leave."""
        shoe = self.state.shoe
        if shoe is None or shoe.salts is None or shoe.salts.stage is not Stage.OPEN:
            return False
        return any(one.player not in without for one in shoe.salts.given)
