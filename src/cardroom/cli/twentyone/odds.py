"""`cardroom odds` of the blackjack family."""

from __future__ import annotations

import typer

from cardroom.cli.options import Changes, Json, RulesFile, house_rules_as
from cardroom.cli.output import print_figures
from cardroom.cli.per_game import plain_typer
from cardroom.cli.twentyone.options import (
    Exact,
    ShoeText,
    StrategyName,
    Wager,
    read_shoe,
    read_strategy,
    read_wager,
)

app = plain_typer()


@app.command()
def odds(
    context: typer.Context,
    strategy: StrategyName = "composition",
    shoe: ShoeText = None,
    exact: Exact = False,
    wager: Wager = None,
    changes: Changes = None,
    rules_file: RulesFile = None,
    as_json: Json = False,
) -> None:
    """Exact figures of the primary wager by a strategy, of insurance, the Super Bonus and every side bet."""
    from cardroom.lab.twentyone import family_figures
    from cardroom.rules.twentyone import TwentyOneRules

    rules = house_rules_as(TwentyOneRules, context.info_name or "", changes, rules_file)
    cards = read_shoe(shoe)
    figures = family_figures(
        rules,
        read_strategy(strategy, rules),
        shoe=cards,
        exact=exact,
        wager_cents=read_wager(wager, rules),
    )
    print_figures(rules, figures, as_json=as_json, shoe=cards)
