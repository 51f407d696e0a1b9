"""A player made anew from the log, where what a checkpoint holds of them is damaged."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from cardroom.core.errors import Unavailable
from cardroom.records import UnknownRecord
from cardroom.records.tables import TableCleared
from cardroom.rules import HouseRules
from cardroom.store.log import parse_time
from cardroom.store.unit import read_log
from cardroom.table.running import finished_by
from cardroom.web.broken import CONTRADICTIONS
from cardroom.web.players.draws import ENDS
from cardroom.web.players.register import Players

if TYPE_CHECKING:
    from cardroom.store.rules import RulesBook
    from cardroom.web.players.player import Player


def player_anew(
    connection: Any, player_id: str, rules: RulesBook, *, until: int, closed: Iterable[int]
) -> Player | None:
    """The player of an id by the records that name them, up to one, and by those that end draws of theirs;
    None where none names them.

    `closed` are the records by which tables that are closed now were closed. No round is over by such a
    record, nor by one that closed a table which was cleared since.
    """
    impossible = {*closed, *_cleared(connection)}
    players, find = Players(lambda _: None), partial(rules.find, HouseRules)
    for logged in read_log(connection, naming=player_id, or_kinds=ENDS):
        if logged.seq > until:
            break
        is_named = player_id in logged.body
        if not (is_named or players.draws):
            continue  # of draws in which the player has nothing in play
        try:
            record, moves = logged.read()
            if not is_named:
                players.draws.hear(record, moves)
                continue
            at = parse_time(logged.at)
            players.apply(record, moves, at, logged.seq)
            finished = None if logged.seq in impossible else finished_by(record, at, find)
        except (UnknownRecord, Unavailable):
            raise
        except CONTRADICTIONS:  # as in memory, nothing comes of a record that cannot have happened
            continue
        if finished is not None:
            players.add_round(finished)
    return players.find(player_id)


def _cleared(connection: Any) -> set[int]:
    """The records by which tables were closed that were cleared later."""
    cleared = set()
    for logged in read_log(connection, kinds=[TableCleared.__name__]):
        with suppress(*CONTRADICTIONS):
            record, _ = logged.read()
            if isinstance(record, TableCleared):
                cleared.add(record.impossible)
    return cleared
