"""Paytables that meet a target: pays from a list of usual odds, for all chosen numbers of decks at once.

A search by branch and bound over whole numbers. Lines are given pays from the rarest to the most frequent,
which never pays more than a rarer one; a branch is left as soon as no pays for the rest can meet the targets
for some number of decks. A line may also be left out: its cards then make a later line, or lose.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import ceil, floor, lcm
from typing import Any, Final

from cardroom.core.errors import MalformedInput
from cardroom.core.odds import Odds
from cardroom.exact.by_decks import Decks, chances_with_decks
from cardroom.lab.par.sheet import VOLATILITY_SIGMAS
from cardroom.presentation.numbers import percent
from cardroom.rules.bets import Machine, SideBet
from cardroom.rules.twentyone import TwentyOneRules

USUAL_ODDS: Final = tuple(
    Odds.parse(text)
    for text in (
        "1:1", "3:2", "2:1", "5:2", "3:1", "4:1", "5:1", "6:1", "7:1", "8:1",
        "9:1", "10:1", "11:1", "12:1", "15:1", "18:1", "20:1", "25:1", "30:1", "35:1",
        "40:1", "50:1", "60:1", "75:1", "100:1", "125:1", "200:1", "250:1", "500:1", "1000:1",
    )
)  # fmt: skip
"""Thirty odds that layouts print, from the least on."""
MOST_LINES: Final = 8
_RANGE: Final = re.compile(r"(-?\d{1,6}(?:\.\d{1,6})?)\.\.(-?\d{1,6}(?:\.\d{1,6})?)")
_DECKS: Final = tuple("12345678")
_SIGMAS: Final = Fraction(str(VOLATILITY_SIGMAS))


@dataclass(frozen=True, slots=True)
class Range:
    """From one number to another, both allowed."""

    least: Fraction
    most: Fraction

    def __contains__(self, number: Fraction) -> bool:
        return self.least <= number <= self.most

    @property
    def middle(self) -> Fraction:
        return (self.least + self.most) / 2


def read_range(text: str, option: str, *, per: int = 1) -> Range:
    """Read `3..6`; where the numbers are per cent, `per` is 100.

    >>> read_range("3..6", "--target-edge", per=100).middle
    Fraction(9, 200)
    """
    match = _RANGE.fullmatch(text.strip())
    if match is None:
        raise MalformedInput(f"{option} {text} is not a range; write the least and the most, such as 3..6")
    least, most = Fraction(match[1]) / per, Fraction(match[2]) / per
    if least > most:
        raise MalformedInput(f"{option} {text}: the least comes first")
    return Range(least, most)


def read_decks(text: str) -> tuple[Decks, ...]:
    """Read `2,6,8`, or `infinite` among them."""
    decks: list[Decks] = []
    for part in text.split(","):
        one = part.strip()
        if one != "infinite" and one not in _DECKS:
            raise MalformedInput(
                f"--decks {text}: {one!r} is no number of decks; allowed: 1 to 8, or infinite"
            )
        decks.append("infinite" if one == "infinite" else int(one))
    return tuple(dict.fromkeys(decks))


@dataclass(frozen=True, slots=True)
class Target:
    """What a paytable is to meet with every number of decks: parts of the stake, and a volatility index."""

    edge: Range
    hit: Range | None = None
    volatility: Range | None = None
    decks: tuple[Decks, ...] = (6,)


@dataclass(frozen=True, slots=True)
class Paytable:
    """Pays for the lines of a bet, by their places; None for a line that is left out."""

    pays: tuple[Odds | None, ...]
    edges: tuple[Fraction, ...]
    """The house edge with each number of decks."""
    hits: tuple[Fraction, ...]
    variances: tuple[Fraction, ...]
    off: Fraction
    """How far the edge lies from the middle of the range, with the number of decks where it is farthest."""

    @property
    def top(self) -> Fraction:
        """The largest pay."""
        return max(odds.ratio for odds in self.pays if odds is not None)

    @property
    def hit(self) -> Fraction:
        """The hit frequency with the number of decks where it is least."""
        return min(self.hits)

    @property
    def goodness(self) -> tuple[Fraction, Fraction, Fraction]:
        """What is weighed, each the larger the better: nearness to the middle, hit frequency, top pay."""
        return -self.off, self.hit, self.top

    @property
    def order(self) -> tuple[Any, ...]:
        """Paytables that are equally good stand in this order, and the first stands for all."""
        return tuple(-1 if odds is None else odds.ratio for odds in self.pays)

    def to_json(self, bet: SideBet, decks: Sequence[Decks]) -> dict[str, Any]:
        return {
            "pays": {
                line.id: None if odds is None else str(odds)
                for line, odds in zip(bet.lines, self.pays, strict=True)
            },
            "by_decks": [
                {
                    "decks": number,
                    "house_edge_percent": float(100 * edge),
                    "expected_value": str(-edge),
                    "hit_frequency": str(hit),
                    "volatility_index": VOLATILITY_SIGMAS * float(variance) ** 0.5,
                }
                for number, edge, hit, variance in zip(
                    decks, self.edges, self.hits, self.variances, strict=True
                )
            ],
        }


class _AllLines(Machine):
    """A bet's machine that tells all lines whose patterns hold, not only the first."""

    def __init__(self, bet: SideBet) -> None:
        super().__init__(bet.roles, [line.when for line in bet.lines])
        self.sets: list[tuple[int, ...]] = []

    def line(self, state: int) -> int | None:
        holding = self.holding(state)
        if not holding:
            return None
        if holding not in self.sets:
            self.sets.append(holding)
        return self.sets.index(holding)


def find_paytables(
    rules: TwentyOneRules, wager: str, target: Target, odds: Sequence[Odds] = USUAL_ODDS
) -> tuple[Paytable, ...]:
    """The best paytables for a bet's lines: those that no other one surpasses in all that is weighed."""
    bet = rules.side_bets[wager]
    if bet.meter_seed is not None:
        raise MalformedInput(f"{wager} pays a meter; pays are looked for where every line pays odds")
    if bet.every_match_adds:
        raise MalformedInput(
            f"{wager} pays every line that is made; pays are looked for where the first is paid"
        )
    if len(bet.lines) > MOST_LINES:
        raise MalformedInput(f"{wager} has {len(bet.lines)} lines; pays are looked for up to {MOST_LINES}")
    machine = _AllLines(bet)
    chances = [chances_with_decks(rules, bet, decks, machine) for decks in target.decks]
    paytables: list[Paytable] = []
    seen_hits: list[Fraction] = []
    for kept in _parts(len(bet.lines)):
        counts = [_counted(machine, of_sets, kept) for of_sets in chances]
        hits = [1 - one[None] for one in counts]
        seen_hits += hits
        if target.hit is not None and not all(hit in target.hit for hit in hits):
            continue
        if any(one.get(line, 0) == 0 for line in kept for one in counts):
            continue  # a line that is never paid is no line of a paytable
        paytables = front([*paytables, *_Search(len(bet.lines), kept, counts, target, odds).best()])
    if not paytables and target.hit is not None and not any(hit in target.hit for hit in seen_hits):
        least, most = target.hit.least, target.hit.most
        nearest = min(seen_hits, key=lambda hit: max(least - hit, hit - most))
        raise MalformedInput(
            f"{wager}: no choice of its lines hits between {percent(float(least), 2)} and "
            f"{percent(float(most), 2)}; the nearest hits {percent(float(nearest), 2)}"
        )
    return tuple(sorted(paytables, key=lambda one: (one.top, one.hit, one.order)))


def _parts(lines: int) -> Iterator[tuple[int, ...]]:
    """Which lines are kept: all of them, then ever fewer."""
    for number in range(lines, 0, -1):
        yield from combinations(range(lines), number)


def _counted(
    machine: _AllLines, chances: dict[int | None, Fraction], kept: tuple[int, ...]
) -> dict[int | None, Fraction]:
    """The chance of each line that is kept, and of none of them."""
    counted: dict[int | None, Fraction] = {None: Fraction(0)}
    for number, chance in chances.items():
        holding = () if number is None else machine.sets[number]
        line = next((line for line in holding if line in kept), None)
        counted[line] = counted.get(line, Fraction(0)) + chance
    return counted


def front(tables: Sequence[Paytable]) -> list[Paytable]:
    """Paytables that no other one surpasses; of equally good ones the first in their order."""
    kept: list[Paytable] = []
    for one in sorted(tables, key=lambda one: (*(-part for part in one.goodness), one.order)):
        if not any(all(a >= b for a, b in zip(other.goodness, one.goodness, strict=True)) for other in kept):
            kept.append(one)
    return kept


class _Search:
    """Pays for some lines, with every number of decks in whole numbers: ways, and pays of one unit of money.

    Of every number of decks: `ways` of each line from the rarest on, `lost` of no line, `whole` of all.
    """

    def __init__(
        self,
        lines: int,
        kept: tuple[int, ...],
        counts: Sequence[dict[int | None, Fraction]],
        target: Target,
        odds: Sequence[Odds],
    ) -> None:
        self.lines, self.target = lines, target
        self.kept = sorted(kept, key=lambda line: (sum(one[line] for one in counts), line))
        self.odds = sorted(odds, key=lambda one: one.ratio)
        self.unit = lcm(*(one.ratio.denominator for one in odds))
        self.pays = [int(one.ratio * self.unit) for one in self.odds]
        self.counts = counts
        self.whole = [lcm(*(chance.denominator for chance in one.values())) for one in counts]
        scaled = [
            {line: int(chance * whole) for line, chance in one.items()}
            for one, whole in zip(counts, self.whole, strict=True)
        ]
        self.ways = [[one[line] for line in self.kept] for one in scaled]
        self.lost = [one[None] for one in scaled]
        self.most_ways = [[sum(ways[place:]) for place in range(len(ways) + 1)] for ways in self.ways]
        self.bounds = [self._bounds(*one) for one in zip(self.whole, self.lost, strict=True)]
        self.chosen: list[int] = []
        self.by_top_pay: dict[int, tuple[int, Paytable]] = {}
        """By top pay: how far its edge is off, in whole numbers, and the paytable."""
        middle, common = target.edge.middle, lcm(*self.whole)
        self.off_scale = [middle.denominator * common // whole for whole in self.whole]
        self.middle = middle.numerator * self.unit * common

    def _bounds(self, whole: int, lost: int) -> tuple[int, int, int, int]:
        """What all lines together must pay, at least and at most; and the squares of it."""
        edge, volatility = self.target.edge, self.target.volatility
        least = self.unit * (lost - edge.most * whole)
        most = self.unit * (lost - edge.least * whole)
        if volatility is None:
            return ceil(least), floor(most), 0, self.unit**2 * whole * 10**18
        # A variance is the mean of the squares less the square of the edge, which lies in its range.
        small = min(abs(edge.least), abs(edge.most)) if edge.least * edge.most > 0 else Fraction(0)
        large = max(abs(edge.least), abs(edge.most))
        scale = self.unit**2 * whole
        lowest = ((volatility.least / _SIGMAS) ** 2 + small**2) * scale - lost * self.unit**2
        highest = ((volatility.most / _SIGMAS) ** 2 + large**2) * scale - lost * self.unit**2
        return ceil(least), floor(most), ceil(lowest), floor(highest)

    def best(self) -> list[Paytable]:
        """For every top pay the paytable whose edges lie nearest to the middle."""
        self._choose(len(self.pays) - 1, [0] * len(self.ways), [0] * len(self.ways))
        return [table for _, table in self.by_top_pay.values()]

    def _choose(self, highest: int, paid: list[int], squares: list[int]) -> None:
        """Choose a pay for the next line, at most the last one, and go on from there."""
        place = len(self.chosen)
        if place == len(self.kept):
            self._keep(paid, squares)
            return
        for number in range(highest, -1, -1):
            pay = self.pays[number]
            sums = [have + ways[place] * pay for have, ways in zip(paid, self.ways, strict=True)]
            second = [have + ways[place] * pay**2 for have, ways in zip(squares, self.ways, strict=True)]
            verdict = self._verdict(place + 1, pay, sums, second)
            if verdict < 0:
                return  # too little already, and smaller pays bring less
            if verdict == 0:
                self.chosen.append(number)
                self._choose(number, sums, second)
                self.chosen.pop()

    def _verdict(self, place: int, pay: int, sums: list[int], squares: list[int]) -> int:
        """0 where the lines from a place on may still meet all bounds, 1 where too much is paid, else −1."""
        least = self.pays[0]
        verdict = 0
        for deck, (low, high, low_square, high_square) in enumerate(self.bounds):
            rest = self.most_ways[deck][place]
            if sums[deck] + rest * pay < low or squares[deck] + rest * pay**2 < low_square:
                return -1
            if sums[deck] + rest * least > high or squares[deck] + rest * least**2 > high_square:
                verdict = 1
        return verdict

    def _keep(self, paid: list[int], squares: list[int]) -> None:
        """Keep a paytable whose sums lie within the bounds, if it is the best of its top pay."""
        money = [lost * self.unit - one for lost, one in zip(self.lost, paid, strict=True)]
        off = max(abs(one * scale - self.middle) for one, scale in zip(money, self.off_scale, strict=True))
        known = self.by_top_pay.get(self.chosen[0])
        if known is not None and known[0] < off:
            return
        edges = tuple(Fraction(one, self.unit * whole) for one, whole in zip(money, self.whole, strict=True))
        variances = tuple(
            Fraction(lost * self.unit**2 + square, self.unit**2 * whole) - edge**2
            for lost, square, whole, edge in zip(self.lost, squares, self.whole, edges, strict=True)
        )
        if not all(self._is_volatile_enough(variance) for variance in variances):
            return
        pays: list[Odds | None] = [None] * self.lines
        for line, number in zip(self.kept, self.chosen, strict=True):
            pays[line] = self.odds[number]
        hits = tuple(1 - one[None] for one in self.counts)
        farthest = max(abs(edge - self.target.edge.middle) for edge in edges)
        new = Paytable(tuple(pays), edges, hits, variances, farthest)
        if known is None or (off, new.order) < (known[0], known[1].order):
            self.by_top_pay[self.chosen[0]] = off, new

    def _is_volatile_enough(self, variance: Fraction) -> bool:
        wanted = self.target.volatility
        return wanted is None or wanted.least**2 <= _SIGMAS**2 * variance <= wanted.most**2
