"""What the log has folded to: players, operators, tables, and what the house has closed.

Memory changes only by records of the log, in their order. It is kept in parts, one for each player and table
and one for the house; parts that changed since the last checkpoint are known by name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final, assert_never

from cardroom.records import house, lottery, players, tables
from cardroom.rules.knockout52 import Knockout52Rules
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.store.log import LogHead, LogRecord, parse_time
from cardroom.web.archive import Over
from cardroom.web.live.finished import FinishedRound
from cardroom.web.live.floor import Presence
from cardroom.web.live.knockout52 import Finished, Knockout52Table
from cardroom.web.live.saved import (
    restore_knockout52,
    restore_twentyone,
    saved_knockout52,
    saved_twentyone,
)
from cardroom.web.live.twentyone import TwentyOneTable
from cardroom.web.players.register import Players
from cardroom.web.security.operators import Operator, Operators, parse_role

if TYPE_CHECKING:
    from cardroom.store.checkpoints import Checkpoints
    from cardroom.store.rules import RulesBook
    from cardroom.web.settings import Settings

VERSION: Final = 1
"""The version of the parts; those of another version are made anew from the log."""
HOUSE: Final = "house"
PLAYER: Final = "player:"
TWENTYONE: Final = "twentyone:"
KNOCKOUT52: Final = "knockout52:"
_EMPTY: Final[Mapping[str, Any]] = {"operators": [], "disabled": [], "unjudged": [], "guests": 0}

Lookup = Callable[[str], Over | None]
"""A finished round or game by its id."""


class Memory:
    """Everything that the pages know by heart."""

    def __init__(self, settings: Settings, rules: RulesBook, load_player: Players.Load) -> None:
        self._settings = settings
        self._rules = rules
        self.head = LogHead(0, "")
        """The last record that was taken in."""
        self.players = Players(load_player)
        self.operators = Operators(settings)
        self.tables: dict[str, TwentyOneTable] = {}
        self.knockout52: dict[str, Knockout52Table] = {}
        self.disabled: set[str] = set()
        """What the house has closed: `all`, `game:…`, `table:…`, `terminal:…`."""
        self.unjudged: dict[str, FinishedRound] = {}
        """Rounds that are over and not in the coach's books yet, the oldest first."""
        self.guests = 0
        """How many players have been given their first chips."""
        self._changed: set[str] = set()

    # Records.

    def apply(self, logged: LogRecord) -> Over | None:
        """Take a record in; the round or game that is over by it, if one is."""
        record, moves = logged.read()
        at = parse_time(logged.at)
        self.players.apply(record, moves, at, logged.seq)
        self.head = LogHead(logged.seq, logged.hash)
        match record:
            case (
                tables.TableRequestGranted()
                | tables.TableRulesAnnounced()
                | tables.TwentyOneRoundEnded()
                | tables.TwentyOneShoeEnded()
            ):
                table = self.tables[record.table]
                table.apply(record, at)
                self._changed.add(TWENTYONE + record.table)
                if isinstance(record, tables.TwentyOneRoundEnded):
                    assert table.last is not None
                    return self._round_over(table.last)
            case (
                tables.Knockout52ShoeCommitted()
                | tables.Knockout52WagersPlaced()
                | tables.Knockout52DealStarted()
                | tables.Knockout52CardDealt()
                | tables.Knockout52GameEnded()
            ):
                other = self.knockout52[record.table]
                other.apply(record, at)
                self._changed.add(KNOCKOUT52 + record.table)
                if isinstance(record, tables.Knockout52GameEnded):
                    assert other.last is not None
                    return self._game_over(other.last)
            case tables.TwentyOneTableOpened():
                rules = self._rules.find(TwentyOneRules, record.rules_hash)
                self.tables[record.table] = TwentyOneTable.opened(record, rules, self._settings)
                self._changed.add(TWENTYONE + record.table)
                self._mark_tables()
            case tables.Knockout52TableOpened():
                self.knockout52[record.table] = self._knockout52(
                    record.table, record.rules_hash, record.owner
                )
                self._changed.add(KNOCKOUT52 + record.table)
                self._mark_tables()
            case tables.RoundJudged():
                self.unjudged.pop(record.round, None)
                self._changed.add(HOUSE)
            case house.OperatorAppointed():
                role = parse_role(record.role)
                self.operators.appoint(Operator(record.name, role, record.password_hash))
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

    def _switch(self, what: str, *, off: bool) -> None:
        (self.disabled.add if off else self.disabled.discard)(what)
        self._changed.add(HOUSE)
        self._mark_tables()

    def _mark_tables(self) -> None:
        for table in self.all_tables():
            table.enabled = not self.disabled & {"all", f"game:{table.rules.game}", f"table:{table.id}"}

    def _knockout52(self, table: str, rules_hash: str, owner: str | None) -> Knockout52Table:
        return Knockout52Table(
            table,
            self._rules.find(Knockout52Rules, rules_hash),
            self._settings.key,
            self._settings.card_seconds,
            self._settings.wager_seconds,
            owner=owner,
            presence=Presence(self._settings.gone_seconds),
        )

    def _round_over(self, finished: FinishedRound) -> FinishedRound:
        self.unjudged[finished.id] = finished
        self._changed.add(HOUSE)
        for name, player_id in finished.players.items():
            self.players.add_history(
                player_id,
                finished.id,
                finished.game,
                finished.ended_at,
                finished.staked_cents[name],
                finished.net_cents[name],
            )
        return finished

    def _game_over(self, finished: Finished) -> Finished:
        from cardroom.engine.knockout52 import net_cents

        net = net_cents(finished.game)
        for seated in finished.seated:
            stake = sum(seated.stakes.values())
            game = finished.game.rules.game
            self.players.add_history(
                seated.player, finished.id, game, finished.ended_at, stake, net[seated.name]
            )
        return finished

    # Checkpoints.

    def take_changed(self) -> dict[str, dict[str, Any]]:
        """The parts that changed since they were last asked for, as plain data.

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

    def _part(self, name: str) -> dict[str, Any]:
        kind, _, identity = name.partition(":")
        match kind:
            case "twentyone":
                return saved_twentyone(self.tables[identity])
            case "knockout52":
                return saved_knockout52(self.knockout52[identity])
            case _:
                return self._house_part()

    def _house_part(self) -> dict[str, Any]:
        return {
            "operators": [[one.name, one.role, one.password_hash] for one in self.operators.names()],
            "disabled": sorted(self.disabled),
            "unjudged": list(self.unjudged),
            "guests": self.guests,
        }

    def restore(self, head: LogHead, checkpoints: Checkpoints, lookup: Lookup) -> None:
        """Take everything from a checkpoint, but for the players, who are read when they are asked for."""
        self.head = head
        plain = checkpoints.part(HOUSE) or _EMPTY
        for name, role, password_hash in plain["operators"]:
            self.operators.appoint(Operator(name, parse_role(role), password_hash))
        self.disabled = set(plain["disabled"])
        self.guests = plain["guests"]
        for identity in plain["unjudged"]:
            finished = lookup(identity)
            if isinstance(finished, FinishedRound):
                self.unjudged[identity] = finished
        for name, part in checkpoints.parts(TWENTYONE):
            self._restore_twentyone(name.removeprefix(TWENTYONE), part, lookup)
        for name, part in checkpoints.parts(KNOCKOUT52):
            self._restore_knockout52(name.removeprefix(KNOCKOUT52), part, lookup)
        self._mark_tables()

    def _restore_twentyone(self, table_id: str, plain: dict[str, Any], lookup: Lookup) -> None:
        def rules(rules_hash: str) -> TwentyOneRules:
            return self._rules.find(TwentyOneRules, rules_hash)

        own = rules(plain["state"]["rules_hash"])
        opening = tables.TwentyOneTableOpened(
            table=table_id, game=own.game, rules_hash=own.rules_hash, owner=plain["owner"]
        )
        table = TwentyOneTable.opened(opening, own, self._settings)
        restore_twentyone(table, plain, rules)
        last = None if plain["last"] is None else lookup(plain["last"])
        table.last = last if isinstance(last, FinishedRound) else None
        self.tables[table_id] = table

    def _restore_knockout52(self, table_id: str, plain: dict[str, Any], lookup: Lookup) -> None:
        table = self._knockout52(table_id, plain["rules_hash"], plain["owner"])
        restore_knockout52(table, plain)
        last = None if plain["last"] is None else lookup(plain["last"])
        table.last = last if isinstance(last, Finished) else None
        self.knockout52[table_id] = table

    def all_tables(self) -> Iterator[TwentyOneTable | Knockout52Table]:
        yield from self.tables.values()
        yield from self.knockout52.values()
