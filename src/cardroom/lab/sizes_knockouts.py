"""The edges of Knockout 52 by the size of the wager; Knockout 21, whose tickets have one price."""

from __future__ import annotations

from cardroom.exact.knockout52 import wager_figures
from cardroom.lab.edge_by_size import EdgeBySize, Edges, SizeRange, edge_by_size, rounding_words
from cardroom.presentation.money import dollars
from cardroom.rules.knockout21 import Knockout21Rules
from cardroom.rules.knockout52 import Knockout52Rules


def knockout_52_by_size(
    rules: Knockout52Rules, wager_cents: int | None = None, *, with_curve: bool = False
) -> EdgeBySize:
    """Each of the five wagers by its size."""
    least, most, chip = int(rules.limits.min), int(rules.limits.max), int(rules.limits.chip)

    def edges(cents: int | None) -> Edges:
        return {each.wager: each.house_edge_percent for each in wager_figures(rules, cents)}

    # If two neighbouring sizes are paid in full, all are.
    rounds = any(
        rules.pays_on(wager, size) != rules.odds_of(wager).ratio
        for wager in rules.layout.wagers
        for size in {least, min(least + chip, most)}
    )
    return edge_by_size(
        SizeRange(least, most, chip, {}, rounds=rounds),
        edges,
        wager_cents,
        reasons=(rounding_words(rules.rounding, chip),),
        with_curve=with_curve,
    )


def knockout_21_by_size(rules: Knockout21Rules) -> EdgeBySize:
    """A ticket has one price, and every figure is for it."""
    price = int(rules.sales.ticket_price)
    words = (
        f"Figures are for a ticket of {dollars(price)}, its only price: none depends on the size of a wager."
    )
    return EdgeBySize(price, (words,), (), (), {})
