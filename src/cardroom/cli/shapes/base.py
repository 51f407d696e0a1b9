"""What the JSON of several commands has in common."""

from __future__ import annotations

from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict

Rules = dict[str, Any]
"""House rules in full; `cardroom rules GAME --schema` says what they may hold."""
Decks = int | Literal["infinite"]


class Printed(TypedDict):
    """What every command prints with `--json`, or each item of what it prints where that is a list."""

    schema_version: Literal[1]


class OfGame(Printed):
    """Figures of one game under one set of house rules."""

    game: str
    rules_hash: str


class Number(TypedDict):
    """A number; the fraction is null where it is not known exactly."""

    fraction: str | None
    decimal: float


class Outcome(TypedDict):
    """One way for a wager to end: `pays` as odds when it wins, else the net result for each unit."""

    outcome: str
    pays: str
    probability: Number


class Wager(TypedDict):
    """The figures of one wager, for each unit staked."""

    wager: str
    method: str
    strategy: NotRequired[str]
    expected_value: Number
    house_edge_percent: float
    hit_frequency: float
    standard_deviation: float
    outcomes: list[Outcome]
    probability_error: NotRequired[float]
    note: NotRequired[str]


class SizeLine(TypedDict):
    """House edges of the wagers that depend on the size, at one size."""

    wager_cents: int
    why: str | None
    house_edge_percent: dict[str, float]


class Size(TypedDict):
    """For which size of the wager the figures are, and how they change with it."""

    wager_cents: int
    words: str
    depends_on_size: list[str]
    by_size: list[SizeLine]
    curve: list[SizeLine]
    paid_in_full_percent: dict[str, float]
    side_wagers: Size | None


class Finding(TypedDict):
    """Something that disagrees, and where."""

    where: str
    what: str


class ChartRow(TypedDict):
    """A row of a strategy chart: which hands it is for, and what to do against each up card."""

    name: str
    hand: str
    cards: str
    doubles: str
    bonus: str
    after_split: str
    cells: list[str]


class GridRow(TypedDict):
    """A row of a chart as it is shown; `close` marks choices that hardly matter."""

    hand: str
    cells: list[str]
    close: list[bool]
    hands: list[str]


class Grid(TypedDict):
    """A part of a chart as it is shown, such as the hard hands."""

    title: str
    rows: list[GridRow]


class Chart(TypedDict):
    """A strategy chart; the cells of each row are in the order of `up_cards`."""

    game: str
    strategy: str
    up_cards: list[str]
    close_below: float
    rows: list[ChartRow]
    grids: list[Grid]
