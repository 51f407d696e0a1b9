"""The chapter of game protection of a PAR sheet: how the value of each wager moves with the cards gone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cardroom.lab.par.sheet import Table
from cardroom.lab.protection import (
    best_count_table,
    can_be_counted,
    count_table,
    effect_tables,
    house_tables,
)
from cardroom.protect.best import best_counts
from cardroom.protect.effects import all_effects
from cardroom.protect.house import LEAST_SHOES, LEAST_SOLVED, house_report
from cardroom.rules.twentyone import TwentyOneRules

_ROUNDS_A_SHOE: Final = 50_000
"""Of the simulation that verifies a sheet, for each shoe that is dealt for the report of the house."""
_MOST_SHOES: Final = 40


def exposure_tables(rules: TwentyOneRules, *, rounds: int, seed: int) -> Iterator[Table]:
    """What the best conceivable counter wins from each wager, and by decks cut off.

    The more rounds a sheet is verified with, the more shoes are dealt; none where they would be too few.
    """
    shoes = min(rounds // _ROUNDS_A_SHOE, _MOST_SHOES)
    if rules.decks == "infinite" or shoes < LEAST_SHOES:
        return
    report = house_report(rules, shoes=shoes, solved=max(LEAST_SOLVED, shoes * 3 // 10), seed=seed)
    for number, view in enumerate(house_tables(report), 1):
        yield Table(
            f"protection-house-{number}",
            f"Protection. {view['title']}",
            tuple(view["head"]),
            tuple(tuple(row) for row in view["rows"]),
            view["rows"],
            f"{view['note']} From {shoes} shoes, seed {seed}: {report.method}.",
            text_columns=frozenset({0, 1} if number == 1 else {0}),
        )


def protection_tables(rules: TwentyOneRules) -> Iterator[Table]:
    """Effects of removal on every wager that a count can follow, and how well counts follow them."""
    if rules.decks == "infinite":
        return
    effects = all_effects(rules)
    followed = [one for one in effects if can_be_counted(one)]
    for number, (one, view) in enumerate(zip(followed, effect_tables(followed), strict=True), 1):
        yield Table(
            f"protection-effects-{number}",
            f"Protection. {view['title']}",
            tuple(view["head"]),
            tuple(tuple(row) for row in view["rows"]),
            one.to_json(),
            view["note"],
        )
    counts = count_table(effects)
    yield Table(
        "protection-counts",
        "Protection. How counts follow the wagers",
        tuple(counts["head"]),
        tuple(tuple(row) for row in counts["rows"]),
        counts["rows"],
        f"{counts['note']} What a counter could win, and what helps: cardroom protect {rules.game} --house.",
        text_columns=frozenset({0, 1}),
    )
    best = best_count_table(effects)
    yield Table(
        "protection-best-counts",
        "Protection. The best counts",
        tuple(best["head"]),
        tuple(tuple(row) for row in best["rows"]),
        [count.to_json() for one in effects for count in best_counts(one)],
        best["note"],
        text_columns=frozenset({0, 1, 2}),
    )
