"""Exact figures of the blackjack family.

- `solve(rules, strategy, …)` → `Solution`: `.expected_value`, `.by_up_card`, `.by_first_two`,
  `.action_values(cards, up)`, `.best_action(cards, up)`, `.strategy` (`.strategy.chart()`),
  `.state_values(up)`, `.close_cells()`, `.exceptions()`.

Strategies: `"composition"`, the best action for each set of cards that a hand can hold, where a hand after a
split does not look at the cards of the other hands; `"basic"`, the best that looks at the total, the up card
and, where bonuses make it matter, the number of cards and the bonus still possible; or a `Strategy` made from
a chart. Split values are exact for the strategy.
"""

from __future__ import annotations

from math import prod
from typing import Final, Literal, overload

from cardroom.core.decks import CardCounts
from cardroom.core.errors import MalformedInput
from cardroom.exact.twentyone.in_fractions import ExactSolution
from cardroom.exact.twentyone.shoe import Shoe, parse_shoe
from cardroom.exact.twentyone.solution import Part, Solution
from cardroom.exact.twentyone.solver import Solver
from cardroom.exact.twentyone.studies import Change, effect_of_removal, sensitivity
from cardroom.model.twentyone.strategy import Strategy
from cardroom.rules.twentyone import TwentyOneRules

MOST_STATES: Final = 20_000
"""Of a shoe that is solved in fractions: how many sets of cards can be left of it."""

__all__ = [
    "Change",
    "ExactSolution",
    "Part",
    "Solution",
    "effect_of_removal",
    "parse_shoe",
    "sensitivity",
    "solve",
]


@overload
def solve(
    rules: TwentyOneRules,
    strategy: str | Strategy = ...,
    *,
    shoe: CardCounts | None = ...,
    wager_cents: int | None = ...,
    exact: Literal[False] = ...,
) -> Solution: ...


@overload
def solve(
    rules: TwentyOneRules,
    strategy: str | Strategy = ...,
    *,
    shoe: CardCounts | None = ...,
    wager_cents: int | None = ...,
    exact: Literal[True],
) -> ExactSolution: ...


def solve(
    rules: TwentyOneRules,
    strategy: str | Strategy = "composition",
    *,
    shoe: CardCounts | None = None,
    wager_cents: int | None = None,
    exact: bool = False,
) -> Solution | ExactSolution:
    """Solve the game for a strategy: `"composition"`, `"basic"` or a strategy made from a chart.

    `shoe` takes the place of the rules' decks. With `wager_cents` pays are to the cent for a wager of that
    size, with the rounding and the cap on doubles that the rules have; without, they are paid in full. With
    `exact` all is in fractions, by dealing every card that can come: for small shoes, also such that may run
    out.
    """
    solver = Solver.of(rules, shoe, wager_cents, may_run_out=exact)
    if exact:
        refuse_if_too_large(solver.shoe)
    table: Strategy | None = None
    if isinstance(strategy, Strategy):
        name, table = strategy.name, solver.fitted(strategy)
    elif strategy == "basic":
        name, table = strategy, solver.best_strategy()
    elif strategy == "composition":
        name = strategy
    else:
        raise MalformedInput(f"unknown strategy {strategy!r}; it is composition, basic or a chart")
    if exact:
        return ExactSolution(solver, name, table)
    return Solution(solver, name, table, solver.play(table))


def refuse_if_too_large(shoe: Shoe) -> None:
    """Dealing every card that can come is for small shoes."""
    states = prod(int(count) + 1 for count in shoe.class_counts)
    if shoe.infinite or states > MOST_STATES:
        raise MalformedInput(
            "fractions are for small shoes: this one can be left in "
            f"{'infinitely many' if shoe.infinite else states} ways, and {MOST_STATES} are the most"
        )
