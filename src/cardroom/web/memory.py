"""What the log has folded to: players, operators, tables, and what the house has closed.

Memory changes only by records of the log, in their order. It is kept in parts, one for each player and table
and one for the house; parts that changed since the last checkpoint are known by name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final, assert_never

import msgspec

from cardroom.core.errors import Conflict
from cardroom.records import PlayRecord, house, lottery, players, tables
from cardroom.rules import HouseRules
from cardroom.store.log import LogHead, LogRecord, parse_time
from cardroom.store.sealing import InUse
from cardroom.table.running import Finished, Lookup, RunningTable, round_name, table_class
from cardroom.web.coach import BOOKS
from cardroom.web.players.register import Players
from cardroom.web.security.operators import Operator, Operators

if TYPE_CHECKING:
    from cardroom.store.checkpoints import Checkpoints
    from cardroom.store.rules import RulesBook
    from cardroom.web.settings import Settings

VERSION: Final = 3
"""The version of the parts; those of another version are made anew from the log."""
HOUSE: Final = "house"
PLAYER: Final = "player:"
TABLE: Final = "table:"
_EMPTY: Final[Mapping[str, Any]] = {
    "operators": [],
    "disabled": [],
    "unjudged": [],
    "guests": 0,
    "demonstration": None,
}


class Memory:
    """Everything that the pages know by heart."""

    def __init__(self, settings: Settings, rules: RulesBook, load_player: Players.Load) -> None:
        self._settings = settings
        self._rules = rules
        self.head = LogHead(0, "")
        """The last record that was taken in."""
        self.players = Players(load_player)
        self.operators = Operators(settings)
        self.demonstration: bool | None = None
        """Whether the house is a demonstration; None before it was founded."""
        self.tables: dict[str, RunningTable] = {}
        self.disabled: set[str] = set()
        """What the house has closed: `all`, `game:…`, `table:…`, `terminal:…`."""
        self.unjudged: dict[str, Finished] = {}
        """Rounds that are over and not in the coach's books yet, the oldest first."""
        self.guests = 0
        """How many players have been given their first chips."""
        self._changed: set[str] = set()

    # Records.

    def apply(self, logged: LogRecord) -> Finished | None:
        """Take a record in; the round or game that is over by it, if one is."""
        record, moves = logged.read()
        at = parse_time(logged.at)
        self.players.apply(record, moves, at, logged.seq)
        self.head = LogHead(logged.seq, logged.hash)
        if isinstance(record, PlayRecord):
            self._changed.add(TABLE + record.table)
            finished = self.tables[record.table].apply(record, at)
            if finished is not None:
                self._round_over(finished)
            return finished
        match record:
            case tables.TwentyOneTableOpened() | tables.Knockout52TableOpened():
                self._open_table(record.table, record.rules_hash, record.owner)
                self._changed.add(TABLE + record.table)
                self._mark_tables()
            case tables.TableClosed():
                self.tables.pop(record.table)
                self._changed.add(TABLE + record.table)
            case tables.RoundJudged():
                self.unjudged.pop(record.round, None)
                self._changed.add(HOUSE)
            case house.HouseFounded():
                self.demonstration = record.demonstration
                self._changed.add(HOUSE)
            case house.OperatorAppointed() | house.PasswordChanged() | house.SecondFactorSet():
                self.operators.apply(record, at)
                self._changed.add(HOUSE)
            case house.PlayDisabled():
                self._switch(record.what, off=True)
            case house.PlayEnabled():
                self._switch(record.what, off=False)
            case players.PlayerWelcomed():
                self.guests += 1
                self._changed.add(HOUSE)
            case (
                players.ChipsTaken()
                | players.PlayerNamed()
                | players.LimitSet()
                | players.BreakTaken()
                | players.RealityCheckSet()
                | players.RealityChecked()
                | players.PlayerDisabled()
                | players.PlayerEnabled()
                | lottery.TicketsSold()
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
                | house.DrawVerified()
                | house.OverrideRefused()
                | house.DrawOverridden()
                | lottery.DayCommitted()
                | lottery.DaysWithoutDraws()
                | lottery.DrawOpened()
                | lottery.DrawPostponed()
                | lottery.DrawClosed()
                | lottery.DrawSealed()
                | lottery.DrawHeld()
                | lottery.DrawReleased()
                | lottery.DrawDrawn()
                | lottery.DrawSettled()
                | lottery.LargeWinNoted()
                | lottery.DrawVoided()
                | lottery.ChoicesSaved()
                | lottery.ChoicesMade()
                | lottery.TicketAltered()
                | lottery.TicketChecked()
                | lottery.ClaimRefused()
                | lottery.PrizePaid()
                | lottery.PrizesExpired()
            ):
                pass  # they are read from the database by whoever asks
            case _:
                assert_never(record)
        return None

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

    def _open_table(self, table: str, rules_hash: str, owner: str | None) -> RunningTable:
        opened = self.new_table(table, self._find_rules(rules_hash), owner)
        self.tables[table] = opened
        return opened

    def new_table(self, table: str, rules: HouseRules, owner: str | None) -> RunningTable:
        """A table at which nothing has happened, and of which memory knows nothing yet."""
        return table_class(rules.game).opened(table, rules, owner, self._settings)

    def _find_rules(self, rules_hash: str) -> HouseRules:
        return self._rules.find(HouseRules, rules_hash)

    def _round_over(self, finished: Finished) -> None:
        self.players.add_round(finished)
        if finished.is_judged:
            self.unjudged[finished.id] = finished
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
        for identity in plain["unjudged"]:
            finished = lookup(identity)
            if finished is not None:
                self.unjudged[identity] = finished
        for name, part in checkpoints.parts(TABLE):
            table = self._open_table(name.removeprefix(TABLE), part["rules_hash"], part["owner"])
            table.restore(part, self._find_rules, lookup)
        self._mark_tables()


def in_use(checkpoints: Checkpoints) -> InUse:
    """What a start from the checkpoint, and the coach, ask the log for by name."""
    ids = list((checkpoints.part(HOUSE) or _EMPTY)["unjudged"])
    ids += [part["last"] for _, part in checkpoints.parts(TABLE) if part["last"] is not None]
    return InUse(names=[round_name(identity) for identity in ids], prefixes=[BOOKS])
