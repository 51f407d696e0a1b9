"""What the best conceivable counter could win from a wager, and what is left of it by each countermeasure."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from cardroom.core.errors import MalformedInput
from cardroom.protect.paths import Paths
from cardroom.protect.worth import Floats, Worth

Mark = Literal["safe", "watch", "exposed"]
BANKROLL_CENTS: Final = 10_000_00
"""Of the counter where no maximum holds; with the Kelly wager, which risks 13.5 % of ruin."""
_LEVELS: Final = 24


@dataclass(frozen=True, slots=True)
class Thresholds:
    """From which win for 100 rounds on a wager is to be watched, and from which on it is exposed."""

    watch_cents: int = 5_00
    exposed_cents: int = 50_00

    def __post_init__(self) -> None:
        if not 0 < self.watch_cents < self.exposed_cents:
            raise MalformedInput(
                "the marks need two amounts for 100 rounds, above 0, to watch less than exposed: "
                "such as 5 and 50 dollars"
            )

    def mark(self, cents: float) -> Mark:
        """By what is won for 100 rounds seen."""
        if cents >= self.exposed_cents:
            return "exposed"
        return "watch" if cents >= self.watch_cents else "safe"


@dataclass(frozen=True, slots=True)
class AtCut:
    """One wager at one cut, for 100 rounds seen."""

    cut_cards: int
    decks: float
    rounds_per_shoe: float
    share: float
    """Of the rounds in which the wager is worth more than nothing."""
    edge: float
    """On average in those rounds."""
    units: float
    units_error: float
    at_maximum_cents: float
    """What the wager adds with the largest stake wherever that pays, less what must stand beside it loses."""
    at_maximum_error: float
    without_maximum_cents: float
    """Won with a bankroll of 10,000 dollars and the Kelly wager, whatever its size."""

    def to_json(self) -> dict[str, Any]:
        return {
            "decks_cut_off": self.decks,
            "cards_behind_the_cut_card": self.cut_cards,
            "rounds_per_shoe": self.rounds_per_shoe,
            "share_of_rounds_positive": self.share,
            "edge_when_positive": self.edge,
            "units_per_100_rounds_seen": self.units,
            "units_standard_error": self.units_error,
            "dollars_per_100_rounds_seen_at_the_maximum": self.at_maximum_cents / 100,
            "dollars_at_the_maximum_standard_error": self.at_maximum_error / 100,
            "dollars_per_100_rounds_seen_without_a_maximum": self.without_maximum_cents / 100,
        }


@dataclass(frozen=True, slots=True)
class Countermeasure:
    """What the house can do, and what the best counter still wins at the maximum then."""

    id: str
    words: str
    left_cents: float
    """For 100 rounds seen."""

    def to_json(self) -> dict[str, Any]:
        return {
            "countermeasure": self.id,
            "words": self.words,
            "dollars_left_per_100_rounds_seen": self.left_cents / 100,
        }


@dataclass(frozen=True, eq=False)
class Stakes:
    """What a wager is made with, in cents.

    What it adds is the best that can be won with it, less the best that can be won without it: a primary
    wager that pays by itself is made anyway, so that its win is not the side bet's; one that is made for the
    side bet alone costs what it loses.
    """

    largest: int
    beside: Floats
    """[round]: cents by which what must stand beside it at the largest stake falls short; never above 0."""
    waiting: Floats
    """[round]: cents that the least wager of a seated player loses; of insurance with what that adds."""
    made: NDArray[np.bool_] | None = None
    """[round]: where what stands beside it is wagered before it can be asked for: insurance alone."""

    def won(self, value: Floats) -> Floats:
        """[round]: cents added, by the value of a unit."""
        return self._or_else(value, np.zeros(len(value)))

    def won_seated(self, value: Floats) -> Floats:
        """The same by a player who may not sit out."""
        return self._or_else(value, self.waiting)

    def _or_else(self, value: Floats, otherwise: Floats) -> Floats:
        if self.made is None:
            return np.maximum(self.largest * value + self.beside, otherwise)
        added = self.largest * np.maximum(value, 0) + self.beside
        return np.where(self.made, added, otherwise)

    def of(self, rounds: NDArray[np.bool_]) -> Stakes:
        """In some of the rounds."""
        made = None if self.made is None else self.made[rounds]
        return Stakes(self.largest, self.beside[rounds], self.waiting[rounds], made)


def at_cut(paths: Paths, worth: Worth, stakes: Stakes, cut_cards: int, decks: float) -> AtCut:
    """A wager at one cut; errors are those of shoes that were drawn, and of rounds that were solved."""
    rounds = paths.before(cut_cards)
    value, shoe = worth.value[rounds], paths.shoe[rounds]
    won = np.maximum(value, 0)
    more, more_error = worth.put_right(rounds)
    units = max(0.0, float(won.mean()) + more)
    money = stakes.of(rounds).won(value)
    scale = units / float(won.mean()) if won.any() else 1.0
    spread = worth.variance[rounds]
    kelly = np.divide(won**2, spread, out=np.zeros_like(won), where=spread > 0)
    made = int((won > 0).sum())
    return AtCut(
        cut_cards,
        decks,
        float(rounds.sum()) / len(paths.cards),
        made / len(won),
        float(won.sum()) * scale / made if made else 0.0,
        100 * units,
        100 * math.hypot(_error(won, shoe), more_error),
        100 * float(money.mean()) * scale,
        100 * math.hypot(_error(money, shoe), more_error * stakes.largest),
        100 * BANKROLL_CENTS * float(kelly.mean()) * scale,
    )


def _error(won: Floats, shoe: NDArray[np.int64]) -> float:
    """Of the mean of rounds, where the rounds of one shoe go together."""
    sums = np.bincount(shoe, weights=won)
    rounds = np.bincount(shoe)
    return float(np.sqrt(np.square(sums - won.mean() * rounds).sum())) / len(won)


def countermeasures(
    paths: Paths, worth: Worth, stakes: Stakes, base: AtCut, deeper: AtCut
) -> list[Countermeasure]:
    """What is left of the win at the maximum, beginning with what a cut half a deck further up leaves."""
    rounds = paths.before(base.cut_cards)
    value, shoe = worth.value[rounds], paths.shoe[rounds]
    here = stakes.of(rounds)
    won = here.won(value)
    mean = float(won.mean())
    scale = base.at_maximum_cents / (100 * mean) if mean else 1.0
    seated = 100 * float(here.won_seated(value).mean()) * scale if mean else 0.0
    return [
        Countermeasure(
            "cut",
            f"cut {deeper.decks:g} deck{'s' * (deeper.decks != 1)} off in place of {base.decks:g}",
            deeper.at_maximum_cents,
        ),
        Countermeasure("maximum", "halve the largest stake of this wager", base.at_maximum_cents / 2),
        Countermeasure(
            "no-entry",
            "nobody may sit down, or sit out, in the middle of a shoe",
            max(0.0, min(seated, base.at_maximum_cents)),
        ),
        Countermeasure(
            "shuffle",
            "shuffle after the first round with a raised wager",
            min(100 * _one_raise(won, shoe) * scale, base.at_maximum_cents),
        ),
    ]


def _one_raise(made: Floats, shoe: NDArray[np.int64]) -> float:
    """The most that a round wins on average where a shoe ends with the first wager, by the best threshold."""
    positive = made[made > 0]
    if not len(positive):
        return 0.0
    best = 0.0
    starts = np.flatnonzero(np.r_[True, shoe[1:] != shoe[:-1]])
    lengths = np.diff(np.r_[starts, len(shoe)])
    for level in np.quantile(positive, np.linspace(0, 0.98, _LEVELS)):
        reached = made >= level
        won, dealt = 0.0, 0
        for start, length in zip(starts.tolist(), lengths.tolist(), strict=True):
            some = np.flatnonzero(reached[start : start + length])
            if len(some):
                won += float(made[start + some[0]])
                dealt += int(some[0]) + 1
            else:
                dealt += length
        best = max(best, won / dealt)
    return best
