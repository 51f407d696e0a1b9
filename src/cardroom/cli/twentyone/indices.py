"""`cardroom protect GAME --indices`: at which count each deviation pays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardroom.cli.options import checked_seed
from cardroom.cli.output import console, plain_table, print_heading, print_json, working_through
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
    with working_through(f"solving shoes of {rules.title}") as steps:
        indices = find_indices(rules, count, shoes=shoes, seed=checked_seed(seed), progress=steps)
    if as_json:
        print_json(
            {
                "game": rules.game,
                "rules_hash": rules.rules_hash,
                "count": count.id,
                "rounding": "floor",
                "shoes": steps.done,
                "interrupted": steps.interrupted,
                "seed": seed,
                "indices": [one.to_json() for one in indices],
            }
        )
        return
    print_heading(rules)
    out = console()
    if steps.interrupted:
        out.print(
            f"Interrupted; these are from the {steps.done} of {steps.of} shoes that were solved until then.",
            style="bold",
        )
    out.print(f"{count.title}: true count, rounded down; what gains most first", style="bold")
    right = ("Crossing", "± (error)", "Linear rule", "Gain for 100 rounds")
    table = plain_table("Deviation", "In place of", *right, right=right)
    for one in indices[:_SHOWN]:
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
    if len(indices) > _SHOWN:
        out.print(f"{len(indices) - _SHOWN} more gain less; --json has all.")


def show_efficiency(
    rules: TwentyOneRules, counts: Sequence[Count], shoes: int, seed: int, *, as_json: bool
) -> None:
    """What share of the gain of perfect play the deviations of each count reach."""
    from cardroom.protect.efficiency import playing_efficiency

    with working_through(f"solving shoes of {rules.title}") as steps:
        efficiencies = playing_efficiency(rules, counts, shoes=shoes, seed=checked_seed(seed), progress=steps)
    if as_json:
        print_json(
            {
                "game": rules.game,
                "rules_hash": rules.rules_hash,
                "method": "exact values of shoes dealt at random; deviations by the linear rule",
                "shoes": steps.done,
                "interrupted": steps.interrupted,
                "seed": seed,
                "efficiencies": [one.to_json() for one in efficiencies],
            }
        )
        return
    print_heading(rules)
    out = console()
    if steps.interrupted:
        out.print(
            f"Interrupted; these are from the {steps.done} of {steps.of} shoes that were solved until then.",
            style="bold",
        )
    out.print("Playing efficiency: the share of perfect play's gain that a count reaches", style="bold")
    right = ("Efficiency", "± (error)", "With insurance", "Gain for 100 rounds")
    table = plain_table("Count", *right, right=right)
    for one in efficiencies:
        insured = "-" if one.share_with_insurance is None else signed(one.share_with_insurance, 3)
        title = one.count.title.partition(":")[0]
        table.add_row(
            title, signed(one.share, 3), signed(one.standard_error, 3), insured, signed(one.gain, 4)
        )
    out.print(table)
    out.print(
        f"Perfect play gains {signed(efficiencies[0].perfect_gain, 4)} units for 100 rounds of one unit "
        f"each, over basic strategy, by the exact values of {steps.done} shoes dealt to the house's cut, "
        f"seed {seed}. All counts meet the same shoes: they differ from each other by less than the errors "
        "say. Levels depend on rules and cut; compare the order."
    )
