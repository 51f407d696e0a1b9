"""The tables of the house: found, opened, asked for something, and woken when something is due."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any, Final, TypeVar

from cardroom.core.errors import CardroomError, Conflict
from cardroom.fair.tokens import fresh_token
from cardroom.games import GAMES
from cardroom.records.tables import TableClosed
from cardroom.rules import HouseRules, load_rules
from cardroom.store.plan import Entry, Plan
from cardroom.table.running import USUAL, RunningTable, Style, table_class
from cardroom.web.advice import advise
from cardroom.web.errors import ClosedTable, NotFound
from cardroom.web.journal import Journal, RequestKey
from cardroom.web.live.dealers import Dealers
from cardroom.web.memory import Memory
from cardroom.web.players.player import Player
from cardroom.web.players.purse import PlayerPurse

MOST_PRIVATE_TABLES: Final = 500
MOST_PRIVATE_TABLES_OF_ONE: Final = 3
_SECONDS_BETWEEN_LOOKS: Final = 20.0
_MOST_THINKING_SECONDS: Final = 60.0
"""A solution of rules that nobody has played by yet takes some seconds."""

logger = logging.getLogger("cardroom.web")
Kind = TypeVar("Kind", bound=RunningTable)


class Tables:
    """Every table, whatever is played there."""

    def __init__(
        self,
        memory: Memory,
        journal: Journal,
        dealers: Dealers,
        now: Callable[[], datetime],
        *,
        private_minutes: float,
    ) -> None:
        self._memory = memory
        self._journal = journal
        self._dealers = dealers
        self._now = now
        self._private_time = timedelta(minutes=private_minutes)
        self._used: dict[str, datetime] = {}
        """When somebody last asked something of a private table, or had its page open."""

    def __contains__(self, table_id: str) -> bool:
        return table_id in self._memory.tables

    def find(self, kind: type[Kind], table_id: str) -> Kind:
        """A table of one kind by its id."""
        table = self._table_unless_broken(table_id)
        if not isinstance(table, kind):
            raise NotFound(f"there is no {kind.called} {table_id[:40]!r}")
        return table

    def get(self, table_id: str) -> RunningTable:
        """A table of any kind by its id."""
        table = self._table_unless_broken(table_id)
        if table is None:
            raise NotFound(f"there is no table {table_id[:40]!r}")
        return table

    def _table_unless_broken(self, table_id: str) -> RunningTable | None:
        if (broken := self._memory.broken.get(table_id)) is not None:
            raise ClosedTable(
                f"the table {broken.id} is closed: record {broken.oddity.seq} of the house's log does not "
                "fit what came before it. Stakes of its unfinished round are held until two people of the "
                "house have settled it"
            )
        return self._memory.tables.get(table_id)

    def all(self, kind: type[Kind]) -> list[Kind]:
        """The tables of one kind."""
        return [table for table in self._memory.tables.values() if isinstance(table, kind)]

    def listed(self, kind: type[Kind], visitor: str | None = None) -> list[Kind]:
        """The house's own tables of one kind, and those of a visitor."""
        return [table for table in self.all(kind) if table.owner is None or table.owner == visitor]

    def of_the_house(self) -> list[RunningTable]:
        """The house's own tables of all games, in the order of the games."""
        order = list(GAMES)
        own = [table for table in self._memory.tables.values() if table.owner is None]
        return sorted(own, key=lambda table: order.index(table.rules.game))

    def rounds_running(self) -> dict[str, int]:
        """How many rounds of each game are in play now."""
        running: dict[str, int] = dict.fromkeys(GAMES, 0)
        for table in self._memory.tables.values():
            running[table.rules.game] += table.dealing
        return running

    # Opening.

    def prepare(self) -> None:
        """Before the server listens: the house's own tables, and the first cards of every table."""
        for game in GAMES.values():
            for table_id, changes in game.open_tables.items():
                if table_id not in self._memory.tables and table_id not in self._memory.broken:
                    self._journal.record_now(*self._opening(table_id, load_rules(game.id, changes), None))
        for table in list(self._memory.tables.values()):
            if (first := table.first_plan()) is not None:  # of a log from before the two were one commit
                self._journal.record_now(*first.entries)
        self.resume()

    def resume(self) -> None:
        """After the server was away, or its time was put right, everybody has their whole time again."""
        now = self._now()
        for table in self._memory.tables.values():
            table.resume(now)
            if table.id in self._used:
                self._used[table.id] = now

    def _opening(
        self, table_id: str, rules: HouseRules, owner: str | None, style: Style = USUAL
    ) -> list[Entry]:
        """A new table and what it does before anything else: one commit."""
        opening = table_class(rules.game).opening(table_id, rules, owner, style)
        first = self._memory.new_table(table_id, rules, owner, style).first_plan()
        assert first is not None
        return [opening, *first.entries]

    def open(self) -> None:
        """Let the dealers go on where they were."""
        for table in self._memory.tables.values():
            self.wake(table)

    async def open_private(
        self,
        owner: Player,
        game: str,
        options: Mapping[str, object],
        key: RequestKey,
        style: Style = USUAL,
    ) -> str:
        """A table of a player's own; who asks again under the same key is told of the same table."""

        def plan() -> Plan:
            self._memory.require_enabled(f"game:{game}")
            self._require_room_for(owner)
            rules = table_class(game).private_rules(game, options)
            table_id = fresh_token()[:12]
            return Plan(self._opening(table_id, rules, owner.id, style), {"table": table_id})

        answer = await self._journal.perform(plan, key=key)
        opened: str = answer["table"]
        if (table := self._memory.tables.get(opened)) is not None:  # it may have been closed since
            self.wake(table)
        return opened

    def _require_room_for(self, owner: Player) -> None:
        """Refuse one more private table, of this player or in all."""
        owners = [table.owner for table in self._memory.tables.values() if table.owner is not None]
        if owners.count(owner.id) >= MOST_PRIVATE_TABLES_OF_ONE:
            raise Conflict(f"you have {MOST_PRIVATE_TABLES_OF_ONE} tables of your own; play at one of them")
        if len(owners) >= MOST_PRIVATE_TABLES:
            raise Conflict("all private tables are taken; sit down at an open one")

    async def keep_closing(self) -> None:
        """Close private tables that nobody has been at for long, for as long as the server runs."""
        while True:
            await self.close_forsaken()
            await asyncio.sleep(_SECONDS_BETWEEN_LOOKS)

    async def close_forsaken(self) -> None:
        """Close private tables that nobody has been at for long."""
        now = self._now()
        for table in [table for table in self._memory.tables.values() if table.owner is not None]:
            if table.presence.anybody or table.dealing or table.floor.frozen is not None:
                self._used[table.id] = now
            elif now - self._used.setdefault(table.id, now) >= self._private_time:
                try:
                    await self._close(table)
                except CardroomError as error:
                    logger.error("%s stays open: %s", table.topic, error.message)

    async def _close(self, table: RunningTable) -> None:
        def plan() -> Plan:
            is_used = table.presence.anybody or table.dealing or table.floor.frozen is not None
            if is_used or table.id not in self._memory.tables:
                return Plan([])
            return Plan([*table.closing().entries, Entry(TableClosed(table=table.id))])

        async with self._dealers.lock(table.topic):
            await self._journal.perform(plan)
        if table.id not in self._memory.tables:
            self._used.pop(table.id, None)

    # What people ask of a table.

    def purse(self, player_id: str) -> PlayerPurse:
        """A player's purse, as it is now."""
        return PlayerPurse(self._memory.players.get(player_id), self._now())

    async def ask(
        self,
        table: RunningTable,
        plan: Callable[[], Plan],
        key: RequestKey | None = None,
        *,
        player: Player | None = None,
        by_floor: bool = False,
    ) -> Mapping[str, Any]:
        """Do something at a table, for a player whose purse it may change, and let its dealer go on.

        While the floor has frozen the table, only the floor does anything there.
        """

        def planned() -> Plan:
            if not by_floor:
                table.floor.require_free()
            return plan()

        self._used[table.id] = self._now()
        async with contextlib.AsyncExitStack() as held:
            if player is not None:
                # A purse is looked at and changed by one request at a time, whichever tables they are for.
                await held.enter_async_context(self._dealers.lock(player.account))
            await held.enter_async_context(self._dealers.lock(table.topic))
            if self._memory.tables.get(table.id) is not table:
                raise NotFound(f"the table {table.id!r} was closed; nobody had been there for long")
            answer = await self._journal.perform(planned, key=key)
        self.wake(table)
        return answer

    async def stake(
        self,
        table: RunningTable,
        player: Player,
        plan: Callable[[PlayerPurse], Plan],
        key: RequestKey,
    ) -> Mapping[str, Any]:
        """Do something that may take chips from a player's purse; who is new gets the welcome chips first."""

        def planned() -> Plan:
            purse = self.purse(player.id)
            staked = plan(purse)
            return Plan([*self._memory.players.welcome(purse.player), *staked.entries], staked.answer)

        return await self.ask(table, planned, key, player=player)

    async def hurry(self, table: RunningTable, wish: Callable[[], None]) -> None:
        """Do something that only moves what is due, and is no part of the log."""
        async with self._dealers.lock(table.topic):
            table.floor.require_free()
            wish()
        self.wake(table)

    def wake(self, table: RunningTable) -> None:
        """A table has changed: its watchers and its dealer look again."""
        self._dealers.wake(
            table,
            self._journal,
            lambda: table.step(self.purse, self._now()),
            lambda: self._think(table),
            lambda: self._memory.tables.get(table.id) is table,
        )

    @staticmethod
    async def _think(table: RunningTable) -> None:
        """Give a computer player the time to think; who comes to nothing leaves it to the clock."""
        with contextlib.suppress(CardroomError, TimeoutError):
            async with asyncio.timeout(_MOST_THINKING_SECONDS):
                await table.think(advise)
