"""Perfect play: a wager is made whenever its exact value for the shoe at hand is above nothing.

No count can win more. Shoes are dealt round by round as the house deals them; of each shoe one round is
drawn, and the wager is valued exactly from what is left before it. For a tiny shoe all that can be left is
counted instead.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from cardroom.core.decks import CardCounts
from cardroom.core.errors import MalformedInput
from cardroom.protect.effects import RE_OPTIMISED, value_of
from cardroom.protect.paths import Paths, deal_paths
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
    """Of which a round was valued."""
    rounds_per_shoe: float
    share: float
    """Of rounds in which the wager is made."""
    edge: float
    """When it is made."""
    win: float
    """For each round seen."""
    standard_error: float

    @property
    def win_per_shoe(self) -> float:
        return self.rounds_per_shoe * self.win

    def to_json(self) -> dict[str, Any]:
        return {
            "wager": self.wager,
            "cards_behind_the_cut_card": self.cut_cards,
            "shoes": self.shoes,
            "rounds_per_shoe": self.rounds_per_shoe,
            "share_of_rounds_made": self.share,
            "edge_when_made": self.edge,
            "win_per_100_rounds_seen": 100 * self.win,
            "win_per_100_rounds_seen_standard_error": 100 * self.standard_error,
            "win_per_shoe": self.win_per_shoe,
            "win_per_shoe_standard_error": self.rounds_per_shoe * self.standard_error,
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
    """For each number of cards behind the cut card, from the same shoes.

    With `progress` somebody looks on: Ctrl-C then ends it early, with the shoes that were valued until then.
    """
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
        raise MalformedInput(
            f"{shoes} shoe{' is' if shoes == 1 else 's are'} too few for an error; it takes {LEAST_SHOES}"
        )
    paths = deal_paths(rules, shoes, min(cuts), seed)
    return perfect_of(paths, wager, cuts, one_round_of_each(paths, seed), progress)


def one_round_of_each(paths: Paths, seed: int) -> NDArray[np.int64]:
    """A round of each shoe, any of them alike."""
    draws = ShoeDraws(seed)
    lengths = np.bincount(paths.shoe).tolist()
    starts = np.cumsum([0, *lengths[:-1]])
    return np.array([start + draws.number(0, length) for start, length in zip(starts, lengths, strict=True)])


def perfect_of(
    paths: Paths,
    wager: str,
    cuts: Sequence[int],
    chosen: NDArray[np.int64],
    progress: Progress | None = None,
) -> list[PerfectPlay]:
    """From one round of each shoe, which stands for all rounds of that shoe."""
    worths: list[float] = []
    left = [CardCounts(tuple(int(number) for number in paths.left[place])) for place in chosen]
    try:
        for done, value in enumerate(values(paths.rules, left, wager), 1):
            worths.append(float(value))
            if progress is not None:
                progress(done, len(left))
    except KeyboardInterrupt:
        if progress is None or len(worths) < LEAST_SHOES:
            raise
    valued = chosen[: len(worths)]
    weights = np.bincount(paths.shoe)[paths.shoe[valued]].astype(float)
    wins = np.maximum(np.array(worths), 0.0)
    return [_estimate(paths, wager, cut, valued, wins, weights) for cut in cuts]


def _estimate(
    paths: Paths,
    wager: str,
    cut: int,
    valued: NDArray[np.int64],
    wins: NDArray[np.float64],
    weights: NDArray[np.float64],
) -> PerfectPlay:
    rounds = paths.before(cut)
    per_shoe = float(rounds.sum()) / len(paths.cards)
    dealt = rounds[valued]
    wins, weights = wins[dealt], weights[dealt]
    if len(wins) < 2:
        return PerfectPlay(wager, cut, len(wins), per_shoe, 0.0, 0.0, 0.0, math.inf)
    whole, made = float(weights.sum()), float(weights[wins > 0].sum())
    win = float(weights @ wins) / whole
    spread = math.sqrt(float(np.square(weights * (wins - win)).sum()) * len(wins) / (len(wins) - 1))
    edge = win * whole / made if made else 0.0
    return PerfectPlay(wager, cut, len(wins), per_shoe, made / whole, edge, win, spread / whole)


def exactly_at(rules: TwentyOneRules, wager: str, shoe: CardCounts, unseen: int) -> Fraction:
    """What perfect play of a wager wins on average when so many cards of a tiny shoe are left.

    A fraction; exact for side bets and insurance, the primary wager as precise as its solver's numbers.
    """
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
