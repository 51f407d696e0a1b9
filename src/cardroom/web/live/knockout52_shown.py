"""How the house shows Knockout 52: to the lobby, to the floor, and to whoever opens a finished game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cardroom.games import GAMES
from cardroom.store.log import LogRecord
from cardroom.table.happened import Happened
from cardroom.table.knockout52.finished import FinishedGame
from cardroom.table.knockout52.replaying import retold_game
from cardroom.table.knockout52.running import SEATS, Knockout52Table
from cardroom.table.running import Finished, RunningTable
from cardroom.web.layouts import knockout52_layout
from cardroom.web.live.knockout52_view import finished_view
from cardroom.web.live.shown import LobbyRow, RoundPage
from cardroom.web.players.player import Player


def lobby_row(table: RunningTable) -> LobbyRow:
    """The table as the lobby lists it."""
    assert isinstance(table, Knockout52Table)
    decks = table.rules.decks
    return LobbyRow(
        address=f"{GAMES[table.rules.game].address}/{table.id}",
        title=f"{table.rules.title}, {decks} deck{'' if decks == 1 else 's'}",
        taken=len(table.seated),
        seats=SEATS,
        dealing="dealing",
    )


def round_page(finished: Finished, visitor: Player, _decision_seconds: float) -> RoundPage:
    """The page by which a finished game is shared."""
    assert isinstance(finished, FinishedGame)
    return RoundPage("round52.html", finished_view(finished, visitor), knockout52_layout(finished.game.rules))


def floor_part(table: RunningTable) -> dict[str, Any]:
    """A table whose cards are laid out: it has places, and no procedure that is done by hand."""
    assert isinstance(table, Knockout52Table)
    return {
        "by_hand": False,
        "phase": "round" if table.dealing else "wagers",
        "dealer": "",
        "spots": [
            {"number": place, "player": one.name, "staked_cents": one.stake_cents}
            for place, one in enumerate(table.seated.values(), 1)
        ],
        "waiting": [],
        "round": table.counts()[0],
        "shoe": table.counts()[1],
        "cards_left": None,
        "to_burn": None,
        "failed": [],
        "told": [],
    }


def notices(_table: RunningTable) -> dict[str, Any]:
    """Nobody waits for a place, and the rules of a table stay as they are."""
    return {"waiting": 0, "announcement": None}


def people_at(table: RunningTable) -> list[tuple[str, str]]:
    """Who plays there, as id and name."""
    assert isinstance(table, Knockout52Table)
    return [(own, one.name) for own, one in table.seated.items()]


def hand_in_play(_table: RunningTable, records: Sequence[LogRecord]) -> list[Happened]:
    """What records say of the table since its last game was over."""
    return retold_game(records)


def retold(_finished: Finished, records: Sequence[LogRecord], _before: Finished | None) -> list[Happened]:
    """A finished game as it happened."""
    return retold_game(records)


def names(_finished: Finished) -> dict[str, str]:
    """Players have their own names here."""
    return {}


def meter_notes(_finished: Finished) -> list[dict[str, str]]:
    """The game has no meters."""
    return []
