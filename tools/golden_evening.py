"""An evening in a small house in which every kind of record is written once, the same every time."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import Final
from unittest import mock

from cardroom.engine import knockout52, twentyone
from cardroom.fair.commitment import Commitment
from cardroom.fair.entropy import Rehearsal
from cardroom.fair.salts import salt_hash
from cardroom.lab.judging import Books
from cardroom.lottery.alteration import alter
from cardroom.lottery.approval import DEFAULT_CENTS, decide, set_approval_from
from cardroom.lottery.choices import make_choices, save_choices
from cardroom.lottery.claims import book_expired, check_ticket, correct_expiry, pay_prize
from cardroom.lottery.clock_care import accept_clock, change_zone_data, put_clock_back
from cardroom.lottery.draws import (
    close_sales,
    perform_draw,
    release_draw,
    seal_pool,
    stop_draw,
    void_draw,
)
from cardroom.lottery.house import Lottery, switch_in
from cardroom.lottery.lost import Remembered, lift_stop, look_up, reissue, stop
from cardroom.lottery.sales import Order, begin_purchase, sell
from cardroom.lottery.scheduler import advance
from cardroom.lottery.settlement import settle_draw
from cardroom.lottery.tickets import PrintedTicket
from cardroom.records import Record, floor, house, players, tables
from cardroom.records.lottery import LargeWinNoted, RowsRebuilt
from cardroom.rules import load_rules_as
from cardroom.rules.knockout21 import Knockout21Rules
from cardroom.rules.knockout21.law import Choice
from cardroom.rules.round_head import RulesForm
from cardroom.store import lottery as rows
from cardroom.store.database import Database
from cardroom.store.plan import Entry, Plan
from cardroom.table.correction import correction, net_of
from cardroom.table.knockout52.running import Knockout52Table
from cardroom.table.running import RunningTable, table_class
from cardroom.table.twentyone.by_hand import Signed, put_dealer
from cardroom.table.twentyone.running import TwentyOneTable
from cardroom.web.clearing import Cause, clearings
from cardroom.web.coach import BOOKS
from cardroom.web.house import House
from cardroom.web.live.lottery import CONTROL
from cardroom.web.live.vaults import DemoVault
from cardroom.web.security import operators
from cardroom.web.security.operators import FIRST_OPERATOR
from cardroom.web.settings import Settings

KEY: Final = bytes(range(32))
"""The house's key; the lottery's secrets come from it too."""
REPEATABLE: Final = 21
LOTTERY_CHANGES: Final = {"draws.interval_minutes": 240, "draws.minimum_tickets": 1}
"""Three draws a day, each with a ticket at least."""
BEGINS: Final = datetime(2025, 6, 14, 17, tzinfo=UTC)
ANN: Final = "a1" * 16
BOB: Final = "b2" * 16
_SALTS: Final = {ANN: "a1" * 32, BOB: "b2" * 32}
_TURNS: Final = ("split", "double", "hit", "stand", "no insurance")
_PASSWORD: Final = "golden-golden-golden"


class HandClock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.moment = BEGINS

    def now(self) -> datetime:
        return self.moment

    def reach(self, moment: datetime) -> None:
        self.moment = max(self.moment, moment)


def settings_of(database: str) -> Settings:
    """How the golden house is run."""
    return Settings(database=database, key=KEY, lottery=False, card_seconds=0.1)


def lottery_of(database: Database) -> Lottery:
    """The golden house's lottery."""
    rules = load_rules_as(Knockout21Rules, "knockout-21", LOTTERY_CHANGES)
    return Lottery(database, DemoVault(KEY), rules, Rehearsal(REPEATABLE))


@contextlib.contextmanager
def nothing_by_chance() -> Iterator[None]:
    """Let everything that is random come from a number, and the program have no digest of its own."""
    chance = Rehearsal(REPEATABLE)
    with (
        mock.patch("secrets.token_bytes", chance.take),
        mock.patch("secrets.token_hex", lambda count: chance.take(count).hex()),
        mock.patch("secrets.choice", lambda letters: letters[chance.below(len(letters))]),
        mock.patch("cardroom.web.house.hashed", return_value=_hash_of_password()),
        mock.patch("cardroom.lottery.house.code_digest", return_value="0" * 64),
        mock.patch("cardroom.core.timezones.zone_data_version", return_value="2025b"),
    ):
        yield


def _hash_of_password() -> str:
    return operators._hasher().hash(_PASSWORD, salt=b"golden golden go")


def _salt_hash(player: str, commitment: Commitment) -> str:
    return salt_hash(commitment, bytes.fromhex(_SALTS[player]))


class Evening:
    """A house in which everything happens once."""

    def __init__(self, database: str) -> None:
        self.clock = HandClock()
        self.house = House(settings_of(database), clock=self.clock)
        self.lottery = lottery_of(self.house.database)
        self.notations: dict[str, str] = {}
        self.prints: list[PrintedTicket] = []
        self._keys = 0

    def key(self) -> str:
        self._keys += 1
        return f"golden-{self._keys}"

    def write(self, *records: Record) -> None:
        for record in records:
            self.house.journal.record_now(Entry(record))

    def do(self, plan: Plan) -> None:
        for entry in plan.entries:
            self.house.journal.record_now(entry)

    # Tables.

    def play_twentyone(self, table: TwentyOneTable, *people: str) -> None:
        """A round: everybody stakes the least, splits and doubles where that is offered."""
        self._deal_out(table)
        least = int(table.rules.limits.min)
        for spot, person in enumerate(people, 1):
            player = self.house.player(person)
            self.do(Plan(self.house.players.welcome(player)))
            shoe = table.state.shoe
            assert shoe is not None
            hashed = _salt_hash(person, Commitment.parse(shoe.committed.commitment))
            self.do(table.place(self.house.tables.purse(person), spot, least, {}, hashed))
        for person in people:
            table.ask_for_deal(person, self.clock.now())
        self._step(table)
        self.do(table.reveal(_SALTS[people[0]]))  # a second player is too late
        before = table.last
        while table.last is before:
            state = table.state.round
            if table.state.in_round and state is not None and state.options:
                offered = {str(option): option for option in state.options}
                said = next(turn for turn in _TURNS if turn in offered)
                in_turn = state.spots[state.turn]
                purse = self.house.tables.purse(table.names[in_turn.player])
                self.do(table.act(purse, in_turn.number, said, table.steps))
            else:
                self._step(table)
        assert table.last is not None
        books = {person: asdict(Books(rounds=1, decisions=1, net_cents=-400)) for person in people}
        judged = tables.RoundJudged(round=table.last.id, table=table.id, books=books)
        names = [f"{BOOKS}{person}:{table.id}" for person in people]
        self.house.journal.record_now(Entry(judged, about=names))
        played = twentyone.replay(table.last.notation, table.last.rules)[0]
        self._keep(
            table.rules.game, twentyone.format_round(played), twentyone.format_round(played, RulesForm.WHOLE)
        )

    def _deal_out(self, table: RunningTable) -> None:
        """Let the table do what is due before the wagers."""
        while table.due_at() is not None:
            self._step(table)

    def _step(self, table: RunningTable) -> None:
        due = table.due_at()
        assert due is not None
        self.clock.reach(due)
        self.do(table.step(self.house.tables.purse, self.clock.now()))

    def play_knockout52(self, table: Knockout52Table) -> None:
        stakes = {"round-1": 500, "all-the-way": 100}
        assert table.commitment is not None
        hashed = _salt_hash(BOB, table.commitment)
        self.do(table.place(self.house.tables.purse(BOB), stakes, hashed))
        table.ask_for_deal(BOB, self.clock.now())
        self._step(table)
        self.do(table.reveal(_SALTS[BOB]))
        while table.last is None:
            self._step(table)
        game = table.last.game
        self._keep(
            table.rules.game, knockout52.format_game(game), knockout52.format_game(game, RulesForm.WHOLE)
        )

    def _keep(self, game: str, short: str, whole: str) -> None:
        self.notations[f"{game}-short"] = short
        self.notations[f"{game}-whole"] = whole

    def tables(self) -> None:
        for table_id, found in tuple(self.house.memory.tables.items()):
            if isinstance(found, TwentyOneTable):
                own = self.open_private(found.rules.game, ANN, f"own{table_id}")
                self.play_twentyone(own, ANN)
                self.do(own.leave(ANN))
                self.do(own.renew(ANN))  # the shoe is over, its secret revealed
            elif isinstance(found, Knockout52Table) and found.rules.decks == 1:
                self.do(Plan(self.house.players.welcome(self.house.player(BOB))))
                self.play_knockout52(found)
        linden = self.house.tables.find(TwentyOneTable, "linden")
        self.play_twentyone(linden, ANN, BOB)
        self.do(linden.announce({"decks": 8}, by="manager", reason="more cards"))
        self._floor(linden)
        forsaken = self.open_private(linden.rules.game, ANN, "forsaken")
        self.do(forsaken.closing())
        self.write(tables.TableClosed(table=forsaken.id))
        self._clear(self.open_private(linden.rules.game, ANN, "cleared").id)

    def _floor(self, table: TwentyOneTable) -> None:
        """A dispute: the floor is called, freezes the table, puts a dealer there and a result right."""
        said = {"table": table.id, "by": "flo", "reason": "a card lies wrong"}
        for record in (floor.FloorCalled(**said), floor.TableFrozen(**said)):
            self.do(table.floor.plan(record, self.clock.now()))
        self.do(put_dealer(table, "Max", Signed("flo", "the other one rests"), burn=False))
        assert table.last is not None
        wanted = {ANN: net_of(table.last, None)[ANN] + 400}
        two = {"ivy": FIRST_OPERATOR, "max": FIRST_OPERATOR}
        entry = correction(
            table.last,
            None,
            wanted,
            lambda player: self.house.player(player).balance_cents,
            appointed=two,
            reason="the dealer paid one player short",
        )
        self.do(Plan([entry]))
        for answer in (floor.TableReleased(**said), floor.FloorAnswered(**said)):
            self.do(table.floor.plan(answer, self.clock.now()))

    def _clear(self, table: str) -> None:
        """A table begins anew."""
        rooms, cause = self.house, Cause("a test of the house", ["ivy", "max"], {"ivy": FIRST_OPERATOR})
        with rooms.database.read() as connection:
            entries = clearings(connection, rooms.following, [table], cause)
        self.do(Plan(entries))
        self.do(rooms.memory.tables[table].first_plan() or Plan([]))

    def open_private(self, game: str, owner: str, table_id: str) -> TwentyOneTable:
        kind = table_class(game)
        self.house.journal.record_now(kind.opening(table_id, kind.private_rules(game, {}), owner))
        table = self.house.tables.find(TwentyOneTable, table_id)
        self.do(table.first_plan() or Plan([]))
        return table

    # People.

    def people(self) -> None:
        register, now = self.house.players, self.clock.now
        ann, bob = self.house.player(ANN), self.house.player(BOB)
        self.do(register.take_chips(ann, 5_000, now()))
        self.do(register.rename(ann, "Ann"))
        self.do(register.set_limit(ann, "loss", "day", 500_000, now()))
        self.do(register.set_reality_minutes(ann, 30))
        self.do(register.acknowledge(ann))
        self.do(register.take_break(bob, now() + timedelta(days=2), now()))
        whom = {"player": BOB, "what": f"player:{BOB}", "by": "manager", "reason": "asked for it"}
        self.write(players.PlayerDisabled(**whom, before="open", after="closed"))
        self.write(players.PlayerEnabled(**whom, before="closed", after="open"))

    def operations(self) -> None:
        what = "table:heron"
        for off in (True, False):
            switch_in(self.house.database, what, off=off, by="manager", reason="new cards")
        self.lottery.database.write(
            lambda unit: rows.change_setting(unit, "lamp", "green", by=["ivy", "max"]), alone=True
        )
        self.write(
            house.LoggedIn(name="manager", role="operator"),
            house.LoggedOut(name="manager"),
            house.LoginRefused(name="mallory"),
            house.CookieRefused(path="/", address="192.0.2.1"),
            house.RequestRefused(path="/api/v1/session/name", address="192.0.2.1", times=3),
            house.PasswordChanged(name=FIRST_OPERATOR, password_hash="not a hash"),
            house.SecondFactorSet(name=FIRST_OPERATOR, sealed_secret="00" * 48),
            house.LogChecked(by="manager", head="1:" + "0" * 64, faults=0),
            house.DrawVerified(draw=1, by="manager", findings=0),
            house.SecretsRetired(
                because="a test", head="1:" + "0" * 64, mark=None, tables=[], draws=[], voided=[]
            ),
            house.OverrideRefused(
                draw=1, what="void", reason="a test", by="ivy", second="ivy", why="two people are needed"
            ),
            house.DrawOverridden(
                draw=1, what="release", reason="a test", by=["ivy", "max"], before="held", after="sealed"
            ),
        )

    # The lottery.

    def draws(self) -> None:
        lottery = self.lottery
        advance(lottery)
        first = sell(lottery, Order("terminal-1", 3, 1), key=self.key())
        begun = begin_purchase(lottery, Order("terminal-2", 1, 1), key=self.key())
        ticket = begun.tickets[0]
        other = Choice.STAND if ticket.play.choices[14] is Choice.HIT else Choice.HIT
        save_choices(lottery, begun.seq, {ticket.id: {14: other}}, key=self.key())
        make_choices(lottery, begun.seq, {ticket.id: {14: other}}, key=self.key())
        changed = first.tickets[0]
        other = Choice.STAND if changed.play.choices[14] is Choice.HIT else Choice.HIT
        altered = alter(lottery, changed.control_number, {14: other}, key=self.key())
        second = sell(lottery, Order("terminal-1", 1, 1, 2), key=self.key())
        self.settle(1)
        self._large_win()
        self.close(2)
        seal_pool(lottery, 2)
        stop_draw(lottery, 2, "the lamp went out")
        release_draw(lottery, 2, operators=["ivy", "max"], reason="it is lit again")
        self.settle(2)
        self.close(3)  # nobody bought a ticket: it is put off
        late = sell(lottery, Order("terminal-1", 1, 1, 3), key=self.key())
        void_draw(lottery, 3, operators=["ivy", "max"], reason="nobody came")
        for one in (altered, *first.tickets[1:]):
            check_ticket(lottery, one.control_number, terminal="terminal-1", code=one.code)
            pay_prize(lottery, one.control_number, one.code, terminal="terminal-1", key=self.key())
        pay_prize(lottery, "1" * 20, "X" * 20, terminal="terminal-1", key=self.key())
        self.prints = [altered, *first.tickets[1:], *second.tickets, self.desk(late.tickets[0].id)]
        self.wrong_clock()
        self.clock.reach(BEGINS + timedelta(days=371))
        accept_clock(lottery, operators=["ivy", "max"], reason="a long winter")
        book_expired(lottery)
        advance(lottery)
        self.prints += sell(lottery, Order("terminal-1", 2, 2), key=self.key()).tickets

    def desk(self, ticket: str) -> PrintedTicket:
        """A ticket that was lost, found, lost again and printed anew, and then its prize for approval."""
        lottery = self.lottery
        look_up(lottery, Remembered(draw=3, choices={14: Choice.HIT}), by="ivy")
        stop(lottery, ticket, by="ivy", reason="lost on the bus")
        lift_stop(lottery, ticket, operators=["ivy", "max"], reason="it was in the coat")
        stop(lottery, ticket, by="ivy", reason="lost with the coat")
        two = {"ivy": FIRST_OPERATOR, "max": FIRST_OPERATOR}
        anew = reissue(lottery, ticket, appointed=two, reason="she knew its hands")
        set_approval_from(lottery, anew.price_cents, by="ivy")
        pay_prize(lottery, anew.control_number, anew.code, terminal="terminal-1", key=self.key())
        decide(lottery, ticket, "declined", by="ivy", reason="who is she")
        decide(lottery, ticket, "approved", by="max", reason="the coat was found")
        pay_prize(lottery, anew.control_number, anew.code, terminal="terminal-1", key=self.key())
        set_approval_from(lottery, DEFAULT_CENTS, by="ivy")
        return anew

    def wrong_clock(self) -> None:
        """A clock that was accepted and is a year ahead, and all that is done about it; new time zones."""
        lottery, now = self.lottery, self.clock.now()
        self.clock.reach(BEGINS + timedelta(days=371))
        accept_clock(lottery, operators=["ivy", "max"], reason="it looked right")
        book_expired(lottery)
        self.clock.moment = now
        put_clock_back(lottery, operators=["ivy", "max"], reason="the clock was a year ahead")
        correct_expiry(lottery, 1, operators=["ivy", "max"], reason="the clock was a year ahead")
        self.write(RowsRebuilt(faults=["tickets 1: choices"], by=["ivy", "max"], reason="a bad disk"))
        with mock.patch("cardroom.core.timezones.zone_data_version", return_value="2025c"):
            change_zone_data(lottery, by=["ivy"])
        change_zone_data(lottery, by=["ivy"])

    def _large_win(self) -> None:
        with self.lottery.database.read() as connection:
            prize = rows.prizes_of_draw(connection, 1)[0]
        self.write(LargeWinNoted(draw=1, prizes=[(prize.ticket, prize.amount_cents)]))

    def draw(self, number: int) -> rows.DrawRow:
        with self.lottery.database.read() as connection:
            found = rows.find_draw(connection, number)
        assert found is not None
        return found

    def close(self, number: int) -> None:
        self.clock.reach(self.draw(number).closes_at)
        close_sales(self.lottery, number)

    def settle(self, number: int) -> None:
        if self.draw(number).status == "open":
            self.close(number)
        seal_pool(self.lottery, number)
        self.clock.reach(self.draw(number).due_at)
        perform_draw(self.lottery, number)
        settle_draw(self.lottery, number)

    def save(self) -> None:
        """The checkpoint, and the control's part of it."""
        asyncio.run(self.house.following.save())
        self.house.checkpoints.save_part(CONTROL, self.lottery.control.saved())
