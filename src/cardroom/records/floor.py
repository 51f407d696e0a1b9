"""Records of the floor: what its people call, freeze, release and put right at a table."""

from __future__ import annotations

from cardroom.records.base import Record


class FloorCalled(Record, frozen=True, kw_only=True):
    """Somebody called the floor to a table and said why."""

    table: str
    by: str
    reason: str


class FloorAnswered(Record, frozen=True, kw_only=True):
    """The floor came, and said what was decided."""

    table: str
    by: str
    reason: str


class TableFrozen(Record, frozen=True, kw_only=True):
    """The floor froze a table: nothing happens there until it is released, and every stake stays."""

    table: str
    by: str
    reason: str


class TableReleased(Record, frozen=True, kw_only=True):
    """The floor released a frozen table: it goes on where it was; everybody has their whole time again."""

    table: str
    by: str
    reason: str


class RoundCorrected(Record, frozen=True, kw_only=True):
    """Two people put the result of a finished round right; the money moves with this record.

    The round's own record stays as it is. `before` and `after` say what each player won or lost by it, in
    cents, by the player's id: what moves is the difference.
    """

    round: str
    table: str
    game: str
    by: list[str]
    appointed: dict[str, str]
    """Who had appointed each of the two."""
    reason: str
    before: dict[str, int]
    after: dict[str, int]
    private: bool = False
    """Whether it was at a player's own table, whose bank is no part of the house's books."""
