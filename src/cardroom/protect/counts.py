"""Linear counts: named systems as data, how well a count tells the worth of a wager, and the best one."""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib import resources
from math import lcm
from typing import Any, Final

from cardroom.core.errors import MalformedInput, UnknownName
from cardroom.protect.effects import Effects

_LARGEST: Final = 100
_FINEST: Final = 10_000
"""Parts of 1 in which all tags of a count are whole, so that the running count is exact, times cards, too."""
_TAG: Final = re.compile(r"[+-]?(?:\d{1,3}(?:\.\d{0,4})?|\.\d{1,4}|\d{1,3}/[1-9]\d{0,2})")
_SUCH_TAGS: Final = "allowed: -100 to 100, such as 1, -0.5 or 1/3, no finer than 1/10000 all together"
LETTERS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "T")


@dataclass(frozen=True, slots=True)
class Count:
    """A counting system: what is added to the running count for each card that is seen."""

    id: str
    title: str
    tags: Mapping[str, Fraction]
    """By the letter of a rank, `T` for every ten-valued card."""
    suits: bool = False
    """The longest suit of what is left less the shortest; its tags are all 0, and no line follows it."""

    @classmethod
    def parse(cls, id: str, tags: Mapping[str, Any], title: str = "") -> Count:  # noqa: A002
        """Read tags; every rank has one."""
        missing = [letter for letter in LETTERS if letter not in tags]
        unknown = [letter for letter in tags if letter not in LETTERS]
        if missing or unknown:
            what = f"has no tag for {missing[0]}" if missing else f"has a tag for {unknown[0]!r}"
            raise MalformedInput(f"the count {id!r} {what}; it needs one for each of {' '.join(LETTERS)}")
        read = {letter: _tag(id, str(tags[letter])) for letter in LETTERS}
        if lcm(*(tag.denominator for tag in read.values())) > _FINEST:
            raise MalformedInput(f"the count {id!r} has tags too fine for one unit: {_SUCH_TAGS}")
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
        tags = [float(self.tags["T" if card.value == 10 else card.rank.letter]) for card in effects.by_card]
        return correlation(tags, list(map(float, effects.by_card.values())))


def _tag(count: str, text: str) -> Fraction:
    """Written as people do: no power of ten that would take a lifetime to write out."""
    if _TAG.fullmatch(text) is None:
        raise MalformedInput(f"the count {count!r} has a tag that is no number of a count; {_SUCH_TAGS}")
    tag = Fraction(text)
    if abs(tag) > _LARGEST:
        raise MalformedInput(f"the count {count!r} has a tag that is too large; {_SUCH_TAGS}")
    return tag


def correlation_with_aces(count: Count, effects: Effects) -> float | None:
    """Of a count that leaves aces out, with aces counted beside it and weighed as goes best with the effects.

    None for a count with a tag for aces, or where it says nothing of the wager.
    """
    alone = count.correlation(effects)
    if count.tags["A"] or not alone:
        return None
    aces = [float(card.value == 1) for card in effects.by_card]
    tags = [float(count.tags["T" if card.value == 10 else card.rank.letter]) for card in effects.by_card]
    between = correlation(tags, aces)
    own = correlation(aces, list(map(float, effects.by_card.values())))
    return math.sqrt((alone**2 + own**2 - 2 * alone * own * between) / (1 - between**2))


def correlation(one: list[float], other: list[float]) -> float:
    """Pearson's; 0 where one of them has no spread but for rounding."""
    a, b = ([x - math.fsum(some) / len(some) for x in some] for some in (one, other))
    if max(map(abs, a)) <= _NO_SPREAD or max(map(abs, b)) <= _NO_SPREAD:
        return 0.0
    both = math.fsum(x * y for x, y in zip(a, b, strict=True))
    return both / math.sqrt(math.fsum(x * x for x in a) * math.fsum(y * y for y in b))


def _named(file: str) -> dict[str, Count]:
    tree = tomllib.loads(resources.files("cardroom.protect").joinpath(file).read_text("utf-8"))
    nothing = dict.fromkeys(LETTERS, Fraction(0))
    return {
        name: Count(name, entry["title"], nothing, suits=True)
        if entry.get("suits")
        else Count.parse(name, entry["tags"], entry["title"])
        for name, entry in tree.items()
    }


@cache
def systems() -> dict[str, Count]:
    """The named systems by their ids."""
    return _named("systems.toml")


@cache
def side_counts() -> dict[str, Count]:
    """Counts that are kept beside another one, for one decision alone."""
    return _named("side_counts.toml")


def find_side_count(text: str) -> Count:
    """A count kept beside another one: of tens, aces or suits, a named system, or ten tags."""
    if text in side_counts():
        return side_counts()[text]
    if text in systems() or "," in text:
        return find_count(text)
    raise UnknownName(
        f"there is no count {text!r} to keep beside another; there are {', '.join(side_counts())}, all "
        f"others ({', '.join(systems())}), or ten tags from ace to ten"
    )


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
    return Count.parse(text, {letter: tag for letter, tag in zip(LETTERS, tags, strict=True) if tag})


_NO_SPREAD: Final = 1e-12
"""What differs by no more than rounding is alike."""
