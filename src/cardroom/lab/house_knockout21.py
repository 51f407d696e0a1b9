"""The house report of Knockout 21: no card is seen before tickets are sold; few tickets win."""

from __future__ import annotations

from cardroom.exact.knockout21.draw_figures import expected_house_cents
from cardroom.lab.few_tickets import tickets_to_break_even, without_minimum
from cardroom.presentation.money import dollars
from cardroom.presentation.numbers import counted
from cardroom.protect.exposure import Thresholds
from cardroom.protect.house import HouseReport
from cardroom.rules.knockout21 import Knockout21Rules


def knockout_21_report(
    rules: Knockout21Rules, *, thresholds: Thresholds | None = None, **_others: object
) -> HouseReport:
    """What somebody wins who buys all tickets of a draw that nobody else takes part in."""
    bounds = thresholds or Thresholds()
    free = without_minimum(rules)
    fewest = tickets_to_break_even(rules)
    held = range(max(1, rules.draws.minimum_tickets), fewest)
    worst = max(((-expected_house_cents(free, number), number) for number in held), default=(0.0, 0))
    findings = [
        "No card of a draw is seen before its tickets are sold: there is nothing to count.",
        "Every draw has a shuffle of its own: earlier draws say nothing of the next one.",
    ]
    if worst[0] > 0:
        findings.append(
            f"A draw with few tickets is the weak spot. Who alone buys {counted(worst[1], 'ticket')} "
            f"of a draw wins {dollars(worst[0])} on average, {dollars(100 * worst[0])} in 100 such draws. "
            f"draws.minimum_tickets = {fewest} ends it."
        )
    else:
        findings.append(
            f"draws.minimum_tickets = {rules.draws.minimum_tickets} keeps draws with few tickets, in which "
            "buyers have the better, from being held."
        )
    return HouseReport(
        rules.game,
        rules.title,
        rules.rules_hash,
        "exact",
        bounds,
        (),
        tuple(findings),
        marked=bounds.mark(100 * worst[0]),
    )
