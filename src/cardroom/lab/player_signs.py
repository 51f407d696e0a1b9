"""What the rounds of a real table say of one player: each sign with its error, and in words for the floor."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from cardroom.presentation.numbers import percent, signed

LEAST_ROUNDS: Final = 30
LEAST_SHOES: Final = 4
HINT_ERRORS: Final = 3
"""A sign so many standard errors above nothing is a hint."""


@dataclass(frozen=True, slots=True)
class Going:
    """How one thing goes with another, round by round: a correlation and its error."""

    correlation: float
    error: float

    @property
    def hint(self) -> bool:
        return self.correlation > HINT_ERRORS * self.error

    def __str__(self) -> str:
        return f"{signed(self.correlation, 2, plus=True)} ± {signed(self.error, 2)}"

    def to_json(self) -> dict[str, Any]:
        return {"correlation": self.correlation, "standard_error": self.error}


def going(one: Sequence[float], other: Sequence[float], shoes: Sequence[tuple[str, int]]) -> Going | None:
    """The correlation of two rows of numbers, of whose rounds the shoes are told; None where too little was
    seen, or where one of them never changed.

    The error is from leaving out one shoe after another, since the rounds of a shoe go together. Few shoes
    may be alike by chance: it is never less than that of rounds that had nothing to do with each other.
    """
    different = sorted(set(shoes))
    if len(one) < LEAST_ROUNDS or len(different) < LEAST_SHOES or min(len(set(one)), len(set(other))) < 2:
        return None
    a, b = np.array(one, float), np.array(other, float)
    number = {shoe: place for place, shoe in enumerate(different)}
    of_shoe = np.array([number[shoe] for shoe in shoes])
    correlation = _correlation(a, b)
    left_out = [_correlation(a[of_shoe != place], b[of_shoe != place]) for place in range(len(different))]
    spread = float(np.square(np.array(left_out) - np.mean(left_out)).sum())
    error = math.sqrt((len(different) - 1) / len(different) * spread)
    return Going(correlation, max(error, (1 - correlation**2) / math.sqrt(len(a) - 1)))


def _correlation(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    a, b = one - one.mean(), other - other.mean()
    spread = math.sqrt(float((a @ a) * (b @ b)))
    return float(a @ b) / spread if spread else 0.0


@dataclass(frozen=True, slots=True)
class Done:
    """How often something was done, of how many times that it could have been."""

    times: int = 0
    of: int = 0

    @property
    def share(self) -> float | None:
        return self.times / self.of if self.of else None

    @property
    def error(self) -> float | None:
        """Of the share, never less than one decision would change it."""
        if self.share is None:
            return None
        return max(math.sqrt(self.share * (1 - self.share) / self.of), 1 / (self.of + 1))

    def __str__(self) -> str:
        if self.share is None or self.error is None:
            return "none came"
        return f"{self.times} of {self.of} ({percent(self.share, 0)} ± {percent(self.error, 0)})"


@dataclass(frozen=True, slots=True)
class Contrast:
    """How often something was done where the count asks for it, beside where the count does not.

    Whoever does it everywhere does not go by the count: only the difference is a sign.
    """

    there: Done = Done()
    elsewhere: Done = Done()

    @property
    def difference(self) -> float | None:
        if self.there.share is None or self.elsewhere.share is None:
            return None
        return self.there.share - self.elsewhere.share

    @property
    def error(self) -> float | None:
        if self.there.error is None or self.elsewhere.error is None:
            return None
        return math.hypot(self.there.error, self.elsewhere.error)

    @property
    def hint(self) -> bool:
        return (
            self.difference is not None
            and self.error is not None
            and self.difference > HINT_ERRORS * self.error
        )

    def to_json(self) -> dict[str, Any]:
        return {
            "asked": self.there.of,
            "done": self.there.times,
            "share": self.there.share,
            "share_standard_error": self.there.error,
            "not_asked": self.elsewhere.of,
            "done_elsewhere": self.elsewhere.times,
            "share_elsewhere": self.elsewhere.share,
            "share_elsewhere_standard_error": self.elsewhere.error,
            "difference": self.difference,
            "difference_standard_error": self.error,
        }


@dataclass(frozen=True, slots=True)
class PlayerSigns:
    """One player's wagers and play beside the count."""

    player: str
    name: str
    rounds: int
    shoes: int
    wager: Going | None = None
    """Of the wager with the true count; None where the wager never changed or too little was seen."""
    play: Contrast = Contrast()
    """Other play than basic strategy, in hands in which some count asks for it."""
    insurance: Contrast = Contrast()
    """Insurance or even money, from the count on at which it pays."""
    side_bets: tuple[tuple[str, Going], ...] = ()
    """By the title of the bet: of its stake with what the bet is worth from the cards that are left."""
    presence: Going | None = None
    """Of being in a round with the true count, in shoes of which the player sat out rounds of others."""

    @property
    def signs(self) -> list[str]:
        """What goes with the count by more than chance explains."""
        hints = {
            "the wager": self.wager is not None and self.wager.hint,
            "the play": self.play.hint,
            "insurance": self.insurance.hint,
            **{f"the stake on {title}": one.hint for title, one in self.side_bets},
            "being in the round": self.presence is not None and self.presence.hint,
        }
        return [what for what, hint in hints.items() if hint]

    @property
    def hint(self) -> bool:
        """Whether anything goes with the count by more than chance explains."""
        return bool(self.signs)

    @property
    def wager_words(self) -> str:
        """How the wager goes with the count, to read."""
        return "not known" if self.wager is None else str(self.wager)

    @property
    def details(self) -> list[str]:
        """All that is known beside the wager, in sentences."""
        sentences = []
        for what, decisions in (("Other play than basic strategy", self.play), ("Insurance", self.insurance)):
            if decisions.there.of or decisions.elsewhere.of:
                sentences.append(
                    f"{what}: {decisions.there} where the count asks for it, "
                    f"{decisions.elsewhere} where it does not."
                )
        sentences += [f"Stake on {title} with what it is worth: {one}." for title, one in self.side_bets]
        if self.presence is not None:
            sentences.append(f"In the round or not, with the count: {self.presence}.")
        return sentences

    @property
    def words(self) -> str:
        """What is said of it to the floor."""
        signs = self.signs
        if signs:
            goes = "goes" if len(signs) == 1 else "go"
            *some, last = signs
            together = f"{', '.join(some)} and {last}" if some else last
            return f"{together} {goes} with the count: worth a look, no proof"
        if self.wager is None and not self.details:
            return "too little seen, or a wager that never changed"
        return "no sign of counting"

    def to_json(self) -> dict[str, Any]:
        return {
            "player": self.player,
            "name": self.name,
            "rounds": self.rounds,
            "shoes": self.shoes,
            "correlation_of_wager_with_count": None if self.wager is None else self.wager.correlation,
            "correlation_standard_error": None if self.wager is None else self.wager.error,
            "index_plays": self.play.there.times,
            "basic_plays": self.play.there.of - self.play.there.times,
            "index_share": self.play.there.share,
            "index_share_standard_error": self.play.there.error,
            "play": self.play.to_json(),
            "insurance": self.insurance.to_json(),
            "side_bets": [{"wager": title, **one.to_json()} for title, one in self.side_bets],
            "presence": None if self.presence is None else self.presence.to_json(),
            "signs": self.signs,
            "hint": self.hint,
            "words": self.words,
        }
