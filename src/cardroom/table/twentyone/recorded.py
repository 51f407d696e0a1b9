"""What the log has made of a table of the blackjack family, record by record."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, Final, assert_never

from cardroom.core.errors import Conflict
from cardroom.engine import twentyone as engine
from cardroom.presentation.outcomes import outcomes_to_json
from cardroom.records import FloorRecord, PlayRecord, TwentyOneRecord
from cardroom.records.floor import TableReleased
from cardroom.records.tables import (
    TableCleared,
    TableRequestGranted,
    TableRulesAnnounced,
    TwentyOneRoundEnded,
    TwentyOneShoeEnded,
)
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.table.floor import Floor
from cardroom.table.presence import Presence
from cardroom.table.purse import Purses, granted
from cardroom.table.running import USUAL, FindRules, Lookup, Style
from cardroom.table.twentyone import (
    Act,
    ChangeRules,
    ClearWagers,
    CloseSalts,
    CloseWagers,
    CutShoe,
    DealCard,
    FairDealer,
    Leave,
    Open,
    Phase,
    PlaceWagers,
    ReleaseSpot,
    Request,
    RoundStarted,
    ShoeCut,
    ShoeEnded,
    Shuffle,
    Sit,
    SpotTaken,
    StartRound,
    TableEvent,
    TableState,
    TakeSpot,
    Wait,
    awaits,
    parse_request,
    step,
)
from cardroom.table.twentyone.announcement import Announcement
from cardroom.table.twentyone.computers import is_computer
from cardroom.table.twentyone.finished import FinishedRound, ended
from cardroom.table.twentyone.notices import Notices
from cardroom.table.twentyone.offers import Offers
from cardroom.table.twentyone.saved import restored_state, round_rules_hash, saved_state
from cardroom.table.twentyone.sentences import sentence

_DEAL_PACE: Final = 0.6
"""Cards come quicker here than at Knockout 52, by this factor."""
_SHOES_KEPT: Final = 5
_STEPS_AHEAD: Final = 16
_RESULTS_KEPT: Final = 100


@dataclass(slots=True)
class RecordedTable:
    """A table as its records have made it; nothing else changes it."""

    id: str
    state: TableState
    dealer: FairDealer
    card_seconds: float
    wager_seconds: float
    decision_seconds: float
    reveal_seconds: float
    owner: str | None = None
    style: Style = USUAL
    enabled: bool = True
    names: dict[str, str] = field(default_factory=dict)
    """Name at the table → player's id."""
    ready: set[str] = field(default_factory=set)
    deal_at: datetime | None = None
    due: datetime | None = None
    """When the next card comes, or the time for a decision is over."""
    sentences: list[str] = field(default_factory=list)
    """What happened since the round began, in words."""
    steps: int = 0
    """How many requests the table has granted: what a player answers names it, so that none comes late."""
    last: FinishedRound | None = None
    shoes: deque[str] = field(default_factory=lambda: deque(maxlen=_SHOES_KEPT))
    """The records of the shoes that are over."""
    acted: dict[str, datetime] = field(default_factory=dict)
    played: dict[str, datetime] = field(default_factory=dict)
    """When the last round with wagers of each player was over."""
    resumed: datetime | None = None
    """When the server came back: everybody has their whole time from then on; no part of the log."""
    _ahead: deque[tuple[TableState, Request, tuple[TableState, tuple[TableEvent, ...]]]] = field(
        default_factory=lambda: deque(maxlen=_STEPS_AHEAD)
    )
    """Steps that were computed for plans."""
    offers: Offers = field(default_factory=lambda: Offers(0))
    announcement: Announcement | None = None
    """The rules announced for the next shoe, or those that came into force with this one."""
    presence: Presence = field(default_factory=lambda: Presence(0))
    carried_meters: dict[str, int] = field(default_factory=dict)
    """What meters showed before the table was cleared; it opens with them."""
    notices: Notices = field(default_factory=Notices)
    results: dict[str, dict[str, Any]] = field(default_factory=dict)
    """What the last round of each player came to, by id; it stands until the player's next wager."""
    cut: str = ""
    """Who cut the shoe in use and how, in words."""
    salts_revealed: int = 0
    salts_withheld: int = 0
    """How many of the salts that were asked for at this table were not revealed in time."""
    floor: Floor = field(default_factory=Floor)
    brought: tuple[str, ...] = ()
    """The cards of the decks that were brought last and kept the table closed (PROC-1)."""
    asked_at: datetime | None = None
    """Since when a decision is awaited, by the records of the table."""

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
        return self.state.wagers_closed

    @property
    def player_count(self) -> int:
        return len(self.people)

    @property
    def people(self) -> list[str]:
        """Everybody at the table but computer players, by name."""
        return [name for name in self.state.players if not self.is_computer(name)]

    def is_computer(self, name: str | None) -> bool:
        return name is not None and is_computer(self.names.get(name, ""))

    def is_playing(self, player: str) -> bool:
        return self.name_of(player) is not None

    def name_of(self, player_id: str) -> str | None:
        return next((name for name, own in self.names.items() if own == player_id), None)

    def stepped(
        self, state: TableState, request: Request, purses: Purses
    ) -> tuple[TableState, tuple[TableEvent, ...]]:
        """A step of the table; it is pure, so a plan's is not computed again when its record comes."""
        for before, expected, outcome in self._ahead:
            if before is state and expected == request:
                return outcome
        outcome = step(state, request, self.dealer, purses)
        self._ahead.append((state, request, outcome))
        return outcome

    def apply(self, record: PlayRecord, at: datetime) -> FinishedRound | None:
        """Take a record of this table into memory; the round that is over by it, if one is."""
        if isinstance(record, FloorRecord):
            self.floor.apply(record, at)
            if isinstance(record, TableReleased):
                self.resume(at)
                self.asked_at = None if self.asked_at is None else at
            return None
        assert isinstance(record, TwentyOneRecord)
        match record:
            case TwentyOneRoundEnded():
                self._require_round(record)
                self.last = FinishedRound.of(record, at, self.rules)
                self.floor.pace.round_ended(at)
                self._keep_results(record, at)
                return self.last
            case TwentyOneShoeEnded():
                if record.shoe != self.state.shoes:
                    raise Conflict(f"shoe {record.shoe} is over, and the table is at shoe {self.state.shoes}")
                self.shoes.append(record.proof)
            case TableRulesAnnounced():
                self.announcement = Announcement.of(record, at)
            case TableRequestGranted():
                self._granted(record, at)
            case _:
                assert_never(record)
        return None

    def _keep_results(self, record: TwentyOneRoundEnded, at: datetime) -> None:
        """What became of every wager, for each player until their next one."""
        outcomes = engine.wager_outcomes(self.state.round_events)
        for name, player in record.players.items():
            self.played[name] = at
            own = [outcome for outcome in outcomes if outcome.player == name]
            self.results.pop(player, None)
            self.results[player] = {
                "round": record.round,
                "net_cents": record.net_cents[name],
                "wagers": outcomes_to_json(own, self.state.rules),
            }
        while len(self.results) > _RESULTS_KEPT:
            del self.results[next(iter(self.results))]

    def _require_round(self, record: TwentyOneRoundEnded) -> None:
        """Refuse a round that is over by its record, and otherwise or not at all by the cards before it."""
        if self.state.round is None or self.state.in_round:
            raise Conflict(f"round {record.number} is over by its record, and not by its cards")
        expected = ended(self.id, self.state, self.names).record
        assert isinstance(expected, TwentyOneRoundEnded)
        for name in ("number", "shoe", "players", "net_cents", "staked_cents"):
            if getattr(record, name) != getattr(expected, name):
                what = name.removesuffix("_cents").replace("_", " ")
                raise Conflict(f"the {what} of round {record.number} are not those of its cards")

    def _granted(self, record: TableRequestGranted, at: datetime) -> None:
        request = parse_request(record.request)
        before = self.state
        self.state, events = self.stepped(self.state, request, granted)
        self.steps += 1
        if isinstance(request, Sit):
            assert record.player is not None
            self.names[request.player] = record.player
        match request:
            case ReleaseSpot(by_floor=True):
                pass
            case Sit() | TakeSpot() | ReleaseSpot() | PlaceWagers() | ClearWagers() | Wait():
                if not self.is_computer(request.player):
                    self.acted[request.player] = at
                self.notices.read(self.names[request.player])
            case CutShoe(player=str(cutter)):
                self.acted[cutter] = at
            case Act() if record.player is not None:  # not said for who gave no answer
                self.acted[request.player] = at
                if self.asked_at is not None:
                    self.floor.pace.answered(at, at - self.asked_at)
            case Open():
                self.brought = request.decks if self.state.phase is Phase.CLOSED else ()
            case _:
                pass
        if isinstance(request, PlaceWagers | ClearWagers):
            self.ready.discard(request.player)
        if isinstance(request, PlaceWagers):
            self.results.pop(self.names[request.player], None)
        self.notices.hear(events, self.names)
        if isinstance(request, Leave):
            self.presence.forget(self.names[request.player])
            for kept in (self.names, self.acted, self.played):
                kept.pop(request.player, None)
        if any(isinstance(event, RoundStarted) for event in events):
            self.sentences, self.ready, self.deal_at = [], set(), None
        self._offer(before, request, events, at)
        if isinstance(request, Shuffle):
            self.cut = ""  # of the shoe before
        self.cut = next((sentence(event) for event in events if isinstance(event, ShoeCut)), self.cut)
        if isinstance(request, ChangeRules) and self.announcement is not None:
            self.announcement = self.announcement.taken_up()
        signed = f" ({record.by}: {record.reason})" if record.by else ""
        self.sentences += [sentence(event, self.state.rules) + signed for event in events]
        if any(isinstance(event, ShoeEnded) for event in events):
            if self.announcement is not None and self.announcement.in_force:
                self.announcement = None
        self._count_withheld(request)
        if self.state.phase is Phase.SALTS and not isinstance(request, CloseWagers):
            self.due = at if self._all_revealed else self.due
        elif not self.state.in_round or isinstance(request, StartRound | DealCard | Act):
            # Who comes and goes meanwhile gives nobody more time.
            self.asked_at = at if self._set_due(at) else None

    def _count_withheld(self, request: Request) -> None:
        if isinstance(request, CloseSalts):
            assert self.state.shoe is not None
            assert self.state.shoe.salts is not None
            self.salts_revealed += len(self.state.shoe.salts.entries) - self.state.shoe.salts.withheld
            self.salts_withheld += self.state.shoe.salts.withheld

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

    def _set_due(self, at: datetime) -> bool:
        """When something is due from a moment on; whether a player is asked for a decision."""
        if self.state.phase is Phase.SHUFFLE:
            self.deal_at = at
        elif self.state.phase is Phase.SALTS:
            self.due = at if self._all_revealed else at + timedelta(seconds=self.reveal_seconds)
        elif not self.state.in_round:
            self.due = None
            if not self.state.circles:
                self.deal_at = None
        else:
            awaited = awaits(self.state)
            by_itself = awaited.kind == "card" or self.is_computer(awaited.player)
            wait = self.card_seconds * _DEAL_PACE if by_itself else self.decision_seconds
            self.due = at + timedelta(seconds=wait)
            return not by_itself
        return False

    def begin_anew(self, cleared: TableCleared) -> None:
        """Go on from a record that cleared the table: numbers run on, meters show what they showed."""
        self.state = replace(self.state, rounds=cleared.rounds, shoes=cleared.shoes)
        self.carried_meters = dict(cleared.meters)

    def require_key(self) -> None:
        """Refuse a key with which the secret of the shoe in use does not open."""
        if self.state.shoe is not None:
            self.dealer.check(self.rules, self.state.shoe)

    def counts(self) -> tuple[int, int]:
        """How many rounds and how many shoes were begun so far."""
        return self.state.rounds, self.state.shoes

    @property
    def _all_revealed(self) -> bool:
        shoe = self.state.shoe
        return shoe is not None and shoe.salts is not None and shoe.salts.all_revealed

    def resume(self, now: datetime) -> None:
        """Go on after the server was away; decisions and salts get their whole time again (R-44)."""
        self.offers.resume(now)
        self.presence.resume(now)
        self.resumed = now
        if self.state.wagers_closed:
            self._set_due(now)
        elif self.state.circles and self.state.takes_wagers:
            self.deal_at = now + timedelta(seconds=self.wager_seconds)

    # Checkpoints.

    def saved(self) -> dict[str, Any]:
        """Everything that the log has made of the table, as plain data."""
        announcement = self.announcement
        return {
            "owner": self.owner,
            "style": [self.style.computers, self.style.speed],
            "rules_hash": self.rules.rules_hash,
            "state": saved_state(self.state),
            "names": dict(self.names),
            "events": list(self.sentences),
            "steps": self.steps,
            "carried_meters": dict(self.carried_meters),
            "last": None if self.last is None else self.last.id,
            "shoes": list(self.shoes),
            "acted": {name: at.isoformat() for name, at in self.acted.items()},
            "played": {name: at.isoformat() for name, at in self.played.items()},
            "cut": self.cut,
            "salts_revealed": self.salts_revealed,
            "salts_withheld": self.salts_withheld,
            "offers": self.offers.saved(),
            "announcement": None if announcement is None else announcement.saved(),
            "floor": self.floor.saved(),
            "brought": list(self.brought),
            "asked_at": None if self.asked_at is None else self.asked_at.isoformat(),
            "notices": self.notices.saved(),
            "results": dict(self.results),
        }

    def restore(self, plain: dict[str, Any], rules: FindRules, lookup: Lookup) -> None:
        """Make a table that was just opened the one of `saved`."""
        round_rules = rules(round_rules_hash(plain["state"]))
        assert isinstance(round_rules, TwentyOneRules)
        self.state = restored_state(plain["state"], self.rules, round_rules)
        self.names = dict(plain["names"])
        self.sentences = list(plain["events"])
        self.steps = plain["steps"]
        self.carried_meters = dict(plain.get("carried_meters", {}))
        self.shoes = deque(plain["shoes"], maxlen=self.shoes.maxlen)
        self.acted = {name: datetime.fromisoformat(at) for name, at in plain["acted"].items()}
        self.played = {name: datetime.fromisoformat(at) for name, at in plain["played"].items()}
        self.cut = plain["cut"]
        self.salts_revealed = plain["salts_revealed"]
        self.salts_withheld = plain["salts_withheld"]
        self.offers.restore(plain["offers"])
        self.floor = Floor.restored(plain.get("floor"))
        self.brought = tuple(plain.get("brought", ()))
        asked_at = plain.get("asked_at")
        self.asked_at = None if asked_at is None else datetime.fromisoformat(asked_at)
        self.notices.restore(plain["notices"])
        self.results = dict(plain["results"])
        if plain["announcement"] is not None:
            self.announcement = Announcement.restored(plain["announcement"])
        last = None if plain["last"] is None else lookup(plain["last"])
        self.last = last if isinstance(last, FinishedRound) else None
