"""`cardroom odds` of the blackjack family."""

from __future__ import annotations

from typing import Annotated

import typer

from cardroom.cli.options import Changes, Json, RulesFile, house_rules_as
from cardroom.cli.output import console, plain_table, print_figures, working
from cardroom.cli.per_game import plain_typer
from cardroom.cli.twentyone.options import (
    Exact,
    ShoeText,
    StrategyName,
    read_shoe,
    read_strategy,
    solving,
)
from cardroom.cli.wagers import SideWager, Wager, print_sizes

app = plain_typer()


@app.command()
def odds(
    context: typer.Context,
    strategy: StrategyName = "composition",
    shoe: ShoeText = None,
    exact: Exact = False,
    wager: Wager = None,
    side_wager: SideWager = None,
    parts: Annotated[
        bool, typer.Option("--parts", help="Also by the dealer's card and by the first two cards.")
    ] = False,
    changes: Changes = None,
    rules_file: RulesFile = None,
    as_json: Json = False,
) -> None:
    """Exact figures of the primary wager by a strategy, of insurance, the Super Bonus and every side bet.

    They are for a wager of a stated size, with the house's rounding and the table's maximum; where the size
    matters, other sizes follow.
    """
    from cardroom.exact.twentyone import solve
    from cardroom.lab.sizes_twentyone import twentyone_by_size
    from cardroom.lab.twentyone import SUPER_BONUS_PLAYER, beside_figures, parts_to_json
    from cardroom.lab.wager_sizes import read_side_wager, read_wager
    from cardroom.rules.twentyone import TwentyOneRules

    rules = house_rules_as(TwentyOneRules, context.info_name or "", changes, rules_file)
    cards, by = read_shoe(shoe), read_strategy(strategy, rules)
    asked, side_cents = read_wager(wager, rules), read_side_wager(side_wager, rules)
    wager_cents = asked or int(rules.limits.min)
    with working(solving(rules, exact=exact)):
        primary = (
            solve(rules, by, shoe=cards, wager_cents=wager_cents, exact=True)
            if exact
            else solve(rules, by, shoe=cards, wager_cents=wager_cents)
        )
        beside = beside_figures(rules, shoe=cards, wager_cents=wager_cents, side_cents=side_cents)
        figures = (primary.figures(), *beside)
        more = parts_to_json(primary) if parts else {}
        sizes = twentyone_by_size(
            rules, by, shoe=cards, exact=exact, wager_cents=asked, side_cents=side_cents
        )
    print_figures(rules, figures, as_json=as_json, shoe=cards, more={"size": sizes.to_json(), **more})
    if not as_json:
        print_sizes(sizes)
    if rules.super_bonus.offered and not as_json:
        console().print(f"\nSuper Bonus: {SUPER_BONUS_PLAYER}.")
    if parts and not as_json:
        for title, some in (("Dealer's card", primary.by_up_card), ("First two cards", primary.by_first_two)):
            right = ("Chance", "Expected value", "Adds")
            table = plain_table(title, *right, right=right)
            for part in some:
                chance, value = float(part.chance), float(part.expected_value)
                adds = f"{100 * chance * value:+.4f} %"
                table.add_row(part.name, f"{chance:.6f}", f"{value:+.6f}", adds)
            console().print()
            console().print(table)
