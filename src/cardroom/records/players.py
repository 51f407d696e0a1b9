"""Records of players: chips, names, limits, breaks, and what the house decided about them."""

from __future__ import annotations

from cardroom.records.base import Record


class PlayerWelcomed(Record, frozen=True, kw_only=True):
    """A guest's first chips were given."""

    player: str


class ChipsTaken(Record, frozen=True, kw_only=True):
    """A player took house chips."""

    player: str


class PlayerNamed(Record, frozen=True, kw_only=True):
    """A player chose a name."""

    player: str
    name: str


class LimitSet(Record, frozen=True, kw_only=True):
    """A player asked for a limit (R-57); None is no limit."""

    player: str
    limit: str
    period: str
    value: int | None
    set_at: str = ""
    """When it was set, where that was before the player's first chips; else at the time of the record."""


class BreakTaken(Record, frozen=True, kw_only=True):
    """A player takes a break until a moment (R-58)."""

    player: str
    until: str


class RealityCheckSet(Record, frozen=True, kw_only=True):
    """A player wants to be told every so many minutes how long they have played."""

    player: str
    minutes: int


class RealityChecked(Record, frozen=True, kw_only=True):
    """A player has read how long they have played and what came of it (R-59)."""

    player: str
    net_cents: int


class PlayerDisabled(Record, frozen=True, kw_only=True):
    """The house closed a player's seat."""

    player: str
    what: str
    by: str
    before: str
    after: str
    reason: str


class PlayerEnabled(Record, frozen=True, kw_only=True):
    """The house opened a player's seat again."""

    player: str
    what: str
    by: str
    before: str
    after: str
    reason: str
