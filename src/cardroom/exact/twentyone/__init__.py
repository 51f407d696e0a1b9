"""Exact figures of the blackjack family.

- `solve(rules, strategy, …)` → `Solution`: `.expected_value`, `.by_up_card`, `.by_first_two`,
  `.action_values(cards, up)`, `.best_action(cards, up)`, `.strategy` (`.strategy.chart()`),
  `.state_values(up)`, `.close_cells()`, `.exceptions()`.

Strategies: `"composition"`, the best for each composition of the hand, the same zone of play after a split;
`"basic"`, the best that looks at the total, the up card and, where bonuses make it matter, the number of
cards and the bonus still possible; or a `Strategy` made from a chart. Split values are exact for the
strategy.
"""

from __future__ import annotations

from cardroom.core.decks import CardCounts
from cardroom.core.errors import MalformedInput
from cardroom.exact.twentyone.shoe import parse_shoe
from cardroom.exact.twentyone.solution import Part, Solution
from cardroom.exact.twentyone.solver import Solver
from cardroom.exact.twentyone.studies import Change, effect_of_removal, sensitivity
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.rules.twentyone.strategy import Strategy

__all__ = ["Change", "Part", "Solution", "effect_of_removal", "parse_shoe", "sensitivity", "solve"]


def solve(
    rules: TwentyOneRules,
    strategy: str | Strategy = "composition",
    *,
    shoe: CardCounts | None = None,
    wager_cents: int | None = None,
) -> Solution:
    """Solve the game for a strategy: `"composition"`, `"basic"` or a strategy made from a chart.

    `shoe` takes the place of the rules' decks. With `wager_cents` pays are to the cent for a wager of that
    size, with the rounding and the cap on doubles that the rules have; without, they are paid in full.
    """
    solver = Solver.of(rules, shoe, wager_cents)
    if isinstance(strategy, Strategy):
        return Solution(solver, strategy.name, strategy, solver.play(strategy))
    if strategy == "composition":
        return Solution(solver, strategy, None, solver.play(None))
    if strategy == "basic":
        best = solver.best_strategy()
        return Solution(solver, strategy, best, solver.play(best))
    raise MalformedInput(f"unknown strategy {strategy!r}; it is composition, basic or a chart")
