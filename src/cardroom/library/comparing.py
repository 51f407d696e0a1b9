"""One game under many rules, side by side."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from pathlib import Path

from cardroom.core.errors import MalformedInput
from cardroom.lab.side_by_side import Side, find_side, side_by_side
from cardroom.library.arguments import options_of, refuse_others, several
from cardroom.library.frames import Rows
from cardroom.library.game import Game
from cardroom.library.numbers import Value
from cardroom.library.policy import StrategySource

MOST_RULE_SETS = 10_000


def compare(
    source: str | Path | Game,
    options: Mapping[str, object] | str | Path | Game | None = None,
    /,
    *,
    strategy: StrategySource | None = None,
    **named: object,
) -> Rows:
    """The house edge of a game for every combination of options; a list gives several values of one.

    With a second game, rules file or side bet in place of options: every figure of both, side by side.

    Examples:
        >>> table = compare("knockout-52", decks=[1, 8])
        >>> [(row["decks"], round(row["house_edge"], 4)) for row in table]
        [(1, 0.0354), (8, 0.0306)]

        >>> compare("perfect-pairs", "perfect-pairs-b")[0]["figure"]
        'house edge'
    """
    if isinstance(options, str | Path | Game):
        refuse_others("a comparison of two", {"strategy": strategy, **named})
        return _side_by_side(source, options)
    options = options_of(options)
    base = source if isinstance(source, Game) else Game(source)
    wanted = {**options, **named}
    values = {name: several(value) for name, value in wanted.items()}
    number = 1
    for some in values.values():
        number *= len(some)
    if not 1 <= number <= MOST_RULE_SETS:
        raise MalformedInput(f"{number:,} rule sets cannot be compared; allowed: 1 to {MOST_RULE_SETS:,}")
    rows = []
    for chosen in product(*values.values()):
        changes = dict(zip(values, chosen, strict=True))
        dotted = {key: value for key, value in changes.items() if key in options}
        game = base.changed(dotted, **{key: value for key, value in changes.items() if key not in dotted})
        rows.append({**changes, "house_edge": game.edge(strategy)})
    return Rows(f"{base.title} compared", rows)


def _side_by_side(one: str | Path | Game, other: str | Path | Game) -> Rows:
    sides = [
        Side(source.title, source.rules) if isinstance(source, Game) else find_side(source)
        for source in (one, other)
    ]
    comparison = side_by_side(*sides)
    names = ("one", "other")
    return Rows(
        f"{sides[0].name} and {sides[1].name} compared",
        [
            {
                "of": line.about,
                "figure": line.figure,
                **{
                    name: None if number is None else Value(number)
                    for name, number in zip(names, (line.one, line.other), strict=True)
                },
            }
            for line in comparison.figures
        ],
    )
