"""How a game's tables and finished rounds are shown, whatever is played there: the view that its entry names.

Lobby, floor and the pages of finished rounds ask the view of the game, and know no game themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

from cardroom.games import GAMES
from cardroom.store.log import LogRecord
from cardroom.table.happened import Happened
from cardroom.table.running import Finished, RunningTable
from cardroom.web.players.player import Player


class LobbyRow(NamedTuple):
    """A table in the lobby."""

    address: str
    title: str
    taken: int
    seats: int
    dealing: str
    """What is said while it deals."""


class RoundPage(NamedTuple):
    """The page of a finished round: its template, what happened, and what the layout shows."""

    template: str
    state: dict[str, Any]
    layout: dict[str, Any]


class View(Protocol):
    """The module that an entry names; it is only asked about tables and rounds of its own games."""

    def lobby_row(self, table: RunningTable) -> LobbyRow:
        """The table as the lobby lists it."""

    def round_page(self, finished: Finished, visitor: Player, decision_seconds: float) -> RoundPage:
        """The page by which a finished round is shared."""

    def floor_part(self, table: RunningTable) -> dict[str, Any]:
        """What the floor sees of the table, beside what is the same at all tables; no card face down."""

    def notices(self, table: RunningTable) -> dict[str, Any]:
        """What operations must know: how many wait for a place, and rules that are announced."""

    def people_at(self, table: RunningTable) -> list[tuple[str, str]]:
        """Who plays there, as id and name; computer players are the house's own."""

    def hand_in_play(self, table: RunningTable, records: Sequence[LogRecord]) -> list[Happened]:
        """What records say of the table since its last round was over."""

    def retold(
        self, finished: Finished, records: Sequence[LogRecord], before: Finished | None
    ) -> list[Happened]:
        """A finished round as it happened, by its records; `before` is the round before it."""

    def names(self, finished: Finished) -> dict[str, str]:
        """What its players were called at the table, by their ids; none where they have their own names."""

    def meter_notes(self, finished: Finished) -> list[dict[str, str]]:
        """Why meters that a round moved stay as they are when its result is put right, with the clause."""


def view_of(game: str) -> View:
    """The view of a game; refused where the game is not played at tables."""
    view: View = GAMES.find(game).follow("view")
    return view
