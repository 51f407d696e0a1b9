"""The best linear count for a wager: whole tags up to a level, balanced or not."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from cardroom.core.cards import Rank
from cardroom.core.errors import MalformedInput
from cardroom.presentation.numbers import signed
from cardroom.protect.effects import Effects

HIGHEST_LEVEL: Final = 3
_NO_SPREAD: Final = 1e-12
"""Effects that differ by no more than rounding are alike."""
_DIGITS: Final = 12
"""Of a correlation; of counts that are as good the one with the smallest tags is taken."""


@dataclass(frozen=True, slots=True)
class BestCount:
    """Of all counts with whole tags up to a level the one that goes best with the effects of a wager."""

    effects: Effects
    level: int
    balanced: bool
    """Whether only balanced counts were looked at, whose tags of a whole deck add up to 0."""
    tags: Mapping[str, int]
    """By the letter of a rank; `T` for all ten-valued cards unless the wager tells them apart."""
    correlation: float
    sum_of_deck: int
    """The tags of thirteen ranks (twelve of a Spanish deck)."""

    @property
    def title(self) -> str:
        return f"level {self.level}, {'unbalanced' if self.sum_of_deck else 'balanced'}"

    @property
    def tag_words(self) -> str:
        """Ranks with one tag together: `A 2 K +1, 3 4 5 −1`; those that count nothing are left out."""
        groups: dict[int, list[str]] = {}
        for letter, tag in self.tags.items():
            groups.setdefault(tag, []).append(letter)
        counted = sorted((tag, letters) for tag, letters in groups.items() if tag)
        return ", ".join(
            f"{' '.join(letters)} {signed(tag, 0, plus=True)}" for tag, letters in reversed(counted)
        )

    def to_json(self) -> dict[str, Any]:
        return {
            "wager": self.effects.wager,
            "strategy": self.effects.strategy,
            "level": self.level,
            "balanced": self.balanced,
            "tags": {letter: float(tag) for letter, tag in self.tags.items()},
            "sum_of_a_deck": self.sum_of_deck,
            "correlation": self.correlation,
        }


def best_counts(effects: Effects) -> list[BestCount]:
    """Of every level the best balanced count and the best of all; none where no count follows the wager."""
    return [count for level in range(1, HIGHEST_LEVEL + 1) for count in _of_level(effects, level)]


def different_counts(effects: Effects) -> list[BestCount]:
    """The same for people: none stands there twice, be it the best of all, too, or of a higher level."""
    first: dict[tuple[int, ...], BestCount] = {}
    for count in best_counts(effects):
        first.setdefault(tuple(count.tags.values()), count)
    return list(first.values())


def best_count(effects: Effects, level: int, *, balanced: bool) -> BestCount | None:
    """The best count of one level; None where no count follows the wager."""
    if not 1 <= level <= HIGHEST_LEVEL:
        raise MalformedInput(f"a level of {level} is not allowed; allowed: 1 to {HIGHEST_LEVEL}")
    return next((count for count in _of_level(effects, level) if count.balanced is balanced), None)


def ranks_of(effects: Effects) -> dict[str, list[Rank]]:
    """The ranks that share a tag: all ten-valued ones, unless the wager tells them apart."""
    by_rank = effects.by_rank
    tens = [float(effect) for rank, effect in by_rank.items() if rank >= Rank.TEN]
    together = max(tens) - min(tens) <= _NO_SPREAD
    groups: dict[str, list[Rank]] = {}
    for rank in by_rank:
        groups.setdefault("T" if together and rank >= Rank.TEN else rank.letter, []).append(rank)
    return groups


def _of_level(effects: Effects, level: int) -> list[BestCount]:
    """Exact: for every sum of tags and every sum of their squares the tags are found that go best with the
    effects, rank by rank; the correlation depends on these three sums alone.
    """
    groups, by_rank = ranks_of(effects), effects.by_rank
    weights = [len(ranks) for ranks in groups.values()]
    whole = sum(weights)
    mean = sum(map(float, by_rank.values())) / whole
    centred = [float(by_rank[ranks[0]]) - mean for ranks in groups.values()]
    spread = math.sqrt(
        sum((float(effect) - mean) ** 2 for effect in effects.by_card.values()) * whole / len(effects.by_card)
    )
    if max(map(abs, centred)) <= _NO_SPREAD * max(1.0, abs(mean)):
        return []
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
        (round(both / math.sqrt(squares - total * total / whole) / spread, _DIGITS), -squares, tags, total)
        for (total, squares), (both, tags) in best.items()
        if squares * whole > total * total
    ]
    counts = []
    for balanced in (True, False):
        correlation, _, tags, total = max(one for one in ranked if one[3] == 0 or not balanced)
        counts.append(
            BestCount(effects, level, balanced, dict(zip(groups, tags, strict=True)), correlation, total)
        )
    return counts
