"""Our values of what has been published about Knockout 52."""

from __future__ import annotations

from fractions import Fraction

from cardroom.core.errors import MalformedInput
from cardroom.exact.knockout52 import chances
from cardroom.lab.published.figures import PublishedFigure
from cardroom.rules.knockout52 import Knockout52Rules
from cardroom.rules.loader import load_rules_as


def computed(figure: PublishedFigure) -> Fraction:
    """Our value of a quantity that a published figure of Knockout 52 names."""
    probabilities = chances(load_rules_as(Knockout52Rules, figure.game, dict(figure.changes)))
    quantity, _, wager = figure.quantity.rpartition(" of ")
    if quantity != "probability" or wager not in probabilities:
        raise MalformedInput(
            f"{figure.quantity!r} is not computed for {figure.game}; it has the probability of a wager"
        )
    return probabilities[wager]
