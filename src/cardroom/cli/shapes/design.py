"""The JSON of `design`."""

from __future__ import annotations

from typing import Any, NotRequired

from typing_extensions import TypedDict

from cardroom.cli.shapes.base import Decks, Number, Printed
from cardroom.cli.shapes.figures import Correlation

DesignLine = TypedDict(
    "DesignLine",
    {"line": str, "title": str, "pays": str, "chance": Number, "one_in": float | None, "return": Number},
)


class WithDecks(TypedDict):
    """A side bet's figures with one number of decks."""

    decks: Decks
    expected_value: Number
    house_edge_percent: float
    hit_frequency: Number
    variance: Number
    standard_deviation: float
    volatility_index: float
    lines: list[DesignLine]


class DesignedBet(WithDecks):
    """A side bet as its designer sees it."""

    wager: str
    title: str
    looks_at: list[str]
    method: str
    by_decks: list[WithDecks]
    warnings: list[str]
    correlation_with_main: Correlation | None


class Design(Printed):
    """A side bet or house rules as they stand in a file; `main` where the file holds house rules."""

    file: str
    game: str
    rules_hash: str
    main: NotRequired[dict[str, Any]]
    bets: list[DesignedBet]
    not_figured: NotRequired[dict[str, str]]
    not_simulated: NotRequired[dict[str, str]]


class PaytableWithDecks(TypedDict):
    """A paytable that was found, with one number of decks; value and hit frequency as fractions."""

    decks: Decks
    house_edge_percent: float
    expected_value: str
    hit_frequency: str
    volatility_index: float


class Paytable(TypedDict):
    """Pays by line that meet the target; null for a line that is left out."""

    pays: dict[str, str | None]
    by_decks: list[PaytableWithDecks]


class Search(Printed):
    """`--target-edge` and the like: paytables that meet the target, by side bet."""

    file: str
    game: str
    decks: list[Decks]
    bets: dict[str, list[Paytable]]


DesignOrSearch = Design | Search
