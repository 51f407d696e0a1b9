"""A running table of the blackjack family: who plays where, what is due next, the clock of decisions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, ClassVar, Final

from cardroom.core.errors import Conflict, IllegalAction, MalformedInput
from cardroom.engine import twentyone as engine
from cardroom.records import AnyRecord
from cardroom.records.base import Record
from cardroom.records.tables import (
    TableRequestGranted,
    TwentyOneRoundEnded,
    TwentyOneShoeEnded,
    TwentyOneTableOpened,
)
from cardroom.rules import HouseRules, change_rules
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.store.plan import Entry, Plan
from cardroom.table.payable import OF_A_PLAYER, require_payable
from cardroom.table.presence import Presence
from cardroom.table.purse import Purse, Purses, admits, granted
from cardroom.table.running import PACES, USUAL, Adviser, Conduct, FindRules, Style
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
    ReturnWagers,
    RevealSalt,
    ShoeEnded,
    Sit,
    StartRound,
    TakeSpot,
    Wait,
    awaits,
    computers,
    dealer_cut_range,
    empty_table,
    player_cut_range,
)
from cardroom.table.twentyone.announcement import Announcement, announced
from cardroom.table.twentyone.finished import FinishedRound, ended, shoe_ended
from cardroom.table.twentyone.house_rules import rules_of, without_meters
from cardroom.table.twentyone.meters import seeds
from cardroom.table.twentyone.moves import moves
from cardroom.table.twentyone.offers import Offers
from cardroom.table.twentyone.recorded import RecordedTable
from cardroom.table.twentyone.requests import Departure, End, request_content
from cardroom.table.twentyone.seating import has_wager_in_play
from cardroom.table.twentyone.wagering import undealt

AWAY: Final = timedelta(minutes=5)
"""A player who has done nothing for so long, and has no wager on the table, gives the spots up."""
MOST_WAITING: Final = 20
_ANSWER: Final = {True: "no insurance", False: "stand"}
"""What the clock decides for a player who does not answer in time: no insurance, and then the hand stands."""
_CHIPS_GONE: Final = "the chips are not there any more, or a limit or a break forbids the stake"


@dataclass(slots=True)
class TwentyOneTable(RecordedTable):
    """One table: what the log has made of it, and what people and the moment lead to."""

    called: ClassVar[str] = "table"
    _thought: tuple[int, str] | None = None
    """What the computer player in turn has decided, and at which step of the table."""

    @classmethod
    def finished(cls, record: AnyRecord, at: datetime, rules: FindRules) -> FinishedRound | None:
        """The round that is over by a record; None of any other record."""
        if not isinstance(record, TwentyOneRoundEnded):
            return None
        round_rules = rules(record.rules_hash)
        assert isinstance(round_rules, TwentyOneRules)
        return FinishedRound.of(record, at, round_rules)

    @classmethod
    def won(cls, record: Record) -> tuple[str, Mapping[str, int]] | None:
        """The round that is over by a record, and what each player won or lost by it."""
        if not isinstance(record, TwentyOneRoundEnded):
            return None
        return record.round, {player: record.net_cents[name] for name, player in record.players.items()}

    @classmethod
    def counted(cls, record: AnyRecord, rounds: int, shoes: int) -> tuple[int, int]:
        """How many rounds and shoes were begun, by a record of such a table and those before it."""
        match record:
            case TwentyOneRoundEnded():
                return max(rounds, record.number), max(shoes, record.shoe)
            case TwentyOneShoeEnded():
                return rounds, max(shoes, record.shoe)
            case TableRequestGranted():
                request = record.request.get("request")
                return rounds + (request == "start round"), shoes + (request == "shuffle")
            case _:
                return rounds, shoes

    @classmethod
    def private_rules(cls, game: str, options: Mapping[str, object]) -> TwentyOneRules:
        """The rules of a player's own table; an option that is not allowed is refused."""
        rules = rules_of(game, options)
        if rules.game != game:
            raise MalformedInput(f"a table of {game} cannot be one of {rules.game}; name that game itself")
        require_payable(rules, OF_A_PLAYER)
        return change_rules(rules, without_meters(rules, options))

    @classmethod
    def opening(cls, table: str, rules: HouseRules, owner: str | None, style: Style = USUAL) -> Entry:
        """The record of a new table; more computer players than it has room for are refused."""
        assert isinstance(rules, TwentyOneRules)
        computers.require_room(rules, style.computers)
        record = TwentyOneTableOpened(
            table=table,
            game=rules.game,
            rules_hash=rules.rules_hash,
            owner=owner,
            computers=style.computers,
            speed=style.speed,
        )
        return Entry(record, rules=rules)

    @classmethod
    def opened(
        cls, table: str, rules: HouseRules, owner: str | None, conduct: Conduct, style: Style = USUAL
    ) -> TwentyOneTable:
        """The table of such a record."""
        assert isinstance(rules, TwentyOneRules)
        pace = PACES[style.speed]
        return cls(
            table,
            empty_table(rules),
            FairDealer(conduct.key, repeatable=conduct.repeatable),
            conduct.card_seconds * pace.cards,
            conduct.wager_seconds,
            conduct.decision_seconds * pace.decisions,
            conduct.reveal_seconds,
            owner=owner,
            style=style,
            offers=Offers(conduct.offer_seconds),
            presence=Presence(conduct.gone_seconds),
        )

    def due_at(self) -> datetime | None:
        """When something is to happen here by itself."""
        if self.floor.frozen is not None:
            return None
        moments = [self.due] if self.state.wagers_closed else self._due_between_rounds()
        moments += [moment for moment, _, _ in self._departures()]
        return min((moment for moment in moments if moment is not None), default=None)

    def _due_between_rounds(self) -> list[datetime | None]:
        if self.state.phase is Phase.CLOSED:  # the floor brings decks that are in order
            return []
        moments = [self.deal_at]
        if self._announced is not None and not self.people:
            moments.append(self._announced.at)
        return moments

    @property
    def _announced(self) -> Announcement | None:
        """Rules that are announced and not in force yet."""
        return None if self.announcement is None or self.announcement.in_force else self.announcement

    def _departures(self) -> list[tuple[datetime, str, Departure]]:
        """When each player without a wager in play leaves without their own word, and why; earliest first."""
        departures: list[tuple[datetime, str, Departure]] = []
        for name, acted in self.acted.items():
            if has_wager_in_play(self.state, name):
                continue
            if (gone := self.presence.gone_at(self.names[name], acted)) is not None:
                departures.append((gone, name, "gone"))
            if (until := self.offers.until(name)) is not None and not self.state.wagers_closed:
                departures.append((until, name, "offer lapsed"))
            if (idle := self.idle_at(name)) is not None:
                departures.append((idle, name, "idle"))
        return sorted(departures)

    def idle_at(self, name: str) -> datetime | None:
        """When a player who does nothing gives the spots up; None for who has staked, or waits for a spot."""
        if name in self.state.waiting or self.state.staked_cents(name) or name not in self.acted:
            return None
        signs = (self.acted[name], self.played.get(name), self.resumed)
        return max(sign for sign in signs if sign is not None) + AWAY

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
            paid = moves(events, names, self.game, self.id, private=self.owner is not None)
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
        if self.steps:
            return None
        return self._plan([(Open(meters=self.meters_to_open()), None), *self._computers()])

    def meters_to_open(self) -> dict[str, int]:
        """What meters showed before the table was cleared, as long as it has not opened since."""
        if self.state.meters:
            return {}
        return {wager: cents for wager, cents in self.carried_meters.items() if wager in seeds(self.rules)}

    def _computers(self) -> list[tuple[Request, str | None]]:
        """The computer players sit down."""
        return [*computers.seating(self.rules, self.style.computers)]

    def shoe(self) -> Plan:
        """Commit to a shuffle before the next wagers, which bring salts; a player may cut until the cards."""
        shuffle = self.dealer.commit(self.rules, self.state.shoes + 1)
        return self._plan([(replace(shuffle, takes_salts=self.dealer.takes_salts), None)])

    def cut_by(self, player: str, cards_deep: int, end: End) -> Plan:
        """A player's own cut, while wagers on the first round of a shoe are open (PROC-6)."""
        name = self.name_of(player)
        if name is None:
            raise Conflict("who plays at this table may cut; place a wager first")
        cut, place = self._cut_requests(name, cards_deep, end)
        return self._plan([(cut, player), (place, None)])

    def _cut_for_house(self) -> list[Request]:
        """What is still missing before the first card of a shoe that no player, and nobody else, cut."""
        if self.state.phase not in (Phase.CUT, Phase.CUT_CARD):
            return []
        cut = self._cut_requests(None, player_cut_range(self.rules).middle, "back")
        return cut if self.state.phase is Phase.CUT else cut[1:]

    def _cut_requests(self, cutter: str | None, cards_deep: int, end: End) -> list[Request]:
        """A cut, by a player or in the house's own name, and the dealer's after it."""
        return [CutShoe(cutter, cards_deep, end), PlaceCutCard(dealer_cut_range(self.rules).middle)]

    def renew(self, player: str) -> Plan:
        """End the shoe now, so that its secret is revealed; at a table of one's own."""
        if self.owner != player:
            raise Conflict("a new shoe is for the owner of a private table to ask for")
        return self._plan([*self._all_leave(), (Close(), None), (Open(), None), *self._computers()])

    def _all_leave(self) -> list[tuple[Request, None]]:
        return [(Leave(name, "table closes"), None) for name in self.state.players]

    def closing(self) -> Plan:
        """Everybody leaves, and the secret of the shoe is revealed."""
        return self._plan([*self._all_leave(), (Close(), None)])

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
        if (
            shoe is not None
            and shoe.salts is not None
            and any(one.salt == salt for one in shoe.salts.entries)
        ):
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
        why = "the rules of the table change first"
        back = [ReturnWagers(spot, why) for spot in sorted(self.state.circles)]
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

    async def think(self, adviser: Adviser) -> None:
        """Let the computer player in turn look for the best of its options."""
        awaited, at_step = awaits(self.state), self.steps
        if awaited.kind == "decision" and self.is_computer(awaited.player):
            advice = await adviser(self.state.round)
            action = computers.best_action(advice["values"], map(str, awaited.options))
            self._thought = None if action is None else (at_step, action)

    def stakers(self) -> set[str]:
        """Everybody who has a wager on the table before the cards; computers have no purse."""
        if self.state.in_round:
            return set()
        staked = {wager.player for wager in self.state.circles.values()}
        return {self.names[name] for name in staked if not self.is_computer(name)}

    def step(self, purses: Purses, now: datetime) -> Plan:
        """What is due: who has gone leaves; a new shoe, the end of the salts, the deal, a card, an answer."""
        leaving = {name: why for at, name, why in reversed(self._departures()) if at <= now}
        if leaving:
            return self._plan([(Leave(name, why), None) for name, why in leaving.items()])
        if self.state.phase is Phase.SALTS:
            return self._plan([(CloseSalts(), None), (StartRound(), None)], self._found_by_name(purses))
        if not self.state.in_round:
            return self._between_rounds(purses)
        awaited = awaits(self.state)
        if awaited.kind == "card":
            return self._plan([(DealCard(), None)])
        assert awaited.player is not None
        assert awaited.spot is not None
        assert self.state.round is not None
        if self._thought is not None and self._thought[0] == self.steps:
            return self._plan([(Act(awaited.player, awaited.spot, self._thought[1]), None)])
        answer = _ANSWER[self.state.round.phase is engine.Phase.INSURANCE]
        return self._plan([(Act(awaited.player, awaited.spot, answer, by_clock=True), None)])

    def _between_rounds(self, purses: Purses) -> Plan:
        coming, over = self._announced, self.state.phase is Phase.SHUFFLE
        if coming is not None and (not self.people or (over and not coming.needs_opening)):
            return self._change_rules(coming)
        return self.shoe() if over else self._start(purses)

    def _start(self, purses: Purses) -> Plan:
        """Begin the round; before the first one of a shoe the salts whose hashes were given are asked for.

        What may not be dealt is given back first: a wager still below its minimum, and one whose chips have
        gone elsewhere, or which a limit or a break forbids by now. Where no player cut, the house does.
        """
        returns = [request for spot in sorted(self.state.circles) for request in self._returns(spot, purses)]
        whole = {request.spot for request in returns if not request.side}
        requests: list[Request] = list(returns)
        if set(self.state.circles) - whole:
            requests += computers.wagers(self.state, self.names)
            requests += self._cut_for_house()
            requests.append(CloseWagers(holds=True) if self._asks_for_salts() else StartRound())
        if not requests:
            raise Conflict("no wager stands")
        return self._plan([(request, None) for request in requests], self._found_by_name(purses))

    def _returns(self, spot: int, purses: Purses) -> list[ReturnWagers]:
        """What of a spot's wagers the house gives back now, each part with its reason."""
        player = self.state.circles[spot].player
        if not admits(purses(self.names[player]), self.state.staked_cents(player)):
            return [ReturnWagers(spot, _CHIPS_GONE)]
        return [ReturnWagers(spot, str(part.refusal), part.side) for part in undealt(self.state, spot)]

    def _found_by_name(self, purses: Purses) -> Purses:
        return lambda name: granted(name) if self.is_computer(name) else purses(self.names[name])

    def _asks_for_salts(self) -> bool:
        """Whether hashes of salts were given that are not asked for yet."""
        shoe = self.state.shoe
        return shoe is not None and shoe.salts is not None and shoe.salts.can_be_asked
