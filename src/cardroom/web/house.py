"""The house while it is open: its rooms in one place, from the first record of the log to the last."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, TypeVar

from cardroom.core.errors import CardroomError, Conflict, MalformedInput
from cardroom.fair.sealing import WrongKey, fingerprint
from cardroom.fair.tokens import fresh_password
from cardroom.games import GAMES
from cardroom.records import Record
from cardroom.records.house import ClockPutBack, HouseFounded, OperatorAppointed, PlayDisabled, PlayEnabled
from cardroom.records.tables import RoundJudged
from cardroom.rules import load_rules
from cardroom.store import lottery as rows
from cardroom.store.database import Clock
from cardroom.store.log import LogRecord, parse_time
from cardroom.store.mark import Mark, why_to_retire
from cardroom.store.plan import Entry, Plan
from cardroom.store.rules import RulesBook
from cardroom.table.running import Finished
from cardroom.web import threads
from cardroom.web.background import Background
from cardroom.web.clock import HouseClock
from cardroom.web.clock_note import ClockNote
from cardroom.web.clock_watch import ClockWatch
from cardroom.web.coach import Coach
from cardroom.web.figures import figures_of
from cardroom.web.following import Following
from cardroom.web.journal import Journal
from cardroom.web.judging import Judging
from cardroom.web.live.dealers import Dealers
from cardroom.web.live.hub import Hub
from cardroom.web.live.tables import Tables
from cardroom.web.log_check import LogCheckDesk
from cardroom.web.memory import Memory
from cardroom.web.past import PastRounds
from cardroom.web.players.player import Player
from cardroom.web.players.register import Players
from cardroom.web.players.wishes import Wishes
from cardroom.web.retiring import retire_secrets
from cardroom.web.security.accounts import record_appointment
from cardroom.web.security.operators import FIRST_OPERATOR, Operators, hashed
from cardroom.web.security.password_desk import PasswordDesk
from cardroom.web.settings import Settings

if TYPE_CHECKING:
    from cardroom.store.checkpoints import Checkpoints
    from cardroom.store.database import Database
    from cardroom.web.live.lottery import LotteryRoom

Done = TypeVar("Done")

_WARM_AFTER_SECONDS: Final = 2.0
_KEY: Final = "key"
"""The setting that holds the fingerprint of the house's key."""
_WRONG_KEY: Final = (
    "this key is not the one of this house: its shoes, codes and cookies were made with another. "
    "Put the right key file back, from its own back-up"
)


class House:
    """Everything that lives as long as the server; every change goes through the journal."""

    def __init__(self, settings: Settings, *, clock: Clock | None = None) -> None:
        self.settings = settings
        self.clock: Clock = clock or HouseClock()
        self.hub = Hub()
        self.lottery: LotteryRoom | None = None
        self.passwords = PasswordDesk()
        self.log_check = LogCheckDesk()
        self.first_password: str | None = None
        self.is_open = False
        self.background = Background()
        self.dealers = Dealers(self.hub, self.now)
        self.database: Database = self._open_database()
        with contextlib.ExitStack() as refused:
            refused.callback(self.database.close)
            self.rules_book = RulesBook(self.database)
            self.past = PastRounds(self.database, self.rules_book)
            self.coach = Coach(self.database)
            self.journal = Journal(self.database)
            key_is_known = self._check_key()
            if settings.lottery:
                self._check_vault()
            because = self._why_to_retire()
            self.following = self._follow(key_is_known=key_is_known)
            minutes = settings.private_table_minutes
            self.tables = Tables(self.memory, self.journal, self.dealers, self.now, private_minutes=minutes)
            self.judging = Judging(self.coach, self.memory, self.journal, self.dealers, self.background)
            self.clock_watch = ClockWatch(self.clock, self.database, lambda: self.memory)
            self.players.wishes = Wishes(self.database)
            self.operators.database = self.database
            self.following.start()
            self._go_on_in_time()
            self._reach_the_log()
            if isinstance(self.clock, HouseClock):
                self.operators.time_of_day = self.clock.time_of_day
            self._require_one_kind()
            if not key_is_known:
                self._keep_key()
            if because is not None:
                retire_secrets(self.database, settings, self.following, because)
            if settings.mark is not None:
                self.following.mark = Mark(settings.mark)
                self.following.keep_mark()
            self.clock_watch.keep_note()
            self.tables.prepare()
            self._see_that_somebody_may_log_in()
            refused.pop_all()

    @property
    def memory(self) -> Memory:
        return self.following.memory

    @property
    def checkpoints(self) -> Checkpoints:
        return self.following.checkpoints

    @property
    def players(self) -> Players:
        return self.memory.players

    @property
    def operators(self) -> Operators:
        return self.memory.operators

    @property
    def disabled(self) -> set[str]:
        return self.memory.disabled

    def now(self) -> datetime:
        return self.clock.now()

    def player(self, player_id: str) -> Player:
        return self.players.get(player_id)

    async def change_player(self, player_id: str, plan: Callable[[Player], Plan]) -> Player:
        """Change what a player says of themselves: in the log, once they have chips; before, beside it."""
        player = self.player(player_id)
        async with self.lock(player.account):
            player = self.player(player_id)
            if player.welcomed:
                await self.journal.perform(lambda: plan(self.player(player_id)))
            else:
                assert self.players.wishes is not None
                await self.players.wishes.keep(self.journal, player, plan(player).entries, self.now())
        return self.player(player_id)

    def require_enabled(self, *what: str) -> None:
        """Refuse play that the house has closed (R-46)."""
        self.memory.require_enabled(*what)

    # Opening and closing with the server.

    def _open_database(self) -> Database:
        from cardroom.store.migrate import open_database

        return open_database(self.settings.database, self.clock, archives=self.settings.archives)

    def _go_on_in_time(self) -> None:
        """A jump of the time of day since the last server is one still."""
        if self.settings.mark is None or not isinstance(self.clock, HouseClock):
            return
        note = self.clock_watch.note = ClockNote(self.settings.mark, self.clock)
        reading = note.read(self.database)
        if reading is not None:
            self.clock.go_on_from(reading)

    def _reach_the_log(self) -> None:
        """The house's time is not before that of the last record."""
        with self.database.read() as connection:
            newest = rows.record_at(connection, self.memory.head.seq)
        if newest is not None and isinstance(self.clock, HouseClock):
            self.clock.not_before(parse_time(newest.at))

    def _check_key(self) -> bool:
        """Whether the key is the one that the house was opened with before; refused where it is another."""
        with self.database.read() as connection:
            kept = rows.setting(connection, _KEY)
        if kept is not None and kept != fingerprint(self.settings.key):
            raise MalformedInput(_WRONG_KEY)
        return kept is not None

    def _check_vault(self) -> None:
        """Refuse a vault that cannot be the one of the tickets that were sold."""
        from cardroom.web.live.vaults import vault_of

        with self.database.read() as connection:
            vault_of(self.settings).require_codes(tickets_sold=rows.any_ticket(connection))

    def _follow(self, *, key_is_known: bool) -> Following:
        """Memory from the log; the fold opens sealed seeds, and so tells a wrong key from a right one."""
        rooms = (self.database, self.settings, self.rules_book, self.past.read, self._hear)
        try:
            return Following(*rooms, key_is_known=key_is_known)
        except WrongKey:
            raise MalformedInput(_WRONG_KEY) from None

    def _keep_key(self) -> None:
        """Remember which key is the house's, by its fingerprint, once what it has sealed was seen to open."""
        for table in self.memory.tables.values():
            try:
                table.require_key()
            except WrongKey:
                raise MalformedInput(_WRONG_KEY) from None
            except CardroomError:  # a shoe that is over, under rules that have changed since
                continue
        print_of_key = fingerprint(self.settings.key)
        self.database.write(
            lambda unit: rows.change_setting(unit, _KEY, print_of_key, by=["the server"]), alone=True
        )

    def _why_to_retire(self) -> str | None:
        """Why secrets of this database may have been seen before, if they may."""
        with self.database.read() as connection:
            mark = self.settings.mark
            return why_to_retire(connection, None if mark is None else Mark(mark))

    def _require_one_kind(self) -> None:
        """A database is a demonstration's or a house's, for ever: their money is never mixed."""
        demonstration = self.memory.demonstration
        if demonstration is None:
            self.journal.record_now(Entry(HouseFounded(demonstration=self.settings.demo)))
        elif demonstration != self.settings.demo:
            way = "start with --demo" if demonstration else "start without --demo"
            kind = "a demonstration" if demonstration else "a house that plays for real"
            raise Conflict(f"this database belongs to {kind}; {way}, or choose another database")

    def _see_that_somebody_may_log_in(self) -> None:
        if len(self.operators):
            return
        password, since = fresh_password(), self.memory.head.seq
        first = OperatorAppointed(
            name=FIRST_OPERATOR,
            role="operator",
            password_hash=hashed(password),
            by="the server's first start",
        )
        with contextlib.suppress(Conflict):  # people founded the house just now
            self.database.write(lambda unit: record_appointment(unit, first, since=since), alone=True)
            self.first_password = password

    def open(self) -> None:
        """Let everybody go on where they were."""
        self.is_open = True
        self.following.loop = asyncio.get_running_loop()
        self.in_background(self.following.keep_saving())
        self.in_background(self.clock_watch.keep_looking())
        self.tables.open()
        self.in_background(self.tables.keep_closing())
        self.judging.open()
        if self.settings.lottery:
            self.in_background(self._open_lottery())
        if self.settings.warm:
            self.in_background(self._warm())

    async def _warm(self) -> None:
        """Compute the figures of all games one after another, once the first pages have been served."""
        await asyncio.sleep(_WARM_AFTER_SECONDS)
        for game in GAMES:
            await figures_of(load_rules(game))

    async def _open_lottery(self) -> None:
        """Open the lottery beside the pages, so that the first page does not wait for it."""

        def prepare() -> LotteryRoom:
            from cardroom.web.live.lottery import LotteryRoom

            room = LotteryRoom(self)
            room.look()  # a draw that was on the wall when the server stopped is still to be shown
            return room

        lottery = await threads.lottery.run(prepare)
        lottery.open()
        self.lottery = lottery

    async def close(self) -> None:
        """Stop the dealers; what they have dealt is in the log."""
        self.background.cancel()
        if self.lottery is not None:
            await self.lottery.close()
        await self.dealers.close()
        await self.background.ended()
        with contextlib.suppress(CardroomError):  # the next start reads a little more of the log
            await self.following.save()
            self.following.keep_mark()
        self.clock_watch.keep_note()
        self.database.close()
        self.passwords.close()
        self.journal.close()

    # What the rooms tell each other.

    def _hear(self, logged: LogRecord, finished: Finished | None) -> None:
        """Those who must look again after a record: clock, archive, coach, and the screens of tables."""
        self._hear_time(logged)
        if finished is not None:
            self.past.keep(finished)
            if self.is_open:
                self.judging.hear(finished)
        elif logged.kind == RoundJudged.__name__:
            judged, _ = logged.read()
            assert isinstance(judged, RoundJudged)
            self.coach.apply(judged)
        elif logged.kind in (PlayDisabled.__name__, PlayEnabled.__name__):
            for table in self.memory.tables.values():
                self.hub.publish(table.topic)

    def _hear_time(self, logged: LogRecord) -> None:
        """A command beside the server may have another clock, or put the log's time right."""
        if not isinstance(self.clock, HouseClock):
            return
        if logged.kind == ClockPutBack.__name__:
            self.clock.start_anew()
            self.clock_watch.keep_note()
            self.tables.resume()
        self.clock.not_before(parse_time(logged.at))

    def clock_words(self) -> str | None:
        """What operators are told of the clock: that it has jumped, or that the lottery waits for a word."""
        waits = self.lottery is not None and self.lottery.waits_for_clock
        return self.clock_watch.words() or (self.lottery.waits_for if waits and self.lottery else None)

    def clock_needs_two(self) -> bool:
        """Whether going on with the time of day takes two people."""
        return self.clock_watch.needs_two or (self.lottery is not None and self.lottery.waits_for_clock)

    async def trust_clock(self, people: Sequence[str], reason: str) -> None:
        """People say that the time of day is right; everybody at a table has their whole time again."""
        if self.clock_words() is None:
            raise Conflict("the clock is as it is to be expected; sales are open")
        by, before = " and ".join(people), self.now()
        await threads.desk.run(self.clock_watch.trust, by=by, reason=reason)
        self.operators.move_time(self.now() - before)
        if self.lottery is not None and len(people) > 1:
            await threads.desk.run(self.lottery.accept_clock, people, reason)
        self.tables.resume()
        self.tables.open()

    def lock(self, name: str) -> asyncio.Lock:
        """The lock of whatever has a name, such as a player's purse."""
        return self.dealers.lock(name)

    def report(self, record: Record) -> None:
        """Record a significant event that nobody waits for (R-50)."""
        self.in_background(self.journal.perform(lambda: Plan([Entry(record)])))

    def in_background(self, work: Coroutine[Any, Any, Done]) -> asyncio.Task[Done]:
        """Do something beside the request that asked for it."""
        return self.background.start(work)
