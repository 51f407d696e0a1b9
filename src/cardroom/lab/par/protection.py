"""The chapter of game protection of a PAR sheet: how the value of each wager moves with the cards gone."""

from __future__ import annotations

from collections.abc import Iterator

from cardroom.lab.par.sheet import Table
from cardroom.lab.protection import can_be_counted, count_table, effect_tables
from cardroom.protect.effects import all_effects
from cardroom.rules.twentyone import TwentyOneRules


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
