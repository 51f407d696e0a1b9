"""Linear counts: named systems as data, how well a count tells the worth of a wager, and the best one."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib import resources
from typing import Any, Final

from cardroom.core.errors import MalformedInput, UnknownName
from cardroom.protect.effects import Effects

LETTERS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "T")
HIGHEST_LEVEL: Final = 3


@dataclass(frozen=True, slots=True)
class Count:
    """A counting system: what is added to the running count for each card that is seen."""

    id: str
    title: str
    tags: Mapping[str, Fraction]
    """By the letter of a rank, `T` for every ten-valued card."""

    @classmethod
    def parse(cls, id: str, tags: Mapping[str, Any], title: str = "") -> Count:  # noqa: A002
        """Read tags; every rank has one."""
        missing = [letter for letter in LETTERS if letter not in tags]
        unknown = [letter for letter in tags if letter not in LETTERS]
        if missing or unknown:
            what = f"has no tag for {missing[0]}" if missing else f"has a tag for {unknown[0]!r}"
            raise MalformedInput(f"the count {id!r} {what}; it needs one for each of {' '.join(LETTERS)}")
        try:
            read = {letter: Fraction(str(tags[letter])) for letter in LETTERS}
        except ValueError:
            raise MalformedInput(f"the count {id!r} has a tag that is no number") from None
        if len(set(read.values())) == 1:
            raise MalformedInput(f"the count {id!r} gives every card the same tag: it counts nothing")
        return cls(id, title or id, read)

    def sum_of_deck(self, tens: int = 4) -> Fraction:
        """The tags of thirteen ranks (twelve of a Spanish deck); 0 for a balanced count."""
        return sum(self._weighted(tens), Fraction(0))

    def _weighted(self, tens: int) -> list[Fraction]:
        return [self.tags[letter] * (tens if letter == "T" else 1) for letter in LETTERS]

    def balanced(self, tens: int = 4) -> bool:
        """Whether the running count of a whole deck is 0."""
        return self.sum_of_deck(tens) == 0

    @property
    def level(self) -> Fraction:
        """The largest tag, signs aside."""
        return max(abs(tag) for tag in self.tags.values())

    def correlation(self, effects: Effects) -> float:
        """Of the tags with the effects, over the cards of a deck; 0 where all effects are alike."""
        tens = effects.tens_in_a_deck
        by_value = effects.by_value
        weights = [tens if letter == "T" else 1 for letter in LETTERS]
        tags = [float(self.tags[letter]) for letter in LETTERS]
        worths = [float(by_value[letter]) for letter in LETTERS]
        return correlation(tags, worths, weights)


def correlation(one: list[float], other: list[float], weights: list[int]) -> float:
    """Pearson's, each entry as many times as its weight says; 0 where one of them has no spread."""
    whole = sum(weights)
    means = [sum(w * x for w, x in zip(weights, some, strict=True)) / whole for some in (one, other)]
    a, b = ([x - mean for x in some] for some, mean in zip((one, other), means, strict=True))
    both = math.fsum(w * x * y for w, x, y in zip(weights, a, b, strict=True))
    spread = math.fsum(w * x * x for w, x in zip(weights, a, strict=True)) * math.fsum(
        w * y * y for w, y in zip(weights, b, strict=True)
    )
    return both / math.sqrt(spread) if spread else 0.0


@cache
def systems() -> dict[str, Count]:
    """The named systems by their ids."""
    tree = tomllib.loads(resources.files("cardroom.protect").joinpath("systems.toml").read_text("utf-8"))
    return {name: Count.parse(name, entry["tags"], entry["title"]) for name, entry in tree.items()}


def find_count(text: str) -> Count:
    """A named system, or tags in order from ace to ten: `-1,1,1,1,1,1,0,0,0,-1`."""
    if text in systems():
        return systems()[text]
    if "," not in text:
        raise UnknownName(
            f"there is no count {text!r}; the counts are {', '.join(systems())}, or ten tags from ace to ten"
        )
    tags = [tag.strip() for tag in text.split(",")]
    if len(tags) != len(LETTERS):
        raise MalformedInput(
            f"{text!r} has {len(tags)} tags; a count has ten, ace to ten: {' '.join(LETTERS)}"
        )
    return Count.parse(text, dict(zip(LETTERS, tags, strict=True)))


def best_count(effects: Effects, level: int, *, balanced: bool) -> Count | None:
    """The count with whole tags up to a level that goes best with the effects; None where none goes at all.

    Exact: for every sum of tags and every sum of their squares the tags are found that go best with the
    effects, rank by rank; the correlation depends on these three sums alone.
    """
    if not 1 <= level <= HIGHEST_LEVEL:
        raise MalformedInput(f"a level of {level} is not allowed; allowed: 1 to {HIGHEST_LEVEL}")
    tens = effects.tens_in_a_deck
    weights = [tens if letter == "T" else 1 for letter in LETTERS]
    whole = sum(weights)
    worths = [float(effects.by_value[letter]) for letter in LETTERS]
    mean = sum(w * x for w, x in zip(weights, worths, strict=True)) / whole
    centred = [x - mean for x in worths]
    spread = math.sqrt(math.fsum(w * x * x for w, x in zip(weights, centred, strict=True)))
    if spread <= _NO_SPREAD * max(1.0, abs(mean)):
        return None
    best: dict[tuple[int, int], tuple[float, tuple[int, ...]]] = {(0, 0): (0.0, ())}
    for weight, worth in zip(weights, centred, strict=True):
        further: dict[tuple[int, int], tuple[float, tuple[int, ...]]] = {}
        for (total, squares), (both, tags) in best.items():
            for tag in range(-level, level + 1):
                key = (total + weight * tag, squares + weight * tag * tag)
                value = both + weight * tag * worth
                if key not in further or value > further[key][0]:
                    further[key] = (value, (*tags, tag))
        best = further
    ranked = [
        (both / math.sqrt(squares - total * total / whole) / spread, -squares, tags)
        for (total, squares), (both, tags) in best.items()
        if squares * whole > total * total and (total == 0 or not balanced)
    ]
    _, _, tags = max(ranked)
    kind = "balanced" if balanced else "unbalanced allowed"
    return Count(
        f"best-{level}{'-balanced' if balanced else ''}",
        f"the best of level {level} ({kind})",
        {letter: Fraction(tag) for letter, tag in zip(LETTERS, tags, strict=True)},
    )


_NO_SPREAD: Final = 1e-12
"""Effects that differ by no more than rounding are alike."""
