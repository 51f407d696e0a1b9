"""The house while it is open: its books, players, operators and tables, in one place."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Coroutine, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar

from cardroom.core.errors import CardroomError, Conflict, MalformedInput
from cardroom.fair.tokens import fresh_password, fresh_token
from cardroom.games import BLACKJACK, GAMES, KNOCKOUT_52, PLAYERS_EDGE_21, SPANISH_21
from cardroom.records import Record
from cardroom.records.house import OperatorAppointed, PlayDisabled, PlayEnabled
from cardroom.records.tables import Knockout52TableOpened, RoundJudged, TwentyOneTableOpened
from cardroom.rules import change_rules, load_rules
from cardroom.rules.knockout52 import Knockout52Rules
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.store.checkpoints import Checkpoints
from cardroom.store.database import Clock
from cardroom.store.log import LogRecord
from cardroom.store.rules import RulesBook
from cardroom.web.archive import Archive
from cardroom.web.clock import SystemClock
from cardroom.web.coach import Books, Coach
from cardroom.web.errors import NotFound
from cardroom.web.figures import figures_of
from cardroom.web.journal import Entry, Journal, Plan, RequestKey
from cardroom.web.live.dealers import Dealers
from cardroom.web.live.finished import FinishedRound
from cardroom.web.live.hub import Hub
from cardroom.web.live.knockout52 import Finished, Knockout52Table, rules_with
from cardroom.web.live.table_rules import rules_of, without_meters
from cardroom.web.live.twentyone import TwentyOneTable
from cardroom.web.memory import PLAYER, VERSION, Memory
from cardroom.web.players.player import Player
from cardroom.web.players.register import Players
from cardroom.web.security.operators import FIRST_OPERATOR, Operators, hashed
from cardroom.web.settings import Settings

if TYPE_CHECKING:
    from cardroom.store.database import Database
    from cardroom.web.live.lottery import LotteryRoom

logger = logging.getLogger("cardroom.web")
Done = TypeVar("Done")

PUBLIC_TABLES: Final[Mapping[str, Mapping[str, object]]] = {
    "willow": {"decks": 1},
    "heron": {"decks": 8},
}
"""The Knockout 52 tables that are always there, and their house options."""
PUBLIC_GAMES: Final = {"linden": BLACKJACK.id, "alder": SPANISH_21.id, "rowan": PLAYERS_EDGE_21.id}
"""The tables of the blackjack family that are always there."""
MOST_PRIVATE_TABLES: Final = 500
_PATIENCE_SECONDS: Final = 5.0
_WARM_AFTER_SECONDS: Final = 2.0
_RECORDS_BETWEEN_CHECKPOINTS: Final = 2_000
_SECONDS_BETWEEN_LOOKS: Final = 5.0
"""So often the house looks whether a checkpoint is due, and whether others have written into the log."""
_PROGRESS_EVERY: Final = 100_000


class House:
    """Everything that lives as long as the server; every change goes through the journal."""

    def __init__(self, settings: Settings, *, clock: Clock | None = None) -> None:
        self.settings = settings
        self.clock: Clock = clock or SystemClock()
        self.hub = Hub()
        self.lottery: LotteryRoom | None = None
        self.dealers = Dealers(self.hub, self.now)
        self._reports: set[asyncio.Task[Any]] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self.first_password: str | None = None
        self.is_open = False
        self.database: Database = self._open()
        self.rules_book = RulesBook(self.database)
        self.checkpoints = Checkpoints(self.database, VERSION)
        self.archive = Archive(self.database, self.rules_book)
        self.coach = Coach(self.database)
        self.journal = Journal(self.database)
        self.memory = self._restored()
        self._saved_seq = self.memory.head.seq
        self.database.follow(self._follow, after=self.memory.head.seq)
        self._see_to_what_must_be_there()

    @property
    def players(self) -> Players:
        return self.memory.players

    @property
    def operators(self) -> Operators:
        return self.memory.operators

    @property
    def tables(self) -> dict[str, TwentyOneTable]:
        return self.memory.tables

    @property
    def knockout52(self) -> dict[str, Knockout52Table]:
        return self.memory.knockout52

    @property
    def disabled(self) -> set[str]:
        return self.memory.disabled

    def _open(self) -> Database:
        from cardroom.store.migrate import open_database

        return open_database(self.settings.database, self.clock)

    def _restored(self) -> Memory:
        """Memory from the last checkpoint and the records after it; from all records where none holds."""
        checkpoint = self.checkpoints.last()
        if checkpoint is not None:
            memory = self._new_memory()
            try:
                memory.restore(checkpoint.head, self.checkpoints, self.archive.read)
                return self._folded(memory)
            except (CardroomError, KeyError, TypeError, ValueError) as error:
                logger.warning("the checkpoint is put away, and the log is read anew: %s", error)
        self.checkpoints.discard()
        return self._folded(self._new_memory())

    def _new_memory(self) -> Memory:
        return Memory(self.settings, self.rules_book, lambda player: self.checkpoints.part(PLAYER + player))

    def _folded(self, memory: Memory) -> Memory:
        """Take in what the log holds beyond what is known; saved on the way, so that none is read twice."""
        from cardroom.store.unit import read_log

        first = memory.head.seq
        with self.database.read() as connection:
            for record in read_log(connection, after=first):
                memory.apply(record)
                if (record.seq - first) % _PROGRESS_EVERY == 0:
                    logger.warning("reading the log: %s records", f"{record.seq:,}")
                    self.checkpoints.save(memory.head, memory.take_changed())
                    memory.let_go()
        return memory

    def _see_to_what_must_be_there(self) -> None:
        """The house's own tables, their first cards, and somebody who may log in."""
        for table_id, changes in PUBLIC_TABLES.items():
            if table_id not in self.knockout52:
                self.journal.record_now(_opened(table_id, rules_with(changes), owner=None))
        for table_id, game in PUBLIC_GAMES.items():
            if table_id not in self.tables:
                self.journal.record_now(_table_opened(table_id, rules_of(game, {}), owner=None))
        for open_table in self.tables.values():
            if open_table.steps == 0:
                for entry in open_table.open().entries:
                    self.journal.record_now(entry)
            open_table.resume(self.now())
        for table in self.knockout52.values():
            if table.commitment is None:
                self.journal.record_now(table.commit_shoe())
            table.resume(self.now())
        if not len(self.operators):
            self.first_password = fresh_password()
            first = OperatorAppointed(
                name=FIRST_OPERATOR,
                role="operator",
                password_hash=hashed(self.first_password),
                by="the server's first start",
            )
            self.journal.record_now(Entry(first))

    def now(self) -> datetime:
        return self.clock.now()

    # Opening and closing with the server.

    def open(self) -> None:
        """Let the dealers go on where they were."""
        self.is_open = True
        self._loop = asyncio.get_running_loop()
        self.in_background(self._keep_checkpoints())
        for table in self.knockout52.values():
            self.wake(table)
        for other in self.tables.values():
            self.wake(other)
        for table_id in {finished.table for finished in self.memory.unjudged.values()}:
            self.in_background(self._judge(table_id))
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

        lottery = await asyncio.to_thread(prepare)
        lottery.open()
        self.lottery = lottery

    async def close(self) -> None:
        """Stop the dealers; what they have dealt is in the log."""
        for task in self._reports:
            task.cancel()
        if self.lottery is not None:
            await self.lottery.close()
        await self.dealers.close()
        await asyncio.gather(*self._reports, return_exceptions=True)
        with contextlib.suppress(CardroomError):  # the next start reads a little more of the log
            await self._save()
        self.database.close()

    # The log.

    def _follow(self, records: Sequence[LogRecord]) -> None:
        """Take records in where memory lives: in the server's loop, or here before there is one."""
        if self._loop is None:
            self._take(records)
        else:
            self._loop.call_soon_threadsafe(self._take, records)

    def _take(self, records: Sequence[LogRecord]) -> None:
        """The only way in which anything in memory changes."""
        for logged in records:
            finished = self.memory.apply(logged)
            self._tell(logged)
            if finished is not None:
                self.archive.keep(finished)
                if self.is_open and isinstance(finished, FinishedRound):
                    self.in_background(self._judge(finished.table))

    def _tell(self, logged: LogRecord) -> None:
        """Those who must look again after a record: the coach's books, and the screens of tables."""
        if logged.kind == RoundJudged.__name__:
            judged, _ = logged.read()
            assert isinstance(judged, RoundJudged)
            self.coach.apply(judged)
        elif logged.kind in (PlayDisabled.__name__, PlayEnabled.__name__):
            for table in self.memory.all_tables():
                self.hub.publish(table.topic)

    async def _keep_checkpoints(self) -> None:
        """Save what changed, every so many records, and hear of records that others have written."""
        while True:
            await asyncio.sleep(_SECONDS_BETWEEN_LOOKS)
            try:
                await asyncio.to_thread(self.database.catch_up)
                if self.memory.head.seq - self._saved_seq >= _RECORDS_BETWEEN_CHECKPOINTS:
                    await self._save()
            except CardroomError as error:
                logger.error("the checkpoint waits: %s", error.message)

    async def _save(self) -> None:
        """Make a checkpoint of this moment."""
        head = self.memory.head
        if head.seq == self._saved_seq:
            return
        changed = self.memory.take_changed()
        try:
            await asyncio.to_thread(self.checkpoints.save, head, changed)
        except BaseException:
            self.memory.mark_changed(changed)
            raise
        self.memory.let_go()
        self._saved_seq = head.seq

    def report(self, record: Record) -> None:
        """Record a significant event that nobody waits for (R-50)."""
        self.in_background(self.journal.perform(lambda: Plan([Entry(record)])))

    def in_background(self, work: Coroutine[Any, Any, Done]) -> asyncio.Task[Done]:
        """Do something beside the request that asked for it."""
        task = asyncio.get_running_loop().create_task(work)
        self._reports.add(task)
        task.add_done_callback(self._reports.discard)
        return task

    # Players.

    def player(self, player_id: str) -> Player:
        return self.players.get(player_id)

    def require_enabled(self, *what: str) -> None:
        """Refuse play that the house has closed (R-46)."""
        closed = self.disabled & {"all", *what}
        if closed:
            raise Conflict(f"closed by the house: {', '.join(sorted(closed))}")

    # Knockout 52.

    def knockout52_table(self, table_id: str) -> Knockout52Table:
        table = self.knockout52.get(table_id)
        if table is None:
            raise NotFound(f"there is no Knockout 52 table {table_id[:40]!r}")
        return table

    async def finished_game(self, game_id: str) -> Finished:
        """A finished game by its id."""
        found = await self.archive.find(game_id)
        if not isinstance(found, Finished):
            raise NotFound(f"there is no finished game {game_id[:40]!r}")
        return found

    async def open_knockout52(self, owner: Player, options: Mapping[str, object], key: RequestKey) -> str:
        """A table of a player's own."""
        self.require_enabled(f"game:{KNOCKOUT_52.id}")
        rules = rules_with(options)
        if sum(table.owner is not None for table in self.knockout52.values()) >= MOST_PRIVATE_TABLES:
            raise Conflict("all private tables are taken; sit down at an open one")
        table_id = fresh_token()[:12]
        answer = await self.journal.perform(
            lambda: Plan([_opened(table_id, rules, owner=owner.id)], {"table": table_id}), key=key
        )
        opened: str = answer["table"]
        table = self.knockout52_table(opened)
        async with self.lock(table.topic):
            if table.commitment is None:
                await self.journal.perform(lambda: Plan([table.commit_shoe()]))
        return opened

    async def place_knockout52(
        self, table: Knockout52Table, player: Player, stakes: Mapping[str, int], salt: str, key: RequestKey
    ) -> Mapping[str, Any]:
        """Stand a player's wagers on the layout."""

        def plan() -> Plan:
            now = self.player(player.id)
            placed = table.place(now, stakes, salt, self.now())
            return Plan([*self.players.welcome(now), *placed.entries], placed.answer)

        # A purse is looked at and changed by one request at a time, whichever tables they are for.
        async with self.lock(player.account), self.lock(table.topic):
            answer = await self.journal.perform(plan, key=key)
        self.wake(table)
        return answer

    async def deal_knockout52(self, table: Knockout52Table, player: Player) -> None:
        async with self.lock(table.topic):
            if table.dealing:
                table.hurry(player, self.now())
            else:
                table.ask_for_deal(player, self.now())
        self.wake(table)

    def lock(self, name: str) -> asyncio.Lock:
        return self.dealers.lock(name)

    def wake(self, table: Knockout52Table | TwentyOneTable) -> None:
        """A table has changed: its watchers and its dealer look again."""
        if isinstance(table, TwentyOneTable):
            self.dealers.wake(table, self.journal, lambda: table.step(self._seated(table), self.now()))
        else:
            self.dealers.wake(table, self.journal, lambda: table.step(self.now()))

    def _seated(self, table: TwentyOneTable) -> dict[str, Player]:
        return {player: self.player(player) for player in table.names.values()}

    # Blackjack, Spanish 21, Player's Edge 21.

    def table(self, table_id: str) -> TwentyOneTable:
        found = self.tables.get(table_id)
        if found is None:
            raise NotFound(f"there is no table {table_id[:40]!r}")
        return found

    async def finished_round(self, round_id: str) -> FinishedRound:
        """A finished round by its id."""
        found = await self.archive.find(round_id)
        if not isinstance(found, FinishedRound):
            raise NotFound(f"there is no finished round {round_id[:40]!r}")
        return found

    async def books(self, player_id: str, table_id: str) -> Books:
        """The coach's books of a player at a table, with the rounds that are over by now."""
        await asyncio.wait({self.in_background(self._judge(table_id))}, timeout=_PATIENCE_SECONDS)
        return await self.coach.books(player_id, table_id)

    async def _judge(self, table_id: str) -> None:
        """Judge the rounds of a table that are over, one after another."""
        async with self.lock(f"coach:{table_id}"):
            for finished in [one for one in self.memory.unjudged.values() if one.table == table_id]:
                try:
                    judgement = await self.coach.judge(finished)
                    await self.journal.perform(partial(Plan, [judgement]))
                except CardroomError as error:
                    logger.error("the coach will judge %s later: %s", finished.id, error.message)
                    return

    async def open_table(
        self, owner: Player, game: str, options: Mapping[str, object], key: RequestKey
    ) -> str:
        """A table of a player's own."""
        self.require_enabled(f"game:{game}")
        rules = rules_of(game, options)
        if rules.game != game:
            raise MalformedInput(f"a table of {game} cannot be one of {rules.game}; name that game itself")
        rules = change_rules(rules, without_meters(rules, options))
        if sum(table.owner is not None for table in self.tables.values()) >= MOST_PRIVATE_TABLES:
            raise Conflict("all private tables are taken; sit down at an open one")
        table_id = fresh_token()[:12]
        entry = _table_opened(table_id, rules, owner=owner.id)
        answer = await self.journal.perform(lambda: Plan([entry], {"table": table_id}), key=key)
        table = self.table(answer["table"])
        await self.at_table(table, lambda: table.open() if table.steps == 0 else Plan([]))
        return table.id

    async def at_table(
        self,
        table: TwentyOneTable,
        plan: Callable[[], Plan],
        key: RequestKey | None = None,
        *,
        player: Player | None = None,
    ) -> Mapping[str, Any]:
        """Do something at a table, for a player whose purse it may change, and let its dealer go on."""
        async with contextlib.AsyncExitStack() as held:
            if player is not None:
                await held.enter_async_context(self.lock(player.account))
            await held.enter_async_context(self.lock(table.topic))
            answer = await self.journal.perform(plan, key=key)
        self.wake(table)
        return answer

    def games_running(self) -> dict[str, int]:
        """How many rounds of each game are in play now."""
        running: dict[str, int] = dict.fromkeys(GAMES, 0)
        running[KNOCKOUT_52.id] = sum(table.dealing for table in self.knockout52.values())
        for table in self.tables.values():
            running[table.game] += table.dealing
        return running


def _opened(table_id: str, rules: Knockout52Rules, *, owner: str | None) -> Entry:
    record = Knockout52TableOpened(table=table_id, rules_hash=rules.rules_hash, owner=owner)
    return Entry(record, rules=rules)


def _table_opened(table_id: str, rules: TwentyOneRules, *, owner: str | None) -> Entry:
    record = TwentyOneTableOpened(table=table_id, game=rules.game, rules_hash=rules.rules_hash, owner=owner)
    return Entry(record, rules=rules)
