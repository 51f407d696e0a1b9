"""Playing efficiency: the share of what perfect play gains that a count's deviations reach, at a fixed wager.

The method. Shoes are dealt to the house's cut card (half a deck at least stays behind it) and one round of
each is drawn. What is left before it is solved exactly with basic strategy kept, which values every other
action of every hand against every up card. *Perfect play* knows these values and takes the best. *The count*
takes one where its line is above nothing: the difference at the full shoe and its slope by the effects of
removal, read at the count of the shoe with the hand and the up card seen, not rounded. It is paid what that
action is truly worth in that shoe, so a wrong deviation costs. Hands are told apart by their totals, as on a
chart. One decision is changed at a time: play after it is basic strategy again, for both.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from cardroom.core.decks import CardCounts
from cardroom.core.errors import MalformedInput
from cardroom.exact.sidebets import insurance_figures
from cardroom.exact.twentyone import solve
from cardroom.model.twentyone.automaton import ACTIONS
from cardroom.model.twentyone.chart_rows import UP_CARDS, UP_COLUMNS
from cardroom.protect.counts import Count
from cardroom.protect.indices import Search, against
from cardroom.protect.paths import deal_paths
from cardroom.protect.perfect import one_round_of_each
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.sim.twentyone.dealing import Dealing

Floats = NDArray[np.float64]
Progress = Callable[[int, int], None]
LEAST_SHOES: Final = 8


@dataclass(frozen=True, slots=True)
class Efficiency:
    """Of one count; gains are units for 100 rounds of a unit each."""

    count: Count
    share: float
    """Of the gain of perfect play, insurance left out."""
    standard_error: float
    gain: float
    perfect_gain: float
    share_with_insurance: float | None
    """Insurance taken by the same count; None where the table offers none."""
    standard_error_with_insurance: float | None

    def to_json(self) -> dict[str, Any]:
        return {
            "count": self.count.id,
            "title": self.count.title,
            "playing_efficiency": self.share,
            "playing_efficiency_standard_error": self.standard_error,
            "gain_per_100_rounds": self.gain,
            "perfect_gain_per_100_rounds": self.perfect_gain,
            "with_insurance": self.share_with_insurance,
            "with_insurance_standard_error": self.standard_error_with_insurance,
        }


def playing_efficiency(
    rules: TwentyOneRules,
    counts: Sequence[Count],
    *,
    shoes: int = 60,
    seed: int = 1,
    progress: Progress | None = None,
) -> list[Efficiency]:
    """Of each count, from the same shoes; in the order of the counts.

    With `progress` somebody looks on: Ctrl-C then ends it early, with the shoes that were solved until then.
    """
    if shoes < LEAST_SHOES:
        raise MalformedInput(
            f"{shoes} shoe{' is' if shoes == 1 else 's are'} too few for an error; it takes {LEAST_SHOES}"
        )
    searches = [Search(rules, count) for count in counts]
    lines = searches[0].lines([search.tags for search in searches])
    cut = Dealing.house(rules).cut_cards
    assert cut is not None
    paths = deal_paths(rules, shoes, max(cut, searches[0].deck_size // 2), seed)
    chosen = one_round_of_each(paths, seed)
    left = [CardCounts(tuple(int(number) for number in paths.left[place])) for place in chosen]
    gains_by_shoe = _solved(searches[0], left, progress)
    weights = np.bincount(paths.shoe)[paths.shoe[chosen[: len(gains_by_shoe)]]].astype(float)
    perfect = np.array([gain_of(searches[0], gains, gains) for gains in gains_by_shoe])
    result = []
    for search, line in zip(searches, lines, strict=True):
        reached = np.array(
            [
                gain_of(search, line.value(search.counts_in(shoe, line)), gains)
                for shoe, gains in zip(left[: len(gains_by_shoe)], gains_by_shoe, strict=True)
            ]
        )
        share, error = _ratio(weights, reached[:, 0], perfect[:, 0])
        with_insurance: tuple[float | None, float | None] = (None, None)
        if rules.insurance.offered:
            with_insurance = _ratio(weights, reached.sum(axis=1), perfect.sum(axis=1))
        mean, best = (100 * float(weights @ some[:, 0]) / weights.sum() for some in (reached, perfect))
        result.append(Efficiency(search.counter.count, share, error, mean, best, *with_insurance))
    return result


def gains_in(search: Search, shoe: CardCounts) -> Floats:
    """[cell]: what a deviation in all its hands is worth in a shoe, as often as they come; last, insurance.

    Exact, for a unit wagered, with basic strategy kept otherwise.
    """
    solution = solve(search.rules, search.basic, shoe=shoe)
    chance_of_up = dict.fromkeys(range(1, 11), 0.0)
    for one in solution.up_cards:
        chance_of_up[int(solution.solver.shoe.values[one.seen.up])] += one.chance
    by_cell = np.zeros(len(search.cells) + 1)
    for up, column in zip(UP_CARDS, UP_COLUMNS, strict=True):
        known = against(solution, column + 1)
        if known is None:
            continue
        values, chances = known
        chances = chances * chance_of_up[column + 1]
        for place, cell in search.cells_of[up]:
            states = list(cell.states)
            taken, usual = (ACTIONS.index(action) for action in (cell.action, cell.instead_of))
            worth = np.nan_to_num(chances[states] * (values[states, taken] - values[states, usual]))
            by_cell[place] = float(worth.sum())
    if search.rules.insurance.offered and chance_of_up[1]:
        insurance = float(insurance_figures(search.rules, shoe=shoe).expected_value) / 2
        by_cell[-1] = chance_of_up[1] * insurance
    return by_cell


def _solved(search: Search, shoes: Sequence[CardCounts], progress: Progress | None) -> list[Floats]:
    gains_by_shoe: list[Floats] = []
    with ThreadPoolExecutor() as threads:
        try:
            for done, gains in enumerate(threads.map(lambda shoe: gains_in(search, shoe), shoes), 1):
                gains_by_shoe.append(gains)
                if progress is not None:
                    progress(done, len(shoes))
        except KeyboardInterrupt:
            threads.shutdown(wait=False, cancel_futures=True)
            if progress is None or len(gains_by_shoe) < LEAST_SHOES:
                raise
    return gains_by_shoe


def gain_of(search: Search, said: Floats, gains: Floats) -> tuple[float, float]:
    """What play gains in one shoe that goes by what is `said` of each deviation; and what insurance gains.

    Of the deviations for one hand the one is taken that is said to gain most, if that is more than nothing.
    """
    best: dict[tuple[str, str, str], tuple[float, float]] = {}
    for place, cell in enumerate(search.cells):
        key = (cell.hand, cell.up, str(cell.instead_of))
        if said[place] > best.get(key, (0.0, 0.0))[0]:
            best[key] = (float(said[place]), float(gains[place]))
    insurance = float(gains[-1]) if said[-1] > 0 else 0.0
    return sum(gain for _, gain in best.values()), insurance


def _ratio(weights: Floats, some: Floats, whole: Floats) -> tuple[float, float]:
    """A share, and its error from how shoes differ."""
    total = float(weights @ whole)
    if total <= 0:
        return 0.0, math.inf
    share = float(weights @ some) / total
    rest = weights * (some - share * whole)
    return share, math.sqrt(float(rest @ rest) * len(rest) / (len(rest) - 1)) / total
