"""Perfect play: a wager is made whenever its exact value for the shoe at hand is above nothing.

No count can win more. Shoes are drawn at random depths up to the cut card, and the wager is valued exactly in
each; for a tiny shoe all that can be left is counted instead.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

import numpy as np

from cardroom.core.decks import CardCounts
from cardroom.core.errors import MalformedInput
from cardroom.protect.effects import RE_OPTIMISED, value_of
from cardroom.protect.shoes import values
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.sim.shoe_draws import ShoeDraws

Progress = Callable[[int, int], None]
LEAST_SHOES: Final = 8
MOST_COMPOSITIONS: Final = 100_000


@dataclass(frozen=True, slots=True)
class PerfectPlay:
    """One wager, dealt to a cut card; units are those of the wager."""

    wager: str
    cut_cards: int
    shoes: int
    """Drawn at depths before the cut card."""
    share: float
    """Of rounds in which the wager is made."""
    edge: float
    """When it is made."""
    win: float
    """For each round seen."""
    standard_error: float

    def to_json(self) -> dict[str, Any]:
        return {
            "wager": self.wager,
            "cards_behind_the_cut_card": self.cut_cards,
            "shoes": self.shoes,
            "share_of_rounds_made": self.share,
            "edge_when_made": self.edge,
            "win_per_100_rounds_seen": 100 * self.win,
            "win_per_100_rounds_seen_standard_error": 100 * self.standard_error,
        }


def perfect_play(
    rules: TwentyOneRules,
    wager: str,
    cuts: Sequence[int],
    *,
    shoes: int = 100,
    seed: int = 1,
    progress: Progress | None = None,
) -> list[PerfectPlay]:
    """For each number of cards behind the cut card, from the same shoes; every depth before it as likely."""
    if rules.decks == "infinite":
        raise MalformedInput("infinitely many decks are never dealt down; set decks to 1 … 8")
    full, burned = rules.shoe(), rules.procedure.burn_cards
    for cut in cuts:
        if not 0 < cut < full.total - burned:
            raise MalformedInput(
                f"a cut of {cut} cards is beyond the shoe; allowed: 1 to {full.total - burned - 1} "
                f"of {full.total} cards"
            )
    if shoes < LEAST_SHOES:
        raise MalformedInput(f"{shoes} shoes are too few for an error; it takes {LEAST_SHOES}")
    draws = ShoeDraws(seed)
    # Cards burned are gone unseen: they stay among those that may come.
    depths = [draws.number(0, full.total - burned - min(cuts)) for _ in range(shoes)]
    drawn = [_left(full, full.total - depth, draws) for depth in depths]
    found: list[float] = []
    for done, value in enumerate(values(rules, drawn, wager), 1):
        found.append(float(value))
        if progress is not None:
            progress(done, shoes)
    return [
        _estimate(
            wager,
            cut,
            [value for depth, value in zip(depths, found, strict=True) if depth < full.total - burned - cut],
        )
        for cut in cuts
    ]


def _left(full: CardCounts, unseen: int, draws: ShoeDraws) -> CardCounts:
    (drawn,) = draws.left(full.counts, unseen)
    return CardCounts(tuple(int(number) for number in drawn))


def _estimate(wager: str, cut: int, values: Sequence[float]) -> PerfectPlay:
    if not values:
        return PerfectPlay(wager, cut, 0, 0.0, 0.0, 0.0, math.inf)
    wins = np.maximum(np.array(values), 0.0)
    made = int((wins > 0).sum())
    error = float(wins.std(ddof=1)) / math.sqrt(len(wins)) if len(wins) > 1 else math.inf
    return PerfectPlay(
        wager,
        cut,
        len(wins),
        made / len(wins),
        float(wins.sum()) / made if made else 0.0,
        float(wins.mean()),
        error,
    )


def exactly_at(rules: TwentyOneRules, wager: str, shoe: CardCounts, unseen: int) -> Fraction:
    """What perfect play of a side bet wins on average when so many cards of a tiny shoe are left, exactly."""
    worth, _ = value_of(rules, wager, RE_OPTIMISED)
    total = math.comb(shoe.total, unseen)
    result = Fraction(0)
    for counted, (left, ways) in enumerate(_all_left(shoe.counts, unseen)):
        if counted >= MOST_COMPOSITIONS:
            raise MalformedInput("this shoe is too large to count everything that can be left of it")
        result += Fraction(ways, total) * max(Fraction(0), Fraction(worth(CardCounts(left))))
    return result


def _all_left(counts: Sequence[int], unseen: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Everything that so many cards can be, and in how many ways."""
    if not counts:
        if unseen == 0:
            yield (), 1
        return
    rest = sum(counts[1:])
    for number in range(max(0, unseen - rest), min(counts[0], unseen) + 1):
        for others, ways in _all_left(counts[1:], unseen - number):
            yield (number, *others), ways * math.comb(counts[0], number)
