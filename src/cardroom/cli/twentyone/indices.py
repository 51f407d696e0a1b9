"""`cardroom protect GAME --indices`: at which count each deviation pays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardroom.cli.options import checked_seed
from cardroom.cli.output import console, plain_table, print_heading, print_json, working
from cardroom.core.errors import MalformedInput
from cardroom.presentation.numbers import signed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardroom.protect.counts import Count
    from cardroom.rules.twentyone import TwentyOneRules

_SHOWN = 40


def show_indices(
    rules: TwentyOneRules, counts: Sequence[Count], shoes: int, seed: int, *, as_json: bool
) -> None:
    """Find the indices of one count and print them."""
    from cardroom.protect.indices import find_indices

    if len(counts) > 1:
        raise MalformedInput("indices are those of one count; name one with --count")
    (count,) = counts
    with working(f"solving {shoes} shoes of {rules.title}"):
        found = find_indices(rules, count, shoes=shoes, seed=checked_seed(seed))
    if as_json:
        print_json(
            {
                "game": rules.game,
                "rules_hash": rules.rules_hash,
                "count": count.id,
                "rounding": "floor",
                "shoes": shoes,
                "seed": seed,
                "indices": [one.to_json() for one in found],
            }
        )
        return
    print_heading(rules)
    out = console()
    out.print(f"{count.title}: true count, rounded down; what gains most first", style="bold")
    right = ("Crossing", "± (error)", "Linear rule", "Gain for 100 rounds")
    table = plain_table("Deviation", "In place of", *right, right=right)
    for one in found[:_SHOWN]:
        table.add_row(
            str(one),
            "-" if one.cell is None else str(one.cell.instead_of),
            signed(one.crossing, 2, plus=True),
            signed(one.error, 2),
            signed(one.linear, 2, plus=True),
            signed(one.gain, 4),
        )
    out.print(table)
    out.print(
        "Gain: in units, one wagered in every round, basic strategy otherwise, dealt to the house's cut."
    )
    if len(found) > _SHOWN:
        out.print(f"{len(found) - _SHOWN} more gain less; --json has all.")
