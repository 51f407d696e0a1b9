"""A game of Knockout 52 as it happened, from the log: who asked for what and when."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from cardroom.presentation import wager_title
from cardroom.presentation.money import dollars
from cardroom.records import FloorRecord, tables
from cardroom.store.log import LogRecord
from cardroom.table.happened import Happened, floor_words


def retold_game(records: Iterable[LogRecord]) -> list[Happened]:
    """The records of one table, from the end of the game before to the end of this one."""
    return [happened for record in records if (happened := _happening(record)) is not None]


def _happening(logged: LogRecord) -> Happened | None:
    record, _ = logged.read()
    if isinstance(record, FloorRecord):
        return Happened(logged.seq, logged.at, record.by, floor_words(record), reason=record.reason)
    words = _words(record)
    return None if words is None else Happened(logged.seq, logged.at, *words)


def _words(record: object) -> tuple[str, str] | None:
    """Who did something, and what."""
    match record:
        case tables.Knockout52ShoeCommitted():
            return "the house", f"commits to the cards of game {record.game}"
        case tables.Knockout52WagersPlaced():
            return record.name, _stakes(record.stakes)
        case tables.Knockout52WagersClosed():
            return "the dealer", "closes the wagers"
        case tables.Knockout52SaltRevealed():
            return "a player", "reveals a salt"
        case tables.Knockout52DealStarted():
            return "the dealer", "begins"
        case tables.Knockout52CardDealt():
            return "the dealer", f"lays {record.card} on space {record.space + 1}"
        case tables.Knockout52GameEnded():
            return "the dealer", f"ends the game: {record.outcome}"
        case _:
            return None


def _stakes(stakes: Mapping[str, int]) -> str:
    if not stakes:
        return "takes all wagers back"
    return "stakes " + ", ".join(
        f"{dollars(cents)} on {wager_title(wager)}" for wager, cents in stakes.items()
    )
