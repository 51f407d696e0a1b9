"""The house edge by the size of the wager: where chips, the table's maximum and bonuses make it matter.

A size that is asked for, or else the table's minimum, is the size of every other figure; here it is said
which, and what other sizes would give.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from cardroom.presentation.money import dollars
from cardroom.presentation.numbers import in_percent

USUAL_CENTS: Final = tuple(
    100 * whole for whole in (1, 2, 3, 5, 10, 15, 20, 25, 50, 100, 200, 500, 1000, 2000, 5000, 10_000)
)
"""The wagers that people make with the usual chips."""
_CURVE_POINTS: Final = 12

Edges = Mapping[str, float]
"""The house edge in percent by wager id."""


@dataclass(frozen=True, slots=True)
class SizeRange:
    """The sizes a table takes, in whole chips, and which of them are worth a line."""

    min_cents: int
    max_cents: int
    chip_cents: int
    special: Mapping[int, str]
    """Size → why it is looked at."""
    rounds: bool
    """Whether some size is rounded, so that neighbours differ."""

    def lines(self, headline_cents: int) -> dict[int, str]:
        """The sizes of the table, smallest first, each with the words for it."""
        words = {size: "" for size in (*USUAL_CENTS, headline_cents) if self._taken(size)}
        if self.rounds and self._taken(self.min_cents + self.chip_cents):
            words[self.min_cents + self.chip_cents] = ""
        words.update({size: why for size, why in self.special.items() if self._taken(size)})
        words[self.max_cents] = "maximum"
        words[self.min_cents] = "minimum"
        return dict(sorted(words.items()))

    def curve(self) -> list[int]:
        """Sizes for a curve: equal steps on a scale of powers, with neighbours where chips make teeth."""
        least, most, chip = self.min_cents, self.max_cents, self.chip_cents
        steps = (least * (most / least) ** (step / _CURVE_POINTS) for step in range(_CURVE_POINTS + 1))
        sizes = {round(size / chip) * chip for size in steps} | {*self.special}
        if self.rounds:
            sizes |= {size + chip for size in sizes}
        return sorted(size for size in {*sizes, least, most} if self._taken(size))

    def _taken(self, size: int) -> bool:
        return self.min_cents <= size <= self.max_cents and size % self.chip_cents == 0


@dataclass(frozen=True, slots=True)
class SizeLine:
    """One size of a wager and the house edge of what depends on it."""

    wager_cents: int
    why: str
    edges: Edges

    def to_json(self) -> dict[str, Any]:
        return {
            "wager_cents": self.wager_cents,
            "why": self.why or None,
            "house_edge_percent": dict(self.edges),
        }


@dataclass(frozen=True, slots=True)
class EdgeBySize:
    """For which size the figures are, and how they change with it."""

    wager_cents: int
    sentences: tuple[str, ...]
    """What a reader is told: the size of the figures, and what depends on it."""
    wagers: tuple[str, ...]
    """The wagers whose edge depends on the size; none where nothing does."""
    lines: tuple[SizeLine, ...]
    in_full: Edges
    """The edge of these wagers if nothing were rounded and nothing capped."""
    curve: tuple[SizeLine, ...] = ()
    side: EdgeBySize | None = None
    """The same for side bets, whose wagers have a size of their own."""

    @property
    def text(self) -> str:
        return " ".join(self.sentences)

    def to_json(self) -> dict[str, Any]:
        return {
            "wager_cents": self.wager_cents,
            "words": self.text,
            "depends_on_size": list(self.wagers),
            "by_size": [line.to_json() for line in self.lines],
            "curve": [line.to_json() for line in self.curve],
            "paid_in_full_percent": dict(self.in_full),
            "side_wagers": None if self.side is None else self.side.to_json(),
        }


def edge_by_size(
    sizes: SizeRange,
    edges: Callable[[int | None], Edges],
    asked_cents: int | None,
    *,
    reasons: Sequence[str],
    name: str = "wager",
    with_curve: bool = False,
    side: EdgeBySize | None = None,
) -> EdgeBySize:
    """Look at every size that is worth a line; `edges(None)` are those of a wager that is paid in full."""
    headline = asked_cents or sizes.min_cents
    full = edges(None)
    here = edges(headline)
    lines: list[SizeLine] = []
    if sizes.min_cents < sizes.max_cents:
        lines += [SizeLine(size, why, edges(size)) for size, why in sizes.lines(headline).items()]
    depends = tuple(wager for wager in here if _differ(line.edges.get(wager) for line in lines))
    missed = {wager: full[wager] for wager in here if wager in full and full[wager] != here[wager]}
    which = _headline(sizes, headline, name, is_asked=asked_cents is not None)
    words = [f"{which}.", *reasons] if depends or missed else [f"{which}; none depends on its size."]
    words += [
        f"Paid in full, the house edge would be {in_percent(edge)} ({wager})."
        for wager, edge in missed.items()
    ]
    points = [SizeLine(size, "", edges(size)) for size in sizes.curve()] if depends and with_curve else []
    return EdgeBySize(
        headline,
        tuple(words),
        depends,
        tuple(_only(line, depends) for line in lines) if depends else (),
        {wager: full[wager] for wager in (*depends, *missed) if wager in full},
        tuple(_only(point, depends) for point in points),
        side,
    )


def _headline(sizes: SizeRange, cents: int, name: str, *, is_asked: bool) -> str:
    if sizes.min_cents == sizes.max_cents:
        which = "the only one here"
    elif is_asked:
        which = "as asked"
    else:
        which = "the smallest here"
    return f"Figures are for a {name} of {dollars(cents)}, {which}"


def _differ(values: Iterable[float | None]) -> bool:
    return len(set(values)) > 1


def _only(line: SizeLine, wagers: Sequence[str]) -> SizeLine:
    return SizeLine(
        line.wager_cents, line.why, {wager: line.edges[wager] for wager in wagers if wager in line.edges}
    )


def rounding_words(rounding: str, chip_cents: int) -> str:
    """What the house does with a payment that does not come out even."""
    to = f"whole chips of {dollars(chip_cents)}" if rounding == "chip" else "the cent"
    return f"Payments that do not come out even are made down to {to}."
