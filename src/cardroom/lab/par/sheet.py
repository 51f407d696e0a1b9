"""A PAR sheet as data: everything it says, before anything is said of how it looks."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from cardroom import __version__
from cardroom.exact.figures import Number, WagerFigures, number_to_json
from cardroom.lab.sessions import Session
from cardroom.rules.base import HouseRules

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from cardroom.lab.charts import StrategyChart

VOLATILITY_SIGMAS: Final = 1.645
"""A volatility index is this many standard deviations of a round: 90 % of single results lie within it."""


@dataclass(frozen=True, slots=True)
class Line:
    """One outcome of a wager."""

    outcome: str
    pays: str
    net: Fraction | float
    probability: Number

    @property
    def one_in(self) -> float:
        return math.inf if not self.probability else float(1 / self.probability)

    @property
    def returns(self) -> Number:
        """What the outcome adds to the expected value."""
        if isinstance(self.net, Fraction) and isinstance(self.probability, Fraction):
            return self.net * self.probability
        return float(self.net) * float(self.probability)

    def to_json(self) -> dict[str, Any]:
        return {
            "outcome": self.outcome,
            "pays": self.pays,
            "probability": number_to_json(self.probability),
            "one_in": self.one_in if self.probability else None,
            "return": number_to_json(self.returns),
        }


@dataclass(frozen=True, slots=True)
class Moments:
    """Of the whole law, where the lines of a sheet are only a summary of it."""

    variance: float
    skewness: float


@dataclass(frozen=True, slots=True)
class WagerSheet:
    """All figures of one wager for each unit staked at first."""

    wager: str
    title: str
    lines: tuple[Line, ...]
    method: str = "exact"
    strategy: str | None = None
    total_wager: float = 1.0
    """What is staked on average when the round ends, in initial wagers."""
    note: str = ""
    moments: Moments | None = None
    is_part: bool = False
    """What comes back is a part of what a bigger wager returns; it has no price of its own."""
    probability_error: float = 0.0
    """The most by which a probability may be off, beside the last digits of a float; 0 for fractions."""

    @classmethod
    def of(
        cls,
        figures: WagerFigures,
        title: str,
        *,
        total_wager: float = 1.0,
        note: str = "",
        probability_error: float = 0.0,
    ) -> WagerSheet:
        lines = tuple(
            Line(outcome.outcome, outcome.pays, outcome.net, outcome.probability)
            for outcome in figures.outcomes
        )
        return cls(
            figures.wager,
            title,
            lines,
            figures.method,
            figures.strategy,
            total_wager=total_wager,
            note=" ".join(filter(None, (note, figures.note))),
            probability_error=probability_error,
        )

    @property
    def expected_value(self) -> Number:
        return _total([line.returns for line in self.lines])

    @property
    def house_edge(self) -> float | None:
        """Of the initial wager."""
        return None if self.is_part else -float(self.expected_value)

    @property
    def return_to_player(self) -> float:
        """What comes back of the initial wager; of a part, what it adds to that."""
        return float(self.expected_value) + (0 if self.is_part else 1)

    @property
    def element_of_risk(self) -> float | None:
        """The house edge of all that is wagered."""
        return None if self.house_edge is None else self.house_edge / self.total_wager

    @property
    def hit_frequency(self) -> float:
        return float(_total([line.probability for line in self.lines if line.net > 0]))

    def _moment(self, power: int) -> float:
        mean = float(self.expected_value)
        return math.fsum((float(line.net) - mean) ** power * float(line.probability) for line in self.lines)

    @property
    def variance(self) -> float:
        return self._moment(2) if self.moments is None else self.moments.variance

    @property
    def standard_deviation(self) -> float:
        return math.sqrt(self.variance)

    @property
    def skewness(self) -> float:
        if self.moments is not None:
            return self.moments.skewness
        # A prize that cannot come from the shoe leaves a wager without any spread.
        return self._moment(3) / self.variance**1.5 if self.variance else 0.0

    @property
    def volatility_index(self) -> float:
        return VOLATILITY_SIGMAS * self.standard_deviation

    @property
    def largest(self) -> Line:
        """The largest win that is known to happen: its probability is above the error."""
        known = (line for line in self.lines if line.probability > self.probability_error)
        return max(known, key=lambda line: line.net)

    @property
    def rarer_win(self) -> Line | None:
        """The largest win, where it is larger than `largest`: its probability is below the error."""
        line = max((line for line in self.lines if line.probability), key=lambda line: line.net)
        return line if line.net > self.largest.net else None

    def to_json(self) -> dict[str, Any]:
        return {
            "wager": self.wager,
            "title": self.title,
            "method": self.method,
            "strategy": self.strategy,
            "expected_value": number_to_json(self.expected_value),
            "house_edge_percent": None if self.house_edge is None else 100 * self.house_edge,
            "house_edge_of_total_wager_percent": (
                None if self.element_of_risk is None else 100 * self.element_of_risk
            ),
            "return_to_player": self.return_to_player,
            "average_total_wager": self.total_wager,
            "hit_frequency": self.hit_frequency,
            "variance": self.variance,
            "standard_deviation": self.standard_deviation,
            "skewness": self.skewness,
            "volatility_index": self.volatility_index,
            "probability_error": self.probability_error,
            "largest_win": self.largest.to_json(),
            "outcomes": [line.to_json() for line in self.lines],
            "note": self.note,
        }


def _total(numbers: Sequence[Number]) -> Number:
    if all(isinstance(number, Fraction) for number in numbers):
        return sum(numbers, Fraction(0))
    return math.fsum(numbers)


@dataclass(frozen=True, slots=True)
class Variation:
    """The house edge of a wager under a changed rule."""

    rule: str
    """`dealer_hits_soft_17 = false`."""
    words: str
    edge: float
    change: float
    """Against the rules of the sheet, as a share of the initial wager."""

    def to_json(self) -> dict[str, Any]:
        return {
            "rule": self.rule,
            "words": self.words,
            "house_edge_percent": 100 * self.edge,
            "change_percent": 100 * self.change,
        }


@dataclass(frozen=True, slots=True)
class Correlation:
    """How two wagers of the same round go together."""

    one: str
    other: str
    value: float
    method: str = "exact"
    standard_error: float | None = None
    seed: int | None = None

    def to_json(self) -> dict[str, Any]:
        return {
            "wagers": [self.one, self.other],
            "correlation": self.value,
            "method": self.method,
            "standard_error": self.standard_error,
            "seed": self.seed,
        }


@dataclass(frozen=True, slots=True)
class Verified:
    """A quantity exactly and by simulation."""

    quantity: str
    exact: float
    simulated: float
    standard_error: float

    @property
    def sigmas(self) -> float:
        return (self.simulated - self.exact) / self.standard_error if self.standard_error else 0.0

    def to_json(self) -> dict[str, Any]:
        return {
            "quantity": self.quantity,
            "exact": self.exact,
            "simulated": self.simulated,
            "standard_error": self.standard_error,
            "sigmas": self.sigmas,
        }


@dataclass(frozen=True, slots=True)
class Verification:
    """How the sheet was computed, and an independent check of it."""

    method: tuple[str, ...]
    rounds: int
    seed: int
    lines: tuple[Verified, ...]
    of: str = "rounds"
    """What was counted: rounds, or the tickets of a lottery."""

    def to_json(self) -> dict[str, Any]:
        return {
            "method": list(self.method),
            "rounds": self.rounds,
            "seed": self.seed,
            "lines": [line.to_json() for line in self.lines],
        }


@dataclass(frozen=True, slots=True)
class Table:
    """A table that only one game has; `data` is what it says to programs."""

    key: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    data: Any
    note: str = ""
    has_total: bool = False
    """The last row is a sum."""
    text_columns: frozenset[int] = frozenset({0})


@dataclass(frozen=True, slots=True)
class Plot:
    """A picture drawn when it is needed."""

    key: str
    caption: str
    draw: Callable[[], Figure]


@dataclass(frozen=True, slots=True)
class ParSheet:
    """The PAR sheet of one game under one set of house rules."""

    rules: HouseRules
    summary: str
    facts: tuple[tuple[str, str], ...]
    """Equipment, wagers and limits."""
    wagers: tuple[WagerSheet, ...]
    session_wager: str
    """What a round of `sessions` is: a unit on this wager."""
    sessions: tuple[Session, ...]
    verification: Verification
    strategy: StrategyChart | None = None
    edges_by_strategy: tuple[tuple[str, float], ...] = ()
    sensitivity_wager: str = ""
    sensitivity: tuple[Variation, ...] = ()
    correlations: tuple[Correlation, ...] = ()
    progressives: tuple[tuple[str, tuple[tuple[str, str], ...], dict[str, Any]], ...] = ()
    """(title, facts to read, the same for programs) of every meter."""
    wager_tables: tuple[Table, ...] = ()
    """What is said of the wagers right after their outcomes."""
    tables: tuple[Table, ...] = ()
    findings: tuple[str, ...] = ()
    plots: tuple[Plot, ...] = ()
    data: Mapping[str, Any] = field(default_factory=dict)
    """What only programs read."""

    def to_json(self) -> dict[str, Any]:
        rules = self.rules
        return {
            "game": rules.game,
            "title": rules.title,
            "rules_hash": rules.rules_hash,
            "version": __version__,
            "rules": json.loads(rules.canonical_text()),
            "equipment_and_limits": dict(self.facts),
            "wagers": [wager.to_json() for wager in self.wagers],
            "strategy": None if self.strategy is None else self.strategy.to_json(),
            "house_edge_percent_by_strategy": {name: 100 * edge for name, edge in self.edges_by_strategy},
            "sensitivity": {
                "wager": self.sensitivity_wager,
                "variations": [variation.to_json() for variation in self.sensitivity],
            },
            "progressives": [{"title": title, **data} for title, _, data in self.progressives],
            "correlations": [correlation.to_json() for correlation in self.correlations],
            "sessions": {
                "wager": self.session_wager,
                "sessions": [session.to_json() for session in self.sessions],
            },
            **{table.key: table.data for table in (*self.wager_tables, *self.tables)},
            **self.data,
            "findings": list(self.findings),
            "verification": self.verification.to_json(),
        }
