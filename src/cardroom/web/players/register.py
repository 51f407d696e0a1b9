"""All players, as the records of the log make them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from cardroom.core.errors import Conflict, MalformedInput
from cardroom.core.signs import shows
from cardroom.records import AnyRecord, players
from cardroom.records.floor import RoundCorrected
from cardroom.records.lottery import TicketsSold
from cardroom.records.tables import TableCleared
from cardroom.store.ledger import Transfer
from cardroom.store.plan import Entry, Plan
from cardroom.table.running import Finished, play_account
from cardroom.web.players.draws import DrawsInPlay
from cardroom.web.players.history import HistoryLine
from cardroom.web.players.limits import LONGEST_BREAK, parse_limit
from cardroom.web.players.player import PLAY, WELCOME_CENTS, Player
from cardroom.web.players.saved import saved_player
from cardroom.web.players.wishes import Wishes, grant

CHIPS: Final = "house:chips"
"""Where house chips come from and go back to."""
_PLAYERS_AT_HAND: Final = 2_000
_UNKNOWN_AT_HAND: Final = 10_000
REALITY_MINUTES: Final = (15, 30, 60)
_NAMES: Final = (
    "Amber",
    "Basil",
    "Cedar",
    "Clover",
    "Coral",
    "Fern",
    "Flint",
    "Hazel",
    "Heron",
    "Iris",
    "Jasper",
    "Juniper",
    "Lark",
    "Linden",
    "Maple",
    "Marlow",
    "Olive",
    "Opal",
    "Pearl",
    "Quill",
    "Reed",
    "River",
    "Robin",
    "Rowan",
    "Sage",
    "Slate",
    "Sorrel",
    "Teal",
    "Thistle",
    "Vesper",
    "Willow",
    "Wren",
    "Yarrow",
    "Zephyr",
)


def guest_name(player_id: str) -> str:
    """A name for a guest who has not chosen one; the same id always gives the same name.

    >>> guest_name("00" * 16)
    'Amber 000'
    """
    number = int(player_id[:8], 16)
    return f"{_NAMES[number % len(_NAMES)]} {number // len(_NAMES) % 1000:03d}"


class Players:
    """Players by id; one who never acted is made up on the spot and costs nothing.

    Few are at hand: those who changed since the last checkpoint, and those who were asked for lately. `load`
    reads the others from the checkpoint.

    A draw may have tickets of very many players, and none of them is touched when it is over: its stakes are
    lost when the player next does something, and whoever is asked for before is shown as if they were.
    """

    Load = Callable[[str], "Player | None"]

    def __init__(self, load: Load) -> None:
        self._load = load
        self.draws = DrawsInPlay()
        self.wishes: Wishes | None = None
        """What those wish who have no chips yet; the server has them, who only reads the log does not."""
        self._at_hand: OrderedDict[str, Player] = OrderedDict()
        self._changed: set[str] = set()
        self._unknown: OrderedDict[str, None] = OrderedDict()
        """Ids that were looked for lately and belong to nobody yet."""

    def get(self, player_id: str) -> Player:
        """The player of an id, who may be new."""
        player = self.find(player_id) or Player(player_id, guest_name(player_id), balance_cents=0)
        over = self._over(player)
        if over:
            player = replace(player, in_play=dict(player.in_play))
            for place in over:
                player.round_over(place)
        return player if player.welcomed or self.wishes is None else self.wishes.of(player)

    def is_known(self, player_id: str) -> bool:
        """Whether the log speaks of a player."""
        return self.find(player_id) is not None

    def find(self, player_id: str) -> Player | None:
        """The player of an id as memory keeps them, which is not yet as a page shows them."""
        player = self._at_hand.get(player_id)
        if player is None and player_id not in self._unknown:
            player = self._load(player_id)
            if player is None:
                self._unknown[player_id] = None
                while len(self._unknown) > _UNKNOWN_AT_HAND:
                    self._unknown.popitem(last=False)
                return None
            self._at_hand[player_id] = player
        if player is not None:
            self._at_hand.move_to_end(player_id)
        return player

    def _own(self, player_id: str) -> Player:
        player = self.find(player_id)
        if player is None:
            self._unknown.pop(player_id, None)
            player = self._at_hand[player_id] = Player(player_id, guest_name(player_id))
        for place in self._over(player):
            player.round_over(place)
        self._changed.add(player_id)
        return player

    def _over(self, player: Player) -> list[str]:
        """Where a player has stakes in draws that are over."""
        return [place for place in player.in_play if not place.startswith(PLAY) and place not in self.draws]

    def _place(self, player: Player, other: str) -> str:
        """Where chips are in play that move between a player and another account; empty where nowhere."""
        if other.startswith(PLAY) or other in self.draws:
            return other
        place = self.draws.paid_back(other)
        return place if place in player.in_play else ""  # who brings somebody else's ticket gains its price

    def take_changed(self) -> dict[str, dict[str, Any]]:
        """Those who changed since this was last asked, as plain data."""
        saved = {player_id: saved_player(self._at_hand[player_id]) for player_id in sorted(self._changed)}
        self._changed.clear()
        return saved

    def mark_changed(self, player_id: str) -> None:
        """A player was not saved after all."""
        self._changed.add(player_id)

    def let_go(self) -> None:
        """Forget those who were not asked for lately; whoever changed since the last checkpoint stays."""
        unused = len(self._at_hand) - _PLAYERS_AT_HAND
        for player_id in [one for one in self._at_hand if one not in self._changed][: max(0, unused)]:
            del self._at_hand[player_id]

    def open_wagers(self, saved: Iterable[tuple[str, dict[str, Any]]]) -> dict[str, dict[str, int]]:
        """The stakes in rounds that are not over: account of the table → player → cents.

        `saved` are the players of the checkpoint, by their ids; those at hand are taken from there.
        """
        wagers: dict[str, dict[str, int]] = {}
        staked = {player: plain["in_play"] for player, plain in saved}
        staked |= {player: one.in_play for player, one in self._at_hand.items()}
        for player, places in staked.items():
            for place, cents in places.items():
                if cents > 0 and place.startswith(PLAY):
                    wagers.setdefault(place, {})[player] = cents
        return wagers

    def add_round(self, finished: Finished) -> None:
        """A round is over: what it came to goes into the history of each of its players."""
        place = play_account(finished.game_id, finished.table)
        for result in finished.results():
            player = self._own(result.player)
            player.round_over(place)
            player.history.append(HistoryLine.of(finished, result, player.chips_cents))

    # What may happen to a player, as plans for the log.

    def welcome(self, player: Player) -> list[Entry]:
        """The first chips of a guest, given when they first play, and what the guest wished before."""
        if player.welcomed:
            return []
        wishes = [] if self.wishes is None else self.wishes.entries(player)
        return [
            *wishes,
            Entry(
                players.PlayerWelcomed(player=player.id),
                [Transfer(CHIPS, player.account, WELCOME_CENTS)],
            ),
        ]

    def take_chips(self, player: Player, cents: int, now: datetime) -> Plan:
        player.require_deposit(cents, now)
        entry = Entry(players.ChipsTaken(player=player.id), [Transfer(CHIPS, player.account, cents)])
        answer = {"balance_cents": player.chips_cents + cents}
        return Plan([*self.welcome(player), entry], answer)

    def set_limit(self, player: Player, kind: str, period: str, value: int | None, now: datetime) -> Plan:
        change = parse_limit(kind, period, value, now)
        limit = players.LimitSet(
            player=player.id, limit=change.kind, period=change.period, value=change.value
        )
        return Plan([Entry(limit)])

    def take_break(self, player: Player, until: datetime, now: datetime) -> Plan:
        if not now < until <= now + LONGEST_BREAK:
            raise MalformedInput("a break ends in the future, within five years")
        if player.break_until is not None and until < player.break_until:
            raise Conflict("a break can be made longer and not shorter")
        return Plan([Entry(players.BreakTaken(player=player.id, until=until.isoformat()))])

    def set_reality_minutes(self, player: Player, minutes: int) -> Plan:
        if minutes not in REALITY_MINUTES:
            raise MalformedInput("a reality check comes every 15, 30 or 60 minutes")
        return Plan([Entry(players.RealityCheckSet(player=player.id, minutes=minutes))])

    def acknowledge(self, player: Player) -> Plan:
        checked = players.RealityChecked(player=player.id, net_cents=player.session_net_cents)
        return Plan([Entry(checked)])

    def rename(self, player: Player, name: str) -> Plan:
        name = " ".join(name.split())
        if not (1 <= len(name) <= 24 and shows(name)):
            raise MalformedInput("a name has 1 to 24 letters, all of which can be seen")
        return Plan([Entry(players.PlayerNamed(player=player.id, name=name))])

    # What did happen.

    def apply(self, record: AnyRecord, moves: Sequence[Transfer], at: datetime, seq: int) -> None:
        """Take a record of the log into memory."""
        corrected = isinstance(record, RoundCorrected)
        if isinstance(record, TicketsSold):
            self.draws.sold(moves)
        for move in moves:
            for account, amount, other in (
                (move.source, -move.amount_cents, move.target),
                (move.target, move.amount_cents, move.source),
            ):
                if account.startswith("player:"):
                    player = self._own(account.removeprefix("player:"))
                    if corrected:
                        player.corrected(at, amount)
                        continue
                    kind = "deposit" if other == CHIPS else "stake" if amount < 0 else "return"
                    player.moved(at, kind, amount, self._place(player, other))
        match record:
            case players.PlayerWelcomed():
                self._own(record.player).welcomed = True
            case (
                players.PlayerNamed() | players.LimitSet() | players.BreakTaken() | players.RealityCheckSet()
            ):
                grant(self._own(record.player), record, at)
            case players.RealityChecked():
                self._own(record.player).last_check = at
            case players.PlayerDisabled():
                self._own(record.player).disabled = True
            case players.PlayerEnabled():
                self._own(record.player).disabled = False
            case TableCleared():
                place = play_account(record.game, record.table)
                for move in moves:
                    if move.target.startswith("player:"):
                        self._own(move.target.removeprefix("player:")).round_over(place)
            case RoundCorrected():
                for player_id, cents in record.after.items():
                    if cents != record.before[player_id]:
                        player = self._own(player_id)
                        player.history.append(
                            HistoryLine(
                                record.round,
                                record.game,
                                at,
                                0,
                                cents - record.before[player_id],
                                player.chips_cents,
                                corrected=True,
                            )
                        )
            case TicketsSold() if record.buyer.startswith("player:"):
                buyer = self._own(record.buyer.removeprefix("player:"))
                buyer.tickets.extend((ticket["id"], ticket["draw"]) for ticket in record.tickets)
                buyer.purchases.append(seq)
            case _:
                self.draws.hear(record, moves)
