"""The odds that the source of Knockout 21 prints, beside ours for the rules in force."""

from __future__ import annotations

from typing import Any

from cardroom.presentation.numbers import one_in
from cardroom.presentation.wagers import wager_title
from cardroom.rules.knockout21 import Knockout21Rules


def printed_odds(rules: Knockout21Rules) -> list[dict[str, Any]]:
    """Each game and any prize: the printed odds, ours among very many tickets and without Lucky Losers."""
    from cardroom.exact.knockout21.chances import chances, chances_without_lucky_losers
    from cardroom.lab.published.figures import KNOCKOUT_21

    ours, alone = chances(rules), chances_without_lucky_losers(rules)
    printed = {figure.quantity.rpartition(" ")[2]: figure.printed for figure in KNOCKOUT_21}
    return [
        {
            "title": wager_title(wager),
            "printed": printed[wager],
            "ours": one_in(chance),
            "without_lucky_losers": one_in(alone[wager]),
        }
        for wager, chance in ours.items()
    ]
