"""`cardroom protect GAME`: the best counts of every wager; `--second-order`: the effects of two cards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from cardroom.cli.output import console, plain_table, print_heading, print_json, working
from cardroom.core.errors import MalformedInput
from cardroom.presentation import wager_title
from cardroom.presentation.numbers import in_percent, signed

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from cardroom.protect.effects import Effects, SecondOrder
    from cardroom.rules.twentyone import TwentyOneRules

TwoCards = Annotated[
    bool,
    typer.Option(
        "--second-order",
        help="Effects of two cards on side bets, beyond those of each: what is left where no count helps.",
    ),
]


def print_best_counts(wagers: Sequence[Effects]) -> None:
    """The best counts of each level, for every wager that a count can follow."""
    from cardroom.protect.best import different_counts

    out = console()
    for one in wagers:
        counts = different_counts(one)
        if not counts:
            continue
        out.print(f"\nThe best counts for {one.title}", style="bold")
        table = plain_table("Whole tags up to", "Tags", "Correlation", right=("Correlation",))
        for count in counts:
            table.add_row(count.title, count.tag_words, signed(count.correlation, 3))
        out.print(table)
    out.print(
        "An unbalanced count stands there where it is better than every balanced one; T is every ten-valued "
        "card unless J, Q and K have tags of their own."
    )


def show_second_order(rules: TwentyOneRules, only: Sequence[str], *, as_json: bool) -> None:
    """The effects of two cards on the side bets of a game."""
    from cardroom.protect.effects import second_order

    countable = [
        wager
        for wager in rules.offered_side_bets
        if not (rules.side_bets[wager].on_dealers_hand or rules.side_bets[wager].on_players_hand)
    ]
    wagers = list(only) or countable
    if not wagers:
        raise MalformedInput("effects of two cards are for side bets on given cards; none is on offer here")
    with working(f"counting the side bets of {rules.title} without two cards"):
        matrices = {wager: second_order(rules, wager) for wager in wagers}
    if as_json:
        print_json(
            {
                "game": rules.game,
                "rules_hash": rules.rules_hash,
                "method": "exact",
                "second_order": [_matrix_json(wager, matrix) for wager, matrix in matrices.items()],
            }
        )
        return
    print_heading(rules)
    out = console()
    for wager, matrix in matrices.items():
        out.print(f"{wager_title(wager, rules)}: two cards missing", style="bold")
        table = plain_table("Ranks", "Beyond both effects", right=("Beyond both effects",), prose=("Ranks",))
        for ranks, value in _together(matrix):
            table.add_row(ranks, in_percent(100 * float(value), 6, plus=True))
        out.print(table)
        out.print()
    out.print(
        "The change when both cards are missing, less the changes when each of them is missing alone; suits "
        "as likely as each other. --json has the matrix, as fractions too."
    )


def _together(matrix: SecondOrder) -> list[tuple[str, Fraction]]:
    """Pairs of ranks with one effect together, the largest first."""
    groups: dict[Fraction, list[tuple[str, str]]] = {}
    for pair, value in matrix.items():
        groups.setdefault(value, []).append(pair)
    alike = [pair for pair in matrix if pair[0] == pair[1]]
    unlike = [pair for pair in matrix if pair[0] != pair[1]]
    return [
        (
            "two of one rank"
            if pairs == alike
            else "two of different ranks"
            if pairs == unlike
            else ", ".join(f"{one}{other}" for one, other in pairs),
            value,
        )
        for value, pairs in sorted(groups.items(), reverse=True)
    ]


def _matrix_json(wager: str, matrix: SecondOrder) -> dict[str, Any]:
    ranks = [one for one, other in matrix if one == other]
    both_ways = {**matrix, **{(other, one): value for (one, other), value in matrix.items()}}
    return {
        "wager": wager,
        "beyond_both_effects": {
            one: {other: float(both_ways[one, other]) for other in ranks} for one in ranks
        },
        "fractions": {one: {other: str(both_ways[one, other]) for other in ranks} for one in ranks},
    }
