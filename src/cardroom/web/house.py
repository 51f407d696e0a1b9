"""The house while it is open: its books, players, operators and tables, in one place."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import deque
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar

from cardroom.core.errors import CardroomError, Conflict
from cardroom.core.ids import GAME_IDS
from cardroom.fair.tokens import fresh_password, fresh_token
from cardroom.rules import load_rules
from cardroom.store.database import Clock
from cardroom.store.log import LogRecord
from cardroom.web.archive import Archive
from cardroom.web.clock import SystemClock
from cardroom.web.coach import Books, Coach
from cardroom.web.errors import NotFound
from cardroom.web.figures import figures_of
from cardroom.web.journal import Entry, Journal, Plan, RequestKey
from cardroom.web.live.dealers import Dealers
from cardroom.web.live.finished import FinishedRound
from cardroom.web.live.floor import Presence
from cardroom.web.live.hub import Hub
from cardroom.web.live.knockout52 import Finished, Knockout52Table, rules_with
from cardroom.web.live.table_rules import rules_of, without_meters
from cardroom.web.live.twentyone import TwentyOneTable
from cardroom.web.players.player import Player
from cardroom.web.players.register import Players
from cardroom.web.security.operators import FIRST_OPERATOR, Operator, Operators, hashed, parse_role
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
PUBLIC_GAMES: Final = {"linden": "blackjack", "alder": "spanish-21", "rowan": "players-edge-21"}
"""The tables of the blackjack family that are always there."""
KINDS: Final = (
    "BreakTaken",
    "ChipsTaken",
    "Knockout52CardDealt",
    "Knockout52DealStarted",
    "Knockout52GameEnded",
    "Knockout52ShoeCommitted",
    "Knockout52TableOpened",
    "Knockout52WagersPlaced",
    "LimitSet",
    "OperatorAppointed",
    "PlayDisabled",
    "PlayEnabled",
    "PlayerDisabled",
    "PlayerEnabled",
    "PlayerNamed",
    "PlayerWelcomed",
    "PrizeCredited",
    "RealityCheckSet",
    "RealityChecked",
    "RoundJudged",
    "TableRequestGranted",
    "TableRulesAnnounced",
    "TicketsGiven",
    "TicketsPaid",
    "TicketsRefunded",
    "TwentyOneRoundEnded",
    "TwentyOneTableOpened",
)
"""The records that the pages live by; the log holds others too."""
MOST_PRIVATE_TABLES: Final = 500
_PATIENCE_SECONDS: Final = 5.0
_WARM_AFTER_SECONDS: Final = 2.0
_HISTORY_PER_PLAYER: Final = 100
_TICKETS_PER_PLAYER: Final = 200


@dataclass(frozen=True, slots=True)
class HistoryLine:
    """A finished round as a line of a player's history (R-39)."""

    id: str
    game: str
    at: datetime
    stake_cents: int
    net_cents: int
    balance_cents: int


class House:
    """Everything that lives as long as the server; every change goes through the journal."""

    def __init__(self, settings: Settings, *, clock: Clock | None = None) -> None:
        self.settings = settings
        self.clock: Clock = clock or SystemClock()
        self.hub = Hub()
        self.players = Players()
        self.operators = Operators(settings)
        self.knockout52: dict[str, Knockout52Table] = {}
        self.history: dict[str, deque[HistoryLine]] = {}
        self.tickets: dict[str, deque[tuple[str, int]]] = {}
        """Each player's tickets: id and draw."""
        self.purchases: dict[str, deque[int]] = {}
        self._unsold: dict[str, tuple[Mapping[str, Any], int]] = {}
        """Tickets paid for and not given yet, by the key of the payment."""
        self.lottery: LotteryRoom | None = None
        self.disabled: set[str] = set()
        """What the house has closed: `all`, `game:…`, `table:…`, `terminal:…`."""
        self.tables: dict[str, TwentyOneTable] = {}
        self._unjudged: dict[str, FinishedRound] = {}
        """Rounds that are over and not in the coach's books yet, the oldest first."""
        self.dealers = Dealers(self.hub, self.now)
        self._reports: set[asyncio.Task[Any]] = set()
        self.first_password: str | None = None
        self.is_open = False
        self.database: Database = self._open()
        self.journal = Journal(self.database, self.apply)
        self.archive = Archive(self.database)
        self.coach = Coach(self.database)
        self._restore()

    def _open(self) -> Database:
        from pathlib import Path

        from cardroom.store.migrate import open_database

        if self.settings.database.startswith("sqlite:///"):
            Path(self.settings.database.removeprefix("sqlite:///")).parent.mkdir(parents=True, exist_ok=True)
        return open_database(self.settings.database, self.clock)

    def _restore(self) -> None:
        """Read the log from its beginning, then see to what must be there."""
        from cardroom.store.lottery import records

        with self.database.read() as connection:
            for record in records(connection, kinds=KINDS):
                self.apply(record)
        for table_id, changes in PUBLIC_TABLES.items():
            if table_id not in self.knockout52:
                self.journal.record_now(_opened(table_id, changes, owner=None))
        for table_id, game in PUBLIC_GAMES.items():
            if table_id not in self.tables:
                self.journal.record_now(_table_opened(table_id, game, {}, owner=None))
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
            self.journal.record_now(
                Entry(
                    "OperatorAppointed",
                    {
                        "name": FIRST_OPERATOR,
                        "role": "operator",
                        "password_hash": hashed(self.first_password),
                        "by": "the server's first start",
                    },
                )
            )

    def now(self) -> datetime:
        return self.clock.now()

    # Opening and closing with the server.

    def open(self) -> None:
        """Let the dealers go on where they were."""
        self.is_open = True
        for table in self.knockout52.values():
            self.wake(table)
        for other in self.tables.values():
            self.wake(other)
        for table_id in {finished.table for finished in self._unjudged.values()}:
            self.in_background(self._judge(table_id))
        if self.settings.lottery:
            self.in_background(self._open_lottery())
        if self.settings.warm:
            self.in_background(self._warm())

    async def _warm(self) -> None:
        """Compute the figures of all games one after another, once the first pages have been served."""
        await asyncio.sleep(_WARM_AFTER_SECONDS)
        for game in GAME_IDS:
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
        for content, price in list(self._unsold.values()):
            with contextlib.suppress(CardroomError):
                await lottery.complete(self.player(content["player"]), content, price)

    async def close(self) -> None:
        """Stop the dealers; what they have dealt is in the log."""
        for task in self._reports:
            task.cancel()
        if self.lottery is not None:
            await self.lottery.close()
        await self.dealers.close()
        await asyncio.gather(*self._reports, return_exceptions=True)
        self.database.close()

    # The log.

    def apply(self, record: LogRecord) -> None:
        """Take a record into memory: the only way in which anything here changes."""
        self.players.apply(record)
        content = record.content
        match record.kind:
            case "Knockout52TableOpened":
                self.knockout52[content["table"]] = Knockout52Table(
                    content["table"],
                    rules_with(content["options"]),
                    self.settings.key,
                    self.settings.card_seconds,
                    self.settings.wager_seconds,
                    owner=content["owner"],
                    presence=Presence(self.settings.gone_seconds),
                )
            case "OperatorAppointed":
                role = parse_role(content["role"])
                self.operators.appoint(Operator(content["name"], role, content["password_hash"]))
            case "PlayDisabled":
                self.disabled.add(content["what"])
                self._mark_tables()
            case "PlayEnabled":
                self.disabled.discard(content["what"])
                self._mark_tables()
            case "TicketsPaid":
                self._unsold[content["key"]] = (content, content["transfers"][-1][2])
            case "TicketsRefunded":
                self._unsold.pop(content["key"], None)
            case "TicketsGiven":
                self._unsold.pop(content["key"], None)
                self._given(content)
            case "TwentyOneTableOpened":
                self.tables[content["table"]] = TwentyOneTable.opened(content, self.settings)
            case "TableRequestGranted" | "TableRulesAnnounced" | "TwentyOneRoundEnded" | "TwentyOneShoeEnded":
                finished = self.tables[content["table"]].apply(record)
                if finished is not None:
                    self._remember_round(finished)
            case "RoundJudged":
                self._unjudged.pop(content["round"], None)
                self.coach.apply(record)
            case kind if kind.startswith("Knockout52"):
                table = self.knockout52[content["table"]]
                table.apply(record)
                if kind == "Knockout52GameEnded" and table.last is not None:
                    self._remember(table.last)
            case _:
                pass

    def _given(self, content: Mapping[str, Any]) -> None:
        player = content["player"]
        own = self.tickets.setdefault(player, deque(maxlen=_TICKETS_PER_PLAYER))
        own.extend((ticket, draw) for ticket, draw in content["tickets"])
        self.purchases.setdefault(player, deque(maxlen=_TICKETS_PER_PLAYER)).append(content["purchase"])

    def _mark_tables(self) -> None:
        for table in self.knockout52.values():
            table.enabled = not self.disabled & {"all", "game:knockout-52", f"table:{table.id}"}
            self.hub.publish(table.topic)
        for other in self.tables.values():
            other.enabled = not self.disabled & {"all", f"game:{other.game}", f"table:{other.id}"}
            self.hub.publish(other.topic)

    def _remember_round(self, finished: FinishedRound) -> None:
        self.archive.keep(finished)
        self._unjudged[finished.id] = finished
        if self.is_open:
            self.in_background(self._judge(finished.table))
        for name, player_id in finished.players.items():
            self._add_history(
                player_id,
                finished.id,
                finished.game,
                finished.ended_at,
                finished.staked_cents[name],
                finished.net_cents[name],
            )

    def _add_history(
        self, player_id: str, round_id: str, game: str, at: datetime, stake_cents: int, net_cents: int
    ) -> None:
        lines = self.history.setdefault(player_id, deque(maxlen=_HISTORY_PER_PLAYER))
        balance = self.players.get(player_id).chips_cents
        lines.append(HistoryLine(round_id, game, at, stake_cents, net_cents, balance))

    def _remember(self, finished: Finished) -> None:
        from cardroom.engine.knockout52 import net_cents

        self.archive.keep(finished)
        net = net_cents(finished.game)
        for seated in finished.seated:
            stake = sum(seated.stakes.values())
            self._add_history(
                seated.player, finished.id, "knockout-52", finished.ended_at, stake, net[seated.name]
            )

    def report(self, kind: str, content: dict[str, str]) -> None:
        """Record a significant event that nobody waits for (R-50)."""
        self.in_background(self.journal.perform(lambda: Plan([Entry(kind, content)])))

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
        self.require_enabled("game:knockout-52")
        rules_with(options)
        if sum(table.owner is not None for table in self.knockout52.values()) >= MOST_PRIVATE_TABLES:
            raise Conflict("all private tables are taken; sit down at an open one")
        table_id = fresh_token()[:12]
        answer = await self.journal.perform(
            lambda: Plan([_opened(table_id, options, owner=owner.id)], {"table": table_id}), key=key
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
            for finished in [one for one in self._unjudged.values() if one.table == table_id]:
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
        options = {**options, **without_meters(rules, options)}
        if sum(table.owner is not None for table in self.tables.values()) >= MOST_PRIVATE_TABLES:
            raise Conflict("all private tables are taken; sit down at an open one")
        table_id = fresh_token()[:12]
        entry = _table_opened(table_id, game, options, owner=owner.id)
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
        running: dict[str, int] = dict.fromkeys(GAME_IDS, 0)
        running["knockout-52"] = sum(table.dealing for table in self.knockout52.values())
        for table in self.tables.values():
            running[table.game] += table.dealing
        return running


def _opened(table_id: str, options: Mapping[str, object], *, owner: str | None) -> Entry:
    return Entry("Knockout52TableOpened", {"table": table_id, "options": dict(options), "owner": owner})


def _table_opened(table_id: str, game: str, options: Mapping[str, object], *, owner: str | None) -> Entry:
    content = {"table": table_id, "game": game, "options": dict(options), "owner": owner}
    return Entry("TwentyOneTableOpened", content)
