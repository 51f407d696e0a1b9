"""A blackjack-family table on the web: who plays where, what is due next, and the clock of decisions."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, Final, assert_never

from cardroom.core.errors import Conflict, IllegalAction
from cardroom.engine import twentyone as engine
from cardroom.records import TwentyOneRecord
from cardroom.records.tables import (
    TableRequestGranted,
    TableRulesAnnounced,
    TwentyOneRoundEnded,
    TwentyOneShoeEnded,
    TwentyOneTableOpened,
)
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.table import (
    Act,
    BuyChips,
    CashChips,
    ChangeRules,
    ClearWagers,
    Close,
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
    RoundStarted,
    ShoeCut,
    ShoeEnded,
    Sit,
    SpotTaken,
    StartRound,
    TableEvent,
    TableState,
    TakeSpot,
    Wait,
    awaits,
    dealer_cut_range,
    empty_table,
    parse_request,
    player_cut_range,
    step,
)
from cardroom.table.requests import request_content
from cardroom.table.sentences import words
from cardroom.web.journal import Entry, Plan
from cardroom.web.live.finished import FinishedRound, ended, shoe_ended
from cardroom.web.live.floor import Announcement, Offers, Presence, announced
from cardroom.web.live.table_money import moves
from cardroom.web.live.table_rules import mixed_salts
from cardroom.web.players.player import Player
from cardroom.web.settings import Settings

AWAY: Final = timedelta(minutes=5)
"""A player who has done nothing for so long gives their spots up before the next deal."""
MOST_WAITING: Final = 20
_DEAL_PACE: Final = 0.6
"""Cards come quicker here than at Knockout 52, by this factor."""
_SHOES_KEPT: Final = 5
_STEPS_AHEAD: Final = 16
_ANSWER: Final = {True: "no insurance", False: "stand"}
"""What is said for a player who does not answer in time: no insurance, and then the hand stands."""


@dataclass(slots=True)
class TwentyOneTable:
    """One table; it changes only by records of the log."""

    id: str
    state: TableState
    dealer: FairDealer
    card_seconds: float
    wager_seconds: float
    decision_seconds: float
    owner: str | None = None
    enabled: bool = True
    names: dict[str, str] = field(default_factory=dict)
    """Name at the table → player's id."""
    salts: dict[str, str] = field(default_factory=dict)
    ready: set[str] = field(default_factory=set)
    deal_at: datetime | None = None
    due: datetime | None = None
    """When the next card comes, or the time for a decision is over."""
    told: list[str] = field(default_factory=list)
    """What happened since the round began, in words."""
    steps: int = 0
    """How many requests the table has granted: what a player answers names it, so that none comes late."""
    last: FinishedRound | None = None
    shoes: deque[str] = field(default_factory=lambda: deque(maxlen=_SHOES_KEPT))
    """The records of the shoes that are over."""
    acted: dict[str, datetime] = field(default_factory=dict)
    _ahead: deque[tuple[TableState, Request, tuple[TableState, tuple[TableEvent, ...]]]] = field(
        default_factory=lambda: deque(maxlen=_STEPS_AHEAD)
    )
    """Steps that were computed for plans."""
    offers: Offers = field(default_factory=lambda: Offers(0))
    announcement: Announcement | None = None
    """The rules announced for the next shoe, or those that came into force with this one."""
    presence: Presence = field(default_factory=lambda: Presence(0))
    cut: str = ""
    """Who cut the shoe in use and how, in words."""

    @classmethod
    def opened(
        cls, record: TwentyOneTableOpened, rules: TwentyOneRules, settings: Settings
    ) -> TwentyOneTable:
        """The table of a record."""
        return cls(
            record.table,
            empty_table(rules),
            FairDealer(settings.key, repeatable=settings.repeatable),
            settings.card_seconds,
            settings.wager_seconds,
            settings.decision_seconds,
            owner=record.owner,
            offers=Offers(settings.offer_seconds),
            presence=Presence(settings.gone_seconds),
        )

    @property
    def rules(self) -> TwentyOneRules:
        return self.state.rules

    @property
    def game(self) -> str:
        return self.state.rules.game

    @property
    def topic(self) -> str:
        return f"table:{self.id}"

    @property
    def dealing(self) -> bool:
        return self.state.in_round

    def name_of(self, player_id: str) -> str | None:
        return next((name for name, own in self.names.items() if own == player_id), None)

    def due_at(self) -> datetime | None:
        """When something is to happen here by itself."""
        return self.due if self.state.in_round else min(self._due_between_rounds(), default=None)

    def _due_between_rounds(self) -> list[datetime]:
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

    def came(self, player: str) -> None:
        self.presence.came(player)

    def went(self, player: str, now: datetime) -> bool:
        """A page of the table was closed; whether by somebody who plays here."""
        self.presence.went(player, now)
        plays = self.name_of(player) is not None
        if not plays:
            self.presence.forget(player)
        return plays

    # Plans.

    def _plan(
        self, requests: Sequence[tuple[Request, str | None]], answer: Mapping[str, Any] | None = None
    ) -> Plan:
        """Entries for requests, one after another, with the money that each moves; refused as a whole."""
        state, entries = self.state, []
        names = dict(self.names)
        for request, player in requests:
            if isinstance(request, Sit) and player is not None:
                names[request.player] = player
            rules = state.rules
            state, events = self._stepped(state, request)
            granted = TableRequestGranted(table=self.id, request=request_content(request), player=player)
            changed = state.rules if isinstance(request, ChangeRules) else None
            paid = moves(events, names, self.game, self.id)
            entries.append(Entry(granted, paid, rules=changed))
            if any(isinstance(event, engine.RoundEnded) for event in events):
                entries.append(ended(self.id, state, names))
            if any(isinstance(event, ShoeEnded) for event in events):
                assert state.shoe is not None
                entries.append(shoe_ended(self.id, state.shoes, self.dealer.record(rules, state.shoe)))
        return Plan(entries, answer or {})

    def _stepped(self, state: TableState, request: Request) -> tuple[TableState, tuple[TableEvent, ...]]:
        """A step of the table; it is pure, so a plan's is not computed again when its record comes."""
        for before, asked, outcome in self._ahead:
            if before is state and asked == request:
                return outcome
        outcome = step(state, request, self.dealer)
        self._ahead.append((state, request, outcome))
        return outcome

    def open(self) -> Plan:
        """Open the table and make its first shoe ready."""
        return self._plan([(Open(), None)])

    def shoe(self) -> Plan:
        """Shuffle, cut with the players' words, place the cut card and burn: before the next wagers."""
        rules = self.rules
        shuffle = self.dealer.commit(rules, self.state.shoes + 1)
        salts = [self.salts[name] for name in self.state.players if name in self.salts]
        requests: list[Request] = [shuffle]
        if rules.decks != "infinite":
            # Nobody is asked for a cut here, so it is the house's; the players' salts go into it as words.
            requests.append(CutShoe(None, player_cut_range(rules).middle, words=mixed_salts(salts)))
            requests.append(PlaceCutCard(dealer_cut_range(rules).middle))
        return self._plan([(request, None) for request in requests])

    def renew(self, player: Player) -> Plan:
        """End the shoe now, so that its secret is revealed; at a table of one's own."""
        if self.owner != player.id:
            raise Conflict("a new shoe is for the owner of a private table to ask for")
        leaving = [(Leave(name), None) for name in self.state.players]
        return self._plan([*leaving, (Close(), None), (Open(), None)])

    def place(
        self, player: Player, spot: int, stake_cents: int, side: Mapping[str, int], salt: str, now: datetime
    ) -> Plan:
        """A player's wagers on a spot as they are to stand; who is new sits down and takes the spot."""
        if not self.enabled:
            raise Conflict("this table is closed by the house; no wager is taken")
        name = self.name_of(player.id)
        requests: list[tuple[Request, str | None]] = []
        if name is None:
            name = self._free_name(player.name)
            requests.append((Sit(name), player.id))
        wanted = {wager: cents for wager, cents in side.items() if cents}
        total = stake_cents + sum(wanted.values())
        stood = self.state.circles.get(spot)
        before = stood.total_cents if stood is not None and stood.player == name else 0
        requests += self._purse(name, player)
        if self.state.owners.get(spot) != name:
            requests.append((TakeSpot(name, spot), None))
        if total == 0:
            if stood is None:
                raise IllegalAction("no wager stands on this spot", clause="PROC-9")
            requests.append((ClearWagers(name, spot), None))
        else:
            if total > before:
                player.require_play(total - before, now)
            requests.append((PlaceWagers(name, spot, stake_cents, wanted), None))
        self.salts[name] = salt
        return self._plan(requests, {"spot": spot, "stake_cents": stake_cents, "side": wanted})

    def _purse(self, name: str, player: Player) -> list[tuple[Request, str | None]]:
        """Let the chips at the table be those of the player's purse."""
        there = self.state.chips_cents(name)
        if player.chips_cents > there:
            return [(BuyChips(name, player.chips_cents - there), None)]
        if player.chips_cents < there:
            return [(CashChips(name, there - player.chips_cents), None)]
        return []

    def _free_name(self, wanted: str) -> str:
        taken = set(self.state.players)
        number = 1
        while (name := wanted if number == 1 else f"{wanted} ({number})") in taken:
            number += 1
        return name

    def leave(self, player: Player) -> Plan:
        """A player leaves the table."""
        name = self.name_of(player.id)
        if name is None:
            raise Conflict("you are not at this table")
        return self._plan([(Leave(name), None)])

    def release(self, player: Player, spot: int) -> Plan:
        """A player gives a spot up, and leaves with the last one."""
        name = self.name_of(player.id)
        if name is None:
            raise Conflict("you are not at this table")
        last = self.state.spots_of(name) == (spot,)
        return self._plan([(Leave(name) if last else ReleaseSpot(name, spot), None)])

    def wait(self, player: Player) -> Plan:
        """A player comes on the waiting list of a full table (PROC-3)."""
        if not self.enabled:
            raise Conflict("this table is closed by the house; nobody waits for it")
        if len(self.state.waiting) >= MOST_WAITING:
            raise Conflict(f"{MOST_WAITING} players wait already; look at another table")
        name = self.name_of(player.id)
        if name is not None:
            return self._plan([(Wait(name), None)])
        name = self._free_name(player.name)
        return self._plan([(Sit(name), player.id), (Wait(name), None)])

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

    def ask_for_deal(self, player: Player, now: datetime) -> None:
        """A player wants the cards; they come when all who staked do, or after the time for wagers."""
        if not self.enabled:
            raise Conflict("this table is closed by the house; nothing is dealt")
        if self.state.in_round:
            raise Conflict("a round is in play")
        name = self.name_of(player.id)
        staked = {wager.player for wager in self.state.circles.values()}
        if name is None or name not in staked:
            raise IllegalAction("place a wager first", clause="PROC-9")
        self.ready.add(name)
        if self.ready >= staked:
            self.deal_at = now
        elif self.deal_at is None:
            self.deal_at = now + timedelta(seconds=self.wager_seconds)

    def act(self, player: Player, spot: int, action: str, at_step: int) -> Plan:
        """What a player says in turn; an answer to an earlier question is refused."""
        name = self.name_of(player.id)
        if name is None:
            raise Conflict("you are not at this table")
        if at_step != self.steps:
            raise Conflict("the table has moved on since this was decided; look again")
        if isinstance(engine.parse_action(action), engine.DoubleFaceDown):
            raise IllegalAction("no double card is dealt face down", clause="S21-6")
        return self._plan([*self._purse(name, player), (Act(name, spot, action), player.id)])

    def step(self, players: Mapping[str, Player], now: datetime) -> Plan:
        """What is due: a new shoe, the deal, the next card, or an answer for a player who gave none."""
        if not self.state.in_round:
            return self._between_rounds(players, now)
        awaited = awaits(self.state)
        if awaited.kind == "card":
            return self._plan([(DealCard(), None)])
        assert awaited.player is not None
        assert awaited.spot is not None
        assert self.state.round is not None
        said = _ANSWER[self.state.round.phase is engine.Phase.INSURANCE]
        return self._plan([(Act(awaited.player, awaited.spot, said), None)])

    def _between_rounds(self, players: Mapping[str, Player], now: datetime) -> Plan:
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
        return self._start(players, now)

    def _start(self, players: Mapping[str, Player], now: datetime) -> Plan:
        """Begin the round; a wager whose chips have gone elsewhere is taken back first."""
        requests: list[tuple[Request, str | None]] = []
        staked: dict[str, list[int]] = {}
        for spot, wager in sorted(self.state.circles.items()):
            staked.setdefault(wager.player, []).append(spot)
        for name, spots in staked.items():
            total = sum(self.state.circles[spot].total_cents for spot in spots)
            purse = players[self.names[name]]
            if total > purse.chips_cents:
                requests += [(ClearWagers(name, spot), None) for spot in spots]
            else:
                requests += self._purse(name, purse)
        requests += [(Leave(name), None) for name in self._idle(now)]
        if len(staked) > sum(isinstance(request, ClearWagers) for request, _ in requests):
            requests.append((StartRound(), None))
        if not requests:
            raise Conflict("no wager stands")
        return self._plan(requests)

    # Records.

    def apply(self, record: TwentyOneRecord, at: datetime) -> None:
        """Take a record of this table into memory."""
        match record:
            case TwentyOneRoundEnded():
                self.last = FinishedRound.of(record, at, self.rules)
            case TwentyOneShoeEnded():
                self.shoes.append(record.proof)
            case TableRulesAnnounced():
                self.announcement = Announcement.of(record, at)
            case TableRequestGranted():
                self._granted(record, at)
            case _:
                assert_never(record)

    def _granted(self, record: TableRequestGranted, at: datetime) -> None:
        request = parse_request(record.request)
        before = self.state
        self.state, events = self._stepped(self.state, request)
        self.steps += 1
        if isinstance(request, Sit):
            assert record.player is not None
            self.names[request.player] = record.player
        if isinstance(request, Sit | TakeSpot | PlaceWagers | ClearWagers | Wait):
            self.acted[request.player] = at
        if isinstance(request, Act) and record.player is not None:  # not said for who gave no answer
            self.acted[request.player] = at
        if isinstance(request, PlaceWagers | ClearWagers):
            self.ready.discard(request.player)
        if isinstance(request, Leave):
            self.presence.forget(self.names[request.player])
            for kept in (self.names, self.salts, self.acted):
                kept.pop(request.player, None)
        if any(isinstance(event, RoundStarted) for event in events):
            self.told, self.ready, self.deal_at = [], set(), None
        self._offer(before, request, events, at)
        self.cut = next((words(event) for event in events if isinstance(event, ShoeCut)), self.cut)
        if isinstance(request, ChangeRules) and self.announcement is not None:
            self.announcement = self.announcement.taken_up()
        self.told += [words(event) for event in events if not isinstance(request, BuyChips | CashChips)]
        if any(isinstance(event, ShoeEnded) for event in events):
            if self.announcement is not None and self.announcement.in_force:
                self.announcement = None
        self._set_due(at)

    def _offer(
        self, before: TableState, request: Request, events: Sequence[TableEvent], at: datetime
    ) -> None:
        """Keep a spot that fell to somebody who waited for a stated time, until they stake."""
        if before.in_round != self.state.in_round:
            (self.offers.round_began if self.state.in_round else self.offers.round_ended)(at)
        if isinstance(request, PlaceWagers | Leave):
            self.offers.forget(request.player)
        elif isinstance(request, Wait):
            before = replace(before, waiting=(*before.waiting, request.player))
        for event in events:
            if isinstance(event, SpotTaken) and event.player in before.waiting:
                self.offers.make(event.player, at)
                self.acted[event.player] = at

    def _set_due(self, at: datetime) -> None:
        if self.state.phase is Phase.SHUFFLE:
            self.deal_at = at
        elif not self.state.in_round:
            self.due = None
            if not self.state.circles:
                self.deal_at = None
        else:
            wait = (
                self.card_seconds * _DEAL_PACE if awaits(self.state).kind == "card" else self.decision_seconds
            )
            self.due = at + timedelta(seconds=wait)

    def resume(self, now: datetime) -> None:
        """Go on after the server was away; a decision gets its whole time again (R-44)."""
        self.offers.resume(now)
        self.presence.resume(now)
        if self.state.in_round:
            self._set_due(now)
        elif self.state.circles and self.state.phase is Phase.WAGERS:
            self.deal_at = now + timedelta(seconds=self.wager_seconds)
