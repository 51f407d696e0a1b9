"""`cardroom odds` of the blackjack family."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cardroom.cli.options import Changes, Json, RulesFile, Sides, house_rules_as, with_sides
from cardroom.cli.output import console, print_figures, working, write_file
from cardroom.cli.per_game import plain_typer
from cardroom.cli.twentyone.odds_parts import print_parts, print_total
from cardroom.cli.twentyone.options import (
    Exact,
    RemovedCards,
    ShoeText,
    StrategyName,
    read_shoe,
    read_strategy,
    solving,
)
from cardroom.cli.wagers import SideWager, Wager, print_sizes
from cardroom.core.errors import MalformedInput

app = plain_typer()


@app.command()
def odds(
    context: typer.Context,
    strategy: StrategyName = "composition",
    shoe: ShoeText = None,
    removed: RemovedCards = None,
    exact: Exact = False,
    wager: Wager = None,
    side_wager: SideWager = None,
    parts: Annotated[
        bool, typer.Option("--parts", help="Also by the dealer's card, by first cards, and how dealers end.")
    ] = False,
    total: Annotated[
        bool, typer.Option("--total", help="Also with the Super Bonus, one strategy for both, and envy.")
    ] = False,
    csv: Annotated[
        Path | None,
        typer.Option(
            "--csv", metavar="FILE", help="Write all parts, actions included, as CSV.", show_default=False
        ),
    ] = None,
    sides: Sides = None,
    changes: Changes = None,
    rules_file: RulesFile = None,
    as_json: Json = False,
) -> None:
    """Exact figures of the primary wager by a strategy, of insurance, the Super Bonus and every side bet.

    They are for a wager of a stated size, with the house's rounding and the table's maximum; where the size
    matters, other sizes follow.
    """
    from cardroom.exact.twentyone import solve
    from cardroom.exact.twentyone.total import refuse_without_super_bonus, solve_total
    from cardroom.lab.parts import parts_to_csv, parts_to_json
    from cardroom.lab.sizes_twentyone import twentyone_by_size
    from cardroom.lab.twentyone import SUPER_BONUS_PLAYER, beside_figures
    from cardroom.lab.wager_sizes import read_side_wager, read_wager
    from cardroom.rules.twentyone import TwentyOneRules

    rules = house_rules_as(TwentyOneRules, context.info_name or "", with_sides(changes, sides), rules_file)
    cards = read_shoe(shoe, rules, removed)
    by = read_strategy(strategy, rules, cards)
    wanted_cents, side_cents = read_wager(wager, rules), read_side_wager(side_wager, rules)
    wager_cents = wanted_cents or int(rules.limits.min)
    if total:
        refuse_without_super_bonus(rules)
        if exact:
            raise MalformedInput("--total is not in fractions; leave out --exact or --total")
    with working(solving(rules, exact=exact)):
        primary = (
            solve(rules, by, shoe=cards, wager_cents=wager_cents, exact=True)
            if exact
            else solve(rules, by, shoe=cards, wager_cents=wager_cents)
        )
        beside = beside_figures(rules, shoe=cards, wager_cents=wager_cents, side_cents=side_cents)
        figures = (primary.figures(), *beside)
        more: dict[str, object] = parts_to_json(primary, cards) if parts else {}
        both = solve_total(rules, by, wager_cents=wager_cents, shoe=cards) if total else None
        if both is not None:
            more["total"] = both.to_json()
        sizes = twentyone_by_size(
            rules, by, shoe=cards, exact=exact, wager_cents=wanted_cents, side_cents=side_cents
        )
    if csv is not None:
        write_file(csv, parts_to_csv(primary, cards).encode())
    print_figures(rules, figures, as_json=as_json, shoe=cards, more={"size": sizes.to_json(), **more})
    if not as_json:
        print_sizes(sizes)
    if rules.super_bonus.offered and not as_json:
        console().print(f"\nSuper Bonus: {SUPER_BONUS_PLAYER}.")
    if both is not None and not as_json:
        print_total(both)
    if parts and not as_json:
        print_parts(primary, cards)
