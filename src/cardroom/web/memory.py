"""What the log has folded to: players, operators, tables, and what the house has closed.

Memory changes only by records of the log, in their order. It is kept in parts, one for each player and table
and one for the house; parts that changed since the last checkpoint are known by name.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, assert_never

import msgspec

from cardroom.core.errors import Conflict, Unavailable
from cardroom.fair.sealing import WrongKey
from cardroom.records import (
    HouseRecord,
    LotteryRecord,
    PlayerRecord,
    PlayRecord,
    TableOpened,
    UnknownRecord,
    desk,
    floor,
    house,
    lottery,
    players,
    tables,
)
from cardroom.rules import HouseRules
from cardroom.store.ledger import Transfer
from cardroom.store.log import LogHead, LogRecord, parse_time
from cardroom.store.sealing import InUse
from cardroom.table.running import (
    USUAL,
    Finished,
    Lookup,
    RunningTable,
    Style,
    round_name,
    table_class,
)
from cardroom.web.broken import CONTRADICTIONS, BrokenTable, Oddity
from cardroom.web.coach import BOOKS
from cardroom.web.players.draws import DrawsInPlay
from cardroom.web.players.register import Players
from cardroom.web.security.operators import Operator, Operators

if TYPE_CHECKING:
    from cardroom.store.checkpoints import Checkpoints
    from cardroom.store.rules import RulesBook
    from cardroom.web.settings import Settings

logger = logging.getLogger("cardroom.web")

VERSION: Final = 6
"""The version of the parts; those of another version are made anew from the log."""
HOUSE: Final = "house"
PLAYER: Final = "player:"
TABLE: Final = "table:"
BROKEN: Final = "broken:"
MOST_UNJUDGED: Final = 2_000
"""Finished rounds that wait for the coach; of more the oldest is left unjudged."""
_EMPTY: Final[Mapping[str, Any]] = {
    "operators": [],
    "disabled": [],
    "unjudged": [],
    "guests": 0,
    "demonstration": None,
    "draws": DrawsInPlay().saved(),
}


TablelessRecord = (
    PlayerRecord
    | HouseRecord
    | LotteryRecord
    | tables.TableClosed
    | tables.TableCleared
    | tables.RoundJudged
    | floor.RoundCorrected
)
"""What is no word of a table that is there: it is taken in whatever became of tables."""


class Memory:
    """Everything that the pages know by heart."""

    def __init__(self, settings: Settings, rules: RulesBook, load_player: Players.Load) -> None:
        self._settings = settings
        self._rules = rules
        self.key_is_known = False
        """Whether the house's key was seen to be the one of this log."""
        self.head = LogHead(0, "")
        """The last record that was taken in."""
        self.players = Players(load_player)
        self.operators = Operators(settings)
        self.demonstration: bool | None = None
        """Whether the house is a demonstration; None before it was founded."""
        self.tables: dict[str, RunningTable] = {}
        self.broken: dict[str, BrokenTable] = {}
        """Tables of which the log tells something that cannot have happened."""
        self.oddities: list[Oddity] = []
        """Records that do not fit what came before them, and are of no table; nothing came of them."""
        self.disabled: set[str] = set()
        """What the house has closed: `all`, `game:…`, `table:…`, `terminal:…`."""
        self.unjudged: dict[str, Finished] = {}
        """Rounds that are over and not in the coach's books yet, the oldest first."""
        self.guests = 0
        """How many players have been given their first chips."""
        self._changed: set[str] = set()

    # Records.

    def apply(self, logged: LogRecord) -> Finished | None:
        """Take a record in; the round or game that is over by it, if one is.

        A record that cannot have happened closes its table, or is noted; it never stops the house.
        """
        self.head = LogHead(logged.seq, logged.hash)
        try:
            record, moves = logged.read()
        except UnknownRecord:
            raise  # of a newer program: this one must not go on as if it were not there
        except CONTRADICTIONS as error:
            self._note(Oddity.of(logged, error))
            return None
        at = parse_time(logged.at)
        try:
            self.players.apply(record, moves, at, logged.seq)
        except Unavailable:
            raise
        except CONTRADICTIONS as error:
            self._note(Oddity.of(logged, error))
        if not isinstance(record, PlayRecord | TableOpened):
            try:
                self._apply(record, logged)
            except Unavailable:
                raise
            except CONTRADICTIONS as error:
                self._note(Oddity.of(logged, error))
            return None
        self._changed.add(TABLE + record.table)
        if record.table in self.broken:
            return self._hear_of_broken(self.broken[record.table], record, at)
        try:
            return self._apply_to_table(record, at)
        except Unavailable:
            raise
        except CONTRADICTIONS as error:
            if isinstance(error, WrongKey) and not self.key_is_known:
                raise
            self._break(record, Oddity.of(logged, error), moves)
            return None

    def _apply_to_table(self, record: PlayRecord | TableOpened, at: datetime) -> Finished | None:
        if isinstance(record, PlayRecord):
            finished = self.tables[record.table].apply(record, at)
            if finished is not None:
                self._round_over(finished)
            return finished
        if record.table in self.tables:
            raise Conflict(f"the table {record.table} is open already")
        style = Style.of(record.computers, record.speed)
        self._open_table(record.table, record.rules_hash, record.owner, style)
        self._mark_tables()
        return None

    def _hear_of_broken(
        self, table: BrokenTable, record: PlayRecord | TableOpened, at: datetime
    ) -> Finished | None:
        self._changed.add(BROKEN + table.id)
        try:
            finished = table.hear(record, at, self._find_rules)
        except CONTRADICTIONS as error:
            logger.error("of the closed table %s: %s", table.id, error)
            return None
        if finished is not None:
            self.players.add_round(finished)
        return finished

    def _break(self, record: PlayRecord | TableOpened, oddity: Oddity, moves: Sequence[Transfer]) -> None:
        """Close a table for good, until it is cleared."""
        table_id = record.table
        table = self.tables.pop(table_id, None)
        if table is not None:
            broken = BrokenTable.of(table, oddity)
        elif isinstance(record, TableOpened):  # under rules that cannot be read: it never opens again
            broken = BrokenTable(table_id, record.game, "", record.owner, oddity, 0, 0)
        else:
            named = [account for move in moves for account in (move.source, move.target)]
            game = next((name.split(":")[1] for name in named if name.startswith("play:")), "")
            broken = BrokenTable(table_id, game, "", None, oddity, 0, 0)
        self.broken[table_id] = broken
        self._changed |= {TABLE + table_id, BROKEN + table_id}
        logger.error("the table %s is closed: %s; `cardroom repair` shows what to do", table_id, oddity)

    def _note(self, oddity: Oddity) -> None:
        self.oddities.append(oddity)
        self._changed.add(HOUSE)
        logger.error("%s; nothing came of it", oddity)

    def _apply(self, record: TablelessRecord, logged: LogRecord) -> None:
        match record:
            case tables.TableClosed():
                if self.tables.pop(record.table, None) is None:
                    raise Conflict(f"there is no table {record.table} to be closed")
                self._changed.add(TABLE + record.table)
            case tables.TableCleared():
                self._clear(record)
            case tables.RoundJudged():
                self.unjudged.pop(record.round, None)
                self._changed.add(HOUSE)
            case house.HouseFounded():
                self.demonstration = record.demonstration
                self._changed.add(HOUSE)
            case house.OperatorAppointed() | house.PasswordChanged() | house.SecondFactorSet():
                self.operators.apply(record, parse_time(logged.at))
                self._changed.add(HOUSE)
            case house.PlayDisabled():
                self._switch(record.what, off=True)
            case house.PlayEnabled():
                self._switch(record.what, off=False)
            case players.PlayerWelcomed():
                self.guests += 1
                self._changed.add(HOUSE)
            case (
                lottery.TicketsSold()
                | lottery.DrawSettled()
                | lottery.DrawVoided()
                | lottery.PrizePaid()
                | lottery.PrizesExpired()
                | lottery.ExpiryCorrected()
            ):
                self._changed.add(HOUSE)  # the register of players has them, and the draws in play
            case (
                players.ChipsTaken()
                | players.PlayerNamed()
                | players.LimitSet()
                | players.BreakTaken()
                | players.RealityCheckSet()
                | players.RealityChecked()
                | players.PlayerDisabled()
                | players.PlayerEnabled()
                | floor.RoundCorrected()
            ):
                pass  # the register of players has them
            case (
                house.LoggedIn()
                | house.LoggedOut()
                | house.LoginRefused()
                | house.CookieRefused()
                | house.RequestRefused()
                | house.LogChecked()
                | house.SettingChanged()
                | house.SecretsRetired()
                | house.ClockAccepted()
                | house.ClockPutBack()
                | house.ZoneDataChanged()
                | house.DrawVerified()
                | house.OverrideRefused()
                | house.DrawOverridden()
                | lottery.DayCommitted()
                | lottery.LotteryRulesSet()
                | lottery.DaysWithoutDraws()
                | lottery.DrawOpened()
                | lottery.DrawPostponed()
                | lottery.DrawClosed()
                | lottery.DrawSealed()
                | lottery.DrawHeld()
                | lottery.DrawReleased()
                | lottery.DrawDrawn()
                | lottery.LargeWinNoted()
                | lottery.ChoicesSaved()
                | lottery.ChoicesMade()
                | lottery.TicketAltered()
                | lottery.TicketChecked()
                | lottery.ClaimRefused()
                | lottery.RowsRebuilt()
                | desk.LostTicketSought()
                | desk.TicketStopped()
                | desk.StopLifted()
                | desk.TicketReissued()
                | desk.ApprovalAsked()
                | desk.PrizeApproved()
                | desk.PrizeDeclined()
            ):
                pass  # they are read from the database by whoever asks
            case _:
                assert_never(record)

    def _clear(self, record: tables.TableCleared) -> None:
        """A table begins anew, and the stakes of its unfinished round have gone back."""
        broken = self.broken.pop(record.table, None)
        before = self.tables.pop(record.table, None)
        if broken is None and before is None:
            raise Conflict(f"there is no table {record.table} to be cleared")
        self._changed |= {TABLE + record.table, BROKEN + record.table}
        if record.rules_hash:
            style = Style.of(record.computers, record.speed)
            anew = self._open_table(record.table, record.rules_hash, record.owner, style)
            anew.begin_anew(record)
            if before is not None:  # what the floor has frozen stays so
                anew.floor = before.floor
            self._mark_tables()

    def require_enabled(self, *what: str) -> None:
        """Refuse play that the house has closed (R-46)."""
        closed = self.disabled & {"all", *what}
        if closed:
            raise Conflict(f"closed by the house: {', '.join(sorted(closed))}")

    def _switch(self, what: str, *, off: bool) -> None:
        (self.disabled.add if off else self.disabled.discard)(what)
        self._changed.add(HOUSE)
        self._mark_tables()

    def _mark_tables(self) -> None:
        for table in self.tables.values():
            table.enabled = not self.disabled & {"all", f"game:{table.rules.game}", f"table:{table.id}"}

    def _open_table(self, table: str, rules_hash: str, owner: str | None, style: Style) -> RunningTable:
        opened = self.new_table(table, self._find_rules(rules_hash), owner, style)
        self.tables[table] = opened
        return opened

    def new_table(self, table: str, rules: HouseRules, owner: str | None, style: Style) -> RunningTable:
        """A table at which nothing has happened, and of which memory knows nothing yet."""
        return table_class(rules.game).opened(table, rules, owner, self._settings, style)

    def _find_rules(self, rules_hash: str) -> HouseRules:
        return self._rules.find(HouseRules, rules_hash)

    def _round_over(self, finished: Finished) -> None:
        self.players.add_round(finished)
        if finished.is_judged:
            self.unjudged[finished.id] = finished
            while len(self.unjudged) > MOST_UNJUDGED:
                del self.unjudged[next(iter(self.unjudged))]
            self._changed.add(HOUSE)

    # Checkpoints.

    def take_changed(self) -> dict[str, dict[str, Any] | None]:
        """The parts that changed since they were last asked for, as plain data; None for one that is gone.

        Whoever takes them either keeps them and says `let_go`, or says `mark_changed` of all of them.
        """
        names, self._changed = self._changed, set()
        parts = {name: self._part(name) for name in sorted(names)}
        return parts | {PLAYER + player: plain for player, plain in self.players.take_changed().items()}

    def mark_changed(self, parts: Iterable[str]) -> None:
        """Parts that were taken and could not be kept: they are to be taken again."""
        for name in parts:
            if name.startswith(PLAYER):
                self.players.mark_changed(name.removeprefix(PLAYER))
            else:
                self._changed.add(name)

    def let_go(self) -> None:
        """Everything that was taken is kept: memory may forget what nobody asked for lately."""
        self.players.let_go()

    def _part(self, name: str) -> dict[str, Any] | None:
        if name.startswith(BROKEN):
            broken = self.broken.get(name.removeprefix(BROKEN))
            return None if broken is None else broken.saved()
        if name.startswith(TABLE):
            table = self.tables.get(name.removeprefix(TABLE))
            return None if table is None else table.saved()
        return self._house_part()

    def _house_part(self) -> dict[str, Any]:
        return {
            "operators": [msgspec.to_builtins(one) for one in self.operators.names()],
            "disabled": sorted(self.disabled),
            "unjudged": list(self.unjudged),
            "guests": self.guests,
            "demonstration": self.demonstration,
            "draws": self.players.draws.saved(),
            "oddities": [asdict(oddity) for oddity in self.oddities],
        }

    def restore(self, head: LogHead, checkpoints: Checkpoints, lookup: Lookup) -> None:
        """Take everything from a checkpoint, but for the players, who are read when they are asked for."""
        self.head = head
        plain = checkpoints.part(HOUSE) or _EMPTY
        for operator in plain["operators"]:
            self.operators.appoint(msgspec.convert(operator, Operator))
        self.disabled = set(plain["disabled"])
        self.guests = plain["guests"]
        self.demonstration = plain["demonstration"]
        self.players.draws = DrawsInPlay.restored(plain["draws"])
        self.oddities = [Oddity(**oddity) for oddity in plain.get("oddities", ())]
        for name, part in checkpoints.parts(BROKEN):
            self.broken[name.removeprefix(BROKEN)] = BrokenTable.restored(part)
        for identity in plain["unjudged"]:
            finished = lookup(identity)
            if finished is not None:
                self.unjudged[identity] = finished
        for name, part in checkpoints.parts(TABLE):
            style = Style.of(*part.get("style", (USUAL.computers, USUAL.speed)))
            table = self._open_table(name.removeprefix(TABLE), part["rules_hash"], part["owner"], style)
            table.restore(part, self._find_rules, lookup)
        self._mark_tables()


def in_use(checkpoints: Checkpoints) -> InUse:
    """What a start from the checkpoint, and the coach, ask the log for by name."""
    ids = list((checkpoints.part(HOUSE) or _EMPTY)["unjudged"])
    ids += [part["last"] for _, part in checkpoints.parts(TABLE) if part["last"] is not None]
    return InUse(names=[round_name(identity) for identity in ids], prefixes=[BOOKS])
