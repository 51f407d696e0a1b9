"""Rounds and shoes of the blackjack family that are over: their records in the log."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from cardroom.engine import twentyone as engine
from cardroom.store.log import LogRecord, parse_time
from cardroom.table import TableState
from cardroom.web.journal import Entry

ROUND_ENDED: Final = "TwentyOneRoundEnded"
SHOE_ENDED: Final = "TwentyOneShoeEnded"


@dataclass(frozen=True, slots=True)
class FinishedRound:
    """A round that is over, to be replayed and shared."""

    id: str
    table: str
    game: str
    number: int
    shoe: int
    ended_at: datetime
    notation: str
    players: Mapping[str, str]
    """Name at the table → player's id."""
    net_cents: Mapping[str, int]
    """What each player won or lost, by name."""
    staked_cents: Mapping[str, int]

    @classmethod
    def of(cls, record: LogRecord) -> FinishedRound:
        """The round of a record."""
        content = record.content
        return cls(
            content["round"],
            content["table"],
            content["game"],
            content["number"],
            content["shoe"],
            parse_time(record.at),
            content["notation"],
            content["players"],
            content["net_cents"],
            content["staked_cents"],
        )


def round_name(round_id: str) -> str:
    """The name by which the log knows a finished round or game."""
    return f"round:{round_id}"


def shoe_name(table: str, number: int) -> str:
    """The name by which the log knows a finished shoe."""
    return f"shoe:{table}-{number}"


def shoe_ended(table: str, number: int, proof: str) -> Entry:
    """The record of a shoe that is over, its secret revealed: whoever saw its seal can check it for ever."""
    content = {"table": table, "shoe": number, "proof": proof}
    return Entry(SHOE_ENDED, content, about=[shoe_name(table, number)])


def ended(table: str, state: TableState, names: Mapping[str, str]) -> Entry:
    """The record of the round that has just ended at a table."""
    played = state.round
    assert played is not None
    players = {spot.player: names[spot.player] for spot in played.spots}
    net, staked = _results(played, players)
    identity = f"{table}-{state.rounds}"
    content = {
        "round": identity,
        "table": table,
        "game": state.rules.game,
        "number": state.rounds,
        "shoe": state.shoes,
        "notation": engine.format_round(played),
        "players": players,
        "net_cents": net,
        "staked_cents": staked,
    }
    return Entry(ROUND_ENDED, content, about=[round_name(identity)])


def _results(played: engine.Round, players: Mapping[str, str]) -> tuple[dict[str, int], dict[str, int]]:
    """What each player won or lost and what they staked, by name."""
    net, staked = dict.fromkeys(players, 0), dict.fromkeys(players, 0)
    _, events = engine.replay(engine.RoundRecord.of(played))
    for event in events:
        for source, target, cents in engine.transfers(event):
            payer, payee = source.removeprefix("player:"), target.removeprefix("player:")
            if payer in net and payer != source:
                net[payer] -= cents
                staked[payer] += cents
            if payee in net and payee != target:
                net[payee] += cents
    return net, staked
