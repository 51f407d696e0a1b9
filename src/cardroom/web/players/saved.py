"""A player as plain data and back, for a checkpoint."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from cardroom.web.players.history import HistoryLine, kept_history
from cardroom.web.players.limits import LimitChange, parse_limit
from cardroom.web.players.player import (
    ByMinute,
    Player,
    kept_purchases,
    kept_tickets,
)


def saved_player(player: Player) -> dict[str, Any]:
    """Everything that the log has made of a player."""
    return {
        "name": player.name,
        "balance_cents": player.balance_cents,
        "welcomed": player.welcomed,
        "limits": [[change.kind, change.period, change.value, _text(change.at)] for change in player.limits],
        "break_until": _text(player.break_until),
        "reality_minutes": player.reality_minutes,
        "disabled": player.disabled,
        "lost": player.lost.saved(),
        "deposited": player.deposited.saved(),
        "played": player.played.saved(),
        "session_since": _text(player.session_since),
        "session_net_cents": player.session_net_cents,
        "in_play": dict(player.in_play),
        "last_action": _text(player.last_action),
        "last_check": _text(player.last_check),
        "history": [
            [
                line.id,
                line.game,
                _text(line.at),
                line.stake_cents,
                line.net_cents,
                line.balance_cents,
                *([True] if line.corrected else []),
            ]
            for line in player.history
        ],
        "tickets": [[ticket, draw] for ticket, draw in player.tickets],
        "purchases": list(player.purchases),
    }


def restored_player(player_id: str, plain: dict[str, Any]) -> Player:
    """The player of `saved_player`."""
    return Player(
        player_id,
        plain["name"],
        plain["balance_cents"],
        plain["welcomed"],
        [_limit(*change) for change in plain["limits"]],
        _moment(plain["break_until"]),
        plain["reality_minutes"],
        plain["disabled"],
        ByMinute(plain["lost"]),
        ByMinute(plain["deposited"]),
        ByMinute(plain["played"]),
        _moment(plain["session_since"]),
        plain["session_net_cents"],
        dict(plain["in_play"]),
        _moment(plain["last_action"]),
        _moment(plain["last_check"]),
        kept_history(_line(*line) for line in plain["history"]),
        kept_tickets((ticket, draw) for ticket, draw in plain["tickets"]),
        kept_purchases(plain["purchases"]),
    )


def _limit(kind: str, period: str, value: int | None, at: str) -> LimitChange:
    return parse_limit(kind, period, value, datetime.fromisoformat(at))


def _line(
    identity: str,
    game: str,
    at: str,
    stake: int,
    net: int,
    balance: int,
    corrected: bool = False,  # noqa: FBT001, FBT002 — one more value of a line
) -> HistoryLine:
    return HistoryLine(identity, game, datetime.fromisoformat(at), stake, net, balance, corrected=corrected)


def _text(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()


def _moment(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)
