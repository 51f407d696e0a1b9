"""The house report of Knockout 52: what it would be worth to watch games dealt from one shoe."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from cardroom.core.errors import MalformedInput
from cardroom.exact.knockout52 import wager_figures
from cardroom.presentation import wager_title
from cardroom.presentation.numbers import counted, percent
from cardroom.protect.exposure import AtCut, Thresholds
from cardroom.protect.house import LEAST_SHOES, HouseReport, WagerReport
from cardroom.protect.worth import Floats
from cardroom.rules.knockout52 import Knockout52Rules, Layout
from cardroom.sim.shoe_draws import ShoeDraws

_SHUFFLED = "every game is dealt from a new shuffle, so that nothing that was seen says anything of it"


def knockout_52_report(
    rules: Knockout52Rules,
    *,
    shoes: int = 1000,
    seed: int = 1,
    thresholds: Thresholds | None = None,
    **_others: object,
) -> HouseReport:
    """As the house deals it, and in a sentence what it would be worth to deal several games from one shoe."""
    if shoes < LEAST_SHOES:
        raise MalformedInput(f"{shoes} shoes are too few for a report; it takes {LEAST_SHOES}")
    bounds = thresholds or Thresholds()
    wagers = []
    for figures in wager_figures(rules):
        value = float(figures.expected_value)
        won = max(0.0, value)
        stake = int(rules.limits.max)
        variance = float(figures.standard_deviation) ** 2
        own = AtCut(
            0, 0.0, 1.0, float(value > 0), won, 100 * won, 0.0, 100 * won * stake, 0.0,
            100 * 10_000_00 * won**2 / variance,
        )  # fmt: skip
        mark = bounds.mark(own.at_maximum_cents)
        wagers.append(
            WagerReport(figures.wager, stake, (), own, mark, bounds.mark(own.without_maximum_cents), None, ())
        )
    return HouseReport(
        rules.game,
        rules.title,
        rules.rules_hash,
        f"exact; {_SHUFFLED}",
        bounds,
        tuple(wagers),
        tuple(_findings(rules, shoes, seed)),
    )


def _findings(rules: Knockout52Rules, shoes: int, seed: int) -> Iterator[str]:
    yield "As the house deals it, nobody can gain by watching: " + _SHUFFLED + "."
    if rules.decks == 1:
        yield "One deck serves one game: a second one could not be dealt from what is left of it."
        return
    left = games_of_one_shoe(rules, shoes, seed)
    values = values_of(rules, left)
    best = {wager: float(some.max()) for wager, some in values.items()}
    wager = max(best, key=best.__getitem__)
    good = {wager: int((some > 0).sum()) for wager, some in values.items() if (some > 0).any()}
    start = (
        f"Were games dealt one after another from one shoe of {counted(rules.decks, 'deck')}, as long as "
        f"52 cards are left: of {counted(len(left), 'game')} of {counted(shoes, 'shoe')} "
    )
    if good:
        named = ", ".join(f"{wager_title(one)} in {number:,}" for one, number in good.items())
        yield (
            f"{start}a wager made before the deal was worth more than nothing: {named}; at the best "
            f"{wager_title(wager)} with {percent(best[wager], 2, plus=True)}."
        )
    else:
        yield (
            f"{start}none had a wager worth more than nothing; the best stood at {percent(best[wager], 2)} "
            f"({wager_title(wager)})."
        )
    yield (
        "Such shoes exist: with nothing but one rank left, the first card on its space is a match, and "
        f"{wager_title(rules.layout.wagers[0])} is sure to win. The expected number of matches in a row is 1 "
        "whatever is left; only the unevenness of the ranks matters, which grows towards the end of the shoe."
    )


def games_of_one_shoe(rules: Knockout52Rules, shoes: int, seed: int) -> NDArray[np.int64]:
    """[game, rank]: what is left before each game, as long as the layout can be filled from it."""
    layout = rules.layout
    full = np.repeat(np.arange(layout.ranks), rules.cards_per_rank).astype(np.uint8)
    spaces = np.array([layout.rank_of_space(space) - 1 for space in range(layout.spaces)])
    befores = []
    for order in ShoeDraws(seed).orders(full, shoes):
        place = 0
        while len(order) - place >= layout.spaces:
            befores.append(np.bincount(order[place:], minlength=layout.ranks))
            match = np.flatnonzero(order[place : place + layout.spaces] == spaces)
            place += int(match[0]) + 1 if len(match) else layout.spaces
    return np.array(befores, np.int64)


def values_of(rules: Knockout52Rules, left: NDArray[np.int64]) -> dict[str, Floats]:
    """wager → [game]: what a unit is worth before the first card; as `live_chances` counts, in floats."""
    layout = rules.layout
    survival = [np.ones(len(left))] + [_no_match(layout, left, rows) for rows in range(1, layout.rows + 1)]
    chances = [before - after for before, after in pairwise(survival)]
    return {
        wager: chance * (1 + float(rules.pays_on(wager, None))) - 1
        for wager, chance in zip(layout.wagers, [*chances, survival[-1]], strict=True)
    }


def _no_match(layout: Layout, left: NDArray[np.int64], rows: int) -> Floats:
    """[game]: the chance that no card of the first rows matches, by rook polynomials."""
    ways = np.ones((len(left), 1))
    for rank in range(layout.ranks):
        cards = left[:, rank].astype(float)
        board = np.ones((len(left), rows + 1))
        for matches in range(1, rows + 1):
            # C(cards, j)·C(rows, j)·j! from the one before
            board[:, matches] = (
                board[:, matches - 1] * np.maximum(cards - matches + 1, 0) * (rows - matches + 1) / matches
            )
        product = np.zeros((len(left), ways.shape[1] + rows))
        for matches in range(rows + 1):
            product[:, matches : matches + ways.shape[1]] += ways * board[:, [matches]]
        ways = product
    total = left.sum(axis=1).astype(float)
    result, arranged = np.zeros(len(left)), np.ones(len(left))
    for matches in range(ways.shape[1]):
        result += (-1) ** matches * ways[:, matches] * arranged
        arranged = arranged / np.maximum(total - matches, 1)
    return np.asarray(result)
