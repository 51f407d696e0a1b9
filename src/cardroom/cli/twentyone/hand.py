"""`cardroom hand` of the blackjack family."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Annotated

import typer

from cardroom.cli.options import Changes, Json, RulesFile, house_rules_as
from cardroom.cli.output import console, named_shoe, plain_table, print_heading, print_json, working
from cardroom.cli.per_game import plain_typer
from cardroom.cli.twentyone.options import (
    Exact,
    RemovedCards,
    ShoeText,
    StrategyName,
    read_shoe,
    read_strategy,
    solving,
)
from cardroom.cli.wagers import Wager
from cardroom.presentation.numbers import signed, true_minus

if TYPE_CHECKING:
    from cardroom.exact.figures import Number

app = plain_typer()


@app.command()
def hand(
    context: typer.Context,
    cards: Annotated[
        str, typer.Argument(metavar="CARDS", help="The player's cards, 6c7d or A7.", show_default=False)
    ],
    dealer: Annotated[
        str, typer.Option("--dealer", metavar="CARD", help="The dealer's up card.", show_default=False)
    ],
    strategy: StrategyName = "composition",
    shoe: ShoeText = None,
    removed: RemovedCards = None,
    exact: Exact = False,
    wager: Wager = None,
    changes: Changes = None,
    rules_file: RulesFile = None,
    as_json: Json = False,
) -> None:
    """The expected value of every action on one hand."""
    from cardroom.exact.twentyone import solve
    from cardroom.lab.hands import hand_values, total_words
    from cardroom.lab.wager_sizes import read_wager
    from cardroom.presentation.money import dollars
    from cardroom.rules.twentyone import TwentyOneRules

    rules = house_rules_as(TwentyOneRules, context.info_name or "", changes, rules_file)
    cards_of_shoe = read_shoe(shoe, rules, removed)
    by = read_strategy(strategy, rules, cards_of_shoe)
    wager_cents = read_wager(wager, rules) or int(rules.limits.min)
    with working(solving(rules, exact=exact)):
        solution = (
            solve(rules, by, shoe=cards_of_shoe, wager_cents=wager_cents, exact=True)
            if exact
            else solve(rules, by, shoe=cards_of_shoe, wager_cents=wager_cents)
        )
        values = hand_values(solution, cards, dealer)
    if as_json:
        print_json(
            {
                "game": rules.game,
                "rules_hash": rules.rules_hash,
                "method": "exact",
                "strategy": solution.strategy_name,
                "wager_cents": wager_cents,
                **named_shoe(cards_of_shoe),
                **values.to_json(),
            }
        )
        return
    print_heading(rules, cards_of_shoe)
    out = console()
    out.print(
        f"{cards}, {total_words(cards)}, against {dealer}; played on by the {solution.strategy_name} "
        "strategy\n"
    )
    best = values.expected_value
    if values.values:
        right = ("Expected value", "Costs")
        table = plain_table("Action", *right, right=right)
        for action, value in values.values:
            costs = "best" if value == best else signed(float(best - value), 6)
            table.add_row(str(action), _shown(value), costs, style="bold" if value == best else "")
        out.print(table)
    else:
        out.print("Nothing is to be decided: the hand is paid, or compared as it is.")
        out.print(f"Expected value {_shown(best)}")
    size = dollars(wager_cents)
    condition = ", given that the dealer has no blackjack" if rules.played_without_blackjack else ""
    out.print(f"\nFor each unit of the initial wager{condition}.")
    out.print(f"The initial wager is {size}.")
    if values.averaged:
        out.print("Cards that were not told apart (suits, tens) matter here: averaged over them.")
    for action in values.partly:
        out.print(f"Only some of these cards may {action}: its value is of those.")
    if values.may_win_super_bonus(rules):
        out.print(f"The Super Bonus, which {rules.super_bonus.said} wins, is not counted (odds --wager).")


def _shown(value: Number) -> str:
    """A value, as a fraction too where it is one."""
    text = signed(float(value), 6, plus=True)
    return f"{true_minus(str(value))} = {text}" if isinstance(value, Fraction) else text
