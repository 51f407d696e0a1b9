"""All players, as the records of the log make them."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from cardroom.core.errors import Conflict, MalformedInput
from cardroom.store.ledger import Transfer
from cardroom.store.log import LogRecord, parse_time
from cardroom.web.journal import Entry, Plan
from cardroom.web.players.limits import LONGEST_BREAK, parse_limit
from cardroom.web.players.player import PLAY, WELCOME_CENTS, Player

CHIPS: Final = "house:chips"
"""Where house chips come from and go back to."""
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
    """Players by id; one who never acted is made up on the spot and costs nothing."""

    def __init__(self) -> None:
        self._players: dict[str, Player] = {}

    def get(self, player_id: str) -> Player:
        """The player of an id, who may be new."""
        return self._players.get(player_id) or Player(player_id, guest_name(player_id), balance_cents=0)

    def _own(self, player_id: str) -> Player:
        if player_id not in self._players:
            self._players[player_id] = Player(player_id, guest_name(player_id))
        return self._players[player_id]

    def known(self) -> list[Player]:
        return list(self._players.values())

    # What may happen to a player, as plans for the log.

    def welcome(self, player: Player) -> list[Entry]:
        """The first chips of a guest, given when they first play."""
        if player.welcomed:
            return []
        return [
            Entry(
                "PlayerWelcomed",
                {"player": player.id},
                [Transfer(CHIPS, player.account, WELCOME_CENTS)],
            )
        ]

    def take_chips(self, player: Player, cents: int, now: datetime) -> Plan:
        player.require_deposit(cents, now)
        entry = Entry("ChipsTaken", {"player": player.id}, [Transfer(CHIPS, player.account, cents)])
        answer = {"balance_cents": player.chips_cents + cents}
        return Plan([*self.welcome(player), entry], answer)

    def set_limit(self, player: Player, kind: str, period: str, value: int | None, now: datetime) -> Plan:
        change = parse_limit(kind, period, value, now)
        content = {"player": player.id, "kind": change.kind, "period": change.period, "value": change.value}
        return Plan([Entry("LimitSet", content)])

    def take_break(self, player: Player, until: datetime, now: datetime) -> Plan:
        if not now < until <= now + LONGEST_BREAK:
            raise MalformedInput("a break ends in the future, within five years")
        if player.break_until is not None and until < player.break_until:
            raise Conflict("a break can be made longer and not shorter")
        return Plan([Entry("BreakTaken", {"player": player.id, "until": until.isoformat()})])

    def set_reality_minutes(self, player: Player, minutes: int) -> Plan:
        if minutes not in REALITY_MINUTES:
            raise MalformedInput("a reality check comes every 15, 30 or 60 minutes")
        return Plan([Entry("RealityCheckSet", {"player": player.id, "minutes": minutes})])

    def acknowledge(self, player: Player) -> Plan:
        return Plan([Entry("RealityChecked", {"player": player.id, "net_cents": player.session_net_cents})])

    def rename(self, player: Player, name: str) -> Plan:
        name = " ".join(name.split())
        if not (1 <= len(name) <= 24 and name.isprintable()):
            raise MalformedInput("a name has 1 to 24 letters")
        return Plan([Entry("PlayerNamed", {"player": player.id, "name": name})])

    # What did happen.

    def apply(self, record: LogRecord) -> None:
        """Take a record of the log into memory."""
        content, at = record.content, parse_time(record.at)
        for source, target, cents in content.get("transfers", ()):
            for account, amount in ((source, -cents), (target, cents)):
                if account.startswith("player:"):
                    other = target if account == source else source
                    kind = "deposit" if other == CHIPS else "stake" if amount < 0 else "return"
                    self._own(account.removeprefix("player:")).moved(at, kind, amount, other)
        match record.kind:
            case "TwentyOneRoundEnded" | "Knockout52GameEnded":
                game = content["game"] if record.kind == "TwentyOneRoundEnded" else "knockout-52"
                for player_id in content["players"].values():
                    self._own(player_id).round_over(f"{PLAY}{game}:{content['table']}")
            case "PlayerWelcomed":
                self._own(content["player"]).welcomed = True
            case "LimitSet":
                player = self._own(content["player"])
                player.limits.append(parse_limit(content["kind"], content["period"], content["value"], at))
            case "BreakTaken":
                self._own(content["player"]).break_until = datetime.fromisoformat(content["until"])
            case "RealityCheckSet":
                self._own(content["player"]).reality_minutes = content["minutes"]
            case "RealityChecked":
                self._own(content["player"]).last_check = at
            case "PlayerNamed":
                self._own(content["player"]).name = content["name"]
            case "PlayerDisabled" | "PlayerEnabled":
                self._own(content["player"]).disabled = record.kind == "PlayerDisabled"
            case _:
                pass
